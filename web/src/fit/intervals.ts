/**
 * How far the privacy noise may have moved each coefficient: known where the noise is added to the coefficients
 * themselves, because its size is public then. It says nothing about sampling.
 */
import type { Release } from "../../../wasm/contract.ts";
import { prepared, undone } from "../../../wasm/table/prepared.ts";

/** Their `sigma` is the standard deviation of each coefficient that the solver found. */
const ON_COEFFICIENTS: readonly string[] = ["output-perturbation", "output-perturbation-ridge"];

/** The normal quantile of 95 % on both sides. */
const QUANTILE = 1.959963984540054;

export interface NoiseWidths {
  readonly intercept: number;
  /** In the order of the terms. */
  readonly terms: readonly number[];
}

/** Half the length of each interval, in the units of the table; undefined where the release does not tell. */
export function noiseWidths({ request, parameters }: Release): NoiseWidths | undefined {
  const { sigma } = parameters;
  if (!ON_COEFFICIENTS.includes(request.algorithm.name) || sigma === undefined) return undefined;
  const { table } = request;
  const { dimension } = prepared(table);
  const width = (factor: number) => QUANTILE * sigma * Math.abs(factor);
  // The way back to the units of the table is linear, apart from a constant in the intercept.
  const moved = (coefficients: ArrayLike<number>) => undone(table, coefficients);
  const still = moved(new Float64Array(dimension)).intercept;
  const shifts = Array.from({ length: dimension }, (_, i) => {
    const one = new Float64Array(dimension);
    one[i] = 1;
    return moved(one).intercept - still;
  });
  return {
    intercept: width(Math.hypot(...shifts)),
    terms: moved(new Float64Array(dimension).fill(1)).terms.map(({ coefficient }) => width(coefficient)),
  };
}
