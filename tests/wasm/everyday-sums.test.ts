/** Everyday numbers from sums that a database computed: the same, to the last bit, as from the rows themselves. */
import { describe, expect, test } from "vitest";
import { type EverydayRelease, open } from "../../wasm/engine.ts";
import { checkEveryday } from "../../wasm/everyday/everyday-request.ts";
import { everydayQuery } from "../../wasm/everyday/sql.ts";
import { DIALECTS, type DialectName } from "../../wasm/table/dialects.ts";
import { inDatabases } from "./table/databases.ts";
import { categorical, numeric, refused } from "./table/support.ts";

const engine = await open();

/** 2^-1075, half of the least double, is 10^-324 times that, and read as 0; the least number beyond it is not. */
const HALF = String(5n ** 1075n).replace("2", "2.");

const cells = {
  age: ["30", "-4", "17.3", "1e308", "", "?", "forty", "89.99", "90.1", "40", "65.5"],
  dose: [
    "0",
    "1",
    "-0.3333333333333333",
    "2.9999999999999996",
    "1e-400",
    "7",
    "x",
    "3",
    "-0.5",
    "-1",
    "0.25",
    "1e-308",
    "-1e-310",
    "5e-324",
    `${HALF}e-324`,
    `${HALF}1e-324`,
    "1".repeat(140_000),
  ],
  town: ["Aix", "Ba'le", "aix", "Oslo", "", "\u0001", "Aix"],
};

/** Every combination that a stride through the lists meets; of each person several rows that are alike. */
const lines = Array.from({ length: 700 }, (_, i) =>
  Object.values(cells).map((list, j) => list[(i * (j + 1) + Math.floor(i / (j + 7))) % list.length]),
);
const csv = (all: readonly (readonly (string | undefined)[])[]) =>
  `age,dose,town,id\n${all.map((line, i) => `${line.join(",")},p${i}`).join("\n")}\n`;
const text = csv(lines);

const moments = [
  { of: "count" },
  { of: "means", columns: ["age", "dose"] },
  { of: "covariance", columns: ["dose", "age"] },
];
const sorted: readonly (readonly [string, readonly object[]])[] = [
  ["moments", moments],
  ["sums alone", [{ of: "sums", columns: ["age", "dose"] }]],
  [
    "moments of levels",
    [
      { of: "correlation", columns: ["town", "dose"] },
      { of: "sums", columns: ["age"] },
    ],
  ],
  ["levels alone", [{ of: "sums", columns: ["town"] }]],
  ["all rows", [{ of: "count" }]],
  ["equal bins", [{ of: "histogram", column: "age", bins: 7 }]],
  ["bins between edges", [{ of: "histogram", column: "dose", edges: [-0.5, 0, 0.25, 1, 3] }]],
  [
    "bins between the least numbers",
    [{ of: "histogram", column: "dose", edges: [-1, 0, 5e-324, 1e-308, 1] }],
  ],
  ["levels", [{ of: "histogram", column: "town" }]],
  [
    "combinations",
    [
      {
        of: "contingency",
        columns: [{ column: "town" }, { column: "age", bins: 3 }, { column: "dose", bins: 2 }],
      },
    ],
  ],
  ["powers of two", [{ of: "bounds", column: "dose" }]],
  ["groups", [{ of: "groups", by: "town", columns: ["dose", "age"] }]],
  ["groups of rows alone", [{ of: "groups", by: "town" }]],
  [
    "everything",
    [...moments, { of: "groups", by: "town", columns: ["age"] }, { of: "histogram", column: "age", bins: 2 }],
  ],
];

const request = (releases: readonly object[], more: object = {}) => ({
  table: {
    unit: { protects: "row", rows: 1 },
    columns: [
      numeric("age", [17.3, 90.1], { constant: 40 }),
      numeric("dose", [-1, 3]),
      categorical("town", ["Aix", "Ba'le"]),
    ],
  },
  releases,
  budget: { epsilon: 1, delta: 1e-6 },
  seed: 5,
  ...more,
});

