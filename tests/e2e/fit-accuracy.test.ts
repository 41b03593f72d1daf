/** The fit page where an accuracy is kept instead of a budget, and the ledger that keeps such losses apart. */
import { expect, test } from "vitest";
import { stage, words } from "./browser.ts";
import { csv, declare, entry, fill, give, proceed, run, taken } from "./fit-page.ts";

const { open } = stage();

test("an excess risk is asked for, the largest loss promised, and what came out told as another kind of loss", async () => {
  const { page, errors, close } = await open("/fit.html");
  await give(page, "pay.csv", csv(4000));
  await taken(page);
  await declare(page);
  await entry(page, "algorithm.name").selectOption("covariance-noise-reduction");
  expect(await entry(page, "budget.epsilon").count()).toBe(0);
  await fill(page, { "algorithm.excessRisk": "0.2", "algorithm.lambda": "80", "algorithm.rows": "4000" });
  await page.locator("fit-price .headline").waitFor();
  expect(await words(page.locator("fit-price"))).toContain("an ex-post loss, a guarantee of another kind");
  // The largest loss is no price, and would be taken for one.
  expect(await words(page.locator("fit-price .headline"))).toBe("ε is told by the run");
  for (const step of [1, 2, 3]) await proceed(page, step);
  await run(page);
  await page.locator("fit-release .ex-post").waitFor();
  expect(await words(page.locator("fit-release"))).toMatch(
    /It cost, ex post, ε ≤ [\d.]+.*which was the first to pass/,
  );
  await run(page);
  await page.locator("fit-ledger .totals.after").waitFor();
  const ledger = await words(page.locator("fit-ledger"));
  expect(ledger.match(/ex post ε ≤ [\d.]+; before, ε ≤ [\d.]+/g)).toHaveLength(2);
  await expect.poll(() => words(page.locator("fit-ledger .totals.after"))).toMatch(/ε ≤ [\d.]+, 2 releases/);
  expect(errors).toEqual([]);
  await close();
});
