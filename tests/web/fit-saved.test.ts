/** A saved request fills in the form so that the form asks for the same again, or says what it has no place for. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { forColumns } from "../../web/src/fit/form.ts";
import { read } from "../../web/src/fit/read.ts";
import { formOf, lost, type Saved, savedRequest } from "../../web/src/fit/saved.ts";

type Patch = Readonly<Record<string, unknown>>;

const unit = { protects: "person", rows: 3, column: "id" };
const x = { name: "x", use: "numeric", range: [-1e-7, 1e21], missing: { constant: 0 } };
const g = { name: "g", use: "categorical", levels: ["a b", "ü"], missing: "drop" };
const pay = { name: "pay", use: "numeric", range: [0, 10], missing: "drop" };
const classes = { name: "pay", use: "classes", levels: ["no", "yes"], missing: { constant: "no" } };
const count = { name: "pay", use: "count", range: [0, 9], missing: "drop" };
const choice = { name: "pay", use: "choice", levels: ["a", "b", "c"], missing: "drop" };
const other = { name: "g", use: "categorical", levels: ["a", "b", "c"], missing: "drop" };

const saved = (table: Patch, algorithm: Patch, rest: Patch = {}) =>
  JSON.stringify({
    table: { unit, columns: [g, x], label: pay, ...table },
    algorithm,
    budget: { epsilon: 0.5, delta: 1e-9 },
    ...rest,
  });

const file = (path: string) => readFileSync(path, "utf8");

const SAVED = [
  file("docs/examples/adult.json"),
  file("docs/examples/communities.json"),
  saved({ rowNorm: 0.75, intercept: 0 }, { name: "ada-ssp", accounting: "paper", releases: 3 }),
  saved({}, { name: "ada-ssp", sigma: 12.5 }, { budget: { delta: 1e-9 } }),
  saved({ label: classes }, { name: "dp-sgd", loss: "logistic", rows: 1000, path: "released" }),
  saved({ label: count }, { name: "approximate-minima-perturbation", loss: "poisson", gradientBound: 2 }),
  saved(
    {},
    { name: "output-perturbation", loss: "huber", threshold: 0.25, lambda: 3, neighbours: "replace" },
  ),
  saved({ label: undefined, intercept: 0 }, { name: "noisy-covariance", components: 2 }),
  saved({ label: choice, columns: [other] }, { name: "noisy-voting", noise: "laplace" }),
  saved(
    {},
    { name: "output-perturbation-ridge", lambda: 1, rows: 50 },
    { tune: { candidates: [{ lambda: 1 }, { lambda: 10 }], expectedRuns: 5 } },
  ),
  saved(
    {},
    { name: "ada-ssp" },
    {
      format: {
        ...{ encoding: "utf-8", delimiter: ";", quote: "" },
        newline: "\r",
        decimal: ",",
        header: true,
      },
    },
  ),
];

/** The columns of a file in an order of its own, one of which the request does not know. */
const columnsOf = ({ table }: Saved) =>
  [...table.columns.map(({ name }) => name), table.label?.name ?? "label", "id", "further"]
    .reverse()
    .map((name) => ({ name, numeric: true }));

/** What the form lost of it. */
function lostOf(text: string): readonly string[] {
  const request = savedRequest(text);
  const form = forColumns(formOf(request), columnsOf(request));
  const reading = read(form, request.format);
  expect([...reading.refusals.keys(), ...reading.missing]).toEqual([]);
  return lost(request, reading.request);
}

test.each(SAVED)("saved request %# is asked for again", (text) => {
  expect(lostOf(text)).toEqual([]);
});

test("a release stands for its request, and what is neither is refused by name", () => {
  const [text = ""] = SAVED;
  expect(savedRequest(`{"request": ${text}, "outputs": []}`)).toEqual(savedRequest(text));
  expect(() => savedRequest("age,sex")).toThrow(/^file = /);
  expect(() => savedRequest("{}")).toThrow(/^table = nothing/);
});

test("what the form has no place for is told", () => {
  const marks = saved({ missingMarks: ["-"] }, { name: "ada-ssp" });
  expect(lostOf(marks)).toEqual(["cells that count as missing"]);
  const candidates = [{ sigma: 1 }, { releases: 3 }];
  expect(lostOf(saved({}, { name: "ada-ssp" }, { tune: { candidates } }))).toEqual(["tuning"]);
  const request = savedRequest(saved({}, { name: "ada-ssp" }));
  expect(lost(request, undefined)).toEqual(["what is still to be answered"]);
});
