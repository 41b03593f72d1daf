/** What other libraries print about a run becomes the description of the same run, or is refused by its name. */
import { expect, test } from "vitest";
import { importEvents } from "../../wasm/engine/import-events.ts";
import { open } from "../../wasm/engine.ts";
import { dpEvents } from "../../web/src/share/dp-events.ts";
import { random } from "./model/models.ts";
import { refused } from "./refused.ts";

const noise = { kind: "gaussian", sigma: 1.1, sensitivity: 1 } as const;
const sampled = { kind: "subsampled", sampling: "poisson", rate: 0.01, of: noise } as const;
const several = (...of: unknown[]) => ({ kind: "composition", of });

test.each<readonly [string, object]>([
  ["GaussianDpEvent(noise_multiplier=1.1)", noise],
  ["dp_event.GaussianDpEvent(1.1)", noise],
  ["dp_event.GaussianDpEvent(2.2 / 2)", noise],
  ["LaplaceDpEvent(noise_multiplier=3.0)", { kind: "laplace", scale: 3, sensitivity: 1 }],
  [
    "DiscreteLaplaceDpEvent(noise_parameter=0.5, sensitivity=2)",
    { kind: "discrete-laplace", scale: 2, sensitivity: 2 },
  ],
  ["ZCDpEvent(rho=0.25, xi=0.0)", { kind: "zcdp", rho: 0.25 }],
  ["ZCDpEvent(0.25, 0.5)", { kind: "xi-zcdp", xi: 0.5, rho: 0.25 }],
  ["EpsilonDeltaDpEvent(epsilon=1e-1, delta=1e-06)", { kind: "approximate", epsilon: 0.1, delta: 1e-6 }],
  ["PoissonSampledDpEvent(sampling_probability=0.01, event=GaussianDpEvent(noise_multiplier=1.1))", sampled],
  [
    "SelfComposedDpEvent(event=PoissonSampledDpEvent(sampling_probability=0.01, event=GaussianDpEvent(noise_multiplier=1.1)), count=1000)",
    several({ mechanism: sampled, count: 1000 }),
  ],
  [
    "ComposedDpEvent(events=[GaussianDpEvent(noise_multiplier=1.1), LaplaceDpEvent(noise_multiplier=3.0)])",
    several(
      { mechanism: noise, count: 1 },
      { mechanism: { kind: "laplace", scale: 3, sensitivity: 1 }, count: 1 },
    ),
  ],
  [
    "SampledWithoutReplacementDpEvent(source_dataset_size=1000, sample_size=10, event=GaussianDpEvent(1.1))",
    { ...sampled, sampling: "without-replacement" },
  ],
  ["ExponentialMechanismDpEvent(epsilon=0.5)", { kind: "exponential", epsilon: 0.5 }],
  ["PermuteAndFlipDpEvent(0.5)", { kind: "permute-and-flip", epsilon: 0.5 }],
  [
    "MixtureOfGaussiansDpEvent(standard_deviation=2.0, sensitivities=[0, 1], sampling_probs=(0.9, 0.1))",
    { kind: "gaussian-mixture", sigma: 2, sensitivities: [0, 1], probabilities: [0.9, 0.1] },
  ],
  [
    "SampledWithReplacementDpEvent(1000, 10, GaussianDpEvent(1.1))",
    { kind: "subsampled", sampling: "with-replacement", draws: 10, records: 1000, of: noise },
  ],
  [
    "TruncatedSubsampledGaussianDpEvent(dataset_size=1000, sampling_probability=0.01, truncated_batch_size=20, noise_multiplier=np.float64(1.1))",
    { ...sampled, sampling: "truncated-poisson", records: 1000, largestBatch: 20, steps: 1 },
  ],
  ...(
    [
      [1, { stopping: "geometric" }],
      [0, { stopping: "logarithmic" }],
      ["inf", { stopping: "poisson" }],
      [0.5, { stopping: "negative-binomial", shape: 0.5 }],
    ] as const
  ).map(
    ([shape, law]) =>
      [
        `RepeatAndSelectDpEvent(event=GaussianDpEvent(1.1), mean=10, shape=${shape})`,
        { kind: "private-selection", runs: 10, ...law, of: noise },
      ] as const,
  ),
  ...[
    "{'history': [(1.1, 0.01, 500), (np.float64(1.1), 1, 2)], 'mechanism': 'prv'}",
    "OrderedDict([('history', [(1.1, 0.01, 500), (1.1, 1, 2)]), ('mechanism', 'rdp')])",
    'OrderedDict({"history": [(1.1, 0.01, 500), (1.1, 1, 2)], "mechanism": "gdp"})',
  ].map(
    (text) => [text, several({ mechanism: sampled, count: 500 }, { mechanism: noise, count: 2 })] as const,
  ),
  [
    "[(1.1, 0.01, 500), (1.1, 1, 2)]",
    several({ mechanism: sampled, count: 500 }, { mechanism: noise, count: 2 }),
  ],
])("%s", (text, description) => {
  expect(importEvents(text)).toEqual(description);
});

