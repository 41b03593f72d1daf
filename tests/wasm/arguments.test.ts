/** Arguments of the engine's methods that are not what they must be: each is refused by its name, and none is taken for another. */
import { describe, expect, test } from "vitest";
import { ASKS, type Ask, asks, entryOfAsk, FIELDS, type FieldName } from "../../wasm/asks.ts";
import { answer } from "../../wasm/batch.ts";
import { type Engine, open, Refusal, skeleton } from "../../wasm/engine.ts";
import { PLAIN } from "../../wasm/release/fit-request.ts";

const engine: Engine = await open();
// biome-ignore lint/suspicious/noExplicitAny: arguments from outside, of any type
const wild = engine as any;

const declared = {
  unit: { protects: "person", rows: 1 },
  columns: [{ name: "age", use: "numeric", range: [18, 70], missing: "drop" }],
  label: { name: "high", use: "classes", levels: ["no", "yes"], missing: "drop" },
  rowNorm: 1,
};
const request = {
  table: declared,
  algorithm: { name: "approximate-minima-perturbation", loss: "logistic", whiten: 0 },
  budget: { epsilon: 1, delta: 1e-5 },
  seed: 7,
};
const rows = Array.from({ length: 60 }, (_, i) => ({ age: 20 + ((i * 7) % 45), high: i % 2 ? "yes" : "no" }));
const table = `age,high\n${rows.map(({ age, high }) => `${age},${high}`).join("\n")}\n`;
const [row] = rows;
const release = await engine.fit(table, request);
const report = await engine.report(release, undefined);
const voted = await engine.fit(table, {
  table: { unit: declared.unit, columns: [], label: { ...declared.label, use: "choice" } },
  algorithm: { name: "noisy-voting", scale: 5 },
  budget: { delta: 1e-5 },
});
const everyday = {
  table: { unit: declared.unit, columns: declared.columns },
  releases: [{ of: "count" }],
  budget: { epsilon: 1, delta: 1e-6 },
  seed: 7,
};
const evaluation = { budget: { epsilon: 1, delta: 1e-6 }, seed: 7 };
const guesses = { rows: 100, tables: 2, epsilons: [1] };

