import { describe, expect, test } from "vitest";
import { Refusal } from "../../wasm/engine/refusal.ts";
import { withText } from "../../web/src/question/edit.ts";
import { understand, understandList } from "../../web/src/question/expression.ts";
import { withKind } from "../../web/src/question/question.ts";
import { read } from "../../web/src/question/read.ts";

const value = (text: string, n: number | null = null) =>
  understand(text, "delta", n === null ? {} : { n }).value;
const rule = (text: string) => {
  try {
    value(text);
  } catch (error) {
    if (error instanceof Refusal) return `${error.field}|${error.value}|${error.rule}`;
    throw error;
  }
  return "understood";
};

test("what a double cannot tell from 0 is refused, and 0 is not", () => {
  for (const text of ["1e-400", "2*1e-400", "0.0001e-330"]) expect(rule(text)).toContain("too small");
  // Nor is what comes to less than any double.
  for (const text of [
    "10^-400",
    "0.1^400",
    "1e-200*1e-200",
    "1e-200/1e200",
    "exp(-1000)",
    "1/exp(1000)",
    "1-exp(-800)",
  ])
    expect(rule(text)).toContain("too small");
  for (const text of ["0*1e-200", "0/7", "0^2", "ln(1)", "floor(0.5)", "1-1", "1e-200*0", "round(0.2)*3"])
    expect(understand(text, "δ").value).toBe(0);
  for (const text of ["0", "0.00", "0e-400", "1e-320"]) expect(rule(text)).toBe("understood");
});

test("what a double cannot hold is refused as it was typed, and not as Infinity", () => {
  for (const text of ["1e400", "-1e400", "1/0", "exp(1000)", "0/0"])
    expect(rule(text)).toBe(`delta|${JSON.stringify(text)}|is not a finite number here`);
  expect(rule("1e308")).toBe("understood");
});

test("only those names are offered that are known here", () => {
  expect(rule("abc")).toContain("known are e, pi, sqrt, ln, exp, ceil, floor, round");
  expect(() => understand("abc", "delta", { n: 10 })).toThrow("known are n, e, pi");
  const { refusals } = read(withText(withKind("gaussian"), "delta", "abc"));
  expect(refusals.get("delta")?.rule).toContain("known are n, batch, passes, e, pi");
});

describe("numbers as people write them", () => {
  test.each([
    ["1e-5", 1e-5],
    ["1E-5", 1e-5],
    ["10^-5", 1e-5],
    ["10^308", 1e308],
    ["0,5", 0.5],
    ["0,00001", 1e-5],
    ["0,500", 0.5],
    [".5", 0.5],
    ["1_000", 1000],
    ["−2", -2],
    ["2^3^2", 512],
    ["-2^2", -4],
    ["(1+2)*3", 9],
    ["10 - 4 - 3", 3],
    ["12/2/3", 2],
    ["sqrt(2)*ln(e)", Math.SQRT2],
    ["2×π", 2 * Math.PI],
    ["exp(0)", 1],
  ])("%s", (text, expected) => expect(value(text)).toBe(expected));

  test("n is the number of people", () => {
    expect(understand("1/n^1.1", "delta", { n: 10000 })).toEqual({
      value: 1 / 10000 ** 1.1,
      plain: false,
    });
    expect(rule("1/n")).toContain("n, the number of people");
  });

  test("only a bare number is plain", () => {
    expect(understand("1e-5", "delta").plain).toBe(true);
    expect(understand("0,5", "delta").plain).toBe(false);
  });
});

describe("what cannot be read is refused with field, value and rule", () => {
  test.each([
    "",
    "  ",
    "abc",
    "1+",
    "(1",
    "1)",
    "sqrt 2",
    "sqrt(",
    "1 2",
    "1..2",
    "1,2,3",
    "1.000,5",
    "5 %",
    "0/0",
    "__proto__(1)",
    "constructor(1)",
    "e1",
    "\u0000",
    "1".repeat(300),
  ])("%j", (text) => expect(rule(text)).toMatch(/^delta\|/));

  test("a comma that could group thousands is not guessed", () => {
    expect(rule("1,000")).toContain("write 1000 or 1.000");
    expect(rule("12,345")).toContain("two ways");
    expect(rule("1,0000")).toBe("understood");
  });

  test("deep nesting is refused or read, never a crash", () => {
    expect(value(`${"(".repeat(99)}1${")".repeat(99)}`)).toBe(1);
  });
});

describe("lists", () => {
  test("commas separate", () => expect(understandList("2, 4,8", "orders").values).toEqual([2, 4, 8]));
  test("with semicolons commas are decimal", () =>
    expect(understandList("0,1; 0,25", "orders").values).toEqual([0.1, 0.25]));
  test("a bad item names the list", () => expect(() => understandList("2, x", "orders")).toThrow(/orders/));
});

test.each([
  ["ceil(n/256)", 40],
  ["floor(10000/256)", 39],
  ["round(0.5 * 7)", 4],
  ["Ceil(-1.5)", -1],
])("%s is %d", (text, value) => {
  expect(understand(text, "count", { n: 10_000 }).value).toBe(value);
});
