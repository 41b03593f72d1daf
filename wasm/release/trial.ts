/** A table that is made up from public guesses, and how wrong models of it are on fresh rows of the same kind. */
import { Refusal } from "../engine/refusal.ts";
import { SeededRandom } from "../engine/seeded-random.ts";
import { classNames, featureMap, likeliest } from "../table/features.ts";
import type { FitRequest } from "./fit-request.ts";
import type { TableGuesses } from "./guesses.ts";
import { mean, type SyntheticTable, scores, syntheticTable } from "./synthetic-tables.ts";

/** Fresh rows on which each model is tried. */
const FRESH = 4000;

const MOST_NUMBERS = 4e7;

/** A private fit of rows as a model sees them: its coefficients, of several classes one after the other for each feature. */
export type Fit = (request: FitRequest, features: Float64Array, labels: Float64Array) => ArrayLike<number>;

/** Refuses what no table can be made up for. */
export function checkTrial({ table }: FitRequest, { rows }: TableGuesses): void {
  const { label } = table;
  if (!label)
    throw new Refusal("unsupported", "table.label", "none", "cannot be simulated: nothing is predicted");
  const { use } = label;
  if (use === "choice" || use === "question")
    throw new Refusal("unsupported", "table.label.use", use, "cannot be simulated yet: votes");
  const most = Math.floor(MOST_NUMBERS / (featureMap(table).dimension + classNames(table).length)) - FRESH;
  if (rows > most) {
    const rule = `must be at most ${most} to be simulated with so many features; the error falls further with more rows`;
    throw new Refusal("range", "guesses.rows", rows, rule);
  }
}

export const measureOf = ({ table }: FitRequest) =>
  table.label && "levels" in table.label ? "share of wrong classes" : "root mean squared error";

/** The share of wrong classes, or the root of the mean squared error in the units of the label, of a count as an evaluation has it. */
function errorOf({ table }: FitRequest, said: Float64Array, labels: Float64Array): number {
  const { label } = table;
  if (!label) return Number.NaN;
  const { length } = classNames(table);
  if (length > 0)
    return mean(labels.map((of, i) => Number(likeliest(said.subarray(i * length, (i + 1) * length)) !== of)));
  if ("levels" in label) return mean(said.map((u, i) => Number(u > 0 !== (labels[i] as number) > 0)));
  const [low, high] = label.range as readonly [number, number];
  if (label.use === "count") {
    const most = (high - low) / 2;
    return Math.sqrt(
      mean(said.map((u, i) => Math.min(most, Math.abs(Math.exp(u) - (labels[i] as number))) ** 2)),
    );
  }
  const squares = said.map((u, i) => (Math.max(-1, Math.min(1, u)) - (labels[i] as number)) ** 2);
  return ((high - low) / 2) * Math.sqrt(mean(squares));
}

/** The first rows to fit, the last to judge by. */
function parts({ features, labels, truth }: SyntheticTable, rows: number) {
  const at = rows * (features.length / labels.length);
  const truthAt = rows * (truth.length / labels.length);
  return {
    known: { features: features.subarray(0, at), labels: labels.subarray(0, rows) },
    fresh: { features: features.subarray(at), labels: labels.subarray(rows), truth: truth.subarray(truthAt) },
  };
}

/** How many of the rows are of each class. */
const sharesOf = (labels: Float64Array, classes: number) =>
  Array.from({ length: classes }, (_, k) => mean(labels.map((label) => Number(label === k))));

export class Trial {
  readonly #request: FitRequest;
  readonly #parts: ReturnType<typeof parts>;

  /** The same `number` is the same table. */
  constructor(request: FitRequest, guesses: TableGuesses & { readonly seed: number }, number: number) {
    const random = new SeededRandom(guesses.seed + number * 0x9e3779b1);
    const { rows } = guesses;
    this.#request = request;
    this.#parts = parts(syntheticTable(request, guesses, rows + FRESH, random), rows);
  }

  /** Of the model that made the labels. */
  get best(): number {
    const { truth, labels } = this.#parts.fresh;
    return errorOf(this.#request, truth, labels);
  }

  /** Of the best answer that looks at no column. */
  get constant(): number {
    const { known, fresh } = this.#parts;
    const names = classNames(this.#request.table);
    const middle = mean(known.labels);
    const own = this.#request.table.label?.use === "count" ? Math.log(middle) : middle;
    const usual = names.length > 0 ? sharesOf(known.labels, names.length) : [own];
    const said = Float64Array.from(
      { length: FRESH * usual.length },
      (_, i) => usual[i % usual.length] as number,
    );
    return errorOf(this.#request, said, fresh.labels);
  }

  /** Of a model that is fitted to the table. */
  error(fitted: Fit, request: FitRequest): number {
    const { known, fresh } = this.#parts;
    const model = fitted(request, known.features, known.labels);
    const classes = Math.max(1, classNames(request.table).length);
    return errorOf(request, scores(fresh.features, model, classes), fresh.labels);
  }
}

/** The mean of some runs, and the standard error of that mean. */
export function summary(errors: readonly number[]) {
  const error = mean(errors);
  const variance = errors.reduce((sum, one) => sum + (one - error) ** 2, 0) / (errors.length - 1);
  return { error, standardError: Math.sqrt(variance / errors.length) };
}

/** Whoever cancels gets a turn. */
export async function turn(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  signal?.throwIfAborted();
}
