/** What a release cost each person: shown to the holder of the table only, explained row by row; and the report that may leave. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { format } from "../../web/src/words/numbers.ts";
import { cramped, stage, words } from "./browser.ts";
import { csv, declare, engine, give, proceed, released, run, sample, saved, taken } from "./fit-page.ts";

const { open } = stage();

const ROWS = 400;

async function fitted(page: Page): Promise<void> {
  await give(page, "pay.csv", csv(ROWS));
  await taken(page);
  await declare(page);
  for (const step of [1, 2, 3]) await proceed(page, step);
  await run(page);
  await released(page);
}

async function downloadedReport(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Make a report that may be published" }).click();
  const download = page.getByRole("button", { name: "Download the report" });
  await download.waitFor();
  expect(await download.evaluate((one) => one === document.activeElement)).toBe(true);
  const file = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  return readFile(await (await file).path(), "utf8");
}

test("from a file to the row that lost most and why, and to the loss of a hypothetical person by the report", async () => {
  const { page, errors, close } = await open("/fit.html");
  await fitted(page);
  expect(await page.locator("fit-persons figure").count()).toBe(0);
  await page.getByLabel("Show what it cost each row").check();
  await page.locator("fit-persons figure").waitFor();
  expect(await words(page.locator("fit-persons"))).toMatch(/Of 400 rows, half lost at most ε = /);
  expect(await words(page.locator("fit-persons"))).toMatch(
    /What came out told of half of the rows at most \d/,
  );
  const told = page.locator("fit-persons > p[role=status]");
  expect(await told.textContent()).toMatch(/^Row \d+ lost at most ε = .* of what was promised/);
  await page.getByLabel("Row", { exact: true }).focus();
  await page.getByLabel("Row", { exact: true }).fill("7");
  await page.keyboard.press("ArrowUp");
  expect(await told.textContent()).toMatch(/^Row 8 lost at most.* What came out told at most \d\S* of it\.$/);
  for (const none of ["401", "1.5", "-3"]) {
    await page.getByLabel("Row", { exact: true }).fill(none);
    expect(await told.textContent()).toBe("Row must be a whole number from 1 to 400.");
  }
  // The row at the pointer: that which lost most is where it is marked.
  const most = page.getByRole("button", { name: "The row that lost most" });
  await most.click();
  const worst = await told.textContent();
  const scatters = page.locator("fit-persons figure .wide svg:has(circle)");
  for (const scatter of await scatters.all()) {
    await scatter.scrollIntoViewIfNeeded();
    const mark = (await scatter.locator("circle").boundingBox()) as { x: number; y: number; width: number };
    const box = (await scatter.boundingBox()) as { x: number; y: number };
    await page.mouse.move(box.x + 65, box.y + 240);
    await expect.poll(() => told.textContent()).not.toBe(worst);
    await page.mouse.move(mark.x + mark.width / 2, mark.y + mark.width / 2);
    await expect.poll(() => told.textContent()).toBe(worst);
  }
  // Length of the features, on which the price depends here, and leverage and misfit.
  expect(await scatters.count()).toBe(3);

  const release = JSON.parse(await saved(page));
  const losses = await engine.personalLosses(release, csv(ROWS), { failure: 1e-6 });
  const size = format(losses.realised?.largest ?? expect.fail("nothing told"), 3, "up");
  expect(await words(page.locator("fit-persons"))).toContain(`of nobody more than ${size}.`);
  expect(losses.losses).toHaveLength(ROWS);
  expect(Math.max(...losses.losses)).toBeLessThanOrEqual(losses.promised);
  // Somebody typed by hand, by the table itself: the first row is in it, and another one is not.
  const known = page.locator("fit-hypothetical");
  const [names, first] = csv(1)
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  const row = Object.fromEntries((names as string[]).map((name, i) => [name, first?.[i]]));
  await known.getByLabel("x", { exact: true }).fill(row.x as string);
  await known.getByLabel("group").selectOption(row.group as string);
  await known.getByLabel("pay").fill(row.pay as string);
  await known.locator(".figure").first().waitFor();
  const inside = await engine.knownLoss(release, csv(ROWS), row, { failure: 1e-6 });
  expect(await words(known)).toContain(`ε ≤ ${format(inside.whatever.upper, 4, "up")}`);
  expect(await words(known)).toMatch(/Of this row: its values are/);
  await known.getByLabel("pay").fill("1");
  await known.getByRole("alert").waitFor();
  expect(await words(known.getByRole("alert"))).toContain("Must be in the table");
  await known.getByLabel("Not in it").check();
  const outside = await engine.knownLoss(
    release,
    csv(ROWS),
    { ...row, pay: 1 },
    { member: false, failure: 1e-6 },
  );
  await known.getByText(`ε ≤ ${format(outside.whatever.upper, 4, "up")}`).waitFor();
  const report = await downloadedReport(page);
  // Nothing of any row, and nothing that was computed from rows but the release itself.
  for (const name of ["losses", "leverages", "residuals", "median", "largest", "realised"]) {
    expect(report).not.toContain(name);
    expect(JSON.stringify(release)).not.toContain(name);
  }
  // The same by hand, on the page.
  await page.locator("fit-report fit-hypothetical").getByLabel("x", { exact: true }).fill("3");
  await page.locator("fit-report fit-hypothetical").getByLabel("group").selectOption("a");
  await page.locator("fit-report fit-hypothetical").getByLabel("pay").fill("250");
  await page.locator("fit-report fit-hypothetical .figure").first().waitFor();
  const somebody = await words(page.locator("fit-report fit-hypothetical"));
  expect(somebody).toMatch(/It costs this person, whatever came out,\s*ε ≤ 0?\.?\d/);
  expect(somebody).not.toMatch(/\byour?\b/i);
  const mine = engine.personalLoss(JSON.parse(report), { x: 3, group: "a", pay: 250 });
  expect(mine.whatever.upper).toBeLessThanOrEqual(mine.promised.upper);
  expect(() =>
    engine.personalLoss(
      { ...JSON.parse(report), promise: { failure: 0.1, audience: "one" } },
      { x: 3, group: "a", pay: 250 },
    ),
  ).toThrow("fingerprint");
  expect(errors).toEqual([]);
  await close();
});

test("on a phone the figures fit, and what is ticked for one table is not ticked for the next", async () => {
  const { page, errors, close } = await open("/fit.html", { viewport: { width: 390, height: 800 } });
  await fitted(page);
  await page.getByLabel("Show what it cost each row").check();
  await page.locator("fit-persons figure .phone svg").first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await run(page);
  await page.waitForFunction(() => document.querySelector("fit-persons figure") === null);
  expect(await page.getByLabel("Show what it cost each row").isChecked()).toBe(false);
  expect(await page.getByRole("button", { name: "Make a report" }).count()).toBe(1);
  // Both models together, of somebody who is not in the table.
  await page.getByLabel("Show what it cost each row").check();
  const known = page.locator("fit-hypothetical");
  await known.getByLabel("Not in it").check();
  await known.getByLabel("x", { exact: true }).fill("3");
  await known.getByLabel("group").selectOption("a");
  await known.getByLabel("pay").fill("250");
  await known.getByText(/The 2 models of this table on this page cost this person at most ε = \d/).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(errors).toEqual([]);
  await close();
});

const openShare = (page: Page) => page.locator("fit-share summary").first().press("Enter");
const places = (page: Page, count: number) =>
  page.waitForFunction((all) => document.querySelectorAll("fit-share tbody tr").length === all, count);

test("by keyboard: one budget shared with a report, its curve, and a report that holds what was paid for", async () => {
  const { page, errors, close } = await open("/fit.html");
  await sample(page, "Hospital visits");
  await openShare(page);
  await places(page, 10);
  const slider = page.getByRole("slider", { name: "Share of the budget for the report" });
  for (const _ of [1, 2, 3]) await slider.press("ArrowRight");
  expect(await slider.getAttribute("aria-valuetext")).toBe("30 % for the report, 70 % for the model");
  expect(await words(page.locator("fit-share [role=status]"))).toMatch(
    /^30 % of the budget .* together 0\.\d+\./,
  );
  await page.getByText("The same as a table").press("Enter");
  const together = await words(page.getByRole("row", { name: "30 %" }).getByRole("cell").last());
  expect(await cramped(page)).toEqual([]);
  await run(page);
  await released(page);

  const release = JSON.parse(await saved(page));
  const { rows: _, ...algorithm } = release.request.algorithm;
  const { sigma, lambda, ...asked } = algorithm;
  const budget = { epsilon: 1, delta: 1e-6 };
  const offer = engine.shareReport(
    { ...release.request, algorithm: { ...asked, rows: 30_000 }, budget },
    { share: 0.3, person: { rows: 30_000, wrong: 0.2 } },
  );
  expect([sigma, lambda]).toEqual([
    (offer.request.algorithm as { sigma: number }).sigma,
    (offer.request.algorithm as { lambda: number }).lambda,
  ]);
  const shown = Number(together);
  expect(shown).toBeGreaterThanOrEqual(offer.with.size);
  expect(shown).toBeLessThanOrEqual(offer.with.size * 1.01);
  // What was paid is both, whether or not the report is ever made.
  const paid = await words(page.locator(".ledger li strong"));
  expect(release.epsilon.upper).toBeLessThan(0.95);
  expect(Number(/[\d.]+/.exec(paid)?.[0])).toBeGreaterThan(0.99);

  const report = JSON.parse(await downloadedReport(page));
  expect(report.material.gradient).toHaveLength(report.coefficients.length);
  expect(report.price.epsilon).toBeLessThanOrEqual(1);
  expect(errors).toEqual([]);
  await close();
});

test("where nothing can be published beside the model, the budget is said to be the model's", async () => {
  const { page, errors, close } = await open("/fit.html");
  await sample(page, "Wages");
  await openShare(page);
  expect(await words(page.locator("fit-share .aside"))).toBe(
    "All of the budget is the model’s: only “Approximate minima perturbation” has a report that can be paid for.",
  );
  expect(await page.locator("fit-share .error").count()).toBe(0);
  expect(await page.locator("#fit-share").count()).toBe(0);
  expect(errors).toEqual([]);
  await close();
});

test("by keyboard: published losses give a made-up count away, and know nothing of the table", async () => {
  const { page, errors, close } = await open("/fit.html");
  await fitted(page);
  await page.locator("fit-leak summary").press("Enter");
  const told = page.locator("fit-leak [role=status]");
  expect(await words(told)).toContain("there are 7 people, and their labels add up to 1.25.");
  await page.getByRole("slider", { name: "People in the made-up table" }).press("ArrowRight");
  expect(await words(told)).toContain("there are 8 people, and their labels add up to 2.15.");
  expect(await words(told)).toContain("somebody joined, with the label 0.9.");
  await page.getByLabel("Noise on the mean").selectOption("300");
  expect(await words(told)).toContain("there are 8 people, and their labels add up to 2.15.");
  expect(await cramped(page)).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});
