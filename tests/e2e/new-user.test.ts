/**
 * Somebody who has never seen the page: from a sample to who lost most and why, a published report, and the loss of a
 * hypothetical person, read on somebody else's page. How often she must click is counted, and held.
 */
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { stage, words } from "./browser.ts";
import { entry, fill, released, taken } from "./fit-page.ts";
import { host } from "./host.ts";

const current = stage();
const stranger = host(() => current.site.origin);

const CLICKS = { fit: 4, row: 1, report: 2, elsewhere: 0 } as const;

/** Values of somebody who is not in the sample. */
async function typeIn(form: Page | Locator): Promise<void> {
  await form.getByLabel("age", { exact: true }).fill("82");
  await form.getByLabel("systolic", { exact: true }).fill("180");
  await form.getByLabel("smoker", { exact: true }).selectOption("yes");
  await form.getByLabel("readmitted", { exact: true }).selectOption("no");
}

const own = async (text: Locator) => /whatever came out,\s*(ε ≤ [\d.]+)/.exec(await words(text))?.[1];

test("a new user finds who lost most and why, publishes the report, and reads a hypothetical loss on a foreign page", async () => {
  const { page, errors, close } = await current.open("/fit.html");
  const made = { fit: 0, row: 0, report: 0, elsewhere: 0 };
  const click = async (part: keyof typeof made, target: Locator) => {
    made[part]++;
    await target.click();
  };

  await click("fit", page.getByRole("button", { name: "Hospital visits" }));
  await taken(page);
  await fill(page, { "table.unit.protects": "visit", "table.unit.rows": "1" });
  await click("fit", page.locator("#step-2 .next"));
  await entry(page, "budget.epsilon").waitFor();
  await click("fit", page.locator("#step-3 .next"));
  await click("fit", page.getByRole("button", { name: "Run, and spend it" }));
  await released(page);

  await click("row", page.getByLabel("Show what it cost each row"));
  await page.locator("fit-persons figure").waitFor();
  const told = await words(page.locator("fit-persons > p[role=status]"));
  expect(told).toMatch(
    /^Row [\d\s]+ lost at most ε = [\d.]+, [\d.]+ % of what was promised: its .* most\. What came out told at most [\d.]+ of it\.$/,
  );

  await click("report", page.getByRole("button", { name: "Make a report that may be published" }));
  const file = page.waitForEvent("download");
  await click("report", page.getByRole("button", { name: "Download the report" }));
  stranger.file("/report.json", await readFile(await (await file).path(), "utf8"));
  await typeIn(page.locator("fit-report fit-hypothetical"));
  await page.locator("fit-report fit-hypothetical .figure").first().waitFor();

  const body = '<main><h1>A study</h1><privacy-report src="report.json">ask us</privacy-report></main>';
  const there = await current.open(stranger.put({ body, script: "epsilometer-report.js" }));
  await there.page.getByLabel("age", { exact: true }).waitFor();
  await typeIn(there.page);
  const answer = there.page.locator("privacy-report [part=answer]:not(.stale)");
  await answer.waitFor();
  expect(await own(answer)).toMatch(/^ε ≤ [\d.]+$/);
  expect(await own(answer)).toBe(await own(page.locator("fit-report fit-hypothetical")));
  expect(await words(answer)).toContain("It costs you");

  expect(made).toEqual(CLICKS);
  expect([...errors, ...there.errors]).toEqual([]);
  await there.close();
  await close();
});
