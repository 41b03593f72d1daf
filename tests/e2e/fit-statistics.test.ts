/** Statistics on the page: from a table to a private mean and histogram with the clicks counted, and what comes of them. */
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import type { EverydayRelease } from "../../wasm/contract.ts";
import { statisticsCsv } from "../../web/src/share/statistics-csv.ts";
import { stage, words } from "./browser.ts";
import { csv, engine, entry, fill, give, price, proceed, run, taken } from "./fit-page.ts";

const { open } = stage();

const heading = (page: Page) => page.locator("fit-everyday h2");
const statistics = (page: Page) => page.getByRole("radio", { name: /^Statistics/ }).check();

const ROWS = 3000;

/** Of a column of that table. */
const mean = (place: number) =>
  csv(ROWS)
    .trim()
    .split("\n")
    .slice(1)
    .reduce((sum, line) => sum + Number(line.split(",")[place]), 0) / ROWS;

async function downloaded(page: Page, name: string): Promise<string> {
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name, exact: true }).click();
  return readFile(await (await file).path(), "utf8");
}

test("a CSV file becomes a private mean and a private histogram in 8 clicks or fewer", async () => {
  const { page, errors, close } = await open("/fit.html");
  let clicks = 0;
  const counted = async (act: Promise<unknown>) => {
    clicks++;
    await act;
  };
  const type = (path: string, text: string) => entry(page, path).fill(text);
  const choose = (one: Locator, option: string) => counted(one.selectOption(option));
  await counted(give(page, "pay.csv", csv(ROWS)));
  await taken(page);
  await type("table.unit.protects", "person");
  await type("table.unit.rows", "1");
  await counted(proceed(page, 2));
  await counted(statistics(page));
  await type("table.columns.0.range.0", "-10");
  await type("table.columns.0.range.1", "10");
  await type("table.columns.2.range.0", "-1200");
  await type("table.columns.2.range.1", "1200");
  await choose(entry(page, "missing"), "drop");
  await type("budget.epsilon", "1");
  await type("budget.delta", "1e-6");
  await page.locator("fit-price .headline").waitFor();
  await counted(proceed(page, 3));
  // How far off each number is expected to be stands there before anything is pressed.
  expect(await words(page.locator("fit-run table"))).toMatch(/mean of x± [\d.]+ \/ number of rows/);
  await counted(run(page));
  await heading(page).waitFor();
  expect(clicks).toBeLessThanOrEqual(8);
  const cost = await price(page);
  const release: EverydayRelease = JSON.parse(await downloaded(page, "Download the release"));
  expect(release.results.map(({ of }) => of)).toEqual(["means", "histogram"]);
  const [[means], [planned]] = [release.results, release.entries];
  if (means?.of !== "means" || planned?.of !== "means") throw new Error("there are no means");
  for (const [i, place] of [0, 2].entries()) {
    const off = (means.columns[i]?.value ?? Number.NaN) - mean(place);
    // Ten deviations are exceeded once in 10^22 runs.
    expect(Math.abs(off)).toBeLessThan((10 * (planned.columns[i]?.deviationTimesRows ?? 0)) / ROWS);
  }
  const told = await words(page.locator("fit-everyday"));
  expect(told).toContain(`ε ≤ ${cost} at δ = 1e-6, add or remove one person`);
  expect(told).toMatch(/The mean of x is about [−\d.]+; the table’s own is from [−\d.]+ to [−\d.]+\./);
  expect(told).toMatch(/The most rows are those with x from −?[\d.]+ to −?[\d.]+: about [\d\u202f]+\./);
  expect(await downloaded(page, "Download as CSV")).toBe(statisticsCsv(release));
  expect(await words(page.locator(".ledger li"))).toContain("pay.csv: mean of x, pay, histogram of x");
  // The noise of the page is that of the engine for the same request.
  expect(engine.plan(release.request).entries).toEqual(release.entries);
  expect(errors).toEqual([]);
  await close();
});

