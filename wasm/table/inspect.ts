/**
 * Looks through a table before it is used, for the holder of the data: nothing of this may leave with a release.
 * Neither ranges nor counts are among the answers, so that no bound is read off the data by accident.
 */
import { Refusal } from "../engine/refusal.ts";
import { indexOf } from "./cells.ts";
import { MISSING_MARKS, type TableRequest } from "./declaration.ts";
import { bare, detached, type Format, numberIn } from "./format.ts";
import { type Batch, type Parsing, parse } from "./parse.ts";
import { type Problem, Problems } from "./problems.ts";
import type { Source } from "./source.ts";

export interface SurveyedColumn {
  readonly name: string;
  /** Whether each of its values reads as a number, and there is one. */
  readonly numeric: boolean;
}

export interface Notice {
  readonly kind: "one-column" | "no-rows" | "one-row" | "all-missing" | "constant" | "some-missing";
  readonly column?: string;
  readonly rule: string;
}

export interface Survey {
  readonly columns: readonly SurveyedColumn[];
  readonly problems: readonly Problem[];
  /** The kinds of problems of which there are more than are listed. */
  readonly capped: readonly Problem["kind"][];
  readonly notices: readonly Notice[];
}

/** What has been seen of one column. */
class Observed {
  readonly name: string;
  /** Whether it was declared to hold numbers; then a text is a problem. */
  readonly #declaredNumeric: boolean;
  #first: string | undefined;
  #varies = false;
  #missing = false;
  #text = false;

  constructor(name: string, declaredNumeric: boolean) {
    this.name = name;
    this.#declaredNumeric = declaredNumeric;
  }

  /** Answers whether the cell is a text where a number was declared. */
  see(cell: string, decimal: Format["decimal"], marks: ReadonlySet<string>): boolean {
    const text = bare(cell);
    if (text === "" || marks.has(text)) {
      this.#missing = true;
      return false;
    }
    if (this.#first === undefined) this.#first = detached(text);
    else if (!this.#varies) this.#varies = text !== this.#first;
    // Once it has held a text, it is tested again only where that would be a problem.
    if (this.#text && !this.#declaredNumeric) return false;
    const isText = numberIn(text, decimal) === undefined;
    this.#text ||= isText;
    return isText && this.#declaredNumeric;
  }

  get column(): SurveyedColumn {
    return { name: this.name, numeric: this.#first !== undefined && !this.#text };
  }

  notices(rows: number): Notice[] {
    const column = this.name;
    if (this.#first === undefined) {
      return [{ kind: "all-missing", column, rule: "has no value in any row" }];
    }
    const notices: Notice[] = [];
    if (!this.#varies && rows > 1) {
      notices.push({ kind: "constant", column, rule: "has the same value wherever it has one" });
    }
    if (this.#missing) {
      notices.push({
        kind: "some-missing",
        column,
        rule: "lacks some values: say what happens to such rows",
      });
    }
    return notices;
  }
}

function aboutRows(rows: number, columns: number): Notice[] {
  const notices: Notice[] = [];
  if (columns === 1) {
    notices.push({ kind: "one-column", rule: "each row is a single cell: is the delimiter right?" });
  }
  if (rows === 0) notices.push({ kind: "no-rows", rule: "there is no row below the names of the columns" });
  if (rows === 1)
    notices.push({ kind: "one-row", rule: "there is a single row: no model can be learnt from it" });
  return notices;
}

/** What is wrong and what is remarkable, under the declaration where there is one already. */
export async function inspect(
  source: Source,
  format: Format,
  request?: Pick<TableRequest, "columns" | "label" | "missingMarks">,
  options: Parsing = {},
): Promise<Survey> {
  const problems = options.problems ?? new Problems();
  const marks = new Set(request?.missingMarks ?? MISSING_MARKS);
  const declared = request ? [...request.columns, ...(request.label ? [request.label] : [])] : [];
  const numeric = new Set(
    declared.flatMap(({ use, name }) => (use === "numeric" || use === "count" ? [name] : [])),
  );
  let observed: Observed[] | undefined;
  let rows = 0;

  const see = (cells: readonly string[], row: number) => {
    cells.forEach((cell, i) => {
      if (!observed?.[i]?.see(cell, format.decimal, marks)) return;
      const rule = `is not a number: ${JSON.stringify(bare(cell).slice(0, 40))}; it counts as missing`;
      problems.add({ kind: "text", row, column: i + 1, rule });
    });
  };

  for await (const batch of parse(source, format, { ...options, problems })) {
    observed ??= batch.names.map((name) => new Observed(name, numeric.has(name)));
    batch.rows.forEach((cells, i) => {
      if (!cells) return;
      rows = Math.min(rows + 1, 2);
      see(cells, batch.first + i);
    });
  }
  const columns = observed ?? [];
  const notices = rows === 0 ? [] : columns.flatMap((column) => column.notices(rows));
  return {
    columns: columns.map(({ column }) => column),
    problems: problems.found,
    capped: problems.capped,
    notices: [...aboutRows(rows, columns.length), ...notices],
  };
}

export interface ProposedLevels {
  readonly levels: readonly string[];
  readonly warning: string;
}

const MOST_LEVELS = 1000;

/**
 * The levels that a column has, in alphabetical order, for a person to accept or not: they are read off the data, and
 * so is a model that uses them. Refuses more than a thousand.
 */
export async function proposeLevels(
  source: Source,
  format: Format,
  name: string,
  options: Parsing & { readonly missingMarks?: readonly string[] } = {},
): Promise<ProposedLevels> {
  const marks = new Set(options.missingMarks ?? MISSING_MARKS);
  const levels = new Set<string>();
  const add = (text: string) => {
    if (text === "" || marks.has(text) || levels.has(text)) return;
    levels.add(detached(text));
    if (levels.size <= MOST_LEVELS) return;
    const rule = `has more than ${MOST_LEVELS} different values: it does not look categorical`;
    throw new Refusal("range", "name", name, rule);
  };
  let index: number | undefined;
  const place = ({ names }: Batch) => indexOf(names, name, "name");
  for await (const batch of parse(source, format, options)) {
    index ??= place(batch);
    for (const cells of batch.rows) if (cells) add(bare(cells[index] as string));
  }
  const warning =
    "These levels were read off the data: that a level exists can reveal a person. The guarantee covers the model only " +
    "if the levels would have been the same without any of them.";
  return { levels: [...levels].sort(), warning };
}
