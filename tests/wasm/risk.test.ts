/** What an attacker can reach, and noise for a limit on it, through every door. */
import { describe, expect, test } from "vitest";
import { answer } from "../../wasm/batch.ts";
import type { Answer, Risk, RiskCalibration } from "../../wasm/contract.ts";
import { MEASURES } from "../../wasm/engine/risk.ts";
import { open } from "../../wasm/engine.ts";
import { refused } from "./refused.ts";

const engine = await open();
const gdp = { kind: "gdp", mu: 1 } as const;
const gaussian = { kind: "gaussian", sigma: 1, sensitivity: 1 } as const;

/** From tests/reference/risk.py and posterior.py: of μ = 1, and the μ at which the limit is met. */
const ROWS: readonly { risk: Risk; truth: number; limit: number; mu: number }[] = [
  {
    risk: { measure: "posterior", prior: 0.01, exceptions: 1e-6 },
    truth: 0.6978876519169909,
    limit: 0.05,
    mu: 0.3233787374608312,
  },
  {
    risk: { measure: "event-posterior", prior: 0.01, exceptions: 1e-6 },
    truth: 0.5010598621962536,
    limit: 0.05,
    mu: 0.34457885434643276,
  },
  {
    risk: { measure: "predictive-value", prior: 0.01, falsePositive: 1e-3 },
    truth: 0.15599921000139993,
    limit: 0.1,
    mu: 0.7998644283125461,
  },
  {
    risk: { measure: "reconstruction", guess: 0.1 },
    truth: 0.389143691645361,
    limit: 0.3,
    mu: 0.7571510528365596,
  },
  { risk: { measure: "advantage" }, truth: 0.3829249225480262, limit: 0.1, mu: 0.2513226937101481 },
  {
    risk: { measure: "bayes-error", prior: 0.5 },
    truth: 0.3085375387259869,
    limit: 0.4,
    mu: 0.5066942062715994,
  },
];

test("every measure has a row", () => {
  expect(ROWS.map(({ risk }) => risk.measure)).toEqual(MEASURES);
});

describe.each(ROWS)("$risk.measure", ({ risk, truth, limit, mu }) => {
  test("of a Gaussian mechanism", () => {
    const found = engine.risk(gdp, risk);
    expect(found.lower).toBeLessThanOrEqual(truth * (1 + 4e-16));
    expect(found.upper).toBeGreaterThanOrEqual(truth * (1 - 4e-16));
    // As in the core's own test.
    expect(found.upper - found.lower).toBeLessThan(4 * 690 * 2 ** -52);
    expect(found).toMatchObject({ kind: "exact", neighbours: "add-remove" });
    expect(answer(engine, { ask: "risk", description: gdp, ...risk })).toEqual(found);
    const two = answer(engine, { ask: "risk", description: gdp, ...risk, group: 2 }) as Answer;
    expect(two).toEqual({ ...engine.risk({ ...gdp, mu: 2 }, risk), source: two.source });
  });

  test("with noise for a limit", () => {
    const found = engine.calibrateRisk(gaussian, "sigma", { ...risk, limit });
    expect(Math.abs(found.value * mu - 1)).toBeLessThan(1e-12);
    const safe = risk.measure === "bayes-error" ? limit - found.risk.lower : found.risk.upper - limit;
    expect(safe).toBeLessThanOrEqual(0);
    expect(found.description).toEqual({ ...gaussian, sigma: found.value });
    const asked = { ask: "calibrateRisk", description: gaussian, parameter: "sigma", ...risk, limit };
    expect(answer(engine, asked) as RiskCalibration).toEqual(found);
  });
});

test("the Gaussian mechanism that is as private", () => {
  const at = engine.effectiveMu({ kind: "laplace", scale: 1, sensitivity: 2 }, 1);
  expect(at.lower).toBeLessThanOrEqual(1.685990871216496);
  expect(at.upper).toBeGreaterThanOrEqual(1.685990871216496);
  const all = engine.gaussianCover({ kind: "laplace", scale: 1, sensitivity: 2 }, { falsePositive: 1e-6 });
  // A search that ends with a thousandth left is no closed form.
  expect(all.kind).toBe("certified");
  expect(all.mu.upper).toBeGreaterThanOrEqual(1.800905193275581);
  expect(all.mu.upper).toBeLessThan(1.800905193275581 * 1.0011);
  expect(all.regret.upper).toBeGreaterThanOrEqual(0.0301625347606895);
});

test("what cannot be meant is refused by name", () => {
  for (const [risk, field] of [
    [{ measure: "fear" }, "measure"],
    [{}, "measure"],
    [undefined, "risk"],
    [{ measure: "posterior", prior: 0.1 }, "exceptions"],
    [{ measure: "posterior", prior: 0.1, exceptions: 0.1, guess: 0.1 }, "guess"],
    [{ measure: "advantage", prior: 0.1 }, "prior"],
    [{ measure: "reconstruction", guess: 0 }, "guess"],
    [{ measure: "predictive-value", prior: 1, falsePositive: 0.1 }, "prior"],
  ] as const) {
    expect(refused(() => engine.risk(gdp, risk as never))).toContain(field);
  }
  const target = { measure: "posterior", prior: 0.1, exceptions: 0.1 } as const;
  for (const limit of [0.1, 0.05, 1, Number.NaN, undefined])
    expect(refused(() => engine.calibrateRisk(gaussian, "sigma", { ...target, limit } as never))).toContain(
      "limit",
    );
  expect(refused(() => engine.calibrateRisk(gaussian, "mu", { ...target, limit: 0.5 }))).toContain(
    "parameter",
  );
  expect(refused(() => engine.effectiveMu(gdp, -1))).toContain("epsilon");
  expect(refused(() => engine.gaussianCover(gdp, { falsePositive: 0.5 }))).toContain("falsePositive");
});
