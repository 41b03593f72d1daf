/** Private models on the command line, as a stranger runs them: the built file, in a process of its own. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { checkRequest, fitSchema } from "../../wasm/release/fit-request.ts";
import { grids } from "../../wasm/table/statistics.ts";
import { command as run } from "./run.ts";
import { integerSums } from "./table/support.ts";

const folder = mkdtempSync(join(tmpdir(), "epsilometer-"));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

function refusal(...words: string[]) {
  const { status, stdout, stderr } = run(words);
  expect([status, stdout]).toEqual([2, ""]);
  return JSON.parse(stderr).refusal as { kind: string; field: string; value: string; rule: string };
}

/** The example of the README, which must work as it stands there. */
const example = /<<'END'\n([\s\S]*?)\nEND/.exec(readFileSync("README.md", "utf8"))?.[1] as string;
const text = "age,sex,pay\n31,f,2900\n45,m,3100\n52,f,4000\n";
const [request, table] = [file("request.json", example), file("data.csv", text)];
const seeded = file("seeded.json", JSON.stringify({ ...JSON.parse(example), seed: 4 }));

test("fit prints a release, or keeps it in a new file", () => {
  const { status, stdout, stderr } = run(["fit", table, "--request", request]);
  expect([status, stderr]).toEqual([0, ""]);
  const printed = JSON.parse(stdout);
  expect(printed.private).toBe(true);
  expect(printed.epsilon.upper).toBeLessThanOrEqual(1);
  expect(printed.epsilon.upper).toBeGreaterThan(1 - 1e-8);
  expect(printed.coefficients.terms.map(({ column }: { column: string }) => column)).toEqual([
    "age",
    "sex",
    "sex",
  ]);
  const kept = join(folder, "release.json");
  expect(run(["fit", table, "--request", seeded, "--release", kept]).stdout).toBe("");
  expect(readFileSync(kept, "utf8")).toBe(run(["fit", "-", "--request", seeded], text).stdout);
  // A release that is there has been paid for.
  expect(refusal("fit", table, "--request", seeded, "--release", kept)).toMatchObject({ field: "release" });
});

test("a batch fits tables by their paths, and repeats nothing of what may be one", () => {
  const asked = JSON.parse(readFileSync(seeded, "utf8"));
  const lines = [
    { ask: "fit", table, request: asked },
    { ask: "fit", table: text, request: asked },
    { ask: "fit", table: "31,f,2900", request: asked },
    { ask: "fit", table: { file: "31,f,2900" }, request: asked },
    { ask: "fit", table: 2900, request: asked },
    { ask: "fit", table: folder, request: asked },
    { ask: "fit", table, request: { ...asked, budget: { epsilon: 1, delta: 0 } } },
    { ask: "fit", table },
    { ask: "fit", table, request: asked },
  ];
  const { status, stdout } = run(["batch"], lines.map((line) => JSON.stringify(line)).join("\n"));
  expect(status).toBe(2);
  const answers = stdout.trimEnd().split("\n");
  expect(`${answers[0]}\n`).toBe(run(["fit", table, "--request", seeded]).stdout);
  expect(answers.at(-1)).toBe(answers[0]);
  for (const answer of answers.slice(1, 6)) {
    expect(JSON.parse(answer).refusal).toMatchObject({ field: "table" });
    expect(answer).not.toMatch(/2900|31|age/);
  }
  expect(JSON.parse(answers[6] as string).refusal).toMatchObject({ field: "budget.delta" });
  expect(JSON.parse(answers[7] as string).refusal).toMatchObject({ field: "request", kind: "missing" });
});

test("plan tells what a fit tells, save the coefficients", () => {
  const {
    coefficients: _,
    intervals: __,
    released: ___,
    outputs: ____,
    ...told
  } = JSON.parse(run(["fit", table, "--request", seeded]).stdout);
  expect(JSON.parse(run(["plan", "--request", seeded]).stdout)).toEqual(told);
});

test("simulate tells the error to expect", () => {
  const guesses = JSON.stringify({ rows: 200, epsilons: [1], tables: 2 });
  const { status, stdout } = run(["simulate", "--request", request, "--guesses", guesses]);
  const { kind, points } = JSON.parse(stdout);
  expect([status, kind, points.length]).toEqual([0, "simulation", 1]);
  expect(refusal("simulate", "--request", request, "--guesses", "{}")).toMatchObject({
    field: "guesses.rows",
  });
  expect(refusal("simulate", "--request", request, "--guesses", "many")).toMatchObject({ field: "guesses" });
});

