/**
 * What accounting costs in processor time, in WebAssembly in Node, beside its goals: the median of several calls, and its ratio to one Fourier
 * transform of 2^20 real numbers (yardstick.cpp) in the same run. Two questions are never the same one: σ differs a little from call to
 * call, so that no answer is remembered. How wide each answer is stands beside it. The first answers are given while V8 still
 * compiles what is asked most: what a short question takes after 200 others stands behind. Below each, what other accountants take for
 * the same question, of those that PYTHON (python3 where it is not set) can import (peers.py). Nothing here passes or fails.
 */
import { spawnSync } from "node:child_process";
import { build, buildBenches } from "../../scripts/build.mjs";
import { measured, median } from "./programs.mjs";

build();
buildBenches();
const { open } = await import("../../dist/node/engine.js");
const engine = await open();

const gaussian = (sigma) => ({ kind: "gaussian", sigma, sensitivity: 1 });
const sampled = (sigma, rate = 0.01) => ({
  kind: "subsampled",
  sampling: "poisson",
  rate,
  of: gaussian(sigma),
});
const times = (mechanism, count) => ({ kind: "composition", of: [{ mechanism, count }] });
const different = (count, turn) => ({
  kind: "composition",
  of: Array.from({ length: count }, (_, i) => ({
    mechanism: sampled(1 + turn / 1e6 + i / count, 0.005 + (0.01 * i) / count),
    count: 1,
  })),
});
const ORDERS = [1.25, 1.5, 2, 3, 4, 8, 16, 32, 64, 128];

/** The goal in milliseconds, how often it is asked, what at the nth time, and as which question of peers.py. */
const CASES = [
  [
    "ε of 1000 sampled Gaussians, gap 1e-6",
    1.5,
    21,
    (turn) => epsilon(times(sampled(1 + turn / 1e6), 1000), 1e-6),
    "sampled",
  ],
  [
    "ε of 1000 discrete Gaussians, gap 1e-6",
    5,
    21,
    (turn) => epsilon(times({ ...gaussian(20 + turn / 1e4), kind: "discrete-gaussian" }, 1000), 1e-6),
    "discrete",
  ],
  [
    "ε of 200 different sampled Gaussians, gap 1e-4",
    300,
    5,
    (turn) => epsilon(different(200, turn), 1e-4),
    "different-200",
  ],
  [
    "ε of 10 000 different sampled Gaussians, gap 1e-4",
    2000,
    3,
    (turn) => epsilon(different(10_000, turn), 1e-4),
    "different-10000",
  ],
  ["σ of 2000 sampled Gaussians, ε = 1", 8, 11, (turn) => sigma(1 + turn / 1e6), "calibrated"],
  [
    "ten Rényi divergences of a sampled Gaussian",
    undefined,
    21,
    (turn) => divergences(sampled(1 + turn / 1e6)),
    "divergences",
  ],
];

function epsilon(description, gap) {
  const { lower, upper } = engine.epsilon(description, 1e-5, { gap });
  return upper / lower - 1;
}

function sigma(target) {
  const path = "of.0.mechanism.of.sigma";
  const { value, insufficient } = engine.calibrate(times(sampled(1), 2000), path, {
    epsilon: target,
    delta: 1e-6,
  });
  return value / insufficient - 1;
}

function divergences(description) {
  engine.renyi(description, ORDERS);
}

function processorTime(ask, turn) {
  const start = process.cpuUsage();
  const gap = ask(turn);
  const { user, system } = process.cpuUsage(start);
  return { took: (user + system) / 1000, gap };
}

/** Milliseconds up to which a question is short, and how many are asked before it is measured again. */
const SHORT = 50;
const OTHERS = 200;

/** The median of as many calls after all that is asked often has been compiled. */
function settledTime(ask, calls) {
  for (let i = 0; i < OTHERS; i++) ask(calls + i + 1);
  return median(Array.from({ length: calls }, (_, i) => processorTime(ask, calls + OTHERS + i + 1).took));
}

const PEERS = ["dp_accounting", "prv_accountant", "opacus"];
const PATIENCE = 120;

/** Of a peer: its time and ratio to ours, or why there is none. */
function told(peer, question, ours) {
  const words = ["tests/bench/peers.py", peer, question, question === "different-10000" ? "1" : "4"];
  const python = process.env.PYTHON ?? "python3";
  const asked = spawnSync(python, words, { encoding: "utf8", timeout: 1000 * PATIENCE });
  if (asked.error?.code === "ETIMEDOUT") return `no answer within ${PATIENCE} s`;
  if (asked.status !== 0) return asked.error?.message ?? asked.stderr.trim().split("\n").at(-1);
  const { took, lower, upper } = JSON.parse(asked.stdout);
  const answers = [lower, upper].filter((end) => end !== null).map((end) => end.toPrecision(7));
  const ratio = `${(took / ours).toPrecision(2)} times ours`;
  return `${took.toPrecision(3).padStart(7)} ms  ${ratio.padStart(18)}  ${answers.join(" to ")}`;
}

/** The least of several runs: what else the machine does only adds to it. */
const yardstick = Math.min(...Array.from({ length: 5 }, () => Number(measured("wasm", "yardstick"))));
console.log(`yardstick: ${yardstick.toPrecision(3)} ms\n`);
for (const [what, goal, calls, ask, question] of CASES) {
  ask(0);
  const found = Array.from({ length: calls }, (_, i) => processorTime(ask, i + 1));
  const took = median(found.map(({ took: one }) => one));
  const gap = Math.max(...found.map(({ gap: one }) => one ?? 0));
  const settled = took < SHORT ? `, ${settledTime(ask, calls).toPrecision(3)} ms after ${OTHERS} others` : "";
  console.log(
    `${what.padEnd(52)} ${took.toPrecision(3).padStart(7)} ms  ${(took / yardstick).toPrecision(2).padStart(8)} yardsticks  ${(goal ? `goal ${goal} ms` : "").padEnd(13)} width ${gap.toExponential(1)}${settled}`,
  );
  for (const peer of PEERS) console.log(`  ${peer.padEnd(50)} ${told(peer, question, took)}`);
}
