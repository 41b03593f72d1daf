/** The page and the widget about the largest eigenvalue of a random matrix. */
import { describe, expect, test } from "vitest";
import { field, stage, words } from "./browser.ts";

const { open } = stage();

const live = async (path: string) => {
  const opened = await open(path);
  await opened.page.locator("goe-quantile .headline, goe-quantile .refusal").first().waitFor();
  return opened;
};

describe("the page about matrices", () => {
  test("τ = 16.9706 at d = 50, the limit law beside it, drawn and tabulated; √2 apart where the variance is ½", async () => {
    const { page, errors, close } = await live("/goe.html");
    const card = page.locator("goe-quantile");
    expect(await words(card.locator(".headline strong"))).toBe("16.9706");
    await card.locator("p", { hasText: "Tracy–Widom limit would say 17.1" }).waitFor();
    await card.locator('.wide svg[aria-label^="Tail of the largest eigenvalue"]').waitFor();
    expect(await card.locator("tbody tr").count()).toBeGreaterThan(5);
    await page.getByLabel("Variance off the diagonal").selectOption("half");
    await card.locator(".headline strong", { hasText: /^12$/ }).waitFor();
    expect(await page.evaluate(() => location.hash)).toBe(
      "#v1;dimension=50;upper-tail=4.2325e-6;normalisation=half",
    );
    expect(errors).toEqual([]);
    await close();
  });

  test("a link holds the question, and what it does not know is skipped", async () => {
    const { page, errors, close } = await live(
      "/goe.html#v1;dimension=3;upper-tail=1e-30;normalisation=third;x=%E0",
    );
    expect(await field(page, "dimension").inputValue()).toBe("3");
    expect(await field(page, "normalisation").inputValue()).toBe("one");
    expect(await words(page.locator("goe-quantile .headline strong"))).toBe("16.8921");
    expect(errors).toEqual([]);
    await close();
  });

  test.each([
    ["dimension", "2.5", "whole number"],
    ["dimension", "0", "whole number"],
    ["upper-tail", "2", "1e-290"],
    ["upper-tail", "abc", "means nothing here"],
  ])("%s = %s is refused beside its field and stays there", async (key, text, reason) => {
    const { page, close } = await live("/goe.html");
    await field(page, key).fill(text);
    await page.locator(`#field-${key}-error`, { hasText: reason }).waitFor();
    expect(await field(page, key).inputValue()).toBe(text);
    await field(page, key).fill(key === "dimension" ? "10" : "1e-9");
    await page.locator(`#field-${key}-error:empty`).waitFor({ state: "attached" });
    await close();
  });
});

test("inside a sentence of another page", async () => {
  const { page, errors, close } = await open("/embed.html");
  await page.locator("goe-quantile").scrollIntoViewIfNeeded();
  await page
    .locator("goe-quantile [part=answer]", { hasText: "τ = 16.9706, exceeded with probability" })
    .waitFor();
  expect(errors).toEqual([]);
  await close();
});
