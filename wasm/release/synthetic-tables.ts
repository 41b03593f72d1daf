/** Tables that nobody has: rows drawn from public guesses, already as a model sees them. */

import type { SeededRandom } from "../engine/seeded-random.ts";
import type { Ends } from "../table/declaration.ts";
import { classNames, type FeatureMap, featureMap, softmax } from "../table/features.ts";
import { writeFeatures } from "../table/preprocess.ts";
import type { FitRequest } from "./fit-request.ts";
import type { TableGuesses } from "./guesses.ts";

const sigmoid = (u: number) => 1 / (1 + Math.exp(-u));

/** The place at which so much of some shares is used up. */
function placeAt(shares: readonly number[], part: number): number {
  let left = part;
  const place = shares.findIndex((share) => {
    left -= share;
    return left <= 0;
  });
  return place < 0 ? shares.length - 1 : place;
}

/** The level at a normal deviate: all are equally common, or the k-th is 1/k as common as the first (Zipf). */
function levelAt(deviate: number, levels: number, isEven: boolean): number {
  const weights = Array.from({ length: levels }, (_, k) => (isEven ? 1 : 1 / (k + 1)));
  // Close enough to the normal distribution function for a guess.
  return placeAt(weights, sigmoid(1.702 * deviate) * weights.reduce((sum, weight) => sum + weight, 0));
}

/** The value at this place of a column's range, whose ends are -1 and 1. */
function inRange(range: Ends, place: number): number {
  const [low, high] = range;
  return low + ((high - low) / 2) * (1 + Math.max(-1, Math.min(1, place)));
}

/** A random rotation: a few layers, in each of which all coordinates are paired at random and every pair is turned. */
class Rotation {
  readonly #layers: readonly { readonly order: readonly number[]; readonly angles: readonly number[] }[];

  constructor(dimension: number, random: SeededRandom) {
    const count = dimension < 2 ? 0 : 2 + Math.ceil(Math.log2(dimension));
    this.#layers = Array.from({ length: count }, () => ({
      order: shuffled(dimension, random),
      angles: Array.from({ length: dimension >> 1 }, () => 2 * Math.PI * random.uniform()),
    }));
  }

  turn(values: Float64Array): void {
    for (const { order, angles } of this.#layers) {
      angles.forEach((angle, i) => {
        const [at, other] = [order[2 * i] as number, order[2 * i + 1] as number];
        const [one, two] = [values[at] as number, values[other] as number];
        values[at] = Math.cos(angle) * one - Math.sin(angle) * two;
        values[other] = Math.sin(angle) * one + Math.cos(angle) * two;
      });
    }
  }
}

function shuffled(count: number, random: SeededRandom): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const other = Math.floor(random.uniform() * (i + 1));
    [order[i], order[other]] = [order[other] as number, order[i] as number];
  }
  return order;
}

/**
 * The numbers of a row, each of mean 0 and variance 1 on average: independent deviates z, stretched so that the largest
 * and the smallest are as different as guessed, turned at random, then tied together by the correlation.
 */
class Numbers {
  readonly #stretch: readonly number[];
  readonly #rotation: Rotation;
  readonly #apart: number;
  readonly #together: number;

  constructor(count: number, { conditioning, correlation }: TableGuesses, random: SeededRandom) {
    const sizes = Array.from({ length: count }, (_, j) => conditioning ** (-j / Math.max(1, count - 1)));
    const typical = Math.sqrt(mean(sizes.map((size) => size * size)));
    this.#stretch = sizes.map((size) => size / typical);
    this.#rotation = new Rotation(count, random);
    this.#apart = Math.sqrt(1 - correlation);
    // The symmetric root of (1 - correlation) I + correlation 11'.
    this.#together = (Math.sqrt(1 - correlation + count * correlation) - this.#apart) / count;
  }

