/** Planning: what private models of made-up tables are wrong by, against what their guesses imply. */
import { beforeAll, expect, test } from "vitest";
import { SeededRandom } from "../../wasm/engine/seeded-random.ts";
import { type Engine, open } from "../../wasm/engine.ts";
import { checkRequest, type FitRequest } from "../../wasm/release/fit-request.ts";
import { syntheticTable } from "../../wasm/release/synthetic-tables.ts";
import { featureMap } from "../../wasm/table/features.ts";
import { categorical, numeric, refused } from "./table/support.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await open();
});

const LABELS = {
  numeric: { name: "y", use: "numeric", range: [0, 100], missing: "drop" },
  classes: { name: "y", use: "classes", levels: ["no", "yes"], missing: "drop" },
  count: { name: "y", use: "count", range: [0, 98], missing: "drop" },
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
const COUNTS = request("count", {
  name: "approximate-minima-perturbation",
  loss: "poisson",
  gradientBound: 20,
  predictorScale: 5,
});
/** A table as a textbook has it: nothing off the middle, every direction as wide. */
const WELL_SCALED = { offCentre: 0, conditioning: 1 };
const GUESSES = { rows: 3000, epsilons: [0.01, 1, 30_000], spread: 0.2, ...WELL_SCALED };

const within = (value: number, expected: number, error: number) =>
  expect(Math.abs(value - expected)).toBeLessThan(5 * error + 1e-12);

test.each([0.2, 0.8])("a numeric label is explained as guessed: %d", async (explained) => {
  const { best, constant, points, kind, measure } = await engine.simulate(LINEAR, { ...GUESSES, explained });
  expect([kind, measure]).toEqual(["simulation", "root mean squared error"]);
  // The label's standard deviation is a fifth of half its range, which is 50; five of them are not clamped.
  within(constant.error, 10, constant.standardError + 0.02);
  within(best.error, 10 * Math.sqrt(1 - explained), best.standardError + 0.02);
  const [least = 0, middle = 0, most = 0] = points.map(({ error }) => error);
  expect(least).toBeGreaterThan(middle);
  expect(middle).toBeGreaterThan(most);
  // With next to no noise it is least squares: its squared error is more by the share χ²/rows, with one degree of
  // freedom for each of the six coefficients. The two are of the same rows; five times the mean is far in the tail.
  expect(most / best.error - 1).toBeGreaterThan(0);
  expect(most / best.error - 1).toBeLessThan((5 * 6) / (2 * GUESSES.rows));
});

test.each([0.3, 0.7])(
  "a count is explained as guessed, and errors fall as the budget grows: %d",
  async (explained) => {
    const { best, constant, points, measure } = await engine.simulate(COUNTS, { ...GUESSES, explained });
    expect(measure).toBe("root mean squared error");
    // Half of 98 is its mean, and what is not explained of its variance; hardly any is beyond the range.
    within(best.error, 7, best.standardError + 0.02);
    within(constant.error, Math.sqrt(49 / (1 - explained)), constant.standardError + 0.05);
    const [least = 0, middle = 0, most = 0] = points.map(({ error }) => error);
    expect(least).toBeGreaterThan(middle);
    expect(middle).toBeGreaterThan(most);
    expect(most).toBeGreaterThan(best.error * 0.999);
    expect(most).toBeLessThan(constant.error);
  },
);

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
  const { features, labels } = syntheticTable(
    asked,
    { ...guesses, ...WELL_SCALED },
    count,
    new SeededRandom(7),
  );
  const { dimension, featureNorm, scale } = featureMap(asked.table);
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
  // Three levels, equally common where all directions are equally wide.
  within(
    moment((row) => Number((row[2] as number) > 0)),
    1 / 3,
    0.005,
  );
});

test("made-up tables are as far off the middle and as badly conditioned as guessed, and their labels linear", () => {
  const columns = Array.from({ length: 5 }, (_, j) => numeric(`x${j}`, [-1, 1]));
  const table = { ...LINEAR.table, columns };
  const asked = checkRequest({ ...LINEAR, table });
  const guesses = { rows: 1, epsilons: [1], explained: 0.5, correlation: 0, spread: 0.02, positives: 0.5 };
  const bad = { ...guesses, offCentre: 0.7, conditioning: 40, tables: 2, seed: 1 };
  const count = 20_000;
  for (let seed = 1; seed <= 8; seed++) {
    const { features, labels, truth } = syntheticTable(asked, bad, count, new SeededRandom(seed));
    const { scale } = featureMap(asked.table);
    const at = (i: number, j: number) => (features[6 * i + j] as number) / scale;
    const mean = (f: (i: number) => number) => {
      let sum = 0;
      for (let i = 0; i < count; i++) sum += f(i);
      return sum / count;
    };
    const centres = columns.map((_, j) => mean((i) => at(i, j)));
    for (const centre of [...centres, mean((i) => labels[i] as number)])
      within(Math.abs(centre), 0.7, 0.02 * Math.sqrt(5 / count));
    const moments = columns.map((_, j) =>
      columns.map((_, k) =>
        mean((i) => (at(i, j) - (centres[j] as number)) * (at(i, k) - (centres[k] as number))),
      ),
    );
    const spectrum = eigenvalues(moments);
    // Of a sample variance the relative error is sqrt(2 / count), of a ratio of two sqrt(2) times that.
    within(Math.log(Math.max(...spectrum) / Math.min(...spectrum)), Math.log(40 ** 2), 2 / Math.sqrt(count));
    within(spectrum.reduce((sum, one) => sum + one, 0) / (5 * 0.02 ** 2), 1, Math.sqrt(2 / count));
    // Seven rows of six features and what the labels' model says: no more than six of the seven are independent.
    const rows = Array.from({ length: 7 }, (_, i) => [
      ...Array.from({ length: 6 }, (_, j) => features[6 * i + j] as number),
      truth[i] as number,
    ]);
    expect(smallestPivot(rows)).toBeLessThan(1e-12);
    expect(smallestPivot(rows.slice(0, 6).map((row) => row.slice(0, 6)))).toBeGreaterThan(1e-7);
  }
});

