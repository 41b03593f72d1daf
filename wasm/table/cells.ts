/** What single cells say under what was declared about their column. */
import { Refusal } from "../engine/refusal.ts";
import type { CategoricalColumn, Ends, Label, NumericColumn } from "./declaration.ts";
import { bare, type Format, isBlank, isUnreadable, numberIn, shortNumber } from "./format.ts";
import { ascii } from "./tokenise.ts";

/** Where a declared name stands in the file. */
export function indexOf(names: readonly string[], name: string, field: string): number {
  const index = names.indexOf(name);
  if (index < 0) {
    const some = names.slice(0, 5).map((known) => JSON.stringify(known.slice(0, 40)));
    const more = names.length > 5 ? `, and ${names.length - 5} more` : "";
    throw new Refusal(
      "unknown",
      field,
      name,
      `no such column in the file; there are ${some.join(", ")}${more}`,
    );
  }
  if (names.indexOf(name, index + 1) < 0) return index;
  throw new Refusal("malformed", field, name, "is the name of several columns of the file");
}

/** A declaration under which cells are read. */
export type Use = NumericColumn | CategoricalColumn | Label;

/** What a cell says under its column's declaration: a clamped number, the index of a level (-1: of none), or nothing. */
export class CellReader {
  readonly #use: Use;
  readonly #decimal: Format["decimal"];
  readonly #marks: ReadonlySet<string>;
  readonly #levels: ReadonlyMap<string, number>;
  readonly #low: number;
  readonly #high: number;
  readonly #point: number;
  readonly #constant: number | undefined;
  /** No number counts as missing: then nothing has to be looked for among levels and marks first. */
  readonly #isNumber: boolean;

  constructor(use: Use, decimal: Format["decimal"], marks: ReadonlySet<string>) {
    this.#use = use;
    this.#decimal = decimal;
    this.#marks = marks;
    const levels = "levels" in use ? use.levels : [];
    [this.#low, this.#high] = "range" in use ? (use.range as Ends) : [0, 0];
    this.#point = decimal.charCodeAt(0);
    this.#levels = new Map(levels.map((level, i) => [level, i]));
    const isMarked = [...marks].some((mark) => numberIn(mark, decimal) !== undefined);
    this.#isNumber = "range" in use && !isMarked;
    if (use.missing !== "drop") {
      const { constant } = use.missing;
      this.#constant = typeof constant === "number" ? constant : this.#levels.get(constant);
    }
  }

  read(cell: string): number | undefined {
    const text = bare(cell);
    return this.#value(text) ?? this.#constant;
  }

  /** The same of ASCII bytes: a short number is read where it stands. */
  readBytes(bytes: Uint8Array, from: number, to: number): number | undefined {
    if (!this.#isNumber) return this.read(ascii(bytes, from, to));
    let [first, end] = [from, to];
    while (first < end && isBlank(bytes[first] as number)) first++;
    while (end > first && isBlank(bytes[end - 1] as number)) end--;
    const short = shortNumber(bytes, first, end, this.#point);
    return Number.isNaN(short) ? this.read(ascii(bytes, first, end)) : this.#clamped(short);
  }

  #value(text: string): number | undefined {
    if (this.#isNumber) return this.#number(text);
    const level = this.#levels.get(text);
    if (level !== undefined) return level;
    if (text === "" || this.#marks.has(text)) return undefined;
    const use = this.#use;
    if (use.use === "categorical") return isUnreadable(text) ? undefined : -1;
    // A label that is none of the levels is none.
    return "levels" in use ? undefined : this.#number(text);
  }

  #number(text: string): number | undefined {
    const number = numberIn(text, this.#decimal);
    return number === undefined ? undefined : this.#clamped(number);
  }

  #clamped(number: number): number {
    return Math.min(Math.max(number, this.#low), this.#high);
  }
}
