/** What goes wrong on the page that fits models is said where it happens, and what belongs beside a field stands there. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { stage, words } from "./browser.ts";
import { csv, declare, entry, fill, give, proceed, released, run, sample, saved, taken } from "./fit-page.ts";

const { open } = stage();

const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);
const fileFault = (page: Page) => words(page.locator("#fit-file-error"));

/** Drops files somewhere, and answers whether the browser would have opened one in place of the page. */
const drop = (page: Page, selector: string, files: readonly string[], type = "Files") =>
  page.locator(selector).evaluate(
    (target, [contents, kind]) => {
      const dataTransfer = new DataTransfer();
      for (const content of contents) dataTransfer.items.add(new File([content], `${content.length}.csv`));
      if (kind !== "Files") dataTransfer.setData(kind, "a text");
      const ways = ["dragover", "drop"].map((name) =>
        target.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer })),
      );
      return ways.includes(true);
    },
    [files, type] as const,
  );

test("going on without a table is answered at the box, by every way on", async () => {
  const { page, errors, close } = await open("/fit.html");
  expect(await fileFault(page)).toBe("");
  await proceed(page, 1);
  expect(await fileFault(page)).toBe("A table must be chosen first: a file, a pasted text or a sample.");
  expect(await focused(page)).toBe("fit-file");
  expect(await page.locator("#fit-file").getAttribute("aria-describedby")).toBe("fit-file-error");
  await page.reload();
  await page.locator("#step-4 > summary").click();
  await run(page);
  expect(await fileFault(page)).toContain("must be chosen first");
  await give(page, "data.csv", csv(50));
  await taken(page);
  expect(await fileFault(page)).toBe("");
  expect(await page.locator("#fit-file").getAttribute("aria-invalid")).toBeNull();
  expect(errors).toEqual([]);
  await close();
});

test("a file that is dropped anywhere is the table, and never opens in place of the page", async () => {
  const { page, close } = await open("/fit.html");
  for (const [i, place] of ["h1", "footer", ".drop", "#step-3 .number"].entries()) {
    expect(await drop(page, place, [csv(20 + i)])).toBe(false);
    await taken(page);
    await page
      .locator(".table-name", { hasText: `${csv(20 + i).length}.csv` })
      .waitFor({ state: "attached" });
  }
  await page.reload();
  expect(await drop(page, "h1", [csv(20), csv(30)])).toBe(false);
  expect(await fileFault(page)).toBe("These are several files: drop one.");
  expect(await focused(page)).toBe("fit-file");
  // A text that is dragged into a field stays the browser's.
  expect(await drop(page, "h1", [], "text/plain")).toBe(true);
  await close();
});

test("a look-up of more than 1 000 levels is answered at the levels", async () => {
  const { page, close } = await open("/fit.html");
  const rows = Array.from({ length: 1200 }, (_, i) => `${i % 10},z${i},${i % 7}`).join("\n");
  await give(page, "many.csv", `x,zip,pay\n${rows}\n`);
  await taken(page);
  await page.locator("#step-3 summary").first().click();
  await page.getByRole("checkbox", { name: "zip" }).check();
  await page.getByRole("button", { name: "Look them up in the data" }).click();
  const error = page.locator("#fit-table-columns-1-levels-error");
  await page.locator("#fit-table-columns-1-levels-error:not(:empty)").waitFor();
  expect(await words(error)).toBe(
    "Levels of zip: the column has more than 1000 different values: it does not look categorical.",
  );
  await entry(page, "table.columns.1.levels").fill("z1\nz2");
  expect(await words(error)).toBe("");
  await close();
});

test("a reversed range and three more mistakes are said at once, each at its field and in the price", async () => {
  const { page, close } = await open("/fit.html");
  await give(page, "data.csv", csv(50));
  await taken(page);
  await declare(page);
  await page.locator("#step-2[open]").waitFor();
  const wrong = {
    "table.columns.0.range.1": "-20",
    "table.unit.rows": "1001",
    "budget.delta": "2",
    "table.label.range.1": "-1200",
  };
  await fill(page, wrong);
  const shown = await page.locator(".step .error:not(:empty)").evaluateAll((all) => all.map(({ id }) => id));
  expect(shown.sort()).toEqual(
    ["budget-delta", "table-columns-0-range-0", "table-label-range-0", "table-unit-rows"].map(
      (one) => `fit-${one}-error`,
    ),
  );
  const lines = page.locator("fit-price .error");
  expect(await lines.count()).toBe(4);
  await lines
    .filter({ hasText: "Least value of x" })
    .getByRole("button", { name: "Show me where" })
    .press("Enter");
  expect(await focused(page)).toBe("fit-table-columns-0-range-0");
  await fill(page, { "table.columns.0.range.1": "10", "table.unit.rows": "1", "budget.delta": "1e-6" });
  expect(await lines.count()).toBe(1);
  await fill(page, { "table.label.range.1": "1200" });
  await page.locator("fit-price .headline").waitFor();
  await close();
});

