import { expect, test } from "vitest";
import { step } from "../../web/src/question/arrow-steps.ts";

test("1-2-5 per decade, both ways", () => {
  const up = [1];
  for (let i = 0; i < 4; i++) up.push(step(up.at(-1) ?? 0, 1, false, false));
  expect(up).toEqual([1, 2, 5, 10, 20]);
  expect(step(1e-5, -1, false, false)).toBe(5e-6);
  expect(step(1e-5, 1, false, false)).toBe(2e-5);
});
test("from between the rungs to the next one", () => {
  expect(step(3, 1, false, false)).toBe(5);
  expect(step(3, -1, false, false)).toBe(2);
  expect(step(4.3772, 1, false, false)).toBe(5);
});
test("a decade with Shift", () => {
  expect(step(3, 1, true, false)).toBe(30);
  expect(step(1e-5, -1, true, false)).toBe(1e-6);
});
test("whole numbers stay whole and at least 1", () => {
  expect(step(1, -1, false, true)).toBe(1);
  expect(step(2, -1, false, true)).toBe(1);
  expect(step(5, 1, false, true)).toBe(10);
});
test("zero and infinity stay in range", () => {
  expect(step(0, -1, false, false)).toBe(0);
  expect(step(0, 1, false, false)).toBe(0.1);
  expect(step(Number.POSITIVE_INFINITY, 1, false, false)).toBe(Number.POSITIVE_INFINITY);
});
