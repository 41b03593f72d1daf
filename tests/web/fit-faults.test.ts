/** All that is wrong with the form of a private fit is said at once, each beside its field, whatever else is missing. */
import { describe, expect, test } from "vitest";
import { Refusal } from "../../wasm/engine/refusal.ts";
import { checkRequest, PLAIN } from "../../wasm/release/fit-request.ts";
import { CHOICES, isVoteTask, labelUse, parametersFor, type Task } from "../../web/src/fit/choices.ts";
import { EMPTY, type Form, type FormPatch, filled, forColumns } from "../../web/src/fit/form.ts";
import { idleFields, read } from "../../web/src/fit/read.ts";
import { verdict } from "../../web/src/pages/fit/verdict.ts";

const COLUMNS = ["age", "height", "sector", "pay"].map((name) => ({ name, numeric: name !== "sector" }));

const LABELS = {
  classes: { first: "no", second: "yes" },
  multiclass: { levels: "a\nb\nc" },
  numeric: { low: "0", high: "100" },
  count: { low: "0", high: "100" },
  choice: { levels: "a\nb" },
  question: { levels: "first\nsecond" },
} as const;

/** The first column is not used, so that the engine counts them otherwise than the form. */
function columnsFor(task: Task): FormPatch["columns"] {
  const height = { used: true, low: "1", high: "2" };
  const sector = { used: true, use: "categorical", levels: "a\nb" } as const;
  if (!isVoteTask(task)) return { height, sector };
  return task === "ballots" ? { sector } : { height, sector: { ...height, use: "numeric" as const } };
}

/** A form with nothing to refuse. */
function answered(algorithm: string, task: Task): Form {
  const use = labelUse(task);
  const label = use && LABELS[use];
  const blank = forColumns(EMPTY, COLUMNS);
  return {
    ...filled(
      { ...blank, unit: { protects: "person", rows: "1", column: "" } },
      {
        columns: columnsFor(task),
        label: { name: "pay", ...label },
        task,
        algorithm,
        parameters: {
          threshold: "1",
          gradientBound: "2",
          rows: "1000",
          steps: "10",
          rate: "0.1",
          learningRate: "1",
          lambda: "5",
          excessRisk: "0.5",
          components: "1",
        },
      },
    ),
  };
}

const ALL = CHOICES.flatMap((choice) =>
  choice.tasks.map((task) => [choice.name, task as Task, choice] as const),
);

/** Below every range that there is. */
const WRONG = "-1e300";

const reason = (request: unknown) => {
  try {
    checkRequest(request);
  } catch (error) {
    if (error instanceof Refusal) return error.rule;
    throw error;
  }
  return undefined;
};

/** A copy with one part replaced. */
function replaced(value: unknown, [key = "", ...rest]: readonly string[], by: unknown): unknown {
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = rest.length === 0 ? by : replaced(copy[key], rest, by);
  return copy;
}

test.each(ALL)("%s for %s: every number that is out of its range, all together", (name, task, choice) => {
  const form = answered(name, task);
  const { request, refusals: none } = read(form, PLAIN);
  expect([...none]).toEqual([]);
  expect(reason(request)).toBeUndefined();
  const accuracy = choice.accuracyFirst && choice.noise ? [choice.noise] : [];
  const numbers = [...parametersFor(choice, task), ...accuracy].filter(({ type }) => type !== "choice");
  const budget = choice.accuracyFirst ? [] : ["budget.epsilon", "budget.delta"];
  const wrong = {
    ...form,
    unit: { ...form.unit, rows: WRONG },
    rowNorm: WRONG,
    intercept: WRONG,
    epsilon: WRONG,
    delta: WRONG,
    parameters: Object.fromEntries(numbers.map(({ key }) => [key, WRONG])),
  };
  const { refusals } = read(wrong, PLAIN);
  const fields = [
    "table.unit.rows",
    ...(isVoteTask(task) ? [] : ["table.rowNorm", "table.intercept"]),
    ...budget,
    // What decides nothing beside the rest is not read.
    ...numbers.filter(({ key }) => !idleFields(wrong).has(key)).map(({ key }) => `algorithm.${key}`),
  ];
  expect([...refusals.keys()].sort()).toEqual(fields.sort());
  // Each is refused as it would be alone.
  for (const [field, { rule }] of refusals)
    expect(reason(replaced(request, field.split("."), Number(WRONG)))).toBe(rule);
});

const reversed = (form: Form): Form => ({
  ...form,
  unit: { ...form.unit, rows: "1001" },
  columns: form.columns.map((column) => ({
    ...column,
    ...(column.name === "height" ? { low: "2", high: "1" } : {}),
    ...(column.name === "sector" ? { levels: "a\nb\na" } : {}),
  })),
  delta: "2",
});

describe("mistakes of every sort", () => {
  const form = reversed(answered("ada-ssp", "squared"));
  const { label } = form;
  const wrong: Form = { ...form, label: { ...label, low: "5", high: "5" }, epsilon: "abc" };
  const fields = [
    "budget.epsilon",
    "table.unit.rows",
    "budget.delta",
    "table.columns.1.range.0",
    "table.columns.2.levels",
    "table.label.range.0",
  ];

  test("each has its own place", () => {
    expect([...read(wrong, PLAIN).refusals.keys()]).toEqual(fields);
  });

  test("the price tells all of them, and where", () => {
    const told = verdict(wrong, read(wrong, PLAIN), undefined, new Set());
    expect([...told.refusals.keys()]).toEqual(fields);
    const { price } = told;
    if (price.state !== "refused") throw new Error("it must be refused");
    expect(price.faults.map(({ field }) => field)).toEqual(fields);
    expect(price.faults.map(({ sentence }) => sentence)).toContain(
      "Least value of height “2 to 1”: must be two numbers, the second above the first by 1e-9 of the larger at least.",
    );
  });

  test("what is missing elsewhere hides none of them", () => {
    const lacking: Form = {
      ...wrong,
      unit: { ...wrong.unit, protects: "" },
      missing: "",
      epsilon: "",
      label: { ...label, name: "", low: "", high: "" },
    };
    const { refusals, missing } = read(lacking, PLAIN);
    expect([...refusals.keys()].sort()).toEqual(fields.slice(1, 5).sort());
    expect(missing).toContain("table.label.range.0");
  });

  test("a number that is still to be typed is missing, not wrong", () => {
    const { refusals, missing } = read(
      { ...answered("ada-ssp", "squared"), label: { ...label, high: "" } },
      PLAIN,
    );
    expect([...refusals]).toEqual([]);
    expect(missing).toEqual(["table.label.range.1"]);
  });
});

test("what came of a look-up stands at the levels while there is a list to fill, and keeps nobody from typing it", () => {
  const form = answered("ada-ssp", "squared");
  const failed: Form = {
    ...form,
    columns: form.columns.map((column) => ({ ...column, levelsFault: "the column has too many" })),
  };
  const told = verdict(failed, read(failed, PLAIN), undefined, new Set());
  expect([...told.refusals].map(([field, { rule }]) => [field, rule])).toEqual([
    ["table.columns.2.levels", "the column has too many"],
  ]);
  expect(told.price.state).toBe("asking");
  const again = forColumns(failed, COLUMNS);
  expect(again.columns.map(({ levelsFault }) => levelsFault)).toEqual(["", "", "", ""]);
});
