/** What a suspicion can become, through every door, against values of a separate program. */
import { describe, expect, test } from "vitest";
import { answer } from "../../wasm/batch.ts";
import type { Posterior } from "../../wasm/contract.ts";
import { open } from "../../wasm/engine.ts";
import { refused } from "./refused.ts";

const engine = await open();
const gaussian = { kind: "gdp", mu: 1 } as const;

/** From tests/reference/posterior.py: for μ = 1 and a suspicion of 1 %. */
const ROWS: readonly (readonly [number, number, number, number])[] = [
  [1e-30, 0.9991320504272727, 0.9994197114595539, 0.9984356383353005],
  [1e-6, 0.5010598621962536, 0.6978876519169909, 0.4683639215143829],
  [1e-3, 0.16201362766911026, 0.31916663050883043, 0.15599921000139993],
  [0.25, 0.024923549780231688, 0.05097149462674965, 0.024730568455832873],
];

describe("a suspicion of 1 %", () => {
  test.each(ROWS)("with exceptions of %d", (exceptions, event, right, wrong) => {
    const found = engine.posterior(gaussian, { prior: 0.01, exceptions });
    for (const [ends, truth] of [
      [found.event, event],
      [found.right, right],
      [found.wrong, wrong],
    ] as const) {
      expect(ends.lower).toBeLessThanOrEqual(truth * (1 + 4e-16));
      expect(ends.upper).toBeGreaterThanOrEqual(truth * (1 - 4e-16));
      // As in the core's own test.
      expect(ends.upper - ends.lower).toBeLessThan(4 * 690 * 2 ** -52 * truth);
    }
    expect(found).toMatchObject({ kind: "exact", neighbours: "add-remove" });
  });
});

test("the batch asks the same, of groups too", () => {
  const question = { ask: "posterior", description: gaussian, prior: 0.01, exceptions: 1e-6 };
  expect(answer(engine, question)).toEqual(engine.posterior(gaussian, question));
  const two = answer(engine, { ...question, group: 2 }) as Posterior;
  expect(two).toEqual({ ...engine.posterior({ kind: "gdp", mu: 2 }, question), source: two.source });
});

test("no finite ε: certainty, with its probability", () => {
  const failing = { kind: "approximate", epsilon: 1, delta: 1e-3 } as const;
  expect(engine.posterior(failing, { prior: 0.01, exceptions: 5e-4 }).right.upper).toBe(1);
  expect(engine.posterior(failing, { prior: 0.01, exceptions: 5e-3 }).right.upper).toBeLessThan(1);
});

test("what cannot be meant is refused by name", () => {
  for (const [suspicion, field] of [
    [{ prior: 0, exceptions: 0.1 }, "prior"],
    [{ prior: 1, exceptions: 0.1 }, "prior"],
    [{ prior: "1", exceptions: 0.1 }, "prior"],
    [{ prior: 0.5, exceptions: 0 }, "exceptions"],
    [{ prior: 0.5 }, "exceptions"],
    [undefined, "prior"],
  ] as const) {
    expect(refused(() => engine.posterior(gaussian, suspicion as never))).toContain(field);
  }
});
