/** The parts of docs/real-losses.md that need no public table: how rows are read, and bounds from counts. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const folder = new URL("../../scripts/real-losses/", import.meta.url);
const { load, TABLES } = await import(new URL("tables.mjs", folder).href);
const { atLeast, leastProbability } = await import(new URL("binomial.mjs", folder).href);

const ADULT = `"age","workclass","education.num","relationship","sex","capital.gain","hours.per.week","income"
39, State-gov, 13, Not-in-family, Male, 2174, 40, <=50K
90, ?, 16, Husband, Male, 99999, 99, >50K
17, ?, 1, Own-child, Female, 0, 1, <=50K
30, Private, ?, Wife, Female, 0, 40, >50K
`;

test("rows are read as a model sees them: numbers and levels no longer than 1 together, the intercept last, no gaps", () => {
  const at = mkdtempSync(join(tmpdir(), "epsilometer-"));
  onTestFinished(() => rmSync(at, { recursive: true }));
  writeFileSync(join(at, "adult.csv"), ADULT);
  const task = load(at, TABLES[0]);
  expect(task.rows).toBe(3);
  expect([...task.labels]).toEqual([-1, 1, -1]);
  const root = 1 / Math.sqrt(6);
  const row = (i: number) => [...task.features.subarray(i * task.dimension, (i + 1) * task.dimension)];
  // At the ends of their ranges: four numbers, one of two sexes, one of six relationships, the intercept.
  expect(task.dimension).toBe(4 + 2 + 6 + 1);
  expect(row(1).slice(0, 4)).toEqual([root, root, root, root]);
  expect(row(2).slice(0, 4)).toEqual([-root, -root, -root, -root]);
  for (const i of [0, 1, 2]) {
    const features = row(i);
    expect(features.pop()).toBe(1);
    expect(Math.hypot(...features)).toBeLessThanOrEqual(1 + 1e-15);
    expect(features.slice(4).filter((value) => value !== 0)).toEqual([root, root]);
  }
});

test("a bound from a count is Clopper and Pearson's", () => {
  // From the quantile of the beta distribution, in 30 digits.
  expect(leastProbability(3, 10, 0.025)).toBeCloseTo(0.0667395111777345, 12);
  expect(leastProbability(71, 1000, 1e-4)).toBeCloseTo(0.0444333925287326, 12);
  expect(leastProbability(0, 1000, 0.05)).toBe(0);
  expect(atLeast(1, 2, 0.5)).toBeCloseTo(0.75, 14);
});
