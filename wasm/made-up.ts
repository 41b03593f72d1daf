/** Tables that nobody has: rows drawn from public guesses, already as a model sees them. */
import type { FitRequest } from "./fit-request.ts";
import type { Guesses } from "./planning.ts";
import { type Placed, type Prepared, prepared } from "./table/prepared.ts";
import { writeFeatures } from "./table/preprocess.ts";

/** A repeatable source of numbers for simulations; no noise that protects anybody is made of it. Steele 2014, 32 bits. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 to 1, both excluded. */
  uniform(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32 + 2 ** -33;
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }
}

const sigmoid = (u: number) => 1 / (1 + Math.exp(-u));

/** The level at a normal deviate: the first is the commonest, the k-th 1/k as common. */
function levelAt(deviate: number, levels: number): number {
  const weights = Array.from({ length: levels }, (_, k) => 1 / (k + 1));
  // Close enough to the normal distribution function for a guess.
  let left = sigmoid(1.702 * deviate) * weights.reduce((sum, weight) => sum + weight, 0);
  const level = weights.findIndex((weight) => {
    left -= weight;
    return left <= 0;
  });
  return level < 0 ? levels - 1 : level;
}

/** A value as the preprocessor takes it: a number of the declared range, or the index of a level. */
function drawn(column: Placed, deviate: number, spread: number): number {
  if (column.use === "categorical") return levelAt(deviate, column.levels.length);
  const [low, high] = column.range as readonly [number, number];
  return low + ((high - low) / 2) * (1 + Math.max(-1, Math.min(1, spread * deviate)));
}

function features(
  { table }: FitRequest,
  shape: Prepared,
  { correlation, spread }: Guesses,
  count: number,
  chance: Chance,
) {
  const all = new Float64Array(count * shape.dimension);
  const [common, own] = [Math.sqrt(correlation), Math.sqrt(1 - correlation)];
  for (let i = 0; i < count; i++) {
    const shared = chance.normal();
    const values = shape.placed.map((column) =>
      drawn(column, common * shared + own * chance.normal(), spread),
    );
    writeFeatures(shape, table.intercept, values, all, i * shape.dimension);
  }
  return all;
}

/** What a model says about each row. */
export function scores(rows: Float64Array, model: ArrayLike<number>): Float64Array {
  const dimension = model.length;
  return Float64Array.from({ length: rows.length / dimension }, (_, i) => {
    let sum = 0;
    for (let j = 0; j < dimension; j++) sum += (rows[i * dimension + j] as number) * (model[j] as number);
    return sum;
  });
}

export function mean(values: Float64Array | readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** Mean 0 and variance 1; nothing but zeros stays so. */
function standardised(values: Float64Array): Float64Array {
  const middle = mean(values);
  const variance = mean(values.map((value) => (value - middle) ** 2));
  return values.map((value) => (variance > 0 ? (value - middle) / Math.sqrt(variance) : 0));
}

/** What to add to every logit so that the mean probability is as guessed. */
function offset(logits: Float64Array, positives: number): number {
  let [low, high] = [-100, 100];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (mean(logits.map((logit) => sigmoid(logit + middle))) < positives) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The standard deviation of the logistic distribution. */
const LOGISTIC_DEVIATION = Math.PI / Math.sqrt(3);

export interface MadeUp {
  readonly features: Float64Array;
  /** From -1 to 1, or one of the two. */
  readonly labels: Float64Array;
  /** What the model says that made the labels. */
  readonly truth: Float64Array;
}

/** So many rows; the model that makes their labels weighs all features alike, with random sign and size. */
export function madeUp(request: FitRequest, guesses: Guesses, count: number, chance: Chance): MadeUp {
  const shape = prepared(request.table);
  const rows = features(request, shape, guesses, count, chance);
  const weights = Float64Array.from({ length: shape.dimension }, () => chance.normal());
  const signal = standardised(scores(rows, weights));
  const { explained, spread, positives } = guesses;
  if (request.table.label.use === "classes") {
    const logits = signal.map((one) => Math.sqrt(explained / (1 - explained)) * LOGISTIC_DEVIATION * one);
    const shift = offset(logits, positives);
    const truth = logits.map((logit) => logit + shift);
    return {
      features: rows,
      labels: truth.map((logit) => (chance.uniform() < sigmoid(logit) ? 1 : -1)),
      truth,
    };
  }
  const truth = signal.map((one) => spread * Math.sqrt(explained) * one);
  const noise = spread * Math.sqrt(1 - explained);
  const labels = truth.map((one) => Math.max(-1, Math.min(1, one + noise * chance.normal())));
  return { features: rows, labels, truth };
}
