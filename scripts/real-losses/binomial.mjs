/** Bounds of a probability from a count (Clopper and Pearson 1934). */

/** The probability of at least `count` successes of `runs`, each of that probability. */
export function atLeast(count, runs, probability) {
  if (count === 0) return 1;
  let [log, sum] = [runs * Math.log1p(-probability), 0];
  for (let k = 0; k <= runs; k++) {
    if (k >= count) sum += Math.exp(log);
    log += Math.log((runs - k) / (k + 1)) + Math.log(probability) - Math.log1p(-probability);
  }
  return sum;
}

/** The largest probability of which so many failures would still be that rare: what it certainly is not below. */
export function leastProbability(count, runs, level) {
  if (count === 0) return 0;
  let [low, high] = [0, count / runs];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (atLeast(count, runs, middle) < level) low = middle;
    else high = middle;
  }
  return low;
}
