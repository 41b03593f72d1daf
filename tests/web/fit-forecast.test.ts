/** What a simulation says about a release: only about what was simulated. */
import { expect, test } from "vitest";
import type { Simulation } from "../../wasm/contract.ts";
import { checkRequest, type FitRequest } from "../../wasm/release/fit-request.ts";
import { expectedError, levelsWith } from "../../web/src/fit/forecast.ts";

const request = checkRequest({
  table: {
    unit: { protects: "person", rows: 1 },
    columns: [{ name: "age", use: "numeric", range: [20, 80], missing: "drop" }],
    label: { name: "pay", use: "numeric", range: [0, 100], missing: "drop" },
    rowNorm: 1,
  },
  algorithm: { name: "ada-ssp" },
  budget: { epsilon: 0.7, delta: 1e-6 },
});

const simulation = {
  measure: "root mean squared error",
  points: levelsWith(0.7).map((epsilon) => ({ epsilon, error: 10 / epsilon, standardError: 0.1 })),
  constant: { error: 30, standardError: 0.1 },
  best: { error: 2, standardError: 0.1 },
} as unknown as Simulation;

test("the ε that is kept is simulated, once, in order", () => {
  expect(levelsWith(0.7)).toEqual([0.1, 0.3, 0.7, 1, 3, 10]);
  expect(levelsWith(1)).toEqual([0.1, 0.3, 1, 3, 10]);
  expect(levelsWith(undefined)).toEqual([0.1, 0.3, 1, 3, 10]);
});

test("a release of what was simulated, at any of its ε, has an expected error", () => {
  for (const epsilon of levelsWith(0.7)) {
    const released = { ...request, budget: { ...request.budget, epsilon }, seed: 5 };
    expect(expectedError({ simulation, request }, released)).toMatchObject({
      error: 10 / epsilon,
      best: 2,
      constant: 30,
    });
  }
});

const others: Readonly<Record<string, Partial<FitRequest>>> = {
  "another ε": { budget: { epsilon: 0.71, delta: 1e-6 } },
  "typed noise": { budget: { epsilon: undefined, delta: 1e-6 } },
  "another δ": { budget: { epsilon: 0.7, delta: 1e-7 } },
  "another range": {
    table: { ...request.table, label: { name: "pay", use: "numeric", range: [0, 101], missing: "drop" } },
  },
  "another row norm": { table: { ...request.table, rowNorm: 0.5 } },
  "another algorithm": { algorithm: { name: "covariance-laplace" } as FitRequest["algorithm"] },
};

test.each(Object.keys(others))("a release with %s has none", (name) => {
  expect(expectedError({ simulation, request }, { ...request, ...others[name] })).toBeUndefined();
});
