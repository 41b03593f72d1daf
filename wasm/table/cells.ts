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

/** Levels by the bytes that spell them; those beyond ASCII are not among them. */
class SpelledLevels {
  readonly #found = new Map<number, { readonly bytes: Uint8Array; readonly index: number }>();

  constructor(levels: readonly string[]) {
    for (const [index, level] of levels.entries()) {
      const bytes = Uint8Array.from(level, (letter) => letter.charCodeAt(0));
      const hash = hashOf(bytes, 0, bytes.length);
      const isAscii = [...level].every((letter) => letter < "\u0080");
      // The second of two with one hash is found by its text.
      if (isAscii && !this.#found.has(hash)) this.#found.set(hash, { bytes, index });
    }
  }

  /** Nothing where they may be looked for by their text. */
  find(bytes: Uint8Array, from: number, to: number): number | undefined {
    const level = this.#found.get(hashOf(bytes, from, to));
    if (level?.bytes.length !== to - from) return undefined;
    for (let i = from; i < to; i++) if (bytes[i] !== level.bytes[i - from]) return undefined;
    return level.index;
  }
}

/** Fowler, Noll and Vo 1991, in 32 bits. */
export function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return hash;
}

/** What a cell says under its column's declaration: a clamped number, the index of a level (-1: of none), or nothing. */
export class CellReader {
  readonly #use: Use;
  readonly #decimal: Format["decimal"];
  readonly #marks: ReadonlySet<string>;
  readonly #levels: ReadonlyMap<string, number>;
  readonly #spelled: SpelledLevels;
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
    this.#spelled = new SpelledLevels(levels);
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

  /** The same of ASCII bytes: a short number or a level is read where it stands. */
  readBytes(bytes: Uint8Array, from: number, to: number): number | undefined {
    let first = from;
    let end = to;
    while (first < end && isBlank(bytes[first] as number)) first++;
    while (end > first && isBlank(bytes[end - 1] as number)) end--;
    if (this.#isNumber) {
      const short = shortNumber(bytes, first, end, this.#point);
      if (!Number.isNaN(short)) return this.#clamped(short);
    }
    return this.#spelled.find(bytes, first, end) ?? this.read(ascii(bytes, first, end));
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
