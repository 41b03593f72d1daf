/** The fit page's ledgers: a rule and a budget before the first run, what fits it, and a file that another page opens. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { checkLedgerFile, type LedgerQuestion } from "../../wasm/engine.ts";
import { violations } from "./access.ts";
import { stage, words } from "./browser.ts";
import { csv, declare, engine, entry, fill, give, proceed, run, sample, taken, unfold } from "./fit-page.ts";

const { open } = stage();

/** A table of ours at the step that runs it. */
async function ready(page: Page): Promise<void> {
  await give(page, "pay.csv", csv(500));
  await taken(page);
  await declare(page);
  for (const step of [1, 2, 3]) await proceed(page, step);
}

async function choose(page: Page, rule: string, budget: Readonly<Record<string, string>>): Promise<void> {
  await page.locator("#fit-rule-fold > summary").click();
  await page.locator("#fit-rule").selectOption(rule);
  for (const [key, text] of Object.entries(budget)) await page.locator(`#fit-rule-${key}`).fill(text);
}

async function runs(page: Page, count: number): Promise<void> {
  await page.locator("fit-price .headline").waitFor();
  await run(page);
  await page
    .locator(".ledger li")
    .nth(count - 1)
    .waitFor();
}

const told = (page: Page) => words(page.locator("fit-run"));

async function kept(page: Page): Promise<string> {
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save the ledger" }).click();
  return readFile(await (await file).path(), "utf8");
}

const hand = (page: Page, name: string, content: string) =>
  page.setInputFiles("#fit-ledger-file", {
    name,
    mimeType: "application/json",
    buffer: Buffer.from(content),
  });

describe("a budget", () => {
  test("holds what fits, tells what is left, and begins no run that does not fit", async () => {
    const { page, errors, close } = await open("/fit.html");
    await ready(page);
    await choose(page, "zcdp", { rho: "" });
    await expect.poll(() => told(page)).toContain("it must not be run. Budget of ρ");
    await run(page);
    await expect.poll(() => words(page.locator("fit-run .error[role=alert]"))).toContain("Budget of ρ");
    expect(await page.locator(".ledger").count()).toBe(0);
    await page.locator("#fit-rule-rho").fill("0.05");
    await expect
      .poll(() => told(page))
      .toMatch(/It takes ρ = [\d.]+ of the ledger’s budget, and leaves ρ = [\d.]+/);
    await runs(page, 1);
    const ledger = page.locator("fit-ledger");
    await expect
      .poll(() => words(ledger))
      .toMatch(/the whole budget; 1 release took ρ = [\d.]+, and ρ = [\d.]+ is left/);
    const { upper } = engine.epsilon({ kind: "zcdp", rho: 0.05 }, 1e-6);
    const shown = Number(/ε ≤ ([\d.]+)/.exec(await words(page.locator("fit-ledger .totals")))?.[1]);
    expect(shown).toBeGreaterThanOrEqual(upper);
    expect(shown).toBeLessThan(upper * (1 + 1e-5));
    // Answers are known: nobody chooses a rule any more.
    expect(await page.locator("#fit-rule").count()).toBe(0);
    await expect.poll(() => words(page.locator("fit-rule"))).toContain("This stands since the first release");
    await expect.poll(() => told(page)).toContain("is left: it must not be run");
    await run(page);
    await expect.poll(() => words(page.locator("fit-run .error[role=alert]"))).toContain("must not be run");
    expect(await page.locator(".ledger li").count()).toBe(1);
    expect(errors).toEqual([]);
    await close();
  });

  test("is held by what runs already", async () => {
    const { page, errors, close } = await open("/fit.html");
    await ready(page);
    // Two runs of ε = 1 at δ = 1e-6 take μ = 0.2367 each, and together 0.3348.
    await choose(page, "gdp", { mu: "0.4" });
    await runs(page, 1);
    expect(await page.locator(".ledger li button").count()).toBe(0);
    const measure = page.getByRole("button", { name: "Measure, and spend it" });
    await page.locator("#step-3 summary").first().click();
    await entry(page, "algorithm.name").selectOption("dp-sgd");
    await unfold(page);
    await fill(page, { "algorithm.rows": "500", "algorithm.steps": "100000" });
    await page.locator("fit-price .headline").waitFor();
    await expect.poll(() => told(page)).toContain("leaves μ = ");
    await page.locator("#evaluation-epsilon").fill("1");
    await expect.poll(() => words(page.locator("fit-evaluation"))).toContain("ε ≤ 1");
    await run(page);
    await measure.click();
    await page.locator(".ledger li").nth(1).waitFor();
    await expect.poll(() => page.locator(".progress").count()).toBe(0);
    await expect.poll(() => words(page.locator("fit-ledger"))).toMatch(/2 releases took μ = 0\.33\d+/);
    expect(await page.locator(".ledger li").count()).toBe(2);
    expect(errors).toEqual([]);
    await close();
  });

  test("of one table is not that of another", async () => {
    const { page, close } = await open("/fit.html");
    await sample(page, "Wages");
    await choose(page, "gdp", { mu: "1" });
    await runs(page, 1);
    await ready(page);
    expect(await page.locator("#fit-rule").inputValue()).toBe("plan");
    await runs(page, 2);
    const ledger = await words(page.locator("fit-ledger"));
    expect(ledger).toContain("Rule for “Wages” (sample): a budget of μ = 1, fixed before the first answer");
    expect(ledger).toContain("Rule for all files, as if they held the same people: a fixed plan");
    await close();
  });
});

