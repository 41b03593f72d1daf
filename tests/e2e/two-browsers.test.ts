/** The first number and the looks that a system may ask for, in both browsers. */
import { describe, expect, test } from "vitest";
import { BROWSERS, type Look, read, stageIn } from "./two-browsers.ts";

const HEADLINE = "epsilon-answer[layout=card] >>> .headline strong";
const asked = { light: "(prefers-color-scheme: light)", dark: "(prefers-color-scheme: dark)" };
const QUERIES: Readonly<Record<Look, string>> = { ...asked, "forced-colours": "(forced-colors: active)" };

describe.each(BROWSERS)("in %s", (name) => {
  describe.each(["light", "dark", "forced-colours"] as const)("%s", (look) => {
    const current = stageIn(name, look);

    test("the calculator answers, without an error", async () => {
      const { page, requests, errors, close } = await current.open("/#v1;kind=gaussian;sigma=1;delta=1e-5");
      await page.waitForSelector(HEADLINE);
      expect(await read(page, HEADLINE)).toMatch(/^4\.37718$|^4\.3772$/);
      expect(await page.evaluate((query) => matchMedia(query).matches, QUERIES[look])).toBe(true);
      expect(requests.every((one) => one.startsWith(current.site.origin))).toBe(true);
      expect(errors).toEqual([]);
      await close();
    });
  });
});
