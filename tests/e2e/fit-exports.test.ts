/** From a table to a model, how good it is, and its file for scikit-learn, with the clicks counted; and back from a saved request. */
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { exportModel } from "../../wasm/model/export.ts";
import { stage } from "./browser.ts";
import {
  csv,
  declare,
  engine,
  entry,
  give,
  price,
  proceed,
  released,
  run,
  saved,
  taken,
} from "./fit-page.ts";

const { open } = stage();

async function downloaded(page: Page, click: () => Promise<void>): Promise<Buffer> {
  const file = page.waitForEvent("download");
  await click();
  return readFile(await (await file).path());
}

const exporting = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("a CSV file becomes a model with its paid errors and a file for scikit-learn in 14 clicks or fewer", async () => {
  const { page, errors, close } = await open("/fit.html");
  let clicks = 0;
  const counted = async (act: Promise<unknown>) => {
    clicks++;
    await act;
  };
  const choose = (one: Locator, option: string) => counted(one.selectOption(option));
  const type = (path: string, text: string) => entry(page, path).fill(text);
  await counted(give(page, "pay.csv", csv(400)));
  await taken(page);
  await type("table.unit.protects", "person");
  await type("table.unit.rows", "1");
  await counted(proceed(page, 2));
  await choose(entry(page, "table.label.name"), "pay");
  await type("table.label.range.0", "-1200");
  await type("table.label.range.1", "1200");
  await counted(page.getByRole("checkbox", { name: "x", exact: true }).check());
  await counted(page.getByRole("checkbox", { name: "group" }).check());
  await type("table.columns.0.range.0", "-10");
  await type("table.columns.0.range.1", "10");
  await type("table.columns.1.levels", "a\nb");
  await choose(entry(page, "missing"), "drop");
  await type("budget.epsilon", "1");
  await type("budget.delta", "1e-6");
  await page.locator("fit-price .headline").waitFor();
  await counted(proceed(page, 3));
  await counted(run(page));
  await released(page);
  await page.getByLabel("ε of the evaluation").fill("0.5");
  await page.locator("fit-evaluation").getByText("It costs ε ≤ 0.5 at δ = 1e-6").waitFor();
  await counted(page.getByRole("button", { name: "Measure, and spend it" }).click());
  await page.getByRole("row", { name: "root mean squared error" }).waitFor();
  const script = await downloaded(page, () => counted(exporting(page, "scikit-learn").click()));
  expect(clicks).toBeLessThanOrEqual(14);
  // What was saved is what the engine makes of the release that was saved.
  const release = JSON.parse(await saved(page));
  expect(script.toString()).toBe(exportModel(release, "scikit-learn").content);
  // How good it is was saved with it.
  const [evaluation] = release.evaluations;
  expect(evaluation.measures.measured).toBe("numbers");
  expect(evaluation.epsilon.upper).toBeLessThanOrEqual(0.5);
  const onnx = await downloaded(page, () => exporting(page, "ONNX").click());
  expect(Buffer.compare(onnx, Buffer.from(exportModel(release, "onnx").content))).toBe(0);
  const further = "group,x\na,1\nb,11\nb,\nc,-3\n";
  const predict = (text: string) =>
    page.setInputFiles("#fit-predict", {
      name: "more.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(text),
    });
  const lines = (await downloaded(page, () => predict(further))).toString();
  const { values } = await engine.predict(release, further);
  expect(lines).toBe(`value\n${values[0]}\n${values[1]}\nmissing\n${values[3]}\n`);
  await predict("group\na\n");
  await page.getByText("There is no file of predictions.").waitFor();
  expect(errors).toEqual([]);
  await close();
});

test("a saved release fills in its request, before a table or after it, and what cannot be filled in is told", async () => {
  const first = await open("/fit.html");
  await give(first.page, "pay.csv", csv(300));
  await taken(first.page);
  await declare(first.page);
  const cost = await price(first.page);
  await proceed(first.page, 3);
  await run(first.page);
  await released(first.page);
  const release = await saved(first.page);
  await first.close();
  const { page, errors, close } = await open("/fit.html");
  const load = (name: string, text: string) =>
    page.setInputFiles("#fit-file", { name, mimeType: "application/json", buffer: Buffer.from(text) });
  const told = (text: string) => page.locator("fit-data .hint strong", { hasText: text }).waitFor();
  await load("release.json", release);
  await told("release.json is read. Now choose a table.");
  await give(page, "pay.csv", csv(300));
  await taken(page);
  await page.locator("fit-price .headline").waitFor();
  expect(await price(page)).toBe(cost);
  expect(await entry(page, "table.unit.protects").inputValue()).toBe("person");
  const { request } = JSON.parse(release);
  const other = { ...request, budget: { epsilon: 2, delta: 1e-7 } };
  await load("request.json", JSON.stringify(other));
  await told("All of request.json is filled in.");
  expect(await entry(page, "budget.epsilon").inputValue()).toBe("2");
  await load("marks.json", JSON.stringify({ ...other, table: { ...other.table, missingMarks: ["-"] } }));
  await told("but for: cells that count as missing");
  await load("broken.json", "{");
  await told("broken.json cannot be used");
  expect(errors).toEqual([]);
  await close();
});
