/** What released models really told about the rows of a table, beside what reports say: asked of tests/bench/told.cpp. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { root } from "../tools.mjs";

const PROGRAM = join(root, "build/release/tests/told_bench");

export const DELTA = 1e-6;
/** How often a report may fail: of the one that is shown, and of those that are counted. */
export const [SHOWN, COUNTED] = [1e-6, 0.05];
export const REPETITIONS = 1000;

/** The report's share of the budget, and whether the smallest eigenvalue is published as well. */
export const KINDS = [
  { name: "data-independent", share: 0, eigenvalue: false, colour: "amber" },
  { name: "data-dependent", share: 0.3, eigenvalue: false, colour: "green" },
  { name: "adaptive", share: 0.3, eigenvalue: true, colour: "violet" },
];

export const logistic = ({ table }, epsilon) => ({
  table,
  algorithm: { name: "approximate-minima-perturbation", loss: "logistic", whiten: 0 },
  budget: { epsilon, delta: DELTA },
});

/** The noise of model and report by which both together keep the budget. */
function noiseOf(engine, task, epsilon, { share, eigenvalue }) {
  const person = { rows: task.rows, wrong: 0.2 };
  const { request, report } = engine.shareReport(logistic(task, epsilon), { share, eigenvalue, person });
  const { sigma, lambda } = request.algorithm;
  const { gradient = 0, hessian = 0, eigenvalue: least = 0 } = report.noise;
  return [sigma, lambda, gradient, hessian, least];
}

/** The answers to some questions about one table. */
async function ask({ features, labels, rows, dimension }, questions) {
  const folder = mkdtempSync(join(tmpdir(), "epsilometer-"));
  try {
    const path = join(folder, "table");
    writeFileSync(path, Buffer.concat([Buffer.from(features.buffer), Buffer.from(labels.buffer)]));
    const running = spawn(PROGRAM, [path, String(rows), String(dimension)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    running.stdin.end(questions.map((one) => one.join(" ")).join("\n"));
    const [said, [status]] = await Promise.all([text(running.stdout), once(running, "close")]);
    if (status !== 0) throw new Error(`${PROGRAM} ended with ${status}`);
    return said
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** For each ε and kind: truths and reports of one release, and how often each row's report failed in many. */
export async function told(engine, task, epsilons) {
  const asked = epsilons.flatMap((epsilon) =>
    KINDS.map((kind) => ({ epsilon, kind, noise: noiseOf(engine, task, epsilon, kind) })),
  );
  const shown = await ask(
    task,
    asked.map(({ noise }) => [...noise, SHOWN, 1, 7]),
  );
  const counted = await ask(
    task,
    asked.map(({ noise }) => [...noise, COUNTED, REPETITIONS, 8]),
  );
  return asked.map((one, i) => ({ ...one, ...shown[i], misses: counted[i].misses }));
}
