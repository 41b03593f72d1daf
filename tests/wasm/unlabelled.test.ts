/** Releases that predict nothing: of the columns alone, with an outcome where a test may refuse. */
import { beforeAll, expect, test } from "vitest";
import { type Engine, open } from "../../wasm/engine.ts";
import { checkTable } from "../../wasm/table/declaration.ts";
import { statisticsQuery } from "../../wasm/table/sql.ts";
import { refused } from "./refused.ts";
import { numeric } from "./table/support.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await open();
});

const asked = (algorithm: object, table: object = {}) => ({
  table: {
    unit: { protects: "row", rows: 1 },
    columns: [numeric("x", [-1, 1]), numeric("y", [-1, 1]), numeric("z", [0, 2])],
    rowNorm: 1,
    intercept: 0,
    ...table,
  },
  algorithm,
  budget: { epsilon: 2, delta: 1e-6 },
  seed: 3,
});

/** Rows along (1, 1, 0), and a little beside it. */
const csv = (rows: number) =>
  `x,y,z\n${Array.from({ length: rows }, (_, i) => {
    const along = i % 2 ? 0.9 : -0.9;
    return `${along},${along + (i % 5) / 50},${1 + ((i % 7) - 3) / 50}\n`;
  }).join("")}`;

const COVARIANCE = { name: "noisy-covariance", components: 2 };
const SUBSPACE = { name: "principal-subspace", components: 1 };

test("a noisy covariance is a matrix with its spectrum, and keeps its budget", async () => {
  const release = await engine.fit(csv(4000), asked(COVARIANCE));
  const { result, outputs, released, epsilon, outcome } = release;
  expect(outputs[0]).toMatchObject(result);
  expect(result).toEqual({ name: "gram", kind: "symmetric-matrix", shape: [3, 3] });
  expect(outcome).toBeUndefined();
  expect(release.coefficients).toBeUndefined();
  expect(epsilon.upper).toBeLessThanOrEqual(2);
  expect(released.directions).toHaveLength(6);
  const [first, second] = released.directions as readonly number[];
  expect(Math.abs((first as number) / (second as number) - 1)).toBeLessThan(0.1);
  // The first eigenvalue without noise: of rows (±0.9, ±0.9 + 0.04, 0) / √3, nearly.
  expect(released.eigenvaluesAtLeast?.[0]).toBeLessThan(2164);
  expect(released.eigenvaluesAtMost?.[0]).toBeGreaterThan(2164);
});

test("with an intercept there is the covariance around the mean", async () => {
  const { released } = await engine.fit(csv(4000), asked(COVARIANCE, { intercept: 1 }));
  expect(released.covariance).toHaveLength(6);
  expect(released.covarianceEigenvaluesAtMost?.[0]).toBeGreaterThan(
    released.covarianceEigenvaluesAtLeast?.[0] ?? 1,
  );
});

test("a principal subspace is its directions, or is refused by the test", async () => {
  const release = await engine.fit(csv(40_000), asked(SUBSPACE));
  expect(release.outcome).toBeUndefined();
  expect(release.outputs.find(({ name }) => name === release.result.name)).toMatchObject(release.result);
  const none = await engine.fit(csv(5), asked(SUBSPACE));
  expect(none.outcome).toBe("refused-by-test");
  expect(none.released.directions).toBeUndefined();
  expect(none.released.gap).toHaveLength(1);
  expect(none.epsilon.upper).toBeLessThanOrEqual(2);
});

test("labels are refused where nothing is predicted, and missed where something is", () => {
  const label = { name: "w", use: "numeric", range: [0, 1], missing: "drop" };
  expect(refused(() => engine.plan(asked(COVARIANCE, { label })))).toBe("unsupported table.label");
  expect(refused(() => engine.plan(asked({ name: "ada-ssp" })))).toBe("missing table.label");
  expect(refused(() => engine.plan(asked(SUBSPACE, { intercept: 1 })))).toBe("range table.intercept");
  expect(refused(() => engine.plan(asked({ ...SUBSPACE, components: 3 })))).toBe(
    "range algorithm.components",
  );
  const columns = [{ name: "x", use: "ignored" }];
  expect(refused(() => engine.plan(asked(COVARIANCE, { columns, intercept: 1 })))).toBe(
    "range table.columns",
  );
});

test("a query for sums knows no label where there is none", () => {
  const { sql } = statisticsQuery(checkTable(asked(COVARIANCE).table), ["t"], "postgresql");
  expect(sql).not.toMatch(/ AS l\b/);
  expect(sql).toContain(" AS y");
});
