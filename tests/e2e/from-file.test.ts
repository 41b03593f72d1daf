/** A page that is opened from the disk cannot run its engine: it says so, and what to do, and looks like itself. */
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { DIST } from "./browser.ts";
import { BROWSERS, stageIn } from "./two-browsers.ts";

describe.each(BROWSERS)("in %s", (name) => {
  const current = stageIn(name);
  const address = {
    file: (page: string) => pathToFileURL(`${DIST}/${page}`).href,
    served: (page: string) => `/${page}`,
  };

  test.each(["index.html", "fit.html", "embed.html", "goe.html"])("%s", async (path) => {
    const found = async (at: string) => {
      const { page, close } = await current.open(at);
      const shown = await page.$eval(".from-file", (one) => ({
        text: one.textContent,
        height: one.getBoundingClientRect().height,
        font: getComputedStyle(document.body).fontFamily,
      }));
      await close();
      return shown;
    };
    const [file, served] = [await found(address.file(path)), await found(address.served(path))];
    expect(file.text).toContain("Serve the folder instead: npm start, or python3 -m http.server");
    expect(file.height).toBeGreaterThan(10);
    expect(served.height).toBe(0);
    expect(file.font).toBe(served.font);
  });
});