/** Whatever the method is, the refusal of it, thrown or rejected: nothing else may come. */
async function refusal(ask: () => unknown): Promise<Refusal> {
  try {
    await ask();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("was answered");
}

describe("a boolean is true or false", () => {
  const NO_BOOLEANS = ["no", "yes", "false", "true", "", 0, 1, null, Number.NaN, [], {}, [true]];
  const FLAGS = Object.keys(FIELDS).filter((name) => FIELDS[name as FieldName] === "flag");
  const QUESTIONS: Partial<Record<Ask, object>> = {
    personalLoss: { report, row },
    knownLoss: { release, table, row },
  };
  const asked = asks.filter((ask) =>
    [...entryOfAsk(ask).needs, ...(entryOfAsk(ask).may ?? [])].some((name) => FLAGS.includes(name)),
  );

  test("in every question that has one, and these are all of them", () => {
    expect(FLAGS).toEqual(["member"]);
    expect(asked).toEqual(Object.keys(QUESTIONS));
  });

  test.each(asked)("in %s", async (ask) => {
    const question = { ask, ...QUESTIONS[ask] };
    const [field] = FLAGS as [string];
    for (const value of NO_BOOLEANS) {
      const found = await refusal(() => answer(engine, { ...question, [field]: value }));
      expect([found.kind, found.field, found.rule]).toEqual(["type", field, "must be true or false"]);
    }
    // What is left out is true.
    expect(await answer(engine, { ...question, [field]: true })).toEqual(await answer(engine, question));
  });

  test.each(NO_BOOLEANS.map((value) => [value]))(
    "in methods and in what they are given: %j",
    async (value) => {
      expect((await refusal(() => wild.personalLoss(report, row, value))).field).toBe("member");
      expect((await refusal(() => wild.knownLoss(release, table, row, { member: value }))).field).toBe(
        "member",
      );
      const person = { rows: 10, wrong: 0.3 };
      const offer = { share: 0.1, person, eigenvalue: value };
      expect((await refusal(() => wild.shareReport(request, offer))).field).toBe("eigenvalue");
      expect((await refusal(() => wild.personalLoss({ ...report, private: value }, row))).field).toBe(
        "private",
      );
      const changed = { ...release, private: value };
      for (const ask of [
        () => wild.knownLoss(changed, table, row),
        () => wild.personalLosses(changed, table),
        () => wild.votersLoss(changed, table),
        () => wild.report(changed),
        () => wild.predict(changed, table),
      ])
        expect((await refusal(ask)).field).toBe("release.private");
      expect((await refusal(() => wild.odometer([changed]))).field).toBe("releases.0.private");
      const header = { ...request, format: { ...PLAIN, header: value } };
      expect((await refusal(() => wild.plan(header))).field).toBe("format.header");
    },
  );
});

/** Every method that reads a table, on its way to it; `more`: what it takes besides watching. */
const READERS: Readonly<Record<string, (table: unknown, options?: unknown) => Promise<unknown>>> = {
  fit: (table, options) => wild.fit(table, request, options),
  "fit of everyday numbers": (table, options) => wild.fit(table, everyday, options),
  fitWithoutPrivacy: (table, options) => wild.fitWithoutPrivacy(table, request, options),
  predict: (table, options) => wild.predict(release, table, options),
  evaluate: (table, options) => wild.evaluate(release, table, evaluation, options),
  report: (table, options) =>
    wild.report(release, table, { noise: { gradient: 1, hessian: 1 }, seed: 1 }, options),
  personalLosses: (table, options) => wild.personalLosses(release, table, options),
  knownLoss: (table, options) => wild.knownLoss(release, table, row, options),
  votersLoss: (table, options) => wild.votersLoss(voted, table, options),
};

const locked = new ReadableStream<Uint8Array>();
locked.getReader();

describe.each(Object.entries(READERS))("%s", (_, read) => {
  test.each([
    ["nothing", undefined],
    ["null", null],
    ["a number", 7],
    ["a list", [table]],
    ["an object", {}],
    ["bytes", new Uint8Array(4)],
    ["a stream that is read already", locked],
  ])("a table that is none: %s", async (_, wrong) => {
    expect((await refusal(() => read(wrong))).field).toBe("table");
  });

  test.each([
    ["options", null],
    ["options", "x"],
    ["options", 7],
    ["options", []],
    ["signal", { signal: "stop" }],
    ["signal", { signal: {} }],
    ["signal", { signal: null }],
    ["onProgress", { onProgress: {} }],
    ["onProgress", { onProgress: null }],
    ["members", { members: false }],
  ])("options are refused by name: %s", async (field, options) => {
    expect((await refusal(() => read(table, options))).field).toBe(field);
  });

  test("what options may be is taken", async () => {
    let told = 0;
    const { signal } = new AbortController();
    await read(table, { signal, onProgress: () => ++told });
    expect(told).toBeGreaterThan(0);
  });
});

test.each([
  ["simulate", (options: unknown) => wild.simulate(request, guesses, options)],
  ["rankAlgorithms", (options: unknown) => wild.rankAlgorithms(request, { rows: 100, tables: 20 }, options)],
])("options of %s are refused by name", async (_, ask) => {
  for (const options of [null, "x", 7, []]) expect((await refusal(() => ask(options))).field).toBe("options");
  expect((await refusal(() => ask({ signal: 1 }))).field).toBe("signal");
  expect((await refusal(() => ask({ onProgress: 1 }))).field).toBe("onProgress");
  expect((await refusal(() => ask({ progress: () => {} }))).field).toBe("progress");
});

describe("what is no object is refused by its own name, and never by none", () => {
  const NO_OBJECTS = [undefined, null, "x", 7, true, [], [{}]];

  test.each<[string, string, (value: unknown) => unknown]>([
    ["plan", "request", (value) => wild.plan(value)],
    ["fit", "request", (value) => wild.fit(table, value)],
    ["fitWithoutPrivacy", "request", (value) => wild.fitWithoutPrivacy(table, value)],
    ["simulate", "request", (value) => wild.simulate(value, guesses)],
    ["simulate", "guesses", (value) => wild.simulate(request, value)],
    ["rankAlgorithms", "request", (value) => wild.rankAlgorithms(value, guesses)],
    ["rankAlgorithms", "guesses", (value) => wild.rankAlgorithms(request, value)],
    ["predict", "release", (value) => wild.predict(value, table)],
    ["planEvaluation", "release", (value) => wild.planEvaluation(value, evaluation)],
    ["planEvaluation", "evaluation", (value) => wild.planEvaluation(release, value)],
    ["evaluate", "release", (value) => wild.evaluate(value, table, evaluation)],
    ["evaluate", "evaluation", (value) => wild.evaluate(release, table, value)],
    ["report", "release", (value) => wild.report(value)],
    ["personalLosses", "release", (value) => wild.personalLosses(value, table)],
    ["knownLoss", "release", (value) => wild.knownLoss(value, table, row)],
    ["personalLoss", "format", (value) => wild.personalLoss(value, row)],
    ["personalLoss", "row", (value) => wild.personalLoss(report, value)],
    ["shareReport", "request", (value) => wild.shareReport(value, {})],
    ["shareReport", "offer", (value) => wild.shareReport(request, value)],
    ["perInstance", "question", (value) => wild.perInstance(value)],
    ["mechanismNumbers", "numbers", (value) => wild.mechanismNumbers(value)],
    ["votersLoss", "release", (value) => wild.votersLoss(value, table)],
    ["voteLoss", "told", (value) => wild.voteLoss([[3, 1]], value)],
    ["ledger", "ledger", (value) => wild.ledger(value, 1e-6)],
    ["odometer", "releases.0", (value) => wild.odometer([value])],
  ])("%s: %s", async (_, field, ask) => {
    for (const value of NO_OBJECTS) expect((await refusal(() => ask(value))).field).toBe(field);
  });

  test("where it may be left out, too", async () => {
    for (const value of ["x", 7, true, [], [{}]])
      expect((await refusal(() => wild.report(release, undefined, value))).field).toBe("request");
    for (const value of [null, "half", 7, []]) {
      expect((await refusal(() => wild.goe.cdf(3, 1, value))).field).toBe("options");
      expect((await refusal(() => wild.goe.quantile(3, { upperTail: 0.1 }, value))).field).toBe("options");
      expect((await refusal(() => wild.ledger({ rule: "plan", entries: [] }, 1e-6, value))).field).toBe(
        "options",
      );
      expect((await refusal(() => skeleton(table, value as never))).field).toBe("options");
    }
    for (const value of [null, "x", 7, []])
      expect((await refusal(() => skeleton(table, { format: value } as never))).field).toBe("format");
    expect((await refusal(() => wild.goe.cdf(3, 1, { normalisation: null }))).field).toBe("normalisation");
    const entry = { mechanism: { kind: "gaussian", sigma: 1, sensitivity: 1 } };
    const ledger = { rule: "plan", entries: [entry] };
    expect((await refusal(() => wild.ledger(ledger, 1e-6, { group: "3" }))).field).toBe("group");
  });

  test("a release without what is read of it is refused by that", async () => {
    for (const ask of [
      () => wild.report({}),
      () => wild.personalLosses({}, table),
      () => wild.knownLoss({}, table, row),
      () => wild.votersLoss({}, table),
      () => wild.predict({}, table),
    ])
      expect((await refusal(ask)).field).toBe("release.request");
    for (const wrong of [undefined, null, {}, "x"])
      expect((await refusal(() => wild.odometer(wrong))).field).toBe("releases");
    const { seed: _, ...secret } = release.request;
    const without = (change: object) =>
      refusal(() => wild.odometer([{ ...release, request: secret, private: true, ...change }]));
    expect((await without({ epsilon: undefined })).field).toBe("releases.0.epsilon.neighbours");
    expect((await without({ request: {} })).field).toBe("releases.0.request.table.unit.rows");
    expect((await without({ exPost: { epsilon: "1" } })).field).toBe("releases.0.exPost.epsilon");
  });
});

test("no question of the batch is refused by a field without a name", async () => {
  for (const ask of asks) {
    const { needs } = ASKS[ask] as { needs: readonly FieldName[] };
    for (const wrong of [null, 7, "x", []]) {
      const question = { ask, ...Object.fromEntries(needs.map((name) => [name, wrong])) };
      const found = await Promise.resolve()
        .then(() => answer(engine, question))
        .catch((error) => error);
      if (found instanceof Error) expect(found).toBeInstanceOf(Refusal);
      if (found instanceof Refusal) expect(found.field, ask).not.toBe("");
    }
  }
});
