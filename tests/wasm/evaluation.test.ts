/** Evaluations of released models that are paid for: what they cost, what they tell, what they refuse. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answer } from "../../wasm/batch.ts";
import { toJson } from "../../wasm/engine/json.ts";
import { type Engine, open, Refusal, type Release } from "../../wasm/engine.ts";
import { printed } from "./run.ts";
import { numeric } from "./table/support.ts";

const engine: Engine = await open();

const csv = `x,y,class\n${Array.from({ length: 1000 }, (_, i) => {
  const x = Math.sin(i * 12.9898);
  const noisy = x + 0.5 * Math.sin(i * 78.233);
  return `${x},${(10 + 5 * noisy).toFixed(6)},${noisy > 0.4 ? "yes" : "no"}`;
}).join("\n")}\n`;

const CLASSES = { name: "class", use: "classes", levels: ["no", "yes"], missing: "drop" } as const;
const NUMBER = { name: "y", use: "numeric", range: [0, 20], missing: "drop" } as const;
const NEWTON = { name: "noisy-newton", loss: "logistic", sigma: 0.01 } as const;

const request = (label: object, algorithm: object, rows = 1) => ({
  table: { unit: { protects: "row", rows }, columns: [numeric("x", [-1, 1])], label },
  algorithm,
  budget: { delta: 1e-6 },
  seed: 5,
});

const fitted = (label: object, algorithm: object, rows = 1): Promise<Release> =>
  engine.fit(csv, request(label, algorithm, rows));

const refusal = async (ask: () => Promise<unknown>): Promise<string> => {
  try {
    await ask();
  } catch (error) {
    if (error instanceof Refusal) return error.field;
    throw error;
  }
  return "nothing";
};

const budget = { epsilon: 1, delta: 1e-6 };
const loud = { sigma: 1e-3, budget: { delta: 1e-6 }, seed: 1 };

/** A column of which the class is the sign: models of numbers score beyond -1 and 1. */
const signs = `x,y,class\n${Array.from({ length: 1000 }, (_, i) => {
  const x = Math.sin(i * 12.9898);
  return `${x},0,${x > 0 ? "yes" : "no"}`;
}).join("\n")}\n`;

test.each([
  ["probabilities", NEWTON, csv, 0.8],
  ["scores beyond -1 and 1", { name: "ada-ssp", sigma: 0.01 }, signs, 1.2],
])(
  "with hardly any noise, what is told is what the predictions say: %s",
  async (_, algorithm, rows, most) => {
    const release = (await engine.fit(rows, request(CLASSES, algorithm))) as Release;
    const { values } = await engine.predict(release, rows);
    const isYes = rows
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.endsWith("yes"));
    const { measures } = await engine.evaluate(release, rows, { ...loud, bins: 10 });
    if (measures.measured !== "classes") throw new Error("classes were asked for");
    expect(Math.max(...values)).toBeGreaterThan(most);
    for (const { threshold, truePositives, falsePositives, accuracy } of measures.thresholds) {
      const said = [...values].map((value) => value >= threshold);
      const count = (wanted: (i: number) => boolean) => said.filter((_, i) => wanted(i)).length;
      expect(Math.abs(truePositives - count((i) => Boolean(said[i] && isYes[i])))).toBeLessThan(0.1);
      expect(Math.abs(falsePositives - count((i) => Boolean(said[i] && !isYes[i])))).toBeLessThan(0.1);
      expect(accuracy?.value).toBeCloseTo(count((i) => said[i] === isYes[i]) / 1000, 3);
    }
    expect(measures.auc?.value).toBeGreaterThan(0.8);
  },
);

test("noise is found for budgets as small as it suffices for", async () => {
  const release = await fitted(CLASSES, NEWTON);
  for (const epsilon of [1e-3, 1e-4, 3e-5]) {
    const plan = engine.planEvaluation(release, { budget: { epsilon, delta: 1e-6 } });
    expect(plan.epsilon.upper).toBeLessThanOrEqual(epsilon);
    expect(plan.epsilon.upper).toBeGreaterThan(epsilon * (1 - 1e-6));
    const { sigma, ...newton } = NEWTON;
    const planned = engine.plan({ ...request(CLASSES, newton), budget: { epsilon, delta: 1e-6 } });
    expect(planned.epsilon.upper).toBeLessThanOrEqual(epsilon);
  }
});

test("errors of numbers are those of the predictions, clipped at the bound", async () => {
  const release = await fitted(NUMBER, { name: "ada-ssp", sigma: 0.01 });
  const { values } = await engine.predict(release, csv);
  const labels = csv
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => Number(line.split(",")[1]));
  for (const errorBound of [10, 1]) {
    const { measures } = await engine.evaluate(release, csv, { ...loud, errorBound });
    if (measures.measured !== "numbers") throw new Error("numbers were asked for");
    const errors = labels.map((label, i) => Math.min(errorBound, Math.abs((values[i] as number) - label)));
    const mean = (of: readonly number[]) => of.reduce((sum, one) => sum + one, 0) / of.length;
    expect(measures.meanAbsoluteError?.value).toBeCloseTo(mean(errors), 3);
    expect(measures.rootMeanSquaredError?.value).toBeCloseTo(
      Math.sqrt(mean(errors.map((one) => one * one))),
      3,
    );
  }
});

