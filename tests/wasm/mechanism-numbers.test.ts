/** What mechanisms are made of, against a program that shares no formula with the core. */
import { describe, expect, test } from "vitest";
import { answer } from "../../wasm/batch.ts";
import { type InNumbers, type Interval, type MechanismQuestion, open } from "../../wasm/engine.ts";
import { holds, type Line, lines } from "./in-numbers.ts";
import { refused } from "./refused.ts";

const engine = await open();

const ask = (numbers: object): InNumbers => answer(engine, { ask: "mechanismNumbers", numbers }) as InNumbers;

/**
 * Chords and tangents enclose a wrong acceptance to (22 / 65536)^2, and their sums round by 2^-32 of it more. Coefficients are
 * known to be right by factors of rounding and the conditioning. A sketch beside a released eigenvalue is a composition, whose
 * epsilon is sought to 1e-5: here no delta falls by more than a factor of e^100 for each unit of epsilon, 1e-3 of itself. All else
 * is a few operations on doubles.
 */
const widestOf = ({ about, mu }: Line["numbers"]): number =>
  about === "wrong-acceptance" ? 3e-7 : mu === undefined ? 1e-9 : 1e-3;

/** Where terms of size 1 cancel to nothing; else the number itself. */
const sizeOf = (value: string) => (Number(value) === 0 ? 1e-4 : 0);

describe("the answer holds the truth and is narrow", () => {
  test.each(lines("mechanism_numbers").map(({ numbers, truth }) => [numbers.about, numbers, truth]))(
    "%s",
    (about, numbers, truth) => {
      const found = ask(numbers);
      expect(Object.keys(found).sort()).toEqual(Object.keys(truth).sort());
      const widest = widestOf(numbers);
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

  test("no chance of an upset is below 0, however certain the winner is", () => {
    for (const sigma of [0.001, 1, 1e6])
      for (const votes of [
        [0, 0],
        [1e6, 0],
        [5, 5, 5],
      ]) {
        const found = ask({ about: "noisy-vote", votes, sigma });
        for (const name of ["upset", "upsetUp", "upsetDown"])
          if (name in found) expect((found[name] as Interval).lower, name).toBeGreaterThanOrEqual(0);
      }
  });

  test("no round is asked after the last one", () => {
    const asked = {
      about: "doubling",
      sensitivity: 1,
      excessRisk: 1,
      rounds: 3,
      failure: 0.25,
      firstEpsilon: 1,
    };
    expect(() => ask({ ...asked, round: 3 })).not.toThrow();
    expect(() => ask({ ...asked, round: 4 })).toThrow("round = 4: must be a number from 1 to 3");
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

  test("a sketch costs what its worse direction does, which the published price and a larger leverage exceed", () => {
    const at = (numbers: InNumbers, name: string) => numbers[name] as Interval;
    for (const sketchSize of [1, 7, 400]) {
      let before = { lower: 0, upper: 0 };
      for (const leverage of [2 ** -20, 2 ** -7, 0.125, 0.375, 0.75]) {
        const sketch = { kind: "gaussian-mixing", sketchSize, gamma: 1 / leverage } as const;
        const asked = { about: "sketch-pair", sketchSize, leverage, epsilon: 0.25, delta: 1e-6, order: 1.25 };
        const found = ask(asked);
        const same = (name: string, whole: Interval) => {
          const worse = (end: "lower" | "upper") =>
            Math.max(at(found, `${name}Remove`)[end], at(found, `${name}Add`)[end]);
          // Where 1 / leverage is rounded, and by as much as that the question is asked more widely.
          expect(worse("lower")).toBeLessThanOrEqual(whole.upper * (1 + 1e-9));
          expect(worse("upper")).toBeGreaterThanOrEqual(whole.lower * (1 - 1e-9));
        };
        same("delta", engine.delta(sketch, 0.25));
        same("epsilon", engine.epsilon(sketch, 1e-6));
        expect(at(found, "deltaRemove").upper).toBeGreaterThanOrEqual(before.upper);
        before = at(found, "deltaRemove");
        // Published for sketches of which 2 gamma / 5 is above 1.
        expect("publishedEpsilon" in found).toBe(leverage < 0.4);
        if (leverage < 0.4)
          expect(at(found, "publishedEpsilon").lower).toBeGreaterThan(at(found, "epsilonRemove").upper);
        if (sketchSize !== 7 || leverage !== 0.125) continue;
        const beside = ask({ ...asked, mu: 0.25 });
        for (const name of [
          "deltaRemove",
          "deltaAdd",
          "epsilonRemove",
          "epsilonAdd",
          "renyiRemove",
          "renyiAdd",
        ])
          expect(at(beside, name).lower, name).toBeGreaterThan(at(found, name).upper);
      }
    }
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
    [{ about: "sketch-pair", leverage: 0.1 }, "sketchSize"],
    [{ about: "sketch-pair", sketchSize: 2.5, leverage: 0.1 }, "sketchSize"],
    [{ about: "sketch-pair", sketchSize: 3 }, "leverage"],
    [{ about: "sketch-pair", sketchSize: 3, leverage: 1 }, "leverage"],
    [{ about: "sketch-pair", sketchSize: 3, leverage: Number.NaN }, "leverage"],
    [{ about: "sketch-pair", sketchSize: 3, leverage: 0.75, mu: 1, epsilon: 1 }, "leverage"],
    [{ about: "sketch-pair", sketchSize: 3, leverage: 0.5, mu: 11, epsilon: 1 }, "mu"],
    [{ about: "sketch-pair", sketchSize: 3, leverage: 0.5, epsilon: -1 }, "epsilon"],
    [{ about: "sketch-pair", sketchSize: 3, leverage: 0.5, delta: 0 }, "delta"],
    [{ about: "sketch-pair", sketchSize: 3, leverage: 0.5, order: 1 }, "order"],
    [{ about: "sketch-pair", sketchSize: 3, leverage: 0.5, gamma: 2 }, "gamma"],
  ] as [MechanismQuestion, string][])("%j", (numbers, field) => {
    expect(refused(() => engine.mechanismNumbers(numbers)).split(" ")[1]).toBe(field);
  });
});
