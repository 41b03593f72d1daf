/** The page that fits private models: a file in, a priced model out, and nothing of the file anywhere else. */

import { describe, expect, test } from "vitest";
import type { OriginalModel } from "../../wasm/contract.ts";
import { CHOICES } from "../../web/src/fit/choices.ts";
import { format } from "../../web/src/words/numbers.ts";
import { resting, stage, words } from "./browser.ts";
import {
  compared,
  csv,
  declare,
  engine,
  entry,
  fill,
  give,
  price,
  proceed,
  released,
  run,
  sample,
  saved,
  taken,
  unfold,
} from "./fit-page.ts";

const current = stage();
const { open } = current;

/** A text that no page, name or number has by chance. */
const SECRET = "Zq7secretZq7";

const secretCsv = `id,x,pay\n${Array.from({ length: 400 }, (_, i) => `${SECRET}${i},${i % 10},${100 * (i % 10)}`).join("\n")}\n`;

/** Whatever the page's thread could read a file by, and all that the worker tells it. */
function watch(): void {
  const seen: string[] = [];
  Object.assign(globalThis, { seen });
  for (const method of ["text", "arrayBuffer", "stream", "bytes"] as const) {
    const original = Reflect.get(Blob.prototype, method) as ((...args: unknown[]) => unknown) | undefined;
    if (!original) continue;
    Reflect.set(Blob.prototype, method, function (this: Blob, ...args: unknown[]) {
      if (this instanceof File) seen.push(`read by ${method}`);
      return original.apply(this, args);
    });
  }
  for (const method of ["readAsText", "readAsArrayBuffer", "readAsDataURL", "readAsBinaryString"] as const) {
    Reflect.set(FileReader.prototype, method, () => seen.push(`read by ${method}`));
  }
  const Original = Worker;
  globalThis.Worker = class extends Original {
    constructor(...args: ConstructorParameters<typeof Original>) {
      super(...args);
      this.addEventListener("message", ({ data }) => seen.push(`heard ${JSON.stringify(data)}`));
    }
    override postMessage(message: unknown): void {
      seen.push(`said ${JSON.stringify(message)}`);
      super.postMessage(message);
    }
  };
}

test("a file is fitted without a request, and its text never reaches the page", async () => {
  const { page, requests, errors, close } = await open("/goe.html");
  await page.context().addInitScript(watch);
  await page.goto(`${current.site.origin}/fit.html`);
  const loaded = requests.length;
  await give(page, "people.csv", secretCsv);
  await taken(page);
  await page.locator("#step-3 summary").first().click();
  await entry(page, "table.label.name").selectOption("pay");
  await page.getByRole("checkbox", { name: "x", exact: true }).check();
  // A text column taken for numbers: its cells are told by row and column only.
  await page.getByRole("checkbox", { name: "id" }).check();
  await page.getByLabel("What id holds").selectOption("numeric");
  await page.locator("#step-1 .problems li").first().waitFor({ state: "attached" });
  expect(await words(page.locator("#step-1 .problems li").first())).toBe(
    "Row 2, column 1 is not a number: it counts as missing.",
  );
  await page.getByRole("checkbox", { name: "id" }).uncheck();
  await fill(page, {
    "table.unit.protects": "person",
    "table.unit.rows": "1",
    "table.label.range.0": "0",
    "table.label.range.1": "1000",
    "table.columns.1.range.0": "0",
    "table.columns.1.range.1": "10",
    "budget.epsilon": "1",
    "budget.delta": "1e-6",
  });
  await entry(page, "missing").selectOption("drop");
  for (const step of [1, 2, 3]) await proceed(page, step);
  await page.locator("fit-price .headline").waitFor();
  await run(page);
  await released(page);
  for (const summary of await page.locator(".folds summary").all()) await summary.click();
  await page.getByRole("button", { name: "SQL" }).click();
  await resting(page);
  expect(requests.slice(loaded)).toEqual([]);
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
  expect(seen.some((line) => line.startsWith("heard") && line.includes("coefficients"))).toBe(true);
  expect(seen.filter((line) => line.startsWith("read") || line.includes(SECRET))).toEqual([]);
  expect(await page.content()).not.toContain(SECRET);
  expect(errors).toEqual([]);
  await close();
});

