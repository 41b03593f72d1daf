/** The largest eigenvalue as its users ask for it: engine, batch, command line. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { answer } from "../../wasm/batch.ts";
import { open, type Tail } from "../../wasm/engine.ts";
import { refused } from "./refused.ts";
import { command, answer as said } from "./run.ts";

const engine = await open();
const { goe } = engine;

describe("answers", () => {
  test("every line of the reference table", () => {
    const table = readFileSync("tests/reference/spectrum/goe.ndjson", "utf8").trim().split("\n");
    expect(table.length).toBeGreaterThan(200);
    for (const text of table) {
      const { dimension, x, cdf, survival, quantile, ...tail } = JSON.parse(text);
      if (quantile === undefined) {
        const below = goe.cdf(dimension, x);
        expect(Math.abs(below.value - cdf), text).toBeLessThanOrEqual(1e-14);
        const above = goe.survival(dimension, x);
        expect(Math.abs(above.value / survival - 1), text).toBeLessThanOrEqual(1e-13);
        expect(above.lower <= Number(survival) && Number(survival) <= above.upper, text).toBe(true);
      } else {
        const { value, lower, upper } = goe.quantile(dimension, tail);
        const allowed = "upperTail" in tail ? 2 * Number.EPSILON : 1e-10;
        expect(Math.abs(value / quantile - 1), text).toBeLessThanOrEqual(allowed);
        expect(lower <= Number(quantile) && Number(quantile) <= upper, text).toBe(true);
      }
    }
  });

  test("logarithm and density belong to the survival", () => {
    const x = 17;
    const { value } = goe.survival(50, x);
    expect(goe.logSurvival(50, x).value).toBeCloseTo(Math.log(value), 13);
    const slope = (goe.survival(50, x - 1e-4).value - goe.survival(50, x + 1e-4).value) / 2e-4;
    expect(goe.density(50, x).value / slope).toBeCloseTo(1, 6);
    expect(goe.logSurvival(50, 1e6).value).toBeCloseTo(-2.5e11, -4);
    expect(goe.survival(50, 1e6)).toMatchObject({ value: 0, lower: 0 });
  });

  test("the normalisation is the variance off the diagonal", () => {
    const { value, source, kind } = goe.survival(50, 12, { normalisation: "half" });
    expect(value / 4.232461187661502e-6).toBeCloseTo(1, 14);
    expect({ kind, named: /Tracy and Widom/.test(source) }).toEqual({ kind: "exact", named: true });
    expect(goe.survival(50, 12).value).toBeCloseTo(0.991022774836578, 14);
    const wide = goe.quantile(50, { upperTail: 1e-6 }, { normalisation: "one" }).value;
    expect(wide / goe.quantile(50, { upperTail: 1e-6 }, { normalisation: "half" }).value).toBeCloseTo(
      Math.SQRT2,
      14,
    );
  });

  test("the batch asks the same questions", () => {
    const tail = { upperTail: 1e-5 };
    expect(answer(engine, { ask: "goeQuantile", dimension: 7, ...tail, normalisation: "half" })).toEqual(
      goe.quantile(7, tail, { normalisation: "half" }),
    );
    expect(answer(engine, { ask: "goeQuantile", dimension: 7, lowerTail: 0.01 })).toEqual(
      goe.quantile(7, { lowerTail: 0.01 }),
    );
    const place = { dimension: 7, x: 5 };
    expect(answer(engine, { ask: "goeCdf", ...place })).toEqual(goe.cdf(7, 5));
    expect(answer(engine, { ask: "goeSurvival", ...place })).toEqual(goe.survival(7, 5));
    expect(answer(engine, { ask: "goeLogSurvival", ...place })).toEqual(goe.logSurvival(7, 5));
    expect(answer(engine, { ask: "goeDensity", ...place })).toEqual(goe.density(7, 5));
  });

  test("the command line prints the quantile with its safe end", () => {
    const { value, lower, upper } = said("goe-quantile", "--dimension", "50", "--upper-tail", "4.2325e-6");
    expect(value).toBe(16.970560914094165);
    expect(lower).toBeLessThan(value);
    expect(upper).toBeGreaterThan(value);
    expect(upper / value - 1).toBeLessThan(1e-14);
    expect(said("goe-quantile", "--dimension", "50", "--lower-tail", "0.001").value).toBe(
      goe.quantile(50, { lowerTail: 0.001 }).value,
    );
  });

  test("the command line prints the survival", () => {
    const { value, lower, upper } = said("goe-survival", "--dimension", "50", "--x", "16.97056274847714");
    // The published digits belong to 12 times the square root of two, of which this x is the rounding to a double.
    expect(Math.abs(value / 4.232461187661502e-6 - 1)).toBeLessThan(1e-14);
    expect(Math.abs(value / 4.232461187661534e-6 - 1)).toBeLessThan(3e-15);
    expect(lower < 4.232461187661502e-6 && 4.232461187661534e-6 < upper).toBe(true);
    expect(said("goe-cdf", "--dimension", "50", "--x", "12", "--normalisation", "half").value).toBe(
      goe.cdf(50, 12, { normalisation: "half" }).value,
    );
    expect(said("goe-log-survival", "--dimension", "3", "--x", "99").value).toBe(
      goe.logSurvival(3, 99).value,
    );
    expect(said("goe-density", "--dimension", "3", "--x", "3").value).toBe(goe.density(3, 3).value);
  });
});

describe("refusals", () => {
  test.each([0, 2.5, 1e9, -3, Number.NaN, Number.POSITIVE_INFINITY])("dimension %d", (dimension) => {
    expect(refused(() => goe.cdf(dimension, 1))).toBe("range dimension");
    expect(refused(() => goe.quantile(dimension, { upperTail: 0.1 }))).toBe("range dimension");
  });

  test.each([0, 1, -1, 2, 1e-300, Number.NaN])("tail %d", (tail) => {
    expect(refused(() => goe.quantile(3, { upperTail: tail }))).toBe("range upperTail");
    expect(refused(() => goe.quantile(3, { lowerTail: tail }))).toBe("range lowerTail");
  });

  test("places and words that are none", () => {
    for (const x of [Number.NaN, Number.POSITIVE_INFINITY, -1e10]) {
      expect(refused(() => goe.survival(3, x))).toBe("range x");
      expect(refused(() => goe.density(3, x))).toBe("range x");
    }
    expect(refused(() => goe.cdf("3" as never, 1))).toBe("type dimension");
    expect(refused(() => goe.cdf(3, undefined as never))).toBe("type x");
    expect(refused(() => goe.cdf(3, 1, { normalisation: "two" as never }))).toBe("unknown normalisation");
    expect(refused(() => goe.cdf(3, 1, { normalisation: 2 as never }))).toBe("type normalisation");
    expect(refused(() => goe.quantile(3, {} as Tail))).toBe("missing upperTail");
    expect(refused(() => goe.quantile(3, null as never))).toBe("missing upperTail");
    expect(refused(() => goe.quantile(3, { upperTail: 0.1, lowerTail: 0.1 }))).toBe("malformed upperTail");
    expect(refused(() => answer(engine, { ask: "goeCdf", dimension: 3 }))).toBe("missing x");
    expect(refused(() => answer(engine, { ask: "goeCdf", dimension: 3, x: 1, upperTail: 1 }))).toBe(
      "unknown upperTail",
    );
  });

  test.each<[string[], string]>([
    [["goe-quantile", "--dimension", "50"], "upperTail"],
    [["goe-quantile", "--upper-tail", "0.1"], "dimension"],
    [["goe-quantile", "--dimension", "0", "--upper-tail", "0.1"], "dimension"],
    [["goe-quantile", "--dimension", "2.5", "--upper-tail", "0.1"], "dimension"],
    [["goe-quantile", "--dimension", "1e9", "--upper-tail", "0.1"], "dimension"],
    [["goe-quantile", "--dimension", "NaN", "--upper-tail", "0.1"], "dimension"],
    [["goe-quantile", "--dimension", "50", "--upper-tail", "2"], "upperTail"],
    [["goe-quantile", "--dimension", "50", "--upper-tail", "0.1", "--lower-tail", "0.1"], "upperTail"],
    [["goe-survival", "--dimension", "50", "--x", "1", "--normalisation", "third"], "normalisation"],
    [["goe-survival", "--dimension", "50", "--y", "1"], "option"],
  ])("%j", (words, field) => {
    const { status, stdout, stderr } = command(words);
    expect(status).toBe(2);
    expect(stdout).toBe("");
    expect(JSON.parse(stderr).refusal.field).toBe(field);
  });
});
