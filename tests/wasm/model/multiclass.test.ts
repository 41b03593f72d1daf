/** Models of several classes: predictions by their definition, and every export against them. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { exportModel } from "../../../wasm/model/export.ts";
import { modelsOf } from "../../../wasm/model/linear-model.ts";
import { predict, predictionLines } from "../../../wasm/model/predict.ts";
import { checkRequest } from "../../../wasm/release/fit-request.ts";
import { release as binary, byDefinition, csv, random, rows, typed } from "./models.ts";
import { onnxAnswers } from "./onnx-evaluator.ts";
import { onnxRuntime, runtimeAnswers } from "./onnx-runtime.ts";
import { pmmlAnswers, xml } from "./pmml-evaluator.ts";

const CLASSES = ["low", "mid, or so", 'the "top"', "Łódź"];
const CELLS = rows(300);
const ROWS = CELLS.map(typed);

const OF_TWO = binary("classes");
const SIZE = OF_TWO.outputs[0]?.values.length as number;

/** A release with coefficients that nobody fitted. */
function release(classes: readonly string[] = CLASSES) {
  const { table } = OF_TWO.request;
  const request = checkRequest({
    ...OF_TWO.request,
    table: { ...table, label: { name: "y", use: "multiclass", levels: classes, missing: "drop" } },
    algorithm: { name: "noisy-newton", loss: "softmax" },
  });
  const next = random(31);
  const values = Array.from({ length: SIZE * classes.length }, () => 4 * next() - 2);
  const shape = [SIZE, classes.length];
  return {
    request,
    outputs: [{ name: "coefficients", kind: "class-coefficients", shape, values }],
    private: true,
    delta: 1e-6,
  };
}

const RELEASE = release();
const VALUES = RELEASE.outputs[0]?.values ?? [];

/** By the definition of softmax, of a predictor for each class. */
const EXPECTED = ROWS.flatMap((row) => {
  const weights = CLASSES.map((_, k) => {
    const values = VALUES.filter((_, i) => i % CLASSES.length === k);
    const outputs = [{ name: "coefficients", kind: "coefficients", shape: [SIZE], values }];
    return Math.exp(byDefinition({ ...OF_TWO, outputs }, row));
  });
  const sum = weights.reduce((all, one) => all + one, 0);
  return weights.map((one) => one / sum);
});

/** Where one is missing, so must the other be. */
function agree(found: ArrayLike<number>, tolerance: number): void {
  expect(found.length).toBe(EXPECTED.length);
  const wrong = EXPECTED.filter((value, i) => {
    const one = found[i] as number;
    return Number.isNaN(value) ? !Number.isNaN(one) : !(Math.abs(one - value) <= tolerance);
  });
  expect(wrong).toEqual([]);
}

test("it predicts the probabilities of all classes, and nothing of a row that lacks a value", async () => {
  const { values, predicted, classes } = await predict(RELEASE, csv(CELLS));
  expect([predicted, classes]).toEqual(["probabilities", CLASSES]);
  expect(EXPECTED.filter(Number.isNaN).length).toBeGreaterThan(100);
  agree(values, 1e-12);
});

test("the lines of a file name the likeliest class beside the probabilities", async () => {
  const lines: string[] = [];
  for await (const piece of predictionLines(modelsOf(RELEASE), csv(CELLS))) lines.push(piece);
  const [header, ...rest] = lines.join("").trimEnd().split("\n");
  expect(header).toBe(
    'probability of low,"probability of mid, or so","probability of the ""top""",probability of Łódź,class',
  );
  const cells = ["low", '"mid, or so"', '"the ""top"""', "Łódź"];
  expect(rest).toHaveLength(CELLS.length);
  for (const [i, line] of rest.entries()) {
    const expected = EXPECTED.slice(4 * i, 4 * i + 4);
    if (Number.isNaN(expected[0])) expect(line).toBe("missing,missing,missing,missing,missing");
    else expect(line.endsWith(`,${cells[expected.indexOf(Math.max(...expected))]}`)).toBe(true);
  }
});

const NAMES = OF_TWO.request.table.columns.filter(({ use }) => use !== "ignored").map(({ name }) => name);
const ONNX = exportModel(RELEASE, "onnx").content as Uint8Array;
const ONNX_INPUTS = ROWS.map(
  (row) => new Map(NAMES.map((name, i) => [name, row[i] ?? (i < 2 ? Number.NaN : "")] as const)),
);

test("PMML and ONNX say the same", () => {
  const document = xml(exportModel(RELEASE, "pmml").content as string);
  agree(
    ROWS.flatMap((row) => pmmlAnswers(document, NAMES, row)),
    1e-12,
  );
  agree(
    ONNX_INPUTS.flatMap((row) => {
      const answers = onnxAnswers(ONNX, row);
      // One NaN stands for all, as it is broadcast.
      return answers.length === 1 ? CLASSES.map(() => answers[0] as number) : answers;
    }),
    1e-5,
  );
});

test.skipIf(!onnxRuntime)("ONNX Runtime itself says the same", async () => {
  agree(await runtimeAnswers(ONNX, ONNX_INPUTS), 1e-5);
});

test("JSON has a predictor for each class, by its name", () => {
  const exported = JSON.parse(exportModel(RELEASE, "json").content as string);
  expect([exported.link, exported.predicted, exported.classes]).toEqual([
    "softmax",
    "probabilities",
    CLASSES,
  ]);
  expect(exported.predictors.map((one: { class: string }) => one.class)).toEqual(CLASSES);
  const scale = 1 / Math.sqrt(4);
  // A level's coefficient is that of its feature, over the root of the number of columns.
  const levels = exported.predictors.map(
    (one: { columns: { coefficients?: { coefficient: number }[] }[] }) =>
      one.columns[2]?.coefficients?.[1]?.coefficient,
  );
  expect(levels).toEqual(CLASSES.map((_, k) => (VALUES[3 * CLASSES.length + k] as number) * scale));
});

const folder = mkdtempSync(join(tmpdir(), "epsilometer-"));
afterAll(() => rmSync(folder, { recursive: true }));
const program = ["python3", "/usr/bin/python3"].find(
  (python) => spawnSync(python, ["-c", "import sklearn.pipeline"]).status === 0,
);

test.skipIf(!program)("scikit-learn itself says the same", () => {
  writeFileSync(join(folder, "made_model.py"), exportModel(RELEASE, "scikit-learn").content as string);
  const script = `
import json, sys
from made_model import model, predict
rows = json.load(sys.stdin)
answers = predict(rows)
whole = [row for row, one in zip(rows, answers) if one[0] == one[0]]
classes = ${JSON.stringify(CLASSES)}
assert list(model.predict(whole)) == [classes[one.argmax()] for one in answers if one[0] == one[0]]
print(json.dumps([None if one != one else float(one) for one in answers.ravel()]))`;
  const { stdout, stderr } = spawnSync(program as string, ["-W", "error", "-c", script], {
    input: JSON.stringify(CELLS),
    cwd: folder,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  agree(
    (JSON.parse(stdout) as (number | null)[]).map((one) => one ?? Number.NaN),
    1e-9,
  );
});

test("releases that do not hold a list for each class are refused", () => {
  const [output] = RELEASE.outputs;
  const short = { ...RELEASE, outputs: [{ ...output, values: VALUES.slice(1) }] };
  expect(() => modelsOf(short)).toThrow("release.outputs.values");
  expect(() => modelsOf({ ...RELEASE, outputs: OF_TWO.outputs })).toThrow("release.outputs");
  expect(() => modelsOf({ ...OF_TWO, outputs: RELEASE.outputs })).toThrow("release.outputs");
});
