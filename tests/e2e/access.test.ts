/** Everybody can use it: axe in both themes, keyboard alone, 200 % zoom, print. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { fitsIn, NARROWEST, PHONE, readableInBothThemes } from "./access.ts";
import { cramped, field, resting, stage, USUAL, words } from "./browser.ts";

const { open } = stage();

const settled = (page: Page) =>
  page.waitForFunction(() =>
    [...document.querySelectorAll("epsilon-answer, privacy-profile")].every((one) =>
      one.shadowRoot?.querySelector(".headline, .inline, svg"),
    ),
  );

test.each([
  "/",
  "/embed.html",
  "/goe.html",
  "/fit.html",
  "/#v1;kind=gaussian;sigma=abc;delta=1/n;foo=1",
  "/#v1;ask=sigma;kind=gaussian;epsilon=10;delta=1e-5",
  "/#v1;kind=gaussian;sigma=4;count=2;rate=0.5;2.kind=randomized-response;2.count=3;delta=1e-6;neighbours=replace",
  "/#v1;kind=gaussian;sigma=4;count=2;2.kind=laplace;2.scale=8;delta=1e-6",
])("axe in both themes: %s", async (path) => {
  const { page, close } = await open(path);
  await resting(page);
  await page.evaluate(() => {
    const roots = [document, ...[...document.querySelectorAll("*")].flatMap((one) => one.shadowRoot ?? [])];
    for (const fold of roots.flatMap((root) => [...root.querySelectorAll("details")])) fold.open = true;
  });
  await readableInBothThemes(page);
  await close();
});

test.each(["/", "/goe.html", "/#v1;kind=rdp;orders=2,3;epsilons=1,2"])(
  "however long what is typed, the page is no wider than its window: %s",
  async (path) => {
    const { page, errors, close } = await open(path);
    for (const size of [USUAL, PHONE]) {
      await page.setViewportSize(size);
      await resting(page);
      const names = await page
        .locator("input.text:visible")
        .evaluateAll((fields) => fields.map(({ id }) => id).filter(Boolean));
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) {
        const entry = page.locator(`#${name}`);
        const before = await entry.inputValue();
        await entry.fill("1".repeat(400));
        await resting(page);
        expect(await cramped(page), `${name} in ${size.width}`).toEqual([]);
        await entry.fill(before);
      }
    }
    expect(errors).toEqual([]);
    await close();
  },
);

test("keyboard alone: change σ, solve for σ, walk the curve, copy LaTeX", async () => {
  const { page, close } = await open("/", { permissions: ["clipboard-read", "clipboard-write"] });
  await settled(page);
  /** Tabs until the focused element, through all shadow roots, carries the name. */
  const tabTo = async (name: string) => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      const label = await page.evaluate(() => {
        let active = document.activeElement;
        while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
        return `${active?.id} ${active?.className} ${active?.textContent}`;
      });
      if (label.includes(name)) return;
    }
    throw new Error(`the keyboard does not reach ${name}`);
  };
  await tabTo("field-sigma");
  await page.keyboard.press("ArrowUp");
  expect(await field(page, "sigma").inputValue()).toBe("2");
  await page.keyboard.press("Shift+ArrowUp");
  expect(await field(page, "sigma").inputValue()).toBe("20");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await page.locator("output.unknown").waitFor();
  expect(await page.evaluate(() => location.hash)).toContain("ask=sigma");
  await tabTo("plot");
  const status = page.locator(".epsilometer-status");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => words(status)).toMatch(/^ε = .*: δ/);
  const first = await words(status);
  await page.keyboard.press("End");
  await expect.poll(() => words(status)).not.toBe(first);
  await tabTo("Copy as link");
  await page.keyboard.press("Enter");
  await tabTo("LaTeX");
  await page.keyboard.press("Enter");
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toContain("differentially private");
  await close();
});

test.each([
  "/",
  "/embed.html",
  "/fit.html",
  "/#v1;kind=randomized-response;delta=1/n^1.1;categories=123456789",
  "/#v1;kind=discrete-laplace;count=1000000;rate=0.0123456;2.kind=rdp;2.orders=2,3,4,5,6,7,8,9,10;3.kind=approximate",
  "/#v1;kind=gaussian;count=2*ceil(passes*n/batch);rate=batch/n;2.kind=discrete-laplace;n=50000;batch=256;passes=20",
])("small windows: %s", async (path) => {
  const { page, close } = await open(path, { viewport: PHONE, deviceScaleFactor: 2 });
  const zoomed = { width: 640, height: 450 };
  await fitsIn(page, { "a phone": PHONE, "200 % zoom": zoomed, "reflow at 320": NARROWEST });
  await close();
});

test("print: one sheet", async () => {
  const { page, close } = await open();
  await settled(page);
  const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await close();
});

test.each(["/", "/fit.html", "/#v1;ask=sigma;kind=gaussian;epsilon=1;delta=1e-5"])(
  "forced colours: what is on has another background than what is not, and no block behind its words: %s",
  async (path) => {
    const { page, close } = await open(path, { forcedColors: "active" });
    await page.locator(".segments input").first().waitFor({ state: "attached" });
    const marks = await page.evaluate(() => {
      const styles = (selector: string) =>
        [...document.querySelectorAll(selector)].map((one) => {
          const { backgroundColor, forcedColorAdjust } = getComputedStyle(one);
          return `${backgroundColor} ${forcedColorAdjust}`;
        });
      return {
        on: styles(".segments input:checked + span, button[aria-pressed=true], .unknown, button.primary"),
        off: styles(".segments input:not(:checked) + span, button[aria-pressed=false]"),
      };
    });
    expect(marks.on.length).toBeGreaterThan(0);
    for (const mark of marks.on) {
      expect(mark).toMatch(/ none$/);
      expect(marks.off).not.toContain(mark);
    }
    await close();
  },
);

test("the theme is remembered", async () => {
  const { page, close } = await open();
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await paper();
  await page.locator("#theme").click();
  await page.locator("#theme").click();
  expect(await words(page.locator("#theme"))).toBe("dark theme");
  expect(await paper()).not.toBe(light);
  await page.reload();
  expect(await paper()).not.toBe(light);
  await close();
});
