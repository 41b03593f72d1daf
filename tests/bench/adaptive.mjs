/**
 * Adaptive releases of large tables in WebAssembly, in Node: the processor time they take, the longest silence between two reports of
 * progress, how soon they end from the report at which they are cancelled, and the memory of the process beyond that of an idle engine.
 * They are cancelled at the first report after a third of the time: no share of a vote or of a selection is told. Nothing here passes
 * or fails. node tests/bench/adaptive.mjs [a part of a name]
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const numeric = (name) => ({ name, use: "numeric", range: [-1, 1], missing: "drop" });
const unit = { protects: "row", rows: 1 };
const budget = { epsilon: 1, delta: 1e-6 };
const range = (count, of) => Array.from({ length: count }, (_, i) => of(i));

/** Numbers from -1 to 1, the same every time (Mulberry32; a linear congruence makes columns that depend on each other). */
function numbers() {
  let state = 1;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

/** The first columns vary more, so that there is a gap. */
function features(rows, columns, label) {
  const next = numbers();
  const names = range(columns, (j) => `x${j}`);
  const lines = range(rows, () => {
    const cells = range(columns, (j) => (next() * (j < 5 ? 1 : 0.1)).toFixed(3));
    return [...cells, ...(label ? [Number(cells[0]) > 0 ? "yes" : "no"] : [])].join(",");
  });
  return `${[...names, ...(label ? ["class"] : [])].join(",")}\n${lines.join("\n")}\n`;
}

const levels = range(100, (i) => `c${i}`);

function ballots(voters) {
  const next = numbers();
  return `vote\n${range(voters, () => levels[Math.floor(50 * (next() + 1)) % 100]).join("\n")}\n`;
}

const yesNo = { name: "class", use: "classes", levels: ["no", "yes"], missing: "drop" };
const tuned = (columns, candidates, expectedRuns) => ({
  table: { unit, columns: range(columns, (j) => numeric(`x${j}`)), label: yesNo, rowNorm: 0.5, intercept: 1 },
  algorithm: { name: "output-perturbation", loss: "logistic", lambda: 100 },
  tune: { candidates: range(candidates, (i) => ({ lambda: 10 * 1.005 ** i })), expectedRuns },
  budget,
  seed: 1,
});

/** What is asked, and of which table. */
const CASES = {
  "principal subspace, 200 columns, 10 000 rows": () => [
    features(10_000, 200, false),
    {
      table: { unit, columns: range(200, (j) => numeric(`x${j}`)), rowNorm: 0.1, intercept: 0 },
      algorithm: { name: "principal-subspace", components: 5 },
      budget,
      seed: 1,
    },
  ],
  "vote, 100 000 voters, 100 classes": () => [
    ballots(100_000),
    {
      table: {
        unit: { protects: "voter", rows: 1 },
        columns: [],
        label: { name: "vote", use: "choice", levels, missing: "drop" },
      },
      algorithm: { name: "noisy-voting" },
      budget,
      seed: 1,
    },
  ],
  "best of 1000 candidates, 1000 runs on average, 2000 rows": () => [
    features(2000, 10, true),
    tuned(10, 1000, 1000),
  ],
};

async function one(name) {
  const { open } = await import("../../dist/node/engine.js");
  const engine = await open();
  const [table, request] = CASES[name]();
  const idle = process.resourceUsage().maxRSS;
  let last = performance.now();
  let silence = 0;
  const heard = () => {
    const now = performance.now();
    [silence, last] = [Math.max(silence, now - last), now];
  };
  const begin = process.cpuUsage();
  const begun = last;
  const { outcome = "released" } = await engine.fit(table, request, { onProgress: heard });
  heard();
  const { user, system } = process.cpuUsage(begin);
  const total = (user + system) / 1000;
  const third = (last - begun) / 3;
  const memory = (process.resourceUsage().maxRSS - idle) / 1024;
  const planning = performance.now();
  engine.plan(request);
  const plan = performance.now() - planning;
  const stop = new AbortController();
  const begunAgain = performance.now();
  const cancel = () => {
    if (stop.signal.aborted) return;
    last = performance.now();
    if (last - begunAgain > third) stop.abort();
  };
  const ended = await engine.fit(table, request, { onProgress: cancel, signal: stop.signal }).then(
    () => undefined,
    () => performance.now() - last,
  );
  console.log(JSON.stringify({ total, plan, silence, ended, memory, outcome }));
}

const [asked = "", alone] = process.argv.slice(2);
if (alone) await one(asked);
else
  for (const name of Object.keys(CASES).filter((name) => name.includes(asked))) {
    const found = JSON.parse(
      execFileSync(process.execPath, [fileURLToPath(import.meta.url), name, "alone"], { encoding: "utf8" }),
    );
    const ms = (value) => (value === undefined ? "not at all" : `${value.toFixed(0)} ms`);
    console.log(
      `${name}: ${ms(found.total)}, of a second plan ${ms(found.plan)}; silent for ${ms(found.silence)} at most, cancelled after a third in ${ms(found.ended)}; ${found.memory.toFixed(0)} MB; ${found.outcome}`,
    );
  }