describe("a menu", () => {
  test("may take seconds to ask, and a run that is cancelled meanwhile releases nothing", async () => {
    const { page, errors, close } = await open("/fit.html");
    await ready(page);
    await choose(page, "menu", {});
    await page.locator("#fit-menu-run").press("Enter");
    await page.getByText("Write a mechanism down instead").click();
    const menu = Array.from({ length: 8 }, (_, i) => ({
      kind: i % 2 === 0 ? "skellam" : "discrete-gaussian",
      [i % 2 === 0 ? "variance" : "sigma"]: i % 2 === 0 ? 40000 + 999 * i : 150 + i,
      sensitivity: 1,
    }));
    await page.locator("#fit-menu-typed").fill(JSON.stringify(menu));
    await page.locator("#fit-menu-add").click();
    await expect.poll(() => page.locator("fit-menu li").count()).toBe(9);
    await page.locator("#fit-rule-rounds").fill("50");
    await run(page);
    await page.locator("fit-run").getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => told(page)).toContain("Cancelled. Nothing was released");
    expect(await page.locator("fit-run .error").count()).toBe(0);
    expect(await page.locator("fit-ledger li").count()).toBe(0);
    // What is foretold is asked again, and no run begins by itself.
    await expect.poll(() => told(page)).toContain("leaves 49 rounds");
    expect(await page.locator("fit-ledger li").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  test("is made of runs before the first, holds so many of them, and is opened again", async () => {
    const { page, errors, requests, close } = await open("/fit.html");
    await ready(page);
    await choose(page, "menu", {});
    const rule = () => words(page.locator("fit-rule"));
    await expect.poll(rule).toContain("Nothing is on it yet");
    const loaded = requests.length;
    // With the keyboard alone: the run as it stands, then another one.
    await page.locator("#fit-menu-run").press("Enter");
    await expect.poll(rule).toContain("The run as it stands is on the menu");
    await page.locator("#fit-rule-rounds").fill("2");
    await expect.poll(rule).toMatch(/2 rounds, whatever is chosen in each: ε ≤ 1\.\d+ at δ = 1e-6/);
    await page.locator("#step-3 summary").first().click();
    await fill(page, { "budget.epsilon": "0.5" });
    await expect.poll(() => told(page)).toContain("must be one of the menu");
    await page.getByRole("button", { name: "Add the run as it stands" }).click();
    await expect.poll(() => page.locator("fit-menu li").count()).toBe(2);
    await expect
      .poll(() => told(page))
      .toContain("It takes 1 round of the ledger’s budget, and leaves 1 round");

    // What is written down is checked, and taken off again.
    await page.getByText("Write a mechanism down instead").click();
    await page.locator("#fit-menu-typed").fill('{"kind":"gaussian","sigma":0,"sensitivity":1}');
    await page.locator("#fit-menu-add").click();
    await expect.poll(() => words(page.locator("#fit-menu-error"))).toContain("Sigma");
    await page.locator("#fit-menu-typed").fill('{"kind":"gaussian","sigma":50,"sensitivity":1}');
    await page.locator("#fit-menu-add").click();
    await expect.poll(() => page.locator("fit-menu li").count()).toBe(3);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.getByRole("button", { name: /Take off the menu: Gaussian noise: σ = 50/ }).click();
    await expect.poll(() => page.locator("fit-menu li").count()).toBe(2);

    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save this rule" }).click();
    const alone = checkLedgerFile(JSON.parse(await readFile(await (await download).path(), "utf8")));
    expect(alone).toMatchObject({ rule: "menu", budget: { rounds: 2 }, entries: [] });

    await runs(page, 1);
    const ledger = page.locator("fit-ledger .totals");
    await expect.poll(() => words(ledger)).toMatch(/1 release took 1 round, and 1 round is left/);
    // Answers are known: nothing is added to the menu, nor taken off it.
    expect(await page.locator("fit-menu button, fit-menu textarea").count()).toBe(0);
    expect(await page.locator("fit-menu li").count()).toBe(2);
    await runs(page, 2);
    await expect.poll(() => words(ledger)).toContain("0 rounds are left");
    await expect.poll(() => told(page)).toContain("it must not be run");
    const total = await words(ledger);
    const text = await kept(page);
    const file = checkLedgerFile(JSON.parse(text));
    const { upper } = engine.ledger(file as LedgerQuestion).epsilon;
    expect(Number(/ε ≤ ([\d.]+)/.exec(total)?.[1])).toBeGreaterThanOrEqual(upper);

    const other = await open("/fit.html");
    await other.page.locator("#step-4 > summary").click();
    await other.page.locator("#fit-rule-fold > summary").click();
    await hand(other.page, "menu.json", text);
    await expect.poll(() => words(other.page.locator("fit-ledger .totals"))).toBe(total);
    expect(await other.page.locator("fit-menu li").count()).toBe(2);
    expect(JSON.parse(await kept(other.page))).toEqual(JSON.parse(text));
    expect(requests.slice(loaded)).toEqual([]);
    expect([...errors, ...other.errors]).toEqual([]);
    await other.close();
    await close();
  });
});

describe("a file", () => {
  test("is what a program and another page say the same of, and is saved again as it was", async () => {
    const { page, errors, requests, close } = await open("/fit.html");
    await ready(page);
    await choose(page, "approximate", { epsilon: "4", delta: "1e-5" });
    await runs(page, 1);
    await page.locator("#step-3 summary").first().click();
    await fill(page, { "budget.epsilon": "0.5" });
    await runs(page, 2);
    const loaded = requests.length;
    const text = await kept(page);
    const file = checkLedgerFile(JSON.parse(text));
    expect(file).toMatchObject({ rule: "approximate", budget: { epsilon: 4, delta: 1e-5 }, delta: 1e-5 });
    const found = engine.ledger(file as LedgerQuestion);
    expect(found.entries?.map(({ fits }) => fits)).toEqual([true, true]);
    const total = await words(page.locator("fit-ledger .totals"));
    const lines = await page.locator(".ledger li").allInnerTexts();
    expect(total).toContain("ε ≤ 4");

    const other = await open("/fit.html");
    await other.page.locator("#step-4 > summary").click();
    await other.page.locator("#fit-rule-fold > summary").click();
    await hand(other.page, "earlier.json", text);
    await expect
      .poll(() => words(other.page.locator("fit-rule [role=status]")))
      .toContain("earlier.json is opened: 2 releases of all files");
    await expect.poll(() => words(other.page.locator("fit-ledger .totals"))).toBe(total);
    await expect.poll(() => other.page.locator(".ledger li").allInnerTexts()).toEqual(lines);
    expect(JSON.parse(await kept(other.page))).toEqual(JSON.parse(text));
    await hand(other.page, "again.json", text);
    await expect
      .poll(() => words(other.page.locator("fit-rule [role=status]")))
      .toMatch(/^again\.json is opened: 2 releases of all files.* Already there, and counted once: 2\.$/);
    expect(await other.page.locator(".ledger li").count()).toBe(2);
    // Where there are releases, another rule is another ledger.
    await hand(
      other.page,
      "plan.json",
      text.replace('"approximate"', '"plan"').replace(/"budget": {[^}]*},/, ""),
    );
    await expect
      .poll(() => words(other.page.locator("#fit-ledger-error")))
      .toContain("plan.json is not opened. Rule: must be that of the releases that are there already");
    expect(await other.page.locator(".ledger li").count()).toBe(2);
    expect(requests.slice(loaded)).toEqual([]);
    expect([...errors, ...other.errors]).toEqual([]);
    await other.close();
    await close();
  });

  test("of others is refused by the name of the field, and a dropped one is opened", async () => {
    const { page, errors, close } = await open("/fit.html");
    await page.locator("#step-4 > summary").click();
    await page.locator("#fit-rule-fold > summary").click();
    const refusal = () => words(page.locator("#fit-ledger-error"));
    await hand(page, "image.json", "\u0000PNG");
    await expect.poll(refusal).toContain("image.json is not opened. Ledger");
    await hand(page, "foreign.json", '{"rule": "plan", "entries": []}');
    await expect.poll(refusal).toContain("foreign.json is not opened. Format: must be one of");
    const one = (more: string) =>
      `{"format": "epsilometer-ledger-1", "rule": "plan", "entries": [{"mechanism": {"kind": "pure", "epsilon": 1}${more}}]}`;
    await hand(page, "cheap.json", one(', "epsilon": 0.001'));
    await expect.poll(refusal).toContain("Release 1 epsilon");
    expect(await page.locator(".ledger").count()).toBe(0);
    const text = one(', "title": "<img src=x onerror=alert(1)>"');
    await page.setInputFiles("#fit-file", { name: "l.json", mimeType: "", buffer: Buffer.from(text) });
    await page.locator(".ledger li").waitFor();
    await expect.poll(() => words(page.locator(".ledger li strong"))).toBe("ε ≤ 0.999999 at δ = 1e-6");
    expect(await words(page.locator(".ledger .what"))).toBe("<img src=x onerror=alert(1)>");
    expect(errors).toEqual([]);
    await close();
  });
});

test("names that turn the direction of a text turn nothing beside them", async () => {
  const { page, errors, close } = await open("/fit.html");
  const label = "pay\u202Eyap";
  await give(page, "file\u202Eelif.csv", csv(500).replace("pay", label));
  await taken(page);
  await declare(page, label);
  for (const step of [1, 2, 3]) await proceed(page, step);
  await runs(page, 1);
  const names = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: { isolated: boolean; text: string }[] = [];
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode as Text;
      const place = data.includes("\u202E") ? parentElement : null;
      if (!place?.checkVisibility()) continue;
      // An element of its own line ends what it turns.
      const isAlone =
        getComputedStyle(place).display !== "inline" && place.textContent?.trim() === data.trim();
      found.push({ isolated: isAlone || place.closest("bdi, [dir=auto]") !== null, text: place.outerHTML });
    }
    return found;
  });
  expect(names.length).toBeGreaterThan(3);
  expect(names.filter(({ isolated }) => !isolated)).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});
