/** Objective perturbation of logistic regression, to the exact minimum: classes are −1 and 1. */
import { cholesky, dot, gram, norm, plus, solve } from "./linear.mjs";

const likelihood = (margin) =>
  margin > 0 ? Math.log1p(Math.exp(-margin)) : Math.log1p(Math.exp(margin)) - margin;
const sigmoid = (u) => 1 / (1 + Math.exp(-u));

/** First and second derivative of log(1 + exp(−yu)) in u. */
export function derivatives(u, y) {
  const wrong = sigmoid(-y * u);
  return [-y * wrong, wrong * (1 - wrong)];
}

/** Value, gradient and curvatures of the objective without its random linear term. */
function objective({ features, labels }, lambda, model) {
  const gradient = model.map((value) => lambda * value);
  const curvatures = new Float64Array(labels.length);
  let value = (lambda * dot(model, model)) / 2;
  features.forEach((x, i) => {
    const u = dot(x, model);
    const [first, second] = derivatives(u, labels[i]);
    value += likelihood(labels[i] * u);
    curvatures[i] = second;
    for (let j = 0; j < x.length; j++) gradient[j] += first * x[j];
  });
  return { value, gradient, curvatures };
}

/**
 * The minimum of the losses, λ‖θ‖²/2 and noise'θ: Newton's steps, halved until the objective falls. Answers the model, and
 * the gradient and the Hessian there of the objective without noise.
 */
export function minimum(table, lambda, noise) {
  let model = new Float64Array(noise.length);
  let here = objective(table, lambda, model);
  for (let step = 0; step < 100; step++) {
    const gradient = plus(here.gradient, noise);
    const hessian = gram(table.features, lambda, here.curvatures);
    if (norm(gradient) < 1e-9 * Math.max(1, norm(noise))) return { model, gradient: here.gradient, hessian };
    const change = solve(cholesky(hessian), gradient);
    const value = here.value + dot(noise, model);
    for (let size = -1; ; size /= 2) {
      const next = plus(model, change, size);
      const there = objective(table, lambda, next);
      const gained = value - there.value - dot(noise, next);
      if (gained >= -1e-12 * Math.abs(value) || size > -1e-9) {
        [model, here] = [next, there];
        break;
      }
    }
  }
  throw new Error("no minimum within 100 steps");
}

/** Gradient and Hessian, without noise, at any model. */
export function at(table, lambda, model) {
  const { gradient, curvatures } = objective(table, lambda, model);
  return { model, gradient, hessian: gram(table.features, lambda, curvatures) };
}

export const shareWrong = ({ features, labels }, model) =>
  features.filter((x, i) => dot(x, model) * labels[i] <= 0).length / labels.length;
