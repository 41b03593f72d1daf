/** Of every algorithm there is, what a plan and a release say of single persons is what asking for it comes to. */
import { describe, expect, test } from "vitest";
import { type Engine, open, Refusal, type Release } from "../../wasm/engine.ts";
import { ALGORITHMS, type AlgorithmName, labelsOf, rowOf } from "../../wasm/release/algorithms.ts";
import { numeric } from "./table/support.ts";

const engine: Engine = await open();

const LABELS = {
  numeric: { name: "y", use: "numeric", range: [-1, 1], missing: "drop" },
  classes: { name: "class", use: "classes", levels: ["no", "yes"], missing: "drop" },
  choice: { name: "class", use: "choice", levels: ["no", "yes"], missing: "drop" },
} as const;

const csv = `x,y,class\n${Array.from({ length: 400 }, (_, i) => {
  const x = Math.sin(i * 12.9898);
  return `${x},${x / 2},${x > 0 ? "yes" : "no"}`;
}).join("\n")}\n`;

/** What must be given, where the table of algorithms asks for it. */
const NEEDED = { loss: "logistic", lambda: 300, rows: 400, excessRisk: 0.2, components: 1 };
/** Noise is typed where looking for it takes seconds. */
const SKETCH = { sigma: 20, sketchSize: 50 };
const SAMPLE = { sigma: 20, sampleEpsilon: 1, sampleDelta: 1e-6, failure: 1e-6 };
const GIVEN: Partial<Record<AlgorithmName, object>> = {
  "dp-sgd": { steps: 3 },
  "linear-mixing": SKETCH,
  "gaussian-mixing": SKETCH,
  "logistic-mixing": SKETCH,
  "johnson-lindenstrauss": { ...SKETCH, failure: 1e-6, eigenvalueNoise: 20 },
  "output-perturbation-ridge": { sigma: 1 },
  "posterior-sampling": { sigma: 20 },
  "ops-ptr": SAMPLE,
  "adaptive-posterior-sampling": SAMPLE,
};

function request(name: AlgorithmName, more: object = {}, rows = 1) {
  const { asks } = ALGORITHMS[name];
  const { accuracyFirst, unlabelled } = rowOf(name);
  const given = Object.entries(NEEDED).filter(([key]) => key in asks);
  const algorithm: object = { name, ...Object.fromEntries(given), ...GIVEN[name] };
  const use = unlabelled ? undefined : labelsOf(algorithm as Parameters<typeof labelsOf>[0]).uses[0];
  const isVote = use === "choice";
  return {
    table: {
      unit: { protects: "row", rows },
      columns: isVote ? [] : [numeric("x", [-1, 1]), numeric("y", [-1, 1])].slice(0, unlabelled ? 2 : 1),
      label: use && LABELS[use as keyof typeof LABELS],
      ...(unlabelled && { intercept: 0 }),
      rowNorm: 1,
    },
    algorithm,
    budget: accuracyFirst
      ? { delta: 0 }
      : "sigma" in algorithm
        ? { delta: 1e-5 }
        : { epsilon: 2, delta: 1e-5 },
    seed: 3,
    ...more,
  };
}

const answers = async (asked: Promise<unknown>): Promise<boolean> => {
  try {
    await asked;
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
};

const asked = async (release: Release) => ({
  rows: await answers(engine.personalLosses(release, csv)),
  report: await answers(engine.report(release, undefined)),
  votes: await answers(engine.votersLoss(release, csv)),
});

describe.each(Object.keys(ALGORITHMS) as AlgorithmName[])("%s", (name) => {
  test("costs the same where its relation is said, as a ledger says it", () => {
    const { asks, accuracyFirst } = rowOf(name);
    for (const relation of "neighbours" in asks ? ["add-remove", "replace"] : [undefined]) {
      const { algorithm, ...asked } = request(name);
      const stated = relation && { neighbours: relation };
      const { description, epsilon, delta } = engine.plan({
        ...asked,
        algorithm: { ...algorithm, ...stated },
      });
      const level = accuracyFirst ? 0 : delta;
      const found = engine.epsilon({ ...description, neighbours: epsilon.neighbours }, level);
      expect(found.neighbours).toBe(relation ?? epsilon.neighbours);
      expect(found.lower).toBeLessThanOrEqual(epsilon.upper);
      expect(found.upper).toBeGreaterThanOrEqual(epsilon.lower);
    }
  });

  test("says what it has for single persons", async () => {
    const release = await engine.fit(csv, request(name));
    expect(release.persons).toEqual(await asked(release));
    // A test may refuse what was planned, and only that.
    if (!release.outcome) expect(engine.plan(request(name)).persons).toEqual(release.persons);
  });
});

/** So that a core that answers everything alike is noticed. */
test.each([
  ["ada-ssp", { rows: true, report: true, votes: false }],
  ["noisy-covariance", { rows: true, report: false, votes: false }],
  ["principal-subspace", { rows: false, report: false, votes: false }],
  ["covariance-noise-reduction", { rows: false, report: false, votes: false }],
  ["noisy-voting", { rows: false, report: false, votes: true }],
] as const)("%s has %j, and nothing for persons with several rows", (name, persons) => {
  expect(engine.plan(request(name)).persons).toEqual(persons);
  const nothing = { rows: false, report: false, votes: false };
  expect(engine.plan(request(name, {}, 3)).persons).toEqual(nothing);
});

describe("a tuned release", () => {
  const tune = { candidates: [{ lambda: 10 }, { lambda: 100 }], expectedRuns: 3 };
  const tuned = request("output-perturbation", { tune });

  test("has neither, and says so", async () => {
    const release = await engine.fit(csv, tuned);
    expect(release.persons).toEqual({ rows: false, report: false, votes: false });
    expect(engine.plan(tuned).persons).toEqual(release.persons);
    expect(await asked(release)).toEqual(release.persons);
  });

  test("is not taken for the same request without tuning, asked right before", async () => {
    const chosen = await engine.fit(csv, tuned);
    // Without the parameters that were found, both are asked as they were: they differ in the tuning alone.
    const { tune: _, ...request } = chosen.request;
    const plain = { ...(await engine.fit(csv, request)), parameters: {} };
    expect(await answers(engine.report(plain, undefined))).toBe(true);
    expect(await answers(engine.report({ ...chosen, parameters: {} }, undefined))).toBe(false);
    expect(await answers(engine.personalLosses(plain, csv))).toBe(true);
    expect(await answers(engine.personalLosses({ ...chosen, parameters: {} }, csv))).toBe(false);
  });
});

test("a seed makes a demonstration, of a plan, a release and a report", async () => {
  const { seed: _, ...secret } = request("ada-ssp");
  for (const [one, isPrivate] of [
    [request("ada-ssp"), false],
    [secret, true],
  ] as const) {
    const release = await engine.fit(csv, one);
    const report = await engine.report(release, undefined);
    expect([engine.plan(one).private, release.private, report.private]).toEqual(Array(3).fill(isPrivate));
  }
});

test("so does the seed of the model where only what is published beside it was drawn secretly", async () => {
  const logistic = request("approximate-minima-perturbation");
  const { seed: _, ...secret } = logistic;
  const noise = { gradient: 5 };
  const made = async (one: object, more: object) =>
    (await engine.report(await engine.fit(csv, one), csv, { noise, ...more })).private;
  expect(await made(secret, {})).toBe(true);
  expect(await made(logistic, {})).toBe(false);
  expect(await made(secret, { seed: 1 })).toBe(false);
});
