/** The package as a stranger installs it: packed, put into an empty folder, type-checked by a program of theirs, and asked. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { printed } from "./run.ts";

const folder = mkdtempSync(join(tmpdir(), "epsilometer-"));
afterAll(() => rmSync(folder, { recursive: true }));

const inFolder = (program: string, ...words: string[]) =>
  printed(program, words, () => ({ cwd: folder, stdio: ["ignore", "pipe", "pipe"] }));

beforeAll(() => {
  const [packed] = JSON.parse(
    printed("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder]),
  ) as { filename: string }[];
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  inFolder("npm", "install", "--offline", "--no-audit", "--no-fund", `./${packed?.filename}`);
});

const CONSUMER = `
import { open, Refusal, type Answer, type Description, type Engine, type FitRequest, type Release } from "epsilometer";
import { openCalculator } from "epsilometer/calculator";
import request from "epsilometer/schema/request.json" with { type: "json" };

const engine: Engine = await open();
const description: Description = { kind: "gaussian", sigma: 1, sensitivity: 1 };
const answer: Answer = engine.epsilon(description, 1e-5);
const kept: number = (await openCalculator()).delta(description, answer.upper).upper;
const table: FitRequest["table"]["unit"]["rows"] = 1;
const release: Release | undefined = undefined;
let refused = "";
try {
  engine.delta({ kind: "pure", epsilon: -1 }, 1);
} catch (error) {
  if (error instanceof Refusal) refused = error.field;
}
// @ts-expect-error a kind that does not exist
const wrong: Description = { kind: "gauss" };
console.log(JSON.stringify({ upper: answer.upper, kept, table, release, refused, wrong, title: request.title }));
`;

test("a program of theirs is type-checked against it", () => {
  writeFileSync(join(folder, "consumer.ts"), CONSUMER);
  const compiler = resolve("node_modules/typescript/bin/tsc");
  const options = [
    "--strict",
    "--target",
    "es2022",
    "--module",
    "nodenext",
    "--resolveJsonModule",
    "--types",
    "",
  ];
  const told = () =>
    inFolder(process.execPath, compiler, ...options, "--lib", "es2022,dom,dom.iterable", "consumer.ts");
  expect(told).not.toThrow();
});

test("it answers there, and its command does", () => {
  const answered = JSON.parse(inFolder(process.execPath, "consumer.js"));
  expect(answered.upper).toBeCloseTo(4.377178095681, 11);
  expect(answered.kept).toBeLessThanOrEqual(1e-5);
  expect(answered).toMatchObject({ refused: "epsilon", title: "A request for a private release of a table" });
  const asked = ["delta", '{"kind":"pure","epsilon":1}', "--epsilon", "1"];
  expect(JSON.parse(inFolder("npx", "--offline", "epsilometer", ...asked)).upper).toBe(0);
});

test("nothing else comes with it, and every licence does", () => {
  const tree = JSON.parse(inFolder("npm", "ls", "--all", "--json"));
  expect(Object.keys(tree.dependencies)).toEqual(["epsilometer"]);
  expect(tree.dependencies.epsilometer.dependencies).toBeUndefined();
  const inside = (name: string) => readFileSync(join(folder, "node_modules/epsilometer", name), "utf8");
  for (const part of ["KissFFT", "Eigen", "nlohmann", "Boost", "Emscripten", "lit", "d3-scale"])
    expect(inside("NOTICE")).toContain(part);
  expect(inside("dist/epsilometer.js").length).toBeGreaterThan(1000);
});
