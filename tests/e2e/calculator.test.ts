/** What a person does with the calculator. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { field, headline, resting, stage, words } from "./browser.ts";

const { open } = stage();
/** The sum of all layout shifts since the page began. */
const shifted = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        const add = (entries: PerformanceEntryList) => {
          for (const entry of entries) sum += (entry as PerformanceEntry & { value: number }).value;
        };
        const observer = new PerformanceObserver((list) => add(list.getEntries()));
        observer.observe({ type: "layout-shift", buffered: true });
        // What was kept from before is told by the picture after the next.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            add(observer.takeRecords());
            resolve(sum);
          }),
        );
      }),
  );
const live = async (path = "/", options = {}) => {
  const opened = await open(path, options);
  await opened.page.waitForFunction(
    () => performance.getEntriesByName("epsilometer:first-answer").length > 0,
  );
  return opened;
};

describe("the first view", () => {
  test("a cold load shows its first number, and nothing jumps", async () => {
    const { page, errors, close } = await open();
    await page.waitForFunction(() => performance.getEntriesByName("epsilometer:first-answer").length > 0);
    const first = await page.evaluate(
      () => performance.getEntriesByName("epsilometer:first-answer")[0]?.startTime ?? Number.NaN,
    );
    await resting(page);
    const shift = await shifted(page);
    console.log(`first number after ${Math.round(first)} ms, layout shift ${shift.toFixed(4)}`);
    expect(first).toBeGreaterThan(0);
    expect(shift).toBeLessThan(0.01);
    expect(errors).toEqual([]);
    await close();
  });

  test("nothing jumps on a phone either, nor with a question in the address", async () => {
    for (const path of [
      "/",
      "/#v1;ask=sigma;kind=gaussian;sensitivity=1;epsilon=1;delta=1e-5;neighbours=replace",
      "/#v1;kind=gaussian;sigma=1;sensitivity=1;count=1000;rate=0.01;delta=1e-5",
      "/#v1;kind=gaussian;sigma=4;count=2;2.kind=laplace;2.scale=8;delta=1e-6",
    ]) {
      const { page, close } = await live(path, { viewport: { width: 390, height: 844 } });
      await resting(page);
      const shift = await shifted(page);
      console.log(`layout shift ${shift.toFixed(4)} ${path}`);
      expect(shift, path).toBeLessThan(0.01);
      await close();
    }
  });

  test("the static digits are the live digits, and without scripts the page reads well", async () => {
    const scripted = await live();
    const digits = await headline(scripted.page);
    await scripted.close();
    const { page, close } = await open("/", { javaScriptEnabled: false });
    const text = await words(page.locator("main"));
    expect(text).toContain(digits);
    expect(text).toContain("at δ = 1e-5, add or remove one row");
    expect(text).toMatch(/raises that to at most 69\.\d+ % if he is right and to at most/);
    expect(await page.locator("privacy-profile .wide > svg").isVisible()).toBe(true);
    // Of what only scripts do, nothing is said.
    for (const only of [".hint", ".examples", ".grow"])
      expect(await page.locator(only).first().isVisible(), only).toBe(false);
    await close();
  });
});

