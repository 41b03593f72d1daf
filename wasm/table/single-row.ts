/** One person's own values, typed by hand, as a row of the declared table. */
import { Refusal } from "../engine/refusal.ts";
import { fieldsOf, inside } from "../engine/shape.ts";
import { CellReader } from "./cells.ts";
import type { TableRequest } from "./declaration.ts";
import { featureMap } from "./features.ts";
import type { Format } from "./format.ts";
import { Preprocessor } from "./preprocess.ts";

export interface SingleRow {
  readonly features: Float64Array;
  readonly label: number;
}

/** The names of the values that a row needs: the used columns and the label, if there is one. */
export const namesOf = (table: TableRequest): readonly string[] => [
  ...featureMap(table).placed.map(({ name }) => name),
  ...(table.label ? [table.label.name] : []),
];

/**
 * A value for each used column and for the label, if there is one, as a number or a text; treated as a row of the table
 * is: a text is a cell of it, numbers and all.
 */
export function singleRow(
  { table, format: { decimal } }: { readonly table: TableRequest; readonly format: Pick<Format, "decimal"> },
  value: unknown,
): SingleRow {
  const names = namesOf(table);
  const known = names.map((name) => JSON.stringify(name)).join(", ");
  const values = fieldsOf("row", value, `must be an object with ${known}`);
  for (const name of Object.keys(values)) {
    if (!names.includes(name))
      throw new Refusal(
        "unknown",
        inside("row", name.slice(0, 80)),
        values[name],
        `no such column; there are ${known}`,
      );
  }
  const marks = new Set(table.missingMarks);
  const uses = [...featureMap(table).placed, ...(table.label ? [table.label] : [])];
  const cells = uses.map((use) => {
    const cell = values[use.name];
    const field = inside("row", use.name);
    if (cell === undefined) throw new Refusal("missing", field, cell, "must be given");
    if (typeof cell !== "string" && !(typeof cell === "number" && Number.isFinite(cell)))
      throw new Refusal("type", field, cell, "must be a number or a text, as a cell of the table");
    const text = typeof cell === "number" ? String(cell).replace(".", decimal) : cell;
    if (new CellReader(use, decimal, marks).read(text) !== undefined) return text;
    const rule = "is no value of this column as it was declared: such a row is left out of the table";
    throw new Refusal("malformed", field, cell, rule);
  });
  // Who a row belongs to does not matter for what it costs.
  const unit = { ...table.unit, column: undefined };
  const preprocessor = new Preprocessor({ ...table, unit }, names, { decimal, delimiter: "," });
  const features = new Float64Array(preprocessor.dimension);
  return { features, label: preprocessor.row(cells, features, 0) as number };
}
