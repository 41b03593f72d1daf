/** Where a release has no intervals it says which of the reasons is its own. */

import { expect, test } from "vitest";
import { open } from "../../wasm/engine.ts";
import { CHOICES } from "../../web/src/fit/choices.ts";
import { noIntervals } from "../../web/src/words/fit-intervals.ts";
import { fitModel } from "../wasm/model.ts";

const engine = await open();

/** Two levels that add up to the intercept, and a number. */
const csv = `x,group,pay\n${Array.from({ length: 5000 }, (_, i) => `${(i * 37) % 20},${"ab"[i % 2]},${i % 7 > 3 ? 1 : 0}`).join("\n")}\n`;

const x = { name: "x", use: "numeric", range: [0, 20], missing: "drop" };
const group = { name: "group", use: "categorical", levels: ["a", "b"], missing: "drop" };

const GIVEN: Readonly<Record<string, number>> = {
  lambda: 2000,
  rows: 1000,
  steps: 10,
  rate: 0.1,
  learningRate: 1,
};

function released(name: string, columns: readonly object[]) {
  const { takesLoss, parameters, tasks } = CHOICES.find(
    (one) => one.name === name,
  ) as (typeof CHOICES)[number];
  const isLogistic = tasks.includes("logistic");
  const label = isLogistic
    ? { name: "pay", use: "classes", levels: ["0", "1"], missing: "drop" }
    : { name: "pay", use: "numeric", range: [0, 1], missing: "drop" };
  const needed = parameters
    .filter(({ key, required }) => required && key in GIVEN)
    .map(({ key }) => [key, GIVEN[key]]);
  return fitModel(engine, csv, {
    table: { unit: { protects: "row", rows: 1 }, columns, label, rowNorm: 1, intercept: 1 },
    algorithm: { name, ...(takesLoss ? { loss: "logistic" } : {}), ...Object.fromEntries(needed) },
    budget: { epsilon: 1, delta: 1e-6 },
    seed: 1,
  });
}

const TELLS = /does not tell how far off/;
const HIDES = /hides some combination/;

/** Two that release noisy sums, one that adds its noise to the coefficients, one that does neither. */
const TRIED = ["ada-ssp", "covariance-laplace", "output-perturbation", "approximate-minima-perturbation"];

test.each(TRIED)("%s", async (name) => {
  const [plain, levels] = [await released(name, [x]), await released(name, [x, group])];
  const tells = plain.intervals.privacyNoise !== undefined || levels.intervals.privacyNoise !== undefined;
  for (const release of [plain, levels]) {
    if (release.intervals.privacyNoise) continue;
    const words = noIntervals(release);
    expect(words).not.toMatch(/\beither\b/i);
    expect([TELLS.test(words), HIDES.test(words)]).toEqual([!tells, tells]);
  }
});

test("an algorithm of each sort", async () => {
  const hidden = await released("ada-ssp", [x, group]);
  expect(hidden.intervals.privacyNoise).toBeUndefined();
  expect(noIntervals(hidden)).toMatch(/all levels of a column are declared/);
  const never = await released("approximate-minima-perturbation", [x]);
  expect(noIntervals(never)).toMatch(TELLS);
});
