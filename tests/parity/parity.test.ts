/** The core gives the same answers natively and in WebAssembly. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

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

test("every reference question, to 64 units in the last place, almost all bit for bit", () => {
  const native = execFileSync("build/release/tests/parity", { encoding: "utf8" }).trim().split("\n");
  const wasm = execFileSync(process.execPath, ["build/wasm/tests/parity.cjs"], { encoding: "utf8" })
    .trim()
    .split("\n");
  expect(wasm).toHaveLength(native.length);
  let different = 0;
  let furthest = 0;
  native.forEach((line, i) => {
    const [lower = "", upper = "", ...question] = line.split(" ");
    const [otherLower = "", otherUpper = "", ...otherQuestion] = (wasm[i] ?? "").split(" ");
    expect(otherQuestion).toEqual(question);
    const distances = [rank(lower) - rank(otherLower), rank(upper) - rank(otherUpper)].map((d) =>
      Math.abs(Number(d)),
    );
    if (Math.max(...distances) > 0) different += 1;
    furthest = Math.max(furthest, ...distances);
  });
  console.log(
    `${native.length} questions: ${different} differ, by at most ${furthest} units in the last place`,
  );
  // Both lie within the core's rounding margin, 64u, of the same value: libraries of elementary functions may differ.
  expect(furthest).toBeLessThanOrEqual(64);
  expect(different).toBeLessThan(native.length / 20);
});
