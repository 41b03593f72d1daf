/** Which rows of a person are drawn: any as likely as any others, whoever else there is. */
import { expect, test } from "vitest";
import { Quota } from "../../../wasm/table/quota.ts";

/** The places of the rows that are kept. */
function kept(ids: readonly string[], rows: number, draw: string): readonly number[] {
  const quota = new Quota(rows, draw, new Set());
  expect(ids.some((id) => quota.take(id))).toBe(false);
  quota.begin();
  return ids.flatMap((id, i) => (quota.take(id) ? [i] : []));
}

const DRAWS = 10_000;

/** Each within 4.5 standard deviations of a binomial number. */
function areAlike(ids: readonly string[], rows: number, ways: number): void {
  const found = new Map<string, number>();
  for (let i = 0; i < DRAWS; i++) {
    const set = kept(ids, rows, `draw ${i}`).join();
    found.set(set, (found.get(set) ?? 0) + 1);
  }
  expect(found.size).toBe(ways);
  const [usual, deviation] = [DRAWS / ways, Math.sqrt((DRAWS / ways) * (1 - 1 / ways))];
  for (const number of found.values()) expect(Math.abs(number - usual)).toBeLessThanOrEqual(4.5 * deviation);
}

test.each([
  [5, 1, 5],
  [5, 2, 10],
  [6, 3, 20],
  [5, 4, 5],
  [5, 5, 1],
  [2, 9, 1],
])("of %s rows any %s are as likely as any others: %s ways", (count, rows, ways) => {
  areAlike(Array(count).fill("a"), rows, ways);
});

test("persons whose names are nearly the same are drawn for independently", () => {
  areAlike(["a", "b", "a", "b", "c", "c"], 1, 8);
});

test("other people's rows change nothing of a person's own, wherever they stand", () => {
  const own = ["a", "a", "a", "a"];
  const amid = ["b", "a", "b", "c", "a", "a", "b", "b", "a", "c"];
  for (let i = 0; i < 200; i++) {
    const alone = kept(own, 2, `${i}`);
    expect(kept([...own, "b", "c", "b"], 2, `${i}`).filter((place) => place < 4)).toEqual(alone);
    const places = amid.flatMap((id, place) => (id === "a" ? [place] : []));
    const among = kept(amid, 2, `${i}`).filter((place) => amid[place] === "a");
    expect(among.map((place) => places.indexOf(place))).toEqual(alone);
  }
});

test("rows that were not counted, as of a file that has changed, are not taken", () => {
  const quota = new Quota(2, "draw", new Set());
  quota.take("a");
  quota.begin();
  expect(["a", "a", "b"].map((id) => quota.take(id))).toEqual([true, false, false]);
});