test("beside ranges and levels stands where they may come from", async () => {
  const { page, close } = await open("/fit.html");
  await give(page, "data.csv", csv(50));
  await taken(page);
  await page.locator("#step-3 summary").first().click();
  const warnings = page.locator("#step-3 .source:visible");
  expect(await warnings.allInnerTexts()).toEqual([expect.stringContaining("never from this file")]);
  for (const name of ["x", "group"]) {
    await page.getByRole("checkbox", { name, exact: true }).check();
    expect(await warnings.count()).toBe(2);
    await page.getByRole("checkbox", { name, exact: true }).uncheck();
  }
  await entry(page, "task").selectOption("logistic");
  expect(await words(warnings)).toContain("The two classes come from what is known");
  await close();
});

test.each([9, 10, 40])("the tools for %i columns stay, whatever is predicted", async (count) => {
  const { page, close } = await open("/fit.html");
  const names = Array.from({ length: count }, (_, i) => `c${i}`);
  const row = names.map((_, i) => i).join(",");
  await give(page, "wide.csv", `${names.join(",")}\n${row}\n${row}\n`);
  await taken(page);
  await page.locator("#step-3 summary").first().click();
  const tools = page.locator(".tools").getByRole("button");
  const before = await tools.allInnerTexts();
  expect(before).toEqual(["Use all", "Use none", "Set"]);
  for (const label of ["c0", `c${count - 1}`]) {
    await entry(page, "table.label.name").selectOption(label);
    expect(await tools.allInnerTexts()).toEqual(before);
    await page.getByRole("button", { name: "Use all" }).click();
    expect(await page.locator(".columns li.used").count()).toBe(count - 1);
  }
  await close();
});

test("a forecast stands beside the model that it was made for, and beside no other", async () => {
  const { page, close } = await open("/fit.html");
  await sample(page, "Wages");
  await page.locator("#forecast summary").click();
  await page.locator("#guess-rows").fill("200");
  await page.getByRole("button", { name: "Simulate" }).click();
  await page.locator("fit-forecast figure").waitFor();
  const expected = page.locator("fit-release .expected");
  await run(page);
  await released(page);
  expect(await words(expected)).toMatch(
    /^Expected error, as simulated .* root mean squared error \d.* Guessed: 200 rows, .* off the middle by 0\.6 .* 100 times the narrowest\.$/,
  );
  await page.locator("#step-3 summary").first().click();
  await fill(page, { "budget.delta": "1e-7" });
  await page.locator("fit-price .level", { hasText: "1e-7" }).waitFor();
  await page.locator("#step-4[open]").waitFor();
  await run(page);
  await page.locator(".ledger li").nth(1).waitFor();
  expect(await expected.count()).toBe(0);
  await close();
});

test.each([
  ["ops-ptr", "model", { "algorithm.lambda": "1", "budget.epsilon": "0.01" }],
  ["principal-subspace", "matrix", { "algorithm.components": "1", "budget.epsilon": "0.01" }],
])(
  "what the test of %s refuses is told, counted and saved, and nothing is offered that it would take",
  async (name, result, texts) => {
    const { page, errors, close } = await open("/fit.html");
    await give(page, "data.csv", csv(50));
    await taken(page);
    await declare(page);
    if (name === "principal-subspace") await entry(page, "task").selectOption("none");
    await entry(page, "algorithm.name").selectOption(name);
    await fill(page, texts);
    await page.locator("fit-price .headline").waitFor();
    await proceed(page, 3);
    await run(page);
    await released(page);
    const told = await words(page.locator("fit-release"));
    expect(told).toContain(`The ${result} of`);
    expect(told).toContain("Refused by the test");
    expect(await page.locator(".ledger li").count()).toBe(1);
    expect(JSON.parse(await saved(page)).outcome).toBe("refused-by-test");
    for (const offered of ["fit-exports", "#fit-evaluate", "#fit-persons", "fit-report"])
      expect(await page.locator(offered).count(), offered).toBe(0);
    expect(errors).toEqual([]);
    await close();
  },
);
