/** From a table to a model, how good it is, and its file for scikit-learn, with the clicks counted; and back from a saved request. */
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { exportModel } from "../../wasm/model/export.ts";
import type { ThresholdMeasures } from "../../wasm/model/measures.ts";
import { stage, words } from "./browser.ts";
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

/** Rows of two classes that follow from x nearly always. */
const classes = csv(4000)
  .replace("pay", "late")
  .replace(/-?\d+$/gm, (pay) => (Number(pay) > 0 ? "yes" : "no"));

test("a CSV file becomes a model with its paid accuracy and a file for scikit-learn in 11 clicks", async () => {
  const { page, errors, close } = await open("/fit.html");
  let clicks = 0;
  const counted = async (act: Promise<unknown>) => {
    clicks++;
    await act;
  };
  const choose = (one: Locator, option: string) => counted(one.selectOption(option));
  const type = (path: string, text: string) => entry(page, path).fill(text);
  await counted(give(page, "late.csv", classes));
  await taken(page);
  await type("table.unit.protects", "person");
  await type("table.unit.rows", "1");
  await counted(proceed(page, 2));
  await choose(entry(page, "table.label.name"), "late");
  await choose(entry(page, "task"), "logistic");
  await type("table.label.levels.0", "no");
  await type("table.label.levels.1", "yes");
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
  const told = page.getByRole("row", { name: "accuracy" }).locator("td").first();
  expect(await words(told)).toMatch(/^(0\.[89]|1$)/);
  const script = await downloaded(page, () => counted(exporting(page, "scikit-learn").click()));
  // Where a choice among options counts as two, it is 14.
  expect(clicks).toBe(11);
  // What was saved is what the engine makes of the release that was saved.
  const release = JSON.parse(await saved(page));
  expect(script.toString()).toBe(exportModel(release, "scikit-learn").content);
  // How good it is was saved with it.
  const [evaluation] = release.evaluations;
  expect(evaluation.measures.measured).toBe("classes");
  const accuracies = evaluation.measures.thresholds.map((one: ThresholdMeasures) => one.accuracy?.value ?? 0);
  expect(Math.max(...accuracies)).toBeGreaterThan(0.8);
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
  const lines = (await downloaded(page, () => predict(further))).toString().split("\n");
  const { values } = await engine.predict(release, further);
  expect(lines).toHaveLength(values.length + 2);
  expect(lines[0]).toBe("probability,class");
  values.forEach((value, i) => {
    const [probability, word] = (lines[i + 1] as string).split(",");
    expect(word).toBe(Number.isNaN(value) ? "missing" : value > 0.5 ? "yes" : "no");
    // Here and in the browser Math.exp may be the double on the other side of the truth, and then two roundings follow in each.
    if (Number.isNaN(value)) expect(probability).toBe("missing");
    else expect(Math.abs(Number(probability) / value - 1)).toBeLessThanOrEqual(4 * Number.EPSILON);
  });
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
