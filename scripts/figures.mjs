/**
 * Makes the tables of docs/private-models.md: the test error of every private algorithm on two public tables, tight and
 * paper side by side. npm run figures [-- folder [algorithm ...]], where the folder holds adult.csv and communities.csv
 * (the page says where to get them); without them it says so and does nothing. Every noise is seeded: the tables can be
 * made again. Where algorithms are named, only theirs are made, and printed instead of written into the page.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fitSchema, open, Refusal } from "../dist/node/engine.js";
import { constantError, meanError, predictedShortened, split } from "./held-out.mjs";
import { root } from "./tools.mjs";

const SEEDS = 20;
const EPSILONS = [0.1, 1, 8];
const DELTA = 1e-5;
const page = join(root, "docs", "private-models.md");
const [folder = join(root, "..", "shared", "data"), ...named] = process.argv.slice(2);

/** What a person types besides the declared table: the number of rows, known from the table's documentation. */
const TASKS = [
  {
    name: "adult",
    title: "Income above $50 000 (`adult.csv`): test error in percent",
    shown: (share) => 100 * share,
    digits: 1,
    smoothness: 0.5,
    choices: { loss: "logistic", rows: 30_000 },
    unprotected: { name: "approximate-minima-perturbation", loss: "logistic" },
  },
  {
    name: "communities",
    title: "Violent crime (`communities.csv`): root of the mean squared test error of a label from 0 to 1",
    shown: Math.sqrt,
    digits: 3,
    smoothness: 2,
    choices: { loss: "squared", rows: 2_000 },
    unprotected: { name: "ada-ssp" },
  },
];

/**
 * What the noise of an algorithm that must be told lambda costs at most, in risk to second order: the curvatures of a
 * table of that many rows sum to at most rows * smoothness.
 */
const NOISE_RISK = {
  "output-perturbation": ({ sigma }, { rows, smoothness }) => (sigma ** 2 * rows * smoothness) / 2,
  "output-perturbation-ridge": ({ sigma }, { rows, smoothness }) => (sigma ** 2 * rows * smoothness) / 2,
  "posterior-sampling": ({ sigma }, { dimension }) => (sigma ** 2 * dimension) / 2,
};

const engine = await open();
const variants = fitSchema.properties.algorithm.oneOf;

/** The answer, or the refusal instead. */
async function attempt(action) {
  try {
    return { answer: await action() };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.message };
    throw error;
  }
}

function load(task) {
  const text = readFileSync(join(folder, `${task.name}.csv`), "utf8");
  const { table } = JSON.parse(readFileSync(join(root, "docs", "examples", `${task.name}.json`), "utf8"));
  const used = table.columns.filter(({ use }) => use !== "ignored");
  const dimension = used.reduce((sum, { levels }) => sum + (levels?.length ?? 1), 1);
  return { ...task, ...split(text, table), table, dimension, rows: task.choices.rows };
}

/** Choices that make another algorithm of one. */
const FORMS = [{ noiseRatio: 1.3 }, { releases: 3 }, { eigenvalue: "released" }];

/** Every algorithm that there is for the task's loss; those that name none are for linear models, or say so. */
function algorithms({ choices }) {
  return variants.flatMap(({ properties, required }) => {
    const [name] = properties.name.enum;
    const own = name.startsWith("logistic") ? ["logistic"] : ["squared"];
    if (!(properties.loss?.enum ?? own).includes(choices.loss)) return [];
    if (named.length > 0 && !named.includes(name)) return [];
    const typed = ["loss", "rows", ...required].filter((key) => key in properties && key in choices);
    // What whitening is worth is told by whitened-errors.mjs.
    const asIs = "whiten" in properties && { whiten: 0 };
    const plain = { name, ...Object.fromEntries(typed.map((key) => [key, choices[key]])), ...asIs };
    const forms = FORMS.filter((form) => Object.keys(form)[0] in properties);
    return [plain, ...forms.map((form) => ({ ...plain, ...form }))];
  });
}

const titleOf = (algorithm) => {
  const key = [...FORMS.flatMap(Object.keys), "whiten"].find((one) => one in algorithm);
  return key ? `\`${algorithm.name}\`, \`${key}\` ${algorithm[key]}` : `\`${algorithm.name}\``;
};

