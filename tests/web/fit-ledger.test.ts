import { expect, test } from "vitest";
import type { Plan } from "../../wasm/contract.ts";
import { afterTheFact, composed, type Entry, exPostOf, FILES, pools } from "../../web/src/fit/ledger.ts";

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

test("losses after the fact are told of pools with several releases, one of which has such a loss and came out", () => {
  const exPost = { kind: "ex-post", epsilon: 0.5 };
  const later = (id: number, pool: string, isRefused = false): Entry => {
    const plain = entry(id, pool, true);
    return { ...plain, release: { ...plain.release, exPost } as Plan, isRefused };
  };
  expect(exPostOf(later(1, FILES))).toBe(exPost);
  expect(exPostOf(later(1, FILES, true))).toBeUndefined();
  expect(exPostOf(entry(1, FILES, true))).toBeUndefined();
  expect(afterTheFact([later(1, FILES)]).size).toBe(0);
  expect(afterTheFact([entry(1, FILES, true), entry(2, FILES, true)]).size).toBe(0);
  expect(afterTheFact([later(1, FILES, true), entry(2, FILES, true)]).size).toBe(0);
  const counted = afterTheFact([later(1, FILES), entry(2, FILES, true), later(3, "Wages")]);
  expect([...counted].map(([pool, entries]) => [pool, entries.length])).toEqual([[FILES, 2]]);
});
