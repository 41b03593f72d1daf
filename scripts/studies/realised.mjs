/**
 * What a released minimum has cost each row of the table (Redberg 2023, Theorem 2.3.1 and Corollary 2.3.2, exact), and what
 * can be told each of them about it (Theorems 2.3.4 and 2.3.5, corrected and sharpened). A release is { sigma, lambda }.
 */
import { cholesky, dot, forward, norm } from "./linear.mjs";
import { derivatives } from "./logistic.mjs";
import { upperQuantile } from "./special.mjs";

/** Of each row of the table: what all reports need of it. */
function parts({ features, labels }, model) {
  return features.map((x, i) => {
    const [first, second] = derivatives(dot(x, model), labels[i]);
    return { x, first, second, size: norm(x) };
  });
}

/** The log ratio of the density at the released model, with the row and without it, term by term. */
export function terms(table, { sigma }, { model, gradient, hessian }) {
  const factor = cholesky(hessian);
  return parts(table, model).map(({ x, first, second, size }) => {
    const half = forward(factor, x);
    return [
      -Math.log1p(-second * dot(half, half)),
      (first * size) ** 2 / (2 * sigma ** 2),
      (-first * dot(x, gradient)) / sigma ** 2,
    ];
  });
}

export const realisedLosses = (table, release, minimum) =>
  terms(table, release, minimum).map(([a, b, c]) => Math.abs(a + b + c));

/** What needs no more of the table than the released model: the printed form (needs λ > f''‖x‖²), and the sharper one. */
export function independentReports(table, { sigma, lambda }, { model }, failure) {
  const quantile = upperQuantile(failure / 2);
  return parts(table, model).map(({ first, second, size }) => {
    const [curvature, slope] = [(second * size ** 2) / lambda, (Math.abs(first) * size) / sigma];
    const rest = slope ** 2 / 2 + slope * quantile;
    return { printed: rest - Math.log1p(-curvature), sharp: rest + Math.log1p(curvature) };
  });
}

/** A noisy gradient and Hessian: normal noise, and that of a random symmetric matrix with variance 1 off its diagonal. */
export function noisySums({ gradient, hessian }, { gradientSigma, hessianSigma }, random) {
  const d = gradient.length;
  const z = random.normals(d * d);
  const noise = hessian.map((_, k) => (z[k] + z[(k % d) * d + Math.floor(k / d)]) / Math.SQRT2);
  return {
    gradient: gradient.map((value) => value + gradientSigma * random.normal()),
    hessian: hessian.map((value, k) => value + hessianSigma * noise[k]),
  };
}

/** By how much leverages may be larger than the noisy Hessian says, and the factor of the matrix to ask. */
function leverageOf(hessian, { lambda }, { hessianSigma, tau }) {
  const off = tau * hessianSigma;
  const isLarge = lambda >= 2 * off;
  const d = Math.sqrt(hessian.length);
  const asked = isLarge ? hessian : hessian.map((value, k) => value + (k % (d + 1) === 0 ? off : 0));
  return { factor: cholesky(asked), times: (lambda + (isLarge ? off : 2 * off)) / lambda };
}

/** The report from noisy sums. `noise`: { gradientSigma, hessianSigma, tau }, tau the quantile of the largest eigenvalue. */
export function dependentReports(table, release, { model, noisy, noise }, failure) {
  const quantile = upperQuantile(failure / 2);
  const { factor, times } = leverageOf(noisy.hessian, release, noise);
  const { sigma, lambda } = release;
  return parts(table, model).map(({ x, first, second, size }) => {
    const cap = size ** 2 / (lambda + second * size ** 2);
    const half = factor ? forward(factor, x) : undefined;
    const leverage = half ? Math.min(cap, times * dot(half, half)) : cap;
    const slope = Math.abs(first) * size;
    const seen = Math.abs(first * dot(x, noisy.gradient)) + noise.gradientSigma * slope * quantile;
    const third = Math.min(seen, sigma * slope * quantile);
    return -Math.log1p(-second * leverage) + slope ** 2 / (2 * sigma ** 2) + third / sigma ** 2;
  });
}

/** By how many standard deviations one row moves the noisy sums together. */
const overheadShift = ({ first, second, size }, { gradientSigma, hessianSigma }) =>
  Math.hypot((first * size) / gradientSigma, (second * size ** 2) / (Math.SQRT2 * hessianSigma));

export const overheadShifts = (table, { model }, noise) =>
  parts(table, model).map((part) => overheadShift(part, noise));
