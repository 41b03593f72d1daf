/** What is worth knowing of a table, in sentences. */
import { expect, test } from "vitest";
import type { Notice } from "../../wasm/table/inspect.ts";
import { findings } from "../../web/src/words/table.ts";

const lacking = (count: number): Notice[] =>
  Array.from({ length: count }, (_, i) => ({
    kind: "some-missing",
    column: `c${i + 1}`,
    rule: "lacks some values",
  }));
const told = (notices: readonly Notice[]) =>
  findings({ columns: [], rows: 1, problems: [], capped: [], notices } as never).notices;

test("the same of many columns is one sentence, and of few one each", () => {
  const row: Notice = { kind: "one-row", rule: "there is a single row" };
  const constant: Notice = { kind: "constant", column: "c1", rule: "has the same value" };
  expect(told([row, ...lacking(3)])).toEqual([
    "There is a single row.",
    "“c1” lacks some values.",
    "“c2” lacks some values.",
    "“c3” lacks some values.",
  ]);
  expect(told([constant, ...lacking(4)])).toEqual([
    "“c1” has the same value.",
    "Each of “c1”, “c2”, “c3” and “c4” lacks some values.",
  ]);
});

test("of very many columns as many are named as are read, and the others are counted", () => {
  const [sentence, ...others] = told(lacking(100_000));
  expect(others).toEqual([]);
  expect(sentence).toMatch(/^Each of “c1”, .*“c40” and 99960 more lacks some values\.$/);
  expect(told(lacking(40))[0]).toMatch(/, “c39” and “c40” lacks some values\.$/);
});
