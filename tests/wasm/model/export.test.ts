/** Exports against predictions: a thousand rows, absurd cells included, by evaluators that know only the standards. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { exportModel } from "../../../wasm/model/export.ts";
import { modelsOf } from "../../../wasm/model/linear-model.ts";
import { predict, predictionLines } from "../../../wasm/model/predict.ts";
import { refused } from "../table/support.ts";
import { byDefinition, csv, MADE, type Made, release, rows, type Typed, typed } from "./models.ts";
import { onnxAnswer } from "./onnx-evaluator.ts";
import { onnxRuntime, runtimeAnswers } from "./onnx-runtime.ts";
import { all, pmmlAnswer, xml } from "./pmml-evaluator.ts";

const CELLS = rows(1000);
const ROWS = CELLS.map(typed);
const namesIn = (made: Made) =>
  release(made)
    .request.table.columns.filter(({ use }) => use !== "ignored")
    .map(({ name }) => name);

const predictions = async (made: Made) => (await predict(release(made), csv(CELLS))).values;

const text = (made: Made, to: string) => exportModel(release(made), to).content as string;

/** Where one is missing, so must the other be. */
function agree(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  expect(found.length).toBe(expected.length);
  const wrong = Array.from(expected, (value, i) => {
    const one = found[i] as number;
    if (Number.isNaN(value) || Number.isNaN(one)) return Number.isNaN(value) !== Number.isNaN(one);
    return !(Math.abs(one - value) <= tolerance * Math.max(1, Math.abs(value)));
  });
  expect(wrong.flatMap((is, i) => (is ? [[CELLS[i], found[i], expected[i]]] : []))).toEqual([]);
}

test.each(MADE)("a %s model predicts what its definition says", async (made) => {
  const values = await predictions(made);
  expect(values.filter(Number.isNaN).length).toBeGreaterThan(100);
  agree(
    values,
    ROWS.map((row) => byDefinition(release(made), row)),
    1e-9,
  );
});

interface Plain {
  readonly link: string;
  readonly intercept: number;
  readonly columns: readonly {
    readonly range?: [number, number];
    readonly coefficient?: number;
    readonly coefficients?: readonly { readonly level: string; readonly coefficient: number }[];
    readonly missing: "no prediction" | { readonly constant: number | string };
  }[];
}

function jsonAnswer({ link, intercept, columns }: Plain, row: Typed): number {
  const predictor = columns.reduce((sum, { range, coefficient = 0, coefficients, missing }, i) => {
    const value = row[i] ?? (missing === "no prediction" ? Number.NaN : missing.constant);
    if (range) return sum + coefficient * Math.min(Math.max(value as number, range[0]), range[1]);
    if (Number.isNaN(value)) return Number.NaN;
    return sum + (coefficients?.find(({ level }) => level === value)?.coefficient ?? 0);
  }, intercept);
  if (link === "logarithm") return Math.exp(predictor);
  return link === "logit" ? 1 / (1 + Math.exp(-predictor)) : predictor;
}

test.each(MADE)("a %s model is the same as JSON and as PMML", async (made) => {
  const values = await predictions(made);
  const plain = JSON.parse(text(made, "json")) as Plain;
  agree(
    ROWS.map((row) => jsonAnswer(plain, row)),
    values,
    1e-9,
  );
  const document = xml(text(made, "pmml"));
  const names = namesIn(made);
  expect(all(document, "DataField").map(({ attributes }) => attributes.name)).toEqual(
    expect.arrayContaining(names),
  );
  agree(
    ROWS.map((row) => pmmlAnswer(document, names, row)),
    values,
    1e-9,
  );
});

/** A text as other programs hand it over: blanks are taken off, nothing is an empty one. */
const onnxInputs = (names: readonly string[], row: Typed) =>
  new Map(names.map((name, i) => [name, row[i] ?? (i < 2 ? Number.NaN : "")] as const));

