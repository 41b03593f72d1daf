/**
 * Prints what whitening is worth: test errors of approximate-minima-perturbation without and with it, on two public tables and
 * on made-up ones, and of diffprivlib's models with the same declared bounds where Python has it. Every table is split at
 * random into four parts to fit to and one to test on; all models of a split are compared on the same rows, so that a
 * difference is known better than the errors. node scripts/whitened-errors.mjs folder splits table, where the folder holds
 * adult.csv and communities.csv (docs/private-models.md says where to get them); all tables where none is named. The
 * environment's PYTHON is the interpreter that is asked, python3 unless it says otherwise. Everything is seeded.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { open } from "../dist/node/engine.js";
import { bare, meanError, reader } from "./held-out.mjs";
import { madeUp } from "./made-up-tables.mjs";
import { mean } from "./studies/summary.mjs";
import { root } from "./tools.mjs";

const [folder = ".", count = "8", only = ""] = process.argv.slice(2);
const SPLITS = Number(count);
const EPSILONS = [0.1, 1, 8];
const DELTA = 1e-5;
const SHARE = 0.15;

const engine = await open();

/** A permutation that a seed makes: 32 bits of a linear congruence are enough for splits. */
function shuffled(size, seed) {
  const order = Array.from({ length: size }, (_, i) => i);
  let state = seed;
  for (let i = size - 1; i > 0; i--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (i + 1));
    [order[i], order[other]] = [order[other], order[i]];
  }
  return order;
}

function published(name, title) {
  const path = join(folder, `${name}.csv`);
  if (!existsSync(path)) return [];
  const { table } = JSON.parse(readFileSync(join(root, "docs", "examples", `${name}.json`), "utf8"));
  return [{ title, table, lines: readFileSync(path, "utf8").split(/\r?\n/).filter(Boolean) }];
}

const TABLES = [
  ...published("adult", "Adult 26 048 × 108, %"),
  ...published("communities", "Communities 1 596 × 101"),
  ...[16_000, 1_600].flatMap((rows) => [
    madeUp("numbers", rows, { offCentre: 0, conditioning: 1 }),
    madeUp("numbers, ill", rows, { offCentre: 0.6, conditioning: 100 }),
    madeUp("classes, ill, %", rows, { offCentre: 0.6, conditioning: 100 }),
  ]),
].filter(({ title }) => title.includes(only));

/** Each row as a peer is given it: numbers from -1 to 1, a 1 for its level, the label last. */
function matrix({ columns, label }, rows) {
  const used = columns.filter(({ use }) => use !== "ignored");
  const cells = ({ range, levels, name }, { values }) =>
    range
      ? [(2 * values[name] - range[0] - range[1]) / (range[1] - range[0])]
      : levels.map((level) => Number(level === values[name]));
  const all = rows.flatMap((row) => [...used.flatMap((column) => cells(column, row)), Number(row.label)]);
  return {
    all: Float64Array.from(all),
    lower: used.flatMap(({ range, levels }) => (range ? [-1] : levels.map(() => 0))),
    norm: Math.sqrt(used.length),
    of: label.levels ? "classes" : "numbers",
    range: label.range,
  };
}

/** Asks one Python for all errors; undefined where it has no diffprivlib. */
function peer() {
  const python = spawn(process.env.PYTHON ?? "python3", [join(root, "scripts", "peer-models.py")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const answers = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  const ask = async (question) => {
    python.stdin.write(`${JSON.stringify(question)}\n`);
    const { value, done } = await answers.next();
    return done ? undefined : Number(value);
  };
  python.on("error", () => {});
  python.stdin.on("error", () => {});
  return { ask, end: () => python.stdin.end() };
}

const standardError = (values) =>
  Math.sqrt(
    values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1) / values.length,
  );

async function compared({ title, table, lines: [header, ...lines] }, { ask }) {
  const read = reader(table, header.split(",").map(bare));
  const rows = lines.map((line) => read(line.split(",")));
  // A class that is not declared is at place -1.
  const isLabel = (label) => (table.label.levels ? label >= 0 : label !== undefined);
  const isWhole = ({ values, label }) => isLabel(label) && !Object.values(values).includes(undefined);
  const [loss, shown, digits] = table.label.levels
    ? ["logistic", (share) => 100 * share, 2]
    : ["squared", Math.sqrt, 4];
  const temporary = mkdtempSync(join(tmpdir(), "peer-"));
  const errors = EPSILONS.map(() => ({ plain: [], whitened: [], peer: [] }));
  for (let split = 1; split <= SPLITS; split++) {
    const order = shuffled(lines.length, split);
    const [training, test] = [order.slice(lines.length / 5), order.slice(0, lines.length / 5)];
    const heldOut = test.map((i) => rows[i]).filter(isWhole);
    const given = matrix(table, training.map((i) => rows[i]).filter(isWhole));
    writeFileSync(join(temporary, "train.bin"), given.all);
    writeFileSync(join(temporary, "test.bin"), matrix(table, heldOut).all);
    for (const [i, epsilon] of EPSILONS.entries()) {
      const fitted = async (whiten) => {
        const algorithm = { name: "approximate-minima-perturbation", loss, whiten };
        const file = [header, ...training.map((row) => lines[row])].join("\n");
        const request = { table, algorithm, budget: { epsilon, delta: DELTA }, seed: split };
        return shown(meanError(table, (await engine.fit(file, request)).coefficients, heldOut));
      };
      errors[i].plain.push(await fitted(0));
      errors[i].whitened.push(await fitted(SHARE));
      const { of, lower, range, norm } = given;
      const answer = await ask({ folder: temporary, of, lower, range, norm, epsilon, seed: split });
      if (answer !== undefined) errors[i].peer.push(shown(answer));
    }
  }
  rmSync(temporary, { recursive: true });
  const cells = errors.flatMap(({ plain, whitened, peer }) => {
    const difference = whitened.map((error, k) => error - plain[k]);
    const two = (values) => `${mean(values).toFixed(digits)} ± ${standardError(values).toFixed(digits)}`;
    const change = `${mean(plain).toFixed(digits)} → ${mean(whitened).toFixed(digits)} (${two(difference)})`;
    return [change, peer.length > 0 ? two(peer) : "–"];
  });
  console.log(`| ${title} | ${cells.join(" | ")} |`);
}

const heads = EPSILONS.flatMap((epsilon) => [`ε = ${epsilon}`, "diffprivlib"]);
console.log(`| rows × coefficients | ${heads.join(" | ")} |`);
console.log(`|${" --- |".repeat(heads.length + 1)}`);
const python = peer();
for (const table of TABLES) await compared(table, python);
python.end();
