/** Handling the page that fits models, for the tests of it. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { open } from "../../wasm/engine.ts";
import { lossOf } from "../../wasm/release/algorithms.ts";
import type { FitRequest } from "../../wasm/release/fit-request.ts";
import { words } from "./browser.ts";

/** The engine without any page, which must say the same. */
export const engine = await open();

/** Hands over a file as its picker would. */
export const give = (page: Page, name: string, content: string | Uint8Array) =>
  page.setInputFiles("#fit-file", { name, mimeType: "text/csv", buffer: Buffer.from(content) });

/** A field of the form by the path of what it fills in. */
export const entry = (page: Page, path: string) => page.locator(`#fit-${path.replaceAll(".", "-")}`);

export const fill = async (page: Page, texts: Readonly<Record<string, string>>) => {
  for (const [path, text] of Object.entries(texts)) await entry(page, path).fill(text);
};

export const proceed = (page: Page, step: number) => page.locator(`#step-${step} .next`).click();

export const price = (page: Page) => words(page.locator("fit-price .headline strong"));

/** The table is read: its columns are there. */
export const taken = (page: Page) => page.locator("#step-2[open]").waitFor();

/** A sample with everything answered, at the step that runs it. */
export async function sample(page: Page, title: string): Promise<void> {
  await page.getByRole("button", { name: title }).click();
  await taken(page);
  await fill(page, { "table.unit.protects": "person", "table.unit.rows": "1" });
  for (const step of [1, 2, 3]) await proceed(page, step);
  await page.locator("fit-price .headline").waitFor();
}

/** Opens all that is folded. */
export const unfold = (page: Page) =>
  page.evaluate(() => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
  });

/** Asks for approximate minima of whitened rows; when it is done, the price stands there. */
export async function whiten(page: Page): Promise<void> {
  await entry(page, "algorithm.name").selectOption("approximate-minima-perturbation");
  await unfold(page);
  await fill(page, { "algorithm.whiten": "0.15" });
  await page.locator("fit-price .headline").waitFor();
}

export const run = (page: Page) => page.locator("#fit-run").click();

export const released = (page: Page) => page.locator("fit-release h2").waitFor();

/** The text of the release, as it is downloaded. */
export async function saved(page: Page): Promise<string> {
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the release" }).click();
  return readFile(await (await file).path(), "utf8");
}

/** The model without privacy stands beside the released one. */
export const compared = (page: Page) =>
  page.getByRole("columnheader", { name: "Without privacy" }).first().waitFor();

/** Rows with a slope: pay is about 100 x. */
export function csv(rows: number): string {
  const lines = Array.from({ length: rows }, (_, i) => {
    const x = Math.round(Math.sin(i * 12.9898) * 10_000) / 1000;
    return `${x},${i % 3 === 0 ? "a" : "b"},${Math.round(100 * x + 50 * Math.cos(i * 78.233))}`;
  });
  return `x,group,pay\n${lines.join("\n")}\n`;
}

/** Declares the table of `csv`. */
export async function declare(page: Page, label = "pay"): Promise<void> {
  await page.locator("#step-3 summary").first().click();
  await entry(page, "table.label.name").selectOption(label);
  await fill(page, { "table.label.range.0": "-1200", "table.label.range.1": "1200" });
  await page.getByRole("checkbox", { name: "x", exact: true }).check();
  await page.getByRole("checkbox", { name: "group" }).check();
  await fill(page, {
    "table.unit.protects": "person",
    "table.unit.rows": "1",
    "table.columns.0.range.0": "-10",
    "table.columns.0.range.1": "10",
    "table.columns.1.levels": "a\nb",
    "budget.epsilon": "1",
    "budget.delta": "1e-6",
  });
  await entry(page, "missing").selectOption("drop");
  await page.locator("fit-price .headline").waitFor();
}

/** Declares columns among many, each found by its name: by script, because a hundred of them would take their time. */
const declareColumns = (page: Page, columns: FitRequest["table"]["columns"]) =>
  page.evaluate(async (all) => {
    const rendered = () => new Promise((resolve) => setTimeout(resolve));
    const set = async (parent: Element | undefined, selector: string, value: string, event = "input") => {
      const field = parent?.querySelector<HTMLInputElement>(selector);
      if (!field) throw new Error(`there is no ${selector} for ${value}`);
      field.value = value;
      field.dispatchEvent(new Event(event));
      await rendered();
    };
    const list = document.querySelector("fit-columns") as Element;
    for (const column of all) {
      await set(list, ".tools input", column.name);
      const rows = [...list.querySelectorAll(".columns li")];
      const row = rows.find((one) => one.querySelector("label")?.textContent === column.name);
      row?.querySelector("input")?.click();
      await rendered();
      await set(row, "select", column.use, "change");
      if (column.use === "categorical") await set(row, "textarea", column.levels.join("\n"));
      if (column.use !== "numeric") continue;
      await set(row, "[id$=range-0]", `${column.range[0]}`);
      await set(row, "[id$=range-1]", `${column.range[1]}`);
    }
  }, columns);

/** Answers everything as a request does that leaves out rows with missing values. */
export async function answerAs(page: Page, request: FitRequest): Promise<void> {
  const { unit, columns, label } = request.table;
  await page.locator("#step-3 summary").first().click();
  if (label) {
    await entry(page, "table.label.name").selectOption(label.name);
    await entry(page, "task").selectOption(lossOf(request.algorithm) ?? []);
    const [key, values] =
      "levels" in label ? (["levels", label.levels] as const) : (["range", label.range] as const);
    for (const [i, value] of values.entries()) await entry(page, `table.label.${key}.${i}`).fill(`${value}`);
  } else {
    await entry(page, "task").selectOption("none");
  }
  await declareColumns(page, columns);
  await entry(page, "missing").selectOption("drop");
  await entry(page, "algorithm.name").selectOption(request.algorithm.name);
  await fill(page, {
    "table.unit.protects": unit.protects,
    "table.unit.rows": `${unit.rows}`,
    "budget.epsilon": `${request.budget.epsilon}`,
    "budget.delta": `${request.budget.delta}`,
  });
  await page.locator("fit-price .headline").waitFor();
}
