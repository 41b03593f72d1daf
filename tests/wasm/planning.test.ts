/** Planning: what private models of made-up tables are wrong by, against what their guesses imply. */
import { beforeAll, expect, test } from "vitest";
import { type Engine, open } from "../../wasm/engine.ts";
import { checkRequest, type FitRequest } from "../../wasm/fit-request.ts";
import { Chance, madeUp } from "../../wasm/made-up.ts";
import { prepared } from "../../wasm/table/prepared.ts";
import { categorical, numeric, refused } from "./table/support.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await open();
});

const LABELS = {
  numeric: { name: "y", use: "numeric", range: [0, 100], missing: "drop" },
  classes: { name: "y", use: "classes", levels: ["no", "yes"], missing: "drop" },
  count: { name: "y", use: "count", range: [0, 9], missing: "drop" },
};

const request = (label: keyof typeof LABELS, algorithm: object) => ({
  table: {
    unit: { protects: "person", rows: 1 },
    columns: [numeric("a", [0, 1]), numeric("b", [-5, 5]), categorical("c", ["x", "y", "z"])],
    label: LABELS[label],
    rowNorm: 1,
  },
  algorithm,
  budget: { delta: 1e-5 },
});

const LINEAR = request("numeric", { name: "ada-ssp" });
const LOGISTIC = request("classes", { name: "approximate-minima-perturbation", loss: "logistic" });
const GUESSES = { rows: 3000, epsilons: [0.01, 1, 300], spread: 0.2 };

const within = (value: number, expected: number, error: number) =>
  expect(Math.abs(value - expected)).toBeLessThan(5 * error + 1e-12);

test.each([0.2, 0.8])("a numeric label is explained as guessed: %d", async (explained) => {
  const { best, constant, points, kind, measure } = await engine.simulate(LINEAR, { ...GUESSES, explained });
  expect([kind, measure]).toEqual(["simulation", "root mean squared error"]);
  // The label's standard deviation is a fifth of half its range, which is 50; five of them are not clamped.
  within(constant.error, 10, constant.standardError + 0.02);
  within(best.error, 10 * Math.sqrt(1 - explained), best.standardError + 0.02);
  const [least, , most] = points.map(({ error }) => error);
  expect(most).toBeLessThan(1.05 * best.error);
  expect(least).toBeGreaterThan(0.97 * constant.error);
});

test("classes are as common as guessed, and errors fall as the budget grows", async () => {
  const { best, constant, points, measure } = await engine.simulate(LOGISTIC, {
    ...GUESSES,
    positives: 0.3,
    explained: 0.7,
  });
  expect(measure).toBe("share of wrong classes");
  within(constant.error, 0.3, constant.standardError + 0.002);
  const [least = 0, middle = 0, most = 0] = points.map(({ error }) => error);
  expect(least).toBeGreaterThan(middle);
  expect(middle).toBeGreaterThanOrEqual(most);
  expect(most).toBeGreaterThan(best.error - 5 * best.standardError);
  expect(most).toBeLessThan(constant.error);
});

test("the standard error says how far another seed may be off, and a seed repeats everything", async () => {
  const asked = { ...GUESSES, tables: 20, epsilons: [1] };
  const [one, same, other] = [1, 1, 2].map((seed) => engine.simulate(LINEAR, { ...asked, seed }));
  expect(await same).toEqual(await one);
  const [first, second] = [(await one)?.points[0], (await other)?.points[0]];
  if (!first || !second) throw new Error("no answer");
  expect(first.error).not.toBe(second.error);
  within(first.error, second.error, Math.hypot(first.standardError, second.standardError));
  expect(first.standardError).toBeLessThan(0.1 * first.error);
});

test("made-up rows keep the declared bounds and have the guessed correlation and spread", () => {
  const asked: FitRequest = checkRequest(LINEAR);
  const guesses = { rows: 1, epsilons: [1], explained: 0.5, correlation: 0.6, spread: 0.25, positives: 0.5 };
  const count = 20_000;
  const { features, labels } = madeUp(asked, { ...guesses, tables: 2, seed: 1 }, count, new Chance(7));
  const { dimension, featureNorm, scale } = prepared(asked.table);
  const rows = Array.from({ length: count }, (_, i) => features.subarray(i * dimension, (i + 1) * dimension));
  expect(Math.max(...rows.map((row) => Math.hypot(...row)))).toBeLessThanOrEqual(featureNorm);
  expect(Math.max(...labels.map(Math.abs))).toBeLessThanOrEqual(1);
  const moment = (f: (row: Float64Array) => number) => rows.reduce((sum, row) => sum + f(row), 0) / count;
  const [a, b] = [0, 1].map((j) => (row: Float64Array) => (row[j] as number) / scale) as [
    (row: Float64Array) => number,
    (row: Float64Array) => number,
  ];
  within(
    moment((row) => a(row) ** 2),
    0.0625,
    0.001,
  );
  within(moment((row) => a(row) * b(row)) / 0.0625, 0.6, 0.01);
  // Three levels, the k-th 1/k as common: 6/11, 3/11, 2/11.
  within(
    moment((row) => Number((row[2] as number) > 0)),
    6 / 11,
    0.005,
  );
});

test("what cannot be simulated is refused by name", async () => {
  const says = (asked: unknown, guesses: unknown) => refused(() => engine.simulate(asked, guesses));
  expect(await says(LINEAR, {})).toContain("guesses.rows = nothing");
  expect(await says(LINEAR, { rows: 100, noise: 1 })).toContain("guesses.noise = 1: no such key");
  expect(await says(LINEAR, { rows: 100, explained: 1 })).toContain("guesses.explained = 1");
  const poisson = {
    name: "approximate-minima-perturbation",
    loss: "poisson",
    gradientBound: 1,
  };
  expect(await says(request("count", poisson), { rows: 100 })).toContain("table.label.use");
  const wide = Array.from({ length: 500 }, (_, i) => numeric(`x${i}`, [0, 1]));
  const table = { ...LINEAR.table, columns: wide };
  expect(await says({ ...LINEAR, table }, { rows: 1e6 })).toContain("guesses.rows = 1000000");
  const unit = { protects: "person", rows: 1001 };
  expect(await says({ ...LINEAR, table: { ...LINEAR.table, unit } }, { rows: 100 })).toContain(
    "table.unit.rows = 1001",
  );
});

test("progress is told, and whoever hears it can cancel", async () => {
  const stop = new AbortController();
  const shares: number[] = [];
  const onProgress = ({ share }: { share: number | undefined }) => {
    shares.push(share as number);
    if (shares.length === 3) stop.abort("enough");
  };
  const asked = engine.simulate(LINEAR, GUESSES, { onProgress, signal: stop.signal });
  await expect(asked).rejects.toBe("enough");
  expect(shares).toEqual([0, 1 / 30, 2 / 30]);
});
