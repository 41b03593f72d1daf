import { expect, test } from "vitest";
import type { Plan } from "../../wasm/contract.ts";
import { composed, type Entry, FILES, pools } from "../../web/src/fit/ledger.ts";

const plan = (rows: number) =>
  ({ description: { kind: "pure", epsilon: 1 }, request: { table: { unit: { rows } } } }) as unknown as Plan;

const entry = (id: number, pool: string, isPrivate: boolean, rows = 1): Entry => {
  const release = { ...plan(rows), private: isPrivate };
  return { id, pool, title: "a table", release, paid: release, isRefused: false };
};

test("what was paid is counted by pool, with or without a model to show for it; demonstrations are not", () => {
  const entries = [
    entry(1, FILES, true),
    entry(2, "Wages", true),
    entry(3, FILES, false),
    entry(4, FILES, true),
  ];
  const counted = pools(entries);
  expect([...counted.keys()]).toEqual([FILES, "Wages"]);
  expect(counted.get(FILES)?.map(({ id }) => id)).toEqual([1, 4]);
});

test("the total protects whoever has the most rows", () => {
  const { descriptions, group } = composed([plan(1), plan(3), plan(2)]);
  expect(descriptions).toHaveLength(3);
  expect(group).toBe(3);
});
