/** Where the columns of a table stand in its file, what the cells of a row say there, and whether the row is read at all. */
import { CellReader, indexOf, type Use } from "./cells.ts";
import type { TableRequest } from "./declaration.ts";
import { bare, type Format } from "./format.ts";
import { Quota } from "./quota.ts";
import { ascii, PlainLine, type Row } from "./tokenise.ts";

export type Spelling = Pick<Format, "decimal" | "delimiter">;

export interface Place {
  readonly index: number;
  readonly cells: CellReader;
}

/** A row at a time: finds its cells without cutting them out of its line. */
export class CellFinder {
  readonly #delimiter: number;
  /** Where each cell of the line begins; after the last one, where one more would. */
  readonly #starts: Int32Array;
  #row: Row = [];

  constructor(columns: number, delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#starts = new Int32Array(columns + 1);
  }

  set row(row: Row) {
    this.#row = row;
    if (!(row instanceof PlainLine)) return;
    const { bytes, from, to } = row;
    const starts = this.#starts;
    starts[0] = from;
    let cell = 1;
    for (let i = from; i < to; i++) if (bytes[i] === this.#delimiter) starts[cell++] = i + 1;
    starts[cell] = to + 1;
  }

  /** What the cell at that place says. */
  read({ index, cells }: Place): number | undefined {
    const row = this.#row;
    if (!(row instanceof PlainLine)) return cells.read(row[index] as string);
    const next = this.#starts[index + 1] as number;
    return cells.readBytes(row.bytes, this.#starts[index] as number, next - 1);
  }

  text(index: number): string {
    const row = this.#row;
    if (!(row instanceof PlainLine)) return row[index] as string;
    const next = this.#starts[index + 1] as number;
    return ascii(row.bytes, this.#starts[index] as number, next - 1);
  }
}

/** Where the columns and the label stand in a file, with what their cells say. Refuses columns that it does not have, or has twice. */
export function placesIn(request: TableRequest, names: readonly string[], { decimal, delimiter }: Spelling) {
  const marks = new Set(request.missingMarks);
  const declared = new Map(request.columns.map(({ name }, i) => [name, `table.columns.${i}.name`]));
  const { column, rows, draw = "" } = request.unit;
  const found = new CellFinder(names.length, delimiter);
  return {
    found,
    place: (use: Use): Place => ({
      index: indexOf(names, use.name, declared.get(use.name) ?? "table.label.name"),
      cells: new CellReader(use, decimal, marks),
    }),
    /** What stands in a column as it is, without the blanks around it. */
    text: (name: string, field: string) => {
      const index = indexOf(names, name, field);
      return () => bare(found.text(index));
    },
    ...quotaOf(names, found, column, new Quota(rows, draw, marks)),
  };
}

/** Whether the row that was found is one of those that are read; each is, and there is no quota, where nobody is named. */
function quotaOf(names: readonly string[], found: CellFinder, column: string | undefined, quota: Quota) {
  if (column === undefined) return { takes: () => true, quota: undefined };
  const index = indexOf(names, column, "table.unit.column");
  return { takes: () => quota.take(bare(found.text(index))), quota };
}
