/**
 * Writes the query by which a database computes what a private linear model needs of a table: the number of rows,
 * XᵀX, Xᵀy and yᵀy, of the same features and labels as `preprocess` makes. Each row's values are truncated toward zero
 * to a grid, so that no norm grows, and the products are summed as integers, so that the order of the rows cannot
 * show. The answer is as private as the table.
 */
import { Refusal } from "../engine/refusal.ts";
import type { Ends, TableRequest } from "./declaration.ts";
import { DIALECTS, type Dialect, type DialectName } from "./dialects.ts";
import { Expressions } from "./expressions.ts";
import { type FeatureMap, featureMap, type Placed } from "./features.ts";
import { fingerprint, grids } from "./statistics.ts";
import { isVote } from "./votes.ts";

/** Pairs of features grow as their square, and so does the query. */
export const MOST_FEATURES = 300;

export interface StatisticsQuery {
  /**
   * One row of five columns: `declared`, by which `checkStatistics` knows that the sums are for the same request; and
   * whole numbers as texts: `record_count`; `gram`, the upper triangle of XᵀX by rows, in steps of 2^(2 featureExponent);
   * `moments`, Xᵀy, of 2^(featureExponent + labelExponent); `label_square`, of 2^(2 labelExponent).
   */
  readonly sql: string;
  readonly featureExponent: number;
  readonly labelExponent: number;
}

/** The columns that a query names, with the field of the request that named each. */
function namesIn({ columns, label, unit }: TableRequest): (readonly [field: string, name: string])[] {
  const used = columns.flatMap(({ use, name }, i) =>
    use === "ignored" ? [] : [[`table.columns.${i}.name`, name] as const],
  );
  const id = unit.column === undefined ? [] : [["table.unit.column", unit.column] as const];
  const predicted = label ? [["table.label.name", label.name] as const] : [];
  return [...used, ...predicted, ...id];
}

/** Each name in the quotes of a database that can tell them apart. */
export function quotedNames(
  names: readonly (readonly [field: string, name: string])[],
  dialect: Dialect,
): ReadonlyMap<string, string> {
  if (dialect.ignoresCase) refuseAmbiguous(names, dialect);
  return new Map(names.map(([field, name]) => [name, dialect.identifier(field, name)]));
}

/** `parts` of a table's name, such as schema and table. */
export const quotedTable = (parts: readonly string[], dialect: Dialect) =>
  parts.map((part, i) => dialect.identifier(`from.${i}`, part)).join(".");

/** A query of stages, each a SELECT from those before. */
export function staged(stages: Readonly<Record<string, string>>, last: string, dialect: Dialect): string {
  const named = Object.entries(stages).map(([name, body]) => `${name} AS (\n${body}${dialect.barrier}\n)`);
  return `WITH ${named.join(",\n")}\n${last}\n`;
}

function refuseAmbiguous(names: readonly (readonly [string, string])[], dialect: Dialect): void {
  const seen = new Map<string, string>();
  for (const [field, name] of names) {
    const other = seen.get(name.toLowerCase());
    if (other !== undefined && other !== name) {
      const rule = `${dialect.name} does not tell it from ${JSON.stringify(other)}`;
      throw new Refusal("unsupported", field, name, rule);
    }
    seen.set(name.toLowerCase(), name);
  }
}

export const select = (items: readonly string[], rest: string) => `SELECT\n  ${items.join(",\n  ")}\n${rest}`;

const numbered = (letter: string, count: number) => Array.from({ length: count }, (_, i) => `${letter}${i}`);

/**
 * The stages of the query, each a SELECT from the one before. Columns: t text, v value, x feature, q steps of a
 * feature; l the label as it is read, y as it is fitted; u who is protected, r the place among the rows of one.
 */
class Stages {
  readonly #request: TableRequest;
  readonly #dialect: Dialect;
  readonly #map: FeatureMap;
  readonly #say: Expressions;
  readonly #grids: ReturnType<typeof grids>;
  readonly #values: readonly string[];
  readonly #features: readonly string[];

  constructor(request: TableRequest, dialect: Dialect) {
    this.#request = request;
    this.#dialect = dialect;
    this.#map = featureMap(request);
    this.#say = new Expressions(request, dialect);
    this.#grids = grids(request);
    this.#values = this.#map.placed.map(({ at }) => `v${at}`);
    this.#features = numbered("x", this.#map.dimension - (request.intercept > 0 ? 1 : 0));
  }

