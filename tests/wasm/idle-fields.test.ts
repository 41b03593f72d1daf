/**
 * A field that decides nothing is refused by its path, never taken without a word: each optional field of each algorithm is
 * changed, and where plan and release stay what they were, byte for byte, it must be refused. A guess of how many rows there
 * are may be told to any algorithm that asks for one, whether it makes anything of it or not.
 */
import { describe, expect, test } from "vitest";
import { type FitRequest, open, Refusal } from "../../wasm/engine.ts";
import { type AlgorithmName, type Asked, idleIn, rowOf, withoutIdle } from "../../wasm/release/algorithms.ts";
import { csv, NAMES, request } from "./every-algorithm.ts";

const engine = await open();

/** Two valid values of each, at which an algorithm differs that makes anything of them. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  accounting: ["tight", "paper"],
  gradientBound: [0.05, 0.1],
  rows: [200, 900],
  predictorScale: [0.5, 50],
  sketchSize: [40, 60],
  eigenvalueNoise: [3, 30],
  failure: [1e-7, 1e-8],
  lambda: [200, 400],
  whiten: [0.1, 0.3],
  noiseRatio: [1.5, 3],
  steps: [2, 5],
  rate: [0.5, 1],
  learningRate: [0.01, 0.02],
  momentum: [0.1, 0.5],
  sampleEpsilon: [0.5, 0.7],
  sampleDelta: [1e-7, 1e-6],
  gramShare: [0.2, 0.6],
  releases: [2, 3],
  levels: [10, 50],
  leastEpsilon: [0.1, 0.2],
  mostEpsilon: [50, 100],
  range: [1, 4],
  components: [1, 2],
  gapNoise: [5, 50],
  leastVotes: [1, 50],
  leastVotesScale: [3, 30],
};

/** What one of them is asked besides. */
const WAYS: Partial<Record<AlgorithmName, readonly object[]>> = {
  "approximate-minima-perturbation": [{}, { lambda: undefined, whiten: 0 }, { accounting: "paper" }],
  "dp-sgd": [{ steps: 200 }, { steps: 200, momentum: 0.2 }, { steps: 200, path: "released" }],
  "linear-mixing": [{}, { eigenvalue: "released", failure: 1e-6 }],
  "noisy-voting": [{}, { leastVotes: 10, leastVotesScale: 5 }, { noise: "laplace" }],
};

const without = (all: object, keys: readonly string[]) =>
  Object.fromEntries(
    Object.entries(all).filter(([key, value]) => value !== undefined && !keys.includes(key)),
  );

/** With its noise given, and, where that is found quickly, with a budget. */
function basesOf(name: AlgorithmName): readonly FitRequest[] {
  const { noise, asks, accuracyFirst } = rowOf(name);
  const usual = request(name);
  return (WAYS[name] ?? [{}]).flatMap((way) => {
    const asked = { ...usual.algorithm, ...way } as Asked;
    const typed = { ...asked, [noise]: asked[noise] ?? 20 };
    const priced = {
      ...usual,
      algorithm: withoutIdle(without(typed, []) as { name: AlgorithmName }, true),
      budget: { delta: accuracyFirst ? 0 : 1e-5 },
    };
    const found = [noise, "sampleEpsilon", "sampleDelta", "failure", "eigenvalueNoise"];
    const kept = { ...usual, algorithm: without(asked, found), budget: { epsilon: 0.9, delta: 1e-5 } };
    const needsLambda = "whiten" in asks && asked.lambda === undefined;
    return [...(needsLambda ? [] : [priced]), ...(accuracyFirst || "sketchSize" in asks ? [] : [kept])];
  }) as unknown as FitRequest[];
}

