/** The form of a private fit: which algorithms it offers, how its texts become a request, where refusals stand. */
import { describe, expect, test } from "vitest";
import { ALGORITHM } from "../../wasm/release/algorithms.ts";
import { checkRequest, PLAIN } from "../../wasm/release/fit-request.ts";
import { CHOICES, choicesFor, parametersFor, TASKS } from "../../web/src/fit/choices.ts";
import { EMPTY, type Form, filled, forColumns, withLabel, withTask } from "../../web/src/fit/form.ts";
import { fieldOf, read } from "../../web/src/fit/read.ts";
import { SAMPLES, type SampleName, sampleText } from "../../web/src/fit/samples.ts";

const COLUMNS = [
  { name: "age", numeric: true },
  { name: "sector", numeric: false },
  { name: "pay", numeric: true },
  { name: "pay", numeric: true },
  { name: "", numeric: false },
];

const answered: Form = filled(
  {
    ...forColumns(EMPTY, COLUMNS.slice(0, 3)),
    unit: { protects: "person", rows: "1", column: "" },
  },
  {
    columns: {
      age: { used: true, low: "18", high: "67" },
      sector: { used: true, use: "categorical", levels: " private \n\n public" },
    },
    label: { name: "pay", low: "0", high: "1e4" },
    parameters: { rows: "1_000" },
  },
);

describe("what is offered", () => {
  test("every algorithm of the schema, for at least one task, and none for a task that the engine refuses", () => {
    const { oneOf } = ALGORITHM.schema as { oneOf: { properties: { name: { enum: string[] } } }[] };
    const offered = new Set(TASKS.flatMap((task) => choicesFor(task).map(({ name }) => name)));
    expect([...offered].sort()).toEqual(oneOf.map(({ properties }) => properties.name.enum[0]).sort());
    expect(choicesFor("logistic").map(({ name }) => name)).not.toContain("ada-ssp");
    expect(choicesFor("softmax").map(({ name }) => name)).toEqual([
      "noisy-newton",
      "approximate-minima-perturbation",
    ]);
    expect(choicesFor("squared").map(({ name }) => name)).not.toContain("logistic-mixing");
  });

  test("the first algorithm of each task needs a budget, and what only its loss is asked", () => {
    const needed = TASKS.map((task) => {
      const [first] = choicesFor(task);
      const asked = first ? parametersFor(first, task).filter(({ required }) => required) : [];
      return [task, ...asked.map(({ key }) => key)];
    });
    expect(needed).toEqual([
      ["logistic"],
      ["softmax"],
      ["squared"],
      ["huber", "threshold"],
      ["poisson"],
      ["ballots"],
      ["counts"],
      ["none"],
    ]);
  });

  test.each(TASKS)(
    "whatever the engine must be told for %s is asked for, and nothing of another loss",
    (task) => {
      for (const choice of choicesFor(task)) {
        const asked = parametersFor(choice, task);
        expect(asked.some(({ key }) => key === "threshold")).toBe(choice.takesLoss && task === "huber");
        expect(asked.find(({ key }) => key === "threshold")?.required ?? true).toBe(true);
        expect(asked.find(({ key }) => key === "gradientBound")?.required ?? false).toBe(false);
      }
    },
  );

  test("noise is apart from the other parameters", () => {
    for (const { noise, parameters, accuracyFirst } of CHOICES) {
      expect(noise?.required).toBe(accuracyFirst);
      expect(parameters).not.toContain(noise);
    }
  });
});

describe("columns", () => {
  test("repeated and empty names cannot be used, and say so", () => {
    expect(forColumns(EMPTY, COLUMNS).columns.map(({ fault }) => fault)).toEqual([
      "",
      "",
      "has the same name as another column",
      "has the same name as another column",
      "has no name",
    ]);
  });

  test("what was typed stays when the table is read again", () => {
    expect(forColumns(answered, COLUMNS.slice(0, 3))).toEqual(answered);
    expect(forColumns(answered, COLUMNS.slice(1, 3)).columns.map(({ name }) => name)).toEqual([
      "sector",
      "pay",
    ]);
  });

  test("a table without the column that names people asks anew who is protected", () => {
    const named = { ...answered, unit: { protects: "person", rows: "2", column: "sector" } };
    expect(forColumns(named, COLUMNS.slice(0, 3)).unit).toEqual(named.unit);
    expect(forColumns(named, COLUMNS.slice(0, 1)).unit).toEqual(EMPTY.unit);
    const unnamed = { ...named, unit: { ...named.unit, column: "" } };
    expect(forColumns(unnamed, COLUMNS.slice(0, 1)).unit).toEqual(unnamed.unit);
  });

  test("a text is predicted as a class; the label is not used to predict itself", () => {
    const form = withLabel(answered, "sector");
    expect(form.task).toBe("logistic");
    expect(form.columns.map(({ used }) => used)).toEqual([true, false, false]);
    expect(withLabel(answered, "age").task).toBe("squared");
  });
});

