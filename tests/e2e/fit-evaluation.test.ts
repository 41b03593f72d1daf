/** How good is it? The price before, the numbers after, the line in the ledger, and what is saved. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { fitsIn, PHONE, readableInBothThemes, violations } from "./access.ts";
import { stage, words } from "./browser.ts";
import { engine, released, run, sample, saved } from "./fit-page.ts";

const { open } = stage();

const part = (page: Page) => page.locator("fit-evaluation");

async function model(page: Page): Promise<void> {
  await sample(page, "Hospital visits");
  await run(page);
  await released(page);
}

/** By the keyboard alone, from the field of the budget on. */
async function measure(page: Page, epsilon: string): Promise<void> {
  await page.locator("#evaluation-epsilon").fill(epsilon);
  await part(page).getByText("It costs ε ≤").waitFor();
  await page.locator("#fit-evaluate").focus();
  await page.keyboard.press("Enter");
  await page.locator("fit-measures figure").waitFor();
}

const row = async (page: Page, name: string) =>
  (await page.locator("fit-measures").getByRole("row", { name }).locator("td").allTextContents()).join(" ");

test("an evaluation tells its price, what is right and wrong at every threshold, and is counted and saved", async () => {
  const { page, errors, requests, close } = await open("/fit.html");
  await model(page);
  const asked = requests.length;
  await measure(page, "0.5");
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toContain("What the model gets right");
  expect(await row(page, "accuracy")).toMatch(/^0\.7\d* 0\.\d+ to 0\.\d+ 0\.\d+ to 0\.\d+$/);
  const ledger = page.locator("fit-ledger li");
  expect(await ledger.count()).toBe(2);
  expect(await words(ledger.nth(1))).toContain("readmitted, how good the model is ε ≤ 0.5 at δ = 1e-6");
  await page.locator("fit-ledger .totals strong", { hasText: /ε ≤ \d/ }).waitFor();
  const total = await words(page.locator("fit-ledger .totals strong"));
  expect(await words(part(page))).toContain(`should the same persons be in both tables: ${total}.`);

  // The threshold moves the counts, and what follows from them.
  const threshold = page.getByRole("slider", { name: /^Say “yes”/ });
  const before = await row(page, "is “yes”");
  await threshold.focus();
  await page.keyboard.press("Home");
  await expect.poll(() => row(page, "is “yes”")).not.toBe(before);
  // Of these rows all; of those that they were drawn from, as many rows cannot say that.
  expect(await row(page, "of “yes”, told right")).toMatch(/^1 1 to 1 0\.9\d* to 1$/);

  await measure(page, "0.25");
  await expect.poll(() => ledger.count()).toBe(3);
  const release = JSON.parse(await saved(page));
  expect(release.evaluations).toHaveLength(2);
  const [first, second] = release.evaluations;
  expect(engine.planEvaluation(release, first.request).sigma).toBe(first.sigma);
  expect(second.sigma).toBeGreaterThan(first.sigma);
  expect(requests.length).toBe(asked);
  expect(errors).toEqual([]);
  await close();
});

test("what cannot be asked is told beside the field, other rows are other rows, and a new model has no evaluation yet", async () => {
  const { page, errors, close } = await open("/fit.html");
  await model(page);
  await page.locator("#evaluation-epsilon").fill("-1");
  await part(page).locator(".error").getByText("Privacy loss ε “-1”").waitFor();
  await page.locator("#evaluation-epsilon").fill("much");
  await part(page).locator(".error").getByText("Privacy loss ε “much”").waitFor();
  const rows = Array.from(
    { length: 400 },
    (_, i) => `P${i};${20 + (i % 70)};120;no;${i % 3 === 0 ? "yes" : "no"}`,
  );
  const text = `patient;age;systolic;smoker;readmitted\n${rows.join("\n")}\n`;
  const file = { name: "later.csv", mimeType: "text/csv", buffer: Buffer.from(text) };
  await page.setInputFiles("#evaluation-file", file);
  await part(page).getByText("On the rows of later.csv").waitFor();
  await measure(page, "2");
  expect(await words(part(page))).toContain("What the model gets right on later.csv");
  expect(await words(page.locator("fit-measures"))).not.toContain("to which it was fitted");
  expect(await words(page.locator("fit-ledger li").nth(1))).toContain("later.csv: readmitted");
  await run(page);
  await expect.poll(() => page.locator("fit-measures").count()).toBe(0);
  expect(errors).toEqual([]);
  await close();
});

test("everybody can read it, in both themes and on a telephone", async () => {
  const { page, errors, close } = await open("/fit.html", { viewport: PHONE });
  await model(page);
  await measure(page, "0.5");
  await fitsIn(page, { "a phone": PHONE });
  expect(await violations(page)).toEqual([]);
  await readableInBothThemes(page);
  expect(errors).toEqual([]);
  await close();
});
