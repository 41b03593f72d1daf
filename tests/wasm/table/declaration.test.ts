/** What may be declared about a table, and what is refused, by field, value and rule. */
import { describe, expect, test } from "vitest";
import { fitSchema } from "../../../wasm/release/fit-request.ts";
import { checkTable, MISSING_MARKS } from "../../../wasm/table/declaration.ts";
import { refused } from "./support.ts";

const whole = {
  unit: { protects: "patient", rows: 3 },
  columns: [
    { name: "age", use: "numeric", range: [0, 100], missing: "drop" },
    { name: "sex", use: "categorical", levels: ["f", "m"], missing: { constant: "f" } },
    { name: "id", use: "ignored" },
  ],
  label: { name: "dose", use: "numeric", range: [-1, 3], missing: { constant: 0 } },
  rowNorm: 1,
};

/** The declaration with one place changed; undefined takes it away. */
function changed(path: string, value: unknown): unknown {
  const copy = structuredClone(whole);
  const keys = path.split(".");
  const last = keys.pop() as string;
  // biome-ignore lint/suspicious/noExplicitAny: walks whatever is there
  const parent = keys.reduce((at: any, key) => at[key], copy);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

describe("a declaration", () => {
  test("is completed with what need not be said", () => {
    expect(checkTable(whole)).toEqual({
      ...whole,
      unit: { ...whole.unit, column: undefined },
      intercept: 1,
      missingMarks: MISSING_MARKS,
    });
  });

  test("is a copy", () => {
    const given = structuredClone(whole);
    const table = checkTable(given);
    (given.columns[0] as { range: number[] }).range[0] = 50;
    expect(table.columns[0]).toMatchObject({ range: [0, 100] });
  });

  test("has no default for who is protected", async () => {
    for (const path of ["unit", "unit.protects", "unit.rows"]) {
      expect(await refused(() => checkTable(changed(path, undefined)))).toMatch(
        `table.${path} = nothing: must be`,
      );
    }
    expect(await refused(() => checkTable(changed("unit.protects", "")))).toContain("table.unit.protects");
  });

  test.each<[string, string, unknown, string]>([
    ["an unknown key", "rows", 5, "table.rows = 5: no such key; there are unit, columns"],
    ["an unknown use", "columns.0.use", "number", 'table.columns.0.use = "number": must be one of "numeric"'],
    ["no use", "columns.0.use", undefined, "table.columns.0.use = nothing: must be one of"],
    ["no range", "columns.0.range", undefined, "table.columns.0.range = nothing: must be given"],
    ["half a range", "columns.0.range", [1], "table.columns.0.range = 1 items: must be a list of 2 items"],
    [
      "a range that is turned",
      "columns.0.range",
      [2, 1],
      "table.columns.0.range = 2 to 1: must be two numbers",
    ],
    ["a range without width", "columns.0.range", [1e9, 1e9 + 0.5], "the second above the first"],
    ["a range of which half is 0", "columns.0.range", [0, 5e-324], "by 1e-290 at least"],
    [
      "a range without end",
      "columns.0.range",
      [0, Infinity],
      "table.columns.0.range.1 = Infinity: must be a number",
    ],
    ["a range that is no number", "columns.0.range", [0, Number.NaN], "table.columns.0.range.1 = NaN"],
    ["no decision about missing values", "columns.0.missing", undefined, "missing = nothing: must be given"],
    ["another decision", "columns.0.missing", "mean", 'missing = "mean": must be "drop" or an object'],
    [
      "a constant outside the range",
      "columns.0.missing",
      { constant: 101 },
      "constant = 101: must be a number from 0 to 100",
    ],
    [
      "a constant of the wrong kind",
      "columns.0.missing",
      { constant: "f" },
      'constant = "f": must be a number',
    ],
    [
      "a level that is not declared",
      "columns.1.missing",
      { constant: "x" },
      'constant = "x": must be one of "f", "m"',
    ],
    [
      "no level",
      "columns.1.levels",
      [],
      "table.columns.1.levels = 0 items: must be a list of 1 to 10000 items",
    ],
    [
      "a level twice",
      "columns.1.levels",
      ["f", "f"],
      'table.columns.1.levels.1 = "f": a level must be given once',
    ],
    [
      "a level that no cell can match",
      "columns.1.levels",
      ["f", "m "],
      "blanks around a level never match a cell",
    ],
    ["a column twice", "columns.1.name", "age", 'table.columns.1 = "age": a column must be given once'],
    ["the label among the columns", "label.name", "age", "must not be among the columns"],
    [
      "levels of an ignored column",
      "columns.2.levels",
      ["a"],
      "table.columns.2.levels = a list: no such key",
    ],
    ["a norm that no row exceeds", "rowNorm", 2, "table.rowNorm = 2: must be a number from 0.000001 to 1"],
    ["a norm of nothing", "rowNorm", 0, "table.rowNorm = 0"],
    ["a negative intercept", "intercept", -1, "table.intercept = -1: must be a number from 0 to 1000"],
    ["part of a row", "unit.rows", 1.5, "table.unit.rows = 1.5: must be a whole number from 1"],
    [
      "negative counts",
      "label",
      { name: "n", use: "count", range: [-1, 5], missing: "drop" },
      "must not be negative",
    ],
    [
      "three classes",
      "label",
      { name: "n", use: "classes", levels: ["a", "b", "c"], missing: "drop" },
      "a list of 2 items",
    ],
    ["a list for a table", "columns.0", [], "table.columns.0 = a list: must be an object"],
    [
      "a prototype for a key",
      "columns.2.name",
      { toString: "id" },
      "table.columns.2.name = an object: must be a text",
    ],
  ])("is refused with %s", async (_, path, value, words) => {
    expect(await refused(() => checkTable(changed(path, value)))).toContain(words);
  });

  test("is refused when it is none at all", async () => {
    for (const nothing of [undefined, null, 5, "table", [], () => whole]) {
      expect(await refused(() => checkTable(nothing))).toMatch(/^table = /);
    }
    const bare = { ...whole, columns: [{ name: "id", use: "ignored" }], intercept: 0 };
    expect(await refused(() => checkTable(bare))).toContain("one column at least must be used");
    expect(checkTable({ ...bare, intercept: 1 }).columns.length).toBe(1);
  });
});

describe("the schema", () => {
  test("is plain JSON and says what the check says", () => {
    expect(JSON.parse(JSON.stringify(fitSchema))).toEqual(fitSchema);
    const { table, format } = fitSchema.properties as Readonly<Record<string, object>>;
    expect(table).toMatchObject({
      type: "object",
      required: ["unit", "columns"],
      additionalProperties: false,
      properties: {
        unit: { required: ["protects", "rows"] },
        rowNorm: { minimum: 1e-6, maximum: 1 },
        intercept: { minimum: 0, maximum: 1000 },
        label: {
          oneOf: ["numeric", "count", "classes", "multiclass", "choice", "question"].map((use) => ({
            properties: { use: { enum: [use] } },
          })),
        },
      },
    });
    expect(format).toMatchObject({
      required: ["encoding", "delimiter", "quote", "newline", "decimal", "header"],
    });
  });
});
