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

/** The truths have 25 digits, of which doubles keep 17: two units more. `size`: of what the sums are made of. */
export function holds(found: unknown, truth: string, widest = 1e-9, what = "", size = 1e-6): void {
  const { lower, upper } = found as Interval;
  const value = Number(truth);
  const unit = 2 ** -52 * Math.abs(value);
  expect(lower, what).toBeLessThanOrEqual(value + unit);
  expect(upper, what).toBeGreaterThanOrEqual(value - unit);
  // Sums of terms of size 1 may cancel to less.
  expect(upper - lower, what).toBeLessThanOrEqual(widest * Math.max(Math.abs(value), size));
}
