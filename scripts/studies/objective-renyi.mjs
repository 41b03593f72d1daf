/** Rényi divergences of objective perturbation: published, and the supremum over models and tables. */
import { curvatureOf, shiftOf } from "./objective.mjs";
import { largest, logBetween, logDensity, logIntegral, logSum, logUpperTail } from "./special.mjs";

const gaussianRenyi = (order, release) => (order * shiftOf(release) ** 2) / 2;

/** Of N(0, σ²) folded at 0 against itself, moved by L (Redberg 2023, Appendix C.4). */
export function halfNormalRenyi(order, release) {
  const moved = (order - 1) * shiftOf(release);
  return gaussianRenyi(order, release) + (Math.LN2 + logUpperTail(-moved)) / (order - 1);
}

/** Redberg 2023 (thesis), Theorem 4.3.2; needs λ > β. */
export const publishedRenyi = (order, release) =>
  halfNormalRenyi(order, release) - Math.log1p(-curvatureOf(release));

/** log ∫ exp(a x² + b x + c) over [low, high]. */
function logGaussianIntegral([a, b, c], low, high) {
  if (a > -1e-3) return logIntegral((x) => (a * x + b) * x + c, low, high);
  const deviation = 1 / Math.sqrt(-2 * a);
  const mean = -b / (2 * a);
  const scale = Math.log(deviation) + 0.5 * Math.log(2 * Math.PI);
  return c - (b * b) / (4 * a) + scale + logBetween((low - mean) / deviation, (high - mean) / deviation);
}

const BY_DENSITY = logDensity(0);

/** A row added: loss level v ↦ min(s, κ(v − z)₊) and its mirror, for the worst z. */
function addedAt(z, power, s, curvature) {
  const tail = (power * (power + 1) * s * s) / 2;
  const reach = s / curvature;
  const inner = [
    power * (curvature + curvature ** 2 / 2) - 0.5,
    -power * z * (curvature + curvature ** 2),
    (power * curvature ** 2 * z * z) / 2 + BY_DENSITY,
  ];
  return logSum(
    tail + logUpperTail(z + reach - power * s),
    tail + logUpperTail(-(z - reach + power * s)),
    logGaussianIntegral(inner, z - reach, z + reach) - power * Math.log1p(curvature),
  );
}

/** A row removed: the same in the other coordinate, where slopes are −κ/(1 + κ) at most. */
function removedAt(y, power, s, curvature) {
  const slope = curvature / (1 + curvature);
  const tail = (power * (power + 1) * s * s) / 2;
  const reach = s / slope;
  const inner = [
    power * (slope ** 2 / 2 - slope) - 0.5,
    power * y * (slope - slope ** 2),
    (power * slope ** 2 * y * y) / 2 + BY_DENSITY,
  ];
  return logSum(
    tail + logUpperTail(-(y - reach - power * s)),
    tail + logUpperTail(y + reach + power * s),
    logGaussianIntegral(inner, y - reach, y + reach) + power * Math.log1p(curvature),
  );
}

/**
 * The supremum: the one-dimensional control problem behind it is solved by a constant level, whose place is looked for
 * on a grid and refined. A lower end by what the search misses.
 */
export function exactRenyi(order, release, points = 160) {
  const [s, curvature, power] = [shiftOf(release), curvatureOf(release), order - 1];
  const most = 12 + power * s;
  const added = largest((z) => addedAt(z, power, s, curvature), 0, s / curvature + most, points);
  const removed = largest(
    (y) => removedAt(y, power, s, curvature),
    0,
    (s * (1 + curvature)) / curvature + most,
    points,
  );
  return Math.max(gaussianRenyi(order, release), added / power, removed / power);
}

/** log δ of one order: Canonne, Kamath and Steinke 2020, Proposition 12. */
const logDelta = (order, divergence, epsilon) =>
  (order - 1) * (divergence - epsilon + Math.log1p(-1 / order)) - Math.log(order);

export const deltaAtOrder = (order, curve, epsilon) => Math.exp(logDelta(order, curve(order), epsilon));

/** δ(ε) of a Rényi curve at its best order from 1.01 to 5001, looked for on a grid and refined. */
export function deltaOfRenyi(curve, epsilon) {
  const at = (log) => {
    const order = 1 + Math.exp(log);
    return -logDelta(order, curve(order), epsilon);
  };
  return Math.min(1, Math.exp(-largest(at, Math.log(0.01), Math.log(5000), 16)));
}

/** The smallest λ at which a family of Rényi curves keeps (ε, δ). */
export const leastLambdaOfRenyi = (curveAt, { epsilon, delta }, low, high) => {
  let [a, b] = [Math.log(low), Math.log(high)];
  while (b - a > 1e-4) {
    const middle = (a + b) / 2;
    if (deltaOfRenyi(curveAt(Math.exp(middle)), epsilon) > delta) a = middle;
    else b = middle;
  }
  return Math.exp(b);
};
