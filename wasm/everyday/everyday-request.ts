/** A request for several everyday numbers of a table under one budget: what it may ask, and what must fit together. */
import { Refusal } from "../engine/refusal.ts";
import {
  type Checked,
  checkArgument,
  choice,
  faultsIn,
  fieldsOf,
  type JsonSchema,
  list,
  optional,
  real,
  record,
  tagged,
  text,
  whole,
} from "../engine/shape.ts";
import { BUDGET } from "../release/algorithms.ts";
import { PLAIN } from "../release/fit-request.ts";
import {
  type CategoricalColumn,
  checkTable,
  type Ends,
  type NumericColumn,
  refuseFeatures,
  TABLE,
  type TableRequest,
  unfitting,
} from "../table/declaration.ts";
import { FORMAT } from "../table/format.ts";

const name = text(1, 1000);
const some = list(name, 1, 300, "columns");

/** Of a numeric column equal bins over its range, or bins between edges; of a categorical column neither. */
const divided = {
  column: name,
  bins: optional(whole(1, 10_000), undefined),
  edges: optional(list(real(-1e100, 1e100), 2, 10_001, "edges"), undefined),
};

const ENTRY = tagged(
  "of",
  /** How much its squared error counts where the budget is split. */
  { weight: optional(real(1e-6, 1e6), 1) },
  {
    /** Rows that have a value in every column of the moments below; all rows where there are none. */
    count: {},
    /** Of numbers, and of categories: each level is 1 in the rows that have it and 0 in all others, so that its mean is their share. */
    sums: { columns: some },
    means: { columns: some },
    variances: { columns: some },
    covariance: { columns: some },
    correlation: { columns: some },
    histogram: divided,
    contingency: { columns: list(record(divided), 1, 6, "columns") },
    /** The nearest of so many candidates, equally far apart over the column's range: by default its ten thousandths, which are fine enough for long tails. */
    quantiles: {
      column: name,
      probabilities: list(real(0.001, 0.999), 1, 100, "probabilities"),
      candidates: optional(whole(2, 2 ** 20), 10_001),
    },
    /** A range in which the values lie, but for few: powers of two. */
    bounds: { column: name },
    /** A count for each level of a column, and sums and means of others. */
    groups: { by: name, columns: optional(list(name, 0, 300, "columns"), []) },
    /**
     * The same of a column that is not used, whose keys nobody declared: those that many persons share. A key of one person
     * alone is told with probability delta, for which a tenth of the budget's is usual.
     */
    "found-groups": {
      by: name,
      columns: optional(list(name, 0, 300, "columns"), []),
      delta: optional(real(1e-300, 0.5), undefined),
    },
  },
);

const REQUEST = record({
  table: TABLE,
  releases: list(ENTRY, 1, 100, "releases"),
  budget: BUDGET,
  /** In place of a budget's ε: 1/μ, how many times the noise of the Gaussian mechanism at μ = 1. */
  noise: optional(real(1e-6, 1e6), undefined),
  neighbours: optional(choice("add-remove", "replace"), "add-remove"),
  format: optional(FORMAT, PLAIN),
  /** Makes the noise repeatable: a demonstration, of which nothing is private. */
  seed: optional(whole(0, Number.MAX_SAFE_INTEGER), undefined),
});

export type EverydayRequest = Checked<typeof REQUEST> & { readonly table: TableRequest };
export type EverydayEntry = EverydayRequest["releases"][number];
export type Divided = Checked<ReturnType<typeof record<typeof divided>>>;

export const everydaySchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "A request for everyday numbers of a table",
  ...REQUEST.schema,
};

/** Whether it asks for everyday numbers rather than for one algorithm. */
export const isEveryday = (request: unknown): boolean =>
  typeof request === "object" && request !== null && Object.hasOwn(request, "releases");

/** What people ask for that no noise can make private, and what to ask instead. */
const EXTREMES: readonly unknown[] = ["minimum", "maximum", "min", "max", "range"];

