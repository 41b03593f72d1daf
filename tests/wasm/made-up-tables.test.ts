/** The tables of scripts/whitened-errors.mjs: as much of their label is explained as is stated, and those that should be are off the middle. */
import { expect, test } from "vitest";
import { open } from "../../wasm/engine.ts";

const scripts = new URL("../../scripts/", import.meta.url);
const { meanError, reader } = await import(new URL("held-out.mjs", scripts).href);
const { declared, header, madeUp } = await import(new URL("made-up-tables.mjs", scripts).href);

const ROWS = 4000;

// Of numbers whose deviation is 0.3, 0.7 of the variance is explained; 17.48 % of the classes are wrong by the model that made
// them. Four standard deviations of what is counted, and what 21 coefficients take of as many rows.
test.each([
  ["numbers", "squared", 0.09 * 0.3, 0.09 * 0.3 * (4 * Math.sqrt(2 / ROWS) + 21 / ROWS)],
  ["classes", "logistic", 0.1748, 4 * Math.sqrt((0.1748 * 0.8252) / ROWS) + 21 / ROWS],
] as const)(
  "no model of well scaled %s errs less, or much more, than is stated",
  async (of, loss, error, off) => {
    const lines = madeUp(of, 2 * ROWS, { offCentre: 0, conditioning: 1 }, 5);
    const table = declared(of);
    const request = {
      table,
      algorithm: { name: "approximate-minima-perturbation", loss },
      budget: { epsilon: 1, delta: 1e-5 },
    };
    const engine = await open();
    const model = await engine.fitWithoutPrivacy([header, ...lines.slice(ROWS)].join("\n"), request as never);
    const read = reader(table, header.split(","));
    const rows = lines.slice(0, ROWS).map((line: string) => read(line.split(",")));
    expect(Math.abs(meanError(table, model, rows) - error)).toBeLessThan(off);
  },
);

test("badly scaled ones are off the middle", () => {
  const lines: string[] = madeUp("numbers", ROWS, { offCentre: 0.6, conditioning: 100 }, 5);
  const rows = lines.map((line) => line.split(",").map(Number));
  const means = Array.from(
    { length: 20 },
    (_, j) => rows.reduce((sum, row) => sum + (row[j] as number), 0) / ROWS,
  );
  // What is beyond the end counts as it, which takes some off.
  for (const one of means) expect(Math.abs(Math.abs(one) - 0.57)).toBeLessThan(0.06);
});
