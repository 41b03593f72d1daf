/** What a reader downloads, compressed as servers do it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { DIST, stage } from "./browser.ts";

const current = stage();

const KILOBYTE = 1000;
const packed = (path: string) => gzipSync(readFileSync(join(DIST, path))).length / KILOBYTE;

test("the calculator, everything included, stays under 323 KB", async () => {
  const { page, requests, close } = await current.open("/");
  await page.waitForFunction(() => performance.getEntriesByName("epsilometer:first-answer").length > 0);
  const files = requests
    .map((address) => address.slice(current.site.origin.length))
    .map((path) => (path === "/" ? "/index.html" : path));
  const total = files.reduce((sum, path) => sum + packed(path), 0);
  console.log(
    `calculator ${total.toFixed(1)} KB in ${files.length} files, widgets ${packed("epsilometer.js").toFixed(1)} KB`,
  );
  expect(total).toBeLessThan(323);
  await close();
});

test("reading tables belongs to the fit page alone", async () => {
  const ofTables = "opens a quotation mark";
  const texts = async (path: string) => {
    const { page, requests, close } = await current.open(path);
    await page.waitForLoadState("networkidle");
    const files = requests
      .map((address) => address.slice(current.site.origin.length))
      .filter((one) => /js$/.test(one));
    await close();
    return files.map((file) => readFileSync(join(DIST, file), "utf8")).join();
  };
  expect(await texts("/fit.html")).toContain(ofTables);
  expect(await texts("/")).not.toContain(ofTables);
  expect(readFileSync(join(DIST, "epsilometer.js"), "utf8")).not.toContain(ofTables);
});
