/** What keeps people from using a page: what axe-core has against it, and what does not fit a small window. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { cramped, resting, USUAL } from "./browser.ts";

export const PHONE = { width: 360, height: 740 };
/** WCAG 2.2, 1.4.10. */
export const NARROWEST = { width: 320, height: 640 };

/** Without sideways scrolling, and with targets of 24 px, in each window. */
export async function fitsIn(page: Page, windows: Readonly<Record<string, typeof PHONE>>): Promise<void> {
  for (const [name, size] of Object.entries(windows)) {
    await page.setViewportSize(size);
    await resting(page);
    expect(await cramped(page), name).toEqual([]);
  }
}

/** As the page is now, in a usual window. */
export async function readableInBothThemes(page: Page): Promise<void> {
  await page.setViewportSize(USUAL);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await resting(page);
    expect(await violations(page, colorScheme === "dark" ? OF_COLOURS : OF_EVERYTHING), colorScheme).toEqual(
      [],
    );
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What another theme may break. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];
const OF_EVERYTHING = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What axe-core has against a page; `runOnly` are its tags or its rules. */
export async function violations(page: Page, runOnly = OF_EVERYTHING): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(
          context: Document,
          options: object,
        ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
      };
    };
    // Only what is against the page is written out, and no sound or film is waited for.
    const found = await axe.run(document, { runOnly, resultTypes: ["violations"], preload: false });
    return found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join(" | ")}`,
    );
  }, runOnly);
}
