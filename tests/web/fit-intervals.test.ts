/** The intervals for privacy noise hold what they promise, in the units of the table. */

import { expect, test } from "vitest";
import { open } from "../../wasm/engine.ts";
import { fitModel } from "../wasm/model.ts";

const engine = await open();

const rows = Array.from(
  { length: 300 },
  (_, i) => `${30 + (i % 40)},${"abc"[i % 3]},${i % 2 ? "yes" : "no"}`,
);
const csv = `age,group,class\n${rows.join("\n")}\n`;

const request = (sigma: number, seed: number) => ({
  table: {
    unit: { protects: "row", rows: 1 },
    columns: [
      { name: "age", use: "numeric", range: [20, 80], missing: "drop" },
      { name: "group", use: "categorical", levels: ["a", "b", "c"], missing: "drop" },
    ],
    label: { name: "class", use: "classes", levels: ["no", "yes"], missing: "drop" },
    rowNorm: 1,
    intercept: 0.7,
  },
  algorithm: { name: "output-perturbation", loss: "logistic", lambda: 10, sigma },
  budget: { delta: 1e-6 },
  seed,
});

const RUNS = 400;

test("95 of 100 hold the coefficient without noise, for each term and the intercept", async () => {
  const exact = await fitModel(engine, csv, request(1e-9, 1));
  const truths = [exact.coefficients.intercept, ...exact.coefficients.terms.map((term) => term.coefficient)];
  const held = truths.map(() => 0);
  for (let seed = 0; seed < RUNS; seed++) {
    const release = await fitModel(engine, csv, request(0.5, seed));
    const { coefficients, intervals } = release;
    const widths = intervals.privacyNoise;
    if (!widths) throw new Error("there is no interval");
    const found = [coefficients.intercept, ...coefficients.terms.map((term) => term.coefficient)];
    [widths.intercept, ...widths.terms].forEach((width, i) => {
      if (Math.abs((found[i] as number) - (truths[i] as number)) <= width) held[i] = (held[i] as number) + 1;
    });
  }
  // Four standard deviations of a count of 400 with probability 0.95.
  for (const count of held) {
    expect(count).toBeGreaterThan(362);
    expect(count).toBeLessThan(398);
  }
});

test("there is none where the noise is not on the coefficients", async () => {
  const { algorithm, ...rest } = request(1, 1);
  const asked = { ...rest, algorithm: { ...algorithm, name: "approximate-minima-perturbation" } };
  expect((await fitModel(engine, csv, asked)).intervals.privacyNoise).toBeUndefined();
});
