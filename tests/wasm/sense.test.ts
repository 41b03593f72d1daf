/** A core at fault is reported as such; its numbers are not handed out. */
import { expect, test } from "vitest";
import type { CalculatorDoor } from "../../build/wasm/calculator.mjs";
import type { Description } from "../../wasm/contract.ts";
import { CalculatorEngine } from "../../wasm/engine/calculator-engine.ts";

let answered: object = {};
const answer = () => answered;
const core = { delta: answer, profile: answer, renyi: answer, calibrate: answer, compare: answer };
const engine = new CalculatorEngine(core as unknown as CalculatorDoor);
const gaussian: Description = { kind: "gaussian", sigma: 1, sensitivity: 1 };
const list = (...values: number[]) => Float64Array.from(values);
const fault = /^internal: /;

const asking = (told: object, ask: () => unknown) => () => {
  answered = told;
  return ask();
};

test("not a number, or ends that cross", () => {
  const delta = () => engine.delta(gaussian, 1);
  expect(asking({ lower: 0, upper: 1, kind: "exact" }, delta)()).toMatchObject({ lower: 0, upper: 1 });
  expect(asking({ lower: 0, upper: Number.NaN }, delta)).toThrow(fault);
  expect(asking({ lower: 1, upper: 0.5 }, delta)).toThrow(fault);
  const profile = () => engine.profile(gaussian, [1, 2]);
  expect(asking({ lower: list(0, 1), upper: list(0, 0.5) }, profile)).toThrow(fault);
  expect(asking({ lower: list(0, Number.NaN), upper: list(0, 1) }, profile)).toThrow(fault);
  expect(asking(list(Number.NaN), () => engine.renyi(gaussian, [2]))).toThrow(fault);
  const row = { accountant: "exact", claimed: 1, value: null, actual: { lower: 2, upper: 1 }, broken: false };
  expect(asking([row], () => engine.compare(gaussian, { delta: 1e-5 }))).toThrow(fault);
  const found = { value: Number.NaN, insufficient: null, epsilon: { lower: 0, upper: 1 } };
  const target = { epsilon: 1, delta: 1e-5 };
  expect(asking(found, () => engine.calibrate(gaussian, "sigma", target))).toThrow(fault);
});