  /** The label's column in the first stages, if there is one. */
  get #read(): readonly string[] {
    return this.#request.label ? ["l"] : [];
  }

  get #isLimited(): boolean {
    return this.#request.unit.column !== undefined;
  }

  texts(table: string, quoted: ReadonlyMap<string, string>): string {
    const { label, unit } = this.#request;
    const text = (name: string, alias: string) => `${this.#say.text(quoted.get(name) as string)} AS ${alias}`;
    const columns = this.#map.placed.map(({ name, at }) => text(name, `t${at}`));
    const units = unit.column === undefined ? [] : [text(unit.column, "u")];
    const labels = label ? [text(label.name, "l")] : [];
    return select([...columns, ...labels, ...units], `FROM ${table} AS t`);
  }

  values(before: string): string {
    const values = this.#map.placed.map((one) => `${this.#say.value(`t${one.at}`, one)} AS v${one.at}`);
    const { label } = this.#request;
    const labels = label ? [`${this.#say.value("l", label)} AS l`] : [];
    return select([...values, ...labels, ...(this.#isLimited ? ["u"] : [])], `FROM ${before}`);
  }

  /** Which of a person's rows are kept must not depend on other people's: some at random. */
  kept(before: string): string {
    const all = [...this.#values, ...this.#read];
    const place = `row_number() OVER (PARTITION BY u ORDER BY ${this.#dialect.random}) AS r`;
    const complete = all.map((value) => `${value} IS NOT NULL`);
    const conditions = [...complete, ...(this.#isLimited ? [this.#say.isSomebody("u")] : [])];
    return select(
      [...all, ...(this.#isLimited ? [place] : [])],
      `FROM ${before}\nWHERE ${conditions.join(" AND ")}`,
    );
  }

  features(before: string): string {
    const features = this.#map.placed.flatMap((one) => this.#featuresOf(one));
    const limit = this.#isLimited ? `\nWHERE r <= ${this.#request.unit.rows}` : "";
    return select([...features, ...this.#values, `${this.#say.label("l")} AS y`], `FROM ${before}${limit}`);
  }

  #featuresOf(placed: Placed): string[] {
    const say = this.#say;
    const scale = say.double(this.#map.scale);
    const value = `v${placed.at}`;
    if (placed.use === "numeric") {
      return [`${say.unit(value, placed.range as Ends)} * ${scale} AS x${placed.at}`];
    }
    return placed.levels.map(
      (_, i) => `CASE WHEN ${value} = ${i} THEN ${scale} ELSE ${say.double(0)} END AS x${placed.at + i}`,
    );
  }

  norms(before: string): string {
    const squares = this.#map.placed.map((one) => this.#squareOf(one));
    const norm = `sqrt(${squares.join(" + ") || this.#say.double(0)}) AS n`;
    return select([...this.#features, "y", norm], `FROM ${before}`);
  }

  /** What a column adds to the square of the norm; of its indicators one at most is not zero. */
  #squareOf({ use, at }: Placed): string {
    if (use === "numeric") return `x${at} * x${at}`;
    const { scale } = this.#map;
    return `CASE WHEN v${at} >= 0 THEN ${this.#say.double(scale * scale)} ELSE ${this.#say.double(0)} END`;
  }

  steps(before: string): string {
    const say = this.#say;
    const clipAt = say.double(this.#map.clipAt);
    const factor = `CASE WHEN n > ${clipAt} THEN ${clipAt} / n ELSE ${say.double(1)} END`;
    const { intercept } = this.#request;
    const { featureExponent, labelExponent } = this.#grids;
    const doubles = this.#features.map((feature) => `${feature} * ${factor}`);
    if (intercept > 0) doubles.push(say.double(intercept));
    const steps = doubles.map((double, i) => `${say.steps(double, featureExponent)} AS q${i}`);
    return select([...steps, `${say.steps("y", labelExponent)} AS y`], `FROM ${before}`);
  }

  sums(before: string): string {
    const dialect = this.#dialect;
    const steps = numbered("q", this.#map.dimension);
    const gram = steps.flatMap((left, i) =>
      steps.slice(i).map((right) => dialect.exactSum(`${left} * ${right}`)),
    );
    const moments = steps.map((step) => dialect.exactSum(`${step} * y`));
    const columns = [
      `'${fingerprint(this.#request)}' AS declared`,
      `CAST(count(*) AS ${dialect.textType}) AS record_count`,
      `${dialect.list(gram)} AS gram`,
      `${dialect.list(moments)} AS moments`,
      `${dialect.exactSum("y * y")} AS label_square`,
    ];
    return select(columns, `FROM ${before};`);
  }
}

/**
 * The query for a declared request. `table`: the parts of the table's name, such as schema and table. Decimal commas
 * are for the database to read when it loads the file.
 */
export function statisticsQuery(
  request: TableRequest,
  table: readonly string[],
  dialectName: DialectName,
): StatisticsQuery {
  if (request.label && isVote(request.label)) {
    const rule =
      "is not for sums: have the database count the votes, one row for each question, and give that table";
    throw new Refusal("unsupported", "table.label.use", request.label.use, rule);
  }
  if (request.label?.use === "multiclass") {
    const rule = "is not for sums: models of several classes need the rows";
    throw new Refusal("unsupported", "table.label.use", request.label.use, rule);
  }
  const dialect = DIALECTS[dialectName];
  const { dimension } = featureMap(request);
  if (dimension > MOST_FEATURES) {
    const rule = `a query is written for at most ${MOST_FEATURES}`;
    throw new Refusal("range", "table.columns", `${dimension} features`, rule, { shown: true });
  }
  const quoted = quotedNames(namesIn(request), dialect);
  const stages = new Stages(request, dialect);
  const parts = {
    epsilometer_texts: stages.texts(quotedTable(table, dialect), quoted),
    epsilometer_values: stages.values("epsilometer_texts"),
    epsilometer_kept: stages.kept("epsilometer_values"),
    epsilometer_features: stages.features("epsilometer_kept"),
    epsilometer_norms: stages.norms("epsilometer_features"),
    epsilometer_steps: stages.steps("epsilometer_norms"),
  };
  return { sql: staged(parts, stages.sums("epsilometer_steps"), dialect), ...grids(request) };
}