test("a run that is asked for before its price is known begins with it, unless something is edited before", async () => {
  const { page, errors, close } = await open("/fit.html");
  await sample(page, "Hospital visits");
  // In one go, so that no answer comes between.
  const hurry = (...epsilons: readonly string[]) =>
    page.evaluate((all) => {
      const field = document.querySelector<HTMLInputElement>("#fit-budget-epsilon");
      const [first, then] = all;
      const type = (epsilon: string | undefined) => {
        if (!field || epsilon === undefined) return;
        field.value = epsilon;
        field.dispatchEvent(new Event("input"));
      };
      type(first);
      document.querySelector<HTMLButtonElement>("#fit-run")?.click();
      type(then);
    }, epsilons);
  await hurry("2", "3");
  await expect.poll(() => price(page)).toBe("3");
  await page.locator("#fit-run").waitFor();
  expect(await page.locator("fit-release h2").count()).toBe(0);
  await hurry("4");
  await released(page);
  expect(JSON.parse(await saved(page)).request.budget.epsilon).toBe(4);
  expect(errors).toEqual([]);
  await close();
});

describe("samples", () => {
  test.each(["Wages", "Hospital visits", "Bicycle rides"])(
    "%s: everything is filled in but who is protected",
    async (title) => {
      const { page, errors, close } = await open("/fit.html");
      await page.getByRole("button", { name: title }).click();
      await taken(page);
      expect(await page.locator("fit-price li").allInnerTexts()).toEqual([
        "who is protected",
        "how many rows each has at most",
      ]);
      await fill(page, { "table.unit.protects": "person", "table.unit.rows": "1" });
      for (const step of [1, 2, 3]) await proceed(page, step);
      await page.locator("fit-price .headline").waitFor();
      expect(await price(page)).toBe("1");
      await run(page);
      await released(page);
      await compared(page);
      // What the sample was made with is found again, up to the noise.
      const rows = await page.locator(".coefficients tbody tr").allInnerTexts();
      const known = rows.map((row) => row.split("\t").map(Number)).filter((row) => row.at(-1));
      expect(known.length).toBeGreaterThan(0);
      for (const row of known) {
        const [truth, without] = [row.at(-1) as number, row.at(-2) as number];
        expect(Math.abs((row[1] as number) / truth - 1)).toBeLessThan(0.5);
        expect(Math.abs(without / truth - 1)).toBeLessThan(0.25);
      }
      expect(await page.locator("#fit-compare").count()).toBe(0);
      expect(errors).toEqual([]);
      await close();
    },
  );

  test("a demonstration repeats itself, is marked, and is not counted", async () => {
    const { page, close } = await open("/fit.html");
    await sample(page, "Wages");
    const seed = page.getByRole("checkbox", { name: /Same noise every time/ });
    await seed.check();
    const coefficients = async () => {
      await page.locator("fit-price .headline").waitFor();
      await run(page);
      await released(page);
      await compared(page);
      return words(page.locator(".coefficients"));
    };
    const first = await coefficients();
    await seed.uncheck();
    await page.locator("fit-price .headline").waitFor();
    await run(page);
    await page.locator(".ledger li").nth(1).waitFor();
    await compared(page);
    expect(await words(page.locator(".coefficients"))).not.toBe(first);
    await seed.check();
    await page.locator("fit-price .headline").waitFor();
    await run(page);
    await page.locator(".ledger li").nth(2).waitFor();
    await compared(page);
    expect(await words(page.locator(".coefficients"))).toBe(first);
    expect(await words(page.locator("fit-release"))).toContain("Demonstration, not private");
    expect(await page.locator(".ledger li strong").allInnerTexts()).toEqual([
      "demonstration, not counted",
      "ε ≤ 1 at δ = 1e-6",
      "demonstration, not counted",
    ]);
    // One release that is paid for: nothing to add.
    expect(await page.locator(".totals, #fit-total-delta").count()).toBe(0);
    await close();
  });
});

