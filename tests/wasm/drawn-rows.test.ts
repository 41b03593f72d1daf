/** Which rows of a person a release is made of: drawn anew each time, told by what they were drawn by, and known to whoever asks about them later. */
import { expect, test } from "vitest";
import { type EverydayRelease, open, type Release } from "../../wasm/engine.ts";
import { numeric, refused } from "./table/support.ts";

const engine = await open();

/** Twenty persons with fifteen rows each, no two of them alike. */
const lines = Array.from({ length: 300 }, (_, i) => `${i},${(i * 7) % 300},p${i % 20}`);
const csv = `x,y,id\n${lines.join("\n")}\n`;
const table = {
  unit: { protects: "person", rows: 1, column: "id" },
  columns: [numeric("x", [-600, 600])],
};
const budget = { epsilon: 1, delta: 1e-6 };
const model = {
  table: { ...table, label: numeric("y", [0, 300]) },
  algorithm: { name: "ada-ssp" },
  budget,
};

const made = async (more: object = {}) =>
  (await engine.fit(csv, { ...model, ...more } as never)) as unknown as Release;
const lengths = async (release: Release) => [...(await engine.personalLosses(release, csv)).lengths];

test("a release says what its rows were drawn by, and whoever asks about them is told of those", async () => {
  const [one, other] = [await made(), await made()];
  expect(one.request.table.unit.draw).toMatch(/^[0-9a-f]{16}$/);
  expect(other.request.table.unit.draw).not.toBe(one.request.table.unit.draw);
  const found = await lengths(one);
  expect(found).toHaveLength(20);
  expect(new Set(found).size).toBe(20);
  expect(await lengths(one)).toEqual(found);
  expect(await lengths(other)).not.toEqual(found);
  expect(await lengths(await made({ table: one.request.table }))).toEqual(found);
});

test("a demonstration draws the same rows again, of everyday numbers too", async () => {
  const [one, again] = [await made({ seed: 7 }), await made({ seed: 7 })];
  expect(again).toEqual(one);
  const counted = { table, releases: [{ of: "sums", columns: ["x"] }], budget, seed: 7 };
  const release = async (seed: number) =>
    (await engine.fit(csv, { ...counted, seed } as never)) as unknown as EverydayRelease;
  expect(await release(7)).toEqual(await release(7));
  expect((await release(8)).request.table.unit.draw).toBe("seed 8");
});

test("nothing is told of rows that nobody knows", async () => {
  const release = await made();
  const { draw: _, ...unit } = release.request.table.unit;
  const forgotten = {
    ...release,
    request: { ...release.request, table: { ...release.request.table, unit } },
  };
  expect(await refused(() => engine.personalLosses(forgotten as Release, csv))).toContain(
    "release.request.table.unit.draw",
  );
});
