/** Several values of a parameter on the fit page: the texts become candidates, and faults stand beside them. */
import { expect, test } from "vitest";
import { checkRequest, PLAIN } from "../../wasm/release/fit-request.ts";
import { choicesFor, TASKS, tunable } from "../../web/src/fit/choices.ts";
import { EMPTY, type Form, filled, forColumns } from "../../web/src/fit/form.ts";
import { fieldOf, read, tunedIn } from "../../web/src/fit/read.ts";

const COLUMNS = [
  { name: "age", numeric: true },
  { name: "pay", numeric: true },
];

const answered: Form = {
  ...filled(
    { ...forColumns(EMPTY, COLUMNS), unit: { protects: "person", rows: "1", column: "" } },
    {
      columns: { age: { used: true, low: "18", high: "67" } },
      label: { name: "pay", low: "0", high: "1e4" },
    },
  ),
  algorithm: "output-perturbation",
  tune: { parameter: "lambda", values: "10; 1e2 5*200", runs: "" },
};

test("each value is a candidate, and the parameter is not asked for besides", () => {
  const { request, missing } = read(answered, PLAIN);
  expect(missing).toEqual([]);
  const checked = checkRequest(request);
  expect(checked.tune).toEqual({
    candidates: [{ lambda: 10 }, { lambda: 100 }, { lambda: 1000 }],
    expectedRuns: 9,
    score: "squared-error",
    scoreShare: 0.1,
  });
  expect(checked.algorithm).toMatchObject({ name: "output-perturbation", lambda: 10 });
  const more = { ...answered.tune, runs: "20" };
  expect(read({ ...answered, tune: more }, PLAIN).request).toMatchObject({
    tune: { expectedRuns: 20 },
  });
});

test("without values they are still to be answered, and what is no number is refused beside them", () => {
  const typed = (values: string) => read({ ...answered, tune: { ...answered.tune, values } }, PLAIN);
  expect(typed(" ").missing).toEqual(["tune.candidates"]);
  expect(typed("1; ten").refusals.has("tune.candidates")).toBe(true);
  const reading = typed("1; -1");
  expect(fieldOf(reading, "tune.candidates.1.lambda")).toBe("tune.candidates");
});

test("nothing is tuned where noise is typed, or the algorithm has no such parameter", () => {
  expect(tunedIn({ ...answered, keeps: false })).toBeUndefined();
  expect(tunedIn({ ...answered, algorithm: "ada-ssp" })).toBeUndefined();
  expect(read({ ...answered, algorithm: "ada-ssp" }, PLAIN).request).not.toHaveProperty("tune");
});

test("what may be tuned is a number, and neither the noise nor what is known of the table", () => {
  for (const task of TASKS)
    for (const choice of choicesFor(task))
      for (const { key, type } of tunable(choice, task)) {
        expect(type).not.toBe("choice");
        expect([choice.noise?.key, "rows", "threshold"]).not.toContain(key);
      }
});
