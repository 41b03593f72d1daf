/**
 * Which rows are read of somebody who has more than are declared: as many at random, each as likely as any other. Which
 * ones follows from a text that is drawn without the table, who somebody is, and how many rows that person has: other
 * people's rows change nothing of it, so that whatever the text is, one person more or fewer is as many rows at most.
 */
import { Refusal } from "../engine/refusal.ts";
import { SeededRandom } from "../engine/seeded-random.ts";
import { hashOf } from "./cells.ts";
import type { TableRequest } from "./declaration.ts";
import { detached, isMissing } from "./format.ts";
import { ManyNumbers } from "./many-numbers.ts";

/** More than anybody may have, so that two numbers fit into one. */
const ONE_LEFT = 2048;

/** Rows are counted first; when all of them come again, some are taken. */
export class Quota {
  /** Of each person how many rows are still to come, in steps of `ONE_LEFT`, and how many were taken. */
  readonly #people = new ManyNumbers();
  readonly #rows: number;
  readonly #draw: string;
  readonly #marks: ReadonlySet<string>;
  #isCounting = true;

  constructor(rows: number, draw: string, marks: ReadonlySet<string>) {
    this.#rows = rows;
    this.#draw = draw;
    this.#marks = marks;
  }

  /** From now on the rows come that were counted. */
  begin(): void {
    this.#isCounting = false;
  }

  /** Whether one more row is taken; one that belongs to nobody, or nobody knows to whom, is not. */
  take(id: string): boolean {
    if (isMissing(id, this.#marks)) return false;
    const known = this.#people.get(id);
    if (this.#isCounting) {
      this.#people.set(known === undefined ? detached(id) : id, (known ?? 0) + ONE_LEFT);
      return false;
    }
    const left = Math.floor((known ?? 0) / ONE_LEFT);
    if (left === 0) return false;
    const wanted = this.#rows - ((known as number) % ONE_LEFT);
    const isTaken = wanted >= left || this.#uniform(id, left) * left < wanted;
    this.#people.set(id, (known as number) - ONE_LEFT + Number(isTaken));
    return isTaken;
  }

  /** Selection sampling (Fan, Muller and Rezucha 1962): of the rows left each is taken with the share that is still wanted. */
  #uniform(id: string, left: number): number {
    const bytes = new TextEncoder().encode(`${this.#draw} ${id}`);
    return new SeededRandom(hashOf(bytes, 0, bytes.length) + left * 0x9e3779b1).uniform();
  }
}

const DRAWN = new Uint8Array(8);

/** The same request with what its rows are drawn by, where that is not said and somebody is named: by its seed, or fresh. */
export function withDraw<R extends { readonly table: TableRequest; readonly seed?: number | undefined }>(
  request: R,
): R {
  const { table, seed } = request;
  if (table.unit.column === undefined || table.unit.draw !== undefined) return request;
  const fresh = () =>
    Array.from(crypto.getRandomValues(DRAWN), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const draw = seed === undefined ? fresh() : `seed ${seed}`;
  return { ...request, table: { ...table, unit: { ...table.unit, draw } } };
}

/** Refuses a table of which nobody can tell any more which rows were read. */
export function checkDraw({ unit }: TableRequest, field: string): void {
  if (unit.column === undefined || unit.draw !== undefined) return;
  const rule = "must be there: without it nobody knows which rows of a person the release was made of";
  throw new Refusal("missing", `${field}.unit.draw`, undefined, rule);
}