test("by the keyboard: what is refused is told beside its field, nothing typed is lost, too few rows are said to be", async () => {
  const { page, errors, close } = await open("/fit.html");
  const { keyboard } = page;
  await give(page, "few.csv", csv(3));
  await taken(page);
  await fill(page, { "table.unit.protects": "person", "table.unit.rows": "1" });
  await page.locator("#step-2 .next").focus();
  await keyboard.press("Enter");
  await page.getByRole("radio", { name: "A model" }).focus();
  await keyboard.press("ArrowRight");
  await entry(page, "releases.1.bins").focus();
  await keyboard.press("Control+a");
  await keyboard.type("none");
  const fault = page.locator("#fit-releases-1-bins-error");
  await fault.getByText("Bins of “Histogram” “none”").waitFor();
  await entry(page, "releases.1.bins").focus();
  await keyboard.press("Control+a");
  await keyboard.type("4");
  expect(await words(fault)).toBe("");
  // To a model and back.
  await page.getByRole("radio", { name: "Statistics" }).focus();
  await keyboard.press("ArrowLeft");
  await entry(page, "table.label.name").waitFor();
  await keyboard.press("ArrowRight");
  expect(await entry(page, "releases.1.bins").inputValue()).toBe("4");
  await page.locator("#fit-more").selectOption("groups");
  await page.locator("#fit-add").focus();
  await keyboard.press("Enter");
  await fill(page, {
    "table.columns.0.range.0": "-10",
    "table.columns.0.range.1": "10",
    "table.columns.2.range.0": "-1200",
    "table.columns.2.range.1": "1200",
    "budget.epsilon": "1",
    "budget.delta": "1e-6",
  });
  await entry(page, "missing").selectOption("drop");
  // Groups need a category: going on leads to where one is missing.
  await page.locator("#step-3 .next").focus();
  await keyboard.press("Enter");
  await page.locator("#fit-releases-2-by:focus").waitFor();
  expect(await words(page.locator("#fit-releases-2-by-error"))).toContain("must be answered");
  await page.locator("#fit-releases-2").getByRole("button", { name: "Remove By group" }).focus();
  await keyboard.press("Enter");
  await page.locator("#fit-more:focus").waitFor();
  await page.locator("fit-price .headline").waitFor();
  await page.locator("#step-3 .next").focus();
  await keyboard.press("Enter");
  await page.locator("#fit-run").focus();
  await keyboard.press("Enter");
  await page.locator("fit-everyday h2:focus").waitFor();
  const told = await words(page.locator("fit-everyday"));
  expect(told).toContain("Too few rows to say");
  expect(told).toContain("Histogram of x");
  // A release that was saved fills in what was asked.
  const release = await downloaded(page, "Download the release");
  await page.reload();
  await page.setInputFiles("#fit-file", {
    name: "release.json",
    mimeType: "application/json",
    buffer: Buffer.from(release),
  });
  await page.getByText("Now choose a table").waitFor();
  await give(page, "few.csv", csv(3));
  await page.getByText("All of release.json is filled in.").waitFor();
  expect(await entry(page, "releases.1.bins").inputValue()).toBe("4");
  expect(errors).toEqual([]);
  await close();
});

test("categories among moments: shares of rows, and how levels go with numbers, by a request that was saved", async () => {
  const { page, errors, close } = await open("/fit.html");
  const columns = ["group", "x", "pay"];
  const asked = {
    table: {
      unit: { protects: "person", rows: 1 },
      columns: [
        { name: "x", use: "numeric", range: [-10, 10], missing: "drop" },
        { name: "group", use: "categorical", levels: ["a", "b"], missing: "drop" },
        { name: "pay", use: "numeric", range: [-1200, 1200], missing: "drop" },
      ],
    },
    releases: [
      { of: "means", columns },
      { of: "correlation", columns },
    ],
    budget: { epsilon: 2, delta: 1e-6 },
  };
  const request = {
    name: "request.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(asked)),
  };
  await page.setInputFiles("#fit-file", request);
  await page.getByText("Now choose a table").waitFor();
  await give(page, "pay.csv", csv(ROWS));
  await page.getByText("All of request.json is filled in.").waitFor();
  await taken(page);
  await proceed(page, 2);
  await page.locator("fit-price .headline").waitFor();
  await proceed(page, 3);
  expect(await words(page.locator("fit-run table"))).toMatch(/mean of group = a± [\d.]+ \/ number of rows/);
  await run(page);
  await heading(page).waitFor();
  const told = await words(page.locator("fit-everyday"));
  expect(told).toMatch(
    /The share of rows with group = a is about 0\.3[\d]*; the table’s own is from 0\.[23]/,
  );
  expect(told).toMatch(/x and pay are the most correlated: (0\.9[\d]*|1); /);
  expect(told).toContain("the eigenvalues of the correlation of these columns.");
  const release: EverydayRelease = JSON.parse(await downloaded(page, "Download the release"));
  const [means] = release.results;
  expect(means?.of === "means" && means.columns.map(({ column, level }) => [column, level])).toEqual([
    ["group", "a"],
    ["group", "b"],
    ["x", undefined],
    ["pay", undefined],
  ]);
  expect(errors).toEqual([]);
  await close();
});

test("groups that nobody declared: those of many rows are told, one of a single row is not", async () => {
  const { page, errors, close } = await open("/fit.html");
  await give(page, "towns.csv", `${csv(1200)}1,only one,5\n`);
  await taken(page);
  await fill(page, { "table.unit.protects": "person", "table.unit.rows": "1" });
  await proceed(page, 2);
  await statistics(page);
  await page.locator("#fit-column-2").uncheck();
  for (const title of ["Histogram", "Mean"])
    await page.getByRole("button", { name: `Remove ${title}` }).click();
  await page.locator("#fit-more").selectOption("found-groups");
  await page.locator("#fit-add").click();
  await entry(page, "releases.0.by").selectOption("group");
  await fill(page, {
    "table.columns.0.range.0": "-10",
    "table.columns.0.range.1": "10",
    "budget.epsilon": "1",
    "budget.delta": "1e-6",
  });
  await entry(page, "missing").selectOption("drop");
  await page.locator("fit-price .headline").waitFor();
  await proceed(page, 3);
  expect(await words(page.locator("fit-run table"))).toMatch(/each group of more than [\d.]+ rows/);
  await run(page);
  await heading(page).waitFor();
  const told = await words(page.locator("fit-everyday"));
  expect(told).toMatch(
    /Groups of about [\d.]+ rows or fewer are not told; .* too high\.\s?The largest group is b: about/,
  );
  expect(told).not.toContain("only one");
  const release: EverydayRelease = JSON.parse(await downloaded(page, "Download the release"));
  const [result] = release.results;
  expect(result?.of === "found-groups" && result.keys.map(({ key }) => key)).toEqual(["a", "b"]);
  expect(errors).toEqual([]);
  await close();
});
