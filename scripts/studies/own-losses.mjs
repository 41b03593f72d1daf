/**
 * What the core itself says of each row, beside the formulas of scripts: from tests/bench/rows.cpp, because no question of
 * the engine takes a table without an intercept, or an exact minimum. Where that is not built, there is no such source.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../tools.mjs";
import { gaussianEpsilon } from "./gaussian.mjs";
import { most } from "./summary.mjs";

const PROGRAM = join(root, "build/release/tests/rows_bench");

export const isBuilt = () => existsSync(PROGRAM);

function answers({ features, labels }, question) {
  const folder = mkdtempSync(join(tmpdir(), "epsilometer-"));
  try {
    const path = join(folder, "table");
    writeFileSync(
      path,
      new Uint8Array(Float64Array.from([...features.flatMap((x) => [...x]), ...labels]).buffer),
    );
    const words = [path, String(features.length), String(features[0].length)];
    const { status, stdout } = spawnSync(PROGRAM, words, {
      input: question.join(" "),
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
    if (status !== 0) throw new Error(`${PROGRAM} ended with ${status}`);
    return stdout.trim().split("\n").map(Number);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A source of losses of all rows, beside that of the script; none where it is not built. */
const source = (name, losses) => (isBuilt() ? [[name, losses]] : []);

/** Of an exact minimum, as `realisedLosses` answers them. */
export const realisedByCore = (name = "core") =>
  source(name, (table, { sigma, lambda }, { model }) =>
    answers(table, ["realised", sigma, lambda, ...model]),
  );

/** Of a ridge regression with noise, ε of each row. */
export const ridgeByCore = (lambda, sigma, delta) =>
  source("core", (table) =>
    answers(table, ["moved", lambda]).map((move) => gaussianEpsilon(move / sigma, delta)),
  );

/** The statement that both sources say the same of every row, where there are both; each is a list of pairs of names and losses. */
export const agreed = (found) =>
  isBuilt()
    ? [
        {
          says: "Of every row the core’s own loss is the script’s, to a millionth of the largest.",
          holds: found.every(([[, script], [, core]]) => {
            const allowed = 1e-6 * most(script);
            return script.every((loss, i) => Math.abs(loss - core[i]) <= allowed);
          }),
        },
      ]
    : [];