describe("editing", () => {
  test("a worked example: σ = 1, δ = 1e-5 costs 4.377, with kind, relation and odds", async () => {
    const { page, close } = await live();
    expect(await headline(page)).toMatch(/^4\.37/);
    const answer = await page.locator("epsilon-answer").evaluate((one) => one.shadowRoot?.textContent ?? "");
    expect(answer).toContain("exact");
    expect(answer).toContain("add or remove one row");
    await page
      .locator("odds-sentence strong", { hasText: /at most 69\.\d+ %/ })
      .first()
      .waitFor();
    await close();
  });

  test("Back undoes one change at a time, however many keys it took", async () => {
    const { page, close } = await live();
    const before = await headline(page);
    await field(page, "sigma").fill("");
    await field(page, "sigma").pressSequentially("12.5");
    await field(page, "sigma").press("Enter");
    await field(page, "delta").fill("1e-9");
    await field(page, "delta").press("Enter");
    await page.getByLabel("Neighbouring relation").selectOption("replace");
    expect(await page.evaluate(() => location.hash)).toBe(
      "#v1;ask=epsilon;kind=gaussian;sigma=12.5;sensitivity=1;delta=1e-9;neighbours=replace",
    );
    await page.goBack();
    expect(await page.getByLabel("Neighbouring relation").inputValue()).toBe("add-remove");
    await page.goBack();
    expect(await field(page, "delta").inputValue()).toBe("1e-5");
    expect(await field(page, "sigma").inputValue()).toBe("12.5");
    await page.goBack();
    expect(await field(page, "sigma").inputValue()).toBe("1");
    await page.waitForFunction(
      (text) =>
        document.querySelector("epsilon-answer")?.shadowRoot?.querySelector("strong")?.textContent === text,
      before,
    );
    await close();
  });

  test("what a formula comes to stands before the cross that removes its sample, and typing it keeps the focus", async () => {
    const { page, close } = await open("/#v1;kind=gaussian;rate=0.01;n=50000;batch=256");
    await page.locator("#field-rate").fill("");
    await page.locator("#field-rate").pressSequentially("batch/n");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("field-rate");
    expect(await words(page.locator("#field-rate-understood"))).toBe("= 0.00512");
    const cross = page.locator("question-sentence .remove");
    const [value, removed] = [
      await page.locator("#field-rate-understood").boundingBox(),
      await cross.boundingBox(),
    ];
    expect(removed?.x).toBeGreaterThan((value?.x ?? 0) + (value?.width ?? 0));
    await close();
  });

  test("a link gives the same digits in another window", async () => {
    const { page, close } = await live();
    await field(page, "delta").fill("1/n^1.1");
    await field(page, "delta").press("Enter");
    await field(page, "n").fill("25000");
    await field(page, "n").press("Enter");
    expect(await words(page.locator("#field-delta-understood"))).toContain("e-5");
    await page.waitForFunction(() => location.hash.includes("n=25000"));
    const other = await live(`/${await page.evaluate(() => location.hash)}`);
    const digits = await words(other.page.locator("epsilon-answer .ends"));
    await expect.poll(() => words(page.locator("epsilon-answer .ends"))).toBe(digits);
    await other.close();
    await close();
  });

  test("typing fast shows the last question's answer, and it alone", async () => {
    const { page, errors, close } = await live();
    await field(page, "count").fill("");
    for (let i = 1; i <= 40; i++) await field(page, "sigma").fill(String(i));
    await field(page, "count").fill("1");
    await resting(page);
    const last = await headline(page);
    const other = await live("/#v1;kind=gaussian;sigma=40");
    expect(last).toBe(await headline(other.page));
    expect(errors).toEqual([]);
    await other.close();
    await close();
  });

  test("errors stand beside their field within a few frames and take no focus", async () => {
    const { page, close } = await live();
    await field(page, "sigma").focus();
    const frames = await page.evaluate(async () => {
      const input = document.querySelector<HTMLInputElement>("#field-sigma");
      if (!input) return Number.NaN;
      input.value = "abc";
      input.dispatchEvent(new InputEvent("input", { bubbles: true }));
      let waited = 0;
      for (; !document.querySelector("#field-sigma-error")?.textContent && waited < 100; ++waited)
        await new Promise(requestAnimationFrame);
      return waited;
    });
    expect(frames).toBeLessThan(6);
    const error = await words(page.locator("#field-sigma-error"));
    expect(error).toContain("standard deviation");
    expect(error).toContain("abc");
    expect(await field(page, "sigma").getAttribute("aria-invalid")).toBe("true");
    expect(await field(page, "sigma").getAttribute("aria-describedby")).toContain("field-sigma-error");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("field-sigma");
    await field(page, "sigma").fill("-1");
    await page.locator("#field-sigma-error", { hasText: "-1" }).waitFor();
    await close();
  });

  test("what is wrong about an attacker hides no answer that does not depend on it", async () => {
    const { page, close } = await live();
    await page.waitForFunction(() => performance.getEntriesByName("epsilometer:first-answer").length > 0);
    const before = await headline(page);
    for (const [name, wrong, right] of [
      ["exceptions", "abc", "1e-6"],
      ["prior", "200", "1"],
    ] as const) {
      await field(page, name).fill(wrong);
      await page.locator(`#field-${name}-error`, { hasText: wrong }).waitFor();
      await page.locator("odds-sentence strong", { hasText: "…" }).first().waitFor();
      expect(await headline(page)).toBe(before);
      await field(page, name).fill(right);
      await page.locator(`#field-${name}-error:empty`).waitFor({ state: "attached" });
      await page.locator("odds-sentence strong", { hasText: "%" }).first().waitFor();
    }
    await close();
  });

  test("what the engine refuses stands beside its field too", async () => {
    const { page, close } = await live();
    await field(page, "delta").fill("2");
    await page.locator("#field-delta-error", { hasText: "2" }).waitFor();
    await field(page, "delta").fill("1e-5");
    await page.locator("#field-delta-error:empty").waitFor({ state: "attached" });
    await close();
  });

  test("every kind of the catalogue answers its defaults or says why not", async () => {
    const { page, errors, close } = await live();
    const kinds = await page
      .getByLabel("Mechanism", { exact: true })
      .locator("option")
      .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
    expect(kinds.length).toBeGreaterThan(10);
    for (const kind of kinds) {
      await page.getByLabel("Mechanism", { exact: true }).selectOption(kind);
      await resting(page);
      const shown = await page.locator("epsilon-answer").evaluate((one) => one.shadowRoot?.textContent ?? "");
      expect(shown, kind).toMatch(/exact|certified|bound|:/);
      expect(shown, kind).not.toMatch(/NaN|undefined|engine stopped/);
    }
    expect(errors).toEqual([]);
    await close();
  });

  test("a hostile address is harmless and reported", async () => {
    const { page, errors, close } = await live(
      "/#v1;kind=gaussian;sensitivity=2;n=<img src=x onerror=alert(1)>;__proto__=1;colour=red;delta=%E0%A4%A",
    );
    expect(await words(page.locator("#notice"))).toContain("colour");
    expect(await page.locator("main img").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });
});

describe("solving the other way", () => {
  test("the old unknown keeps what was found, so the new one comes back to where it was", async () => {
    const { page, close } = await live();
    await page.getByRole("button", { name: "Solve for noise standard deviation" }).click();
    await page.locator("epsilon-answer .headline", { hasText: "σ" }).waitFor();
    expect(await field(page, "epsilon").inputValue()).toMatch(/^4\.37/);
    expect(Number(await headline(page))).toBeCloseTo(1, 4);
    await page.getByRole("button", { name: "Solve for delta" }).click();
    await page.locator("epsilon-answer .headline", { hasText: "δ" }).waitFor();
    expect(Number(await headline(page))).toBeCloseTo(1e-5, 8);
    await close();
  });

  test("no finite ε is said with its reason", async () => {
    const { page, close } = await live(
      "/#v1;kind=approximate;mechanism-epsilon=1;mechanism-delta=1e-6;delta=1e-7",
    );
    expect(await headline(page)).toBe("∞");
    expect(await words(page.locator("epsilon-answer .small").last())).toContain("No finite ε");
    await close();
  });

  test("the prior changes the odds and is part of the link", async () => {
    const { page, close } = await live();
    // A suspicion of 1 %, sigma = 1: by the definition 69.788765 and 46.836392.
    await page.locator("odds-sentence strong", { hasText: "at most 69.79 %" }).waitFor();
    expect(await words(page.locator("odds-sentence"))).toContain("at most 46.84 % if he is wrong");
    await field(page, "exceptions").fill("1e-3");
    await page.locator("odds-sentence strong", { hasText: "at most 31.92 %" }).waitFor();
    await field(page, "exceptions").fill("2");
    await page.locator("#field-exceptions-error", { hasText: "between 1e-100 and 1" }).waitFor();
    await field(page, "exceptions").fill("1e-6");
    await field(page, "exceptions").press("Tab");
    await field(page, "prior").fill("50");
    await field(page, "prior").press("Tab");
    await page.locator("odds-sentence strong", { hasText: "at most 99.57 %" }).waitFor();
    expect(await page.evaluate(() => location.hash)).toContain("prior=50;");
    await field(page, "prior").fill("100");
    await page.locator("#field-prior-error", { hasText: "between 0 and 100" }).waitFor();
    await close();
  });

  test("two presses find the noise that keeps a suspicion at 5 %", async () => {
    const { page, close } = await live();
    await page.getByRole("button", { name: "Solve for noise standard deviation" }).click();
    await page.getByRole("button", { name: "Limit a suspicion instead" }).focus();
    await page.keyboard.press("Enter");
    // The root of the definition is 1 / 0.32337873746.
    await page.locator("epsilon-answer [part=headline]", { hasText: "3.09235" }).waitFor();
    expect(await words(page.locator("epsilon-answer [part=level]"))).toContain(
      "keeps a suspicion of 1 % at 5 % or less, except with probability 1e-6",
    );
    await page.locator("odds-sentence strong", { hasText: "at most 5 %" }).waitFor();
    expect(await page.evaluate(() => location.hash)).toContain("prior=1;limit=5;exceptions=1e-6");
    await field(page, "limit").fill("0.5");
    await page.locator("#field-limit-error", { hasText: "more than the suspicion" }).waitFor();
    await page.getByRole("button", { name: "Keep ε at δ instead" }).click();
    await page.locator("epsilon-answer [part=level]", { hasText: "keeps ε ≤" }).waitFor();
    await close();
  });

  test("the curve is saved as a drawing and as points", async () => {
    const { page, close } = await live();
    for (const [button, name, start] of [
      ["Save SVG", "privacy-profile.svg", "<svg"],
      ["Save CSV", "privacy-profile.csv", "epsilon,delta_lower,delta_upper\n0,"],
    ] as const) {
      const saved = page.waitForEvent("download");
      await page.getByRole("button", { name: button }).click();
      const file = await saved;
      expect(file.suggestedFilename()).toBe(name);
      expect(readFileSync(await file.path(), "utf8").startsWith(start)).toBe(true);
    }
    await close();
  });
});

describe("accountants", () => {
  test("ε = 10, δ = 1e-5: the textbook row is marked broken, in words and with the real 10.39", async () => {
    const { page, close } = await live(
      "/#v1;ask=sigma;kind=gaussian;sensitivity=1;epsilon=10;delta=1e-5;neighbours=add-remove",
    );
    await page.locator("#broken", { hasText: "textbook formula: promise broken" }).waitFor();
    await page.locator("#compare summary").click();
    const row = page.locator("accountant-comparison tr.broken");
    await row.waitFor();
    expect(await row.count()).toBe(1);
    const text = await words(row);
    expect(text).toContain("Textbook");
    expect(text).toContain("promise broken");
    expect(text).toContain("10.39");
    await close();
  });

  test("where the textbook keeps its promise nothing is marked", async () => {
    const { page, close } = await live();
    await page.locator("#compare summary").click();
    await page.locator("accountant-comparison tbody tr").first().waitFor();
    expect(await page.locator("accountant-comparison tr.broken").count()).toBe(0);
    await close();
  });
});
