/** Honest tuning through the engine: what may be tuned, what all runs cost, and what is said of the winner. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import create from "../../build/wasm/full.mjs";
import { isOptional } from "../../wasm/engine/shape.ts";
import { type Engine, fitSchema, open } from "../../wasm/engine.ts";
import { ALGORITHMS, type AlgorithmName, rowOf } from "../../wasm/release/algorithms.ts";
import { checkRequest, asked as coreQuestion } from "../../wasm/release/fit-request.ts";
import { tuningPrice, tuningWinner } from "../../web/src/words/tuning.ts";
import { refused } from "./refused.ts";
import { numeric } from "./table/support.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await open();
});

const LABELS = {
  numeric: { name: "y", use: "numeric", range: [-25, 25], missing: "drop" },
  classes: { name: "class", use: "classes", levels: ["no", "yes"], missing: "drop" },
};

const output = { name: "output-perturbation", loss: "logistic", lambda: 10 };
const candidates = [{ lambda: 1e-3 }, { lambda: 10 }];

const request = (tune: object, algorithm: object = output, label: keyof typeof LABELS = "classes") => ({
  table: {
    unit: { protects: "row", rows: 1 },
    columns: [numeric("x", [-10, 10])],
    label: LABELS[label],
    rowNorm: 1,
  },
  algorithm,
  tune,
  budget: { epsilon: 8, delta: 1e-5 },
  seed: 3,
});

/** The class is the sign of x. No number in it is random. */
const csv = `x,y,class\n${Array.from({ length: 500 }, (_, i) => {
  const x = Math.sin(i * 12.9898) * 10;
  return `${x},${2 * x},${x > 0 ? "yes" : "no"}`;
}).join("\n")}\n`;

describe("a tuned release", () => {
  test("keeps the budget with all runs, and names the winner and its score, but not how many runs there were", async () => {
    const asked = request({ candidates, expectedRuns: 12 });
    const release = await engine.fit(csv, asked);
    expect(release.epsilon.upper).toBeLessThanOrEqual(8);
    expect(release.description).toMatchObject({ kind: "private-selection", runs: 12, stopping: "geometric" });
    expect(release.description).toEqual(engine.plan(asked).description);
    expect(engine.delta(release.description, 8).upper).toBeLessThanOrEqual(1e-5);
    expect(Object.keys(release.released)).toEqual(["score", "candidate"]);
    expect(release.released.candidate).toEqual([1]);
    expect(release.parameters.lambda).toBe(10);
    expect(release.intervals?.unknown).toBe("not-told");
    expect(tuningWinner(release)).toContain(
      "Of the 2 values of the regularisation λ that were tried, λ = 10 won: its score is ",
    );
    expect(tuningPrice(release)).toContain("12 on average");
  });

  test("is the same for the same seed, and another fit for another number of runs", async () => {
    const once = await engine.fit(csv, request({ candidates, expectedRuns: 5 }));
    expect(await engine.fit(csv, request({ candidates, expectedRuns: 5 }))).toEqual(once);
    expect(once.request.tune?.score).toBe("misclassified");
    expect(engine.plan(request({ candidates })).request.tune?.expectedRuns).toBe(6);
    expect((await engine.fit(csv, once.request)).coefficients).toEqual(once.coefficients);
  });

  test("has no report, and no prices of persons", async () => {
    const release = await engine.fit(csv, request({ candidates }));
    await expect(engine.personalLosses(release, csv)).rejects.toMatchObject({ field: "tune" });
    await expect(engine.report(release, undefined)).rejects.toMatchObject({ field: "tune" });
  });

  test("about replaced rows says so", () => {
    const plan = engine.plan(request({ candidates }, { ...output, neighbours: "replace" }));
    expect(plan.epsilon.neighbours).toBe("replace");
    expect(plan.epsilon.upper).toBeLessThanOrEqual(8);
  });

  test("of one expected run is that run", () => {
    const { description } = engine.plan(request({ candidates, expectedRuns: 1 }));
    expect(engine.epsilon(description, 1e-5).upper).toBeGreaterThan(8 - 1e-3);
  });
});

