/**
 * What is refused was typed: whatever ends of its ranges an algorithm is asked for, the refusal names a field of that very
 * request, with the value that it has there, or one that is missing.
 */
import { expect, test } from "vitest";
import { type FitRequest, open, Refusal } from "../../wasm/engine.ts";
import { type AlgorithmName, rowOf } from "../../wasm/release/algorithms.ts";
import { NAMES, request } from "./every-algorithm.ts";
import { numeric } from "./table/support.ts";

const engine = await open();

type Fields = Readonly<Record<string, unknown>>;

function valueAt(asked: unknown, path: string): unknown {
  const enter = (inside: unknown, key: string) => (inside as Fields | undefined)?.[key];
  return path.split(".").reduce(enter, asked);
}

function withValue<T>(asked: T, path: string, value: unknown): T {
  const copy = structuredClone(asked);
  const keys = path.split(".");
  const last = keys.pop() as string;
  (valueAt(copy, keys.join(".")) as Record<string, unknown>)[last] = value;
  return copy;
}

/** Why the refusal is of something that is not there, if it is. */
function fault(asked: object): string | undefined {
  try {
    engine.plan(asked as FitRequest);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) return String(error);
    const there = valueAt(asked, error.field);
    if (error.kind === "missing") return there === undefined ? undefined : `is there: ${error}`;
    if (there === undefined) return `nobody typed it: ${error}`;
    if (typeof there === "number" && Number(error.value) !== there) return `it is ${there}: ${error}`;
    // Names of descriptions, of the noise's grid and of searches.
    const isInternal = /\b(mechanism|gamma|residual|bound =|grid|tried|featureBound|labelBound)\b/.test(
      error.rule,
    );
    return isInternal ? `of nothing that is asked: ${error}` : undefined;
  }
}

/** What follows from whole searches takes seconds for these, and their prices a good part of one. */
const isSlow = (name: AlgorithmName) =>
  name === "posterior-sampling" || "sketchSize" in rowOf(name).asks || "sampleEpsilon" in rowOf(name).asks;

/** Of no row, of hardly any, and out of reach. */
const deltas = (name: AlgorithmName) => (isSlow(name) ? [1e-300] : [1e-300, 1e-100, 1e-14, 0.5]);

function endsOf(schema: Fields): readonly unknown[] {
  if (schema.enum) return schema.enum as unknown[];
  const { minimum, maximum, type } = schema as { minimum: number; maximum: number; type: string };
  if (minimum === undefined) return [0, 0.001, 0.9];
  const inner = type === "integer" ? [minimum + 1] : [1e-3, 1, 1e6];
  return [minimum, maximum, ...inner.filter((one) => one > minimum && one < maximum)];
}

function requestsOf(name: AlgorithmName): readonly object[] {
  const { noise, asks, accuracyFirst } = rowOf(name);
  const usual = request(name);
  const given = usual.algorithm as Fields;
  const typed = {
    ...usual,
    algorithm: { ...given, [noise]: given[noise] ?? 20 },
    budget: { delta: accuracyFirst ? 0 : 1e-5 },
  };
  // Found for a budget.
  const found = [noise, "sampleEpsilon", "sampleDelta", "failure", "eigenvalueNoise"];
  const rest = Object.fromEntries(Object.entries(given).filter(([key]) => !found.includes(key)));
  const kept = {
    ...usual,
    algorithm: accuracyFirst ? given : rest,
    budget: accuracyFirst ? { delta: 0 } : { epsilon: 2, delta: 1e-5 },
  };
  const bases = isSlow(name) ? [typed] : [typed, kept];
  const ends = bases.flatMap((base) =>
    Object.entries(asks).flatMap(([key, shape]) =>
      (key === "sampleDelta" ? [] : endsOf(shape.schema)).map((value) =>
        withValue(base, `algorithm.${key}`, value),
      ),
    ),
  );
  const bounds = bases.flatMap((base) => [
    withValue(base, "table.rowNorm", 1e-6),
    withValue(base, "table.intercept", 1000),
    ...("range" in (usual.table.label ?? {})
      ? [1e-300, 1e-12, 1e12].map((most) => withValue(base, "table.label.range", [0, most]))
      : []),
    withValue(
      base,
      "table.columns",
      Array.from({ length: 600 }, (_, i) => numeric(`x${i}`, [-1, 1])),
    ),
  ]);
  if (accuracyFirst) return [...ends, ...bounds, { ...kept, budget: { epsilon: 1, delta: 0 } }];
  const budgets = "sketchSize" in asks ? [] : deltas(name).map((delta) => ({ epsilon: 2, delta }));
  return [...ends, ...bounds, ...budgets.map((budget) => ({ ...kept, budget }))];
}

