/** The request for a table whose header is all that was looked at: names, and blanks for whatever a person must declare. */
import { Refusal } from "../engine/refusal.ts";
import { fieldsOf, whole } from "../engine/shape.ts";
import { LONGEST_NAME } from "../table/declaration.ts";
import { FORMAT, type Format } from "../table/format.ts";
import { headerNames } from "../table/header.ts";
import { MOST_COLUMNS, numbered } from "../table/parse.ts";
import type { Source } from "../table/source.ts";
import { isPlain, PLAIN } from "./fit-request.ts";

export interface SkeletonOptions {
  /** How the file is spelled, where that is not plain CSV: it is declared, never guessed. */
  readonly format?: Partial<Format> | undefined;
  /** Of a table without a header, which is not touched. */
  readonly columns?: number | undefined;
}

export interface Skeleton {
  /** With blanks, each of which is refused by name until it is filled in. */
  readonly request: object;
  /** What must be filled in, by its place in the request. */
  readonly blanks: readonly string[];
  /** Names that cannot be declared, because they are empty, too long, or stand for several columns. */
  readonly unusable: readonly string[];
}

const BLANKS = [
  "table.unit.protects: who is protected, in a word such as person or household",
  "table.unit.rows: the most rows that one of them has",
  'table.columns: for each column to be used, use (numeric or categorical), range (levels in its place for a categorical one), and missing: "drop" or {"constant": …}',
  "table.label: its name, not among the columns then; its use (numeric, count, classes, multiclass, choice or question), range (or levels), and missing; left out where nothing is predicted",
  "algorithm.name, with what that algorithm needs",
  "budget.epsilon and budget.delta",
];

/** Which of these levels and ranges are true of whom is known without the table, or must not be said. */
const blank = (name: string) => ({ name, use: "ignored", range: [], missing: "" });

async function columnNames(source: Source | undefined, format: Format, columns: unknown) {
  if (!format.header) {
    if (columns === undefined) {
      const rule = "must be given: a table without a header names no columns, and its rows are not looked at";
      throw new Refusal("missing", "columns", undefined, rule);
    }
    return numbered(whole(1, MOST_COLUMNS).check("columns", columns));
  }
  if (columns !== undefined)
    throw new Refusal("unsupported", "columns", columns, "is for tables without a header");
  if (source !== undefined) return headerNames(source, format);
  throw new Refusal("missing", "table", undefined, "must be given: the names stand in its header");
}

/** Reads no byte behind the header line, and none of a table without a header. */
export async function skeleton(source: Source | undefined, options: SkeletonOptions = {}): Promise<Skeleton> {
  const rule = "must be an object with format or columns";
  const { format: spelled = {}, columns, ...others } = fieldsOf("options", options, rule);
  for (const key of Object.keys(others))
    throw new Refusal("unknown", `options.${key}`, others[key], "no such key; there are format, columns");
  const own = fieldsOf("format", spelled, "must be an object that says how the file is spelled");
  const format = FORMAT.check("format", { ...PLAIN, ...own });
  const names = await columnNames(source, format, columns);
  const isUsable = (name: string) =>
    name !== "" && name.length <= LONGEST_NAME && names.indexOf(name) === names.lastIndexOf(name);
  const request = {
    table: {
      unit: { protects: "", rows: null },
      columns: names.filter(isUsable).map(blank),
      label: { name: "", use: "", range: [], missing: "" },
    },
    algorithm: { name: "" },
    budget: { epsilon: null, delta: null },
    ...(!isPlain(format) && { format }),
  };
  const unusable = [...new Set(names.filter((name) => !isUsable(name)))];
  return { request, blanks: BLANKS, unusable };
}
