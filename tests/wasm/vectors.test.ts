/** Values of a second program, by another author than the tables beside it; tests/reference/README.md says which. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Description, open } from "../../wasm/engine.ts";

/** The lines of a file, of which there must be some. */
function read(name: string) {
  const text = readFileSync(new URL(`../reference/second/${name}.ndjson`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

interface Vector {
  readonly id: string;
  readonly kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: the fields depend on the kind
  readonly in: Record<string, any>;
  readonly out: Record<string, string>;
}

type Fields = Vector["in"];
type Interval = { lower: number; upper: number };

/**
 * What an answer has to do with a published value: have it as its upper end; hold it within a certified gap;
 * or only not lie below it, or above it, where the value is that of another question.
 */
type Relation = "exact" | "certified" | "at least" | "at most";
type Answer = [Interval, string | undefined, Relation?];

const engine = await open();
const power = (exponent: number): number => Number(`1e${exponent}`);

const gaussian = (v: Fields): Description => ({ kind: "gaussian", sigma: v.sigma, sensitivity: v.sens });
const laplace = (scale: number, sensitivity: number): Description => ({
  kind: "laplace",
  scale,
  sensitivity,
});
const response = (v: Fields): Description => ({
  kind: "randomized-response",
  categories: v.k,
  epsilon: v.eps0,
});
const approximate = (v: Fields): Description => ({ kind: "approximate", epsilon: v.eps0, delta: v.delta0 });
const range = (v: Fields): Description => ({ kind: "exponential", epsilon: v.eta });
const rdp = (v: Fields): Description => ({ kind: "rdp", orders: [v.alpha], epsilons: [v.rho] });
const mixing = (v: Fields): Description => ({
  kind: "gaussian-mixing",
  sketchSize: v.k,
  gamma: v.gamma ?? 1 / v.t,
});
const perturbation = (v: Fields): Description => ({
  kind: "objective-perturbation",
  sigma: v.sigma,
  lambda: v.lambda,
  lipschitz: v.L,
  smoothness: v.beta,
});
const poisson = (v: Fields, of: Description): Description => ({
  kind: "subsampled",
  sampling: "poisson",
  rate: v.q,
  of,
});

/** The laws of which the compositions are made. */
const laws: Record<string, (v: Fields) => Description> = {
  gaussian,
  laplace: (v) => laplace(v.scale, v.sens),
  subsampled_gaussian: (v) => poisson(v, gaussian({ sigma: v.sigma, sens: 1 })),
  gaussmix: mixing,
  objpert: perturbation,
  krr: response,
  approx_dp: approximate,
  bounded_range: range,
};

/**
 * Some vectors are about one direction of the neighbouring relation. The product answers for the worse of
 * both, which on a sample is the removal of a record for ε ≥ 0 and its addition below.
 */
const worse = (v: Fields): Relation => ((v.direction === "remove") === v.eps >= 0 ? "exact" : "at least");

function composed({ in: v, out }: Vector): Answer {
  const groups: Fields[] = v.groups;
  const of = groups.map((group) => ({
    mechanism: (laws[group.law] as (v: Fields) => Description)(group),
    count: group.count,
  }));
  const answer = engine.epsilon({ kind: "composition", of }, power(v.log10_delta));
  // Published for a pair of distributions that gives away more than ours: the interval's end is the bar.
  if (groups.some(({ law }) => law === "objpert" || law === "bounded_range"))
    return [answer, out.hi ?? out.eps, "at most"];
  return [answer, out.eps, groups.some(({ direction }) => direction === "add") ? "at least" : "certified"];
}

/** The answer that corresponds to a vector, and the published value. */
const answers: Record<string, (v: Vector) => Answer> = {
  gaussian_delta: (v) => [engine.delta(gaussian(v.in), v.in.eps), v.out.delta],
  gaussian_eps: (v) => [engine.epsilon(gaussian(v.in), power(v.in.log10_delta)), v.out.eps],
  gaussian_sigma: (v) => {
    const target = { epsilon: v.in.eps, delta: power(v.in.log10_delta) };
    const { value } = engine.calibrate(gaussian({ sigma: 1, sens: v.in.sens }), "sigma", target);
    return [{ lower: value * (1 - 1e-14), upper: value * (1 + 1e-14) }, v.out.sigma];
  },
  laplace_delta: (v) => [engine.delta(laplace(1, v.in.eps0), v.in.eps), v.out.delta],
  dlaplace_delta: (v) => [
    engine.delta({ kind: "discrete-laplace", scale: 1 / v.in.s, sensitivity: v.in.sens }, v.in.eps),
    v.out.delta,
  ],
  dgauss_delta: (v) => [
    engine.delta({ kind: "discrete-gaussian", sigma: v.in.sigma, sensitivity: v.in.sens }, v.in.eps),
    v.out.delta,
  ],
  krr_delta: (v) => [engine.delta(response(v.in), v.in.eps), v.out.delta],
  approx_delta: (v) => [engine.delta(approximate(v.in), v.in.eps), v.out.delta],
  bounded_range_delta: (v) => [engine.delta(range(v.in), v.in.eps), v.out.delta],
  // Who chooses every query before the first answer learns at most as much as one who adapts.
  bounded_range_kfold_nonadaptive: (v) => [
    engine.delta({ kind: "composition", of: [{ mechanism: range(v.in), count: v.in.k }] }, v.in.eps),
    v.out.delta,
    "at least",
  ],
  subsampled_gaussian_delta: (v) => [
    engine.delta(poisson(v.in, gaussian({ sigma: v.in.sigma, sens: 1 })), v.in.eps),
    v.out.delta,
    worse(v.in),
  ],
  subsampled_laplace_delta: (v) => [
    engine.delta(poisson(v.in, laplace(1, v.in.eps0)), v.in.eps),
    v.out.delta,
    worse(v.in),
  ],
  wor_gaussian_delta: (v) => [
    engine.delta(
      { kind: "subsampled", sampling: "without-replacement", rate: v.in.q, of: gaussian(v.in) },
      v.in.eps,
    ),
    v.out.delta,
  ],
  gaussmix_delta: (v) => [engine.delta(mixing(v.in), v.in.eps), v.out.delta, worse(v.in)],
  gaussmix_rdp: (v) => [order(mixing(v.in), v.in.alpha), v.out.rho],
  // The published pair bounds the loss; the product also knows what the noise leaves of it.
  objpert_delta: (v) => [engine.delta(perturbation(v.in), v.in.eps), v.out.delta, "at most"],
  objpert_rdp: (v) => [order(perturbation(v.in), v.in.alpha), v.out.rho, "at most"],
  rdp_delta_optimal: (v) => [engine.delta(rdp(v.in), v.in.eps), v.out.delta],
  // The published conversions are not the best ones.
  rdp_eps_improved: (v) => [engine.epsilon(rdp(v.in), v.in.delta), v.out.eps, "at most"],
  zcdp_eps: (v) => [engine.epsilon({ kind: "zcdp", rho: v.in.rho }, v.in.delta), v.out.eps, "at most"],
  tcdp_eps: (v) => [
    engine.epsilon({ kind: "tcdp", rho: v.in.rho, omega: v.in.omega }, v.in.delta),
    v.out.improved,
    "at most",
  ],
  gdp_tpr: (v) => [only(engine.tradeOff({ kind: "gdp", mu: v.in.mu }, [v.in.fpr])), v.out.tpr],
  laplace_tpr: (v) => [only(engine.tradeOff(laplace(1, v.in.eps0), [v.in.fpr])), v.out.tpr],
  approx_tpr: (v) => [
    only(engine.tradeOff(approximate({ eps0: v.in.eps, delta0: v.in.delta }), [v.in.fpr])),
    v.out.tpr,
  ],
  compose_eps: composed,
};

/** The one point of a curve. */
const only = ({ lower, upper }: { lower: Float64Array; upper: Float64Array }): Interval => ({
  lower: lower[0] ?? Number.NaN,
  upper: upper[0] ?? Number.NaN,
});

/** A Rényi divergence is answered by its upper end. */
function order(description: Description, alpha: number): Interval {
  return { lower: 0, upper: engine.renyi(description, [alpha])[0] ?? Number.NaN };
}

/** The published digits: 15 at least, and 1/s is rounded when a scale is made of it; those of compositions 10. */
const PUBLISHED = { exact: 1e-14, certified: 1e-9, "at least": 1e-9, "at most": 1e-12 };
/** 100 000 releases need more points than the engine's longest transform has. */
const gap = ({ in: v }: Vector): number =>
  v.groups.some(({ count }: Fields) => count >= 1e5) ? 1.5e-4 : 1e-4;

const vectors: Vector[] = read("accounting");

test.each(vectors)("$id", (vector) => {
  const answer = answers[vector.kind] as (v: Vector) => [Interval, string, Relation?];
  const [{ lower, upper }, published, relation = "exact"] = answer(vector);
  const value = Number(published);
  const slack = PUBLISHED[relation];
  if (relation === "at most") expect(upper).toBeLessThanOrEqual(value * (1 + slack));
  else expect(upper).toBeGreaterThanOrEqual(value * (1 - slack));
  if (relation === "exact") expect(Math.abs(upper / value - 1)).toBeLessThan(1e-12);
  if (relation === "certified") expect(upper / lower - 1).toBeLessThanOrEqual(gap(vector));
  if (relation !== "at least") expect(lower).toBeLessThanOrEqual(value * (1 + slack));
});

interface Ensemble {
  readonly d: number;
  readonly quantiles: readonly { readonly tail: "upper" | "lower"; readonly p: string; readonly x: string }[];
  readonly values: readonly { readonly x: string; readonly cdf: string; readonly sf: string }[];
}

const ensembles: Ensemble[] = read("eigenvalues");

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
