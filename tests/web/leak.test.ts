/** The example of a leak: the numbers that the documentation tells, and a count that comes out whatever it is. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FEWEST, MOST, published, reconstructed } from "../../web/src/fit/leak.ts";

const PAGE = readFileSync(new URL("../../docs/privacy-report.md", import.meta.url), "utf8").replaceAll(
  "−",
  "-",
);
/** Rounding of a loss of size 1, grown by the variance and by the distance of both residuals. */
const slack = (sigma: number) => 1e-13 * sigma ** 2;

test.each([
  [7, 1.25],
  [8, 2.15],
])("the documented example of %d rows", (rows, sum) => {
  const { mean, losses } = published(rows, 3);
  expect(PAGE).toContain(mean.toFixed(6));
  for (const loss of losses) expect(PAGE).toContain(loss.toFixed(9));
  const found = reconstructed({ mean, losses, labels: [0.25, -1] }, 3);
  expect(Math.abs(found.rows - rows)).toBeLessThan(slack(3));
  expect(Math.abs(found.sum - sum)).toBeLessThan(slack(3));
});

test("noise of any size does not hide the count", () => {
  for (const sigma of [0.5, 3, 30, 300])
    for (let rows = FEWEST; rows <= MOST; rows++) {
      const found = reconstructed(published(rows, sigma), sigma);
      expect(Math.abs(found.rows - rows)).toBeLessThan(Math.max(1e-10, slack(sigma)));
    }
});

test("it is the losses that tell the count: with others beside the same mean, another one comes out", () => {
  const one = published(7, 3);
  const other = { ...one, losses: [one.losses[0] + 1e-3, one.losses[1] + 1e-3] as const };
  expect(Math.abs(reconstructed(other, 3).rows - 7)).toBeGreaterThan(0.1);
});
