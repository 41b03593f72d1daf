/** Losses of single rows in ridge regression, exactly, from Wang 2019, Lemma 13, and Theorem 14 corrected. */
import { epsilonOf, gaussianEpsilon, twoGaussians } from "./gaussian.mjs";
import { cholesky, dot, forward, gram, norm, plus, smallestEigenvalue, solve } from "./linear.mjs";
import { direction, stream } from "./random.mjs";
import { geometric, largest } from "./special.mjs";

export function ridge({ features, labels }, lambda) {
  const matrix = gram(features, lambda);
  const factor = cholesky(matrix);
  const moments = new Float64Array(features[0].length);
  features.forEach((x, i) => {
    for (let j = 0; j < x.length; j++) moments[j] += labels[i] * x[j];
  });
  return { factor, model: solve(factor, moments) };
}

/** Of each row of the table, without it: leverage, residual, and how far it moves the model. */
export function influences({ features, labels }, { factor, model }) {
  return features.map((x, i) => {
    const half = forward(factor, x);
    const inside = dot(half, half);
    const residual = labels[i] - dot(x, model);
    return {
      leverage: inside / (1 - inside),
      residual: residual / (1 - inside),
      // H'⁻¹x r, with H' of the whole table and r of the model without the row.
      move: (norm(solve(factor, x)) * Math.abs(residual)) / (1 - inside),
    };
  });
}

/** The largest move that any row of length and label at most 1 would cause when added, as far as a climb finds it. */
function addedMove({ factor, model }, seed) {
  const random = stream(seed);
  const move = (x) =>
    (norm(solve(factor, x)) * (1 + Math.abs(dot(x, model)))) / (1 + dot(x, solve(factor, x)));
  const unit = (x) => x.map((value) => value / norm(x));
  const starts = [smallestEigenvalue(factor).vector, unit(model)];
  return Math.max(
    ...starts.map((start) => {
      let [best, top] = [start, move(start)];
      for (const step of geometric(1, 1e-4, 1500)) {
        const next = unit(plus(best, direction(random, start.length), step));
        const value = move(next);
        if (value > top) [best, top] = [next, value];
      }
      return top;
    }),
  );
}

/** What no row can exceed: (1 + ‖θ‖)/(1 + h) when added, h the smallest eigenvalue, if that is at least 1. */
const boundOfAdded = ({ factor, model }) => (1 + norm(model)) / (1 + smallestEigenvalue(factor).value);

/** The largest move by one row, in the table or not: as found, and certified. */
export function largestMove(table, fit) {
  const inside = Math.max(...influences(table, fit).map(({ move }) => move));
  return { found: Math.max(inside, addedMove(fit, 1)), bound: Math.max(inside, boundOfAdded(fit)) };
}

/** The largest move over tables of so many rows and lambda = 1: certified, and by rows u/√n that all say the same. */
export const worstMove = (rows) => ({
  bound: (1 + Math.sqrt(rows) / 2) / 2,
  attained: largest((u) => (1 + (Math.sqrt(rows) * u) / (u * u + 1)) / (u * u + 2), 0, 3, 300),
});

export const outputLoss = (move, sigma, delta) => gaussianEpsilon(move / sigma, delta);

/** δ of one posterior sample for a row of this leverage and residual, at temperature 1/gamma. */
export function sampleDelta(epsilon, { leverage, scaled }) {
  const without = [scaled, Math.sqrt(leverage)];
  const within = [scaled / (1 + leverage), Math.sqrt(leverage / (1 + leverage))];
  return Math.max(twoGaussians(epsilon, without, within), twoGaussians(epsilon, within, without));
}

export function sampleLoss({ leverage, residual }, gamma, delta) {
  const scaled = Math.sqrt(gamma) * Math.abs(residual);
  const most = 10 + 2 * tailBound({ leverage, residual }, gamma, delta);
  return epsilonOf((epsilon) => sampleDelta(epsilon, { leverage, scaled }), delta, most);
}

/** Theorem 14, corrected: tails of both laws, and the factor 2 under the root. */
export function tailBound({ leverage: mu, residual }, gamma, delta) {
  const [scaled, tail] = [Math.sqrt(gamma) * Math.abs(residual), Math.log(2 / delta)];
  const moved = (mu * scaled ** 2) / (1 + mu);
  const first = Math.abs(moved - Math.log1p(mu)) / 2 + mu * tail + scaled * Math.sqrt(2 * mu * tail);
  const second =
    (Math.log1p(mu) + moved / (1 + mu)) / 2 + (scaled / (1 + mu)) * Math.sqrt((2 * mu * tail) / (1 + mu));
  return Math.max(first, second);
}

/** Equation (8) as it is printed, by leverage and residual inside the table: not a bound. */
export function printedBound({ leverage, residual }, gamma, delta) {
  const [mu, r] = [leverage / (1 + leverage), residual / (1 + leverage)];
  const tail = Math.log(2 / delta);
  const log = Math.abs(-Math.log1p(-mu) - (gamma * mu * r * r) / (1 - mu)) / 2;
  return log + (mu * tail) / 2 + Math.sqrt(gamma * mu * tail) * Math.abs(r);
}