test("the requests of the documentation are planned", () => {
  for (const name of ["adult", "communities"]) {
    const { status, stdout, stderr } = run(["plan", "--request", `docs/examples/${name}.json`]);
    expect([status, stderr]).toEqual([0, ""]);
    const { upper } = JSON.parse(stdout).epsilon;
    expect(upper).toBeLessThanOrEqual(1);
    expect(upper).toBeGreaterThan(1 - 1e-8);
  }
});

test("statistics prints the query", () => {
  const { stdout } = run([
    "statistics",
    "--request",
    request,
    "--dialect",
    "duckdb",
    "--from",
    "main.people",
  ]);
  expect(stdout).toMatch(/^WITH epsilometer_texts AS/);
  expect(stdout).toContain('FROM "main"."people"');
});

test("what a database answered makes the same model, also in parts", async () => {
  const { table: declared } = checkRequest(JSON.parse(example));
  const answer = (rows: string) => integerSums(rows, declared, { sql: "", ...grids(declared) });
  const header = "age,sex,pay\n";
  const whole = file("whole.json", JSON.stringify([await answer(text)]));
  const [one, other] = [
    file("one.json", JSON.stringify(await answer(`${header}31,f,2900\n`))),
    file("other.json", JSON.stringify(await answer(`${header}45,m,3100\n52,f,4000\n`))),
  ];
  const { stdout } = run(["fit", table, "--request", seeded]);
  expect(run(["fit", "--statistics", whole, "--request", seeded]).stdout).toBe(stdout);
  const parts = ["--statistics", one, "--statistics", other];
  expect(run(["fit", "--request", seeded, ...parts]).stdout).toBe(stdout);
  expect(refusal("fit", table, "--request", seeded, ...parts)).toMatchObject({ field: "statistics" });
  expect(refusal("fit", "--statistics", request, "--request", seeded)).toMatchObject({
    kind: "unknown",
    field: "statistics.0.table",
  });
  expect(refusal("fit", "--statistics", whole)).toMatchObject({ kind: "missing", field: "request" });
});

test("everyday numbers too have a query, whose answer makes the same release", () => {
  const sex = { name: "sex", use: "categorical", levels: ["f", "m"], missing: "drop" };
  const asked = {
    table: { unit: { protects: "row", rows: 1 }, columns: [sex] },
    releases: [{ of: "histogram", column: "sex" }, { of: "count" }],
    budget: { epsilon: 1, delta: 1e-6 },
    seed: 4,
  };
  const everyday = file("everyday.json", JSON.stringify(asked));
  const print = (path: string) => [
    "statistics",
    "--request",
    path,
    "--dialect",
    "duckdb",
    "--from",
    "people",
  ];
  const query = run(print(everyday)).stdout;
  expect(query).toContain('FROM "people"');
  const declared = /'([0-9a-f]{16})' AS declared/.exec(query)?.[1];
  const answer = file("everyday-answer.json", JSON.stringify({ declared, sums: ["2", "1", "0", "0", "3"] }));
  const { stdout } = run(["fit", table, "--request", everyday]);
  expect(JSON.parse(stdout).results).toHaveLength(2);
  expect(run(["fit", "--statistics", answer, "--request", everyday]).stdout).toBe(stdout);
  const kept = join(folder, "everyday-release.json");
  run(["fit", table, "--request", everyday, "--release", kept]);
  expect(run(["fit", table, "--request", kept]).stdout).toBe(stdout);
  const releases = [{ of: "found-groups", by: "sex" }];
  const found = { ...asked, table: { ...asked.table, columns: [] }, releases };
  const unsummed = file("unsummed.json", JSON.stringify(found));
  expect(refusal(...print(unsummed))).toMatchObject({ kind: "unsupported", field: "releases.0.of" });
});

test("schema prints what a request may be", () => {
  expect(JSON.parse(run(["schema"]).stdout)).toEqual(JSON.parse(JSON.stringify(fitSchema)));
  expect(JSON.parse(run(["schema", "evaluation"]).stdout).required).toEqual(["budget"]);
  expect(refusal("schema", "--request", request)).toMatchObject({ kind: "unknown", field: "option" });
});

test("what cannot be answered is refused by name, and leaves no file", () => {
  expect(refusal("fit", "--request", request)).toMatchObject({ kind: "missing", field: "table" });
  expect(refusal("fit", table)).toMatchObject({ kind: "missing", field: "request" });
  expect(refusal("fit", table, "--seed", "1")).toMatchObject({ kind: "unknown", field: "option" });
  expect(refusal("plan", "--request", join(folder, "none.json"))).toMatchObject({ field: "request" });
  expect(refusal("plan", "--request", table)).toMatchObject({ kind: "malformed", field: "request" });
  expect(refusal("statistics", "--request", request, "--dialect", "oracle")).toMatchObject({
    field: "dialect",
  });
  for (const absent of [join(folder, "none.csv"), join(folder, "none")])
    expect(refusal("fit", absent, "--request", request)).toMatchObject({ field: "table" });
  expect(refusal("fit", folder, "--request", request).rule).toContain("cannot be read");
  const release = join(folder, "nothing.json");
  const zip = file("data.zip", "PK\x03\x04");
  expect(refusal("fit", zip, "--request", request, "--release", release).rule).toContain("ZIP");
  expect(existsSync(release)).toBe(false);
});

