/** The page about widgets, as it is written when the site is built. */
import { expect, test } from "vitest";
import { prerender } from "../../web/prerender.ts";

test("how another mechanism is put around one is told once, and every attribute says where it belongs", async () => {
  const { around = "" } = await prerender();
  const rows = around.split("\n").map((row) => row.replaceAll(/<[^>]+>/g, " ").trim());
  const beginning = (words: string) =>
    rows.filter((row) => row.includes(words)).map((row) => row.split(" ")[0]);
  expect(beginning("on a Poisson sample (")).toEqual(["sampling"]);
  expect(beginning("as the best of several runs:")).toEqual(["runs"]);
  expect(beginning("after a test:")).toEqual(["test-epsilon"]);
  expect(beginning("If it is left out, there is none.")).toEqual(["sampling", "runs", "test-epsilon"]);
  for (const row of rows.filter((one) => !one.includes("it runs ")))
    expect(row).toMatch(/\((where|beside) [a-z]/);
});