function refuseExtremes(value: unknown): void {
  const { releases } = fieldsOf("request", value, "must be an object");
  if (!Array.isArray(releases)) return;
  releases.forEach((entry, i) => {
    const of: unknown = typeof entry === "object" && entry !== null ? Reflect.get(entry, "of") : undefined;
    if (!EXTREMES.includes(of)) return;
    const rule =
      "would need noise as wide as the range: one row alone can decide it. Ask for bounds, or for quantiles 0.01 and 0.99";
    throw new Refusal("unsupported", `releases.${i}.of`, of, rule);
  });
}

/** A column of moments: a number, or a category with a coordinate for each of its levels. */
export type MomentColumn = NumericColumn | CategoricalColumn;

/** The declared column of that name, of that use. */
export function columnOf<U extends "numeric" | "categorical">(
  { table }: EverydayRequest,
  field: string,
  wanted: string,
  use: U,
): U extends "numeric" ? NumericColumn : CategoricalColumn {
  const found = declared(table.columns, field, wanted);
  if (found.use === use) return found as U extends "numeric" ? NumericColumn : CategoricalColumn;
  throw new Refusal("unsupported", field, wanted, `must be a ${use} column: this one is ${found.use}`);
}

export function declared(
  columns: EverydayRequest["table"]["columns"],
  field: string,
  wanted: string,
): MomentColumn {
  const found = columns.find((column) => column.name === wanted);
  if (!found || found.use === "ignored")
    throw new Refusal("unknown", field, wanted, "must be one of table.columns that is used");
  return found;
}

function checkDivided(request: EverydayRequest, field: string, { column, bins, edges }: Divided): void {
  const found = declared(request.table.columns, `${field}.column`, column);
  if (found.use === "categorical") {
    if (bins === undefined && edges === undefined) return;
    const which = bins === undefined ? "edges" : "bins";
    throw new Refusal(
      "unsupported",
      `${field}.${which}`,
      bins ?? edges,
      "are for numeric columns: the levels are cells",
    );
  }
  if ((bins === undefined) === (edges === undefined)) {
    const rule = "either bins or edges must be given, and not both, for a numeric column";
    throw new Refusal(bins === undefined ? "missing" : "unsupported", `${field}.bins`, bins, rule);
  }
  const at = edges?.findIndex((edge, i) => i > 0 && !(edge > (edges[i - 1] as number))) ?? -1;
  if (at > 0)
    throw new Refusal("range", `${field}.edges.${at}`, edges?.[at], "must be above the edge before it");
}

function checkNames(
  request: EverydayRequest,
  field: string,
  names: readonly string[],
  mayBeWords: boolean,
): void {
  names.forEach((one, i) => {
    if (mayBeWords) declared(request.table.columns, `${field}.${i}`, one);
    else columnOf(request, `${field}.${i}`, one, "numeric");
    if (names.indexOf(one) < i)
      throw new Refusal("malformed", `${field}.${i}`, one, "a column must be given once");
  });
}

function checkContingency(request: EverydayRequest, field: string, columns: readonly Divided[]): void {
  columns.forEach((one, i) => {
    checkDivided(request, `${field}.columns.${i}`, one);
    if (columns.findIndex(({ column }) => column === one.column) < i) {
      const rule = "a column must be given once";
      throw new Refusal("malformed", `${field}.columns.${i}.column`, one.column, rule);
    }
  });
}

