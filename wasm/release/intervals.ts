/** How far coefficients may be from what they stand for, where that is public or follows from what was released. */
import type { Spread } from "../../build/wasm/full.mjs";
import type { Intervals, Margins } from "../contract.ts";
import type { TableRequest } from "../table/declaration.ts";
import { type Combination, tableUnits } from "../table/features.ts";

/** The probability of intervals around single noisy numbers, and how many standard deviations of normal noise that is. */
export const LEVEL = 0.95;
export const WITHIN = 1.959963984540054;

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

/** Half-widths around the coefficients in the units of the table, by what the core says of those of the model. */
export function intervals(table: TableRequest, spread: Spread): Intervals {
  const { level } = spread;
  if ("unknown" in spread) return { level, unknown: spread.unknown };
  const { law, covariance, deviations, samplingLaw, samplingDeviations } = spread;
  const { intercept, terms } = tableUnits(table);
  const margins = (times: number): Pick<Margins, "intercept" | "terms"> => ({
    intercept: times * deviation(intercept, covariance),
    terms: terms.map(({ combination }) => times * deviation(combination, covariance)),
  });
  const privacyNoise: Margins = { law, ...margins(deviations) };
  if (samplingDeviations === null) return { level, privacyNoise };
  return { level, privacyNoise, sampling: { law: samplingLaw, ...margins(samplingDeviations) } };
}