const query = (asked: object, dialect: DialectName = "duckdb") => {
  const checked = checkEveryday(asked);
  return everydayQuery(checked, engine.plan(checked).grids, ["people"], dialect);
};

const release = (source: unknown, asked: object) =>
  engine.fit(source as never, asked as never) as unknown as Promise<EverydayRelease>;

inDatabases("answers as we would", ({ dialect, load, rows, caseless }) => {
  async function answer(csv: string, asked: object, type?: string) {
    await load("people", csv, type);
    return (await rows(query(asked, dialect)))[0];
  }

  test.each(sorted)("%s", async (name, releases) => {
    for (const more of [{}, { neighbours: "replace" }, { budget: { epsilon: 0.05, delta: 1e-6 } }]) {
      const asked = request(releases, more);
      const found = await release({ statistics: await answer(text, asked) }, asked);
      expect(found).toEqual(await release(text, asked));
      // Another row, another release: the noise of a seed is the same. Bounds are not moved by one row.
      const { results } = await release(`${text}50,0.5,Aix,q\n`, asked);
      if (name !== "powers of two") expect(found.results).not.toEqual(results);
    }
  });

  test("powers of two, at their ends and beyond", async () => {
    const values = [0, 1, 2, 3, 2 ** -64, 2 ** -65, 2 ** 64, 2 ** 63, 1e30].flatMap((x) => [x, -x]);
    const asked = request([{ of: "bounds", column: "x" }], {
      table: { unit: { protects: "row", rows: 1 }, columns: [numeric("x", [-1e40, 1e40])] },
    });
    const { sums } = await answer(`x\n${values.flatMap((x) => [x, x]).join("\n")}\n`, asked);
    const counted = new Map(
      sums.flatMap((sum: string, i: number) => (sum === "0" ? [] : [[i, Number(sum)]])),
    );
    // Cell 129 is 0, cell 259 what is missing; 2^(e-1) ≤ |x| < 2^e is e + 65 cells away from 0.
    const away = (exponent: number) => [exponent + 65, exponent + 65];
    const expected = new Map<number, number>([[129, 4]]);
    for (const [exponent, times] of [
      [1, 2],
      [2, 4],
      [-63, 2],
      [-64, 2],
      [64, 6],
    ] as const) {
      expected.set(129 + (away(exponent)[0] as number), times);
      expected.set(129 - (away(exponent)[1] as number), times);
    }
    expect([...counted].sort()).toEqual([...expected].sort());
  });

  test("with a limit on the rows of each person", async () => {
    const unit = { protects: "patient", rows: 3, column: "id" };
    // A blank, a mark of a missing value and a character that no text has are nobody's id.
    const nobody = (i: number) => ["", "NA", " ? ", "a\u0001"][Math.floor(i / 7) % 4];
    const id = (i: number) => (i % 7 === 6 ? nobody(i) : `p${i % 7}`);
    const csv = `age,dose,town,id\n${lines.map((_, i) => `${20 + (i % 7)},1,Aix,${id(i)}`).join("\n")}\n`;
    for (const releases of [moments, [{ of: "count" }]]) {
      const asked = request(releases, { table: { ...request([]).table, unit } });
      const found = await answer(csv, asked);
      // A database draws by itself: nothing is said of what it draws by.
      const { request: said, ...ours } = await release(csv, asked);
      const { request: other, ...theirs } = await release({ statistics: found }, asked);
      expect(theirs).toEqual(ours);
      expect([said.table.unit.draw, other.table.unit.draw]).toEqual(["seed 5", undefined]);
      expect(found.sums[0]).toBe("18");
    }
  });

  test("of columns whose texts are the same where only their capitals differ", async () => {
    const asked = request([{ of: "histogram", column: "town" }], { neighbours: "replace" });
    expect(await release({ statistics: await answer(text, asked, caseless) }, asked)).toEqual(
      await release(text, asked),
    );
  });

  test("in parts, which must be given once", async () => {
    const asked = request(sorted.at(-1)?.[1] as readonly object[]);
    const parts = [await answer(csv(lines.slice(0, 300)), asked), await answer(csv(lines.slice(300)), asked)];
    expect(await release({ statistics: parts }, asked)).toEqual(await release(text, asked));
    expect(await refused(() => release({ statistics: [parts[0], parts[0]] }, asked))).toContain(
      "statistics.1",
    );
  });
});

