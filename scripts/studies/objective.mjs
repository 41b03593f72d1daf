/**
 * Objective perturbation as its sources account for it. A release is { sigma, lambda, lipschitz, smoothness }; everything
 * is for tables that differ in one added or removed row, generalised linear models, and convex losses.
 */
import { gaussianDelta } from "./gaussian.mjs";
import { logUpperTail, rootOfFalling, upperTail } from "./special.mjs";

export const shiftOf = ({ sigma, lipschitz }) => lipschitz / sigma;
export const curvatureOf = ({ lambda, smoothness }) => smoothness / lambda;

export const gaussianMember = ({ sigma, lipschitz }) => ({ kind: "gaussian", sigma, sensitivity: lipschitz });
export const described = (release) => ({ kind: "objective-perturbation", ...release });

/** Kifer, Smith and Thakurta 2012, as δ(ε); it says nothing below ε = 2β/λ. */
export function kiferDelta(epsilon, release) {
  if (epsilon < 2 * curvatureOf(release)) return 1;
  const scaled = (epsilon / shiftOf(release)) ** 2;
  return Math.min(1, 2 * Math.exp(-(scaled - 4 * epsilon) / 8));
}

export const kiferSigma = (epsilon, delta, lipschitz) =>
  (lipschitz / epsilon) * Math.sqrt(8 * Math.log(2 / delta) + 4 * epsilon);

/** Redberg 2023 (thesis), Theorem 4.3.1, by the log of the ratio of volumes: that of the proof is positive. */
function halfNormalDelta(epsilon, shift, logVolume) {
  const beyond = epsilon - logVolume - (shift * shift) / 2;
  if (beyond >= 0) return 2 * gaussianDelta(epsilon - logVolume, shift);
  return -Math.expm1(beyond) + 2 * Math.exp(beyond) * gaussianDelta((shift * shift) / 2, shift);
}

const logVolume = (release) => -Math.log1p(-curvatureOf(release));

export const publishedDelta = (epsilon, release) =>
  halfNormalDelta(epsilon, shiftOf(release), logVolume(release));

/** The same with the sign of the logarithm as it was printed: not a bound. */
export const printedDelta = (epsilon, release) =>
  halfNormalDelta(epsilon, shiftOf(release), -logVolume(release));

/** E[1 − e^(beyond − s·max(N, 0))]₊, with half of the mass of N at 0 when the loss there is above `beyond`. */
function oneSided(beyond, s) {
  const from = Math.max(0, beyond / s);
  const tail = upperTail(from) - Math.exp(beyond + (s * s) / 2 + logUpperTail(from + s));
  return { tail, atom: beyond < 0 ? -Math.expm1(beyond) / 2 : 0 };
}

/** The closed form by which compositions are bounded: any λ > 0, each direction by itself. */
export function closedDelta(epsilon, release) {
  const s = shiftOf(release);
  const added = 2 * oneSided(epsilon - (s * s) / 2, s).tail;
  const removed = oneSided(epsilon - Math.log1p(curvatureOf(release)) - (s * s) / 2, s);
  return Math.max(added, removed.tail + removed.atom);
}

/** The smallest lambda at which a falling δ(λ) is at most delta. */
export const leastLambda = (deltaAt, delta, low, high) =>
  Math.exp(rootOfFalling((log) => deltaAt(Math.exp(log)) - delta, Math.log(low), Math.log(high)));
