/** Accounts of a Gaussian sketch of `size` rows at γ: the smallest eigenvalue with the noise's variance, by what a row moves it by. */
import { geometric, rootOfFalling } from "./special.mjs";

export const sketch = (sketchSize, gamma) => ({ kind: "gaussian-mixing", sketchSize, gamma });

/** The bound of Sheffet 2019: the formula that gives the expected numbers, not read in that paper. */
export function older(size, gamma, delta) {
  const tail = Math.log(4 / delta);
  return (2 * Math.sqrt(2 * size * tail) + 2 * tail) / gamma;
}

/** Lev et al. 2025, Lemma 1 and Proposition 1: Canonne, Kamath and Steinke 2020, Proposition 12, at orders below γ. */
export function byOrders(size, gamma, delta) {
  const levels = geometric(1e-4, gamma - 1, 4000)
    .slice(0, -1)
    .map((t) => {
      const order = 1 + t;
      const divergence = ((size / 2) * (order * Math.log1p(-1 / gamma) - Math.log1p(-order / gamma))) / t;
      return divergence - (Math.log(delta) + t * Math.log1p(1 / t) + Math.log(order)) / t;
    });
  return Math.min(...levels);
}

/** Their Theorem 1: beside a released eigenvalue with noise γ / √k in those units; Gaussian noise by its classic formula. */
export const withEigenvalue = (size, gamma, delta) =>
  Math.sqrt(2 * Math.log(3.75 / delta) * size) / gamma + byOrders(size, gamma, delta / 3);

/** γ at which an account says ε. */
export const leastGamma = (account, epsilon) =>
  Math.exp(rootOfFalling((log) => account(Math.exp(log)) - epsilon, 0.1, 20));

/** A sketch beside a released eigenvalue, whose noise in units of what a row moves it by is γ / √k. */
export const beside = (size, gamma) => ({
  kind: "composition",
  of: [
    { mechanism: sketch(size, gamma), count: 1 },
    { mechanism: { kind: "gdp", mu: Math.sqrt(size) / gamma }, count: 1 },
  ],
});

/** The least γ of both, where the bound of the eigenvalue fails with a tenth of δ. */
export function gammaBeside(engine, size, epsilon, delta) {
  const cost = (gamma) => engine.delta(beside(size, gamma), epsilon).upper;
  return Math.exp(rootOfFalling((log) => Math.log(cost(Math.exp(log)) / (0.9 * delta)), 1, 10));
}
