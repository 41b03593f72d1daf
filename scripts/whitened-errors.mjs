/**
 * Prints what whitening is worth: test errors of approximate-minima-perturbation without and with it, on two public tables and
 * on made-up ones, beside what was expected of them, and of diffprivlib's models with the same declared bounds where Python has
 * it. Public tables are split at random into four parts to fit to and one to test on; made-up ones are made anew. All models of
 * a repetition are compared on the same rows, so that a difference is known better than the errors.
 * node scripts/whitened-errors.mjs folder repetitions table epsilon, where the folder holds adult.csv and communities.csv
 * (docs/private-models.md says where to get them); all tables where none is named, and three ε where none is. The environment's
 * PYTHON is the interpreter that is asked, python3 unless it says otherwise. Everything is seeded.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { open } from "../dist/node/engine.js";
import { bare, meanError, reader } from "./held-out.mjs";
import { declared, header, madeUp } from "./made-up-tables.mjs";
import { halfUnit } from "./studies/compared.mjs";
import { allBut, beside, deviationsOff } from "./studies/expected.mjs";
import { deviation, mean } from "./studies/summary.mjs";
import { root } from "./tools.mjs";

const [folder = ".", count = "8", only = "", one] = process.argv.slice(2);
const REPETITIONS = Number(count);
const EPSILONS = one ? [Number(one)] : [0.1, 1, 8];
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

/** `part` answers the lines to fit to and those to test on, for each repetition. */
function published(name, title, expected) {
  const path = join(folder, `${name}.csv`);
  if (!existsSync(path)) return [];
  const { table } = JSON.parse(readFileSync(join(root, "docs", "examples", `${name}.json`), "utf8"));
  const [names, ...lines] = readFileSync(path, "utf8").split(/\r?\n/).filter(Boolean);
  const part = (repetition) => {
    const order = shuffled(lines.length, repetition).map((i) => lines[i]);
    return { training: order.slice(lines.length / 5), test: order.slice(0, lines.length / 5) };
  };
  return [{ title, table, names, part, expected }];
}

const TESTED = 4000;
const WELL = { offCentre: 0, conditioning: 1 };
const ILL = { offCentre: 0.6, conditioning: 100 };

function invented(of, rows, scaled, expected) {
  const title = `${of}${scaled === ILL ? ", ill" : ""}${of === "classes" ? ", %" : ""}, ${rows} × 21`;
  const part = (repetition) => {
    const lines = madeUp(of, rows + TESTED, scaled, repetition);
    return { training: lines.slice(TESTED), test: lines.slice(0, TESTED) };
  };
  return { title, table: declared(of), names: header, part, expected };
}

