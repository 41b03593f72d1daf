/** The normal law and a few searches, for what studies compute by themselves beside the engine. */

const ROOT_TWO = Math.SQRT2;
const HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);

/** exp(x²) erfc(x) for x >= 0: the series of erf (all terms positive) below 2, the continued fraction of Laplace above. */
function scaledComplement(x) {
  if (x < 2) {
    let [term, sum] = [x, x];
    for (let n = 1; term > 1e-17 * sum; n++) {
      term *= (2 * x * x) / (2 * n + 1);
      sum += term;
    }
    return Math.exp(x * x) - (2 / Math.sqrt(Math.PI)) * sum;
  }
  let tail = x;
  for (let n = Math.ceil(20 + 200 / (x * x)); n > 0; n--) tail = x + n / 2 / tail;
  return 1 / (tail * Math.sqrt(Math.PI));
}

/** log P(N > x) of a standard normal N. */
export function logUpperTail(x) {
  if (x < 0) return Math.log1p(-upperTail(-x));
  return Math.log(0.5 * scaledComplement(x / ROOT_TWO)) - (x * x) / 2;
}

export function upperTail(x) {
  if (x < 0) return 1 - upperTail(-x);
  return 0.5 * scaledComplement(x / ROOT_TWO) * Math.exp((-x * x) / 2);
}

/** The x with P(N > x) = p. */
export const upperQuantile = (p) => rootOfFalling((x) => logUpperTail(x) - Math.log(p), -40, 40);

/** log P(a < N < b), in the tail that keeps digits. */
export function logBetween(a, b) {
  if (!(a < b)) return Number.NEGATIVE_INFINITY;
  if (b <= 0) return logBetween(-b, -a);
  if (a < 0) return Math.log1p(-upperTail(b) - upperTail(-a));
  return logUpperTail(a) + Math.log(-Math.expm1(logUpperTail(b) - logUpperTail(a)));
}

export const logDensity = (x) => -(x * x) / 2 - HALF_LOG_TWO_PI;

export function logSum(...terms) {
  const top = Math.max(...terms);
  return Number.isFinite(top) ? top + Math.log(terms.reduce((sum, t) => sum + Math.exp(t - top), 0)) : top;
}

/** Where a falling function crosses 0, to the last bit; the end at which it is not above 0. */
export function rootOfFalling(f, low, high) {
  let [a, b] = [low, high];
  for (let i = 0; i < 200; i++) {
    const middle = (a + b) / 2;
    if (middle <= a || middle >= b) break;
    if (f(middle) > 0) a = middle;
    else b = middle;
  }
  return b;
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** The largest value of a function on an interval: a grid, then golden sections beside its best point. */
export function largest(f, low, high, points) {
  const at = (i) => low + ((high - low) * i) / (points - 1);
  let [best, top] = [0, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < points; i++) {
    const value = f(at(i));
    if (value > top) [best, top] = [i, value];
  }
  return Math.max(top, goldenTop(f, at(Math.max(best - 1, 0)), at(Math.min(best + 1, points - 1))));
}

/** The largest value that golden sections meet. */
function goldenTop(f, low, high) {
  let [a, b] = [low, high];
  let [c, d] = [b - GOLDEN * (b - a), a + GOLDEN * (b - a)];
  let [left, right] = [f(c), f(d)];
  let top = Math.max(left, right);
  for (let i = 0; i < 30; i++) {
    if (left < right) {
      [a, c, left] = [c, d, right];
      d = a + GOLDEN * (b - a);
      right = f(d);
    } else {
      [b, d, right] = [d, c, left];
      c = b - GOLDEN * (b - a);
      left = f(c);
    }
    top = Math.max(top, left, right);
  }
  return top;
}

/** Points of [-1, 1] and weights of the rule of Gauss and Legendre with 8 nodes. */
const NODES = [
  [0.1834346424956498, 0.362683783378362],
  [0.525532409916329, 0.3137066458778873],
  [0.7966664774136267, 0.2223810344533745],
  [0.9602898564975363, 0.1012285362903763],
].flatMap(([x, w]) => [
  [-x, w],
  [x, w],
]);

/** The logarithm of the integral of exp(f) over [low, high]. */
export function logIntegral(f, low, high, panels = 40) {
  const half = (high - low) / (2 * panels);
  const terms = [];
  for (let i = 0; i < panels; i++) {
    const middle = low + (2 * i + 1) * half;
    for (const [x, weight] of NODES) terms.push(f(middle + half * x) + Math.log(weight * half));
  }
  return logSum(...terms);
}

/** As many numbers at equal ratios. */
export const geometric = (low, high, count) =>
  Array.from({ length: count }, (_, i) => low * (high / low) ** (i / (count - 1)));

/** As many numbers at equal distances. */
export const evenly = (low, high, count) =>
  Array.from({ length: count }, (_, i) => low + ((high - low) * i) / (count - 1));
