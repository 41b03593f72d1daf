/** Models from sums that a database computed: the same, to the last bit, as from the rows themselves. */
import { beforeAll, describe, expect, test } from "vitest";
import { type Engine, open } from "../../wasm/engine.ts";
import { checkRequest } from "../../wasm/release/fit-request.ts";
import { inspect } from "../../wasm/table/inspect.ts";
import { statisticsQuery } from "../../wasm/table/sql.ts";
import { grids } from "../../wasm/table/statistics.ts";
import { inDatabases } from "./table/databases.ts";
import { categorical, integerSums, numeric, refused, shared, sniffed } from "./table/support.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await open();
});

const ALGORITHMS = {
  "adaptive statistics": { name: "ada-ssp" },
  "adaptive statistics as printed": { name: "ada-ssp", accounting: "paper" },
  "Laplace covariance": { name: "covariance-laplace" },
  "linear mixing": { name: "linear-mixing" },
  "Gaussian mixing": { name: "gaussian-mixing", eigenvalue: "released" },
  "Johnson-Lindenstrauss": { name: "johnson-lindenstrauss" },
  "adaptive posterior sample": { name: "adaptive-posterior-sampling" },
  "output perturbation of ridge": { name: "output-perturbation-ridge", lambda: 50, rows: 100_000 },
  "posterior sample": { name: "posterior-sampling", lambda: 500, rows: 100_000 },
};

const table = (changes: object = {}) => ({
  unit: { protects: "row", rows: 1 },
  columns: [
    numeric("x", [-9.7, 9.9]),
    categorical("group", ["a", "b"]),
    numeric("z", [0, 1], { constant: 0.3 }),
  ],
  label: { name: "y", use: "numeric", range: [-25, 25], missing: "drop" },
  rowNorm: 1,
  ...changes,
});

const request = (changes: object = {}, algorithm: object = ALGORITHMS["adaptive statistics"]) => ({
  table: table(changes),
  algorithm,
  budget: { epsilon: 1, delta: 1e-5 },
  seed: 7,
});

/** Numbers of all lengths, some beyond their ranges, some missing; none of it is random. */
function csv(rows: number, from = 0): string {
  const lines = Array.from({ length: rows }, (_, i) => {
    const x = Math.sin((from + i) * 12.9898) * 10;
    const z = i % 5 === 0 ? "" : Math.cos((from + i) * 4.1414) ** 2;
    const y = 2 * x + 3 * Math.cos((from + i) * 78.233);
    return `${x},${i % 3 === 0 ? "a" : "b"},${z},${y},${y > 0 ? "yes" : "no"},${Math.round(Math.abs(y))}`;
  });
  return `x,group,z,y,class,count\n${lines.join("\n")}\n`;
}

/** What the query would answer, by our own exact sums. */
const sums = (text: string, asked: ReturnType<typeof request>) => {
  const { table } = checkRequest(asked);
  return integerSums(text, table, { sql: "", ...grids(table) });
};

