/** The first number, the looks that a system may ask for, and the panel about what the page can send, in both browsers. */
import { describe, expect, test } from "vitest";
import { BROWSERS, type Look, read, stageIn } from "./two-browsers.ts";

const HEADLINE = "epsilon-answer[layout=card] >>> .headline strong";
const asked = { light: "(prefers-color-scheme: light)", dark: "(prefers-color-scheme: dark)" };
const QUERIES: Readonly<Record<Look, string>> = { ...asked, "forced-colours": "(forced-colors: active)" };

describe.each(BROWSERS)("in %s", (name) => {
  describe("the panel", () => {
    const current = stageIn(name);

    test.each(["/", "/fit.html"])(
      "%s: shows what it tries, and that the browser refuses it to the page and to the worker",
      async (path) => {
        const { page, close } = await current.open(path);
        await page.evaluate(() => {
          for (const fold of document.querySelectorAll("details")) fold.open = true;
        });
        await page.waitForSelector("locality-check button");
        const before = current.site.hits.length;
        // Each step is there for a moment only.
        await page.evaluate(() => {
          const panel = document.querySelector("locality-check");
          const steps: string[] = [];
          Object.assign(globalThis, { steps });
          new MutationObserver(() => {
            const step = panel?.querySelector("progress + span")?.textContent;
            if (step && !steps.includes(step)) steps.push(step);
          }).observe(panel ?? document, { subtree: true, childList: true, characterData: true });
        });
        await page.click("locality-check button");
        await page.waitForFunction(() => document.querySelector("locality-check strong"));
        expect(await page.evaluate(() => Reflect.get(globalThis, "steps"))).toHaveLength(9);
        const cells = await page.$$eval("locality-check td:not(:empty)", (all) =>
          all.map((one) => one.textContent?.replaceAll(/\s+/g, " ").trim()),
        );
        const refused = (directive: string) => `refused ${directive}`;
        const none = "not tried";
        expect(cells).toEqual([
          ...Array.from({ length: 7 }, () => refused("connect-src")),
          ...[none, refused("connect-src"), none, refused("img-src"), none],
        ]);
        expect(await read(page, "locality-check strong")).toBe("All 9 were refused by the browser.");
        expect(current.site.hits.slice(before).filter((one) => one.includes("nothing-may-be-sent"))).toEqual(
          [],
        );
        await close();
      },
    );
  });

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
