/** The same request gives the same answer everywhere: in the page, in Node, on the command line. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { featureMap } from "../../wasm/table/features.ts";
import { SAMPLES, type SampleName, sampleText } from "../../web/src/fit/samples.ts";
import { format } from "../../web/src/words/numbers.ts";
import { command } from "../wasm/run.ts";
import { shared } from "../wasm/table/support.ts";
import { stage } from "./browser.ts";
import { answerAs, engine, give, price, released, run, sample, saved, taken } from "./fit-page.ts";

const { open } = stage();
const folder = mkdtempSync(join(tmpdir(), "epsilometer-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the command line prints for a table in a file and a request in another. */
function printed(text: string, request: object): unknown {
  const [table, asked] = [join(folder, "table.csv"), join(folder, "request.json")];
  writeFileSync(table, text);
  writeFileSync(asked, JSON.stringify(request));
  const { stdout, stderr } = command(["fit", table, "--request", asked]);
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

describe("strangers' tables are fitted in the page from the raw file, as the documentation declares them", () => {
  test.for(["adult", "communities"])("%s (skipped where the file is absent)", async (name, { skip }) => {
    const file = await shared(`${name}.csv`);
    if (!file) return skip(`${name}.csv is not among the shared tables`);
    const example = JSON.parse(readFileSync(`docs/examples/${name}.json`, "utf8"));
    // The form says aloud what is meant where nothing is said.
    const plan = engine.plan({ ...example, algorithm: { ...example.algorithm, accounting: "tight" } });
    const { page, errors, close } = await open("/fit.html");
    await give(page, `${name}.csv`, new Uint8Array(await file.arrayBuffer()));
    await taken(page);
    await answerAs(page, plan.request);
    expect(await price(page)).toBe(format(engine.plan(example).epsilon.upper, 6, "up"));
    await page.locator("#step-4 > summary").click();
    await run(page);
    await released(page);
    const { coefficients, intervals: _, released: __, outputs: ___, ...told } = JSON.parse(await saved(page));
    expect(told).toEqual(plan);
    expect(coefficients.terms).toHaveLength(featureMap(plan.request.table).dimension - 1);
    for (const { coefficient } of coefficients.terms) expect(coefficient).toSatisfy(Number.isFinite);
    expect(errors).toEqual([]);
    await close();
  });
});
