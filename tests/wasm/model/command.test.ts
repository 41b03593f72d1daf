/** Predictions and exports on the command line, as a stranger runs them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { open } from "../../../wasm/engine.ts";
import { EXPORT_NAMES, exportModel } from "../../../wasm/model/export.ts";
import { bytes, PROGRAM } from "../run.ts";
import { csv, release, rows } from "./models.ts";

const folder = mkdtempSync(join(tmpdir(), "epsilometer-"));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const run = (words: readonly string[], input = "") =>
  bytes(process.execPath, [PROGRAM, ...words], () => ({ input }));

function answered(...asked: Parameters<typeof run>): string {
  const { status, stdout, stderr } = run(...asked);
  expect([status, stderr.toString()]).toEqual([0, ""]);
  return stdout.toString();
}

function refusal(...words: string[]) {
  const { status, stdout, stderr } = run(words);
  expect([status, stdout.length]).toEqual([2, 0]);
  return JSON.parse(stderr.toString()).refusal as { field: string; rule: string };
}

const linear = file("linear.json", JSON.stringify(release("squared")));
const classes = file("classes.json", JSON.stringify(release("logistic")));

test("each row has its line, missing where it lacks a value, and the engine says the same", async () => {
  const text = csv(rows(300));
  const engine = await open();
  const { values } = await engine.predict(release("squared"), text);
  const lines = answered(["predict", linear, "-"], text).split("\n");
  expect(lines).toEqual([
    "value",
    ...Array.from(values, (one) => (!Number.isNaN(one) ? `${one}` : "missing")),
    "",
  ]);
  expect(lines).toContain("missing");
  const told = await engine.predict(release("logistic"), text);
  expect(told.classes).toEqual(["z", "a"]);
  const [header, ...rest] = answered(["predict", classes, file("rows.csv", text)])
    .trimEnd()
    .split("\n");
  expect(header).toBe("probability,class");
  expect(rest).toEqual(
    Array.from(told.values, (one) =>
      !Number.isNaN(one) ? `${one},${one > 0.5 ? "a" : "z"}` : "missing,missing",
    ),
  );
});

test("no line stops it, whatever it holds, and the order of columns is the file's", () => {
  const columns = [
    { name: "x", use: "numeric", range: [0, 1], missing: "drop" },
    { name: "g", use: "categorical", levels: ["a"], missing: { constant: "a" } },
  ];
  const path = file("small.json", JSON.stringify(release("squared", { columns })));
  const odd = [
    "a,1",
    'a,"1',
    "a",
    "",
    "a,1,2",
    "\u0000,1",
    "b,nan",
    "q,2",
    `${"y".repeat(5 << 20)},1`,
    "a,1",
  ];
  const lines = answered(["predict", path, "-"], `g,x\n${odd.join("\n")}\n`)
    .trimEnd()
    .split("\n")
    .slice(1);
  const [known, level] = [lines[0] as string, lines[6] as string];
  expect(lines).toEqual([known, "missing", "missing", "missing", known, "missing", level, "missing", known]);
  expect(Number(level)).not.toBe(Number(known));
});

test("a table without rows has the line of names alone, and a declared column that it lacks is refused", () => {
  const header = csv([]);
  expect(answered(["predict", linear, "-"], header)).toBe("value\n");
  expect(refusal("predict", linear, file("other.csv", "age,sex\n1,f\n")).field).toMatch(/^table.columns/);
  expect(refusal("predict", linear)).toMatchObject({ field: "table" });
  expect(refusal("predict", file("none.json", "{}"), "-")).toMatchObject({ field: "release.request" });
  expect(refusal("predict")).toMatchObject({ field: "release" });
});

test("export prints what the engine exports, bytes of ONNX included", () => {
  for (const to of EXPORT_NAMES) {
    const { status, stdout } = run(["export", classes, "--to", to]);
    expect([
      status,
      Buffer.compare(stdout, Buffer.from(exportModel(release("logistic"), to).content)),
    ]).toEqual([0, 0]);
  }
  expect(refusal("export", classes)).toMatchObject({ field: "to" });
  expect(refusal("export", classes, "--to", "pickle").rule).toContain("scikit-learn");
});

test("a release stands for its request, wherever one is asked for", () => {
  const example = /<<'END'\n([\s\S]*?)\nEND/.exec(readFileSync("README.md", "utf8"))?.[1] as string;
  const request = file("request.json", JSON.stringify({ ...JSON.parse(example), seed: 4 }));
  const table = file("data.csv", "age,sex,pay\n31,f,2900\n45,m,3100\n52,f,4000\n");
  const printed = answered(["fit", table, "--request", request]);
  const saved = file("release.json", printed);
  expect(answered(["fit", table, "--request", saved])).toBe(printed);
  expect(answered(["plan", "--request", saved])).toBe(answered(["plan", "--request", request]));
  expect(answered(["statistics", "--request", saved, "--dialect", "duckdb"])).toBe(
    answered(["statistics", "--request", request, "--dialect", "duckdb"]),
  );
  const lines = answered(["predict", saved, table]).trimEnd().split("\n");
  const { intercept, terms } = JSON.parse(printed).coefficients;
  const [age, female] = terms.map(({ coefficient }: { coefficient: number }) => coefficient);
  expect(Number(lines[1])).toBeCloseTo(intercept + 31 * age + female, 6);
});