describe("what can be tuned", () => {
  const NUMBERS: Partial<Record<AlgorithmName, object>> = {
    "dp-sgd": { steps: 3 },
    "ada-ssp": { releases: 2 },
    "covariance-laplace": { norm: "l1" },
    "output-perturbation": { lambda: 200 },
    "approximate-minima-perturbation": { lambda: 200 },
    "output-perturbation-ridge": { lambda: 200 },
  };

  // Those whose plans are quick; the others are tuned by the same few lines.
  test.each(Object.keys(NUMBERS) as AlgorithmName[])("%s, within its budget", (name) => {
    const { asks } = ALGORITHMS[name];
    const classes = "loss" in asks;
    const given = Object.entries({ loss: "logistic", rows: 500, lambda: 100 }).filter(([key]) => key in asks);
    const asked = request(
      { candidates: [NUMBERS[name], {}] },
      { name, ...Object.fromEntries(given) },
      classes ? "classes" : "numeric",
    );
    const plan = engine.plan(asked);
    expect(plan.epsilon.upper).toBeLessThanOrEqual(8);
    expect(plan.needs).toBe("rows");
    expect(tuningPrice(plan)).toContain("2 candidates");
  });
});

describe("what every candidate gives need not be given once more", () => {
  const GIVEN: Readonly<Record<string, number>> = { rows: 500, lambda: 100 };
  const accepts = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false }).compile(fitSchema);
  const needed = (Object.keys(ALGORITHMS) as AlgorithmName[]).flatMap((name) =>
    Object.entries(ALGORITHMS[name].asks).flatMap(([key, shape]) =>
      isOptional(shape) || key === "loss" || rowOf(name).untuned ? [] : [[name, key] as const],
    ),
  );

  test.each(needed)("%s: %s", (name, key) => {
    const { asks } = ALGORITHMS[name];
    const own = Object.entries({ loss: "logistic", ...GIVEN }).filter(([one]) => one in asks && one !== key);
    const algorithm = { name, ...Object.fromEntries(own) };
    const both = [GIVEN[key] as number, 200].map((value) => ({ [key]: value }));
    const label = "loss" in asks || rowOf(name).loss === "logistic" ? "classes" : "numeric";
    const asked = (tune: object) => request(tune, algorithm, label);
    expect(accepts(asked({ candidates: both }))).toBe(true);
    expect(checkRequest(asked({ candidates: both }))).toEqual(
      checkRequest(request({ candidates: both }, { ...algorithm, [key]: GIVEN[key] }, label)),
    );
    const missing = `missing algorithm.${key}`;
    expect(refused(() => engine.plan(asked({ candidates: [both[0], {}] })))).toBe(missing);
    expect(refused(() => engine.plan({ ...asked({}), tune: undefined }))).toBe(missing);
    expect(accepts({ ...asked({}), tune: undefined })).toBe(false);
    const below = both.map(() => ({ [key]: -1 }));
    expect(refused(() => engine.plan(asked({ candidates: below })))).toBe(`range tune.candidates.0.${key}`);
  });

  test("nor what the loss needs; the release stands for its request, and has a model without privacy", async () => {
    const huber = { name: "output-perturbation", loss: "huber", lambda: 10 };
    const asked = request({ candidates: [{ threshold: 0.5 }, { threshold: 1 }], expectedRuns: 2 }, huber);
    const release = await engine.fit(csv, asked);
    await expect(engine.fitWithoutPrivacy(csv, asked)).resolves.toBeDefined();
    expect(release.epsilon.upper).toBeLessThanOrEqual(8);
    expect((await engine.fit(csv, release.request)).coefficients).toEqual(release.coefficients);
    const chosen = { candidates: [{ accounting: "paper" }, { accounting: "tight" }] };
    expect(checkRequest(request(chosen)).algorithm.accounting).toBeUndefined();
    const half = { candidates: [{ threshold: 0.5 }, {}] };
    expect(refused(() => engine.plan(request(half, huber)))).toBe("missing threshold");
  });
});

