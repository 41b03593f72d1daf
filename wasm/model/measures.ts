/**
 * What follows from the noisy numbers of an evaluation, whose noise is normal with the same `sigma` in each: nothing of it
 * costs more. An interval is named by what it covers, with probability 0.95 each:
 *
 * - `table`: the number that the very rows of the table have, without noise. Of a quotient by the law of the noise itself
 *   (Fieller 1954); of an area under a curve to first order, with the variance of the products.
 * - `population`: that of whatever the rows were drawn from, each by itself; of shares all that is in one of
 *   two intervals, that of Agresti and Coull 1998 and that of noise and draw together (Fieller's, with Wilson's variance of 1927); of areas
 *   (DeLong, DeLong and Clarke-Pearson 1988) and errors to first order: of a few rows those hold less often. It has the noise in it.
 *
 * Nothing is said where noise could be most of it: where its standard deviation is more than a quarter of the noisy
 * number that would be divided by.
 */

import { WITHIN } from "../release/intervals.ts";

export interface Interval {
  readonly lower: number;
  readonly upper: number;
}

export interface Measure {
  readonly value: number;
  readonly table: Interval;
  readonly population?: Interval | undefined;
}

/**
 * Rows of each class on both sides of an edge: whoever scores at least `threshold` is taken to be of the second class. At the
 * first edge that is everybody, and at the last nobody: −∞ and ∞, because scores beyond the edges count in the bins at the ends.
 */
export interface ThresholdMeasures {
  readonly threshold: number;
  /** Noisy numbers of rows: they may be negative, and are no whole numbers. */
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly trueNegatives: number;
  readonly falseNegatives: number;
  readonly accuracy: Measure | null;
  readonly truePositiveRate: Measure | null;
  readonly falsePositiveRate: Measure | null;
}

/** How often scores come true. */
export interface Reliability {
  /** Between which the bins are, in units of the score. */
  readonly edges: readonly number[];
  /** Of each bin, how many of its rows are of the second class; of several classes, how many are told right. */
  readonly calibration: readonly (Measure | null)[];
}

export interface ClassMeasures extends Reliability {
  readonly measured: "classes";
  /** Of the first and of the second class. */
  readonly counts: readonly [readonly number[], readonly number[]];
  readonly thresholds: readonly ThresholdMeasures[];
  /** That a row of the second class scores more than one of the first; in one bin they are as good as each other. */
  readonly auc: Measure | null;
}

/** Of several classes; where bins were asked for, how often the probability of the likeliest comes true. */
export interface ConfusionMeasures extends Partial<Reliability> {
  readonly measured: "confusion";
  readonly classes: readonly string[];
  /** Noisy numbers of rows: of each class, those that are taken for each. */
  readonly counts: readonly (readonly number[])[];
  readonly accuracy: Measure | null;
  /** Of each class: how many of its rows are taken for it. */
  readonly recalls: readonly (Measure | null)[];
  /** How many of those that are taken for it are of it. */
  readonly precisions: readonly (Measure | null)[];
}

export interface NumberMeasures {
  readonly measured: "numbers";
  readonly rows: number;
  /** Errors beyond count as this. */
  readonly errorBound: number;
  readonly rootMeanSquaredError: Measure | null;
  readonly meanAbsoluteError: Measure | null;
}

export type Measures = ClassMeasures | ConfusionMeasures | NumberMeasures;

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const squares = (values: readonly number[]) => total(values.map((value) => value * value));

/** A noisy sum, and of how many noisy numbers. */
interface Noisy {
  readonly sum: number;
  readonly parts: number;
}

const noisySum = (values: readonly number[]): Noisy => ({ sum: total(values), parts: values.length });
const added = (one: Noisy, other: Noisy): Noisy => ({
  sum: one.sum + other.sum,
  parts: one.parts + other.parts,
});

const isClear = ({ sum, parts }: Noisy, sigma: number) => sigma * Math.sqrt(parts) <= sum / 4;

const between = ({ lower, upper }: Interval, least: number, most: number): Interval => ({
  lower: Math.min(most, Math.max(least, lower)),
  upper: Math.max(least, Math.min(most, upper)),
});