/** A double as a whole number of steps of 2^-1074. */
function steps(x: number): bigint {
  const [bits = 0n] = new BigUint64Array(Float64Array.of(x).buffer);
  const exponent = bits >> 52n;
  const digits = bits & ((1n << 52n) - 1n);
  return exponent === 0n ? digits : (digits | (1n << 52n)) << (exponent - 1n);
}

/** x · y against z, exactly. */
const compare = (x: number, y: number, z: number) => {
  const difference = steps(x) * steps(y) - (steps(z) << 1074n);
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
};

test("randomized response by its share of noise costs no less than it does, and hardly more", () => {
  const next = random(5);
  for (let i = 0; i < 2000; i++) {
    const [noise, categories] = [10 ** (-9 * next()), 2 + Math.floor(10 ** (6 * next()))];
    const read = importEvents(
      `RandomizedResponseDpEvent(noise_parameter=${noise}, num_buckets=${categories})`,
    );
    const { epsilon, ...rest } = read as Extract<typeof read, { kind: "randomized-response" }>;
    expect(rest).toEqual({ kind: "randomized-response", other: "another", categories });
    const odds = (categories * (1 - noise)) / noise;
    expect(Math.expm1(epsilon) / odds).toBeGreaterThan(1 - 2e-15 * Math.max(1, epsilon));
    expect(Math.expm1(epsilon) / odds).toBeLessThan(1 + 6e-15 * Math.max(1, epsilon));
    expect(epsilon).toBeGreaterThan(Math.log1p(odds));
  }
});

test("quotients are rounded to the side of more loss, and by no more than that", () => {
  const next = random(3);
  const last = 1 - 2 ** -53;
  const parameters = [0.69, 0.5, 1, 3, 2 ** -40, 1e-90, 1e90];
  for (let i = 0; i < 5000; i++) parameters.push(10 ** (12 * next() - 6));
  for (const parameter of parameters) {
    const sensitivity = 1 + Math.floor(1000 * next());
    const read = importEvents(`DiscreteLaplaceDpEvent(${parameter}, ${sensitivity})`);
    const { scale } = read as Extract<typeof read, { kind: "discrete-laplace" }>;
    // Then sensitivity / scale is at least sensitivity · parameter.
    expect(compare(scale, parameter, 1)).toBeLessThanOrEqual(0);
    expect(compare(scale / last, parameter, 1)).toBe(1);
  }
  for (let i = 0; i < 5000; i++) {
    const size = 2 + Math.floor(10 ** (12 * next()));
    const sample = 1 + Math.floor((size - 1) * next());
    const read = importEvents(`SampledWithoutReplacementDpEvent(${size}, ${sample}, GaussianDpEvent(1))`);
    const { rate = 0 } = read as Extract<typeof read, { kind: "subsampled" }>;
    expect(compare(rate, size, sample)).toBeGreaterThanOrEqual(0);
    expect(compare(rate * last, size, sample)).toBe(-1);
  }
});

test("what an event of discrete Laplace noise costs is not below its own product", async () => {
  const engine = await open();
  const next = random(4);
  for (let i = 0; i < 300; i++) {
    const [parameter, sensitivity] = [3 * next(), 1 + Math.floor(50 * next())];
    const { upper } = engine.epsilon(importEvents(`DiscreteLaplaceDpEvent(${parameter}, ${sensitivity})`), 0);
    expect(compare(sensitivity, parameter, upper)).toBeLessThanOrEqual(0);
  }
});

test("what is exported comes back", () => {
  for (const description of [
    noise,
    sampled,
    several({ mechanism: sampled, count: 7 }, { mechanism: noise, count: 3 }),
  ] as Parameters<typeof dpEvents>[0]["description"][]) {
    const snippet = dpEvents({ description, epsilon: 1, delta: 1e-6, ask: "epsilon" });
    const [, event = ""] = /event = ([\s\S]*)\naccountant/.exec(snippet.supported ? snippet.text : "") ?? [];
    const back = importEvents(event);
    // Runs of one part come back as a composition inside: their counts say the same.
    expect(JSON.stringify(back)).toContain(JSON.stringify(noise).slice(1, -1));
    if (description.kind !== "composition") expect(back).toEqual(description);
  }
});

const exported = (description: unknown) =>
  dpEvents({ description, epsilon: 1, delta: 1e-6, ask: "epsilon" } as Parameters<typeof dpEvents>[0]);
const zcdp = { kind: "zcdp", rho: 0.25 } as const;
const concentrated = { kind: "xi-zcdp", xi: 0.5, rho: 0.25 } as const;
const selection = { kind: "partition-selection", epsilon: 0.7, delta: 1e-7 } as const;

test("zero-concentrated releases go to the accountant of Rényi bounds, alone and beside others, and come back", () => {
  for (const description of [zcdp, concentrated]) {
    const { text } = exported(description);
    expect(text).toContain("accountant = rdp_privacy_accountant.RdpAccountant().compose(event)");
    expect(importEvents(/event = (.*)\n/.exec(text)?.[1])).toEqual(description);
  }
  const { supported, text } = exported(
    several(
      { mechanism: sampled, count: 7 },
      { mechanism: concentrated, count: 2 },
      { mechanism: selection, count: 1 },
    ),
  );
  expect(supported).toBe(true);
  expect(text).toContain("RdpAccountant()");
  expect(text).toContain("dp_event.SelfComposedDpEvent(dp_event.ZCDpEvent(0.25, 0.5), 2),");
  expect(text).toContain("dp_event.EpsilonDeltaDpEvent(0.7, 1e-7),");
});