test.each([1, 4])(
  "the budget is kept, and the price together is that of the composition: %d rows a person",
  async (rows) => {
    const release = await fitted(CLASSES, { ...NEWTON, sigma: 2 }, rows);
    const { seed: _, ...secret } = release.request;
    const plan = engine.planEvaluation({ ...release, request: secret, private: true }, { budget });
    expect(plan.private).toBe(true);
    // The fit was repeatable, and the evaluation of it protects nobody.
    expect(engine.planEvaluation(release, { budget }).private).toBe(false);
    expect(plan.epsilon.upper).toBeLessThanOrEqual(1);
    expect(plan.epsilon.upper).toBeGreaterThan(0.999);
    expect(plan.together.epsilon.upper).toBeGreaterThan(Math.max(1, release.epsilon.upper));
    const both = engine.epsilon([release.description, plan.description] as never, 1e-6, { group: rows });
    expect(plan.together.epsilon.upper).toBe(both.upper);
    const told = await engine.evaluate(release, csv, { budget });
    expect(told.sigma).toBe(plan.sigma);
    expect(told.epsilon).toEqual(plan.epsilon);
  },
);

test("where a row is replaced it costs what two cells cost", async () => {
  const release = await fitted(CLASSES, { ...NEWTON, sigma: 2, neighbours: "replace" });
  const plan = engine.planEvaluation(release, { sigma: 1, budget: { delta: 1e-6 } });
  expect(plan.epsilon.neighbours).toBe("replace");
  const { sigma, sensitivity } = plan.description as unknown as Record<string, number>;
  expect((sensitivity as number) / (sigma as number)).toBeCloseTo(Math.SQRT2, 5);
});

test("no row has an evaluation refused, and no rows tell nothing", async () => {
  const release = await fitted(CLASSES, NEWTON);
  for (const rows of ["", "a\n", "1,2\n", "\x00,,\n", '"', "NaN,3,yes\n", "0.5,3,maybe\n"]) {
    const { measures } = await engine.evaluate(release, `x,y,class\n${rows}`, { budget, seed: 3 });
    if (measures.measured !== "classes") throw new Error("classes were asked for");
    expect(measures.counts[0]).toHaveLength(20);
    expect(measures.auc).toBeNull();
  }
});

test("what cannot be asked is refused by name", async () => {
  const classes = await fitted(CLASSES, NEWTON);
  const numbers = await fitted(NUMBER, { name: "ada-ssp", sigma: 0.01 });
  const field = (release: unknown, evaluation: unknown) =>
    refusal(async () => engine.planEvaluation(release, evaluation));
  expect(await field(classes, { budget: { delta: 1e-6 } })).toBe("evaluation.budget.epsilon");
  expect(await field(classes, { budget, sigma: 1 })).toBe("evaluation.budget.epsilon");
  expect(await field(classes, { budget, errorBound: 1 })).toBe("evaluation.errorBound");
  expect(await field(numbers, { budget, bins: 10 })).toBe("evaluation.bins");
  expect(await field(classes, { budget, bins: 1 })).toBe("evaluation.bins");
  expect(await field(classes, { budget, colour: 1 })).toBe("evaluation.colour");
  expect(await field({ ...classes, epsilon: undefined }, { budget })).toBe("release.epsilon.neighbours");
  expect(await field({}, { budget })).toBe("release.request");
});

test("what is wrong inside a release is called by where it stands there, whoever reads it", async () => {
  const released = await fitted(CLASSES, NEWTON);
  const { request, description } = released;
  const altered = (name: string, part: object) => ({ ...released, request: { ...request, [name]: part } });
  const cases: readonly (readonly [unknown, string])[] = [
    [altered("table", { ...request.table, unit: { protects: "row", rows: 0 } }), "request.table.unit.rows"],
    [altered("algorithm", { ...request.algorithm, sigma: -1 }), "request.algorithm.sigma"],
    [altered("tune", { among: 3 }), "request.tune.among"],
    [{ ...released, request: [request] }, "request"],
  ];
  for (const [release, field] of cases) {
    const given = release as Release;
    const readers: Readonly<Record<string, () => unknown>> = {
      predict: () => engine.predict(given, csv),
      planEvaluation: () => engine.planEvaluation(given, { budget }),
      evaluate: () => engine.evaluate(given, csv, { budget }),
      personalLosses: () => engine.personalLosses(given, csv),
      knownLoss: () => engine.knownLoss(given, csv, { x: 0, class: "no" }),
      votersLoss: () => engine.votersLoss(given, csv),
      report: () => engine.report(given, undefined, { audience: "anybody", failure: 0.01 }),
    };
    for (const [name, read] of Object.entries(readers))
      expect.soft(await refusal(async () => read()), name).toBe(`release.${field}`);
  }
  const run = { ...released, description: { ...description, sigma: "much" } };
  expect(await refusal(async () => engine.planEvaluation(run, { budget }))).toBe("release.description.sigma");
  expect(await refusal(async () => engine.odometer([run as unknown as Release]))).toBe("releases.0.private");
  const { seed: _, ...secret } = request;
  const counted = { ...run, request: secret, private: true } as unknown as Release;
  expect(await refusal(async () => engine.odometer([counted]))).toBe("releases.0.description.sigma");
});

test("the command line and the batch tell the same", async () => {
  const folder = mkdtempSync(join(tmpdir(), "evaluation-"));
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  try {
    const release = await fitted(CLASSES, NEWTON);
    const evaluation = { budget, seed: 8 };
    const told = JSON.parse(toJson(await engine.evaluate(release, csv, evaluation)));
    const asked = { ask: "evaluate", release, table: csv, evaluation };
    expect(JSON.parse(toJson(await answer(engine, asked)))).toEqual(told);
    const { bin } = JSON.parse(readFileSync("package.json", "utf8"));
    const words = ["evaluate", file("release.json", JSON.stringify(release)), file("data.csv", csv)];
    const request = file("e.json", JSON.stringify(evaluation));
    expect(JSON.parse(printed("node", [bin.epsilometer, ...words, "--request", request]))).toEqual(told);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
