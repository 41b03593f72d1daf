/**
 * What a person declares about a table before anything is computed from it: who is protected, which columns are
 * used, their ranges and levels, what happens to missing values. Public by definition, part of every statement.
 */
import { GROUP } from "../engine/catalogue.ts";
import { Refusal } from "../engine/refusal.ts";
import {
  type Checked,
  choice,
  faultsIn,
  list,
  literalOr,
  optional,
  real,
  record,
  type Shape,
  tagged,
  text,
  whole,
} from "../engine/shape.ts";
import { bare } from "./format.ts";
import { isVote } from "./votes.ts";

/** Ranges beyond would lose the digits of a double. */
const LARGEST = 1e100;
const NARROWEST = 1e-9;
/** Half of it is not 0, and its inverse no infinity. */
const LEAST_WIDTH = 1e-290;

export const MISSING_MARKS: readonly string[] = ["?", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null"];

/** As core/model/softmax.h has it. */
const MOST_CLASSES = 100;

/** Of a column, in UTF-16 units. */
export const LONGEST_NAME = 1000;
const name = text(1, LONGEST_NAME);
const ends = list(real(-LARGEST, LARGEST), 2, 2);
const level = text(1, 1000);

/** A row without a value is left out, or gets a value that does not depend on the table. */
const missing = <T>(constant: Shape<T>) => literalOr("drop", record({ constant }));

const missingNumber = missing(real(-LARGEST, LARGEST));
const missingLevel = missing(level);

/** A place that a skeleton leaves to be filled in, and that is not kept. */
const blank = <T>({ schema, check }: Shape<T>) =>
  optional<undefined, undefined>({ schema, check: (...given) => void check(...given) }, undefined);

const COLUMN = tagged(
  "use",
  { name },
  {
    numeric: { range: ends, missing: missingNumber },
    categorical: { levels: list(level, 1, 10_000), missing: missingLevel },
    ignored: { range: blank(list(real(-LARGEST, LARGEST), 0, 0)), missing: blank(choice("")) },
  },
);

const LABEL = tagged(
  "use",
  { name },
  {
    /** Clamped, and taken to [-1, 1]. */
    numeric: { range: ends, missing: missingNumber },
    /** Clamped, and left as it is: a count, for models of counts. */
    count: { range: ends, missing: missingNumber },
    /** The first becomes -1 and the second 1. */
    classes: { levels: list(level, 2, 2), missing: missingLevel },
    /** One of three classes or more, in the order in which coefficients and probabilities are told. */
    multiclass: { levels: list(level, 3, MOST_CLASSES), missing: missingLevel },
    /** The class that a voter votes for; the columns are further questions with the same classes. */
    choice: { levels: list(level, 2, 10_000), missing: missingLevel },
    /** What names the question of a row; the columns are the classes, and hold how many votes each has. */
    question: { levels: list(level, 1, 10_000), missing: missingLevel },
  },
);

export const TABLE = record({
  /** Nothing here has a default: who is protected must be answered. */
  unit: record({
    /** In words: row, patient, household. */
    protects: text(1, 200),
    /** The most rows that one of them has: a group that can be priced. */
    rows: whole(1, GROUP.maximum),
    /** The column that names them: of each no more than `rows` are read, drawn at random. Without it, `rows` is assumed. */
    column: optional(name, undefined),
    /** What they are drawn by; fresh where it is left out, and part of what is released. It must not be chosen by looking at the table. */
    draw: optional(text(1, 100), undefined),
  }),
  columns: list(COLUMN, 0, 10_000),
  /** What is predicted; none where nothing is. */
  label: optional(LABEL, undefined),
  /** C_X: longer rows are shortened to it. No row is longer than 1 when it comes to that. */
  rowNorm: optional(real(1e-6, 1), 1),
  /** The value of a last feature that is the same for all rows; 0 for none. When left out, 1, or 0 where there is none: of votes, everyday numbers and an algorithm that takes none. */
  intercept: optional(real(0, 1000), undefined),
  /** Cells that mean that there is no value, besides blank ones; a declared level is never one. */
  missingMarks: optional(list(text(1, 100), 0, 100), MISSING_MARKS),
});

/** The relation between rows that the person names is not part of it: that is the algorithm's. */
export type TableRequest = Checked<typeof TABLE> & { readonly intercept: number };
export type Column = TableRequest["columns"][number];
export type NumericColumn = Extract<Column, { use: "numeric" }>;
export type CategoricalColumn = Extract<Column, { use: "categorical" }>;
export type Label = Checked<typeof LABEL>;
export type Ends = readonly [number, number];

/** How levels and ranges may be spelled is not all: they must make sense together. */
function checkRange(field: string, range: readonly number[]): void {
  const [low, high] = range as Ends;
  const isApart = high > low && high - low >= NARROWEST * Math.max(Math.abs(low), Math.abs(high));
  if (isApart && high - low >= LEAST_WIDTH) return;
  const by = isApart ? LEAST_WIDTH : `${NARROWEST} of the larger`;
  const rule = `must be two numbers, the second above the first by ${by} at least`;
  throw new Refusal("range", field, `${low} to ${high}`, rule, { shown: true });
}

function checkDistinct(field: string, values: readonly string[], what: string): void {
  const seen = new Set<string>();
  values.forEach((value, i) => {
    if (seen.has(value)) throw new Refusal("malformed", `${field}.${i}`, value, `${what} must be given once`);
    seen.add(value);
  });
}

function checkLevels(field: string, levels: readonly string[]): void {
  checkDistinct(`${field}.levels`, levels, "a level");
  levels.forEach((value, i) => {
    if (bare(value) === value) return;
    throw new Refusal("malformed", `${field}.levels.${i}`, value, "blanks around a level never match a cell");
  });
}

function checkUse(field: string, use: Column | Label): void {
  if (use.use === "ignored") return;
  if (use.use === "numeric" || use.use === "count") {
    checkRange(`${field}.range`, use.range);
    const [low, high] = use.range as Ends;
    if (use.use === "count" && low < 0) {
      throw new Refusal("range", `${field}.range.0`, low, "counts must not be negative");
    }
    if (use.missing !== "drop") real(low, high).check(`${field}.missing.constant`, use.missing.constant);
  } else {
    checkLevels(field, use.levels);
    if (use.missing !== "drop")
      choice(...use.levels).check(`${field}.missing.constant`, use.missing.constant);
  }
}

/**
 * A declared table, or a refusal that names the field, its value and the rule; `mayUseNone`: of its columns; `intercept`:
 * where it is left out.
 */
export function checkTable(
  value: unknown,
  field = "table",
  mayUseNone = false,
  intercept: 0 | 1 = 1,
): TableRequest {
  const declared = TABLE.check(field, value);
  const table = { ...declared, intercept: declared.intercept ?? intercept };
  const { label } = table;
  const names = table.columns.map((column) => column.name);
  checkDistinct(`${field}.columns`, names, "a column");
  if (label && names.includes(label.name)) {
    throw new Refusal("malformed", `${field}.label.name`, label.name, "must not be among the columns");
  }
  table.columns.forEach((column, i) => {
    checkUse(`${field}.columns.${i}`, column);
  });
  if (label) checkUse(`${field}.label`, label);
  // A ballot's first question is its label.
  const needsColumns = !label || (table.intercept === 0 && !isVote(label));
  if (!mayUseNone && needsColumns && table.columns.every(({ use }) => use === "ignored")) {
    throw new Refusal("range", `${field}.columns`, "none", "one column at least must be used", {
      shown: true,
    });
  }
  return table;
}

/** Of a table whose rows are no features of a model: nothing is shortened or added, and whoever asks for it is told so. */
export function refuseFeatures({ rowNorm, intercept }: TableRequest, what: string): void {
  for (const [key, value, none] of [
    ["rowNorm", rowNorm, 1],
    ["intercept", intercept, 0],
  ] as const)
    if (value !== none)
      throw new Refusal("range", `table.${key}`, value, `must be left out: ${what} has none`);
}

/** What a column or label is refused for that is well-formed by itself. */
function useFaults(shape: Shape<Column | Label>, field: string, value: unknown): readonly Refusal[] {
  if (faultsIn(shape, field, value).length > 0) return [];
  try {
    checkUse(field, shape.check(field, value));
    return [];
  } catch (error) {
    if (error instanceof Refusal) return [error];
    throw error;
  }
}

/** All that is wrong with a table that may still lack parts, for `faultsIn` knows nothing of what must fit together. */
export function unfitting(columns: readonly unknown[], label: unknown, field = "table"): readonly Refusal[] {
  return [
    ...columns.flatMap((column, i) => useFaults(COLUMN, `${field}.columns.${i}`, column)),
    ...useFaults(LABEL, `${field}.label`, label),
  ];
}