describe("the form", () => {
  test("nothing about people or bounds is filled in from a file", async () => {
    const { page, close } = await open("/fit.html");
    await give(page, "data.csv", csv(50));
    await taken(page);
    await page.locator("#step-3 summary").first().click();
    for (const name of ["x", "group"]) await page.getByRole("checkbox", { name, exact: true }).check();
    await page.locator("fit-price li").first().waitFor();
    const typed = await page
      .locator("fit-unit input, fit-model input.text, fit-model textarea")
      .evaluateAll((all) =>
        all.map((one) => [one.id, (one as HTMLInputElement).value]).filter(([, value]) => value !== ""),
      );
    expect(typed).toEqual([
      ["fit-table-rowNorm", "1"],
      ["fit-table-intercept", "1"],
    ]);
    await close();
  });

  test("a refusal of the engine stands beside its field, and what is missing gets the focus", async () => {
    const { page, close } = await open("/fit.html");
    await give(page, "data.csv", csv(50));
    await taken(page);
    await proceed(page, 2);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("fit-table-unit-protects");
    expect(await words(page.locator("#fit-table-unit-protects-error"))).toBe(
      "Who is protected: must be answered.",
    );
    await declare(page);
    await fill(page, { "table.columns.0.range.1": "-20" });
    await page.locator("#fit-table-columns-0-range-0-error:not(:empty)").waitFor();
    expect(await words(page.locator("#fit-table-columns-0-range-0-error"))).toContain(
      "the second above the first",
    );
    await fill(page, { "table.columns.0.range.1": "10", "table.unit.rows": "1001" });
    await page.locator("#fit-table-unit-rows-error:not(:empty)").waitFor();
    expect(await words(page.locator("#fit-table-unit-rows-error"))).toContain("from 1 to 1000");
    await fill(page, { "table.unit.rows": "1", "budget.delta": "abc" });
    expect(await words(page.locator("#fit-budget-delta-error"))).toContain("means nothing here");
    await close();
  });

  test("levels are looked up on demand, with a warning", async () => {
    const { page, close } = await open("/fit.html");
    await give(page, "data.csv", csv(50));
    await taken(page);
    await page.locator("#step-3 summary").first().click();
    await page.getByRole("checkbox", { name: "group" }).check();
    await page.getByRole("button", { name: "Look them up in the data" }).click();
    await page.locator(".warned").waitFor();
    expect(await words(page.locator(".looked"))).toBe("read off the data");
    expect(await entry(page, "table.columns.1.levels").inputValue()).toBe("a\nb");
    expect(await words(page.locator(".warned"))).toContain("read off the data");
    await close();
  });

  test("every algorithm that the engine offers can be chosen, priced and run", async () => {
    const { page, errors, close } = await open("/fit.html");
    await give(page, "data.csv", csv(50));
    await taken(page);
    await declare(page);
    await page.locator("#step-4 > summary").click();
    const needed = {
      lambda: "2000",
      rows: "1000",
      threshold: "1",
      excessRisk: "0.5",
    };
    const ran: string[] = [];
    const runAll = async () => {
      const options = await entry(page, "algorithm.name").locator("option").all();
      for (const name of await Promise.all(options.map((one) => one.getAttribute("value")))) {
        await entry(page, "algorithm.name").selectOption(name);
        for (const [key, text] of Object.entries(needed)) {
          const one = entry(page, `algorithm.${key}`);
          if (await one.isVisible()) await one.fill(text);
        }
        await page.locator("fit-price .headline").waitFor();
        await run(page);
        await page.locator(".ledger li").nth(ran.length).waitFor();
        const release = JSON.parse(await saved(page));
        ran.push(release.request.algorithm.name);
        expect(ran.at(-1)).toBe(name);
        for (const { coefficient } of release.coefficients.terms)
          expect(coefficient).toSatisfy(Number.isFinite);
      }
    };
    await runAll();
    await entry(page, "table.label.name").selectOption("group");
    await fill(page, { "table.label.levels.0": "a", "table.label.levels.1": "b" });
    await runAll();
    expect([...new Set(ran)].sort()).toEqual(
      CHOICES.filter(({ minimises }) => minimises)
        .map(({ name }) => name)
        .sort(),
    );
    expect(errors).toEqual([]);
    await close();
    // Fifteen releases, each priced before the run and by it.
  });

  test("typed noise is priced; a patient with several rows pays for all of them", async () => {
    const { page, close } = await open("/fit.html");
    await sample(page, "Wages");
    await page.locator("#step-3 summary").first().click();
    await page.getByRole("radio", { name: "Type the noise" }).check();
    await fill(page, { "algorithm.sigma": "10" });
    await page.locator("fit-price .headline").waitFor();
    const one = Number(await price(page));
    await page.locator("#step-2 summary").click();
    await fill(page, { "table.unit.rows": "3" });
    await page.locator("fit-price .headline").waitFor();
    expect(Number(await price(page))).toBeGreaterThan(2 * one);
    expect(await words(page.locator("fit-price .level"))).toContain("up to 3 rows");
    await close();
  });
});