const around = (value: number, variance: number, most: number): Interval => {
  const half = WITHIN * Math.sqrt(variance);
  return between({ lower: value - half, upper: value + half }, 0, most);
};

/** All that is in one of both: an interval to first order can end before that of the noise alone, which is not symmetric. */
const either = (one: Interval, other: Interval): Interval => ({
  lower: Math.min(one.lower, other.lower),
  upper: Math.max(one.upper, other.upper),
});

/**
 * All quotients that the noise leaves likely; `common`: how many noisy numbers are in both sums. Where so many rows were `drawn`,
 * all likely shares p of whatever they were drawn from: the sum above varies by p (1 - p) drawn more.
 */
function quotient(
  above: Noisy,
  below: Noisy,
  common: number,
  sigma: number,
  drawn = 0,
): Interval & { variance: number } {
  const noise = (WITHIN * sigma) ** 2;
  const spread = WITHIN ** 2 * drawn;
  const square = below.sum ** 2 - noise * below.parts + spread;
  const middle = (above.sum * below.sum - noise * common + spread / 2) / square;
  const rest = (above.sum ** 2 - noise * above.parts) / square;
  const half = Math.sqrt(Math.max(0, middle * middle - rest));
  const value = above.sum / below.sum;
  const variance = (sigma / below.sum) ** 2 * (above.parts - 2 * value * common + value ** 2 * below.parts);
  return { lower: middle - half, upper: middle + half, variance };
}

/** Of rows of a sort among rows. */
function share(above: Noisy, below: Noisy, sigma: number): Measure | null {
  if (!isClear(below, sigma)) return null;
  const { variance, ...table } = quotient(above, below, above.parts, sigma);
  const value = Math.min(1, Math.max(0, above.sum / below.sum));
  // Of few rows, or where nearly all are of one sort, a share says nothing of its own variance: two rows of either sort
  // are added (Agresti and Coull 1998).
  const rows = below.sum + WITHIN ** 2;
  const middle = (value * below.sum + WITHIN ** 2 / 2) / rows;
  const spread = variance * (below.sum / rows) ** 2 + (middle * (1 - middle)) / rows;
  const drawn = between(quotient(above, below, above.parts, sigma, below.sum), 0, 1);
  return { value, table: between(table, 0, 1), population: either(around(middle, spread, 1), drawn) };
}

/** For each bin, how many rows of the other class are below it, those in it counted half. */
function ranks(counts: readonly number[]): number[] {
  let below = 0;
  return counts.map((count) => {
    below += count;
    return below - count / 2;
  });
}

/** Of what weighted rows have, over their number. */
function varianceOfMean(values: readonly number[], weights: readonly number[]): number {
  const kept = weights.map((weight) => Math.max(0, weight));
  const rows = total(kept);
  const mean = total(values.map((value, i) => value * (kept[i] as number))) / rows;
  return total(values.map((value, i) => (value - mean) ** 2 * (kept[i] as number))) / rows ** 2;
}

function area(negatives: readonly number[], positives: readonly number[], sigma: number): Measure | null {
  const [below, above] = [noisySum(negatives), noisySum(positives)];
  if (!isClear(below, sigma) || !isClear(above, sigma)) return null;
  const beneath = ranks(negatives);
  const beyond = ranks([...positives].reverse()).reverse();
  const pairs = above.sum * below.sum;
  const found = total(positives.map((count, i) => count * (beneath[i] as number))) / pairs;
  const bins = positives.length;
  // Of the weights of pairs less the area, squared.
  const weights = (bins * (bins - 1) * ((1 - found) ** 2 + found ** 2)) / 2 + bins * (0.5 - found) ** 2;
  const moved =
    squares(beneath.map((rank) => rank - found * below.sum)) +
    squares(beyond.map((rank) => rank - found * above.sum));
  // Both sums of squares hold noise themselves, and the product of two noises remains.
  const noise = Math.max(sigma ** 2 * moved - sigma ** 4 * weights, sigma ** 4 * weights) / pairs ** 2;
  const drawn =
    varianceOfMean(
      beneath.map((rank) => rank / below.sum),
      positives,
    ) +
    varianceOfMean(
      beyond.map((rank) => rank / above.sum),
      negatives,
    );
  return {
    value: Math.min(1, Math.max(0, found)),
    table: around(found, noise, 1),
    population: around(found, noise + drawn, 1),
  };
}

