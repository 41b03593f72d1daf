/** The same request gives the same answer everywhere: in the page, in Node, on the command line. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { SAMPLES, type SampleName, sampleText } from "../../web/src/fit/samples.ts";
import { DIST, stage } from "./browser.ts";
import { engine, released, run, sample, saved } from "./fit-page.ts";

const { open } = stage();
const folder = mkdtempSync(join(tmpdir(), "epsilometer-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the command line prints for a table in a file and a request in another. */
function printed(text: string, request: object): unknown {
  const [table, asked] = [join(folder, "table.csv"), join(folder, "request.json")];
  writeFileSync(table, text);
  writeFileSync(asked, JSON.stringify(request));
  const words = [join(DIST, "node/command-line.js"), "fit", table, "--request", asked];
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

describe("a demonstration downloaded from the page is what Node and the command line answer", () => {
  test.each(Object.keys(SAMPLES) as SampleName[])("%s", async (name) => {
    const { page, errors, close } = await open("/fit.html");
    await sample(page, SAMPLES[name].title);
    await page.locator("#fit-seed").check();
    await page.locator("fit-price .headline").waitFor();
    await run(page);
    await released(page);
    const release = JSON.parse(await saved(page));
    const text = sampleText(name);
    expect(release.private).toBe(false);
    expect(await engine.fit(text, release.request)).toEqual(release);
    expect(printed(text, release.request)).toEqual(release);
    expect(errors).toEqual([]);
    await close();
  });
});
