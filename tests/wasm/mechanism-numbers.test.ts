/** What mechanisms are made of, against a program that shares no formula with the core. */
import { describe, expect, test } from "vitest";
import { answer } from "../../wasm/batch.ts";
import { type InNumbers, type Interval, type MechanismQuestion, open } from "../../wasm/engine.ts";
import { holds, lines } from "./in-numbers.ts";
import { refused } from "./refused.ts";

const engine = await open();

const ask = (numbers: object): InNumbers => answer(engine, { ask: "mechanismNumbers", numbers }) as InNumbers;

/**
 * Chords and tangents enclose a wrong acceptance to (22 / 65536)^2, and their sums round by 2^-32 of it more. Coefficients are
 * known to be right by factors of rounding and the conditioning. All else is a few operations on doubles.
 */
const WIDEST: Readonly<Record<string, number>> = { "wrong-acceptance": 3e-7 };

/** Where terms of size 1 cancel to nothing; else the number itself. */
const sizeOf = (value: string) => (Number(value) === 0 ? 1e-4 : 0);

describe("the answer holds the truth and is narrow", () => {
  test.each(lines("mechanism_numbers").map(({ numbers, truth }) => [numbers.about, numbers, truth]))(
    "%s",
    (about, numbers, truth) => {
      const found = ask(numbers);
      expect(Object.keys(found).sort()).toEqual(Object.keys(truth).sort());
      const widest = WIDEST[about] ?? 1e-9;
      for (const [name, value] of Object.entries(truth)) {
        if (!Array.isArray(value)) holds(found[name], value as string, widest, name, sizeOf(value as string));
        else {
          expect(found[name], name).toHaveLength(value.length);
          // Entries of a matrix may cancel to less than its largest.
          const largest = Math.max(...value.map((one) => Math.abs(Number(one))));
          const size = about === "mixing-law" ? Math.max(largest, 1e-6) : 0;
          value.forEach((one, i) => void holds((found[name] as Interval[])[i], one, widest, name, size));
        }
      }
    },
  );
});

describe("answers agree with each other and with what runs", () => {
  test("the probabilities of all classes to win sum up to 1", () => {
    for (const classes of [2, 3, 10, 100]) {
      const votes = Array.from({ length: classes }, (_, i) => (i * 7919) % 50);
      const winning = ask({ about: "noisy-vote", votes, sigma: 9 }).winning as Interval[];
      const sum = (end: "lower" | "upper") => winning.reduce((total, one) => total + one[end], 0);
      expect(sum("lower")).toBeLessThanOrEqual(1 + classes * 2 ** -52);
      expect(sum("upper")).toBeGreaterThanOrEqual(1 - classes * 2 ** -52);
      expect(sum("upper") - sum("lower")).toBeLessThan(1e-11);
    }
  });

  test("a divergence of a vote is what voteLoss adds up", () => {
    const votes = [[60, 3, 2]];
    const sigma = 4;
    const { order, renyi } = engine.voteLoss(votes, { scale: sigma, delta: 1e-5 });
    const { upset } = ask({ about: "noisy-vote", votes: votes[0], sigma });
    const found = ask({ about: "vote-divergence", upset: (upset as Interval).upper, sigma, order }).renyi;
    // A sum of one term is rounded up once more.
    expect(renyi).toBeGreaterThanOrEqual((found as Interval).upper);
    expect(renyi).toBeLessThanOrEqual((found as Interval).upper * (1 + 2 ** -50));
  });

  test("noise on two numbers loses more often than noise on the gap, and what it tells is below 1 / scale", () => {
    for (const lead of [1, 2, 10, 200]) {
      const { losing, losingOfOneNoise, loss } = ask({ about: "two-class-vote", lead, scale: 3 });
      expect((losing as Interval).lower).toBeGreaterThan((losingOfOneNoise as Interval).upper);
      expect((loss as Interval).upper).toBeLessThan(1 / 3);
    }
  });
});

describe("what is refused, by name", () => {
  const accepted = { about: "wrong-acceptance", thresholdScale: 1, valueScale: 1, gap: 2, values: 5 };
  const law = {
    about: "mixing-law",
    features: [[1, 2]],
    labels: [1],
    dimension: 2,
    variance: 1,
    sketchSize: 4,
  };
  test.each([
    [{ about: "ridge" }, "about"],
    [{ about: "classic-test", epsilon: 1, delta: 0.6 }, "delta"],
    [{ about: "classic-test", epsilon: 1, delta: 0.1, gap: 1 }, "gap"],
    [{ about: "tested-divergence", order: 2, passing: 0, otherPassing: 0.5, renyi: 1 }, "passing"],
    [{ about: "tested-divergence", order: 2, passing: 0.5, otherPassing: 1, renyi: 1 }, "otherPassing"],
    [{ ...accepted, valueScale: 1e4 }, "valueScale"],
    [{ ...accepted, gap: 1000 }, "gap"],
    [{ ...accepted, values: 1.5 }, "values"],
    [{ about: "noise-path", epsilons: [1, 0.5], sensitivity: 1 }, "epsilons"],
    [{ about: "noise-path", epsilons: [], sensitivity: 1 }, "epsilons"],
    [{ about: "two-class-vote", lead: 1e4, scale: 1 }, "lead"],
    [{ about: "two-class-vote", lead: 1, scale: 0 }, "scale"],
    [{ about: "noisy-vote", votes: [1], sigma: 1 }, "votes"],
    [{ about: "vote-divergence", upset: 0.1, sigma: 10, order: 1 }, "order"],
    [{ about: "vote-test", epsilon: 11, delta: 1e-5 }, "epsilon"],
    [{ ...law, sketchSize: 3 }, "sketchSize"],
    [{ ...law, features: [[1]] }, "features"],
    [{ about: "logistic-parabola", range: 0 }, "range"],
  ] as [MechanismQuestion, string][])("%j", (numbers, field) => {
    expect(refused(() => engine.mechanismNumbers(numbers)).split(" ")[1]).toBe(field);
  });
});