test("every database has a query, which reads no column that is not needed", () => {
  const checked = checkEveryday(request([{ of: "means", columns: ["age"] }]));
  for (const dialect of Object.keys(DIALECTS) as (keyof typeof DIALECTS)[]) {
    const sql = everydayQuery(checked, engine.plan(checked).grids, ["people"], dialect);
    expect(sql).toMatch(/^WITH epsilometer_texts AS/);
    expect(sql).toContain("age");
    expect(sql).not.toContain("town");
  }
});

describe("sums that cannot be are refused by field, value and rule", () => {
  const asked = request([
    { of: "variances", columns: ["dose"] },
    { of: "histogram", column: "town" },
    { of: "histogram", column: "age", bins: 2 },
  ]);
  const ofLevels = request([{ of: "variances", columns: ["town", "dose"] }]);
  const declared = /'([0-9a-f]{16})' AS declared/.exec(query(asked))?.[1];
  const good = [4, 0, 1, 1, 1, 1, 2, 2, 3, 0];
  const at = (place: number, value: unknown) => good.map((sum, i) => (i === place ? value : sum));
  const refuses = (sums: readonly unknown[], more: object = {}) =>
    refused(() => release({ statistics: { declared, sums, ...more } }, asked));

  test("what can be is not", async () => {
    await release({ statistics: { declared, sums: good } }, asked);
  });

  test.each<[string, readonly unknown[], string]>([
    ["rows below 0", at(0, -1), "statistics.sums.0"],
    ["more rows than any table has", at(0, String(2n ** 60n)), "statistics.sums.0"],
    ["a sum beyond its rows", at(1, String(2n ** 80n)), "statistics.sums.1"],
    ["a square below 0", at(2, -1), "statistics.sums.2"],
    ["cells that do not agree", at(9, 1), "statistics.sums.9"],
    ["no whole number", at(1, "0.5"), "statistics.sums.1"],
    ["too few", good.slice(1), "statistics.sums"],
  ])("%s", async (_, sums, field) => {
    expect(await refuses(sums)).toContain(field);
  });

  test("less than none of a level, or of two together", async () => {
    const declared = /'([0-9a-f]{16})' AS declared/.exec(query(ofLevels))?.[1];
    // The rows, dose, two levels; and of each with itself and those before it.
    const good = [4, -1, 1, 1, 1, -1, 1, -1, 0, 1];
    const said = (place: number) => {
      const sums = good.map((sum, i) => (i === place ? -1 : sum));
      return release({ statistics: { declared, sums } }, ofLevels);
    };
    await said(1);
    await said(5);
    for (const place of [2, 3, 6, 8, 9])
      expect(await refused(() => said(place))).toContain(`statistics.sums.${place}`);
  });

  test("of another request", async () => {
    expect(await refuses(good, { declared: "0".repeat(16) })).toContain("statistics.declared");
    const other = { ...asked, budget: { epsilon: 1e-3, delta: 1e-6 } };
    expect(await refused(() => release({ statistics: { declared, sums: good } }, other))).toContain(
      "statistics.declared",
    );
  });

  test.each([
    ["quantiles", { of: "quantiles", column: "age", probabilities: [0.5] }],
    ["found-groups", { of: "found-groups", by: "name" }],
  ])("what is no sum: %s", async (of, entry) => {
    const mixed = request([{ of: "count" }, entry]);
    for (const ask of [
      async () => query(mixed),
      () => release({ statistics: { declared, sums: [] } }, mixed),
    ])
      expect(await refused(ask)).toContain(`releases.1.of = "${of}"`);
    expect(engine.plan(checkEveryday(mixed))).not.toHaveProperty("grids");
  });
});
