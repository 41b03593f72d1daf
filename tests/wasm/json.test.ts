import { expect, test } from "vitest";
import { json } from "../../wasm/engine/json.ts";

/** The field, the value and the rule of the refusal. */
function refused(ask: () => unknown): string {
  try {
    ask();
  } catch (error) {
    return String((error as Error).message);
  }
  throw new Error("was answered");
}

test("JSON is read as it is, with a mark in front or none", () => {
  for (const text of [
    '{"a": {"a": [1, {"b": 2}, {"b": 3}]}, "b": -0.0, "c": 0e5}',
    '["a", "a", {"\\"": 1, "\\\\": 2, "{": "}", ":": ",", "": ":"}]',
    '{"a\\u0301": 1, "\u00e1": 2, "__proto__": {"x": 1}}',
    " 5e-324 ",
    '""',
    "[[], {}, null, true, 1e-300]",
  ])
    expect(json("release", `\uFEFF${text}`)).toEqual(JSON.parse(text));
});

test("a second value of one name, and a number that would be 0, are refused by name", () => {
  const twice = { kind: "malformed", field: "request", rule: "must stand once in an object" };
  for (const [text, name] of [
    ['{"epsilon": 1, "epsilon": 100}', "epsilon"],
    ['[{"a": 1}, {"b": {"a": 1, "c": [{"a": 2}], "a": {}}}]', "a"],
    ['{"a": 1, "\\u0061": 2}', "a"],
    ['{"": 1, "": 1}', ""],
    ['{"x\\"": 1, "x\\"": 1}', 'x"'],
    ['{"a": {}, "a": []}', "a"],
  ])
    expect(refused(() => json("request", text as string))).toBe(
      `request = ${JSON.stringify(name)}: ${twice.rule}`,
    );
  for (const number of ["1e-400", "-2.5E-330", "0.00001e-330", "1e-99999999999"])
    expect(refused(() => json("row", `{"x": [${number}]}`))).toMatch(
      new RegExp(`^row = "${number.replace(".", "\\.")}".*read as 0`),
    );
});

test("of a file that is no JSON nothing is told but its name", () => {
  const said = refused(() => json("release", "age,pay\n41,5000\n", "table.csv"));
  expect(said).toMatch(/^release = "table.csv": must be JSON/);
});
