/** The first recipe of CONTRIBUTING.md, followed to the letter: one file, one entry, one table, and questions are answered. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const tree = mkdtempSync(join(tmpdir(), "recipe-"));
const inTree = (...path: string[]) => join(tree, ...path);

const MECHANISM = `// A shift of a normal law by mu standard deviations: Dong, Roth and Su 2019, Corollary 1.
#include "core/loss/gaussian_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> normal_shift(const Description& description) {
  return std::make_shared<GaussianLoss>(DoubleDouble{description.number("mu", 0, 1e100)});
}

}  // namespace epsilometer::mechanisms
`;

const ENTRY = `  "normal-shift": {
    title: "A normal shift",
    help: "A normal law or the same law moved by μ.",
    source: "Dong, Roth and Su 2019, Corollary 1",
    neighbours: anyRelation,
    parameters: {
      mu: real({
        symbol: "μ", title: "shift", unit: "standard deviations", ...lossRange,
        default: 1, effect: "less-private", help: "By how much the law moves.",
      }),
    },
  },
`;

/**
 * Stands for the tests of the core, which would take minutes to link: every interval of the tables of a folder. Rényi
 * divergences and calibrated values are answered by one end only.
 */
const PROGRAM = `#include <cstdio>

#include "tests/core/question.h"

int main(int, char** words) {
  for (const epsilometer::Question& question : epsilometer::questions(words[1])) {
    if (question.ask == "renyi" || question.ask == "calibrate") continue;
    const epsilometer::Bounds found = epsilometer::answer(question);
    std::printf("[%.17g,%.17g,%s]\\n", found.lower, found.upper, question.truth.c_str());
  }
}
`;

const FLAGS = ["-std=c++20", "-O1", "-ffp-contract=off", "-DBOOST_MATH_PROMOTE_DOUBLE_POLICY=false"];

/** Truths about the same pair of laws, which another kind has too. */
function writeTable() {
  const text = readFileSync(join(root, "tests/reference/gdp.ndjson"), "utf8");
  writeFileSync(inTree("tests/reference/normal-shift.ndjson"), text.replaceAll('"gdp"', '"normal-shift"'));
}

beforeAll(() => {
  for (const part of ["CMakeLists.txt", "core", "wasm", "tests"])
    cpSync(join(root, part), inTree(part), { recursive: true });
  rmSync(inTree("tests/reference"), { recursive: true });
  cpSync(join(root, "tests/reference/README.md"), inTree("tests/reference/README.md"));
  writeFileSync(inTree("core/loss/mechanisms/normal_shift.cpp"), MECHANISM);
  const catalogue = readFileSync(inTree("wasm/engine/catalogue.ts"), "utf8");
  writeFileSync(inTree("wasm/engine/catalogue.ts"), catalogue.replace("  gdp: {\n", `${ENTRY}  gdp: {\n`));
  writeTable();
});
afterAll(() => rmSync(tree, { recursive: true }));

test("the core answers the table of the new mechanism", () => {
  const run = (command: string, ...words: string[]) =>
    execFileSync(command, words, { cwd: tree, encoding: "utf8" });
  run(
    "cmake",
    "-S",
    ".",
    "-B",
    "build",
    "-G",
    "Ninja",
    "-DCMAKE_BUILD_TYPE=Release",
    "-DCMAKE_CXX_COMPILER=clang++",
  );
  writeFileSync(inTree("answers.cpp"), PROGRAM);
  // Everything else is in the library of the whole tree: only what the recipe adds, and the register, is compiled.
  const sources = ["answers.cpp", "core/loss/mechanisms/normal_shift.cpp", "build/core/mechanisms.cpp"];
  const libraries = ["tests/libreference.a", "core/libcore.a"].map((name) =>
    join(root, "build/release", name),
  );
  run("clang++", ...FLAGS, "-I.", "-isystem", "build/headers", ...sources, ...libraries, "-o", "answers");
  const answers = run("./answers", "tests/reference").trim().split("\n");
  expect(answers.length).toBeGreaterThan(10);
  for (const line of answers) {
    const [lower, upper, truth] = JSON.parse(line.replaceAll(/\binf\b|Infinity/g, "1e999"));
    // The text of the truth is rounded as it is read.
    expect(lower, line).toBeLessThanOrEqual(truth * (1 + 2 ** -52));
    expect(upper, line).toBeGreaterThanOrEqual(truth * (1 - 2 ** -52));
  }
});

test("descriptions, the help and the schema follow from the entry", async () => {
  const { validate } = await import(inTree("wasm/engine/description.ts"));
  expect(validate({ kind: "normal-shift", mu: 2 })).toEqual({ kind: "normal-shift", mu: 2 });
  expect(() => validate({ kind: "normal-shift", mu: -1 })).toThrow(/mu/);
  const { help } = await import(inTree("wasm/command-line/help.ts"));
  expect(help()).toContain("normal-shift");
  const { schemas } = await import(inTree("wasm/schemas.ts"));
  expect(JSON.stringify(schemas.description)).toContain("normal-shift");
});
