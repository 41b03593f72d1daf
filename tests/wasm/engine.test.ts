/** The engine as its users meet it: answers, provenance, and refusals that name field, value and rule. */

import { beforeAll, describe, expect, test } from "vitest";
import type { KindEntry, Parameter } from "../../wasm/engine/catalogue.ts";
import { withValues } from "../../wasm/engine/kinds.ts";
import { type Description, type Engine, KINDS, type Kind, open, Refusal } from "../../wasm/engine.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await open();
});

const gaussian: Description = { kind: "gaussian", sigma: 1, sensitivity: 1 };

/** A description of the kind, from the catalogue's defaults. */
function example(kind: Kind): Description {
  if (kind === "composition") return { kind, of: [{ mechanism: gaussian, count: 10 }] };
  const value = (entry: Parameter) => ("default" in entry ? entry.default : gaussian);
  return { kind, ...withValues(kind, value) } as Description;
}

const kinds = Object.keys(KINDS) as Kind[];

function refusal(ask: () => unknown): Refusal {
  try {
    ask();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("was answered");
}

describe("answers", () => {
  test("twelve digits of the analytic Gaussian", () => {
    const { lower, upper, kind, neighbours, source } = engine.epsilon(gaussian, 1e-10);
    expect(lower).toBeLessThanOrEqual(6.54792406686495);
    expect(upper).toBeGreaterThanOrEqual(6.54792406686495);
    expect(upper / lower - 1).toBeLessThan(1e-13);
    expect({ kind, neighbours }).toEqual({ kind: "exact", neighbours: "add-remove" });
    expect(source).toMatch(/Balle and Wang 2018/);
  });

  test.each(kinds)("of %s, what is said to be exact has ends that differ by rounding only", (kind) => {
    const description = example(kind);
    const isTold = ({ lower, upper, kind }: { lower: number; upper: number; kind: string }) =>
      expect(kind !== "exact" || lower === upper || upper - lower <= 1e-9 * upper).toBe(true);
    for (const delta of [0, 1e-300, 1e-6, 0.5, 1 - 1e-9, 1 - 2 ** -53])
      isTold(engine.epsilon(description, delta));
    for (const epsilon of [0, 1e-17, 0.5, 3, 300]) isTold(engine.delta(description, epsilon));
    const { lower, upper, kind: worth } = engine.tradeOff(description, [0, 1e-12, 0.01, 1]);
    for (const [i, least] of lower.entries())
      isTold({ lower: least, upper: upper[i] as number, kind: worth });
  });

  test.each(kinds)("every question can be put to %s", (kind) => {
    const description = example(kind);
    const points = [-1, 0, 0.5, 3];
    const { lower, upper } = engine.profile(description, points);
    expect(lower).toHaveLength(points.length);
    points.forEach((epsilon, i) => {
      expect({ lower: lower[i], upper: upper[i] }).toEqual(pick(engine.delta(description, epsilon)));
    });
    expect(engine.epsilon(description, 1e-6).upper).toBeGreaterThan(0);
    expect(engine.renyi(description, [1.5, 8])[0]).toBeGreaterThan(0);
    const curve = engine.tradeOff(description, [0, 0.01, 1]);
    expect(curve.upper[1]).toBeGreaterThan(0.01);
    expect((curve.falseNegatives.lower[1] ?? 2) + (curve.upper[1] ?? 2)).toBeLessThanOrEqual(1);
    const broken = engine.compare(description, { delta: 1e-6 }).filter((row) => row.broken);
    expect(broken.every((row) => row.accountant === "textbook")).toBe(true);
  });

  const pick = ({ lower, upper }: { lower: number; upper: number }) => ({ lower, upper });

  test("no ε is enough for an infinite loss, and δ = 0 is pure privacy", () => {
    expect(engine.epsilon({ kind: "approximate", epsilon: 1, delta: 1e-3 }, 1e-4).upper).toBe(Infinity);
    expect(engine.epsilon(gaussian, 0).lower).toBe(Infinity);
    expect(engine.epsilon({ kind: "laplace", scale: 2, sensitivity: 1 }, 0).upper).toBe(0.5);
  });

  test("the neighbouring relation is part of question and answer", () => {
    expect(engine.delta({ ...gaussian, neighbours: "replace" }, 1).neighbours).toBe("replace");
    const response: Description = { kind: "randomized-response", categories: 3, epsilon: 1 };
    expect(engine.delta(response, 0.5).neighbours).toBe("replace");
    const mixed: Description = { kind: "composition", of: [{ mechanism: response, count: 1 }] };
    expect(engine.delta(mixed, 0.5).neighbours).toBe("replace");
    // Where nothing is said, the first relation that all parts have.
    const { kind, ...steps } = example("matrix") as Extract<Description, { kind: "matrix" }>;
    const parts = [{ kind, ...steps }, gaussian].map((mechanism) => ({ mechanism, count: 1 }));
    const shared = engine.delta({ kind: "composition", of: parts } as Description, 0.5);
    expect(shared.neighbours).toBe("zero-out");
    expect(engine.delta({ kind: "composition", of: parts.slice(1) } as Description, 0.5).neighbours).toBe(
      "add-remove",
    );
  });

  test("a found value says from where on every more private one keeps the promise", () => {
    const target = { epsilon: 16, delta: 1e-5 };
    const steady = engine.calibrate(gaussian, "sigma", target);
    expect(steady.lasting).toBe(steady.value);
    const whole = { kind: "discrete-gaussian", sigma: 1, sensitivity: 2 } as const;
    const found = engine.calibrate(whole, "sigma", target);
    expect(found.lasting).toBeGreaterThan(0.65);
    for (const sigma of [0.6123, 0.65])
      expect(engine.delta({ ...whole, sigma }, 16).lower).toBeGreaterThan(1e-5);
    expect(engine.delta({ ...whole, sigma: 0.6124 }, 16).upper).toBeLessThan(1e-5);
    // From another value another one is found, which keeps it with more noise.
    const other = engine.calibrate({ ...whole, sigma: 0.66 }, "sigma", target);
    expect(other.value).toBeGreaterThan(found.value);
    expect(other.epsilon.upper).toBeLessThanOrEqual(16);
    const sampled = { kind: "subsampled", sampling: "poisson", rate: 0.1, of: whole } as const;
    expect(engine.calibrate(sampled, "of.sigma", { epsilon: 1, delta: 1e-5 }).lasting).toBeNull();
  });

  test("compositions that no mechanism attains are bounds, and name what bounds them", () => {
    const choice = { kind: "exponential", epsilon: 1 } as const;
    const two = engine.delta({ kind: "composition", of: [{ mechanism: choice, count: 2 }] }, 1);
    expect(two.kind).toBe("certified");
    expect(two.lower).toBeLessThanOrEqual(0.057005329028488);
    expect(two.upper).toBeGreaterThanOrEqual(0.057005329028488);
    expect(two.source).toContain("Dong, Durfee and Rogers 2020");
    const mixed = engine.delta([choice, gaussian] as unknown as Description, 1);
    expect(mixed.kind).toBe("bound");
    expect(mixed.lower).toBeGreaterThan(0);
    expect(mixed.source).toContain("The least of");
  });

  test("a calibrated description keeps the promise, its insufficient neighbour does not", () => {
    const target = { epsilon: 1, delta: 1e-5 };
    const found = engine.calibrate(gaussian, "sigma", target);
    expect(found.value).toBeCloseTo(3.73063163481594, 11);
    expect(found.epsilon.upper).toBeLessThanOrEqual(1);
    expect(engine.delta(found.description, 1).upper).toBeLessThanOrEqual(1e-5);
    const insufficient = { ...gaussian, sigma: found.insufficient ?? Number.NaN };
    expect(engine.delta(insufficient, 1).lower).toBeGreaterThan(1e-5);
  });

  test("a number of which more is sometimes more private and sometimes less is not sought", () => {
    const random = { kind: "randomized-response", other: "random", categories: 8, epsilon: 1 } as const;
    const asked = { ...random, neighbours: "zero-out" } as const;
    // A pure epsilon of 0.62 with 2 categories, 0.55 with 3 and 0.81 with 8.
    const costs = [2, 3, 8].map((categories) => engine.epsilon({ ...asked, categories }, 0).upper);
    expect(costs[1]).toBeLessThan(Math.min(costs[0] as number, costs[2] as number));
    for (const ask of [
      () => engine.calibrate(asked, "categories", { epsilon: 0.65, delta: 0 }),
      () => engine.calibrateRisk(asked, "categories", { measure: "advantage", limit: 0.235 }),
    ])
      expect(ask).toThrow(/parameter.*of this one that is not so/);
    // Against another answer more of them are always more private.
    const { other: _, ...another } = { ...asked, neighbours: "replace" } as const;
    expect(engine.calibrate(another, "categories", { epsilon: 0.5, delta: 0.1 }).value).toBeGreaterThan(2);
  });

  test("a found value is as certain, and by the same theorem, as its own description is", () => {
    const once = (mechanism: Description, neighbours?: "replace"): Description => ({
      kind: "composition",
      of: [{ mechanism, count: 1 }],
      ...(neighbours && { neighbours }),
    });
    const sampled: Description = {
      kind: "subsampled",
      sampling: "without-replacement",
      rate: 0.01,
      neighbours: "replace",
      of: { kind: "gaussian", sigma: 1, sensitivity: 1, neighbours: "replace" },
    };
    const gdp: Description = { kind: "gdp", mu: 0.3 };
    for (const [asked, parameter, epsilon] of [
      [once({ kind: "laplace", scale: 3, sensitivity: 1 }), "of.0.count", 4],
      [once({ kind: "permute-and-flip", epsilon: 0.3 }), "of.0.count", 4],
      [once(sampled, "replace"), "of.0.count", 2],
      [{ kind: "private-selection", runs: 1, stopping: "geometric", of: gdp }, "runs", 2.5],
    ] as const) {
      const target = { epsilon, delta: 1e-5 };
      const found = engine.calibrate(asked, parameter, target);
      const { kind, source } = engine.epsilon(found.description, target.delta);
      expect(found).toMatchObject({ kind, source });
      if (asked.kind !== "composition") continue;
      expect(source).not.toBe(engine.epsilon(asked, target.delta).source);
      const risk = engine.calibrateRisk(asked, parameter, { measure: "advantage", limit: 0.6 });
      expect(risk.kind).toBe(engine.risk(risk.description, { measure: "advantage" }).kind);
    }
  });

  test("a count is calibrated to a whole number", () => {
    const many: Description = {
      kind: "composition",
      of: [{ mechanism: { ...gaussian, sigma: 30 }, count: 1 }],
    };
    const { value, insufficient } = engine.calibrate(many, "of.0.count", { epsilon: 1, delta: 1e-6 });
    expect(insufficient).toBe(value + 1);
    const cost = (count: number) =>
      engine.epsilon({ kind: "composition", of: [{ mechanism: { ...gaussian, sigma: 30 }, count }] }, 1e-6);
    expect(cost(value).upper).toBeLessThanOrEqual(1);
    expect(cost(value + 1).lower).toBeGreaterThan(1);
  });

  test("the textbook's calibration at ε = 10 is marked broken, with what it really gives", () => {
    const rows = engine.compare(gaussian, { parameter: "sigma", epsilon: 10, delta: 1e-5 });
    const textbook = rows.find((row) => row.accountant === "textbook");
    expect(textbook?.broken).toBe(true);
    expect(textbook?.actual.upper).toBeCloseTo(10.39, 2);
    expect(rows.filter((row) => row.broken)).toHaveLength(1);
  });
});

describe("refusals", () => {
  const asked = (description: unknown) => refusal(() => engine.delta(description as Description, 1));

  test.each<[string, unknown, string, string]>([
    ["unknown", { kind: "gauss" }, "kind", "must be one of gaussian"],
    ["unknown", { ...gaussian, colour: 1 }, "colour", "sigma, sensitivity"],
    ["missing", { kind: "gaussian", sigma: 1 }, "sensitivity", "must be given"],
    ["missing", { kind: "subsampled", of: gaussian }, "sampling", 'must be given: one of "poisson", '],
    ["range", { ...gaussian, sigma: -1 }, "sigma", "must be a positive number"],
    ["range", { ...gaussian, sigma: Number.NaN }, "sigma", "must be a positive number"],
    ["range", { ...gaussian, sigma: Infinity }, "sigma", "must be a positive number"],
    ["type", { ...gaussian, sigma: "1" }, "sigma", "must be a positive number"],
    ["type", { ...gaussian, sigma: null }, "sigma", "must be a positive number"],
    ["range", { kind: "discrete-laplace", scale: 1, sensitivity: 1.5 }, "sensitivity", "whole number"],
    ["unknown", { ...gaussian, neighbours: "everyone" }, "neighbours", `"add-remove", "replace", "zero-out"`],
    [
      "unsupported",
      { kind: "randomized-response", categories: 2, epsilon: 1, neighbours: "add-remove" },
      "neighbours",
      "replace only",
    ],
    ["range", { kind: "rdp", orders: [2, 2], epsilons: [1, 1] }, "orders.1", "above the number before it"],
    ["range", { kind: "rdp", orders: [2], epsilons: [1, 1] }, "orders", "as many as epsilons"],
    ["type", { kind: "rdp", orders: 2, epsilons: [1] }, "orders", "list of 1 to 1000 numbers"],
    ["range", { kind: "composition", of: [] }, "of", "1 to 100000 parts"],
    ["range", { kind: "composition", of: [{ mechanism: gaussian, count: 0 }] }, "of.0.count", "whole number"],
    [
      "type",
      { kind: "composition", of: [{ mechanism: 7, count: 1 }] },
      "of.0.mechanism",
      "an object with a kind",
    ],
    [
      "unknown",
      { kind: "composition", of: [{ mechanism: gaussian, count: 1, n: 1 }] },
      "of.0.n",
      "mechanism, count",
    ],
    ["type", null, "description", "an object with a kind"],
    ["type", "gaussian", "description", "an object with a kind"],
    [
      "unknown",
      JSON.parse('{"kind":"gaussian","sigma":1,"sensitivity":1,"__proto__":{"x":1}}'),
      "__proto__",
      "no such key",
    ],
    ["unknown", { kind: "constructor" }, "kind", "must be one of"],
  ])("%s: %j", (kind, description, field, rule) => {
    const refused = asked(description);
    expect(refused.kind).toBe(kind);
    expect(refused.field).toBe(field);
    expect(refused.value).not.toBe("");
    expect(refused.rule).toContain(rule);
  });

  test("parts about different neighbours do not compose", () => {
    const parts = [
      { ...gaussian, neighbours: "replace" },
      { ...gaussian, neighbours: "add-remove" },
    ];
    const refused = asked({ kind: "composition", of: parts.map((mechanism) => ({ mechanism, count: 1 })) });
    expect(refused.field).toBe("of.1.mechanism.neighbours");
  });

  test("nesting and size are bounded, and a refusal stays short", () => {
    let deep: unknown = gaussian;
    for (let i = 0; i < 1000; ++i) deep = { kind: "composition", of: [{ mechanism: deep, count: 1 }] };
    expect(asked(deep).rule).toContain("nested deeper");
    const long = asked({ kind: "x".repeat(1_000_000) });
    expect(long.value.length).toBeLessThan(100);
    expect(asked({ ...gaussian, ["k".repeat(1_000_000)]: 1 }).field.length).toBeLessThan(100);
  });

  test("arguments are checked like descriptions", () => {
    expect(refusal(() => engine.epsilon(gaussian, 1.5)).field).toBe("delta");
    expect(refusal(() => engine.epsilon(gaussian, "1e-5" as unknown as number)).kind).toBe("type");
    expect(refusal(() => engine.delta(gaussian, Number.NaN)).field).toBe("epsilon");
    expect(refusal(() => engine.profile(gaussian, [0, Number.NaN])).field).toBe("epsilons.1");
    expect(refusal(() => engine.renyi(gaussian, [1])).field).toBe("orders.0");
    expect(refusal(() => engine.tradeOff(gaussian, [2])).field).toBe("falsePositives.0");
    expect(refusal(() => engine.tradeOff(gaussian, 2 as unknown as number[])).field).toBe("falsePositives");
    const target = { epsilon: 1, delta: 1e-5 };
    expect(refusal(() => engine.calibrate(gaussian, "colour", target)).field).toBe("parameter");
    expect(refusal(() => engine.calibrate(gaussian, "of.0.count", target)).field).toBe("parameter");
    expect(refusal(() => engine.calibrate(gaussian, "sigma", { epsilon: -1, delta: 1e-5 })).field).toBe(
      "epsilon",
    );
    // Of the shape no negative value would be tried.
    const best = {
      kind: "private-selection",
      runs: 600,
      stopping: "negative-binomial",
      of: gaussian,
    } as const;
    expect(refusal(() => engine.calibrate({ ...best, shape: -0.5 }, "shape", target)).kind).toBe(
      "unsupported",
    );
    expect(refusal(() => engine.calibrate(gaussian, "sigma", { epsilon: 1, delta: 0 })).kind).toBe(
      "unreachable",
    );
  });

  test("ten thousand refusals leave the engine as it was", () => {
    const before = engine.delta(gaussian, 1);
    const hopeless = { epsilon: 1, delta: 0 };
    for (let i = 0; i < 10_000; ++i) refusal(() => engine.calibrate(gaussian, "sigma", hopeless));
    expect(engine.delta(gaussian, 1)).toEqual(before);
  });
});

describe("errata", () => {
  /** What the misprinted formulas say, from the Gaussian profile alone. */
  const printed: Partial<Record<Kind, (d: Record<string, number>, epsilon: number) => number>> = {
    "objective-perturbation": ({ lipschitz = 0, smoothness = 0, lambda = 0, sigma = 0 }, epsilon) =>
      2 *
      engine.delta({ kind: "gdp", mu: lipschitz / sigma }, epsilon - Math.log1p(-smoothness / lambda)).upper,
    "gaussian-mixing": ({ sketchSize: k = 0, gamma = 0 }, epsilon) =>
      Math.exp(-(((epsilon - k / (2 * gamma ** 2)) * gamma) ** 2) / (2 * k)),
    gaussian: ({ sigma = 0, sensitivity = 0 }, epsilon) =>
      1.25 * Math.exp(-(((epsilon * sigma) / sensitivity) ** 2)),
    // All variants promise an ε without any δ; one knows no noise on queries, and of two both scales are the same.
    "sparse-vector": ({ thresholdScale: s = 0, queryScale: b = 0, sensitivity = 0 }, epsilon) =>
      epsilon < sensitivity * (b > 1e-6 && b !== s ? Math.max(4 / s, 4 / (3 * b)) : 2 / s) ? 1 : 0,
    // The root of ε = R √(μ t) + μR²/(2 + 2μ) + μ (1 + t)/2 in √t, t = log(2/δ).
    "posterior-sampling": ({ leverage: mu = 0, residual = 0 }, epsilon) => {
      const b = residual * Math.sqrt(mu);
      const rest = epsilon - (b * b) / (2 + 2 * mu) - mu / 2;
      return 2 * Math.exp(-(((2 * rest) / (b + Math.sqrt(b * b + 2 * mu * rest))) ** 2));
    },
  };
  const entries = kinds.flatMap((kind) => {
    const entry: KindEntry = KINDS[kind];
    return (entry.errata ?? []).map((erratum) => [kind, erratum] as const);
  });

  test.each(entries)(
    "the printed formula of %s is below the truth of its counterexample",
    (kind, erratum) => {
      const { description, epsilon, printedDelta, trueDelta } = erratum.counterexample;
      const { lower, upper } = engine.delta(description as unknown as Description, epsilon);
      expect(description.kind).toBe(kind);
      expect(lower).toBeLessThanOrEqual(trueDelta * (1 + 1e-15));
      expect(upper).toBeGreaterThanOrEqual(trueDelta * (1 - 1e-15));
      expect(lower).toBeGreaterThan(100 * printedDelta);
      const numbers = description as Record<string, number>;
      const claimed = printed[kind]?.(numbers, epsilon) ?? Number.NaN;
      if (printedDelta === 0) expect(claimed).toBe(0);
      else expect(claimed / printedDelta).toBeCloseTo(1, 12);
    },
  );

  test("every published variant of sparse vectors that is not private has one", () =>
    expect(entries.filter(([kind]) => kind === "sparse-vector")).toHaveLength(4));

  test("every one is recomputed", () =>
    expect([...new Set(entries.map(([kind]) => kind))].sort()).toEqual(Object.keys(printed).sort()));
});

test("other accounts of the best of several runs are told by name, and each claims more", () => {
  const best: Description = {
    kind: "private-selection",
    runs: 10,
    stopping: "geometric",
    of: { kind: "gdp", mu: 0.3 },
  };
  const rows = engine.compare(best, { delta: 1e-6 });
  const { upper } = engine.epsilon(best, 1e-6);
  expect(rows.map(({ accountant, source }) => [accountant, source.split(", ")[0]])).toEqual([
    ["renyi", "Papernot and Steinke 2022"],
    ["published", "Liu and Talwar 2019"],
  ]);
  for (const { claimed, actual } of rows) {
    expect(claimed).toBeGreaterThan(1.3 * upper);
    expect(actual.upper).toBe(upper);
  }
});

describe("objective perturbation", () => {
  const release: Description = {
    kind: "objective-perturbation",
    sigma: 8,
    lambda: 10,
    lipschitz: 1,
    smoothness: 1,
  };

  test("the thesis' corrected bound is above the answer, the Gaussian lower bound is not", () => {
    const claims = Object.fromEntries(
      engine.compare(release, { delta: 1e-6 }).map((row) => [row.accountant, row]),
    );
    expect(claims.published?.source).toContain("Redberg 2023");
    expect(claims.published?.claimed).toBeGreaterThan(1.05 * (claims.exact?.claimed ?? Number.NaN));
    expect(claims["lower-bound"]?.claimed).toBeLessThanOrEqual(claims.exact?.claimed ?? Number.NaN);
    expect(Object.values(claims).every((row) => !row.broken)).toBe(true);
  });

  test("the thesis needs a penalty above the curvature", () => {
    const names = engine.compare({ ...release, lambda: 1 }, { delta: 1e-6 }).map((row) => row.accountant);
    expect(names).not.toContain("published");
    expect(names).toContain("lower-bound");
  });

  test("one release is a certified interval", () => {
    const { kind, lower, upper } = engine.epsilon(release, 1e-6);
    expect(kind).toBe("certified");
    expect(upper / lower - 1).toBeLessThan(1e-10);
  });
});

test("an answer is the same whatever was asked before, in every order", () => {
  const rare: Description = {
    kind: "subsampled",
    sampling: "poisson",
    rate: 0.01,
    of: { kind: "gaussian", sigma: 1, sensitivity: 1 },
  };
  const descriptions: Description[] = [
    { kind: "composition", of: [{ mechanism: rare, count: 1000 }] },
    { kind: "composition", of: [{ mechanism: { kind: "exponential", epsilon: 0.2 }, count: 20 }] },
  ];
  const questions = descriptions.flatMap((description) => [
    () => engine.delta(description, 1),
    () => engine.delta(description, 1.05),
    () => engine.epsilon(description, 1e-5),
    () => engine.profile(description, [0.5, 1, 1.05]),
    () => engine.tradeOff(description, [0.01, 0.1]),
  ]);
  const alone = questions.map((ask) => {
    // Another description in between: nothing is kept of the last one.
    engine.delta({ kind: "pure", epsilon: 1 }, 0.5);
    return ask();
  });
  const orders = [
    [...questions.keys()],
    [...questions.keys()].reverse(),
    [4, 0, 9, 5, 3, 1, 8, 6, 2, 7, 0, 1, 0],
  ];
  for (const order of orders)
    for (const i of order) expect((questions[i] as () => unknown)()).toEqual(alone[i]);
});
