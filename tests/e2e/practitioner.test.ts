/** Questions of somebody who trains models: how many fields and clicks each takes. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { open as openEngine } from "../../wasm/engine.ts";
import { field, headline, stage } from "./browser.ts";

const { open } = stage();
const engine = await openEngine();

/** The page, with what was done on it counted. */
async function counted() {
  const { page, errors, close } = await open("/");
  await page.waitForFunction(() => performance.getEntriesByName("epsilometer:first-answer").length > 0);
  let clicks = 0;
  let fields = 0;
  return {
    page,
    errors,
    close,
    spent: () => ({ clicks, fields }),
    async click(name: RegExp) {
      clicks++;
      await page.getByRole("link", { name }).click();
    },
    async fill(name: string, text: string) {
      fields++;
      await field(page, name).fill(text);
      await field(page, name).press("Enter");
    },
  };
}

const card = (page: Page) =>
  page.locator("epsilon-answer").evaluate((one) => one.shadowRoot?.textContent ?? "");

const settled = (page: Page, text: string) =>
  page.locator("epsilon-answer .headline strong", { hasText: text }).waitFor();

const gaussian = { kind: "gaussian", sigma: 1, sensitivity: 1 } as const;

test("σ for 60 000 records, batches of 512, 15 epochs, ε = 2 by Poisson sampling: one click, four fields", async () => {
  const { page, click, fill, spent, errors, close } = await counted();
  await click(/Noise for a training run/);
  await fill("n", "60000");
  await fill("batch", "512");
  await fill("passes", "15");
  await fill("epsilon", "2");
  const steps = {
    kind: "composition",
    of: [
      {
        mechanism: { kind: "subsampled", sampling: "poisson", rate: 512 / 60000, of: gaussian },
        count: 1758,
      },
    ],
  } as const;
  const { value } = engine.calibrate(steps, "of.0.mechanism.of.sigma", { epsilon: 2, delta: 1e-6 });
  await settled(page, String(value).slice(0, 5));
  expect(await card(page)).toContain("As a noise multiplier, σ/Δ");
  expect(await card(page)).toContain("A loader that shuffles");
  expect(spent()).toEqual({ clicks: 1, fields: 4 });
  expect(errors).toEqual([]);
  await close();
});

test("the same where batches are shuffled is the price of a fixed order, and says so", async () => {
  const { page, click, fill, spent, close } = await counted();
  await click(/The same, shuffled batches/);
  await fill("passes", "16");
  await fill("epsilon", "2");
  const fixed = {
    kind: "composition",
    neighbours: "zero-out",
    of: [{ mechanism: { ...gaussian, neighbours: "zero-out" }, count: 16 }],
  } as const;
  const { value } = engine.calibrate(fixed, "of.0.mechanism.sigma", { epsilon: 2, delta: 1e-6 });
  await settled(page, String(value).slice(0, 5));
  expect(await card(page)).toContain("The price of Poisson sampling is not true of it");
  expect(spent()).toEqual({ clicks: 1, fields: 2 });
  await close();
});

test("what two runs and one histogram cost together, and what an attacker with 1 % suspicion can become sure of", async () => {
  const { page, click, spent, close } = await counted();
  await click(/Two such runs and a histogram/);
  const run = { kind: "subsampled", sampling: "poisson", rate: 256 / 50000, of: gaussian } as const;
  const both = {
    kind: "composition",
    of: [
      { mechanism: run, count: 2 * 3907 },
      { mechanism: { kind: "discrete-laplace", scale: 10, sensitivity: 1 }, count: 1 },
    ],
  } as const;
  const { upper } = engine.epsilon(both, 1e-6);
  await settled(page, String(upper).slice(0, 5));
  expect(Number(await headline(page))).toBeGreaterThanOrEqual(upper * (1 - 1e-9));
  expect(await field(page, "prior").inputValue()).toBe("1");
  await page
    .locator("odds-sentence strong", { hasText: /at most \d+\.\d+ %/ })
    .first()
    .waitFor();
  expect(spent()).toEqual({ clicks: 1, fields: 0 });
  await close();
});
