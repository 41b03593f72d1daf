/** What a release says of the distance of its coefficients: against many runs, in the units of the table. */

import { beforeAll, describe, expect, test } from "vitest";
import { type Engine, type ModelRelease, open } from "../../wasm/engine.ts";
import { checkRequest } from "../../wasm/release/fit-request.ts";
import { grids } from "../../wasm/table/statistics.ts";
import { fitModel } from "./model.ts";
import { categorical, integerSums, numeric } from "./table/support.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await open();
});

const table = {
  unit: { protects: "row", rows: 1 },
  columns: [numeric("x", [5, 25]), categorical("group", ["b"])],
  label: { name: "y", use: "numeric", range: [100, 300], missing: "drop" },
  rowNorm: 1,
};

const ROWS = 2000;

/** y = 120 + 5 x + 20 at b, and a deviation of 10 that no number below depends on. */
const text = `x,group,y\n${Array.from({ length: ROWS }, (_, i) => {
  const x = 15 + 10 * Math.sin(i * 12.9898);
  const error = Math.sqrt(200) * Math.sin(i * i * 1.7);
  return `${x},${i % 3 === 0 ? "a" : "b"},${120 + 5 * x + (i % 3 === 0 ? 0 : 20) + error}`;
}).join("\n")}\n`;

const request = (algorithm: object, seed = 1) => ({ table, algorithm, budget: { delta: 1e-5 }, seed });

async function sums(copies = 1n) {
  const declared = checkRequest(request({ name: "ada-ssp", sigma: 1 })).table;
  const one = await integerSums(text, declared, { sql: "", ...grids(declared) });
  const times = (sum: string) => String(BigInt(sum) * copies);
  return {
    declared: one.declared,
    record_count: times(one.record_count),
    gram: one.gram.map(times),
    moments: one.moments.map(times),
    label_square: times(one.label_square),
  };
}

const numbers = ({ coefficients: { intercept, terms } }: ModelRelease) => [
  intercept,
  ...terms.map(({ coefficient }) => coefficient),
];

const near = (found: number, truth: number, digits: number) =>
  expect(Math.abs(found / truth - 1)).toBeLessThan(10 ** -digits);

describe("coefficients vary by what is said of them, the intercept included", () => {
  const RUNS = 400;

  test.each<[string, object, string]>([
    ["adaptive statistics", { name: "ada-ssp", sigma: 5 }, "first-order"],
    ["adaptive statistics, three releases", { name: "ada-ssp", sigma: 5, releases: 3 }, "first-order"],
    ["Laplace covariance", { name: "covariance-laplace", scale: 1 }, "first-order"],
    [
      "output perturbation of ridge",
      { name: "output-perturbation-ridge", lambda: 9, rows: 9999, sigma: 2 },
      "exact",
    ],
  ])("%s", { timeout: 60_000 }, async (_, algorithm, law) => {
    const statistics = await sums();
    const runs: ModelRelease[] = [];
    for (let seed = 0; seed < RUNS; seed++)
      runs.push(await fitModel(engine, { statistics }, request(algorithm, seed)));
    const values = runs.map(numbers);
    const size = values[0]?.length as number;
    for (let j = 0; j < size; j++) {
      const mean = values.reduce((sum, one) => sum + (one[j] as number), 0) / RUNS;
      const within = runs.filter(({ intervals: { privacyNoise }, ...run }) => {
        expect(privacyNoise?.law).toBe(law);
        const margin = [privacyNoise?.intercept, ...(privacyNoise?.terms ?? [])][j] as number;
        return Math.abs((numbers(run as ModelRelease)[j] as number) - mean) <= margin;
      }).length;
      // Five standard errors of a share of 0.95, and what the first order leaves out.
      expect(Math.abs(within / RUNS - 0.95)).toBeLessThan(5 * Math.sqrt((0.95 * 0.05) / RUNS) + 0.01);
    }
  });
});

test("noise of one variance becomes what the ranges make of it", async () => {
  const algorithm = { name: "output-perturbation-ridge", lambda: 9, rows: 9999, sigma: 2 };
  const { intervals } = await fitModel(engine, text, request(algorithm));
  const [terms, intercept] = [
    intervals.privacyNoise?.terms ?? [],
    intervals.privacyNoise?.intercept as number,
  ];
  // Two columns: features are divided by √2; labels have the half-width 100; x the half-width 10 and the middle 15.
  const weight = (1.959963984540054 * 2 * 100) / Math.sqrt(2);
  near(terms[0] as number, weight / 10, 8);
  near(terms[1] as number, weight, 8);
  near(intercept, Math.hypot(weight * Math.SQRT2, weight * 1.5), 8);
  expect(intervals).toMatchObject({ level: 0.95 });
  expect(intervals.sampling).toBeUndefined();
});

