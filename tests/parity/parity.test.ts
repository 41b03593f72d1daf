/** The core gives the same answers natively and in WebAssembly. */
import { expect, test } from "vitest";
import { printed } from "../wasm/run.ts";

const bits = new DataView(new ArrayBuffer(8));

/** Where a non-negative double stands among all doubles. */
function rank(hexadecimal: string): bigint {
  bits.setFloat64(0, parse(hexadecimal));
  return bits.getBigInt64(0);
}

/** A C hexadecimal floating-point literal, exactly. */
function parse(text: string): number {
  if (text === "inf") return Infinity;
  const match = /^0x([01])(?:\.([0-9a-f]+))?p([+-]\d+)$/.exec(text);
  if (!match) throw new Error(`not a number: ${text}`);
  const [, whole = "", fraction = "", exponent = ""] = match;
  const digits = Number.parseInt(whole + fraction.padEnd(13, "0"), 16);
  return (
    digits * 2 ** Math.max(Number(exponent) - 52, -1074) * 2 ** Math.min(Number(exponent) - 52 + 1074, 0)
  );
}

/** What the program prints natively and in WebAssembly, line by line. */
function both(...words: string[]): [string[], string[]] {
  const lines = (output: string) => output.trim().split("\n");
  return [
    lines(printed("build/release/tests/long_tests", ["answers", ...words])),
    lines(printed(process.execPath, ["build/wasm/tests/core_tests.cjs", "answers", ...words])),
  ];
}

/** Where an end was searched for: it is true wherever the search ended, and moves little within a wide interval. */
const SEARCHED = 1e-6;

test("every reference question, to 64 units in the last place, almost all bit for bit", () => {
  const [native, wasm] = both();
  expect(wasm).toHaveLength(native.length);
  let different = 0;
  let furthest = 0;
  let searched = 0;
  native.forEach((line, i) => {
    const [lower = "", upper = "", ...question] = line.split(" ");
    const [otherLower = "", otherUpper = "", ...otherQuestion] = (wasm[i] ?? "").split(" ");
    expect(otherQuestion).toEqual(question);
    const distance = Math.max(
      ...[rank(lower) - rank(otherLower), rank(upper) - rank(otherUpper)].map((d) => Math.abs(Number(d))),
    );
    if (distance > 0) different += 1;
    const moved = Math.max(
      Math.abs(parse(lower) - parse(otherLower)),
      Math.abs(parse(upper) - parse(otherUpper)),
    );
    if (distance > 64 && moved <= SEARCHED * (parse(upper) - parse(lower))) searched += 1;
    else furthest = Math.max(furthest, distance);
  });
  console.log(
    `${native.length} questions: ${different} differ, by at most ${furthest} units in the last place, and ${searched} by less than a millionth of a wide interval`,
  );
  // Both lie within the core's rounding margin, 64u, of the same value: libraries of elementary functions may differ.
  expect(furthest).toBeLessThanOrEqual(64);
  expect(different).toBeLessThan(native.length / 20);
  expect(searched).toBeLessThan(native.length / 100);
});

/** How far native and WebAssembly may be apart, relative to the value (for the cdf and the density: to 1). */
const SPECTRUM = { cdf: 1e-14, survival: 5e-14, density: 1e-13, upperTail: 5e-16, lowerTail: 5e-11 };

test("the largest eigenvalue, to its stated error", () => {
  const [native, wasm] = both("matrices");
  expect(native.length).toBeGreaterThan(400);
  expect(wasm).toHaveLength(native.length);
  const furthest: Record<string, number> = {};
  native.forEach((line, i) => {
    const [value = "", ask = "", ...question] = line.split(" ");
    const [other = "", ...sameQuestion] = (wasm[i] ?? "").split(" ");
    expect(sameQuestion).toEqual([ask, ...question]);
    const size = ask === "cdf" || ask === "density" ? 1 : Math.abs(Number(value));
    const apart = Math.abs(Number(value) - Number(other)) / size;
    furthest[ask] = Math.max(furthest[ask] ?? 0, apart);
  });
  console.log("largest eigenvalue, natively and in WebAssembly:", furthest);
  for (const [ask, allowed] of Object.entries(SPECTRUM))
    expect(furthest[ask], ask).toBeLessThanOrEqual(allowed);
});
