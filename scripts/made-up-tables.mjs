/** Tables of 20 numbers and a label that nobody has, well scaled or badly. */

import { dice } from "./compare/dice.mjs";

/** Repeatable numbers in (0, 1), and normal ones. */
function random(seed) {
  const { share } = dice(seed);
  const uniform = () => share() + 2 ** -33;
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

const COLUMNS = 20;
const EXPLAINED = 0.7;
const SPREAD = 0.3;
/** The standard deviation of the logistic distribution. */
const LOGISTIC_DEVIATION = Math.PI / Math.sqrt(3);

const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

/** Random directions at right angles. */
function directions(normal) {
  const all = [];
  while (all.length < COLUMNS) {
    let next = Array.from({ length: COLUMNS }, normal);
    for (const one of all) {
      const along = dot(one, next);
      next = next.map((value, i) => value - along * one[i]);
    }
    const length = Math.sqrt(dot(next, next));
    all.push(next.map((value) => value / length));
  }
  return all;
}

const numeric = { use: "numeric", range: [-1, 1], missing: "drop" };
const names = Array.from({ length: COLUMNS }, (_, i) => `x${i + 1}`);
const LABELS = {
  numbers: { name: "y", ...numeric },
  classes: { name: "y", use: "classes", levels: ["no", "yes"], missing: "drop" },
};

/** How tables of that label are declared; their first line. */
export const declared = (of) => ({
  ...{ unit: { protects: "person", rows: 1 }, rowNorm: 1 },
  ...{ columns: names.map((name) => ({ name, ...numeric })), label: LABELS[of] },
});
export const header = [...names, "y"].join(",");

/**
 * Rows of columns from -1 to 1 that are off the middle by `offCentre`, whose widest direction is `conditioning` times the
 * narrowest, and of a label that hangs on all directions alike: `EXPLAINED` of the variance of a number, and a class by the
 * logistic model of as much.
 */
export function madeUp(of, rows, { offCentre, conditioning }, seed) {
  const { uniform, normal } = random(seed);
  const turned = directions(normal);
  const sizes = Array.from({ length: COLUMNS }, (_, j) => conditioning ** (-j / (COLUMNS - 1)));
  const typical = Math.sqrt(dot(sizes, sizes) / COLUMNS);
  const centres = sizes.map(() => (uniform() < 0.5 ? -offCentre : offCentre));
  const weights = sizes.map(normal);
  const length = Math.sqrt(dot(weights, weights));
  return Array.from({ length: rows }, () => {
    const z = Array.from({ length: COLUMNS }, normal);
    const cells = centres.map((centre, i) => {
      const spread = z.reduce((sum, value, j) => sum + (value * sizes[j] * turned[j][i]) / typical, 0);
      return Math.max(-1, Math.min(1, centre + SPREAD * spread)).toFixed(6);
    });
    const signal = dot(z, weights) / length;
    const logit = Math.sqrt(EXPLAINED / (1 - EXPLAINED)) * LOGISTIC_DEVIATION * signal;
    const number = SPREAD * (Math.sqrt(EXPLAINED) * signal + Math.sqrt(1 - EXPLAINED) * normal());
    const isYes = uniform() < 1 / (1 + Math.exp(-logit));
    return [...cells, of === "numbers" ? number.toFixed(6) : isYes ? "yes" : "no"].join(",");
  });
}