/** All that is told but the request itself, or why nothing is. */
async function told(asked: FitRequest): Promise<string | Refusal> {
  try {
    const plain = (answer: object) => JSON.stringify({ ...answer, request: undefined });
    return plain(engine.plan(asked)) + plain(await engine.fit(csv, asked));
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

describe.each(NAMES)("%s", (name) => {
  const { noise, asks } = rowOf(name);
  test("takes no field that decides nothing", async () => {
    const silent: string[] = [];
    for (const base of basesOf(name)) {
      const optional = [...Object.keys(asks), "accounting"].filter(
        (key) => ![noise, "loss", "rows"].includes(key),
      );
      for (const key of optional) {
        const values = (asks[key]?.schema.enum as readonly string[] | undefined) ?? VALUES[key] ?? [];
        const answers = new Set<string>();
        let answered = 0;
        for (const value of values) {
          const answer = await told({
            ...base,
            algorithm: { ...base.algorithm, [key]: value },
          } as FitRequest);
          if (answer instanceof Refusal) continue;
          answers.add(answer);
          answered++;
        }
        if (answered > 1 && answers.size === 1) silent.push(`${key} of ${JSON.stringify(base.algorithm)}`);
      }
    }
    expect(silent).toEqual([]);
  });

  test("says where what decides nothing", () => {
    const usual = request(name);
    const typed = { ...usual.algorithm, [noise]: (usual.algorithm as Asked)[noise] ?? 20 };
    for (const [key, why] of idleIn(name, { ...typed, accounting: "paper" }, true)) {
      const value = VALUES[key]?.at(-1);
      const asked = {
        ...usual,
        algorithm: { ...typed, accounting: key === "accounting" ? value : undefined, [key]: value },
        budget: { delta: 1e-5 },
      };
      const refusal = (() => {
        try {
          return engine.plan(asked as unknown as FitRequest);
        } catch (error) {
          return error;
        }
      })();
      if (key === "rows" || !idleIn(name, asked.algorithm, true).has(key)) continue;
      expect(refusal).toMatchObject({
        kind: "unsupported",
        field: `algorithm.${key}`,
        rule: `must be left out where ${why}: it decides nothing there`,
      });
    }
  });
});

describe("what an earlier build took", () => {
  const asked = (name: AlgorithmName, more: object, budget: object = { epsilon: 1, delta: 1e-6 }) => {
    const { algorithm, ...usual } = request(name);
    return {
      ...usual,
      algorithm: { ...without(algorithm, ["sigma"]), ...more },
      budget,
    } as unknown as FitRequest;
  };
  const rule = (question: FitRequest) => {
    try {
      engine.plan(question);
    } catch (error) {
      return String(error);
    }
    return "answered";
  };

  test.each<[string, FitRequest, string]>([
    [
      "the paper beside noise",
      asked("ada-ssp", { accounting: "paper", sigma: 9 }, { delta: 1e-5 }),
      'algorithm.accounting = "paper": must be left out where the noise is given',
    ],
    [
      "a ratio beside lambda",
      asked("approximate-minima-perturbation", { lambda: 9, noiseRatio: 2 }),
      "algorithm.noiseRatio = 2: must be left out where lambda is given",
    ],
    [
      "a scale beside lambda",
      asked("approximate-minima-perturbation", { lambda: 9, predictorScale: 2 }),
      "algorithm.predictorScale = 2: must be left out where lambda is given",
    ],
    [
      "a scale beside steps",
      asked("dp-sgd", { steps: 3, momentum: 0.5, predictorScale: 2 }),
      "algorithm.predictorScale = 2: must be left out where steps and momentum are given",
    ],
  ])("%s is refused with what to do", (_, question, said) => {
    expect(rule(question)).toContain(said);
  });

  test.each<[string, FitRequest]>([
    ["output perturbation", asked("output-perturbation", { rows: 400 })],
    ["minima", asked("approximate-minima-perturbation", { rows: 400 })],
    ["a sketch", asked("linear-mixing", { rows: 400, sketchSize: 50, sigma: 20 }, { delta: 1e-5 })],
  ])("a guess of the number of rows is taken of %s", (_, question) => {
    expect(rule(question)).toBe("answered");
  });

  test("what decides nothing in one candidate is refused there, and what does in none where it stands", () => {
    const tuned = (algorithm: object, candidates: readonly object[]) =>
      ({
        ...asked("approximate-minima-perturbation", { lambda: undefined, ...algorithm }),
        tune: { candidates },
      }) as unknown as FitRequest;
    expect(rule(tuned({}, [{ noiseRatio: 2, lambda: 9 }, { noiseRatio: 3 }]))).toContain(
      "tune.candidates.0.noiseRatio = 2: must be left out",
    );
    expect(rule(tuned({ predictorScale: 2 }, [{ lambda: 9 }, { lambda: 90 }]))).toContain(
      "algorithm.predictorScale = 2: must be left out",
    );
    expect(rule(tuned({ predictorScale: 2 }, [{ lambda: 9 }, { noiseRatio: 2 }]))).toBe("answered");
  });
});
