/** The query that a database answers instead of us: held against our own sums, number by number, in two databases. */
import { describe, expect, test } from "vitest";
import { checkTable, type TableRequest } from "../../../wasm/table/declaration.ts";
import { DIALECTS, type DialectName, literal } from "../../../wasm/table/dialects.ts";
import { MOST_FEATURES, statisticsQuery } from "../../../wasm/table/sql.ts";
import { inDatabases } from "./databases.ts";
import { categorical, integerSums, numeric, refused } from "./support.ts";

const dialects = Object.keys(DIALECTS) as DialectName[];

const declared = (changes: object = {}): TableRequest =>
  checkTable({
    unit: { protects: "row", rows: 1 },
    columns: [
      numeric("age", [17.3, 90.1], { constant: 40 }),
      categorical("sex", ["f", "m"], { constant: "m" }),
      numeric("dose", [-1, 3]),
      categorical("town", ["Aix", "Ba'le", "C\\adiz"]),
    ],
    label: { name: "y", use: "numeric", range: [0, 10], missing: "drop" },
    rowNorm: 0.6,
    ...changes,
  });

const cells = {
  age: [
    "30",
    "-4",
    "17.3",
    "1e308",
    "1e999",
    "",
    "?",
    "forty",
    "=20+20",
    "NaN",
    "inf",
    "0x28",
    "1_0",
    ".5e2",
    " 55\t",
    "5.",
    `0.${"6".repeat(998)}e2`,
    `50.${"0".repeat(997)}`,
    `50.${"0".repeat(998)}`,
    "1".repeat(140_000),
    `0.${"3".repeat(20_000)}`,
  ],
  sex: ["f", "m", "F", "", "NA", "m ", "true"],
  dose: ["0", "1", "-0.3333333333333333", "2.9999999999999996", "-1e999", "1e-400", "7", "x"],
  town: ["Aix", "Ba'le", "C\\adiz", "aix", "Oslo", "NULL"],
  y: ["0", "10", "3.3", "-1", "11", "", "1e1", "seven"],
};

/** Every combination that a stride through the lists meets. */
const lines = Array.from({ length: 1500 }, (_, i) =>
  Object.values(cells).map((list, j) => list[(i * (j + 1) + Math.floor(i / (j + 7))) % list.length]),
);
const text = `age,sex,dose,town,y,id\n${lines.map((line, i) => `${line.join(",")},p${i % 500}`).join("\n")}\n`;

inDatabases("answers as we would", ({ dialect, load, rows, caseless }) => {
  async function answer(csv: string, request: TableRequest, type?: string) {
    const name = 'a "hostile" name; DROP TABLE t; --';
    await load(name, csv, type);
    const query = statisticsQuery(request, [name], dialect);
    const [row] = await rows(query.sql);
    return { row, query };
  }

  test.each<[string, object]>([
    ["with every use and every rule", {}],
    ["without an intercept", { intercept: 0 }],
    ["without shortening", { rowNorm: 1 }],
    ["with a heavy intercept", { intercept: 100.3 }],
    ["with other marks", { missingMarks: ["forty", "-4", "Aix", "seven"] }],
    ["with classes", { label: categorical("sex", ["f", "m"]), columns: [numeric("age", [0, 100])] }],
    ["with counts", { label: { ...numeric("y", [0, 1e6]), use: "count" } }],
    ["with nothing but the intercept", { columns: [] }],
    ["with no row that is complete", { columns: [categorical("sex", ["x"]), numeric("town", [0, 1])] }],
  ])("%s", async (_, changes) => {
    const label = "label" in changes ? { label: { ...(changes.label as object) } } : {};
    if (label.label && "levels" in label.label) Object.assign(label.label, { use: "classes" });
    const request = declared({ ...changes, ...label });
    const { row, query } = await answer(text, request);
    const expected = await integerSums(text, request, query);
    if (expected.record_count === "0") {
      expect(row.record_count).toBe("0");
      expect(new Set([...row.gram, ...row.moments, row.label_square])).toEqual(new Set(["0"]));
    } else {
      expect(row).toEqual(expected);
      expect(Number(row.record_count)).toBeGreaterThan(100);
    }
  });

  test("with a limit on the rows of each person", async () => {
    // A blank, a mark of a missing value and a character that no text has are nobody's id.
    const nobody = (i: number) => ["", "NA", " ? ", "a\u0001"][Math.floor(i / 7) % 4];
    const constant = lines.map((_, i) => `${i % 7},${i % 7},${i % 7 === 6 ? nobody(i) : `p${i % 7}`}`);
    const csv = `age,y,id\n${constant.join("\n")}\n`;
    const unit = { protects: "patient", rows: 3, column: "id" };
    const request = declared({ unit, columns: [numeric("age", [0, 7])] });
    const { row, query } = await answer(csv, request);
    expect(row).toEqual(await integerSums(csv, request, query));
    expect(row.record_count).toBe("18");
  });

  test("of a person who has more rows with one of them by chance, another each time", async () => {
    const unit = { protects: "patient", rows: 1, column: "id" };
    const request = declared({ unit, columns: [numeric("age", [0, 5])] });
    const found = new Set<string>();
    // Of four rows fewer than four come up in sixty draws with a probability of 1e-7.
    for (let i = 0; i < 60; i++) {
      const { row } = await answer("age,y,id\n1,1,p\n2,1,p\n3,1,p\n4,1,p\n", request);
      expect(row.record_count).toBe("1");
      found.add(row.moments.join());
    }
    expect(found.size).toBe(4);
  });

  test("with names and levels that try to break out", async () => {
    const names = ['"', "'; DROP TABLE t; --", "a\\", "`b`", "$1", "é\u{1F600}", "x0", "v0", "/* c */"];
    const csv = `${names.map((name) => `"${name.replaceAll('"', '""')}"`).join(",")},y\n${"1,2,3,4,5,6,7,8,9,1\n".repeat(3)}`;
    const columns = names.map((name, i) => categorical(name, [String(i + 1), ...names]));
    const request = declared({ columns });
    const { row, query } = await answer(csv, request);
    expect(row).toEqual(await integerSums(csv, request, query));
    for (const value of [...names, "\t", "\0x", "%s", ":a", "?"].filter((value) => !value.includes("\0"))) {
      const [said] = await rows(`SELECT ${literal(DIALECTS[dialect], value)} AS it`);
      expect(said.it).toBe(value);
    }
  });

  test("of typed columns", async () => {
    await rows(
      "CREATE TABLE typed AS SELECT i / 7::float8 AS age, i::DECIMAL(9, 2) / 3 AS y FROM generate_series(0, 99) AS r(i)",
    );
    const request = declared({ columns: [numeric("age", [0, 10])] });
    const schema = { duckdb: "main", postgresql: "public" }[dialect as string] as string;
    const query = statisticsQuery(request, [schema, "typed"], dialect);
    const [row] = await rows(query.sql);
    const csv = await rows("SELECT age::VARCHAR AS age, y::VARCHAR AS y FROM typed");
    const same = `age,y\n${csv.map(({ age, y }: Record<string, string>) => `${age},${y}`).join("\n")}\n`;
    expect(row).toEqual(await integerSums(same, request, query));
  });

  test("of columns whose texts are the same where only their capitals differ", async () => {
    const request = declared({ unit: { protects: "patient", rows: 1, column: "id" } });
    const towns = ["Aix", "aix", "AIX", "ba'le", "Na", "NA"];
    const csv = `age,sex,dose,town,y,id\n${towns.map((town, i) => `${20 + i},${"fFmM"[i % 4]},1,${town},${i},${"pP"[i % 2]}${i >> 1}`).join("\n")}\n`;
    const { row, query } = await answer(csv, request, caseless);
    expect(row).toEqual(await integerSums(csv, request, query));
    expect(row.record_count).toBe("5");
  });
});

