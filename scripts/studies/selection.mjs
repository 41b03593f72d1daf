/** Noise of a sampled Gaussian, repeated, when one run is released, and when the best of a random number of runs is. */
import { deltaAtOrder } from "./objective-renyi.mjs";

const ORDERS = [2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024];

export const repeated = ({ rate, steps }, noiseMultiplier) => ({
  kind: "composition",
  of: [
    {
      mechanism: {
        kind: "subsampled",
        sampling: "poisson",
        rate,
        of: { kind: "gaussian", sigma: noiseMultiplier, sensitivity: 1 },
      },
      count: steps,
    },
  ],
});

const leastDelta = (divergences, epsilon) =>
  Math.min(...ORDERS.map((order, i) => deltaAtOrder(order, () => divergences[i], epsilon)));

/** Papernot and Steinke 2021, Theorem 6: as many runs as a Poisson number of this mean, the best by any score. */
function selected(divergences, mean) {
  return ORDERS.map((order, i) => {
    const failure = Math.min(1, leastDelta(divergences, Math.log1p(1 / (order - 1))));
    return divergences[i] + mean * failure + Math.log(mean) / (order - 1);
  });
}

/** The least noise multiplier that keeps (ε, δ) by Rényi divergences; `runs` is the mean number of runs, if they are paid. */
export function leastMultiplier(engine, training, { epsilon, delta, runs }) {
  const above = (log) => {
    const divergences = [...engine.renyi(repeated(training, Math.exp(log)), ORDERS)];
    return leastDelta(runs ? selected(divergences, runs) : divergences, epsilon) - delta;
  };
  let [low, high] = [Math.log(0.3), Math.log(2000)];
  while (high - low > 1e-4) {
    const middle = (low + high) / 2;
    if (above(middle) > 0) low = middle;
    else high = middle;
  }
  return Math.exp(high);
}
