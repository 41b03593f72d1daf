/** Profiles of two normal laws: of one covariance (Balle and Wang 2018, Theorem 8), and of two variances. */
import { logBetween, logUpperTail, rootOfFalling, upperTail } from "./special.mjs";

/** δ(ε) of a shift by s standard deviations. */
export function gaussianDelta(epsilon, s) {
  if (s === 0) return Math.max(0, -Math.expm1(epsilon));
  const [from, to] = [epsilon / s - s / 2, epsilon / s + s / 2];
  const rest = Math.exp(epsilon + logUpperTail(to) - logUpperTail(from));
  return upperTail(from) * (1 - rest);
}

/** The least ε >= 0 at which a falling profile is at most delta. */
export function epsilonOf(profile, delta, most) {
  return profile(0) <= delta ? 0 : rootOfFalling((epsilon) => profile(epsilon) - delta, 0, most);
}

export const gaussianEpsilon = (s, delta) =>
  epsilonOf((e) => gaussianDelta(e, s), delta, (s * s) / 2 + s * Math.sqrt(2 * Math.log(1 / delta)));

/** Where the log ratio of N(m1, s1²) over N(m2, s2²) is epsilon, in order; none when it never is. */
function crossings(epsilon, [m1, s1], [m2, s2]) {
  const a = (s2 ** -2 - s1 ** -2) / 2;
  const b = m1 / s1 ** 2 - m2 / s2 ** 2;
  const c = Math.log(s2 / s1) - m1 ** 2 / (2 * s1 ** 2) + m2 ** 2 / (2 * s2 ** 2) - epsilon;
  const disc = b * b - 4 * a * c;
  if (disc <= 0) return [];
  const q = -(b + (b < 0 ? -1 : 1) * Math.sqrt(disc)) / 2;
  return [q / a, c / q].sort((x, y) => x - y);
}

/** ∫ [p − e^ε q]₊ of p = N(m1, s1²) and q = N(m2, s2²), each given as [mean, standard deviation]. */
export function twoGaussians(epsilon, p, q) {
  const [[m1, s1], [m2, s2]] = [p, q];
  if (s1 === s2) return gaussianDelta(epsilon, Math.abs(m1 - m2) / s1);
  const roots = crossings(epsilon, p, q);
  // The wider law has the larger loss far out, the narrower one between the crossings.
  if (roots.length === 0) return s1 > s2 ? Math.max(0, -Math.expm1(epsilon)) : 0;
  const mass = (mean, deviation) => {
    const [from, to] = roots.map((x) => (x - mean) / deviation);
    return s1 < s2 ? [logBetween(from, to)] : [logUpperTail(to), logUpperTail(-from)];
  };
  const logs = mass(m2, s2);
  return Math.max(
    0,
    mass(m1, s1).reduce((sum, log, i) => sum + Math.exp(log) - Math.exp(epsilon + logs[i]), 0),
  );
}