describe("in every dialect", () => {
  test("the text of a request stays between its quotes", () => {
    const hostile = "x'; DROP TABLE people; -- \\' \" ` $1 {} \n";
    const changes = { columns: [categorical("town", [hostile.trim()])], missingMarks: [hostile.trim()] };
    for (const dialect of dialects) {
      const { sql } = statisticsQuery(declared(changes), ["people"], dialect);
      expect(sql).not.toContain("DROP");
      // Strings and names taken away, nothing is left but our own words.
      const rest = sql.replace(/'[^']*'|"[^"]*"|`[^`]*`/g, "");
      expect(rest).toMatch(/^[A-Za-z0-9_\s(),.*/<>=:+~[\]-]*;\n$/);
      expect(rest).not.toContain("--");
    }
  });

  test("a name that cannot be quoted safely is refused", async () => {
    const named = (name: string) => declared({ columns: [numeric(name, [0, 1])] });
    for (const dialect of dialects) {
      expect(await refused(() => statisticsQuery(named("a\0b"), ["t"], dialect))).toMatch(
        /no (database has )?such (a )?name/,
      );
    }
    for (const name of ["a`b", "a\\", "a.b", "a\nb"]) {
      const words = "table.columns.0.name";
      expect(await refused(() => statisticsQuery(named(name), ["t"], "bigquery"))).toContain(words);
      expect(statisticsQuery(named(name), ["t"], "spark").sql).toContain(`t.\`${name.replace("`", "``")}\``);
      expect(statisticsQuery(named(name), ["t"], "postgresql").sql).toContain(`t."${name}"`);
    }
  });

  test("names that differ in capitals only are refused where they are the same", async () => {
    const request = declared({ columns: [numeric("Age", [0, 1]), numeric("age", [0, 1])] });
    for (const dialect of dialects) {
      if (dialect === "postgresql") expect(statisticsQuery(request, ["t"], dialect).sql).toContain('t."Age"');
      else
        expect(await refused(() => statisticsQuery(request, ["t"], dialect))).toContain(
          "does not tell it from",
        );
    }
  });

  test("a number is all of a text, also where the end of a pattern is before the end of a line", () => {
    // As Java reads a pattern: its $ is the end too where one end of a line follows.
    const end = String.raw`(?=(?:\r\n|[\n\r\u0085\u2028\u2029])?(?![\s\S]))`;
    const { sql } = statisticsQuery(declared(), ["t"], "spark");
    const [, before, pattern = ""] = /concat\([^()]+, '(.*?)'\) RLIKE '(.*?)\$'/.exec(sql) ?? [];
    expect(before).toBeDefined();
    const isNumber = (text: string) => new RegExp(pattern + end).test(text + before);
    for (const text of ["12", "-1.5e3", ".5"]) expect(isNumber(text), text).toBe(true);
    for (const tail of ["\n", "\r", "\r\n", "\u0085", "\u2028", "\u2029", "..", "x"])
      expect(isNumber(`12${tail}`), JSON.stringify(tail)).toBe(false);
  });

  test("too many features are refused", async () => {
    const levels = Array.from({ length: MOST_FEATURES }, (_, i) => `l${i}`);
    const request = declared({ columns: [categorical("town", levels)] });
    expect(await refused(() => statisticsQuery(request, ["t"], "spark"))).toContain("301 features");
  });
});
