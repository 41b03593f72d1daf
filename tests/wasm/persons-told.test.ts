/** Of every algorithm there is, what a plan and a release say of single persons is what asking for it comes to. */
import { describe, expect, test } from "vitest";
import { type Engine, NEIGHBOURS, open, Refusal, type Release } from "../../wasm/engine.ts";
import { rowOf } from "../../wasm/release/algorithms.ts";
import { csv, NAMES, request } from "./every-algorithm.ts";

const engine: Engine = await open();

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

describe.each(NAMES)("%s", (name) => {
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

test.each(NAMES)(
  "%s: a release whose request was altered tells rows what it cost, or nothing",
  async (name) => {
    const release = await engine.fit(csv, request(name));
    if (!release.persons.rows) return;
    const { promised } = await engine.personalLosses(release, csv);
    const { algorithm, budget } = release.request;
    const noise = ["sigma", "noiseMultiplier", "scale"].find(
      (one) => Reflect.get(algorithm, one) !== undefined,
    );
    const less = noise
      ? { algorithm: { ...algorithm, [noise]: 2 * Number(Reflect.get(algorithm, noise)) } }
      : { budget: { ...budget, epsilon: (budget.epsilon as number) / 10 } };
    const altered = { ...release, request: { ...release.request, ...less } } as Release;
    // The noise that ran stands among the parameters; where that is typed, or may not be asked for, nobody knows it.
    const found = await engine.personalLosses(altered, csv).then(
      (told) => told.promised,
      (error) => (error as Refusal).field,
    );
    expect([promised, "release.description"]).toContain(found);
    if (noise) expect(found).toBe("release.description");
  },
);

/** Everybody who reads a release. */
const readers = (one: Release) => [
  () => engine.personalLosses(one, csv),
  () => engine.votersLoss(one, csv),
  () => engine.report(one, undefined),
  async () => engine.planEvaluation(one, { budget: { epsilon: 1, delta: 1e-6 } }),
  async () => engine.odometer([one]),
];

/** Of a release, those of its readers whom it answers, and the field by which each refuses it once it is altered. */
async function refusals(release: Release): Promise<(altered: object) => Promise<readonly string[]>> {
  const answered: boolean[] = [];
  for (const read of readers(release)) answered.push(await answers(read()));
  return async (altered) => {
    const fields: string[] = [];
    for (const [i, read] of readers(altered as Release).entries()) {
      if (!answered[i]) continue;
      const field = await read().then(
        () => "believed",
        (error) => (error as Refusal).field.replace("releases.0", "release"),
      );
      fields.push(field);
    }
    return fields;
  };
}

test.each(NAMES)(
  "%s: what a release says that it ran, and cost, is believed nowhere if it was altered",
  async (name) => {
    const release = await engine.fit(csv, request(name, { seed: undefined }));
    const { epsilon, delta, exPost, guarantee } = release;
    const alterations: [field: string, part: object][] = [
      ["description", { description: { kind: "pure", epsilon: 0.001 } }],
      ...NEIGHBOURS.filter((one) => one !== epsilon.neighbours).map((neighbours): [string, object] => [
        "epsilon.neighbours",
        { epsilon: { ...epsilon, neighbours } },
      ]),
      ["epsilon.neighbours", { epsilon: undefined }],
      ["epsilon.upper", { epsilon: { ...epsilon, lower: 0, upper: epsilon.upper / 1.1 } }],
      ["epsilon.upper", { epsilon: { ...epsilon, upper: undefined } }],
      ["epsilon.lower", { epsilon: { ...epsilon, lower: 1.1 * epsilon.upper, upper: 2 * epsilon.upper } }],
      ["delta", { delta: delta / 2 || 1e-9 }],
      ["guarantee", { guarantee: guarantee ? undefined : "ex-post" }],
      ["private", { private: undefined }],
      ...(exPost
        ? ["epsilon", "testing", "model"].map((one): [string, object] => [
            `exPost.${one}`,
            { exPost: { ...exPost, [one]: 0.9 * (Reflect.get(exPost, one) as number) } },
          ])
        : [["exPost.neighbours", { exPost: { epsilon: 0, testing: 0, model: 0 } }] as [string, object]]),
      ...(exPost ? [["exPost.epsilon", { exPost: undefined }] as [string, object]] : []),
    ];
    const refusedAs = await refusals(release);
    for (const [field, part] of alterations) {
      const fields = await refusedAs({ ...release, ...part });
      expect([field, ...new Set(fields)]).toEqual([
        field,
        ...(fields.length > 0 ? [`release.${field}`] : []),
      ]);
    }
  },
);

test.each(NAMES)("%s: a model is believed nowhere that is not what came out by its table", async (name) => {
  const release = await engine.fit(csv, request(name, { seed: undefined }));
  const { coefficients, outputs, request: asked } = release;
  if (!coefficients) return;
  const { table } = asked;
  const wider = table.columns.map((column) => ({ ...column, range: [-1000, 1000] }));
  const inRequest = (part: object) => ({ ...release, request: { ...asked, table: { ...table, ...part } } });
  const doubled = outputs.map((output) =>
    output.kind === "coefficients" ? { ...output, values: output.values.map((one) => 2 * one) } : output,
  );
  const alterations = [
    { ...release, coefficients: { ...coefficients, intercept: coefficients.intercept + 1 } },
    { ...release, coefficients: undefined },
    { ...release, outputs: doubled },
    inRequest({ columns: wider }),
    inRequest({ intercept: 0.01 }),
  ];
  const refusedAs = await refusals(release);
  for (const altered of alterations) expect(await refusedAs(altered)).not.toContain("believed");
});

test.each(NAMES)("%s: how many rows somebody has is believed nowhere if it was altered", async (name) => {
  const fitted = await engine.fit(csv, request(name, { seed: undefined }, 3)).catch((error) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
  // Where nothing finite is promised, nothing less is for more rows.
  if (!fitted || fitted.epsilon.upper === Number.POSITIVE_INFINITY) return;
  const refusedAs = await refusals(fitted);
  // Of a bound, fewer rows are kept to as well.
  for (const rows of fitted.epsilon.kind === "bound" ? [4] : [1, 2, 4]) {
    const { table } = fitted.request;
    const unit = { ...table.unit, rows };
    const altered = { ...fitted, request: { ...fitted.request, table: { ...table, unit } } };
    expect(await refusedAs(altered)).not.toContain("believed");
  }
});

test.each(NAMES)("%s: a release that contradicts itself about its noise is read nowhere", async (name) => {
  const release = await engine.fit(csv, request(name));
  const { seed: _, ...without } = release.request;
  const contradictions: unknown[] = [
    { ...release, request: { ...without, seed: 7 }, private: true },
    { ...release, request: without, private: false },
  ];
  for (const one of contradictions as Release[]) {
    const all = [...readers(one), () => engine.knownLoss(one, csv, {}), () => engine.predict(one, csv)];
    for (const read of all)
      await expect(read()).rejects.toMatchObject({
        field: expect.stringMatching(/(^|[.])(release|releases[.]0)[.]private$/),
      });
  }
});

test.each(NAMES)(
  "%s: outputs without values, or with others, are answered or refused by name",
  async (name) => {
    const release = await engine.fit(csv, request(name));
    const [x, y, level] = (csv.split("\n")[8] as string).split(",");
    const { columns, label } = release.request.table;
    const values: Record<string, unknown> = { x, y, class: level };
    const names = [...columns.map((column) => column.name), ...(label ? [label.name] : [])];
    const row = Object.fromEntries(names.map((one) => [one, values[one]]));
    const changes = release.outputs.flatMap((output, place) =>
      [[], output.values.slice(1), [...output.values, 0], output.values.map(() => 0)].map((values) => ({
        ...release,
        outputs: release.outputs.map((one, i) => (i === place ? { ...one, values } : one)),
      })),
    );
    // What is not a Refusal is thrown on.
    for (const changed of changes) {
      await answers(engine.personalLosses(changed, csv, { failure: 0.01 }));
      await answers(engine.knownLoss(changed, csv, row, { failure: 0.01 }));
      await answers(engine.report(changed, undefined));
      await answers(engine.votersLoss(changed, csv));
    }
  },
);

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
    const person = { x: 0.5, class: "a", y: 0.5 };
    const { columns, label } = release.request.table;
    const row = Object.fromEntries(
      [...columns.map(({ name }) => name), label?.name ?? ""].map((name) => [
        name,
        Reflect.get(person, name),
      ]),
    );
    expect((await engine.personalLosses(release, csv)).private).toBe(isPrivate);
    expect((await engine.knownLoss(release, csv, row, { member: false })).private).toBe(isPrivate);
  }
  const { seed: __, ...votes } = request("noisy-voting");
  for (const [one, isPrivate] of [
    [request("noisy-voting"), false],
    [votes, true],
  ] as const)
    expect((await engine.votersLoss(await engine.fit(csv, one), csv)).private).toBe(isPrivate);
});

test("so does the seed of the model where only what is published beside it was drawn secretly", async () => {
  const logistic = request("approximate-minima-perturbation");
  const { seed: _, ...secret } = logistic;
  const noise = { gradient: 5, hessian: 5 };
  const made = async (one: object, more: object) =>
    (await engine.report(await engine.fit(csv, one), csv, { noise, ...more })).private;
  expect(await made(secret, {})).toBe(true);
  expect(await made(logistic, {})).toBe(false);
  expect(await made(secret, { seed: 1 })).toBe(false);
});
