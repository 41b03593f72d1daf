/** How precise one sample of a ridge posterior may be, by the engine's exact pairs of normal laws. */

/** δ of a row that joins and of one that leaves; `leverage` C²/(λ + l) bounds both, `most` the one of a row that is there. */
function worst(engine, epsilon, { leverage, most, size }, precision) {
  const about = "posterior-sample";
  const residual = Math.sqrt(precision) * size;
  // A smaller leverage may cost more at the same residual; with as much more of it, none does.
  const joins = { about, epsilon, leverage, residual: residual * Math.sqrt(1 + leverage) };
  const rest = 1 - most;
  // Beyond what the pairs take all is told.
  if (!(residual / rest <= 1e5)) return 1;
  const leaves = { about, epsilon, leverage: most / rest, residual: residual / rest };
  return Math.max(engine.perInstance(joins).deltaAdd.upper, engine.perInstance(leaves).deltaRemove.upper);
}

/**
 * The largest precision that keeps (ε, δ) where rows have length 1, no eigenvalue of the sums is below `floor`, and no label is further
 * than `size` from its prediction; 0 where none does.
 */
export function largestPrecision(engine, { epsilon, delta, lambda, floor, size }) {
  const bound = {
    leverage: 1 / (lambda + floor),
    most: Math.min(1 / (lambda + floor), 1 / (1 + lambda)),
    size,
  };
  let [low, high] = [Math.log(1e-6), Math.log(1e6)];
  if (worst(engine, epsilon, bound, Math.exp(low)) > delta) return 0;
  while (high - low > 1e-5) {
    const middle = (low + high) / 2;
    if (worst(engine, epsilon, bound, Math.exp(middle)) > delta) high = middle;
    else low = middle;
  }
  return Math.exp(low);
}

/**
 * What Redberg 2023, Theorem 3.6.1, says instead, as Wang 2018 has it: √(γL² log(2/δ)/λ*) + γL²/(2(λ* + 1)) + (1 + log(2/δ))/(2λ*)
 * is ε at most. No bound: of P(|z| > √(2 log(2/δ))) <= δ the 2 is missing, twice.
 */
export function printedPrecision({ epsilon, delta, lambda, floor, size }) {
  const [strength, tail] = [lambda + floor, Math.log(2 / delta)];
  const left = epsilon - (1 + tail) / (2 * strength);
  if (!(left > 0)) return 0;
  const [square, linear] = [size ** 2 / (2 * (strength + 1)), size * Math.sqrt(tail / strength)];
  return ((2 * left) / (linear + Math.sqrt(linear ** 2 + 4 * square * left))) ** 2;
}

/** δ of a sample with that precision for a row that joins. */
export function sampleDelta(engine, { epsilon, lambda, floor, size }, precision) {
  const residual = Math.sqrt(precision) * size;
  const asked = { about: "posterior-sample", epsilon, leverage: 1 / (lambda + floor), residual };
  return engine.perInstance(asked).deltaAdd.upper;
}
