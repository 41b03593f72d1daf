/** Made-up tables, each from a seed: rows of length at most 1, and labels. */
import { dot, norm } from "./linear.mjs";
import { direction, stream } from "./random.mjs";

const many = (count, make) => Array.from({ length: count }, make);

/** Directions at random, and labels x'θ + 0.3 N cut to [-1, 1]. */
export function linearTable(rows, dimension, seed) {
  const random = stream(seed);
  const truth = direction(random, dimension);
  const features = many(rows, () => direction(random, dimension));
  const labels = features.map((x) => Math.min(1, Math.max(-1, dot(x, truth) + 0.3 * random.normal())));
  return { features, labels };
}

/** Directions at random, classes by the side of a plane. */
export function separableTable(rows, dimension, seed) {
  const random = stream(seed);
  const truth = direction(random, dimension);
  const features = many(rows, () => direction(random, dimension));
  return { features, labels: features.map((x) => (dot(x, truth) > 0 ? 1 : -1)) };
}

/** Points of the unit disc, at least `margin` off the vertical axis, classes by its sides. */
export function discTable(rows, margin, seed) {
  const random = stream(seed);
  const features = [];
  while (features.length < rows) {
    const point = Float64Array.of(2 * random.uniform() - 1, 2 * random.uniform() - 1);
    if (norm(point) <= 1 && Math.abs(point[0]) >= margin) features.push(point);
  }
  return { features, labels: features.map(([x]) => (x > 0 ? 1 : -1)) };
}

/** Every row brought to length 1, and the quarter of largest scores positive. */
function oneInFour(raw, scores) {
  const bar = [...scores].sort((a, b) => b - a)[Math.floor(scores.length / 4)];
  const features = raw.map((x) => {
    const length = norm(x);
    return x.map((value) => value / length);
  });
  return { features, labels: scores.map((score) => (score > bar ? 1 : -1)) };
}

/**
 * Like a table of credits: skewed amounts that hang together, one row in four positive, by a model that explains part of
 * it. A constant is the last feature, and every row is brought to length 1.
 */
export function creditTable(rows, dimension, seed) {
  const random = stream(seed);
  const truth = direction(random, dimension - 1);
  const raw = many(rows, () => {
    const common = random.normal();
    return Float64Array.from({ length: dimension - 1 }, (_, i) =>
      i % 2 === 0 ? 0.6 * common + 0.8 * random.normal() : Math.exp(0.5 * random.normal()) - 1.13,
    );
  });
  const scores = raw.map((x) => dot(x, truth) + 0.7 * random.normal());
  return oneInFour(
    raw.map((x) => Float64Array.from([...x, 1])),
    scores,
  );
}

/**
 * Normal numbers, no constant, every row brought to length 1; one row in four positive, by a plane and `chance` times as much
 * that no number tells.
 */
export function normalTable(rows, dimension, chance, seed) {
  const random = stream(seed);
  const truth = direction(random, dimension);
  const raw = many(rows, () => random.normals(dimension));
  const scores = raw.map((x) => dot(x, truth) + chance * random.normal());
  return oneInFour(raw, scores);
}
