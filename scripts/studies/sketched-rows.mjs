/** Regressions of made-up rows by private sketches and by noisy sums, and their errors on rows that were held out. */
import { backward, cholesky, dot, gram, norm, smallestEigenvalue, solve } from "./linear.mjs";
import { direction, stream } from "./random.mjs";
import { byOrders, gammaBeside, leastGamma, sketch, withEigenvalue } from "./sketches.mjs";
import { geometric, upperQuantile } from "./special.mjs";
import { mean, most } from "./summary.mjs";

export const [ROWS, DIMENSION, SIZE] = [8192, 512, 1280];
const HELD_OUT = 2048;
export const DELTA = 1 / ROWS ** 2;
export const EPSILONS = geometric(10 ** -1.2, 10 ** 1.5, 6);
/** Lengths of rows and labels are at most 1, so that a row moves a square of the table by at most 2. */
const MOVED = 2;

const axis = (random) => direction(random, DIMENSION);

/** Four orthogonal directions. */
function basis(random) {
  const found = [];
  while (found.length < 4) {
    const next = axis(random);
    for (const one of found) {
      const along = dot(one, next);
      next.forEach((_, i) => {
        next[i] -= along * one[i];
      });
    }
    const size = norm(next);
    found.push(next.map((value) => value / size));
  }
  return found;
}

const combined = (directions, weights) =>
  directions[0].map((_, i) => directions.reduce((sum, one, j) => sum + weights[j] * one[i], 0));

const sigmoid = (value) => 1 / (1 + Math.exp(-value));
function layer(random, inputs, outputs) {
  const weights = Array.from({ length: outputs }, () => random.normals(inputs));
  const biases = random.normals(outputs).map((value) => value / 1000);
  return (x) => biases.map((bias, i) => sigmoid(dot(weights[i], x) + bias));
}

/** Kinds of rows: how one is drawn, and the directions among which the model is. */
const KINDS = {
  gaussian: (random) => {
    const directions = basis(random);
    return { draw: () => combined(directions, random.normals(4)), directions };
  },
  uniform: (random) => ({
    draw: () => Float64Array.from({ length: DIMENSION }, () => 2 * random.uniform() - 1),
  }),
  layers: (random) => {
    const [first, second] = [layer(random, 2, 100), layer(random, 100, DIMENSION)];
    return { draw: () => second(first(random.normals(2))) };
  },
};

/**
 * A table, as sums of squares of rows with their labels, and rows held out. Rows are divided by the longest; labels are x·θ with
 * noise, divided by the largest if that is above 1. `inside` says whether θ lies where the rows do, `divided` whether x is a row
 * after its division.
 */
export function made(kind, seed, { inside = false, divided = false } = {}) {
  const random = stream(3000 + seed);
  const { draw, directions } = KINDS[kind](random);
  const truth = inside ? combined(directions, direction(random, 4)) : axis(random);
  const rows = Array.from({ length: ROWS + HELD_OUT }, draw);
  const trained = (values) => values.slice(0, ROWS);
  const longest = most(trained(rows).map(norm));
  const labels = rows.map((x) => dot(x, truth) / (divided ? longest : 1) + 0.1 * (2 * random.uniform() - 1));
  const largest = Math.max(1, most(trained(labels).map(Math.abs)));
  const all = rows.map((x, i) => {
    const row = new Float64Array(DIMENSION + 1);
    for (let j = 0; j < DIMENSION; j++) row[j] = x[j] / longest;
    row[DIMENSION] = labels[i] / largest;
    return row;
  });
  const sums = gram(trained(all), 0);
  const factor = cholesky(sums);
  return {
    random,
    largest,
    heldOut: all.slice(ROWS),
    squares: block(sums),
    moments: sums.slice(DIMENSION * (DIMENSION + 1), -1),
    labels: sums[sums.length - 1],
    // Of rows with their labels; 0 where they span less than the space.
    least: factor ? smallestEigenvalue(factor).value : 0,
  };
}

function block(sums) {
  const found = new Float64Array(DIMENSION * DIMENSION);
  for (let i = 0; i < DIMENSION; i++)
    found.set(sums.subarray(i * (DIMENSION + 1), i * (DIMENSION + 1) + DIMENSION), i * DIMENSION);
  return found;
}

function raised(matrix, amount) {
  const found = Float64Array.from(matrix);
  for (let i = 0; i < DIMENSION; i++) found[i * (DIMENSION + 1)] += amount;
  return found;
}

/** The mean squared error of models on the rows that were held out. */
export const error = ({ heldOut }, models) =>
  mean(models.map((model) => mean(heldOut.map((row) => (row[DIMENSION] - dot(model, row)) ** 2))));

const leastSquares = ({ squares, moments }) => [solve(cholesky(raised(squares, 1e-6)), moments)];

/**
 * Least squares on sketches with noise of this variance: multivariate t about the ridge regression with it. Several, because
 * they cost little once the table is factored.
 */