function checkFound(
  { table, budget, noise, releases }: EverydayRequest,
  { by, delta }: Extract<EverydayEntry, { of: "found-groups" }>,
  field: string,
): void {
  const column = table.columns.find((one) => one.name === by);
  if (column && column.use !== "ignored") {
    const rule = "is used, so that what stands there is declared: ask for groups, or do not use it";
    throw new Refusal("unsupported", `${field}.by`, by, rule);
  }
  if (table.unit.rows > 1 && table.unit.column === undefined) {
    const rule = "must be given where groups are found and somebody has several rows: persons are counted";
    throw new Refusal("missing", "table.unit.column", undefined, rule);
  }
  if (delta === undefined && noise !== undefined)
    throw new Refusal("missing", `${field}.delta`, delta, "must be given where noise is");
  if (delta !== undefined && delta >= budget.delta)
    throw new Refusal("range", `${field}.delta`, delta, "must be below budget.delta, of which it is a part");
  const all = releases.reduce((sum, one) => sum + (one.of === "found-groups" ? (one.delta ?? 0) : 0), 0);
  if (delta !== undefined && all >= budget.delta) {
    const rule = `must leave something of budget.delta: all found-groups together ask for ${all} of it`;
    throw new Refusal("range", `${field}.delta`, delta, rule);
  }
}

function checkThousandths(field: string, probabilities: readonly number[]): void {
  probabilities.forEach((probability, i) => {
    if (Math.abs(probability * 1000 - Math.round(probability * 1000)) > 1e-9)
      throw new Refusal("range", `${field}.${i}`, probability, "must be whole thousandths");
  });
}

function checkEntry(request: EverydayRequest, entry: EverydayEntry, field: string): void {
  switch (entry.of) {
    case "count":
      break;
    case "histogram":
      checkDivided(request, field, entry);
      break;
    case "contingency":
      checkContingency(request, field, entry.columns);
      break;
    case "quantiles":
      columnOf(request, `${field}.column`, entry.column, "numeric");
      checkThousandths(`${field}.probabilities`, entry.probabilities);
      break;
    case "bounds":
      columnOf(request, `${field}.column`, entry.column, "numeric");
      break;
    case "groups":
      columnOf(request, `${field}.by`, entry.by, "categorical");
      checkNames(request, `${field}.columns`, entry.columns, false);
      break;
    case "found-groups":
      checkFound(request, entry, field);
      checkNames(request, `${field}.columns`, entry.columns, false);
      break;
    default:
      checkNames(request, `${field}.columns`, entry.columns, true);
  }
}

export function checkEveryday(value: unknown): EverydayRequest {
  refuseExtremes(value);
  const checked = checkArgument("request", REQUEST, value);
  const isOfNoColumn = checked.releases.some(({ of }) => of === "found-groups" || of === "count");
  const request = { ...checked, table: checkTable(checked.table, "table", isOfNoColumn, 0) };
  const { table, budget, noise, releases } = request;
  if (table.label)
    throw new Refusal(
      "unsupported",
      "table.label",
      table.label.name,
      "nothing is predicted: make it a column",
    );
  refuseFeatures(table, "a release of everyday numbers");
  if (budget.epsilon !== undefined && noise !== undefined)
    throw new Refusal("unsupported", "noise", noise, "cannot be given beside budget.epsilon");
  if (budget.epsilon === undefined && noise === undefined)
    throw new Refusal("missing", "budget.epsilon", undefined, "must be given, or noise in its place");
  if (budget.delta === 0 && releases.some(({ of }) => of !== "quantiles"))
    throw new Refusal("range", "budget.delta", 0, "must be above 0: normal noise keeps no ε with certainty");
  releases.forEach((entry, i) => {
    checkEntry(request, entry, `releases.${i}`);
  });
  return request;
}

/** All that is wrong with a request that may still lack parts; what only shows when it is whole is not among it. */
export function everydayFaults(value: {
  readonly table: { readonly columns: readonly unknown[] };
}): readonly Refusal[] {
  const all = [...faultsIn(REQUEST, "", value), ...unfitting(value.table.columns, undefined)];
  return all.filter(({ kind }) => kind !== "missing");
}

/** The middle of a range, and half of its length. */
export const centre = ({ range }: NumericColumn): { middle: number; half: number } => {
  const [low, high] = range as Ends;
  return { middle: low + (high - low) / 2, half: (high - low) / 2 };
};
