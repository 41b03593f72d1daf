/** How far coefficients may be from what they stand for, where that is public or follows from what was released. */
import type { Intervals, Margins } from "./contract.ts";
import type { FitRequest } from "./fit-request.ts";
import { type Combination, undoing } from "./table/prepared.ts";

const LEVEL = 0.95;

/** The probability that a Student variable is within ±t: the finite sums of Zelen and Severo 1964 (26.7.3 and 26.7.4). */
function studentWithin(t: number, freedom: number): number {
  const angle = Math.atan(t / Math.sqrt(freedom));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const odd = freedom % 2 === 1;
  let term = odd ? cosine : 1;
  let sum = freedom === 1 ? 0 : term;
  for (let k = odd ? 3 : 2; k < freedom && term > 1e-18; k += 2) {
    term *= ((k - 1) / k) * cosine * cosine;
    sum += term;
  }
  return odd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
}

/** Of a normal variable, when there is no freedom to count. */
const NORMAL_QUANTILE = 1.959963984540054;

/** Within how many deviations a variable is with probability LEVEL. */
export function quantile(freedom: number | undefined): number {
  if (freedom === undefined || freedom > 1e7) return NORMAL_QUANTILE;
  let [low, high] = [NORMAL_QUANTILE, 13];
  while (high - low > 4e-15 * high) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (studentWithin(middle, freedom) < LEVEL) low = middle;
    else high = middle;
  }
  return high;
}

/** The deviation of a combination of coefficients, of their covariance's lower triangle. */
function deviation(combination: Combination, covariance: Float64Array): number {
  const entry = (i: number, j: number) =>
    covariance[i < j ? (j * (j + 1)) / 2 + i : (i * (i + 1)) / 2 + j] as number;
  const variance = combination.reduce(
    (sum, [i, left]) => combination.reduce((inner, [j, right]) => inner + left * right * entry(i, j), sum),
    0,
  );
  return Math.sqrt(Math.max(0, variance));
}

export interface Released {
  readonly coefficients: Float64Array;
  readonly parameters: Readonly<Record<string, number>>;
  readonly released: Readonly<Record<string, Float64Array>>;
  /** A lower triangle; empty where it is unknown. */
  readonly noiseCovariance: Float64Array;
}

/**
 * The ratio of a coefficient's sampling variance to that of the noise, where the table shows through the noise of its
 * sketch of k rows. Its products sum up as those of the table and of noise of variance sigma² in each feature and label;
 * those of the intercept tell how many rows the table has; the inverse of a Wishart matrix is too large by
 * k / (k - d - 1) on average.
 */
function samplingShare({ table, algorithm }: FitRequest, { coefficients, parameters, released }: Released) {
  const dimension = coefficients.length;
  const noise = (released.sketchSigma?.[0] ?? (parameters.sigma as number)) ** 2;
  const rows = ((released.gram?.at(-1) as number) - noise) / table.intercept ** 2;
  const left = released.residualVariance?.[0] as number;
  const square = coefficients.reduce((sum, one) => sum + one * one, 0);
  const ofRows = left - noise * (1 + square);
  if (algorithm.name === "logistic-mixing") return undefined;
  if (!(table.intercept > 0 && rows > dimension && ofRows > left / 2)) return undefined;
  return (ofRows / left / (rows - dimension)) * ((parameters.sketchSize as number) - dimension - 1);
}

/** Half-widths around the coefficients in the units of the table. */
export function intervals(request: FitRequest, found: Released): Intervals {
  const { noiseCovariance: covariance } = found;
  if (covariance.length === 0) return { level: LEVEL };
  const { intercept, terms } = undoing(request.table);
  const margins = (deviations: number): Pick<Margins, "intercept" | "terms"> => ({
    intercept: deviations * deviation(intercept, covariance),
    terms: terms.map(({ combination }) => deviations * deviation(combination, covariance)),
  });
  const { sketchSize } = found.parameters;
  if (sketchSize === undefined) {
    const law = found.released.gram ? "first-order" : "exact";
    return { level: LEVEL, privacyNoise: { law, ...margins(quantile(undefined)) } };
  }
  const privacyNoise: Margins = {
    law: "exact",
    ...margins(quantile(sketchSize - found.coefficients.length)),
  };
  const share = samplingShare(request, found);
  if (share === undefined) return { level: LEVEL, privacyNoise };
  const sampling: Margins = { law: "plug-in", ...margins(quantile(undefined) * Math.sqrt(share)) };
  return { level: LEVEL, privacyNoise, sampling };
}
