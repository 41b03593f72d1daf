/** Numbers by text beyond what one map holds. */
import { expect, test } from "vitest";
import { ManyNumbers } from "../../../wasm/table/many-numbers.ts";

test("numbers are found and replaced, whichever map they are in", () => {
  const numbers = new ManyNumbers(3);
  const keys = Array.from({ length: 20 }, (_, i) => `person ${i}`);
  for (const [i, key] of keys.entries()) numbers.set(key, i);
  for (const [i, key] of keys.entries()) expect(numbers.get(key)).toBe(i);
  for (const key of keys) numbers.set(key, (numbers.get(key) as number) + 100);
  for (const [i, key] of keys.entries()) expect(numbers.get(key)).toBe(i + 100);
  expect(numbers.get("__proto__")).toBeUndefined();
  expect(numbers.get("person")).toBeUndefined();
});
