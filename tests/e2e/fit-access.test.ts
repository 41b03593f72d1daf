/** Everybody can use the page that fits models: axe in every state and both themes, keyboard alone, small windows. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { fitsIn, NARROWEST, PHONE, readableInBothThemes } from "./access.ts";
import { resting, stage, words } from "./browser.ts";
import { csv, fill, give, proceed, released, run, sample, taken, unfold } from "./fit-page.ts";

const { open } = stage();

const LONG = "a_name_of_a_column_that_is_much_longer_than_any_line_of_a_telephone";

/** Each state of the page that looks different. */
const STATES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  "a refused file": async (page) => {
    await give(page, "empty.csv", "");
    await page.locator("fit-data .error:visible").waitFor();
  },
  "a file with problems, nothing answered": async (page) => {
    await give(page, "ragged.csv", `${csv(20)}1,2\n`);
    await taken(page);
    await proceed(page, 2);
    await page.locator("#step-3 summary").first().click();
    for (const box of await page.locator(".columns input[type=checkbox]").all()) await box.check();
    await proceed(page, 3);
  },
  "long names, many columns": async (page) => {
    const names = Array.from({ length: 30 }, (_, i) => `${LONG}_${i}`);
    const rows = Array.from({ length: 5 }, (_, i) => names.map((_, j) => i + j).join(","));
    await give(page, `${LONG}.csv`, `${names.join(",")}\n${rows.join("\n")}\n`);
    await taken(page);
    await page.locator("#step-3 summary").first().click();
    await page.getByRole("button", { name: "Use all" }).click();
  },
  "a simulated error": async (page) => {
    await sample(page, "Hospital visits");
    await page.locator("#forecast summary").click();
    await page.locator("#guess-rows").fill("500");
    await page.getByRole("button", { name: "Simulate" }).click();
    await page.locator("fit-forecast figure").waitFor();
  },
  "a released model": async (page) => {
    await sample(page, "Hospital visits");
    await run(page);
    await released(page);
    await page.getByRole("button", { name: /^Remove/ }).click();
  },
  "a ledger within a budget, and a file that is none": async (page) => {
    await sample(page, "Wages");
    await page.locator("#fit-rule-fold > summary").click();
    await page.locator("#fit-rule").selectOption("renyi");
    await page.setInputFiles("#fit-ledger-file", {
      name: `${LONG}.json`,
      mimeType: "application/json",
      buffer: Buffer.from("{}"),
    });
    await page.locator("#fit-ledger-error:not(:empty)").waitFor();
    await fill(page, { "rule-order": "8", "rule-epsilon": "5" });
    await page.getByText("It takes Rényi divergence").waitFor();
    await run(page);
    await released(page);
    await page.locator("fit-ledger .left").waitFor();
  },
  "statistics of every kind": async (page) => {
    await sample(page, "Wages");
    await page.locator("#step-3 summary").first().click();
    await page.getByRole("radio", { name: "Statistics" }).check();
    for (const of of ["quantiles", "correlation", "contingency", "groups", "covariance"]) {
      await page.locator("#fit-more").selectOption(of);
      await page.locator("#fit-add").click();
    }
    await page.locator("fit-price .headline").waitFor();
    await run(page);
    await page.locator("fit-everyday h2").waitFor();
  },
  "a shared budget, and the report on persons": async (page) => {
    await sample(page, "Hospital visits");
    await page.locator("fit-share summary").first().click();
    await page.getByRole("slider", { name: "Share of the budget" }).fill("30");
    await page.getByRole("status").getByText("30 % of the budget").waitFor();
    await run(page);
    await released(page);
    await page.getByLabel("Show what it cost each row").check();
    await page.locator("fit-persons > figure").waitFor();
    await page.getByRole("button", { name: "Make a report" }).click();
    await page.locator("fit-report fit-hypothetical .fields").waitFor();
  },
};

// Each state is reached once, in the narrowest window, in which everything must be within reach.
test.each(Object.keys(STATES))("small windows and both themes: %s", async (state) => {
  const { page, close } = await open("/fit.html", { viewport: NARROWEST });
  await STATES[state]?.(page);
  await unfold(page);
  await fitsIn(page, { "reflow at 320": NARROWEST, "a phone": PHONE });
  await readableInBothThemes(page);
  await close();
});

test("keyboard alone: a sample, who is protected, a run, its removal from the ledger", async () => {
  const { page, close } = await open("/fit.html");
  /** Tabs until the focused element has this among its words. */
  const tabTo = async (name: string) => {
    for (let i = 0; i < 80; i++) {
      await page.keyboard.press("Tab");
      const label = await page.evaluate(() => {
        const active = document.activeElement;
        return `${active?.id} ${active?.getAttribute("aria-label")} ${active?.textContent}`;
      });
      if (label.includes(name)) return;
    }
    throw new Error(`the keyboard does not reach ${name}`);
  };
  await resting(page);
  await tabTo("Wages");
  await page.keyboard.press("Enter");
  await taken(page);
  await tabTo("Continue");
  await page.keyboard.press("Enter");
  await tabTo("fit-table-unit-protects");
  await page.keyboard.type("person");
  await tabTo("fit-table-unit-rows");
  await page.keyboard.type("1");
  for (const _ of [2, 3]) {
    await tabTo("Continue");
    await page.keyboard.press("Enter");
  }
  await page.locator("fit-price .headline").waitFor();
  await tabTo("Run, and spend it");
  await page.keyboard.press("Enter");
  await released(page);
  // The result has the focus, and was said.
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H2");
  const status = page.locator(".epsilometer-status");
  await expect.poll(() => words(status)).toBe("Released, at the price of ε = 1.");
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
  await tabTo("Remove");
  await page.keyboard.press("Enter");
  // Each button that goes away leaves the focus to the one in its place.
  await expect.poll(focused).toBe("Remove it all the same");
  await tabTo("Keep it");
  await page.keyboard.press("Enter");
  await expect.poll(focused).toBe("remove");
  await page.keyboard.press("Enter");
  await expect.poll(focused).toBe("Remove it all the same");
  await page.keyboard.press("Enter");
  await page.locator(".ledger").waitFor({ state: "detached" });
  await close();
});

test("what is typed while an older price is asked for is priced in the end", async () => {
  const { page, close } = await open("/fit.html");
  await sample(page, "Wages");
  await page.locator("#step-3 summary").first().click();
  for (const text of ["2", "3", "4"]) await fill(page, { "budget.epsilon": text });
  await page.locator("fit-price .headline strong", { hasText: /^4$/ }).waitFor();
  await close();
});
