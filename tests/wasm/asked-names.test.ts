/** What the core refuses of a budget is refused under the name that it has in the request, whatever was asked for. */
import { expect, test } from "vitest";
import { open, Refusal, type Release } from "../../wasm/engine.ts";
import { ALGORITHMS, BUDGET, rowOf } from "../../wasm/release/algorithms.ts";
import { byAskedNames } from "../../wasm/release/asked-names.ts";
import { NAMES, request } from "./every-algorithm.ts";
import { refused } from "./refused.ts";
import { numeric } from "./table/support.ts";

const engine = await open();

const FIELDS = Object.keys(BUDGET.schema.properties as object);

const csv = "x,class\n0.5,yes\n-0.5,no\n0.1,yes\n";
const table = {
  unit: { protects: "row", rows: 1 },
  columns: [numeric("x", [-1, 1])],
  label: { name: "class", use: "classes", levels: ["no", "yes"], missing: "drop" },
};
const PERTURBED = { name: "output-perturbation", loss: "logistic", lambda: 1 };
const model = (budget: object, more: object = {}) => ({
  table,
  algorithm: { ...PERTURBED, ...more },
  budget,
});
const everyday = (budget: object) => ({
  table: { ...table, label: undefined },
  releases: [{ of: "count" }],
  budget,
});

async function refusedLater(answer: () => Promise<unknown>): Promise<string> {
  const error = await answer().catch((thrown: unknown) => thrown);
  return refused(() => {
    throw error;
  });
}

const release = (await engine.fit(csv, {
  ...model({ epsilon: 1, delta: 1e-6 }),
  seed: 1,
} as never)) as unknown as Release;

/** Passes every check of shapes, so that it is the core that refuses it. */
const NO_DELTA = { epsilon: 1, delta: 0 };

test.each([
  ["fit", () => engine.plan(model(NO_DELTA) as never), "budget.delta"],
  [
    "fit by the paper",
    () => engine.plan(model({ epsilon: 2, delta: 1e-6 }, { accounting: "paper" }) as never),
    "budget.epsilon",
  ],
  ["everyday numbers", () => engine.plan(everyday(NO_DELTA) as never), "budget.delta"],
  ["evaluation", () => engine.planEvaluation(release, { budget: NO_DELTA }), "evaluation.budget.delta"],
])("the plan of a %s", (_, plan, field) => {
  expect(refused(plan)).toBe(`range ${field}`);
});

test.each([
  ["fit", () => engine.fit(csv, model(NO_DELTA) as never), "budget.delta"],
  [
    "fit by the paper",
    () => engine.fit(csv, model({ epsilon: 2, delta: 1e-6 }, { accounting: "paper" }) as never),
    "budget.epsilon",
  ],
  ["everyday numbers", () => engine.fit(csv, everyday(NO_DELTA) as never), "budget.delta"],
  ["evaluation", () => engine.evaluate(release, csv, { budget: NO_DELTA }), "evaluation.budget.delta"],
])("the run of a %s", async (_, run, field) => {
  expect(await refusedLater(run)).toBe(`range ${field}`);
});

test.each(FIELDS)("%s of a budget keeps kind, value and rule, and that it is spent", (name) => {
  const wrong = new Refusal("range", name, "7", "must be less", { shown: true, spent: true });
  for (const asked of ["", "evaluation."]) {
    const renamed = () =>
      byAskedNames(() => {
        throw wrong;
      }, asked);
    expect(renamed).toThrow(
      expect.objectContaining({ ...wrong.toJSON(), field: `${asked}budget.${name}`, spent: true }),
    );
  }
});

test("other fields, and faults that are no refusals, stay as they are", () => {
  for (const error of [new Refusal("range", "lambda", 1, "must be less"), new Error("delta")]) {
    const thrown = () =>
      byAskedNames(() => {
        throw error;
      });
    expect(thrown).toThrow(error);
  }
  expect(byAskedNames(() => 7)).toBe(7);
});

test.each(NAMES)("whatever noise is typed for %s, only what was typed is refused", (name) => {
  const { noise, accuracyFirst } = rowOf(name);
  const usual = request(name);
  for (const typed of [1e-12, 1e-3, 1e12]) {
    const asked = {
      ...usual,
      algorithm: { ...usual.algorithm, [noise]: typed },
      budget: { delta: accuracyFirst ? 0 : 1e-5 },
    };
    try {
      engine.plan(asked as never);
    } catch (error) {
      expect(error).toBeInstanceOf(Refusal);
      if ((error as Refusal).kind === "missing") continue;
      const [first = "", second = ""] = (error as Refusal).field.split(".");
      expect([...Object.keys(asked.algorithm), "budget"], String(error)).toContain(
        first === "algorithm" ? second : first,
      );
      if (second === noise) expect(Number((error as Refusal).value), String(error)).toBe(typed);
    }
  }
});

test.each(NAMES)("what %s is asked is refused by its path", (name) => {
  const usual = request(name);
  const numbers = Object.keys(ALGORITHMS[name].asks).filter((key) => key !== "loss" && key !== "accounting");
  const changes: object[] = numbers.flatMap((key) =>
    [1e-12, 0.1, 3, 1e12].map((value) => ({ algorithm: { ...usual.algorithm, [key]: value } })),
  );
  for (const change of [...changes, { table: { ...usual.table, intercept: 1e-9 } }])
    try {
      engine.plan({ ...usual, ...change } as never);
    } catch (error) {
      const { field } = error as Refusal;
      expect([...numbers, "intercept"], `${JSON.stringify(change)}: ${error}`).not.toContain(field);
    }
});

test("a number that means nothing beside the others is refused by its path", () => {
  const usual = request("linear-mixing");
  const asked = { ...usual, algorithm: { ...usual.algorithm, failure: 0.1 } };
  expect(refused(() => engine.plan(asked as never))).toMatch(/ algorithm\.failure$/);
});