/** At each ε, what was expected: the error, that of the whitened fit, their difference and its standard error. */
const TABLES = [
  ...published("adult", "Adult, 26 048 × 108, %", [
    ["17.9", "17.7", "-0.2", "0.3"],
    ["15.96", "15.16", "-0.81", "0.11"],
    ["15.03", "14.79", "-0.25", "0.05"],
  ]),
  ...published("communities", "Communities, 1 596 × 101", [
    ["0.199", "0.199", "-0.000", "0.009"],
    ["0.150", "0.151", "0.001", "0.002"],
    ["0.136", "0.136", "-0.000", "0.001"],
  ]),
  invented("numbers", 16_000, WELL, [
    ["0.199", "0.172", "-0.028", "0.003"],
    ["0.1651", "0.1647", "-0.0004", "0.0003"],
    ["0.164", "0.164"],
  ]),
  invented("numbers", 16_000, ILL, [
    ["0.251", "0.234", "-0.016", "0.003"],
    ["0.223", "0.212", "-0.011", "0.002"],
    ["0.2135", "0.2121", "-0.0013", "0.0003"],
  ]),
  invented("classes", 16_000, ILL, [
    ["33.2", "29.6", "-3.6", "0.6"],
    ["28.2", "24.8", "-3.4", "0.5"],
    ["25.6", "24.4", "-1.2", "0.2"],
  ]),
  invented("numbers", 1600, WELL, [
    ["0.324", "0.319", "-0.006", "0.012"],
    ["0.210", "0.174", "-0.035", "0.004"],
    ["0.168", "0.166", "-0.002", "0.000"],
  ]),
  invented("numbers", 1600, ILL, [
    ["0.312", "0.307", "-0.005", "0.007"],
    ["0.267", "0.251", "-0.016", "0.004"],
    ["0.241", "0.223", "-0.018", "0.003"],
  ]),
  invented("classes", 1600, WELL, [
    ["45", "48", "3", "3"],
    ["24.9", "20.2", "-4.7", "1.1"],
    ["17.4", "17.6", "0.3", "0.2"],
  ]),
  invented("classes", 1600, ILL, []),
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

/** Asks one Python for all errors, one for each spelling; none where it has no diffprivlib. */
function peer() {
  const python = spawn(process.env.PYTHON ?? "python3", [join(root, "scripts", "peer-models.py")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const answers = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  const ask = async (question) => {
    python.stdin.write(`${JSON.stringify(question)}\n`);
    const { value, done } = await answers.next();
    return done ? [] : JSON.parse(value);
  };
  python.on("error", () => {});
  python.stdin.on("error", () => {});
  return { ask, end: () => python.stdin.end() };
}

const standardError = (values) => deviation(values) / Math.sqrt(values.length);
const less = (values, others) => values.map((error, k) => error - others[k]);

/** The errors of every repetition, at each ε: without and with whitening, and of each spelling of the peer's bounds. */
async function measured({ table, names, part }, { ask }) {
  const read = reader(table, names.split(",").map(bare));
  // A class that is not declared is at place -1.
  const isLabel = (label) => (table.label.levels ? label >= 0 : label !== undefined);
  const isWhole = ({ values, label }) => isLabel(label) && !Object.values(values).includes(undefined);
  const whole = (lines) => lines.map((line) => read(line.split(","))).filter(isWhole);
  const [loss, shown] = table.label.levels ? ["logistic", (share) => 100 * share] : ["squared", Math.sqrt];
  const temporary = mkdtempSync(join(tmpdir(), "peer-"));
  const errors = EPSILONS.map(() => ({ plain: [], whitened: [], peers: [] }));
  for (let repetition = 1; repetition <= REPETITIONS; repetition++) {
    const { training, test } = part(repetition);
    const heldOut = whole(test);
    const given = matrix(table, whole(training));
    writeFileSync(join(temporary, "train.bin"), given.all);
    writeFileSync(join(temporary, "test.bin"), matrix(table, heldOut).all);
    const file = [names, ...training].join("\n");
    for (const [i, epsilon] of EPSILONS.entries()) {
      const fitted = async (whiten) => {
        const algorithm = { name: "approximate-minima-perturbation", loss, whiten };
        const request = { table, algorithm, budget: { epsilon, delta: DELTA }, seed: repetition };
        return shown(meanError(table, (await engine.fit(file, request)).coefficients, heldOut));
      };
      errors[i].plain.push(await fitted(0));
      errors[i].whitened.push(await fitted(SHARE));
      const { of, lower, range, norm } = given;
      const answers = await ask({ folder: temporary, of, lower, range, norm, epsilon, seed: repetition });
      for (const [k, answer] of answers.entries()) {
        errors[i].peers[k] ??= [];
        errors[i].peers[k].push(shown(answer));
      }
    }
  }
  rmSync(temporary, { recursive: true });
  return errors;
}

const line = (cells) => console.log(`| ${cells.join(" | ").replace(/-(?=\d)/g, "−")} |`);
function headed(about, cells) {
  console.log(`\n${about}\n`);
  line(["rows × coefficients", ...cells]);
  line(Array(cells.length + 1).fill("---"));
}
const at = EPSILONS.map((epsilon) => `ε = ${epsilon}`);
const digits = ({ table }) => (table.label.levels ? 2 : 4);
const withError = (values, places) =>
  `${mean(values).toFixed(places)} ± ${standardError(values).toFixed(places)}`;

const python = peer();
const found = [];
for (const one of TABLES) found.push({ ...one, errors: await measured(one, python) });
python.end();

headed(`Plain → whitened, difference (expected), ${REPETITIONS} repetitions:`, at);
for (const one of found) {
  const places = digits(one);
  const cells = one.errors.map(({ plain, whitened }, i) => {
    const [before, after, change, error] = one.expected[i] ?? [];
    const difference = withError(less(whitened, plain), places);
    return [
      `${beside(mean(plain).toFixed(places), before)} → ${beside(mean(whitened).toFixed(places), after)}`,
      beside(difference, change && `${change} ± ${error}`),
    ].join(", ");
  });
  line([one.title, ...cells]);
}

const cells = found.flatMap(({ title, errors, expected }) =>
  errors.flatMap((one, i) =>
    expected[i] ? [{ name: `${title}, ${at[i]}`, ...one, expected: expected[i] }] : [],
  ),
);
const levels = cells.flatMap(({ name, plain, whitened, expected: [before, after] }) => [
  { name: `${name}, plain`, off: deviationsOff(plain, before) },
  { name: `${name}, whitened`, off: deviationsOff(whitened, after) },
]);
/** In joint standard errors, besides half a unit of the last digit. */
const changes = cells.flatMap(({ name, plain, whitened, expected: [, , change, error] }) => {
  if (change === undefined) return [];
  const difference = less(whitened, plain);
  const off = Math.max(0, Math.abs(mean(difference) - Number(change)) - halfUnit(change));
  return [{ name, off: off / Math.hypot(standardError(difference), Number(error) + halfUnit(error)) }];
});
console.log(`\nErrors within three deviations between tables of what was expected: ${allBut(levels)}.`);
console.log(`Differences within three joint standard errors: ${allBut(changes)}.`);

headed("Whitened; diffprivlib (difference to the better spelling of its bounds):", at);
for (const one of found) {
  const places = digits(one);
  const cells = one.errors.map(({ whitened, peers }) => {
    const [best] = peers.sort((a, b) => mean(a) - mean(b));
    if (!best) return `${mean(whitened).toFixed(places)}; –`;
    const difference = withError(less(whitened, best), places);
    return `${mean(whitened).toFixed(places)}; ${mean(best).toFixed(places)} (${difference})`;
  });
  line([one.title, ...cells]);
}
