/** The numbers of docs/studies.md still come out, in what of them is quick. */
import { expect, test } from "vitest";
import { open } from "../../wasm/engine.ts";

interface Cell {
  ours: number;
  readonly expected?: string;
}
interface Found {
  readonly tables?: readonly { readonly rows: readonly { readonly cells: readonly Cell[] }[] }[];
  readonly claims?: readonly object[];
}
interface Study {
  readonly name: string;
  readonly slow?: boolean;
  readonly quick?: (engine: object) => Found | Promise<Found>;
  readonly run: (engine: object) => Found | Promise<Found>;
}

const folder = new URL("../../scripts/studies/", import.meta.url);
const { studies }: { studies: readonly Study[] } = await import(new URL("list.mjs", folder).href);
const { compared, surprises } = await import(new URL("compared.mjs", folder).href);
const { allBut, beside, deviationsOff } = await import(new URL("expected.mjs", folder).href);
const engine = await open();
const quick = studies.filter((study) => study.quick || !study.slow);

test.each(quick)("$name comes out as it stands in the documentation", async ({ quick, run }) => {
  const found = await (quick ?? run)(engine);
  const cells = (found.tables ?? []).flatMap(({ rows }) => rows.flatMap(({ cells }) => cells ?? []));
  const held = cells.filter(({ expected }) => expected !== undefined).length + (found.claims ?? []).length;
  expect(held).toBeGreaterThan(0);
  expect(surprises(found)).toEqual([]);
});

test("a number that moved by more than half a unit of its last digit is told, and a statement that fell", () => {
  const table = (ours: number) =>
    compared({ title: "t", keys: ["x"], columns: [{ head: "c" }], lines: "1 2.50e-3", ours: () => [ours] });
  expect(surprises({ tables: [table(2.5049e-3)] })).toEqual([]);
  expect(surprises({ tables: [table(2.5051e-3)] })).toHaveLength(1);
  expect(surprises({ tables: [table(Number.NaN)] })).toHaveLength(1);
  expect(surprises({ claims: [{ says: "so", holds: false }] })).toEqual(["not so: so"]);
});

test("what was expected of one table is told where it is beyond three deviations between ours", () => {
  const values = [0.9, 1, 1.1];
  expect(deviationsOff(values, "1.2")).toBeCloseTo(0.15 / (0.1 * Math.sqrt(4 / 3)), 9);
  expect(deviationsOff(values, "1")).toBe(0);
  expect(allBut([{ name: "a", off: 3 }])).toBe("all");
  expect(allBut([{ name: "a", off: deviationsOff(values, "2.0") }])).toBe("all but: a (8.2)");
  expect(beside("1.7", "1.7e-5")).toBe("1.7 (1.7e−5)");
  expect(beside("1.7", undefined)).toBe("1.7");
});

test("an engine that answers δ 2e-5 of itself too high is noticed", async () => {
  const moved = {
    delta: (...question: Parameters<typeof engine.delta>) => {
      const answer = engine.delta(...question);
      return { ...answer, upper: answer.upper * (1 + 2e-5) };
    },
    compare: engine.compare.bind(engine),
  };
  const found = await studies.find(({ name }) => name === "objective-profile")?.run(moved);
  expect(surprises(found).length).toBeGreaterThan(10);
});
