// biome-ignore-all lint/correctness/noPrecisionLoss: the reference has more digits than a double
/** What a suspicion can become, through every door, against values of 18 digits. */
import { describe, expect, test } from "vitest";
import { answer } from "../../wasm/batch.ts";
import type { Posterior } from "../../wasm/contract.ts";
import { open } from "../../wasm/engine.ts";
import { refused } from "./refused.ts";

const engine = await open();
const gaussian = { kind: "gdp", mu: 1 } as const;

/** From tests/reference/posterior.py: for μ = 1 and a suspicion of 1 %. */
const ROWS: readonly (readonly [number, number, number, number])[] = [
  [1e-30, 0.999132050427272747, 0.999419711459553921, 0.998435638335300479],
  [1e-6, 0.501059862196253626, 0.69788765191699084, 0.468363921514382905],
  [1e-3, 0.162013627669110261, 0.31916663050883044, 0.155999210001399928],
  [0.25, 0.0249235497802316865, 0.0509714946267496499, 0.0247305684558328722],
];

describe("a suspicion of 1 %", () => {
  test.each(ROWS)("with exceptions of %d", (exceptions, event, right, wrong) => {
    const found = engine.posterior(gaussian, { prior: 0.01, exceptions });
    for (const [ends, truth] of [
      [found.event, event],
      [found.right, right],
      [found.wrong, wrong],
    ] as const) {
      expect(ends.lower).toBeLessThanOrEqual(truth * (1 + 2e-16));
      expect(ends.upper).toBeGreaterThanOrEqual(truth * (1 - 2e-16));
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