/** By Jacobi's rotations. */
function eigenvalues(matrix: readonly (readonly number[])[]): number[] {
  const a = matrix.map((row) => [...row]);
  const entry = (i: number, j: number) => a[i]?.[j] as number;
  const set = (i: number, j: number, value: number) => {
    (a[i] as number[])[j] = value;
  };
  for (let sweep = 0; sweep < 12; sweep++)
    for (let p = 0; p < a.length; p++)
      for (let q = p + 1; q < a.length; q++) {
        const angle = Math.atan2(2 * entry(p, q), entry(q, q) - entry(p, p)) / 2;
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        for (let k = 0; k < a.length; k++) {
          const [x, y] = [entry(k, p), entry(k, q)];
          set(k, p, c * x - s * y);
          set(k, q, s * x + c * y);
        }
        for (let k = 0; k < a.length; k++) {
          const [x, y] = [entry(p, k), entry(q, k)];
          set(p, k, c * x - s * y);
          set(q, k, s * x + c * y);
        }
      }
  return a.map((row, i) => row[i] as number);
}

/** Of Gaussian elimination with complete pivots. */
function smallestPivot(matrix: readonly (readonly number[])[]): number {
  let rest = matrix.map((row) => [...row]);
  let smallest = Number.POSITIVE_INFINITY;
  while (rest.length > 0) {
    const sizes = rest.map((row) => row.map(Math.abs));
    const size = Math.max(...sizes.flat());
    const i = sizes.findIndex((row) => row.includes(size));
    const j = (sizes[i] as number[]).indexOf(size);
    const pivot = rest[i] as number[];
    smallest = Math.min(smallest, size);
    rest = rest
      .filter((row) => row !== pivot)
      .map((row) => {
        const factor = (row[j] as number) / (pivot[j] as number);
        return row.map((value, k) => value - factor * (pivot[k] as number)).filter((_, k) => k !== j);
      });
  }
  return smallest;
}

const ALGORITHMS = [
  { name: "ada-ssp" },
  { name: "covariance-laplace" },
  { name: "output-perturbation", loss: "squared", gradientBound: 1, lambda: 16 },
];

test.each(ALGORITHMS)(
  "nothing guessed is taken for a badly scaled table, and promises no less loss: $name",
  async (algorithm) => {
    const budget = { delta: algorithm.name === "covariance-laplace" ? 0 : 1e-5 };
    const asked = { ...LINEAR, algorithm, budget };
    const guesses = { rows: 400, epsilons: [0.1, 1], tables: 8 };
    const bad = await engine.simulate(asked, guesses);
    const well = await engine.simulate(asked, { ...guesses, ...WELL_SCALED });
    expect([bad.guesses.offCentre, bad.guesses.conditioning]).toEqual([0.6, 100]);
    /** How much of what a model could gain over the same answer for all is lost, with its standard error. */
    const lost = ({ points, best, constant }: typeof bad, i: number) => {
      const gain = constant.error - best.error;
      const { error, standardError } = points[i] as (typeof points)[number];
      return { share: (error - best.error) / gain, error: standardError / gain };
    };
    for (const i of [0, 1]) {
      const [one, other] = [lost(bad, i), lost(well, i)];
      expect(one.share).toBeGreaterThan(other.share - 5 * Math.hypot(one.error, other.error));
    }
  },
);

test("what cannot be simulated is refused by name", async () => {
  const says = (asked: unknown, guesses: unknown) => refused(() => engine.simulate(asked, guesses));
  expect(await says(LINEAR, {})).toContain("guesses.rows = nothing");
  expect(await says(LINEAR, { rows: 100, noise: 1 })).toContain("guesses.noise = 1: no such key");
  expect(await says(LINEAR, { rows: 100, explained: 1 })).toContain("guesses.explained = 1");
  expect(await says(LINEAR, { rows: 100, offCentre: 0.91 })).toContain("guesses.offCentre = 0.91");
  expect(await says(LINEAR, { rows: 100, conditioning: 0.5 })).toContain("guesses.conditioning = 0.5");
  const votes = {
    ...LINEAR.table,
    columns: [],
    label: { name: "y", use: "choice", levels: ["no", "yes"], missing: "drop" },
  };
  expect(
    await says({ ...LINEAR, table: votes, algorithm: { name: "noisy-voting" } }, { rows: 100 }),
  ).toContain("table.label.use");
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
