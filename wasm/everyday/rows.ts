/** Turns rows of cells into what the parts of an everyday request count of them. No row has anything refused. */

import { placesIn, type RowReader, type Spelling } from "../table/preprocess.ts";
import type { EverydayRequest } from "./everyday-request.ts";
import type { EverydayPart } from "./parts.ts";

export function rowReader(
  { table }: EverydayRequest,
  parts: readonly EverydayPart[],
  names: readonly string[],
  spelling: Spelling,
): RowReader {
  const { place, takes, found } = placesIn(table, names, spelling);
  const used = new Set(parts.flatMap(({ uses }) => uses));
  const columns = table.columns.flatMap((column) =>
    column.use !== "ignored" && used.has(column.name) ? [{ name: column.name, ...place(column) }] : [],
  );
  const values = new Map<string, number | undefined>();
  const value = (name: string) => values.get(name);
  return {
    dimension: parts.reduce((sum, { features }) => sum + features, 0),
    row(row, features, at) {
      found.row = row;
      if (!takes()) return undefined;
      for (const column of columns) values.set(column.name, found.read(column));
      let next = at;
      for (const part of parts) {
        part.write(value, features, next);
        next += part.features;
      }
      return 0;
    },
  };
}
