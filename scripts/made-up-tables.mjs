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
const EXPLAINED = 0.5;

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

/**
 * Columns from -1 to 1 that are off the middle by `offCentre`, whose widest direction is `conditioning` times the narrowest, and a
 * label that hangs on all directions alike: half of its variance is explained.
 */
export function madeUp(title, rows, { offCentre, conditioning }) {
  const { uniform, normal } = random(rows + conditioning);
  const turned = directions(normal);
  const sizes = Array.from({ length: COLUMNS }, (_, j) => conditioning ** (-j / (COLUMNS - 1)));
  const typical = Math.sqrt(dot(sizes, sizes) / COLUMNS);
  const centres = sizes.map(() => (uniform() < 0.5 ? -offCentre : offCentre));
  const weights = sizes.map(normal);
  const length = Math.sqrt(dot(weights, weights));
  const isOfClasses = title.startsWith("classes");
  const lines = Array.from({ length: rows }, () => {
    const z = Array.from({ length: COLUMNS }, normal);
    const cells = centres.map((centre, i) => {
      const spread = z.reduce((sum, value, j) => sum + (value * sizes[j] * turned[j][i]) / typical, 0);
      return Math.max(-1, Math.min(1, centre + 0.3 * spread)).toFixed(6);
    });
    const signal = Math.sqrt(EXPLAINED) * (dot(z, weights) / length) + Math.sqrt(1 - EXPLAINED) * normal();
    return [...cells, isOfClasses ? (signal > 0 ? "yes" : "no") : (signal / 3).toFixed(6)].join(",");
  });
  const names = sizes.map((_, i) => `x${i + 1}`);
  const label = isOfClasses
    ? { name: "y", use: "classes", levels: ["no", "yes"], missing: "drop" }
    : { name: "y", use: "numeric", range: [-1, 1], missing: "drop" };
  const columns = names.map((name) => ({ name, use: "numeric", range: [-1, 1], missing: "drop" }));
  return {
    title: `${title}, ${rows} × ${COLUMNS + 1}`,
    table: { unit: { protects: "person", rows: 1 }, columns, label, rowNorm: 1 },
    lines: [[...names, "y"].join(","), ...lines],
  };
}
