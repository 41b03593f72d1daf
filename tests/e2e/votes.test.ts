/** A private vote on the page, from the file to the winners. */
import { expect, test } from "vitest";
import { stage } from "./browser.ts";
import { entry, fill, give, proceed, released, run, saved, taken } from "./fit-page.ts";

const host = stage();

/** Owls win the first question by 300 votes, and cats the second. */
const ballots = () => {
  const rows = Array.from({ length: 700 }, (_, i) => `${i < 500 ? "owl" : "dog"},${i < 450 ? "cat" : "owl"}`);
  return `animal,pet\n${rows.join("\n")}\n`;
};

const declare = async (page: Parameters<typeof give>[0]) => {
  await give(page, "ballots.csv", ballots());
  await taken(page);
  await fill(page, { "table.unit.protects": "voter", "table.unit.rows": "1" });
  for (const step of [1, 2]) await proceed(page, step);
  await entry(page, "table.label.name").selectOption("animal");
  await entry(page, "task").selectOption("ballots");
  await entry(page, "table.label.levels").fill("cat\ndog\nowl");
  await page.locator("#fit-column-1").check();
  await entry(page, "table.columns.1.levels").fill("cat\ndog\nowl");
  await entry(page, "missing").selectOption("drop");
  await fill(page, { "budget.epsilon": "1", "budget.delta": "1e-6" });
};

test("ballots are declared, priced, counted, and only the winners stand there", async () => {
  const { page, errors, close } = await host.open("/fit.html");
  await declare(page);
  await page.locator("fit-price .headline").waitFor();
  await proceed(page, 3);
  await run(page);
  await released(page);
  const rows = await page.locator("fit-release table.coefficients tr").allInnerTexts();
  expect(rows.map((row) => row.split(/\s+/))).toEqual([
    ["animal", "owl"],
    ["pet", "cat"],
  ]);
  // What they told of all voters alike stands behind a tick, and is gone with it.
  const told = page.locator("fit-persons [role=status]");
  expect(await told.textContent()).toBe("");
  await page.locator("#fit-voters").focus();
  await page.keyboard.press("Space");
  await expect
    .poll(() => told.textContent(), { timeout: 30_000 })
    .toMatch(/^What the winners of these very votes told/);
  expect(await told.textContent()).toMatch(
    /ε = 0\.\d+ at δ = 1e-6 \(\d+ % of the ε = 1 that every table is promised\)/,
  );
  await page.locator("#fit-voters").uncheck();
  expect(await told.textContent()).toBe("");
  const release = JSON.parse(await saved(page));
  expect(release.outputs).toEqual([
    {
      name: "winners",
      kind: "labels",
      shape: [2],
      values: [2, 0],
      levels: ["cat", "dog", "owl"],
      questions: ["animal", "pet"],
    },
  ]);
  expect(errors).toEqual([]);
  await close();
});
