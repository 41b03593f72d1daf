/** The widgets on somebody else's page. */
import { describe, expect, test } from "vitest";
import { HOST_POLICY } from "../../web/policy.ts";
import { cramped, stage, words } from "./browser.ts";
import { host } from "./host.ts";

const current = stage();
const stranger = host(() => current.site.origin);

const TAGS = `<p>It costs <epsilon-answer kind="gaussian" sigma="1" sensitivity="1" delta="1e-5">about 4.4</epsilon-answer>.</p>
  <privacy-profile kind="laplace" scale="1" sensitivity="1" delta="0.01">no curve</privacy-profile>`;

const visit = (body: string, policy = "", options = {}, script = "epsilometer.js") =>
  current.open(stranger.put({ body, policy, script }), options);

const strict = `default-src 'none'; img-src data:; ${HOST_POLICY.join("; ")}`;

describe.each([
  ["no policy", ""],
  ["a strict policy", strict],
  ["a policy without workers", `default-src 'none'; script-src ORIGIN 'wasm-unsafe-eval'; img-src data:`],
])("a foreign page with %s", (name, policy) => {
  test("shows the number and the curve", async () => {
    const { page, errors, requests, close } = await visit(TAGS, policy);
    await page.locator("epsilon-answer .inline").waitFor();
    expect(
      await page.locator("epsilon-answer").evaluate((one) => one.shadowRoot?.textContent?.trim()),
    ).toMatch(/^ε = 4\.37\d at δ = 1e-5, add or remove one row$/);
    await page.locator("privacy-profile .plot > svg").waitFor();
    if (name !== "a policy without workers") {
      expect(errors).toEqual([]);
      expect(requests.filter((address) => address.startsWith(current.site.origin))).toEqual([
        `${current.site.origin}/epsilometer.js`,
      ]);
    }
    await close();
  });
});

test("a page that trusts no address of a script gets closed forms, and is told once why no more", async () => {
  const long = `<epsilon-answer kind="laplace" scale="1" sensitivity="1" count="40" delta="1e-5">about 17</epsilon-answer>`;
  const policy = `${strict}; require-trusted-types-for 'script'`;
  const { page, errors, close } = await visit(TAGS + long.repeat(2), policy);
  await page.locator("epsilon-answer .inline").waitFor();
  await page.waitForFunction(() => {
    const last = [...document.querySelectorAll("epsilon-answer")].at(-1);
    return last?.shadowRoot?.querySelector("slot") && !Reflect.get(last, "stage").startsWith("asked");
  });
  expect(errors.filter((line) => line.startsWith("Epsilometer:"))).toEqual([
    expect.stringContaining("require-trusted-types-for"),
  ]);
  // The author's words are as they were, without a space behind them.
  const last = page.locator("epsilon-answer").last();
  expect(await last.evaluate((one) => one.shadowRoot?.textContent)).toBe("");
  await close();
});

test("twenty widgets share one worker, light and dark", async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    const { page, errors, close } = await visit(TAGS.repeat(10), strict, {
      colorScheme,
      viewport: { width: 900, height: 9000 },
    });
    await page.waitForFunction(() =>
      [...document.querySelectorAll("epsilon-answer, privacy-profile")].every((one) =>
        one.shadowRoot?.querySelector(".inline, svg"),
      ),
    );
    expect(page.workers()).toHaveLength(1);
    expect(errors).toEqual([]);
    await close();
  }
});

test("loaded twice it warns and still works", async () => {
  const { page, close } = await visit(`${TAGS}`);
  await page.locator("epsilon-answer .inline").waitFor();
  const warning = page.waitForEvent("console", (message) => message.type() === "warning");
  await page.addScriptTag({ url: `${current.site.origin}/epsilometer.js?again`, type: "module" });
  expect((await warning).text()).toMatch(/already defined by version \d+\.\d+\.\d+; version \d+\.\d+\.\d+/);
  expect(await page.locator("epsilon-answer .inline").count()).toBe(1);
  await close();
});

test("an attribute of any length makes no page wider than its window", async () => {
  const long = "1".repeat(400);
  const { page, close } = await visit(
    `<epsilon-answer kind="gaussian" sigma="${long}" sensitivity="1" delta="1e-5"></epsilon-answer>
    <privacy-profile kind="laplace" scale="${long}" sensitivity="1" delta="0.01"></privacy-profile>
    <epsilon-answer layout="card" kind="${long}" delta="1e-5"></epsilon-answer>`,
  );
  await page.waitForFunction(() =>
    [...document.querySelectorAll("epsilon-answer, privacy-profile")].every((one) =>
      one.shadowRoot?.querySelector(".refusal"),
    ),
  );
  expect(await cramped(page)).toEqual([]);
  await close();
});

test("properties set before the upgrade count, moving is not removing, changes are followed", async () => {
  const { page, close } = await visit("<div id=here></div><div id=there></div>", "", {}, "");
  const text = () => page.locator("epsilon-answer").evaluate((one) => one.shadowRoot?.textContent?.trim());
  await page.evaluate(() => {
    const early = document.createElement("epsilon-answer");
    Object.assign(early, { kind: "laplace", scale: 2, sensitivity: 1, delta: "0" });
    document.querySelector("#here")?.append(early);
  });
  await page.addScriptTag({ url: `${current.site.origin}/epsilometer.js`, type: "module" });
  await page.locator("epsilon-answer .inline").waitFor();
  expect(await text()).toMatch(/^ε = 0\.5\d* at δ = 0/);
  await page.evaluate(() =>
    document.querySelector("#there")?.append(document.querySelector("epsilon-answer") ?? ""),
  );
  expect(await text()).toMatch(/^ε = 0\.5/);
  await page.evaluate(() => Object.assign(document.querySelector("epsilon-answer") ?? {}, { scale: 4 }));
  await page.waitForFunction(() =>
    document.querySelector("epsilon-answer")?.shadowRoot?.textContent?.includes("0.25"),
  );
  await close();
});

test("an attribute that means nothing is refused by name, not replaced by a default", async () => {
  const { page, close } = await visit('<epsilon-answer kind="laplace" sigma="3"></epsilon-answer>');
  await page.waitForFunction(() =>
    document.querySelector("epsilon-answer")?.shadowRoot?.textContent?.includes("no parameter of laplace"),
  );
  await close();
});

test("the content between the tags is what readers see without scripts", async () => {
  const { page, close } = await visit(TAGS, "", { javaScriptEnabled: false });
  expect(await words(page.locator("body"))).toContain("It costs about 4.4.");
  await close();
});

test("the page about embedding lives under the policy and shows what it documents", async () => {
  const { page, errors, close } = await current.open("/embed.html", {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const example = page.locator(".example", { has: page.locator("epsilon-answer") }).first();
  await example.locator("epsilon-answer .inline").waitFor();
  expect(await words(example.locator("epsilon-answer .inline"))).toMatch(/^ε = \d/);
  await example.getByRole("button", { name: "Copy" }).click();
  const tag = await page.evaluate(() => navigator.clipboard.readText());
  const live = await example
    .locator("epsilon-answer")
    .evaluate((one) => [...one.attributes].map(({ name, value }) => `${name}="${value}"`));
  for (const attribute of live.filter((one) => !one.startsWith("layout"))) expect(tag).toContain(attribute);
  expect(errors).toEqual([]);
  await close();
});
