/** What the card about the largest eigenvalue asks: the quantile, the limit law's view of it, the tail around it. */
import type { Estimate, GoeOptions } from "../../../wasm/contract.ts";
import type { Plot } from "../question/outcome.ts";
import { grid } from "./adaptive.ts";
import type { RemoteEngine } from "./client.ts";

export interface AskedQuantile {
  readonly dimension: number;
  readonly upperTail: number;
  readonly normalisation: NonNullable<GoeOptions["normalisation"]>;
}

export const quantile = (
  { goe }: RemoteEngine,
  { dimension, upperTail, normalisation }: AskedQuantile,
): Promise<Estimate> => goe.quantile(dimension, { upperTail }, { normalisation });

/** What the limit law would answer. */
export const limitQuantile = (
  { goe }: RemoteEngine,
  { dimension, upperTail, normalisation }: AskedQuantile,
): Promise<number> => goe.limitQuantile(dimension, { upperTail }, { normalisation });

/** A point takes as long as the dimension is large. */
const points = (dimension: number) => (dimension <= 1000 ? 97 : dimension <= 10_000 ? 33 : 9);

/** The probability of exceeding x, and the density beside it, from the bulk to beyond the quantile. */
export async function tailPlot(
  { goe }: RemoteEngine,
  { dimension, upperTail, normalisation }: AskedQuantile,
  tau: number,
): Promise<Plot> {
  const options = { normalisation };
  const floor = Math.max(1e-290, 10 ** (Math.floor(Math.log10(upperTail)) - 1));
  const from = (await goe.quantile(dimension, { lowerTail: 1e-6 }, options)).value;
  const to = (await goe.quantile(dimension, { upperTail: floor }, options)).value;
  const at = grid(points(dimension), (share) => from + (to - from) * share);
  const tails: Estimate[] = [];
  const densities: number[] = [];
  for (const x of at) {
    tails.push(await goe.survival(dimension, x, options));
    densities.push((await goe.density(dimension, x, options)).value);
  }
  return {
    name: "eigenvalue",
    at,
    lower: Float64Array.from(tails, ({ lower }) => lower),
    upper: Float64Array.from(tails, ({ upper }) => upper),
    beside: Float64Array.from(densities),
    kind: "exact",
    floor,
    ceiling: Math.max(1, 10 ** Math.ceil(Math.log10(Math.max(...densities)))),
    mark: { x: tau, y: upperTail },
  };
}
