/** The report of the page about embedding: anybody can make it again, and a new version still reads it. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { toJson } from "../../wasm/engine/json.ts";
import { open } from "../../wasm/engine.ts";

const FILE = new URL("../../web/example-report.json", import.meta.url);

const REQUEST = {
  table: {
    unit: { protects: "person", rows: 1 },
    columns: [
      { name: "age", use: "numeric", range: [18, 90], missing: "drop" },
      { name: "hours of exercise a week", use: "numeric", range: [0, 20], missing: "drop" },
      { name: "smoking", use: "categorical", levels: ["never", "formerly", "now"], missing: "drop" },
    ],
    label: { name: "high blood pressure", use: "classes", levels: ["no", "yes"], missing: "drop" },
    rowNorm: 1,
  },
  algorithm: { name: "approximate-minima-perturbation", loss: "logistic", whiten: 0 },
  budget: { epsilon: 1, delta: 1e-6 },
  seed: 7,
};

/** People who do not exist: older ones, smokers and those who sit have high blood pressure more often. */
function table(): string {
  let state = 12345;
  const chance = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const person = () => {
    const age = 18 + Math.floor(72 * chance());
    const hours = Math.floor(20 * chance() * chance());
    const smoking = ["never", "never", "formerly", "now"][Math.floor(4 * chance())];
    const risk = (age - 55) / 72 - (hours - 5) / 40 + (smoking === "now" ? 0.6 : 0.4);
    return `${age},${hours},${smoking},${chance() < risk ? "yes" : "no"}`;
  };
  const names = "age,hours of exercise a week,smoking,high blood pressure";
  return `${[names, ...Array.from({ length: 2000 }, person)].join("\n")}\n`;
}

test("the example is what its seeded release says; `vitest -u` makes it again", async () => {
  const engine = await open();
  const release = await engine.fit(table(), REQUEST);
  const report = await engine.report(release, undefined, {});
  await expect(`${toJson(report, 2)}\n`).toMatchFileSnapshot(FILE.pathname);
});

test("it is read: at most what everybody was promised, and marked as a demonstration", async () => {
  const engine = await open();
  const report = JSON.parse(readFileSync(FILE, "utf8"));
  const row = {
    age: 50,
    "hours of exercise a week": 3,
    smoking: "never",
    "high blood pressure": "no",
  };
  const { private: isPrivate, whatever, promised, realised } = engine.personalLoss(report, row);
  expect(isPrivate).toBe(false);
  expect(whatever.upper).toBeLessThan(promised.upper);
  expect(promised.upper).toBeLessThanOrEqual(1);
  expect(realised?.size).toBeGreaterThan(0);
});
