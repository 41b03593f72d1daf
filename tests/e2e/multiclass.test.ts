/** A private model of several classes on the page, from the file to its coefficients, its predictions, and back from the release. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { violations } from "./access.ts";
import { cramped, resting, stage, words } from "./browser.ts";
import { compared, entry, fill, give, proceed, released, run, saved, taken, whiten } from "./fit-page.ts";

const host = stage();

/** The region follows from income and town. */
const table = () => {
  const rows = Array.from({ length: 2000 }, (_, i) => {
    const income = (i * 37) % 101;
    const town = i % 3 === 0 ? "a" : "b";
    return `${income},${town},${town === "a" ? "south" : income > 50 ? "north" : "west"}`;
  });
  return `income,town,region\n${rows.join("\n")}\n`;
};

/** Made-up tables are fitted as the form says, and the error falls with ε. */
async function simulated(page: Page): Promise<void> {
  await page.locator("#forecast summary").click();
  await page.locator("#guess-rows").fill("3000");
  await page.getByRole("button", { name: "Simulate" }).click();
  await page.locator("fit-forecast figure").waitFor();
  await page.getByText("The same as a table").click();
  const errors = (await page.locator("fit-forecast tbody td:nth-child(2)").allInnerTexts()).map(Number);
  expect(errors.every((error) => error > 0 && error < 0.8)).toBe(true);
  expect(errors.at(-1)).toBeLessThan(errors[0] as number);
}

/** How good it is stands in a table: what is taken for what, and the share told right of each class. */
async function measured(page: Page): Promise<void> {
  await page.locator("#evaluation-epsilon").fill("1");
  await page.locator("fit-evaluation summary").click();
  await page.locator("#evaluation-detail").fill("5");
  await page.locator("fit-evaluation").getByText("It costs ε ≤ 1").waitFor();
  await page.locator("#fit-evaluate").focus();
  await page.keyboard.press("Enter");
  await page.locator("fit-measures figure").waitFor();
  const [confusion, measures] = await page.locator("fit-measures table").all();
  expect(await confusion?.locator("thead th").allInnerTexts()).toEqual([
    "Rows, ± the noise in 95 %",
    "said “north”",
    "said “west”",
    "said “south”",
  ]);
  const told = await confusion?.locator("tbody td").allInnerTexts();
  expect(told).toHaveLength(9);
  expect(told?.every((cell) => /^−?\d+ ± \d+$/.test(cell))).toBe(true);
  expect(await measures?.locator("tbody th").allInnerTexts()).toEqual([
    "accuracy: told right",
    ...["north", "west", "south"].map((name) => `of “${name}”, told right (recall)`),
    ...["north", "west", "south"].map((name) => `said “${name}”, and right (precision)`),
  ]);
  const accuracy = await measures?.locator("tbody tr").first().locator("td").allInnerTexts();
  // So near to 1 that noise can put every end of an interval there.
  expect(accuracy?.join("; ")).toMatch(/^[01][.\d]*; [01][.\d]* to 1; [01][.\d]* to 1$/);
  expect(await page.locator("fit-measures figure .wide svg").count()).toBe(1);
  expect(await words(page.locator("fit-ledger li").nth(1))).toContain("how good the model is ε ≤ 1 at");
}

/** The model without privacy, after a tick: a column beside that of each class, and in no download. */
async function beside(page: Page): Promise<void> {
  await page.locator("#fit-compare").check();
  await compared(page);
  const heads = await page.locator("fit-release table.coefficients thead th").allInnerTexts();
  expect(heads).toHaveLength(7);
  expect(heads.slice(1, 3)).toEqual(["north", "north, without privacy"]);
  expect(await saved(page)).not.toContain("without");
}

/** Both algorithms of several classes are held against each other. */
async function ranked(page: Page): Promise<void> {
  await page.locator("fit-ranking summary").click();
  await page.locator("#rank-rows").fill("1000");
  await page.getByRole("button", { name: "Compare them" }).click();
  await page.locator("fit-ranking .proposal").waitFor();
  expect(await page.locator("fit-ranking tbody tr").count()).toBe(2);
  expect(await words(page.locator("fit-ranking .proposal"))).toContain("Proposed: ");
}

/** All that is asked of a table of several classes. */
async function declared(page: Page): Promise<void> {
  await give(page, "regions.csv", table());
  await taken(page);
  await fill(page, { "table.unit.protects": "person", "table.unit.rows": "1" });
  for (const step of [1, 2]) await proceed(page, step);
  await entry(page, "table.label.name").selectOption("region");
  await entry(page, "task").selectOption("softmax");
  await entry(page, "table.label.levels").fill("north\nwest\nsouth");
  await page.getByRole("checkbox", { name: "income", exact: true }).check();
  await page.getByRole("checkbox", { name: "town", exact: true }).check();
  await fill(page, {
    "table.columns.0.range.0": "0",
    "table.columns.0.range.1": "100",
    "table.columns.1.levels": "a\nb",
    "budget.epsilon": "4",
    "budget.delta": "1e-6",
  });
  await entry(page, "missing").selectOption("drop");
  await page.locator("fit-price .headline").waitFor();
}

test("several classes are declared, priced, fitted, shown by class, predicted, and filled in again", async () => {
  const { page, errors, close } = await host.open("/fit.html");
  await declared(page);
  await simulated(page);
  await ranked(page);
  await proceed(page, 3);
  await run(page);
  await released(page);
  const heads = await page.locator("fit-release table.coefficients thead th").allInnerTexts();
  expect(heads).toEqual(["Term", "north", "west", "south"]);
  const terms = await page.locator("fit-release table.coefficients tbody th").allInnerTexts();
  expect(terms.map((term) => term.trim())).toEqual(["intercept", "income", "town a", "town b"]);
  const file = page.waitForEvent("download");
  const buffer = Buffer.from("income,town\n90,b\n10,b\n50,a\n");
  await page.setInputFiles("#fit-predict", { name: "new.csv", mimeType: "text/csv", buffer });
  const lines = (await readFile(await (await file).path(), "utf8")).trimEnd().split("\n");
  expect(lines.map((line) => line.split(",").at(-1))).toEqual(["class", "north", "west", "south"]);
  await measured(page);
  await beside(page);
  await resting(page);
  expect(await violations(page)).toEqual([]);
  expect(await cramped(page)).toEqual([]);
  const release = await saved(page);
  expect(JSON.parse(release).evaluations).toHaveLength(1);
  await give(page, "release.json", release);
  await page.locator("#step-3 summary").first().click();
  expect(await entry(page, "task").inputValue()).toBe("softmax");
  expect(await entry(page, "table.label.levels").inputValue()).toBe("north\nwest\nsouth");
  expect(errors).toEqual([]);
  await close();
});

test("each class is fitted against the rest, it is said what its sums are worth, and what it cost each row", async () => {
  const { page, errors, close } = await host.open("/fit.html");
  await declared(page);
  await whiten(page);
  await proceed(page, 3);
  await run(page);
  await released(page);
  const heads = await page.locator("fit-release table.coefficients thead th").allInnerTexts();
  expect(heads).toEqual(["Term", "north", "west", "south"]);
  expect(await words(page.locator("fit-release"))).toContain("Each class was fitted against the rest");
  await page.getByLabel("Show what it cost each row").check();
  await page.locator("fit-persons figure").waitFor();
  expect(await words(page.locator("fit-persons"))).toContain("Of 2 000 rows, half lost at most ε = ");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 390, height: 844 });
  await resting(page);
  expect(await violations(page)).toEqual([]);
  expect(await cramped(page)).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});