describe("the coefficients of sums are those of the rows", () => {
  test.each(Object.entries(ALGORITHMS))("%s", async (_, algorithm) => {
    const asked = request({}, algorithm);
    const text = csv(900);
    const release = await engine.fit({ statistics: await sums(text, asked) }, asked);
    expect(release).toEqual(await engine.fit(text, asked));
    // Another row, another model: the noise of a seed is the same.
    expect(release.coefficients).not.toEqual((await engine.fit(csv(901), asked)).coefficients);
  });

  test.each<[string, object]>([
    ["without an intercept", { intercept: 0 }],
    ["with short rows", { rowNorm: 0.3, intercept: 0 }],
    ["with an intercept that is no number of steps", { intercept: 100.3 }],
    ["of classes", { label: { name: "class", use: "classes", levels: ["no", "yes"], missing: "drop" } }],
    ["of counts", { label: { name: "count", use: "count", range: [0, 21], missing: "drop" } }],
    [
      "of counts up to a power of two",
      { label: { name: "count", use: "count", range: [0, 8], missing: "drop" } },
    ],
    ["of nothing but the intercept", { columns: [] }],
  ])("%s", async (_, changes) => {
    const asked = request(changes);
    const text = csv(500);
    const release = await engine.fit({ statistics: await sums(text, asked) }, asked);
    expect(release).toEqual(await engine.fit(text, asked));
  });

  test("also of a table in parts, and of one without rows", async () => {
    const asked = request();
    const [first, second] = [csv(500), csv(300, 500)];
    const parts = [await sums(first, asked), await sums(second, asked)];
    const both = await engine.fit(first + second.slice(second.indexOf("\n") + 1), asked);
    expect(await engine.fit({ statistics: parts }, asked)).toEqual(both);
    expect(await engine.fit({ statistics: parts.reverse() }, asked)).toEqual(both);
    const none = { ...(await sums(csv(1), asked)), record_count: "0" };
    const zeros = { gram: none.gram.map(() => 0), moments: none.moments.map(() => "0"), label_square: 0 };
    expect(await engine.fit({ statistics: { ...none, ...zeros } }, asked)).toEqual(
      await engine.fit("x,group,z,y\n", asked),
    );
  });

  test("also beyond what doubles hold", async () => {
    const asked = request();
    const one = await sums(csv(1), asked);
    const times = (text: string, factor: bigint) => String(BigInt(text) * factor);
    const many = (factor: bigint) => ({
      declared: one.declared,
      record_count: times(one.record_count, factor),
      gram: one.gram.map((sum) => times(sum, factor)),
      moments: one.moments.map((sum) => times(sum, factor)),
      label_square: times(one.label_square, factor),
    });
    const all = await engine.fit({ statistics: many(3n << 40n) }, asked);
    const parts = [-1n, 0n, 1n].map((more) => many((1n << 40n) + more));
    expect(await engine.fit({ statistics: parts }, asked)).toEqual(all);
  });
});

describe("sums that cannot be are refused by field, value and rule", async () => {
  const asked = request();
  const good = await sums(csv(50), asked);
  const refuses = (changes: object, more: object = {}) =>
    refused(() => engine.fit({ statistics: { ...good, ...changes } }, { ...asked, ...more }));
  const withAt = (list: readonly string[], i: number, value: unknown) =>
    list.map((one, j) => (i === j ? value : one));

  test("of another declared table", async () => {
    expect(await refuses({}, { table: table({ rowNorm: 0.9 }) })).toContain("statistics.declared");
    expect(await refuses({}, { table: table({ missingMarks: ["-"] }) })).toContain("another declared table");
    expect(await refuses({ declared: undefined })).toContain("statistics.declared = nothing");
  });

  test.each<[string, object, string]>([
    ["no count", { record_count: undefined }, "statistics.record_count = nothing"],
    ["half a row", { record_count: 49.5 }, "statistics.record_count = 49.5: must be a whole number"],
    ["digits lost", { label_square: 2 ** 60 }, "as text where it is beyond 2^53"],
    ["words", { label_square: "1e9" }, "must be a whole number"],
    ["negative rows", { record_count: "-1" }, "must be from 0"],
    ["too many rows", { record_count: "281474976710657" }, "must be from 0"],
    ["another count", { record_count: "49" }, "the intercept of all rows"],
    ["a sum too few", { gram: good.gram.slice(1) }, "must be a list of 15 items"],
    ["no list", { moments: "0" }, "must be a list of 5 items"],
    [
      "a negative square",
      { gram: withAt(good.gram, 0, "-5") },
      "statistics.gram.0 = -5: must not be negative",
    ],
    ["a product that is too large", { gram: withAt(good.gram, 1, good.gram[14]) }, "statistics.gram.1"],
    [
      "a moment that is too large",
      { moments: withAt(good.moments, 0, `9${good.moments[4]}`) },
      "statistics.moments.0",
    ],
    ["labels out of bounds", { label_square: String(51n << 40n) }, "statistics.label_square"],
    ["rows out of bounds", { gram: withAt(good.gram, 0, String(200n << 40n)) }, "on the diagonal"],
    ["another key", { n: 3 }, "statistics.n = 3: no such key"],
  ])("%s", async (_, changes, words) => {
    expect(await refuses(changes)).toContain(words);
  });

  test("of classes that do not count one each", async () => {
    const label = { name: "class", use: "classes", levels: ["no", "yes"], missing: "drop" };
    const classes = request({ label });
    const answer = await sums(csv(50), classes);
    const statistics = { ...answer, label_square: String(BigInt(answer.label_square) - 1n) };
    expect(await refused(() => engine.fit({ statistics }, classes))).toContain("every class counts 1");
  });

  test("of a part that is given twice, unless it has no rows", async () => {
    const part = await sums(csv(200), asked);
    const zeros = (list: readonly string[]) => list.map(() => "0");
    const sumless = { gram: zeros(part.gram), moments: zeros(part.moments), label_square: "0" };
    const none = { ...part, ...sumless, record_count: "0" };
    expect(await refused(() => engine.fit({ statistics: [none, part, none, part] }, request()))).toContain(
      "statistics.3 = 200 rows: is the same as statistics.1",
    );
    await engine.fit({ statistics: [none, part, none] }, asked);
  });

  test("of parts, where nobody can see how many rows a person has", async () => {
    const limited = request({ unit: { protects: "person", rows: 1, column: "id" } });
    expect(await refused(() => engine.fit({ statistics: [good, good] }, limited))).toContain("2 parts");
    expect(await refused(() => engine.fit({ statistics: [] }, asked))).toContain("0 items");
    expect(await refused(() => engine.fit({ statistics: [good, null] }, asked))).toContain(
      "statistics.1 = null",
    );
  });

  test("where sums are not enough, or bounded otherwise", async () => {
    const model = { name: "output-perturbation", loss: "squared", lambda: 9, gradientBound: 2 };
    expect(await refuses({}, { algorithm: model })).toContain("needs the records themselves");
    expect(await refuses({}, { algorithm: { name: "covariance-laplace", norm: "l1" } })).toContain("norm");
  });
});