const budgetOf = (name, epsilon) => ({ epsilon, delta: name === "covariance-laplace" ? 0 : DELTA });

/**
 * Where lambda must be typed, the power of two that costs least by public numbers alone: the noise, and what shrinkage
 * costs at most, lambda * dimension / 16, when predictions are guessed to have a standard deviation of 1.
 */
async function withLambda(task, algorithm, budget) {
  const noise = NOISE_RISK[algorithm.name];
  if (!noise) return algorithm;
  let [best, least] = [{ ...algorithm, lambda: 1 }, Number.POSITIVE_INFINITY];
  for (let lambda = 2 ** -6; lambda < 2 ** 24; lambda *= 2) {
    const typed = { ...algorithm, lambda };
    const { answer } = await attempt(() => engine.plan({ table: task.table, algorithm: typed, budget }));
    const risk = answer ? noise(answer.parameters, task) + (lambda * task.dimension) / 16 : least;
    if (risk < least) [best, least] = [typed, risk];
  }
  return best;
}

/** The same noise, typed, so that it is not looked for again for each seed. The printed one depends on the budget. */
function withNoise(task, algorithm, budget) {
  if (algorithm.accounting === "paper") return { algorithm, budget };
  const { parameters } = engine.plan({ table: task.table, algorithm, budget });
  const { properties } = variants.find(({ properties: { name } }) => name.enum[0] === algorithm.name);
  const typed = Object.fromEntries(Object.entries(parameters).filter(([key]) => key in properties));
  return { algorithm: { ...algorithm, ...typed }, budget: { delta: budget.delta } };
}

/** Mean and standard deviation over the seeds. */
async function measured(task, request, most) {
  const errors = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { coefficients, epsilon } = await engine.fit(task.training, {
      table: task.table,
      ...request,
      seed,
    });
    if (!(epsilon.upper <= most * (1 + 1e-6)))
      throw new Error(`${request.algorithm.name} is above its budget`);
    errors.push(task.shown(meanError(task.table, coefficients, task.heldOut, task.predict)));
  }
  const mean = errors.reduce((sum, error) => sum + error, 0) / SEEDS;
  const squares = errors.reduce((sum, error) => sum + (error - mean) ** 2, 0);
  return `${mean.toFixed(task.digits)} ± ${Math.sqrt(squares / (SEEDS - 1)).toFixed(task.digits)}`;
}

const noiseOf = ({ parameters: { sigma, scale, noiseMultiplier } }) => sigma ?? scale ?? noiseMultiplier;

/** The printed noise over the tight one, at the printed lambda where the algorithm has one. */
function noiseRatio(task, algorithm, budget) {
  const plan = (asked) => engine.plan({ table: task.table, algorithm: asked, budget });
  const paper = plan({ ...algorithm, accounting: "paper" });
  const { lambda } = paper.parameters;
  const tight = plan("lambda" in algorithm || !lambda ? algorithm : { ...algorithm, lambda });
  return `${(noiseOf(paper) / noiseOf(tight)).toFixed(2)}×`;
}

/** Three cells of a row: tight, paper, and their noise. */
async function cellsAt(task, algorithm, epsilon, notes) {
  const budget = budgetOf(algorithm.name, epsilon);
  const chosen = await withLambda(task, algorithm, budget);
  const ask = async (accounting) => {
    const { answer, refusal } = await attempt(() =>
      measured(task, withNoise(task, { ...chosen, accounting }, budget), epsilon),
    );
    if (refusal) notes.add(`${titleOf(algorithm)}, ${accounting}, ε = ${epsilon}: ${refusal}`);
    return answer ?? "–";
  };
  const tight = await ask("tight");
  // What the source prints has one form.
  if (algorithm.noiseRatio || algorithm.releases) return [tight, "", ""];
  const paper = await ask("paper");
  return [tight, paper, paper === "–" ? "–" : noiseRatio(task, chosen, budget)];
}