/** Of each bin the rows of which the score did not come true, and those of which it did. */
export function reliability(
  edges: readonly number[],
  wrong: readonly number[],
  right: readonly number[],
  sigma: number,
): Reliability {
  const calibration = right.map((count, i) =>
    share({ sum: count, parts: 1 }, { sum: count + (wrong[i] as number), parts: 2 }, sigma),
  );
  return { edges, calibration };
}

export function measuresOfClasses(
  edges: readonly number[],
  negatives: readonly number[],
  positives: readonly number[],
  sigma: number,
): ClassMeasures {
  const [all, none] = [noisySum(positives), noisySum(negatives)];
  const clear = isClear(all, sigma) && isClear(none, sigma);
  const least = [Number.NEGATIVE_INFINITY, ...edges.slice(1, -1), Number.POSITIVE_INFINITY];
  const thresholds = least.map((threshold, k): ThresholdMeasures => {
    const [hits, alarms] = [noisySum(positives.slice(k)), noisySum(negatives.slice(k))];
    const [misses, passes] = [noisySum(positives.slice(0, k)), noisySum(negatives.slice(0, k))];
    return {
      threshold,
      truePositives: hits.sum,
      falsePositives: alarms.sum,
      trueNegatives: passes.sum,
      falseNegatives: misses.sum,
      accuracy: clear ? share(added(hits, passes), added(all, none), sigma) : null,
      truePositiveRate: clear ? share(hits, all, sigma) : null,
      falsePositiveRate: clear ? share(alarms, none, sigma) : null,
    };
  });
  const auc = area(negatives, positives, sigma);
  const told = reliability(edges, negatives, positives, sigma);
  return { measured: "classes", ...told, counts: [negatives, positives], thresholds, auc };
}

/** `counts`: of one class after the other. */
export function measuresOfConfusion(
  classes: readonly string[],
  counts: readonly number[],
  sigma: number,
): ConfusionMeasures {
  const size = classes.length;
  const rows = classes.map((_, k) => counts.slice(k * size, (k + 1) * size));
  const right = classes.map((_, k) => rows[k]?.[k] as number);
  const shareOf = (of: readonly number[], among: readonly number[]) =>
    share(noisySum(of), noisySum(among), sigma);
  return {
    measured: "confusion",
    classes,
    counts: rows,
    accuracy: shareOf(right, counts),
    recalls: rows.map((row, k) => shareOf([right[k] as number], row)),
    precisions: classes.map((_, k) =>
      shareOf(
        [right[k] as number],
        rows.map((row) => row[k] as number),
      ),
    ),
  };
}

/** `sums`: rows, squares and sizes of errors in units of their bound. */
export function measuresOfNumbers(
  errorBound: number,
  sums: readonly [number, number, number],
  sigma: number,
): NumberMeasures {
  const [rows, square, size] = sums.map((sum): Noisy => ({ sum, parts: 1 })) as [Noisy, Noisy, Noisy];
  const told = { measured: "numbers", rows: rows.sum, errorBound } as const;
  if (!isClear(rows, sigma)) return { ...told, rootMeanSquaredError: null, meanAbsoluteError: null };
  const inUnits = ({ lower, upper }: Interval) => ({ lower: lower * errorBound, upper: upper * errorBound });
  const squared = between(quotient(square, rows, 0, sigma), 0, 1);
  const sizes = quotient(size, rows, 0, sigma);
  const [meanSquare, mean] = [square, size].map(({ sum }) => Math.min(1, Math.max(0, sum / rows.sum))) as [
    number,
    number,
  ];
  const drawn = Math.max(0, meanSquare - mean * mean) / rows.sum;
  const table = between(sizes, 0, 1);
  return {
    ...told,
    rootMeanSquaredError: {
      value: Math.sqrt(meanSquare) * errorBound,
      table: inUnits({ lower: Math.sqrt(squared.lower), upper: Math.sqrt(squared.upper) }),
    },
    meanAbsoluteError: {
      value: mean * errorBound,
      table: inUnits(table),
      population: inUnits(either(table, around(mean, sizes.variance + drawn, 1))),
    },
  };
}