test("the ledger composes what was spent; removing a line gives nothing back", async () => {
  const { page, close } = await open("/fit.html");
  await sample(page, "Wages");
  for (const count of [1, 2]) {
    await run(page);
    await page
      .locator(".ledger li")
      .nth(count - 1)
      .waitFor();
    await page.locator("fit-price .headline").waitFor();
  }
  const price = () => words(page.locator("fit-run"));
  await expect.poll(price).toContain("Together with 2 earlier releases of this session");
  await page.getByText("2 releases").waitFor();
  const total = Number(/ε ≤ ([\d.]+)/.exec(await words(page.locator(".totals dd")))?.[1]);
  expect(total).toBeGreaterThan(1.3);
  expect(total).toBeLessThan(2);
  await page.locator(".ledger li").first().getByRole("button").click();
  expect(await words(page.locator(".ledger .warned"))).toContain("does not give the budget back");
  await page.getByRole("button", { name: "Remove it all the same" }).click();
  expect(await page.locator(".ledger li").count()).toBe(1);
  expect(await page.locator(".totals, #fit-total-delta").count()).toBe(0);
  await close();
});

test("intervals for privacy noise and for sampling have names of their own, and are there only where they are known", async () => {
  const { page, close } = await open("/fit.html");
  await sample(page, "Wages");
  await page.locator("#step-3 summary").first().click();
  const heads = async (algorithm: string, texts: Readonly<Record<string, string>>) => {
    await entry(page, "algorithm.name").selectOption(algorithm);
    await fill(page, texts);
    await page.locator("fit-price .headline").waitFor();
    const count = await page.locator(".ledger li").count();
    await run(page);
    await page.locator(".ledger li").nth(count).waitFor();
    await compared(page);
    const all = await page.locator(".coefficients thead th").allInnerTexts();
    return all.map((head) => head.replaceAll(/\s+/g, " "));
  };
  const [noise, sampling] = ["Privacy noise, 95 %", "Sampling, 95 %"];
  const mixed = await heads("linear-mixing", { "budget.epsilon": "8" });
  expect(mixed).toEqual(["Term", "Coefficient", noise, sampling, "Without privacy", "Made with"]);
  expect(await words(page.locator("fit-release"))).toContain("its own column is for that");
  const sampled = await heads("posterior-sampling", { "algorithm.lambda": "2000" });
  expect(sampled).toEqual(["Term", "Coefficient", "Without privacy", "Made with"]);
  expect(await words(page.locator("fit-release"))).toContain("There are no intervals here");
  await close();
});

test("the model without privacy is shown after a tick only, and leaves the screen in nothing", async () => {
  const { page, requests, errors, close } = await open("/fit.html");
  await give(page, "people.csv", csv(3000));
  await taken(page);
  await declare(page);
  await page.locator("#step-4 > summary").click();
  const loaded = requests.length;
  await run(page);
  await released(page);
  const table = page.locator(".coefficients");
  expect(await words(table)).not.toContain("Without privacy");
  const tick = page.locator("#fit-compare");
  expect(await tick.isChecked()).toBe(false);
  expect(await words(page.locator("fit-release"))).toContain("tells about everybody in it");
  await tick.check();
  await compared(page);
  const [, slope = ""] = await page.locator(".coefficients tbody tr").allInnerTexts();
  const release = await saved(page);
  const found = await engine.fitWithoutPrivacy(csv(3000), JSON.parse(release).request);
  const { intercept, terms } = found as OriginalModel;
  const exact = [...terms.map(({ coefficient }) => coefficient), intercept];
  expect(slope.split("\t").at(-1)).toBe(format(exact[0] as number, 5));
  expect(release).toContain("coefficients");
  for (const coefficient of exact) expect(release).not.toContain(String(coefficient));
  expect(await words(page.locator(".ledger li"))).toContain("ε ≤ 1 ");
  await tick.uncheck();
  expect(await words(table)).not.toContain("Without privacy");
  await tick.check();
  await compared(page);
  // The next release is another decision.
  await run(page);
  await page.locator(".ledger li").nth(1).waitFor();
  expect(await tick.isChecked()).toBe(false);
  expect(await words(table)).not.toContain("Without privacy");
  expect(requests.slice(loaded)).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});