test("a report is made of a release, read for one row, and each row's loss told to who has the table", () => {
  const release = join(folder, "to-report.json");
  run(["fit", table, "--request", seeded, "--release", release]);
  const made = run(["report", release]);
  expect([made.status, made.stderr]).toEqual([0, ""]);
  const report = file("report.json", made.stdout);
  const row = file("row.json", '{"age": 31, "sex": "f", "pay": 2900}');
  const told = JSON.parse(run(["my-loss", report, "--row", row]).stdout);
  expect(told.whatever.upper).toBeLessThanOrEqual(told.promised.upper);
  expect(JSON.parse(run(["my-loss", report, "--row", row, "--member", "no"]).stdout).delta).toBe(told.delta);
  const people = JSON.parse(run(["personal-losses", release, table, "--failure", "0.01"]).stdout);
  expect(people).toMatchObject({ confidential: true, promised: told.promised.upper });
  expect(people.losses).toHaveLength(3);
  const known = JSON.parse(run(["known-loss", release, table, "--row", row, "--failure", "0.01"]).stdout);
  expect(known).toMatchObject({ confidential: true, promised: told.promised });
  expect(known.whatever.upper).toBeLessThanOrEqual(told.whatever.upper);
  const lines = [
    { ask: "report", release: JSON.parse(readFileSync(release, "utf8")) },
    { ask: "personalLoss", report: JSON.parse(made.stdout), row: { age: 31, sex: "f", pay: 2900 } },
    { ask: "personalLosses", release: JSON.parse(readFileSync(release, "utf8")), table, failure: 0.01 },
    {
      ask: "knownLoss",
      release: JSON.parse(readFileSync(release, "utf8")),
      table,
      row: { age: 31, sex: "f", pay: 2900 },
      failure: 0.01,
    },
  ];
  const answers = run(["batch"], lines.map((line) => JSON.stringify(line)).join("\n"))
    .stdout.trimEnd()
    .split("\n");
  expect(answers.map((answer) => JSON.parse(answer))).toEqual([JSON.parse(made.stdout), told, people, known]);
  expect(refusal("my-loss", report)).toMatchObject({ kind: "missing", field: "row" });
  expect(refusal("my-loss", report, "--row", row, "--member", "maybe")).toMatchObject({ field: "member" });
  expect(refusal("my-loss", row, "--row", row)).toMatchObject({ field: "format" });
  expect(refusal("known-loss", release, "--row", row)).toMatchObject({ kind: "missing", field: "table" });
  expect(refusal("report", release, table)).toMatchObject({ field: "table" });
  expect(refusal("personal-losses", release)).toMatchObject({ kind: "missing", field: "table" });
});

test("what winners told of the voters of their table, by a command and in a batch", () => {
  const classes = ["cat", "dog"];
  const request = {
    table: {
      unit: { protects: "voter", rows: 1 },
      columns: classes.map((name) => ({ name, use: "numeric", range: [0, 1e6], missing: "drop" })),
      label: { name: "question", use: "question", levels: ["one"], missing: "drop" },
    },
    algorithm: { name: "noisy-voting", scale: 20 },
    budget: { delta: 1e-5 },
  };
  const votes = file("votes.csv", "question,cat,dog\none,300,90\n");
  const release = join(folder, "votes.json");
  run(["fit", votes, "--request", file("voting.json", JSON.stringify(request)), "--release", release]);
  const told = JSON.parse(run(["voters-loss", release, votes]).stdout);
  expect(told).toMatchObject({ confidential: true, delta: 1e-5, neighbours: "add-remove" });
  expect(told.epsilon).toBeLessThan(told.plainEpsilon);
  const line = { ask: "votersLoss", release: JSON.parse(readFileSync(release, "utf8")), table: votes };
  expect(JSON.parse(run(["batch"], JSON.stringify(line)).stdout)).toEqual(told);
  const more = JSON.parse(run(["voters-loss", release, votes, "--test-epsilon", "2"]).stdout);
  expect(more.testedEpsilon).not.toBe(told.testedEpsilon);
  expect(refusal("voters-loss", release)).toMatchObject({ kind: "missing", field: "table" });
});
