/** The lists of small faults that tests must notice: each is still a fault of one place of the sources. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const { placeOf, readLists } = await import(new URL("tests/mutants/lists.mjs", root).href);

test("every fault of the lists is found at one place of its file", () => {
  const lists = readLists(fileURLToPath(new URL("tests/mutants", root)));
  expect(lists.length).toBeGreaterThan(500);
  const lost = lists.flatMap((fault: { file: string }) => {
    try {
      placeOf(fault, readFileSync(new URL(fault.file, root), "utf8"));
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
  expect(lost).toEqual([]);
});