const [adult, communities] = await Promise.all([shared("adult.csv"), shared("communities.csv")]);

inDatabases("end to end", ({ dialect, load, rows }) => {
  async function answer(table: string | Blob, asked: { readonly table: unknown }) {
    await load("people", typeof table === "string" ? table : await table.text());
    const { sql } = statisticsQuery(checkRequest(asked).table, ["people"], dialect);
    return rows(sql);
  }

  test("a generated table, by every algorithm", async () => {
    const text = csv(5000);
    const statistics = await answer(text, request());
    for (const algorithm of Object.values(ALGORITHMS)) {
      const asked = request({}, algorithm);
      const { coefficients } = await engine.fit({ statistics }, asked);
      expect(coefficients).toEqual((await engine.fit(text, asked)).coefficients);
    }
  });

  test.skipIf(!adult)("adult.csv (skipped where the file is absent)", async () => {
    const asked = request({
      columns: [
        numeric("age", [17, 90]),
        numeric("hours.per.week", [1, 60], { constant: 40 }),
        categorical("workclass", ["Private", "State-gov", "Self-emp-not-inc"]),
        categorical("sex", ["Female", "Male"]),
      ],
      label: { name: "education.num", use: "numeric", range: [1, 16], missing: "drop" },
    });
    const statistics = await answer(adult as Blob, asked);
    const release = await engine.fit({ statistics }, asked);
    expect(release).toEqual(await engine.fit(adult as Blob, asked));
  });

  test.skipIf(!communities)("communities.csv (skipped where the file is absent)", async () => {
    const { columns } = await inspect(communities as Blob, await sniffed(communities as Blob));
    const asked = request({
      columns: columns.slice(5, -1).map(({ name }) => numeric(name, [0, 1], { constant: 0.5 })),
      label: { name: "ViolentCrimesPerPop", use: "numeric", range: [0, 1], missing: "drop" },
    });
    const statistics = await answer(communities as Blob, asked);
    const release = await engine.fit({ statistics }, asked);
    expect(release).toEqual(await engine.fit(communities as Blob, asked));
  });
});
