/** What single cells say under what was declared about their column. */
import { Refusal } from "../engine/refusal.ts";
import type { CategoricalColumn, Ends, Label, NumericColumn } from "./declaration.ts";
import { bare, type Format, isUnreadable, numberIn } from "./format.ts";

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
  readonly #constant: number | undefined;

  constructor(use: Use, decimal: Format["decimal"], marks: ReadonlySet<string>) {
    this.#use = use;
    this.#decimal = decimal;
    this.#marks = marks;
    const levels = "levels" in use ? use.levels : [];
    this.#levels = new Map(levels.map((level, i) => [level, i]));
    if (use.missing !== "drop") {
      const { constant } = use.missing;
      this.#constant = typeof constant === "number" ? constant : this.#levels.get(constant);
    }
  }

  read(cell: string): number | undefined {
    const text = bare(cell);
    return this.#value(text) ?? this.#constant;
  }

  #value(text: string): number | undefined {
    const level = this.#levels.get(text);
    if (level !== undefined) return level;
    if (text === "" || this.#marks.has(text)) return undefined;
    const use = this.#use;
    if (use.use === "categorical") return isUnreadable(text) ? undefined : -1;
    // A label that is none of the levels is none.
    if ("levels" in use) return undefined;
    const number = numberIn(text, this.#decimal);
    if (number === undefined) return undefined;
    const [low, high] = use.range as Ends;
    return Math.min(Math.max(number, low), high);
  }
}
