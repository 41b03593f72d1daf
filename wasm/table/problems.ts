/** What is wrong with a file, by row and column. For the holder of the data only: it is read off the data. */

export interface Problem {
  readonly kind: "header-empty" | "header-repeated" | "ragged" | "quotes" | "encoding" | "text" | "missing";
  /** As a spreadsheet counts: the first row of the file is 1, blank ones are counted too. */
  readonly row: number;
  /** From 1, where it is about a cell. */
  readonly column?: number;
  readonly rule: string;
}

/** Keeps the first of each kind, and remembers that there were more. */
export class Problems {
  readonly #most: number;
  readonly #found: Problem[] = [];
  readonly #counts = new Map<Problem["kind"], number>();

  constructor(mostOfEachKind = 20) {
    this.#most = mostOfEachKind;
  }

  add(problem: Problem): void {
    const count = (this.#counts.get(problem.kind) ?? 0) + 1;
    this.#counts.set(problem.kind, count);
    if (count <= this.#most) this.#found.push(problem);
  }

  /** In the order of the rows. */
  get found(): readonly Problem[] {
    return [...this.#found].sort((a, b) => a.row - b.row);
  }

  /** The kinds of which there are more than were kept. */
  get capped(): readonly Problem["kind"][] {
    return [...this.#counts].flatMap(([kind, count]) => (count > this.#most ? [kind] : []));
  }
}
