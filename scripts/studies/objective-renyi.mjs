/** Rényi divergences of objective perturbation: published, and in closed form. */
import { curvatureOf, shiftOf } from "./objective.mjs";
import { largest, logSum, logUpperTail } from "./special.mjs";

const gaussianRenyi = (order, release) => (order * shiftOf(release) ** 2) / 2;

/** Of N(0, σ²) folded at 0 against itself, moved by L (Redberg 2023, Appendix C.4). */
export function halfNormalRenyi(order, release) {
  const moved = (order - 1) * shiftOf(release);
  return gaussianRenyi(order, release) + (Math.LN2 + logUpperTail(-moved)) / (order - 1);
}

/** Redberg 2023 (thesis), Theorem 4.3.2; needs λ > β. */
export const publishedRenyi = (order, release) =>
  halfNormalRenyi(order, release) - Math.log1p(-curvatureOf(release));

/** The larger of what a row added and a row removed lose, by bounds on the loss that hold for every λ. */
export function closedRenyi(order, release) {
  const [s, power] = [shiftOf(release), order - 1];
  const moment = logSum(Math.log(0.5), (power * s) ** 2 / 2 + logUpperTail(-power * s));
  const removed = Math.log1p(curvatureOf(release)) + (s * s) / 2 + moment / power;
  return Math.max(halfNormalRenyi(order, release), removed);
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