describe("reading", () => {
  test("an empty form is all missing, and nothing is refused", () => {
    const { request, missing, refusals } = read(EMPTY, PLAIN);
    expect(request).toBeUndefined();
    expect(refusals.size).toBe(0);
    expect(missing).toContain("table.unit.protects");
    expect(missing).toContain("table.unit.rows");
    expect(missing).toContain("missing");
    expect(missing).toContain("budget.epsilon");
  });

  test("an answered one is a request that the engine accepts as it stands", () => {
    const { request, missing, refusals } = read(answered, PLAIN);
    expect([missing, [...refusals]]).toEqual([[], []]);
    expect(checkRequest(request)).toMatchObject({
      table: {
        unit: { protects: "person", rows: 1 },
        columns: [
          { name: "age", use: "numeric", range: [18, 67], missing: "drop" },
          { name: "sector", use: "categorical", levels: ["private", "public"] },
        ],
        label: { name: "pay", use: "numeric", range: [0, 10_000] },
      },
      algorithm: { name: "ada-ssp", accounting: "tight" },
      budget: { epsilon: 1, delta: 1e-6 },
    });
    expect(request).not.toHaveProperty("format");
    expect(read(answered, { ...PLAIN, delimiter: ";" }).request).toHaveProperty("format.delimiter", ";");
  });

  test("n in a level is the number of rows that was typed", () => {
    const dpSgd = { ...withTask(answered, "logistic"), algorithm: "dp-sgd", delta: "1/n" };
    expect(read(dpSgd, PLAIN).missing).toEqual(["table.label.levels.0", "table.label.levels.1"]);
    const { request } = read({ ...answered, delta: "1/n^2" }, PLAIN);
    expect(request).toHaveProperty("budget.delta", 1e-6);
  });

  test("typed noise takes the place of ε", () => {
    const { request } = read({ ...answered, keeps: false, parameters: { sigma: "5" } }, PLAIN);
    expect(request).toHaveProperty("algorithm.sigma", 5);
    expect(request).not.toHaveProperty("budget.epsilon");
    expect(read({ ...answered, keeps: false }, PLAIN).missing).toEqual(["algorithm.sigma"]);
  });

  test("what decides nothing beside the rest is not sent, whatever was typed before", () => {
    const asked = (more: Partial<Form>) =>
      (read({ ...answered, ...more }, PLAIN).request as { algorithm: object }).algorithm;
    const sketch = { algorithm: "linear-mixing", parameters: { rows: "1000", sketchSize: "50", sigma: "9" } };
    expect(asked(sketch)).toEqual({ name: "linear-mixing", accounting: "tight", sketchSize: 50 });
    expect(asked({ ...sketch, parameters: { rows: "1000", sigma: "9" } })).toHaveProperty("rows", 1000);
    const priced = { keeps: false, accounting: "paper", parameters: { sigma: "9" } };
    expect(asked(priced)).toEqual({ name: "ada-ssp", sigma: 9 });
    expect(asked({ ...priced, keeps: true })).toEqual({ name: "ada-ssp", accounting: "paper" });
    const minima = { task: "squared", algorithm: "approximate-minima-perturbation" } as const;
    const typed = { rows: "1000", predictorScale: "2", noiseRatio: "3", sigma: "5" };
    expect(asked({ ...minima, parameters: { ...typed, lambda: "9" } })).toEqual({
      name: "approximate-minima-perturbation",
      loss: "squared",
      accounting: "tight",
      lambda: 9,
    });
    // Noise that was typed for no budget is not among the rest where one is kept.
    expect(asked({ ...minima, parameters: typed })).toMatchObject({ predictorScale: 2, noiseRatio: 3 });
    const tune = { parameter: "lambda", values: "1; 10", runs: "" };
    expect(asked({ ...minima, parameters: typed, tune })).not.toHaveProperty("noiseRatio");
  });

  test("constants for missing values, where there are some", () => {
    const columns = answered.columns.map((column) =>
      column.name === "age" ? { ...column, constant: "40" } : column,
    );
    const { request } = read({ ...answered, missing: "constant", columns }, PLAIN);
    expect(request).toHaveProperty("table.columns.0.missing", { constant: 40 });
    expect(request).toHaveProperty("table.columns.1.missing", "drop");
  });

  test.each([
    ["table.columns.1.levels.0", "table.columns.1.levels"],
    ["table.columns.0.range", "table.columns.0.range.0"],
    ["table.label.range.1", "table.label.range.1"],
    ["epsilon", "budget.epsilon"],
    ["featureBound", "table.rowNorm"],
    ["dimension", "table.columns"],
    ["eigenvalueNoise", "algorithm.eigenvalueNoise"],
    ["coefficients", undefined],
  ])("a refusal of %s stands at %s", (engineField, field) => {
    const form = { ...answered, algorithm: "linear-mixing" };
    expect(fieldOf(read(form, PLAIN), engineField)).toBe(field);
  });

  test("columns that are not used do not shift those that are", () => {
    const columns = answered.columns.map((column) =>
      column.name === "age" ? { ...column, used: false } : column,
    );
    expect(fieldOf(read({ ...answered, columns }, PLAIN), "table.columns.0.levels")).toBe(
      "table.columns.1.levels",
    );
  });
});

test.each(Object.keys(SAMPLES) as SampleName[])("the sample %s keeps what is declared about it", (name) => {
  const [header = "", ...rows] = sampleText(name).trimEnd().split("\n");
  const delimiter = header.includes(";") ? ";" : ",";
  expect(rows).toHaveLength(SAMPLES[name].rows);
  const names = header.split(delimiter);
  for (const [column, declared] of Object.entries(SAMPLES[name].form.columns)) {
    const cells = rows.map((row) => row.split(delimiter)[names.indexOf(column)] as string);
    if (declared.use === "categorical") {
      expect([...new Set(cells)].sort()).toEqual(declared.levels?.split("\n").sort());
      continue;
    }
    const values = cells.map(Number);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(Number(declared.low));
    expect(Math.max(...values)).toBeLessThanOrEqual(Number(declared.high));
  }
});