describe("what has no model of a budget cannot be tuned", () => {
  const untuned = (Object.keys(ALGORITHMS) as AlgorithmName[]).filter((name) => rowOf(name).untuned);

  test.each(untuned)("%s is refused by the engine, and by the core too", async (name) => {
    const { asks } = ALGORITHMS[name];
    const { accuracyFirst, unlabelled, labels, loss } = rowOf(name);
    const given = { excessRisk: 0.2, lambda: 10, rows: 500, components: 1 };
    const algorithm = {
      name,
      ...Object.fromEntries(Object.entries(given).filter(([key]) => key in asks)),
    };
    const isVote = labels?.includes("choice");
    const label = isVote
      ? { ...LABELS.classes, use: "choice" }
      : LABELS[loss === "logistic" ? "classes" : "numeric"];
    const asked = (more: object) => ({
      ...request(undefined as never, algorithm),
      table: {
        unit: { protects: "row", rows: 1 },
        columns: isVote
          ? []
          : [numeric("x", [-10, 10]), numeric("y", [-25, 25])].slice(0, unlabelled ? 2 : 1),
        ...(!unlabelled && { label }),
        rowNorm: 1,
      },
      tune: undefined,
      budget: accuracyFirst ? { delta: 0 } : { epsilon: 8, delta: 1e-5 },
      ...more,
    });
    const tune = { candidates: [{}, {}], score: "misclassified", expectedRuns: 3, scoreShare: 0.1 };
    expect(refused(() => engine.plan(asked({ tune })))).toBe("unsupported tune");
    const question = coreQuestion(checkRequest(asked({})));
    const core = await create();
    expect(core.plan(question, null, 1)).not.toHaveProperty("refusal");
    expect(core.plan({ ...question, epsilon: 8, delta: 1e-5, tune }, null, 1)).toHaveProperty("refusal");
  });
});

describe("refusals name the field", () => {
  test.each([
    [{ candidates: [] }, "range tune.candidates"],
    [{ candidates: [1] }, "type tune.candidates.0"],
    [{ candidates: [{ lambda: [1] }] }, "type tune.candidates.0.lambda"],
    [{ candidates: [{}, { lambda: -1 }] }, "range tune.candidates.1.lambda"],
    [{ candidates: [{ lambada: 1 }] }, "unknown tune.candidates.0.lambada"],
    [{ candidates: [{ name: "dp-sgd" }] }, "unsupported tune.candidates.0.name"],
    [{ candidates: [{ loss: "huber", threshold: 1 }] }, "unsupported tune.candidates.0.loss"],
    [{ candidates: [{ sigma: 1 }] }, "range tune.candidates.0.sigma"],
    [{ candidates, expectedRuns: 0 }, "range tune.expectedRuns"],
    [{ candidates, expectedRuns: 1.5 }, "range tune.expectedRuns"],
    [{ candidates, score: "accuracy" }, "unknown tune.score"],
    [{ candidates, score: "squared-error" }, "unsupported tune.score"],
    [{ candidates, scoreShare: 1 }, "range tune.scoreShare"],
    [{ candidates, runs: 3 }, "unknown tune.runs"],
  ])("%j", (tune, refusal) => {
    expect(refused(() => engine.plan(request(tune)))).toBe(refusal);
  });

  test("noise is for tuning to find", () => {
    const asked = { ...request({ candidates }), budget: { delta: 1e-5 } };
    expect(refused(() => engine.plan(asked))).toBe("missing budget.epsilon");
  });
});

test("the schema takes what the engine takes", () => {
  const accepts = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false }).compile(fitSchema);
  expect(accepts(request({ candidates }))).toBe(true);
  expect(accepts(request({ candidates: [{ learningRate: 1, steps: 3 }] }))).toBe(true);
  for (const tune of [{}, { candidates: [] }, { candidates: [{ lambda: "1" }] }, { candidates, runs: 1 }])
    expect(accepts(request(tune))).toBe(false);
});