test("the error to expect is simulated from guesses, may be cancelled, and costs nothing", async () => {
  const { page, errors, close } = await open("/fit.html");
  await page.locator("#forecast summary").click();
  expect(await words(page.locator("fit-forecast"))).toContain("It needs all that is still to be answered");
  await sample(page, "Wages");
  expect(await page.locator("#guess-rows").inputValue()).toBe("");
  await page.getByRole("button", { name: "Simulate" }).click();
  expect(await words(page.locator("fit-forecast .error"))).toContain("a number belongs here");
  await page.locator("#guess-rows").fill("2000");
  await page.getByRole("button", { name: "Simulate" }).click();
  await page.locator("fit-forecast svg").first().waitFor();
  await page.getByText("The same as a table").click();
  const found = (await page.locator("fit-forecast tbody td:nth-child(2)").allInnerTexts()).map(Number);
  expect(found).toHaveLength(5);
  expect(found[4]).toBeLessThan(found[0] ?? 0);
  await page.locator("#guess-rows").fill("500000");
  await page.getByRole("button", { name: "Simulate" }).click();
  await page.locator("fit-forecast").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Simulate" }).waitFor();
  expect(await page.locator(".ledger").count()).toBe(0);
  expect(errors).toEqual([]);
  await close();
});

test("a table may be dropped or pasted", async () => {
  const { page, errors, close } = await open("/fit.html");
  await page.locator(".drop").waitFor();
  await page.evaluate((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "dropped.csv"));
    const zone = document.querySelector(".drop");
    zone?.dispatchEvent(
      new DragEvent("dragover", { dataTransfer: transfer, bubbles: true, cancelable: true }),
    );
    zone?.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, csv(20));
  await page.locator("#step-1 .line", { hasText: "dropped.csv · 3 columns" }).waitFor({ state: "attached" });
  await page.evaluate((text) => {
    const transfer = new DataTransfer();
    transfer.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true }));
  }, "a;b\n1,5;2\n2,5;3\n");
  const line = page.locator("#step-1 .line", {
    hasText: "pasted table · 2 columns · semicolons, decimal comma",
  });
  await line.waitFor({ state: "attached" });
  // A correction is read anew.
  await page.locator("#fit-format-delimiter").selectOption(",");
  await page.locator("#step-1 .line", { hasText: "commas" }).waitFor({ state: "attached" });
  expect(errors).toEqual([]);
  await close();
});

test("cancel answers within a few frames, and the form is as it was", async () => {
  const { page, close } = await open("/fit.html");
  await give(page, "large.csv", csv(300_000));
  await taken(page);
  await declare(page);
  await entry(page, "algorithm.name").selectOption("posterior-sampling");
  // It has no λ of its own, and the press leads there.
  await page.locator("fit-price .missing-list button").first().click();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("fit-algorithm-lambda");
  // So many steps that no machine has made them before the button is pressed.
  await entry(page, "algorithm.name").selectOption("dp-sgd");
  await unfold(page);
  await fill(page, { "algorithm.rows": "300000", "algorithm.steps": "1000000" });
  await page.locator("fit-price .headline").waitFor();
  const cancel = page.locator("fit-run").getByRole("button", { name: "Cancel" });
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
  // By keyboard alone: what takes the button's place has the focus.
  await page.locator("#fit-run").focus();
  await page.keyboard.press("Enter");
  await cancel.waitFor();
  await expect.poll(focused).toBe("Cancel");
  await page.keyboard.press("Enter");
  await expect.poll(focused).toBe("Run, and spend it");
  await page.keyboard.press("Enter");
  await cancel.waitFor();
  const before = await words(page.locator("fit-unit, fit-model").first());
  const frames = await page.evaluate(async () => {
    document.querySelector<HTMLButtonElement>("fit-run .progress button")?.click();
    let waited = 0;
    for (; !document.querySelector("fit-run .aside[role=status]"); ++waited)
      await new Promise(requestAnimationFrame);
    return waited;
  });
  expect(frames).toBeLessThan(12);
  expect(await words(page.locator("fit-run .aside[role=status]"))).toContain("Nothing was released");
  expect(await words(page.locator("fit-unit, fit-model").first())).toBe(before);
  expect(await page.locator("#released").isHidden()).toBe(true);
  await fill(page, { "algorithm.steps": "1" });
  await page.locator("fit-price .headline").waitFor();
  await run(page);
  await released(page);
  await close();
});

