/** Two normal classes, and private classifiers of them. */
import { backward, cholesky, dot, gram, norm, solve } from "./linear.mjs";
import { minimum } from "./logistic.mjs";
import { direction, stream } from "./random.mjs";
import { leastGamma, sketch } from "./sketches.mjs";
import { mean } from "./summary.mjs";

export const [ROWS, HELD_OUT, COLUMNS, DELTA] = [12_000, 10_000, 20, 1e-5];
export const RANGES = [4, 6, 10];
const [AWAY, MOST] = [1.5, 3];
/** Rows of that length become 1 in the units of the source, and longer ones too. */
const LONGEST = 6;

const names = Array.from({ length: COLUMNS }, (_, i) => `x${i}`);
/** Columns are divided by 3 √20: few rows are then longer than 0.45, and these are shortened. */
const TABLE = {
  unit: { protects: "person", rows: 1 },
  columns: names.map((name) => ({ name, use: "numeric", range: [-MOST, MOST], missing: "drop" })),
  label: { name: "label", use: "classes", levels: ["no", "yes"], missing: "drop" },
  rowNorm: 0.45,
  intercept: 0,
};

const MIXING = { name: "logistic-mixing", rows: ROWS };
const MINIMA = { name: "approximate-minima-perturbation", loss: "logistic", whiten: 0 };

export function made(seed, rows) {
  const random = stream(seed);
  const along = direction(random, COLUMNS);
  const all = Array.from({ length: rows + HELD_OUT }, () => {
    const label = random.uniform() < 0.5 ? -1 : 1;
    const x = along.map((one) => Math.min(MOST, Math.max(-MOST, label * AWAY * one + random.normal())));
    return { x, label };
  });
  const lines = all.slice(0, rows).map(({ x, label }) => [label > 0 ? "yes" : "no", ...x].join(","));
  return {
    random: stream(seed + 1000),
    trained: all.slice(0, rows),
    text: [["label", ...names].join(","), ...lines].join("\n"),
    heldOut: all.slice(rows),
  };
}

/** How many of the rows that are held out get their class, or that of another model. */
export const shareRight = ({ heldOut }, model, other) =>
  heldOut.filter(({ x, label }) => dot(x, model) * (other ? dot(x, other) : label) > 0).length /
  heldOut.length;

export const logLoss = ({ heldOut }, model) =>
  mean(heldOut.map(({ x, label }) => Math.log1p(Math.exp(-label * dot(x, model)))));

const asked = (algorithm, epsilon, seed) => ({
  table: TABLE,
  algorithm,
  budget: { epsilon, delta: DELTA },
  seed,
});

async function fitted(engine, { text }, algorithm, epsilon, seed) {
  const request = asked(algorithm, epsilon, seed);
  const { terms } = (await engine.fit(text, request)).coefficients;
  return terms.map(({ coefficient }) => coefficient);
}

/** The engine's models that differ in the parabola alone. */
export async function ofRanges(engine, table, epsilon, seed) {
  const found = [];
  for (const range of RANGES) found.push(await fitted(engine, table, { ...MIXING, range }, epsilon, seed));
  return found;
}

/**
 * Least squares on a sketch in the units of the source, rows and labels of length 1, and as large as the engine makes it:
 * multivariate t about a ridge regression.
 */
function sketched(engine, { trained, random }, epsilon) {
  const { sketchSize: size } = engine.plan(asked(MIXING, epsilon, 1)).parameters;
  const gamma = leastGamma((gamma) => engine.epsilon(sketch(size, gamma), DELTA).upper, epsilon);
  const variance = 2 * (gamma - 1);
  const rows = trained.map(({ x }) => {
    const length = Math.max(LONGEST, norm(x));
    return x.map((one) => one / length);
  });
  const factor = cholesky(gram(rows, variance));
  const moments = new Float64Array(COLUMNS);
  for (const [i, { label }] of trained.entries())
    for (let j = 0; j < COLUMNS; j++) moments[j] += label * rows[i][j];
  const centre = solve(factor, moments);
  const rest = trained.length + variance - dot(centre, moments);
  const chi = random.normals(size - COLUMNS + 1).reduce((sum, value) => sum + value * value, 0);
  const step = backward(factor, random.normals(COLUMNS));
  return centre.map((value, i) => value + Math.sqrt(rest / chi) * step[i]);
}

/** Models of least squares and of the logistic loss. */
export function withoutPrivacy({ trained }) {
  const features = trained.map(({ x }) => x);
  const labels = trained.map(({ label }) => label);
  const moments = new Float64Array(COLUMNS);
  for (const [i, x] of features.entries()) for (let j = 0; j < COLUMNS; j++) moments[j] += labels[i] * x[j];
  const { model } = minimum({ features, labels }, 1e-6, new Float64Array(COLUMNS));
  return [solve(cholesky(gram(features, 1e-6)), moments), model];
}

const byEngine = (algorithm) => (engine, table, epsilon, seed) =>
  fitted(engine, table, algorithm, epsilon, seed);
export const METHODS = [
  {
    name: "sketch as printed",
    colour: "accent",
    dash: "6 4",
    made: byEngine({ ...MIXING, accounting: "paper" }),
  },
  { name: "sketch, exactly", colour: "accent", made: byEngine(MIXING) },
  { name: "sketch, exactly, rows of length 1", colour: "green", made: sketched },
  {
    name: "objective perturbation of the source",
    colour: "rose",
    dash: "6 4",
    made: byEngine({ ...MINIMA, accounting: "paper" }),
  },
  { name: "objective perturbation, exactly", colour: "rose", made: byEngine(MINIMA) },
  {
    name: "noisy Newton steps",
    colour: "violet",
    made: byEngine({ name: "noisy-newton", loss: "logistic" }),
  },
];
