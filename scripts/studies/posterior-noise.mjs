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