const minima = (more: object, budget: object) => {
  const usual = request("approximate-minima-perturbation");
  const { lambda: _, ...algorithm } = usual.algorithm as { lambda?: number };
  return { ...usual, algorithm, budget, ...more };
};

/** Each by the path that is at fault, the value that stands there, and a rule to act on. */
test.each<[string, object, RegExp]>([
  [
    "an ε that no noise keeps",
    {
      ...request("output-perturbation-ridge"),
      algorithm: { name: "output-perturbation-ridge", lambda: 300, rows: 400 },
      budget: { epsilon: 2, delta: 1e-300 },
    },
    /^Refusal: budget\.epsilon = 2: cannot be kept at delta = 1e-300, all else as it is asked: no noise from /,
  ],
  [
    "noise that is too little",
    { ...request("linear-mixing"), algorithm: { name: "linear-mixing", sketchSize: 50, sigma: 1e12 } },
    /^Refusal: algorithm\.sigma = 1000000000000: must be smaller: so much noise /,
  ],
  [
    "a part of the budget for whitening",
    minima(
      { algorithm: { name: "approximate-minima-perturbation", loss: "logistic", whiten: 1e-6 } },
      { epsilon: 1, delta: 1e-6 },
    ),
    /^Refusal: algorithm\.whiten = 0\.000001: must be 0 or a number from 0\.001 to 0\.9$/,
  ],
  [
    "the paper's noise for several rows of a person",
    {
      ...request("output-perturbation", {}, 3),
      algorithm: { name: "output-perturbation", loss: "logistic", lambda: 300, accounting: "paper" },
      budget: { epsilon: 6, delta: 1e-5 },
    },
    /^Refusal: budget\.epsilon = 6: must be at most 3 with the paper's accounting: /,
  ],
  [
    "an ε where an accuracy is kept",
    { ...request("covariance-noise-reduction"), budget: { epsilon: 1, delta: 0 } },
    /^Refusal: budget\.epsilon = 1: must be left out: an accuracy is kept/,
  ],
  [
    "a budget of a run",
    minima(
      { tune: { candidates: [{ gradientBound: 0.1 }, { gradientBound: 0.2 }] } },
      { epsilon: 1e-6, delta: 1e-5 },
    ),
    /^Refusal: budget\.epsilon = 0\.000001: leads to epsilon = .* within a run of candidate 0/,
  ],
])("%s is refused by what was typed", (_, asked, said) => {
  const refusal = (() => {
    try {
      return engine.plan(asked as FitRequest);
    } catch (error) {
      return String(error);
    }
  })();
  expect(refusal).toMatch(said);
});

test("a calibration that finds nothing refuses what was asked for", () => {
  const laplace = { kind: "laplace", scale: 1, sensitivity: 1 } as const;
  const refusal = (ask: () => unknown) => {
    try {
      return ask();
    } catch (error) {
      return error;
    }
  };
  const target = { epsilon: 1e-300, delta: 0 };
  const rule = expect.stringMatching(
    /^cannot be kept.*: no scale from 1e-100 to 1e\+100 was found that does$/,
  );
  expect(refusal(() => engine.calibrate(laplace, "scale", target))).toMatchObject({
    field: "epsilon",
    value: "1e-300",
    rule,
  });
  const compared = { parameter: "scale", epsilon: 1e-300, delta: 1e-300 };
  expect(refusal(() => engine.compare(laplace, compared))).toMatchObject({
    field: "epsilon",
    value: "1e-300",
    rule,
  });
  const risk = { measure: "advantage", limit: 1e-300 } as const;
  expect(refusal(() => engine.calibrateRisk(laplace, "scale", risk))).toMatchObject({
    field: "limit",
    value: "1e-300",
    rule,
  });
});

test.each(NAMES)("what is refused of %s was typed", (name) => {
  const faults = requestsOf(name).flatMap((asked) => fault(asked) ?? []);
  expect(faults).toEqual([]);
});
