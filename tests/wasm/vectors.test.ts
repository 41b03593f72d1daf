/** The specification's own reference values, where they are at hand; a stranger's clone does not have them. */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Description, open } from "../../wasm/engine.ts";

const folder = new URL("../../../shared/vectors/", import.meta.url);

/** A file of the specification, or nothing. */
function read(name: string) {
  const file = new URL(name, folder);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

interface Vector {
  readonly id: string;
  readonly kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: the fields depend on the kind
  readonly in: Record<string, any>;
  readonly out: Record<string, string>;
}

const engine = await open();
const gaussian = (v: Vector["in"]): Description => ({
  kind: "gaussian",
  sigma: v.sigma,
  sensitivity: v.sens,
});

/** The answer that corresponds to a vector, and the value that it must hold. */
type Interval = { lower: number; upper: number };

const answers: Record<string, (v: Vector) => [Interval, string | undefined]> = {
  gaussian_delta: (v) => [engine.delta(gaussian(v.in), v.in.eps), v.out.delta],
  gaussian_eps: (v) => [engine.epsilon(gaussian(v.in), 10 ** v.in.log10_delta), v.out.eps],
  gaussian_sigma: (v) => {
    const target = { epsilon: v.in.eps, delta: 10 ** v.in.log10_delta };
    const { value } = engine.calibrate(gaussian({ sigma: 1, sens: v.in.sens }), "sigma", target);
    return [{ lower: value * (1 - 1e-14), upper: value * (1 + 1e-14) }, v.out.sigma];
  },
  laplace_delta: (v) => [
    engine.delta({ kind: "laplace", scale: 1, sensitivity: v.in.eps0 }, v.in.eps),
    v.out.delta,
  ],
  dlaplace_delta: (v) => [
    engine.delta({ kind: "discrete-laplace", scale: 1 / v.in.s, sensitivity: v.in.sens }, v.in.eps),
    v.out.delta,
  ],
  krr_delta: (v) => [
    engine.delta({ kind: "randomized-response", categories: v.in.k, epsilon: v.in.eps0 }, v.in.eps),
    v.out.delta,
  ],
  approx_delta: (v) => [
    engine.delta({ kind: "approximate", epsilon: v.in.eps0, delta: v.in.delta0 }, v.in.eps),
    v.out.delta,
  ],
  bounded_range_delta: (v) => [
    engine.delta({ kind: "exponential", epsilon: v.in.eta }, v.in.eps),
    v.out.delta,
  ],
  rdp_delta_optimal: (v) => [
    engine.delta({ kind: "rdp", orders: [v.in.alpha], epsilons: [v.in.rho] }, v.in.eps),
    v.out.delta,
  ],
  zcdp_eps: (v) => [engine.epsilon({ kind: "zcdp", rho: v.in.rho }, v.in.delta), v.out.eps],
  tcdp_eps: (v) => [
    engine.epsilon({ kind: "tcdp", rho: v.in.rho, omega: v.in.omega }, v.in.delta),
    v.out.improved,
  ],
  gdp_tpr: (v) => [only(engine.tradeOff({ kind: "gdp", mu: v.in.mu }, [v.in.fpr])), v.out.tpr],
  laplace_tpr: (v) => [
    only(engine.tradeOff({ kind: "laplace", scale: 1, sensitivity: v.in.eps0 }, [v.in.fpr])),
    v.out.tpr,
  ],
  approx_tpr: (v) => [
    only(engine.tradeOff({ kind: "approximate", epsilon: v.in.eps, delta: v.in.delta }, [v.in.fpr])),
    v.out.tpr,
  ],
};

/** The one point of a curve. */
const only = ({ lower, upper }: { lower: Float64Array; upper: Float64Array }): Interval => ({
  lower: lower[0] ?? Number.NaN,
  upper: upper[0] ?? Number.NaN,
});

/** The published digits: values are given to 15 at least, and 1/s is rounded when a scale is made of it. */
const PUBLISHED = 1e-14;

const vectors: Vector[] = read("accounting.json")?.vectors ?? [];
const known = vectors.filter(({ kind }) => Object.hasOwn(answers, kind));

if (known.length === 0) test.skip("the specification's vectors are not here: nothing to compare", () => {});

test.each(known)("$id", (vector) => {
  const answer = answers[vector.kind] as (v: Vector) => [Interval, string];
  const [{ lower, upper }, truth] = answer(vector);
  const value = Number(truth);
  expect(upper).toBeGreaterThanOrEqual(value * (1 - PUBLISHED));
  expect(Math.abs(upper / value - 1)).toBeLessThan(1e-12);
  expect(lower).toBeLessThanOrEqual(value * (1 + PUBLISHED));
});

interface Ensemble {
  readonly d: number;
  readonly quantiles: readonly { readonly tail: "upper" | "lower"; readonly p: string; readonly x: string }[];
  readonly values: readonly { readonly x: string; readonly cdf: string; readonly sf: string }[];
}

const ensembles: Ensemble[] = read("goe.json")?.data ?? [];

if (ensembles.length === 0)
  test.skip("the specification's eigenvalues are not here: nothing to compare", () => {});

test.each(ensembles)("the largest eigenvalue of $d dimensions", ({ d, quantiles, values }) => {
  for (const { x, cdf, sf } of values) {
    expect(Math.abs(engine.goe.cdf(d, Number(x)).value - Number(cdf)), x).toBeLessThanOrEqual(1e-14);
    const { value, lower, upper } = engine.goe.survival(d, Number(x));
    expect(Math.abs(value / Number(sf) - 1), x).toBeLessThanOrEqual(1e-13);
    expect(lower <= Number(sf) && Number(sf) <= upper, x).toBe(true);
  }
  for (const { tail, p, x } of quantiles) {
    const asked = tail === "upper" ? { upperTail: Number(p) } : { lowerTail: Number(p) };
    const { value, upper } = engine.goe.quantile(d, asked);
    const truth = Number(x);
    // The median of one dimension is 0, of a distribution as wide as 1.
    const size = Math.max(Math.abs(truth), 1);
    expect(Math.abs(value - truth), p).toBeLessThanOrEqual(tail === "upper" ? 4e-16 * size : 1e-10 * size);
    expect(upper, p).toBeGreaterThanOrEqual(truth);
  }
});