describe("hostile files", () => {
  const wide = Array.from({ length: 100_000 }, (_, i) => `c${i}`).join(",");
  test.each<[string, string | Uint8Array, RegExp]>([
    ["binary", Uint8Array.from({ length: 2000 }, (_, i) => (i * 37) % 256), /^The file is binary/],
    ["0 bytes", "", /^The file is empty/],
    ["blanks only", " \n \n", /^The file holds nothing but blanks/],
    ["a workbook", "PK\x03\x04rest", /^The file is a ZIP archive, such as an \.xlsx workbook/],
    ["one column", "x\n1\n2\n", /Each row is a single cell: is the delimiter right\?/],
    ["one row", "x,y\n1,2\n", /There is a single row: no model can be learnt from it\./],
    ["no row", "x,y\n", /There is no row below the names of the columns\./],
    ["all missing", "x,y\n?,1\nNA,2\n,3\n", /“x” has no value in any row\./],
    ["a constant column", "x,y\n5,1\n5,2\n5,3\n", /“x” has the same value wherever it has one\./],
    [
      "100 000 columns",
      `${wide}\n${wide}\n`,
      /^The file has 100000 columns: a table may have at most 10000 columns/,
    ],
    [
      "an open quotation mark",
      'x,y\n1,2\n3,"4\n5,6\n',
      /^Row 3 opens a quotation mark that is not closed on its line\./,
    ],
    [
      "a ragged row",
      "x,y\n1,2\n3\n4,5\n",
      /^Row 3 has 1 cell where the table has 2 columns: all count as missing\./,
    ],
    ["repeated names", "x,x,y\n1,2,3\n4,5,6\n", /Row 1, column 2 has the same name as column 1/],
    ["an empty name", "x,,y\n1,2,3\n4,5,6\n", /Row 1, column 2 has no name\./],
  ])("%s", async (_, content, sentence) => {
    const { page, errors, close } = await open("/fit.html");
    await give(page, "hostile.csv", content);
    const told = page
      .locator("fit-data .error, fit-data .findings li")
      .filter({ hasText: new RegExp(sentence.source.replace("^", "")) });
    await told.first().waitFor();
    expect(await words(told.first())).toMatch(sentence);
    // The worker has survived: the next table is read.
    await give(page, "data.csv", csv(20));
    // Step 2 may still be open for the table before.
    const line = page.locator("#step-1 .line", { hasText: "data.csv · 3 columns · commas, decimal point" });
    await line.waitFor({ state: "attached" });
    expect(errors).toEqual([]);
    await close();
  });

  test("NaN, 1e308 and a formula are no numbers to fit by; HTML is text", async () => {
    const { page, errors, close } = await open("/fit.html");
    const html = '<img src=x onerror="document.title=1">';
    const rows = Array.from(
      { length: 60 },
      (_, i) => `${i % 7},${["1e308", "NaN", "=1+1", i % 5][i % 4]},${i % 11}`,
    );
    await give(page, "hostile.csv", `"${html.replaceAll('"', '""')}",x,y\n${rows.join("\n")}\n`);
    await taken(page);
    await page.locator("#step-3 summary").first().click();
    await page.getByRole("checkbox", { name: html }).check();
    await page.getByRole("checkbox", { name: "x", exact: true }).check();
    await page.getByLabel("What x holds").selectOption("numeric");
    await page.locator("#step-1 .problems li").first().waitFor({ state: "attached" });
    // NaN is one of the marks of missing values.
    expect(await words(page.locator("#step-1 .problems li").first())).toBe(
      "Row 4, column 2 is not a number: it counts as missing.",
    );
    await entry(page, "table.label.name").selectOption("y");
    await entry(page, "missing").selectOption("drop");
    await fill(page, {
      "table.unit.protects": "<b>row</b>",
      "table.unit.rows": "1",
      "table.label.range.0": "0",
      "table.label.range.1": "10",
      "table.columns.0.range.0": "0",
      "table.columns.0.range.1": "6",
      "table.columns.1.range.0": "0",
      "table.columns.1.range.1": "5",
      "budget.epsilon": "1",
      "budget.delta": "1e-6",
    });
    await page.locator("fit-price .headline").waitFor();
    await page.locator("#step-4 > summary").click();
    await run(page);
    await released(page);
    expect(await page.locator("main img, main b").count()).toBe(0);
    expect(await words(page.locator(".coefficients"))).toContain("<img");
    expect(await page.title()).toContain("Epsilometer");
    expect(errors).toEqual([]);
    await close();
  });
});
