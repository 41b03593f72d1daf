/** Several releases, samples, the other curves, and long calculations. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { cramped, field, headline, stage, words } from "./browser.ts";

const { open } = stage();

const live = async (path = "/", options = {}) => {
  const opened = await open(path, options);
  await opened.page.waitForFunction(
    () => performance.getEntriesByName("epsilometer:first-answer").length > 0,
  );
  return opened;
};

const card = (page: Page) =>
  page.locator("epsilon-answer").evaluate((one) => one.shadowRoot?.textContent ?? "");
const settled = (page: Page, text: string | RegExp) =>
  page.locator("epsilon-answer .headline strong", { hasText: text }).waitFor();

const TWO =
  "#v1;ask=epsilon;kind=gaussian;sigma=4;sensitivity=1;count=2;2.kind=laplace;2.scale=8;2.sensitivity=1;delta=1e-6;neighbours=add-remove";
const LONG =
  "#v1;ask=rate;kind=gaussian;sigma=0.42;sensitivity=1;count=3655835;rate=0.000021;2.kind=laplace;2.scale=30;2.sensitivity=1;2.count=50;epsilon=10;delta=1e-170;neighbours=add-remove";

describe("the sentence grows", () => {
  test("DP-SGD: one click, ε = 1.828…, certified, and Back returns", async () => {
    const { page, errors, close } = await live();
    await page.getByRole("link", { name: /DP-SGD/ }).click();
    await settled(page, /^1\.828/);
    expect(await card(page)).toContain("certified");
    expect(await field(page, "rate").inputValue()).toBe("0.01");
    await page.goBack();
    await settled(page, /^4\.377/);
    expect(await field(page, "rate").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  test("a sample and a second release are added, edited, removed, and undone", async () => {
    const { page, errors, close } = await live();
    const focused = () =>
      page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent);
    await page.getByRole("button", { name: /on a Poisson sample/ }).press("Enter");
    await settled(page, /^0\./);
    const sampled = await headline(page);
    // Whoever uses the keyboard goes on in the new field, and beside a button that is gone.
    const made = await focused();
    expect(await page.locator(`#${made}`).evaluate((one) => one.tagName)).toMatch(/INPUT|SELECT/);
    await page.getByRole("button", { name: /^Run .* on a Poisson sample/ }).waitFor({ state: "detached" });
    await page.locator("button.mini.remove").first().press("Enter");
    await expect.poll(focused).toMatch(/^\+ /);
    await page.getByRole("button", { name: /on a Poisson sample/ }).click();
    await settled(page, sampled);
    await page.getByRole("button", { name: "+ add another release" }).click();
    await page.getByLabel("Mechanism 2", { exact: true }).selectOption("laplace");
    await field(page, "2-count").fill("3");
    await field(page, "2-count").press("Enter");
    await page.waitForFunction(() =>
      location.hash.includes("2.kind=laplace;2.scale=1;2.sensitivity=1;2.count=3"),
    );
    await settled(page, /^[23]\./);
    expect(await card(page)).toContain("certified");
    await page.getByRole("button", { name: "Remove release 2" }).click();
    await settled(page, sampled);
    await page.goBack();
    expect(await field(page, "2-count").inputValue()).toBe("3");
    await page.getByRole("button", { name: "Remove release 1" }).click();
    expect(await page.getByLabel("Mechanism", { exact: true }).inputValue()).toBe("laplace");
    expect(errors).toEqual([]);
    await close();
  });

  test("the shape of a stopping law stands in the sentence where the law has one", async () => {
    const { page, errors, close } = await live();
    await page.getByRole("button", { name: /as the best of several runs/ }).click();
    const stopping = page.getByLabel("law of the number of runs");
    const drop = page.getByRole("button", { name: "Release every run instead" });
    expect(await field(page, "shape").count()).toBe(0);
    expect(await drop.count()).toBe(1);
    await stopping.selectOption("negative-binomial");
    await page.waitForFunction(() => location.hash.includes("stopping=negative-binomial;shape=0.5"));
    const alone = async () => {
      const other = await live(`/${await page.evaluate(() => location.hash)}`);
      const found = await headline(other.page);
      await other.close();
      await settled(page, found);
      return Number(found);
    };
    const before = await alone();
    await field(page, "shape").fill("-0.5");
    await field(page, "shape").press("Enter");
    await page.waitForFunction(() => location.hash.includes("shape=-0.5"));
    expect(await alone()).toBeLessThan(before);
    expect(await drop.count()).toBe(1);
    await field(page, "shape").fill("-1");
    await page.locator("#field-shape-error", { hasText: "-0.95" }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  test("a link with two releases gives the same digits in another window", async () => {
    const [one, other] = [await live(`/${TWO}`), await live(`/${TWO}`)];
    expect(await headline(one.page)).toBe(await headline(other.page));
    expect(await one.page.evaluate(() => location.hash)).toBe(TWO);
    await other.close();
    await one.close();
  });

  test("the count is an unknown like any other", async () => {
    const { page, close } = await live(
      "/#v1;ask=count;kind=gaussian;sigma=10;sensitivity=1;epsilon=1;delta=1e-6;neighbours=add-remove",
    );
    const most = Number(await headline(page));
    expect(await words(page.locator("epsilon-answer .headline"))).toContain("k");
    const cost = async (count: number) => {
      const one = await live(`/#v1;kind=gaussian;sigma=10;sensitivity=1;count=${count};delta=1e-6`);
      const found = Number(await headline(one.page));
      await one.close();
      return found;
    };
    expect(await cost(most)).toBeLessThanOrEqual(1);
    expect(await cost(most + 1)).toBeGreaterThan(1);
    await close();
  });

  test("what cannot be combined is refused beside its part", async () => {
    const { page, close } = await live(`/${TWO}`);
    await page.getByLabel("Mechanism 2", { exact: true }).selectOption("matrix");
    await page.locator("#field-2-kind-error", { hasText: "replace" }).waitFor();
    await page.getByLabel("Neighbouring relation").selectOption("replace");
    await page.locator("#field-2-kind-error:empty").waitFor({ state: "attached" });
    await page.getByLabel("Mechanism", { exact: true }).selectOption("gaussian-mixing");
    await page.locator("#field-kind-error", { hasText: "add-remove" }).waitFor();
    await close();
  });

  test("the relation says which sample is meant, in words, in the link and in the number", async () => {
    const { page, errors, close } = await live();
    await page.getByRole("link", { name: /DP-SGD/ }).click();
    await settled(page, /^1\.828/);
    await page.getByLabel("Neighbouring relation").selectOption("replace");
    await settled(page, /^2\.8435|^2\.8436/);
    expect(await page.getByLabel("kind of sampling").inputValue()).toBe("poisson");
    expect(await card(page)).toContain("The sensitivity is how far adding a record moves the query");
    expect(await card(page)).toContain("A loader that shuffles, or draws batches of a fixed size");
    await page.getByLabel("kind of sampling").selectOption("without-replacement");
    await settled(page, /^2\.198|^2\.199/);
    expect(await page.getByLabel("kind of sampling").inputValue()).toBe("without-replacement");
    expect(await card(page)).not.toContain("A loader that shuffles");
    const other = await live(`/${await page.evaluate(() => location.hash)}`);
    expect(await headline(other.page)).toBe(await headline(page));
    await other.close();
    await page.goBack();
    await settled(page, /^2\.843/);
    await page.goBack();
    await settled(page, /^1\.828/);
    expect(await page.getByLabel("kind of sampling").inputValue()).toBe("poisson");
    expect(errors).toEqual([]);
    await close();
  });
});

describe("groups of rows", () => {
  test("three rows cost what three times the sensitivity costs, in every sentence and in the link", async () => {
    const { page, errors, close } = await live();
    await field(page, "group").fill("3");
    await field(page, "group").press("Enter");
    await settled(page, /^16\.6755/);
    expect(await card(page)).toContain("add or remove up to 3 rows");
    expect(await words(page.locator(".sentence"))).toContain("up to rows");
    expect(await words(page.locator("odds-sentence"))).toContain("the rows of a given group of 3");
    expect(await page.evaluate(() => location.hash)).toContain(";group=3;");
    const triple = await live("/#v1;kind=gaussian;sigma=1;sensitivity=3;delta=1e-5");
    expect(await headline(triple.page)).toBe(await headline(page));
    await triple.close();
    await page.locator("#compare summary").click();
    await page.locator("accountant-comparison", { hasText: "one row only" }).waitFor();
    await page.getByRole("radio", { name: "Rényi curve" }).check();
    await page.locator("privacy-profile .refusal", { hasText: "one row only" }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  test("what makes no sense is refused beside the number, and nothing typed is lost", async () => {
    const { page, close } = await live();
    await field(page, "group").fill("2.5");
    await page.locator("#field-group-error", { hasText: "whole number from 1 to 1000" }).waitFor();
    await field(page, "group").fill("3");
    await page.getByRole("button", { name: "Solve for noise standard deviation" }).click();
    await page.locator("#field-group-error", { hasText: "one row only" }).waitFor();
    expect(await field(page, "group").inputValue()).toBe("3");
    await field(page, "group").press("ArrowDown");
    await field(page, "group").press("ArrowDown");
    expect(await field(page, "group").inputValue()).toBe("1");
    await settled(page, /^\d/);
    await close();
  });
});

describe("long calculations", () => {
  test("show a line and a way out; Cancel answers within a few frames and keeps the form", async () => {
    const { page, errors, close } = await open(`/${LONG}`);
    const answer = page.locator("epsilon-answer");
    await answer.getByRole("progressbar").waitFor();
    expect(await cramped(page)).toEqual([]);
    // Frames, not time: an answer that waited for the calculation would come hundreds of them later.
    const frames = await answer.evaluate(async (one) => {
      one.shadowRoot?.querySelector<HTMLButtonElement>(".progress button")?.click();
      let waited = 0;
      for (; !one.shadowRoot?.textContent?.includes("Cancelled"); ++waited)
        await new Promise(requestAnimationFrame);
      return waited;
    });
    expect(frames).toBeLessThan(12);
    expect(await field(page, "2-scale").inputValue()).toBe("30");
    expect(await page.evaluate(() => location.hash)).toBe(LONG);
    expect(await cramped(page)).toEqual([]);
    await answer.getByRole("button", { name: "Ask again" }).click();
    await answer.getByRole("progressbar").waitFor();
    // The next question gets a fresh worker.
    await page.evaluate((hash) => {
      location.hash = hash;
    }, TWO);
    await settled(page, /^\d/);
    expect(errors).toEqual([]);
    await close();
  });

  test("typing goes on while they run, and only the last question is answered", async () => {
    const { page, errors, close } = await live(
      "/#v1;kind=gaussian;sigma=1;sensitivity=1;count=1000;rate=0.01;delta=1e-5",
    );
    await field(page, "count").evaluate(async (one) => {
      for (const text of ["2", "20", "200", "2000", "20001", "2000", "200", "20"]) {
        (one as HTMLInputElement).value = text;
        one.dispatchEvent(new Event("input", { bubbles: true }));
        for (let frame = 0; frame < 4; ++frame) await new Promise(requestAnimationFrame);
      }
    });
    const other = await live("/#v1;kind=gaussian;sigma=1;sensitivity=1;count=20;rate=0.01;delta=1e-5");
    await settled(page, await headline(other.page));
    expect(errors).toEqual([]);
    await other.close();
    await close();
  });
});

describe("what is asked only when somebody looks", () => {
  test("the comparison of a composition", async () => {
    const { page, errors, close } = await live(
      "/#v1;kind=gaussian;sigma=1;sensitivity=1;count=1000;rate=0.01;delta=1e-5",
    );
    expect(await page.locator("accountant-comparison tr").count()).toBe(0);
    await page.locator("#compare summary").click();
    await page.locator("accountant-comparison tbody tr", { hasText: "Rényi" }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  test("Python, LaTeX and a tag of several releases", async () => {
    const { page, close } = await live(`/${TWO}`);
    await page.locator("#copy summary").click();
    const shown = async (form: string) => {
      await page.getByRole("button", { name: form, exact: true }).click();
      return words(page.locator("copy-as"));
    };
    expect(await shown("dp_accounting")).toContain("ComposedDpEvent");
    expect(await shown("LaTeX")).toContain("and then Laplace noise");
    expect(await shown("OpenDP")).toContain("OpenDP has no accountant for a list of different releases");
    expect(await shown("HTML")).toContain('description="{');
    await close();
  });
});

describe("the curves", () => {
  test.each([
    ["Rényi curve", "renyi-curve", "order,divergence"],
    ["Trade-off", "trade-off", "false_positive_rate,true_positive_rate"],
  ])("%s: drawn, walked, tabulated, saved", async (title, file, start) => {
    const { page, errors, close } = await live(`/${TWO}`);
    await page.getByRole("radio", { name: title }).check();
    await page.locator(`privacy-profile svg[aria-label^="${title}"]`).waitFor();
    const plot = page.locator("privacy-profile .plot");
    await plot.focus();
    await plot.press("ArrowRight");
    expect(await words(page.locator("privacy-profile .legend"))).toMatch(/(α|rate) = .*: \w/);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save CSV" }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe(`${file}.csv`);
    expect(readFileSync(await download.path(), "utf8").startsWith(start)).toBe(true);
    expect(errors).toEqual([]);
    await close();
  });

  test("the trade-off names the advantage δ(0)", async () => {
    const { page, close } = await live();
    await page.getByRole("radio", { name: "Trade-off" }).check();
    await page.locator("privacy-profile .legend", { hasText: "δ(0) = 0.383" }).waitFor();
    await close();
  });
});

describe("the trade-off in numbers", () => {
  test("Φ(1 + Φ⁻¹(0.01)) = 9.24 % for one Gaussian release, and the rate goes into the link", async () => {
    const { page, errors, close } = await live();
    const sentence = page.locator("attack-sentence");
    expect(await words(sentence)).toBe("");
    await page.getByRole("radio", { name: "Trade-off" }).check();
    await sentence.locator("strong", { hasText: "9.237 %" }).waitFor();
    expect(await words(sentence)).toContain("δ(0) = 0.383");
    await field(page, "false-positives").fill("0.1");
    await sentence.locator("strong", { hasText: "1.83 %" }).waitFor();
    expect(await page.evaluate(() => location.hash)).toContain(";false-positives=0.1;");
    await field(page, "false-positives").fill("100");
    await page.locator("#field-false-positives-error", { hasText: "between 0 and 100" }).waitFor();
    expect(await field(page, "false-positives").inputValue()).toBe("100");
    expect(errors).toEqual([]);
    await close();
  });

  test("of a composition both ends are certified, and apart", async () => {
    const { page, close } = await live(
      "/#v1;kind=gaussian;sigma=1;sensitivity=1;count=1000;rate=0.01;delta=1e-5",
    );
    await page.getByRole("radio", { name: "Trade-off" }).check();
    const aside = page.locator("attack-sentence .aside", { hasText: "between" });
    await aside.waitFor();
    const [, low, high] = /positives: between (\S+) % and (\S+) %/.exec(await words(aside)) ?? [];
    expect(Number(low)).toBeLessThan(Number(high));
    expect(Number(high)).toBeCloseTo(2.914, 3);
    await close();
  });
});

describe("what was printed wrong", () => {
  test("the thesis' sign: promised and real, computed when somebody looks; hidden where nothing is known", async () => {
    const { page, errors, close } = await live("/#v1;kind=objective-perturbation;delta=1e-6");
    const fold = page.locator("#errata");
    expect(await words(fold)).not.toContain("0.0136591");
    await fold.locator("summary").click();
    await fold.locator("dd", { hasText: "promises δ ≤ 8.12593e-6; the release has δ ≥ 0.0136591" }).waitFor();
    await page.getByLabel("Mechanism", { exact: true }).selectOption("laplace");
    await fold.waitFor({ state: "hidden" });
    expect(errors).toEqual([]);
    await close();
  });
});

describe("widgets", () => {
  const WHOLE = JSON.stringify({
    kind: "composition",
    of: [{ mechanism: { kind: "gaussian", sigma: 4, sensitivity: 1 }, count: 2 }],
  });
  const put = async (page: Page, description: string, more: Record<string, string> = {}) => {
    await page.evaluate(
      ([text, others]) => {
        const widget = document.createElement("epsilon-answer");
        widget.id = "widget";
        widget.setAttribute("description", text);
        for (const [name, value] of Object.entries(others)) widget.setAttribute(name, value);
        document.querySelector("main")?.prepend(widget);
      },
      [description, more] as const,
    );
    await page.waitForFunction(() =>
      document.querySelector("#widget")?.shadowRoot?.querySelector(".inline, .refusal"),
    );
    return page.locator("#widget").evaluate((one) => one.shadowRoot?.textContent?.trim() ?? "");
  };

  test("a whole mechanism as JSON", async () => {
    const { page, close } = await live();
    expect(await put(page, WHOLE, { delta: "1e-6" })).toMatch(
      /^ε = 1\.\d+ at δ = 1e-6, add or remove one row$/,
    );
    await close();
  });

  test.each([
    ["{", "must be JSON"],
    ['{"kind":"magic"}', "must be one of"],
    ['{"kind":"gaussian","sigma":-1,"sensitivity":1}', "-1"],
  ])("%s is refused by name", async (text, reason) => {
    const { page, close } = await live();
    expect(await put(page, text)).toContain(reason);
    await close();
  });
});
