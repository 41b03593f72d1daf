/** Turns rows of cells into what the parts of an everyday request count of them. No row has anything refused. */

import { detached, isMissing } from "../table/format.ts";
import { ManyNumbers } from "../table/many-numbers.ts";
import { placesIn, type Spelling } from "../table/places.ts";
import type { RowReader } from "../table/preprocess.ts";
import type { EverydayRequest } from "./everyday-request.ts";
import type { EverydayPart, FirstOf } from "./parts.ts";

/** The keys of a column, numbered as they are found. */
class FoundKeys {
  readonly names: string[] = [];
  readonly #numbers = new ManyNumbers();
  readonly #marks: ReadonlySet<string>;

  constructor(marks: readonly string[]) {
    this.#marks = new Set(marks);
  }

  number(key: string): number | undefined {
    const found = this.#numbers.get(key);
    if (found !== undefined) return found;
    if (isMissing(key, this.#marks)) return undefined;
    const kept = detached(key);
    this.#numbers.set(kept, this.names.length);
    return this.names.push(kept) - 1;
  }
}

/** Remembers whom it has seen in each group. */
function firstOf(person: () => string): FirstOf {
  const seen = new ManyNumbers();
  return (group) => {
    const key = `${group} ${person()}`;
    if (seen.get(key) !== undefined) return false;
    seen.set(detached(key), 1);
    return true;
  };
}

export interface EverydayReader extends RowReader {
  /** The keys that a column had, by their numbers. Which there are, and their order, is nobody's to know. */
  keysOf(column: string): readonly string[];
}

export function rowReader(
  { table }: EverydayRequest,
  parts: readonly EverydayPart[],
  names: readonly string[],
  spelling: Spelling,
): EverydayReader {
  const { place, takes, quota, found, text } = placesIn(table, names, spelling);
  const { column: unit } = table.unit;
  const person = unit === undefined ? () => "" : text(unit, "table.unit.column");
  const used = new Set(parts.flatMap(({ uses }) => uses));
  const columns = table.columns.flatMap((column) =>
    column.use !== "ignored" && used.has(column.name) ? [{ name: column.name, ...place(column) }] : [],
  );
  const keys = new Map<string, { readonly text: () => string; readonly found: FoundKeys }>();
  for (const { keys: needed } of parts)
    if (needed && !keys.has(needed.column))
      keys.set(needed.column, {
        text: text(needed.column, needed.field),
        found: new FoundKeys(table.missingMarks),
      });
  const firsts = parts.map(({ asked }) => (asked.persons ? firstOf(person) : () => true));
  const values = new Map<string, number | undefined>();
  const value = (name: string) => values.get(name);
  return {
    dimension: parts.reduce((sum, { features }) => sum + features, 0),
    quota,
    row(row, features, at) {
      found.row = row;
      if (!takes()) return undefined;
      for (const column of columns) values.set(column.name, found.read(column));
      for (const [name, { text, found }] of keys) values.set(name, found.number(text()));
      let next = at;
      parts.forEach((part, i) => {
        part.write(value, features, next, firsts[i] as FirstOf);
        next += part.features;
      });
      return 0;
    },
    keysOf: (column) => keys.get(column)?.found.names ?? [],
  };
}
