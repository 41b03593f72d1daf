/** A whitened fit on the page: the report tells what came out told, the released matrix named as one of its causes. */
import { expect, test } from "vitest";
import { cramped, stage, words } from "./browser.ts";
import { csv, declare, give, released, run, taken, whiten } from "./fit-page.ts";

const { open } = stage();

test.each([1200, 390])("a report on a whitened fit, %i px wide", async (width) => {
  const { page, errors, close } = await open("/fit.html", { viewport: { width, height: 900 } });
  await give(page, "pay.csv", csv(400));
  await taken(page);
  await declare(page);
  await whiten(page);
  await run(page);
  await released(page);
  await page.getByRole("button", { name: "Make a report that may be published" }).click();
  const form = page.locator("fit-report fit-hypothetical");
  await form.getByLabel("x", { exact: true }).fill("3");
  await form.getByLabel("group").selectOption("a");
  await form.getByLabel("pay").fill("250");
  await form.locator(".figure").nth(1).waitFor();
  const told = await words(form);
  expect(told).toMatch(/What came out told about this person at most/);
  expect(told).toMatch(/because of what was published beside the model/);
  expect(await words(page.locator("fit-report"))).toContain("noisy sums that the budget paid for");
  expect(await cramped(page)).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});