function sketched({ random, squares, moments, labels }, variance) {
  const factor = cholesky(raised(squares, variance));
  const centre = solve(factor, moments);
  const rest = labels + variance - dot(centre, moments);
  return Array.from({ length: 8 }, () => {
    const chi = random.normals(SIZE - DIMENSION + 1).reduce((sum, value) => sum + value * value, 0);
    const step = backward(factor, random.normals(DIMENSION));
    return centre.map((value, i) => value + Math.sqrt(rest / chi) * step[i]);
  });
}

/** Symmetric noise: of variance 1 on the diagonal, `beside` beside it. */
function noisy(random, squares, scale, beside) {
  const found = Float64Array.from(squares);
  for (let i = 0; i < DIMENSION; i++) {
    found[i * (DIMENSION + 1)] += scale * random.normal();
    for (let j = 0; j < i; j++) {
      const noise = scale * Math.sqrt(beside) * random.normal();
      found[i * DIMENSION + j] += noise;
      found[j * DIMENSION + i] += noise;
    }
  }
  return found;
}

/** Noisy sums, with as much more on the diagonal as `lift` says of the noisy squares. */
function summed({ random, squares, moments, least }, scale, beside, lift) {
  const sums = noisy(random, squares, scale, beside);
  const noisyMoments = moments.map((value) => value + scale * random.normal());
  return [solve(cholesky(raised(sums, lift(sums, least, random))), noisyMoments)];
}

/** By a third release, of the least eigenvalue; the noise’s own is above it but for the probability ρ. */
const byEigenvalue = (scale, margin, failure) => (_, least, random) =>
  Math.max(
    0,
    scale * Math.sqrt(DIMENSION * Math.log((2 * DIMENSION ** 2) / failure)) -
      Math.max(0, least + scale * random.normal() - margin),
  );

/** By the noisy squares alone: their least eigenvalue becomes one and a half times the largest of the noise. */
function byItself(scale) {
  const safe = 1.5 * scale * Math.sqrt(2 * DIMENSION);
  return (sums) => Math.max(0, 2 * safe - smallestEigenvalue(cholesky(raised(sums, safe))).value);
}

/** Sheffet 2017, Algorithm 1, for one row more or less: half of ε is left to the test of the least eigenvalue. */
function bound(epsilon) {
  const tail = Math.log(8 / DELTA);
  return (4 / epsilon) * (Math.sqrt(2 * SIZE * tail) + 2 * tail);
}

/** γ by every account of a sketch. */
export const accounts = (engine, epsilon) => ({
  printed: leastGamma((gamma) => withEigenvalue(SIZE, gamma, DELTA), epsilon),
  beside: gammaBeside(engine, SIZE, epsilon, DELTA),
  exact: leastGamma((gamma) => engine.epsilon(sketch(SIZE, gamma), DELTA).upper, epsilon),
  older: bound(epsilon),
  lemma: leastGamma((gamma) => byOrders(SIZE, gamma, DELTA), epsilon / 2),
});

/** AdaSSP as printed; with exact noise, the same in all directions; and without the release of an eigenvalue. */
export function summations(engine, epsilon) {
  const tail = Math.log(6 / DELTA);
  const classic = Math.sqrt(tail) * (3 / epsilon);
  const unit = { kind: "gaussian", sigma: 1, sensitivity: 1 };
  const sigma = engine.calibrate(unit, "sigma", { epsilon, delta: DELTA }).value;
  const [three, two] = [Math.sqrt(3) * sigma, Math.SQRT2 * sigma];
  return {
    printed: (failure) => (table) =>
      summed(table, classic, 1, byEigenvalue(classic, tail * (3 / epsilon), failure)),
    three: (failure) => (table) => summed(table, three, 0.5, byEigenvalue(three, 0, failure)),
    two: (table) => summed(table, two, 0.5, byItself(two)),
  };
}

/** Models of a table by every method, with γ of the accounts. */
export function methods(engine, epsilon, { printed, beside, exact, older, lemma }) {
  const released = (gamma, margin, floor) => (table) => {
    const { random, least } = table;
    const eigenvalue = least / MOVED - (gamma / Math.sqrt(SIZE)) * (margin - random.normal());
    return sketched(table, MOVED * Math.max(0, gamma - Math.max(floor, eigenvalue)));
  };
  const tested = (gamma) => (table) => {
    const { random, least } = table;
    const laplace = Math.log(random.uniform()) - Math.log(random.uniform());
    const needed = gamma + (4 / epsilon) * (laplace + Math.log(1 / DELTA));
    return sketched(table, least > MOVED * needed ? 0 : MOVED * gamma);
  };
  const { printed: sums, three, two } = summations(engine, epsilon);
  return [
    leastSquares,
    released(printed, Math.sqrt(2 * Math.log(3 / DELTA)), 0),
    released(beside, upperQuantile(DELTA / 10), 1),
    (table) => sketched(table, MOVED * (exact - 1)),
    tested(older),
    tested(lemma),
    sums(1e-10),
    three(1e-10),
    two,
  ];
}
