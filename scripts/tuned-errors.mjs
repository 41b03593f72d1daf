/**
 * Prints a table of test errors of algorithms on adult.csv with parameters left alone, tuned
 * honestly, and tuned without paying. node scripts/tuned-errors.mjs folder seeds algorithm, where the folder holds adult.csv
 * (docs/private-models.md says where to get it); of all algorithms where none is named. Every noise is seeded, so the table
 * can be made again.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { open } from "../dist/node/engine.js";
import { meanError, split } from "./held-out.mjs";
import { root } from "./tools.mjs";

const [folder = ".", count = "10", only = ""] = process.argv.slice(2);
const SEEDS = Array.from({ length: Number(count) }, (_, i) => i + 1);
const EPSILONS = [0.1, 1, 8];
const DELTA = 1e-5;

/** Walks through the table in every step, so that it gets a part of it and few steps. */
const descent = { name: "dp-sgd", loss: "logistic", rows: 6500, steps: 20 };
const minima = { name: "approximate-minima-perturbation", loss: "logistic", whiten: 0 };
const output = { name: "output-perturbation", loss: "logistic" };

const several = (key, values) => values.map((value) => ({ [key]: value }));

/** `algorithm` is also what is run where nothing is tuned; `every`: that row of the training part only, to save time. */
const CASES = [
  {
    title: "`output-perturbation`, λ",
    algorithm: { ...output, lambda: 256 },
    candidates: several("lambda", [64, 256, 1024, 4096]),
  },
  {
    title: "`approximate-minima-perturbation`, λ",
    algorithm: minima,
    candidates: several("lambda", [64, 256, 1024, 4096]),
  },
  {
    title: "`dp-sgd`, learning rate",
    algorithm: descent,
    every: 4,
    candidates: several("learningRate", [0.5, 2, 8, 32]),
  },
];

const engine = await open();
const text = readFileSync(join(folder, "adult.csv"), "utf8");
const { table } = JSON.parse(readFileSync(join(root, "docs", "examples", "adult.json"), "utf8"));
const { training, seen, heldOut } = split(text, table);

/** Every so-manyth row of the training part. */
function thinned(every) {
  const [header, ...lines] = training.split("\n");
  return [header, ...lines.filter((_, i) => i % every === 0)].join("\n");
}

const percent = (model, rows) => 100 * meanError(table, model, rows);

async function fitted(rows, algorithm, epsilon, seed, tune) {
  const request = { table, algorithm, budget: { epsilon, delta: DELTA }, seed, ...(tune && { tune }) };
  const { coefficients, epsilon: price } = await engine.fit(rows, request);
  if (!(price.upper <= epsilon * (1 + 1e-6))) throw new Error(`${algorithm.name} is above its budget`);
  return coefficients;
}

/** Each candidate with the whole budget, the best by the rows that they were fitted to: not private. */
async function unpaid({ rows, algorithm, candidates }, epsilon, seed) {
  let [best, least] = [undefined, Number.POSITIVE_INFINITY];
  for (const [i, candidate] of candidates.entries()) {
    const model = await fitted(rows, { ...algorithm, ...candidate }, epsilon, seed * candidates.length + i);
    const error = percent(model, seen);
    if (error < least) [best, least] = [model, error];
  }
  return best;
}

async function measured(made) {
  const errors = [];
  for (const seed of SEEDS) errors.push(percent(await made(seed), heldOut));
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  const squares = errors.reduce((sum, error) => sum + (error - mean) ** 2, 0);
  return `${mean.toFixed(1)} ± ${Math.sqrt(squares / (errors.length - 1)).toFixed(1)}`;
}

console.log(
  `| algorithm, what is tuned | ${EPSILONS.map((epsilon) => `ε = ${epsilon} | tuned | not paid`).join(" | ")} |`,
);
console.log(`| ${"--- | ".repeat(3 * EPSILONS.length)}--- |`);
for (const asked of CASES.filter(({ algorithm }) => algorithm.name.includes(only))) {
  const one = { ...asked, rows: thinned(asked.every ?? 1) };
  const cells = [];
  for (const epsilon of EPSILONS) {
    cells.push(await measured((seed) => fitted(one.rows, one.algorithm, epsilon, seed)));
    cells.push(
      await measured((seed) =>
        fitted(one.rows, one.algorithm, epsilon, seed, { candidates: one.candidates }),
      ),
    );
    cells.push(await measured((seed) => unpaid(one, epsilon, seed)));
  }
  console.log(`| ${one.title} | ${cells.join(" | ")} |`);
}