test.each(MADE)("a %s model is the same as ONNX, to the digits of its floats", async (made) => {
  const file = exportModel(release(made), "onnx").content as Uint8Array;
  const names = namesIn(made);
  agree(
    ROWS.map((row) => onnxAnswer(file, onnxInputs(names, row))),
    await predictions(made),
    1e-5,
  );
});

const folder = mkdtempSync(join(tmpdir(), "epsilometer-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The Python that has these modules; the system's packages are often in another than the first on the path. */
const pythonWith = (modules: string) =>
  ["python3", "/usr/bin/python3"].find(
    (python) => spawnSync(python, ["-c", `import ${modules}`]).status === 0,
  );

function python(program: string, script: string, input: unknown): number[] {
  const { status, stdout, stderr } = spawnSync(program, ["-W", "error", "-c", script], {
    input: JSON.stringify(input),
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  expect([status, stderr]).toEqual([0, ""]);
  return (JSON.parse(stdout) as (number | null)[]).map((one) => one ?? Number.NaN);
}

const REPORT = "print(json.dumps([None if one != one else float(one) for one in answers]))";

const withScikitLearn = pythonWith("sklearn.pipeline");

test.skipIf(!withScikitLearn).each(MADE)("a %s model is the same in scikit-learn itself", async (made) => {
  writeFileSync(join(folder, `${made}_model.py`), text(made, "scikit-learn"));
  // The pipeline and the function beside it, by their own ways to answer.
  const script = `
import json, sys
import numpy as np
from ${made}_model import clamp, model, predict
rows = json.load(sys.stdin)
answers = predict(rows)
whole = [row for row, one in zip(rows, answers) if one == one]
direct = model.predict_proba(whole)[:, 1] if hasattr(model, "predict_proba") else model.predict(whole)
assert (direct == answers[~np.isnan(answers)]).all()
${made === "logistic" ? 'assert list(model.predict(whole)) == [["z", "a"][int(one > 0.5)] for one in direct]' : ""}
${REPORT}`;
  agree(python(withScikitLearn as string, script, CELLS), await predictions(made), 1e-9);
});

test.skipIf(!onnxRuntime).each(MADE)("a %s model is the same in ONNX Runtime itself", async (made) => {
  const file = exportModel(release(made), "onnx").content as Uint8Array;
  const names = namesIn(made);
  const inputs = ROWS.map((row) => onnxInputs(names, row));
  agree(await runtimeAnswers(file, inputs), await predictions(made), 1e-5);
});

test.each([
  ["logistic", "probability,class", 0.5, ["z", "a"]],
  ["classes", "score,class", 0, ['"no, never"', "yes"]],
] as const)(
  "the lines of a %s model name the class beside the number",
  async (made, header, middle, names) => {
    const lines: string[] = [];
    for await (const piece of predictionLines(modelsOf(release(made)), csv(CELLS))) lines.push(piece);
    const expected = Array.from(await predictions(made), (one) =>
      Number.isNaN(one) ? "missing,missing" : `${one},${names[one > middle ? 1 : 0]}`,
    );
    expect(lines.join("")).toBe(`${[header, ...expected].join("\n")}\n`);
  },
);

test("rows that were shortened in the fit are shortened by predict, which every export says it does not do", async () => {
  const short = release("squared", { rowNorm: 0.5 });
  const row = CELLS.slice(0, 200);
  const { values } = await predict(short, csv(row));
  const long = await predict(release("squared"), csv(row));
  expect(values).not.toEqual(long.values);
  const contents = ["json", "scikit-learn", "pmml", "onnx"].map((to) => exportModel(short, to).content);
  for (const content of contents)
    expect(typeof content === "string" ? content : new TextDecoder().decode(content)).toContain(
      "rows longer than 0.5 were shortened",
    );
});

test("hostile names end no quotes", async () => {
  const name = `'''"""\\"\n<!-- --> ]]> {{ \u2028 ${"x".repeat(50)}`;
  const columns = [
    { name, use: "categorical", levels: ["'\"\\", "--><", "\u{1F600}"], missing: { constant: "--><" } },
  ];
  const hostile = release("squared", { columns });
  const row = xml(exportModel(hostile, "pmml").content as string);
  expect(all(row, "NormDiscrete").map(({ attributes }) => attributes.value)).toEqual(columns[0]?.levels);
  expect(pmmlAnswer(row, [name], ["\u{1F600}"])).toBeCloseTo(byDefinition(hostile, ["\u{1F600}"]), 9);
  const file = exportModel(hostile, "onnx").content as Uint8Array;
  expect(onnxAnswer(file, new Map([[name, "--><"]]))).toBeCloseTo(byDefinition(hostile, ["--><"]), 4);
  const script = exportModel(hostile, "scikit-learn").content as string;
  expect(script.split("\n").filter((line) => line.includes("x".repeat(50)))).toHaveLength(1);
  expect(script).toMatch(/^[\n -~]*$/);
});

const withPython = pythonWith("ast");

test.skipIf(!withPython)("names, levels and marks are the same texts in Python", () => {
  const odd = ["\u{20BB7}野家", "\u{1F600}", "\u{10FFFF}", "Łódź", "\u2028", "\"'\\", "a\u0001"];
  const column = { use: "categorical", levels: odd, missing: { constant: odd[0] } };
  const columns = odd.map((name) => ({ ...column, name }));
  const content = exportModel(release("squared", { columns, missingMarks: odd }), "scikit-learn").content;
  const script = `
import ast, json, sys
made = [one.value for one in ast.parse(sys.stdin.buffer.read()).body if isinstance(one, ast.Assign)]
found = [ast.literal_eval(one) for one in made[:2]]
# Halves of characters cannot be encoded.
sys.stdout.buffer.write(json.dumps(found, ensure_ascii=False).encode())`;
  const { stdout, stderr } = spawnSync(withPython as string, ["-c", script], { input: content as string });
  expect(String(stderr)).toBe("");
  expect(JSON.parse(String(stdout))).toEqual([
    odd.map((name) => ({ name, levels: odd, constant: odd[0] })),
    odd,
  ]);
});

test.skipIf(!withPython)(
  "cells of a data frame that are no texts are refused where their spelling counts",
  () => {
    const columns = [
      { name: "g", use: "categorical", levels: ["0", "1", "true"], missing: "drop" },
      { name: "x", use: "numeric", range: [0, 1], missing: "drop" },
    ];
    const functions = (missingMarks: string[]) => {
      const script = exportModel(release("squared", { columns, missingMarks }), "scikit-learn")
        .content as string;
      return script.slice(script.indexOf("MISSING_MARKS"), script.indexOf("def clamp"));
    };
    const tried = (marks: string[], calls: string) => `
import re
class np: nan = float("nan")
${functions(marks)}
def said(call):
    try: return repr(call())
    except TypeError as error: return str(error)
for call in [${calls}]: print(said(call))`;
    const asked = (marks: string[], calls: string) =>
      String(spawnSync(withPython as string, ["-c", tried(marks, calls)]).stdout)
        .trimEnd()
        .split("\n");
    const levels = (cell: string) => `lambda: indicators(${cell}, ["0", "1", "true"], None)`;
    expect(asked([], [levels('"1"'), levels('float("nan")'), levels("None")].join())).toEqual([
      "[0.0, 1.0, 0.0]",
      "[nan, nan, nan]",
      "[nan, nan, nan]",
    ]);
    for (const cell of ["1.0", "1", "True"])
      expect(asked([], levels(cell))).toEqual([expect.stringMatching(/must be a text: .*dtype=str/)]);
    expect(asked(["NA"], 'lambda: number(0.5, None), lambda: number("0.5", None)')).toEqual(["0.5", "0.5"]);
    expect(asked(["-99"], 'lambda: number(-99.0, None), lambda: number("-99", None)')).toEqual([
      expect.stringMatching(/^-99.0 must be a text/),
      "nan",
    ]);
  },
);

test("what holds no model, or cannot be written, is refused by name", async () => {
  expect(await refused(() => exportModel([], "json"))).toMatch(/^release = a list/);
  expect(await refused(() => exportModel({ ...release("squared"), outputs: [] }, "json"))).toMatch(
    /^release.outputs = nothing/,
  );
  expect(await refused(() => exportModel(release("squared"), "pickle"))).toMatch(/^to = "pickle"/);
  const { request, outputs } = release("squared");
  const few = { private: true, request, outputs: [{ ...outputs[0], values: [1, 2] }] };
  expect(await refused(() => exportModel(few, "json"))).toMatch(/^release.outputs.values/);
  const empty = release("squared", { columns: [] });
  expect(await refused(() => exportModel(empty, "onnx"))).toMatch(/exported as json only/);
  expect(JSON.parse(exportModel(empty, "json").content as string).columns).toEqual([]);
  for (const range of [
    [1e9, 1e9 + 10],
    [-1e9, -1e9 + 1e5],
    [0, 1e50],
    [-1e-50, 1e-50],
  ]) {
    const far = release("squared", { columns: [{ name: "far", use: "numeric", range, missing: "drop" }] });
    expect(await refused(() => exportModel(far, "onnx"))).toMatch(/^release.request.table = "far".*32 bits/);
    expect(exportModel(far, "json").content).toContain("far");
  }
  const columns = [{ name: "a\u0001", use: "numeric", range: [0, 1], missing: "drop" }];
  expect(await refused(() => exportModel(release("squared", { columns }), "pmml"))).toMatch(/XML/);
});

/** The release as it says what it promised, and after the fact what it told. */
const promising = (promise: object) => ({
  ...release("squared"),
  epsilon: { lower: 0.9, upper: 1.25, kind: "certified", neighbours: "replace" },
  ...promise,
});
const noted = (promise: object) =>
  ["json", "scikit-learn", "pmml", "onnx"].map((to) => {
    const { content } = exportModel(promising(promise), to);
    return typeof content === "string" ? content : Buffer.from(content).toString("latin1");
  });

test("every export says what was promised, and of a loss after the fact that it is another guarantee", () => {
  const price = "Promised whatever came out: epsilon at most 1.25 at delta 0.000001, neighbours replace.";
  const after = "What came out cost 0.0625 at most, ex post: a guarantee of another kind.";
  for (const one of noted({})) {
    expect(one).toContain(price);
    expect(one).not.toContain("ex post");
  }
  const exPost = { kind: "ex-post", epsilon: 0.0625, testing: 0.05, model: 0.0125, neighbours: "replace" };
  const told = { guarantee: "ex-post", exPost };
  for (const one of noted(told)) expect(one).toContain(`${price} ${after}`);
  expect(JSON.parse(noted(told)[0] as string)).toMatchObject(told);
  expect(JSON.parse(noted({})[0] as string)).not.toHaveProperty("guarantee");
});

test("no export promises what is not private, not bounded or not a number", () => {
  const texts = '1"""\nimport os';
  const none = [
    { private: false, request: { ...release("squared").request, seed: 1 } },
    { epsilon: undefined },
    { epsilon: null },
    { epsilon: { upper: null, neighbours: "replace" } },
    { epsilon: { upper: Number.POSITIVE_INFINITY, neighbours: "replace" } },
    { epsilon: { upper: texts, neighbours: "replace" } },
    { epsilon: { upper: 1, neighbours: texts } },
    { delta: texts },
  ];
  for (const promise of none) {
    for (const one of noted(promise)) expect(one).not.toContain("Promised");
    // What stands in a program is numbers only.
    for (const one of noted(promise).slice(1)) expect(one).not.toContain("import os");
  }
  for (const one of noted({ exPost: { epsilon: texts } }).slice(1)) expect(one).not.toContain("import os");
});
