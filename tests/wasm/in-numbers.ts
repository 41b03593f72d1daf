/** Answers in numbers, and tables of truths. */
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import type { Interval } from "../../wasm/engine.ts";

// biome-ignore lint/suspicious/noExplicitAny: lines of several programs
export type Line = Record<string, any>;

export const lines = (name: string, folder = "report"): Line[] =>
  readFileSync(new URL(`../reference/${folder}/${name}.ndjson`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** numerator / denominator, as whole numbers. */
type Fraction = readonly [bigint, bigint];

function ofDouble(value: number): Fraction {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const whole = bits.getBigUint64(0);
  const exponent = Number((whole >> 52n) & 0x7ffn);
  const digits = (whole & ((1n << 52n) - 1n)) | (exponent === 0 ? 0n : 1n << 52n);
  const power = Math.max(exponent, 1) - 1075;
  const signed = value < 0 ? -digits : digits;
  return power >= 0 ? [signed << BigInt(power), 1n] : [signed, 1n << BigInt(-power)];
}

function ofDecimal(text: string): Fraction {
  const [, sign, whole, part = "", power = "0"] = /^([+-]?)(\d+)\.?(\d*)(?:e([+-]?\d+))?$/.exec(text) ?? [];
  const digits = BigInt(`${sign}${whole}${part}`);
  const shift = Number(power) - part.length;
  return shift >= 0 ? [digits * 10n ** BigInt(shift), 1n] : [digits, 10n ** BigInt(-shift)];
}

/** Whether one is no more than the other, but for `doubt` of its size. */
function isAtMost([a, b]: Fraction, [c, d]: Fraction, doubt: Fraction): boolean {
  const size = c < 0n ? -c : c;
  return a * d * doubt[1] <= b * (c * doubt[1] + size * doubt[0]);
}

const lower = (found: number, truth: Fraction, doubt: Fraction) =>
  found === Number.NEGATIVE_INFINITY || isAtMost(ofDouble(found), truth, doubt);

/** Whether an interval holds a number of 25 digits, to the last of them: doubles are taken as what they are. */
export function holdsExactly(found: Interval, truth: string): boolean {
  const [above, below] = ofDecimal(truth);
  const doubt: Fraction = [1n, 10n ** 24n];
  return lower(found.lower, [above, below], doubt) && lower(-found.upper, [-above, below], doubt);
}

/** The truths have 25 digits. `size`: of what the sums are made of. */
export function holds(found: unknown, truth: string, widest = 1e-9, what = "", size = 1e-6): void {
  const { lower, upper } = found as Interval;
  const value = Number(truth);
  expect(holdsExactly(found as Interval, truth), `${what}: ${truth} from ${lower} to ${upper}`).toBe(true);
  // Sums of terms of size 1 may cancel to less.
  expect(upper - lower, what).toBeLessThanOrEqual(widest * Math.max(Math.abs(value), size));
}

/** Of a number that doubles were used to find: that the interval is next to it. */
export function isAbout(found: unknown, value: number, what = ""): void {
  const { lower, upper } = found as Interval;
  const off = 1e-9 * Math.max(Math.abs(value), 1e-6);
  for (const end of [lower, upper]) expect(Math.abs(end - value), what).toBeLessThanOrEqual(off);
}