test("a sketch has the margins of least squares on its rows", async () => {
  const narrow = { ...table, columns: [numeric("x", [5, 25])] };
  const algorithm = { name: "linear-mixing", sigma: 5, sketchSize: 9 };
  const { intervals, released } = await fitModel(engine, text, { ...request(algorithm), table: narrow });
  const [xx = 0, x1 = 0, ones = 0] = released.gram ?? [];
  const variance = (released.residualVariance?.[0] as number) / 9 / (xx * ones - x1 * x1);
  const student = 2.3646242515927853 * 100 * Math.sqrt(variance);
  near(intervals.privacyNoise?.terms[0] as number, (student * Math.sqrt(ones)) / 10, 10);
  // The intercept less 1.5 times the coefficient of x.
  near(intervals.privacyNoise?.intercept as number, student * Math.sqrt(xx + 2 * 1.5 * x1 + 2.25 * ones), 10);
});

test("a sketch of classes has them in the logistic model's size, and no sampling margin", async () => {
  const label = { name: "y", use: "classes", levels: ["no", "yes"], missing: "drop" };
  const classes = { ...table, columns: [numeric("x", [5, 25])], label };
  const rows = Array.from(
    { length: ROWS },
    (_, i) => `${5 + (i % 21)},${i % 21 > 9 + (i % 5) ? "yes" : "no"}`,
  );
  const fitted = (name: string) =>
    fitModel(engine, `x,y\n${rows.join("\n")}\n`, {
      ...request({ name, sigma: 2, sketchSize: 30 }),
      table: classes,
    });
  const [linear, logistic] = [await fitted("linear-mixing"), await fitted("logistic-mixing")];
  const factor = (numbers(logistic)[1] as number) / (numbers(linear)[1] as number);
  expect(factor).toBeGreaterThan(1.5);
  const margin = ({ intervals }: ModelRelease) => intervals.privacyNoise?.terms[0] as number;
  near(margin(logistic) / margin(linear), factor, 12);
  expect([linear.intervals.sampling?.law, logistic.intervals.sampling]).toEqual(["plug-in", undefined]);
});

describe("what chance may have done when the rows were drawn", () => {
  test("is told by a large sketch of a large table, in its own size", { timeout: 60_000 }, async () => {
    const copies = 50n;
    const statistics = await sums(copies);
    const squares: number[][] = [];
    for (let seed = 0; seed < 40; seed++) {
      const asked = request({ name: "linear-mixing", sigma: 5, sketchSize: 200 }, seed);
      const { sampling } = (await fitModel(engine, { statistics }, asked)).intervals;
      expect(sampling?.law).toBe("plug-in");
      squares.push(
        [sampling?.intercept, ...(sampling?.terms ?? [])].map((margin) => (margin as number) ** 2),
      );
    }
    const mean = (j: number) =>
      Math.sqrt(squares.reduce((sum, one) => sum + (one[j] as number), 0) / squares.length);
    // σ / √(n var x), σ = 10 and var x = 50: the other columns do not hang together with x.
    const truth = (1.96 * 10) / Math.sqrt(ROWS * Number(copies) * 50);
    expect(Math.abs(mean(1) / truth - 1)).toBeLessThan(0.1);
  });

  test("is not told where the noise hides it, or where nothing tells how many rows there are", async () => {
    const mixing = { name: "linear-mixing", sigma: 40 };
    expect((await fitModel(engine, text, request(mixing))).intervals.sampling).toBeUndefined();
    const without = { ...request({ ...mixing, sigma: 1 }), table: { ...table, intercept: 0 } };
    const { intervals } = await fitModel(engine, text, without);
    expect(intervals.sampling).toBeUndefined();
    expect(intervals.privacyNoise?.law).toBe("exact");
  });
});

test("nothing is said where the noise's effect is private", async () => {
  const sampled = { name: "posterior-sampling", lambda: 500, rows: 9999, sigma: 2 };
  const { intervals, released } = await fitModel(engine, text, request(sampled));
  expect([intervals, Object.keys(released).sort()]).toEqual([
    { level: 0.95, unknown: "not-told" },
    ["lambda", "rows"],
  ]);
});

test("what was released is given out, in the shapes that are promised", async () => {
  const { released } = await fitModel(engine, text, request({ name: "ada-ssp", sigma: 1e-3 }));
  expect(Object.keys(released).sort()).toEqual(["cross", "gram", "ridge"]);
  expect([released.gram?.length, released.cross?.length, released.ridge?.length]).toEqual([6, 3, 1]);
  // With hardly any noise it is XᵀX: an intercept of 1, and an indicator of 1/√2 in two of three rows.
  expect(released.gram?.[5]).toBeCloseTo(ROWS, 1);
  expect(released.gram?.[2]).toBeCloseTo(Math.floor((ROWS * 2) / 3) / 2, 1);
  expect(released.gram?.[4]).toBeCloseTo(Math.floor((ROWS * 2) / 3) / Math.SQRT2, 1);
  const mixing = await fitModel(engine, text, request({ name: "linear-mixing", sigma: 5 }));
  expect(Object.keys(mixing.released).sort()).toEqual([
    "cross",
    "gram",
    "residualVariance",
    "rows",
    "square",
  ]);
});
