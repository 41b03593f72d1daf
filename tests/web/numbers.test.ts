import { describe, expect, test } from "vitest";
import { format, grouped, powerOfTen } from "../../web/src/words/numbers.ts";

const back = (text: string) => Number(text.replace("−", "-"));

describe("rounding errs to the safe side", () => {
  test("upward at the shown digits", () => {
    expect(format(4.376780001, 4, "up")).toBe("4.377");
    expect(format(4.3761, 4, "up")).toBe("4.377");
    expect(format(0.1000001, 3, "up")).toBe("0.101");
    expect(format(9.9991, 4, "up")).toBe("10");
    expect(format(1.0000000001e-7, 6, "up")).toBe("1.00001e-7");
  });
  test("a number with few digits stays", () => {
    expect(format(1e-5, 6, "up")).toBe("1e-5");
    expect(format(0.5, 2, "up")).toBe("0.5");
    expect(format(3, 6, "down")).toBe("3");
  });
  test("never on the wrong side, over all magnitudes", () => {
    let seed = 12345;
    const random = () => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return seed / 2 ** 32;
    };
    for (let i = 0; i < 20000; i++) {
      const value = (1 + random()) * 10 ** Math.floor(random() * 600 - 300);
      const digits = 1 + Math.floor(random() * 12);
      const [up, down] = [back(format(value, digits, "up")), back(format(value, digits, "down"))];
      expect(up).toBeGreaterThanOrEqual(value);
      expect(down).toBeLessThanOrEqual(value);
      expect(up - down).toBeLessThanOrEqual(10 ** (Math.floor(Math.log10(value)) - digits + 1) * 1.001);
    }
  });
  test("negative numbers too", () => {
    expect(back(format(-1.23456, 3, "up"))).toBe(-1.23);
    expect(back(format(-1.23456, 3, "down"))).toBe(-1.24);
  });
});

test("infinity, groups and powers", () => {
  expect(format(Number.POSITIVE_INFINITY, 4, "up")).toBe("∞");
  expect(format(Number.NaN)).toBe("?");
  expect(grouped(1234567)).toBe("1\u202f234\u202f567");
  expect(powerOfTen(-12)).toBe("10⁻¹²");
});
