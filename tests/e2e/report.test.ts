/** The form of a privacy report on somebody else's page: a visitor reads her own loss, and nothing leaves. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { violations } from "./access.ts";
import { cramped, stage, words } from "./browser.ts";
import { host } from "./host.ts";

const current = stage();
const stranger = host(() => current.site.origin);
const elsewhere = host(() => current.site.origin);

const REPORT = readFileSync(new URL("../../web/example-report.json", import.meta.url), "utf8");
const changed = (from: string, to: string) => {
  expect(REPORT).toContain(from);
  return REPORT.replace(from, to);
};

const FALLBACK = "ask the study";
const inline = (report: string) =>
  `<privacy-report><script type="application/json">${report}</script>${FALLBACK}</privacy-report>`;
const page = (form: string) => `<main><h1>A study</h1>${form}</main>`;

const script = "epsilometer-report.js";
const SCRIPT = "script-src ORIGIN 'wasm-unsafe-eval'";
const STRICT = `default-src 'none'; img-src data:; ${SCRIPT}; worker-src blob:`;

const visit = (body: string, more: { policy?: string; style?: string } = {}, options = {}) =>
  current.open(stranger.put({ body: page(body), script, ...more }), options);

async function fillIn(form: Page, pressure = "no"): Promise<void> {
  await form.getByLabel("age").fill("50");
  await form.getByLabel("hours of exercise").fill("3");
  await form.getByLabel("smoking").selectOption("never");
  await form.getByLabel("high blood pressure").selectOption(pressure);
}

const part = (form: Page, name: string) => form.locator(`privacy-report [part=${name}]`);
const refusal = async (form: Page) => words(part(form, "refusal"));
const kept = (form: Page) =>
  form.locator("privacy-report").evaluate((one) =>
    one.shadowRoot
      ?.querySelector("slot")
      ?.assignedNodes()
      .filter((node) => !(node instanceof HTMLScriptElement))
      .map((node) => node.textContent?.trim())
      .join(""),
  );
const settled = (form: Page) =>
  form.waitForFunction(() => {
    const root = document.querySelector("privacy-report")?.shadowRoot;
    return root?.querySelector("[part=answer]:not(.stale)");
  });

describe.each([
  [
    "an address",
    () => '<privacy-report src="report.json">ask the study</privacy-report>',
    "connect-src 'self'",
  ],
  ["data between the tags", () => inline(REPORT), "connect-src 'none'"],
])("from %s, under a strict policy", (from, form, connect) => {
  test("values are typed, the loss is read, and nothing else is asked for", async () => {
    stranger.file("/report.json", REPORT);
    const { page, errors, requests, close } = await visit(form(), { policy: `${STRICT}; ${connect}` });
    await page.getByLabel("age").waitFor();
    const before = page.url();
    expect(await words(part(page, "demonstration"))).toContain("Demonstration");
    expect(await page.getByText("from 18 to 90").count()).toBe(1);
    await fillIn(page);
    await settled(page);
    const promised = Number(/[\d.]+$/.exec(await words(part(page, "promised")))?.[0]);
    const own = Number(/[\d.]+$/.exec(await words(part(page, "own")))?.[0]);
    expect(promised).toBe(1);
    expect(own).toBeGreaterThan(0.5);
    expect(own).toBeLessThan(promised);
    const size = await words(part(page, "realised"));
    expect(await words(part(page, "causes"))).toMatch(
      /misses your “high blood pressure” \(misfit\).*leverage/,
    );
    await page.getByLabel("high blood pressure").selectOption("yes");
    await expect.poll(() => words(part(page, "realised"))).not.toBe(size);
    await settled(page);
    const member = await words(part(page, "answer"));
    await page.getByLabel("I am not").check();
    await settled(page);
    expect(await words(part(page, "answer"))).toContain("except with probability 1e-6");
    expect(member).toContain("except with probability 1e-6");
    await page.getByLabel("age").fill("");
    await part(page, "answer").waitFor({ state: "detached" });
    const here = new URL(before).origin;
    const asked = [before, `${current.site.origin}/${script}`];
    expect(requests.sort()).toEqual(
      [...asked, ...(from === "an address" ? [`${here}/report.json`] : [])].sort(),
    );
    expect(page.url()).toBe(before);
    const stored = await page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length]);
    expect(stored).toEqual(["", 0, 0]);
    expect(errors).toEqual([]);
    await close();
  });
});

test.each([
  ["a number that was changed", () => changed("0.38076", "0.38077"), "fingerprint", "it was changed"],
  ["a report of another version", () => changed("report-1", "report-9"), "format", "another version"],
  ["no report at all", () => "{}", "format", "this is no privacy report"],
  ["no JSON", () => "{", "Report", "must be JSON"],
])("%s is refused by name, and the author's words stay", async (_, report, name, rule) => {
  const { page, close } = await visit(inline(report()));
  await part(page, "refusal").waitFor();
  expect(await refusal(page)).toContain(name);
  expect(await refusal(page)).toContain(rule);
  expect(await kept(page)).toBe(FALLBACK);
  expect(await page.getByLabel("age").count()).toBe(0);
  await close();
});

test.each([
  ["", "Src: must be given"],
  [' src="there-is-none.json"', "was answered by 404"],
  [' src="http://127.0.0.1:9/report.json"', "Access-Control-Allow-Origin"],
  [' loadin="lazy"', "Attribute loadin “lazy”: privacy-report has no such attribute; did you mean loading?"],
])("<privacy-report%s> says what is wrong beside the author's words", async (attribute, expected) => {
  const { page, close } = await visit(`<privacy-report${attribute}>${FALLBACK}</privacy-report>`);
  await part(page, "refusal").waitFor();
  expect(await refusal(page)).toContain(expected);
  expect(await kept(page)).toBe(FALLBACK);
  await close();
});

test("another origin that allows it gives its report, without a cookie or a referrer", async () => {
  elsewhere.file("/report.json", REPORT);
  const address = new URL("/report.json", elsewhere.put({ body: "" })).href;
  const { page, close } = await visit("<p id=here></p>");
  const sent = page.waitForRequest(address);
  await page.locator("#here").evaluate((here, src) => {
    here.innerHTML = `<privacy-report src="${src}"></privacy-report>`;
  }, address);
  const headers = await (await sent).allHeaders();
  expect(headers.referer ?? headers.cookie).toBeUndefined();
  await page.getByLabel("age").waitFor();
  await close();
});

test.each([
  ["without WebAssembly", "script-src ORIGIN; worker-src blob:"],
  ["without workers", SCRIPT],
])("under a policy %s the author's words stay", async (_, policy) => {
  const { page, errors, close } = await visit(inline(REPORT), {
    policy: `default-src 'none'; img-src data:; ${policy}`,
  });
  await expect.poll(() => errors.filter((line) => line.startsWith("Epsilometer:"))).toHaveLength(1);
  expect(await kept(page)).toBe(FALLBACK);
  expect(await part(page, "refusal").count()).toBe(0);
  await close();
});

test("without scripts the author's words stay", async () => {
  const { page, close } = await visit(inline(REPORT), {}, { javaScriptEnabled: false });
  expect(await words(page.locator("main"))).toContain(FALLBACK);
  await close();
});

test("a value that is beyond the declared range says as what it counts, and no number is no value", async () => {
  const { page, close } = await visit(inline(REPORT));
  await fillIn(page);
  await page.getByLabel("age").fill("95");
  await page.getByText("counts as 90").waitFor();
  await settled(page);
  const old = await words(part(page, "own"));
  await page.getByLabel("age").fill("90");
  await settled(page);
  expect(await words(part(page, "own"))).toBe(old);
  await page.getByLabel("age").focus();
  await page.keyboard.type("e");
  await page.getByText("This is no number:").waitFor();
  expect(await part(page, "answer").count()).toBe(0);
  // A comma is a decimal point, typed and not only filled in.
  const told = async (text: string) => {
    await page.getByLabel("hours of exercise").fill("");
    await page.getByLabel("hours of exercise").pressSequentially(text);
    await page.getByLabel("age").fill("40");
    await settled(page);
    return words(part(page, "own"));
  };
  expect(await told("1,5")).toBe(await told("1.5"));
  expect(await told("15")).not.toBe(await told("1.5"));
  await page.getByLabel("hours of exercise").fill("1,500");
  await page.getByText("can be read in two ways").waitFor();
  await close();
});

test("a report that is exchanged while the page lives takes form and answer with it", async () => {
  const { page, close } = await visit(inline(REPORT));
  await fillIn(page);
  await settled(page);
  const exchange = (report: string) =>
    page.locator("privacy-report > script").evaluate((one, text) => {
      one.textContent = text;
    }, report);
  await exchange(changed("0.38076", "0.38077"));
  await part(page, "refusal").waitFor();
  expect(await page.getByLabel("age").count()).toBe(0);
  await exchange(REPORT);
  await page.getByLabel("age").waitFor();
  expect(await page.getByLabel("age").inputValue()).toBe("");
  expect(await part(page, "answer").count()).toBe(0);
  await close();
});

test("by keyboard alone", async () => {
  const { page, close } = await visit(inline(REPORT));
  await page.getByLabel("age").waitFor();
  const keys = ["50", "3", "n", "y"];
  for (const key of keys) {
    await page.keyboard.press("Tab");
    await page.keyboard.type(key);
  }
  await settled(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  expect(await page.getByLabel("I am not").isChecked()).toBe(true);
  // Enter sends nothing: there is no form in the sense of HTML.
  const before = page.url();
  await page.getByLabel("age").press("Enter");
  expect(page.url()).toBe(before);
  await close();
});

test.each([
  ["wide", { width: 1000, height: 900 }, ""],
  ["phone", { width: 390, height: 844 }, ""],
  ["narrow", { width: 320, height: 700 }, ""],
  ["dark", { width: 1000, height: 900 }, "body { background: #14191f; color: #e7ebef }"],
  ["dark-scheme", { width: 1000, height: 900 }, ":root { color-scheme: dark } body { background: Canvas }"],
])("axe has nothing against it, and everything fits: %s", async (name, viewport, style) => {
  const { page, close } = await visit(inline(REPORT), { style }, { viewport });
  await fillIn(page, "yes");
  await settled(page);
  expect(await violations(page)).toEqual([]);
  expect(await cramped(page)).toEqual([]);
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png`, fullPage: true });
  await close();
});

test("choices have the colours of a dark page that does not say that it is dark", async () => {
  const { page, close } = await visit(inline(REPORT), {
    style: "body { background: rgb(20 20 40); color: rgb(230 220 255) }",
  });
  await page.getByLabel("age").waitFor();
  for (const radio of await page.getByRole("radio").all()) {
    const { appearance, backgroundColor, color } = await radio.evaluate((one) => getComputedStyle(one));
    expect([appearance, backgroundColor, color]).toEqual(["none", "rgba(0, 0, 0, 0)", "rgb(230, 220, 255)"]);
  }
  expect(await page.getByRole("radio").count()).toBe(2);
  await close();
});