test("beside them, what that accountant has no event for is refused by its name", () => {
  const without = { ...sampled, sampling: "without-replacement" };
  const laplace = { kind: "laplace", scale: 1, sensitivity: 1 };
  for (const [other, name] of [
    [{ kind: "discrete-laplace", scale: 1, sensitivity: 1 }, "DiscreteLaplaceDpEvent"],
    [{ ...sampled, of: laplace }, "PoissonSampledDpEvent"],
    [{ kind: "tcdp", rho: 0.1, omega: 10 }, "tcdp"],
  ] as const) {
    const both = exported(several({ mechanism: concentrated, count: 1 }, { mechanism: other, count: 1 }));
    expect(both.supported, name).toBe(false);
    expect(both.text).toContain(name);
    expect(both.text).not.toContain("import");
  }
  expect(
    exported(several({ mechanism: concentrated, count: 1 }, { mechanism: without, count: 1 })).supported,
  ).toBe(false);
});

test("of partition selection the pair comes back for which it is the best, which promises no more than it", () => {
  const { text } = exported(several({ mechanism: selection, count: 2 }));
  expect(text).toContain("PLDAccountant()");
  expect(importEvents(/event = (.*)\n/.exec(text)?.[1])).toEqual(
    several({ mechanism: { kind: "approximate", epsilon: 0.7, delta: 1e-7 }, count: 2 }),
  );
});

test.each([
  ["", "malformed"],
  ["GaussianDpEvent(1.1", "malformed"],
  ["GaussianDpEvent(1.1))", "malformed"],
  ["OrderedDict([1, 2])", "unsupported"],
  ["OrderedDict(1)", "unsupported"],
  ["{'history': 5}", "unsupported"],
  ["{'mechanism': 'prv'}", "unsupported"],
  ["{1: 2}", "malformed"],
  ["{'a': 1, 'a': 2}", "malformed"],
  ["{'a' 1}", "malformed"],
  ["np.float32(1.1)", "unsupported"],
  ["np.float64('1')", "malformed"],
  ["GaussianDpEvent('1')", "unsupported"],
  ["MixtureOfGaussiansDpEvent(1, 2, 3)", "unsupported"],
  ["RandomizedResponseDpEvent(0, 2)", "unsupported"],
  ["__import__('os')", "unsupported"],
  ["1.1", "unsupported"],
  ["[]", "unsupported"],
  ["[(1.1, 0.01)]", "unsupported"],
  ["NonPrivateDpEvent()", "unsupported"],
  ["GaussianDpEvent()", "unsupported"],
  ["GaussianDpEvent(-1)", "range"],
  ["[(1.1, 2, 500)]", "range"],
  // What is said besides would change the price: nothing is left unread, at any depth.
  ["ComposedDpEvent(events=[GaussianDpEvent(1)], GaussianDpEvent(2))", "malformed"],
  ["ComposedDpEvent([GaussianDpEvent(1)], GaussianDpEvent(2))", "unsupported"],
  [
    "PoissonSampledDpEvent(sampling_probability=0.01, event=GaussianDpEvent(1.1), truncated_batch_size=5)",
    "unsupported",
  ],
  ["PoissonSampledDpEvent(0.1, GaussianDpEvent(1.0), 5)", "unsupported"],
  ["GaussianDpEvent(1.0, noise_multiplier=2)", "unsupported"],
  ["GaussianDpEvent(noise_multiplier=1.0, noise_multiplier=2)", "malformed"],
  ["SelfComposedDpEvent(GaussianDpEvent(1.0, foo=2), 3)", "unsupported"],
  ["LaplaceDpEvent(1, 2)", "unsupported"],
  ["SampledWithoutReplacementDpEvent(100, 10, GaussianDpEvent(1.0), 7)", "unsupported"],
  ["DiscreteLaplaceDpEvent(0, 1)", "unsupported"],
  ["SampledWithoutReplacementDpEvent(0, 0, GaussianDpEvent(1.0))", "unsupported"],
  // A quotient of two negative numbers would be rounded to the side on which less is lost.
  ["SampledWithoutReplacementDpEvent(-10, -1, GaussianDpEvent(1.0))", "unsupported"],
  ["DiscreteLaplaceDpEvent(-1, 1)", "unsupported"],
  // What every object of the language has is no event.
  ["__proto__(1)", "unsupported"],
  ["constructor()", "unsupported"],
  ["PoissonSampledDpEvent(0.1, toString())", "unsupported"],
  ["NoOpDpEvent(1)", "unsupported"],
  [`${"[".repeat(1000)}`, "malformed"],
])("%s is refused as %s", (text, kind) => {
  expect(refused(() => importEvents(text)).split(" ")[0]).toBe(kind);
});