  /** Makes the numbers of their deviates, in place; answers what they share, of variance 1 on average. */
  make(deviates: Float64Array): number {
    deviates.forEach((z, j) => {
      deviates[j] = z * (this.#stretch[j] as number);
    });
    this.#rotation.turn(deviates);
    let sum = 0;
    for (const one of deviates) sum += one;
    deviates.forEach((one, j) => {
      deviates[j] = this.#apart * one + this.#together * sum;
    });
    return sum / Math.sqrt(deviates.length);
  }
}

/** Features of so many rows, and for each, as often as asked, what its columns add up to: every direction of the table counts alike. */
function features(
  { table }: FitRequest,
  { placed, ...shape }: FeatureMap,
  guesses: TableGuesses,
  count: number,
  random: SeededRandom,
  often: number,
) {
  const numeric = placed.filter(({ use }) => use === "numeric");
  const numbers = new Numbers(numeric.length, guesses, random);
  const sums = Array.from({ length: often }, () => ({
    weights: numeric.map(() => random.normal()),
    effects: placed.map((column) =>
      column.use === "numeric" ? [] : column.levels.map(() => random.normal()),
    ),
    signal: new Float64Array(count),
  }));
  const isEven = guesses.conditioning === 1;
  const centres = placed.map(() => guesses.offCentre * random.sign());
  const [common, own] = [Math.sqrt(guesses.correlation), Math.sqrt(1 - guesses.correlation)];
  const all = new Float64Array(count * shape.dimension);
  for (let i = 0; i < count; i++) {
    const deviates = Float64Array.from(numeric, () => random.normal());
    for (const { weights, signal } of sums)
      signal[i] = deviates.reduce((total, z, j) => total + z * (weights[j] as number), 0);
    const shared = numeric.length > 0 ? numbers.make(deviates) : random.normal();
    let next = 0;
    const values = placed.map((column, j) => {
      if (column.use === "numeric")
        return inRange(
          column.range as Ends,
          (centres[j] as number) + guesses.spread * (deviates[next++] as number),
        );
      const level = levelAt(common * shared + own * random.normal(), column.levels.length, isEven);
      for (const { effects, signal } of sums)
        signal[i] = (signal[i] as number) + (effects[j]?.[level] as number);
      return level;
    });
    writeFeatures({ placed, ...shape }, table.intercept, values, all, i * shape.dimension);
  }
  return { rows: all, signals: sums.map(({ signal }) => standardised(signal)) };
}

/** What a model says about each row, and of several classes about each of them. */
export function scores(rows: Float64Array, model: ArrayLike<number>, classes = 1): Float64Array {
  const dimension = model.length / classes;
  return Float64Array.from({ length: (rows.length / dimension) * classes }, (_, i) => {
    const [row, k] = [Math.floor(i / classes), i % classes];
    let sum = 0;
    for (let j = 0; j < dimension; j++)
      sum += (rows[row * dimension + j] as number) * (model[j * classes + k] as number);
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

/** The standard deviation of the logistic distribution, and of the noise of each of several classes (Gumbel), whose difference has it. */
const LOGISTIC_DEVIATION = Math.PI / Math.sqrt(3);
const GUMBEL_DEVIATION = Math.PI / Math.sqrt(6);

/** Beyond, normal numbers are as good. */
const MOST_BY_SUMS = 500;

/** A count of that mean (Poisson), by how much of its probability is used up. */
function countOf(mean: number, random: SeededRandom): number {
  if (mean > MOST_BY_SUMS) return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.normal()));
  let left = random.uniform() - Math.exp(-mean);
  let count = 0;
  for (let mass = Math.exp(-mean); left > 0 && count < 4 * MOST_BY_SUMS; left -= mass) mass *= mean / ++count;
  return count;
}

export interface SyntheticTable {
  readonly features: Float64Array;
  /** From -1 to 1, or one of the two; of several classes the place of one; or a count. */
  readonly labels: Float64Array;
  /** What the model says that made the labels, of counts the logarithm of their means; of several classes a logit for each, row after row. */
  readonly truth: Float64Array;
}

/**
 * So many rows. Their labels weigh every direction of the columns alike, with random sign and size; a numeric label is
 * as far off the middle as the columns, and a count on the side of fewer.
 */
export function syntheticTable(
  request: FitRequest,
  guesses: TableGuesses,
  count: number,
  random: SeededRandom,
): SyntheticTable {
  const classes = classNames(request.table).length;
  const map = featureMap(request.table);
  const { rows, signals } = features(request, map, guesses, count, random, Math.max(1, classes));
  const { explained, spread, positives, offCentre } = guesses;
  if (classes > 0) {
    const scale = Math.sqrt(explained / (1 - explained)) * GUMBEL_DEVIATION;
    const truth = Float64Array.from(
      { length: count * classes },
      (_, i) => scale * (signals[i % classes]?.[Math.floor(i / classes)] as number),
    );
    const labels = Float64Array.from({ length: count }, (_, i) =>
      placeAt(softmax([...truth.subarray(i * classes, (i + 1) * classes)]), random.uniform()),
    );
    return { features: rows, labels, truth };
  }
  const [signal] = signals as [Float64Array];
  if (request.table.label?.use === "classes") {
    const logits = signal.map((one) => Math.sqrt(explained / (1 - explained)) * LOGISTIC_DEVIATION * one);
    const shift = offset(logits, positives);
    const truth = logits.map((logit) => logit + shift);
    return {
      features: rows,
      labels: truth.map((logit) => (random.uniform() < sigmoid(logit) ? 1 : -1)),
      truth,
    };
  }
  if (request.table.label?.use === "count") {
    const [low, high] = request.table.label.range as Ends;
    const middle = low + ((high - low) / 2) * (1 - offCentre);
    // Of counts whose means are log-normal: their variance is middle + middle² (e^(s²) - 1).
    const square = Math.log1p(explained / (1 - explained) / middle);
    const truth = signal.map((one) => Math.log(middle) - square / 2 + Math.sqrt(square) * one);
    const labels = truth.map((one) => Math.max(low, Math.min(high, countOf(Math.exp(one), random))));
    return { features: rows, labels, truth };
  }
  const middle = offCentre * random.sign();
  const truth = signal.map((one) => middle + spread * Math.sqrt(explained) * one);
  const noise = spread * Math.sqrt(1 - explained);
  const labels = truth.map((one) => Math.max(-1, Math.min(1, one + noise * random.normal())));
  return { features: rows, labels, truth };
}