async function tableOf(task) {
  const notes = new Set();
  const heads = EPSILONS.flatMap((epsilon) => [`ε = ${epsilon}`, "paper", "noise"]);
  const lines = [["algorithm", ...heads], Array(heads.length + 1).fill("---")];
  for (const algorithm of algorithms(task)) {
    const row = [];
    for (const epsilon of EPSILONS) row.push(...(await cellsAt(task, algorithm, epsilon, notes)));
    lines.push([titleOf(algorithm), ...row]);
    console.log(lines.at(-1).join(" | "));
  }
  const unprotected = async (algorithm) => {
    const request = { table: task.table, algorithm, budget: { epsilon: 1, delta: DELTA } };
    const model = await engine.fitWithoutPrivacy(task.training, request);
    return meanError(task.table, model, task.heldOut);
  };
  const said = (error) => task.shown(error).toFixed(task.digits);
  const constant = constantError(task.table, task.seen, task.heldOut);
  return [
    `### ${task.title}`,
    "",
    `Without any protection: ${said(await unprotected(task.unprotected))}. Always the same answer: ${said(constant)}; an error`,
    "as large is that of a useless model.",
    "",
    ...lines.map((row) => `| ${row.join(" | ")} |`),
    "",
    ...[...notes].map((note) => `- ${note}`),
  ].join("\n");
}

/**
 * Accuracies of approximate minima perturbation on Adult with rows scaled to norm 1, as the thesis has them. A model
 * only knows the ratio of norms and lambda: here all rows, which are longer, are shortened to a norm of 0.75, the intercept
 * is 0.75 too, and lambda and sigma are that much smaller.
 */
async function thesisTable(task) {
  const norm = 0.75;
  const scaled = {
    ...task,
    table: { ...task.table, rowNorm: norm, intercept: norm },
    shown: (share) => 100 * (1 - share),
    predict: (model, row) => predictedShortened(scaled.table, model, row),
  };
  const amp = { name: "approximate-minima-perturbation", loss: "logistic", whiten: 0 };
  const plan = (algorithm, budget) => engine.plan({ table: scaled.table, algorithm, budget }).parameters;
  /** By a way to the noise, a row: its lambdas in units of the thesis, its accuracies. */
  async function row(title, requestOf) {
    const cells = [];
    const lambdas = [];
    for (const epsilon of EPSILONS) {
      const request = requestOf({ epsilon, delta: DELTA });
      lambdas.push(Number((plan(request.algorithm, request.budget).lambda / norm ** 2).toPrecision(3)));
      cells.push(await measured(scaled, request, epsilon));
    }
    return [`${title}: λ = ${lambdas.join(", ")}`, ...cells];
  }
  const recipe = { ...amp, noiseRatio: 1.3 };
  const renyi = new Map([
    [0.1, 46.7],
    [1, 4.02],
    [8, 0.663],
  ]);
  const rows = [
    ["λ by", ...EPSILONS.map((epsilon) => `ε = ${epsilon}`)],
    Array(EPSILONS.length + 1).fill("---"),
    ["the thesis (printed)", "81.4", "83.2", "84.0"],
    await row("its recipe with its Rényi accounting", (budget) => {
      const lambda = renyi.get(budget.epsilon) * norm ** 2;
      return { algorithm: { ...amp, lambda, sigma: plan(recipe, budget).sigma }, budget: { delta: DELTA } };
    }),
    await row("its recipe with exact accounting (`noiseRatio` 1.3)", (budget) => ({
      algorithm: recipe,
      budget,
    })),
    await row("ours, λ = σ/τ", (budget) => ({ algorithm: amp, budget })),
    await row("`paper`, Kifer et al.", (budget) => ({ algorithm: { ...amp, accounting: "paper" }, budget })),
  ];
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Puts tables where the page has the last ones of that title. */
function write(title, tables) {
  const [begin, end] = [`<!-- ${title}, made by npm run figures -->\n`, "\n<!-- end -->"];
  const text = readFileSync(page, "utf8");
  const from = text.indexOf(begin) + begin.length;
  writeFileSync(page, `${text.slice(0, from)}\n${tables}\n${text.slice(text.indexOf(end, from))}`);
}

const missing = TASKS.map(({ name }) => join(folder, `${name}.csv`)).filter((path) => !existsSync(path));
if (missing.length > 0) {
  console.log(`skipped: there is no ${missing.join(" and no ")}`);
} else {
  const tables = [];
  for (const task of TASKS) tables.push(await tableOf(load(task)));
  const thesis = named.length === 0 ? await thesisTable(load(TASKS[0])) : "";
  if (named.length > 0) console.log(tables.join("\n\n"));
  else {
    write("errors", tables.join("\n\n"));
    write("accuracies", thesis);
  }
}
