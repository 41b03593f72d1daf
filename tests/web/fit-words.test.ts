/** Nothing that the fit page shows goes by its bare name: parameters of plans, choices, fields of votes, lines of steps. */
import { describe, expect, test } from "vitest";
import type { PeopleLosses, Release } from "../../wasm/contract.ts";
import { KINDS } from "../../wasm/engine/catalogue.ts";
import { Refusal } from "../../wasm/engine/refusal.ts";
import { open } from "../../wasm/engine.ts";
import { PLAIN } from "../../wasm/release/fit-request.ts";
import { checkTable } from "../../wasm/table/declaration.ts";
import { CHOICES, choicesFor, parametersFor, TASKS } from "../../web/src/fit/choices.ts";
import { EMPTY, type Form, forColumns, withTask } from "../../web/src/fit/form.ts";
import { givenText } from "../../web/src/fit/loaded.ts";
import { read } from "../../web/src/fit/read.ts";
import { choiceWords, spelled } from "../../web/src/words/choices.ts";
import {
  fieldTitle,
  parameterHelp,
  parameterValue,
  parameterWords,
  whyNot,
} from "../../web/src/words/fit.ts";
import { featureNames } from "../../web/src/words/fit-outputs.ts";
import { stepLines } from "../../web/src/words/fit-steps.ts";
import { entryWords } from "../../web/src/words/ledger.ts";
import { personsSentence, rowSentence, summarySentence } from "../../web/src/words/people.ts";
import { tuningWinner } from "../../web/src/words/tuning.ts";
import { NAMES, request } from "../wasm/every-algorithm.ts";

const engine = await open();

test("every choice of an algorithm and of a mechanism has words that are not its name", () => {
  const asked = CHOICES.flatMap(({ parameters }) => parameters);
  const described = Object.values(KINDS).flatMap(({ parameters }) =>
    Object.entries(parameters).flatMap(([key, one]) =>
      one.type === "choice" ? [{ key, options: one.options as readonly string[] }] : [],
    ),
  );
  const all = [...asked, ...described].flatMap(({ key, options }) =>
    options.map((option) => [key, option] as const),
  );
  expect(all.length).toBeGreaterThan(25);
  for (const [key, option] of all) {
    expect(choiceWords(key, option), `${key} ${option}`).not.toBe(option);
  }
});

const numbers = (name: string) => ({ name, use: "numeric", range: [0, 9], missing: "drop" });
const NONE = { name: "noisy-covariance", components: 1 };

const PLANS = [
  [NONE, undefined, 0, {}],
  [NONE, undefined, 1, {}],
  [{ name: "principal-subspace", components: 1 }, undefined, 0, {}],
  [
    { name: "noisy-voting", leastVotes: 5, leastVotesScale: 10 },
    { name: "c", use: "question", levels: ["x", "y"], missing: "drop" },
    0,
    {},
  ],
  [{ name: "approximate-minima-perturbation", loss: "squared" }, numbers("c"), 1, {}],
  [{ name: "ada-ssp" }, numbers("c"), 1, { tune: { candidates: [{ releases: 2 }, { releases: 3 }] } }],
] as const;

test("every parameter that is asked for, or that a plan tells, has words", () => {
  const asked = TASKS.flatMap((task) =>
    choicesFor(task).flatMap((one) => parametersFor(one, task).map(({ key }) => key)),
  );
  const told = PLANS.flatMap(([algorithm, label, intercept, more]) => {
    const unit = { protects: "row", rows: 1 };
    const table = { unit, columns: ["a", "b"].map(numbers), label, rowNorm: 1, intercept };
    const plan = engine.plan({ table, algorithm, budget: { epsilon: 1, delta: 1e-6 }, ...more });
    return Object.keys(plan.parameters);
  });
  expect(told).toEqual(expect.arrayContaining(["eigenvalueMargin", "gramSigma"]));
  // These are their own names.
  const own = ["momentum", "learningRate"];
  for (const key of [...asked, ...told].filter((one) => !own.includes(one)))
    expect(parameterWords(key).title, key).not.toBe(spelled(key));
});

test("what must be given is not told what comes of leaving it out", () => {
  const required = TASKS.flatMap((task) =>
    choicesFor(task).flatMap((one) => parametersFor(one, task).filter((parameter) => parameter.required)),
  );
  expect(required.map(({ key }) => key)).toContain("lambda");
  for (const { key } of required) expect(parameterHelp(key, true) ?? "", key).not.toContain("Left out");
  expect(parameterHelp("lambda", true)).toBe("Of the sum of the losses, not of their mean.");
  expect(parameterHelp("steps", true)).toBe("Each takes all rows where the sampling rate is 1.");
  expect(parameterHelp("whiten", true)).toMatch(/scales differ\.$/);
  expect(parameterHelp("failure", false, true)).toBe("Left out, 0.05.");
});

test("what is refused outside the form has no name of the engine", () => {
  const sentence = (field: string, rule: string) => whyNot(new Refusal("range", field, 7, rule));
  expect(sentence("release.request.budget.delta", "must be larger")).toBe(
    "Failure level δ “7”: must be larger.",
  );
  expect(sentence("algorithm.gapNoise", "must be less")).toBe(
    "Noise of the eigenvalue gap “7”: must be less.",
  );
  expect(sentence("release.outputs.4.kind", "must be known")).toBe("Must be known.");
  expect(whyNot(new Error("the engine is gone"))).toBe("The engine is gone.");
});

test("no shown price is smaller, and no shown noise larger, than it is", () => {
  const noises = ["sigma", "noiseMultiplier", "scale", "noiseRatio", "stepSigma", "gramSigma", "lambda"];
  const told = NAMES.flatMap((name) => Object.entries(engine.plan(request(name)).parameters));
  expect(told.filter(([key]) => noises.includes(key)).length).toBeGreaterThan(10);
  for (const [key, value] of told) {
    const shown = Number(parameterValue(key, value).replace("−", "-"));
    if (noises.includes(key)) expect(shown, key).toBeLessThanOrEqual(value);
    if (/epsilon|delta|failure/i.test(key)) expect(shown, key).toBeGreaterThanOrEqual(value);
  }
  expect(parameterValue("sigma", 5.974598186)).toBe("5.97459");
  expect(parameterValue("mostEpsilon", 2.674264069)).toBe("2.67427");
  expect(parameterValue("theoremEpsilon", 0.668566017)).toBe("0.668567");
});

describe("votes and columns", () => {
  const columns = ["question", "first", "second"].map((name) => ({ name, numeric: true }));
  const filled = (task: Form["task"], used: readonly string[], label = "question"): Form => {
    const form = forColumns(EMPTY, columns);
    return withTask(
      {
        ...form,
        label: { ...form.label, name: label },
        epsilon: "1",
        delta: "1e-6",
        columns: form.columns.map((column) => ({ ...column, used: used.includes(column.name) })),
      },
      task,
    );
  };
  const line = (form: Form) => stepLines(undefined, form, undefined)[2];

  test("a name turns the direction of no words beside it in a line of several", () => {
    const turning = "\u202eyap\u2069\u202e";
    const form = forColumns(EMPTY, [
      { name: turning, numeric: true },
      { name: "x", numeric: true },
    ]);
    const used = form.columns.map((column) => ({ ...column, used: column.name === "x" }));
    const unit = { ...form.unit, protects: "person", rows: "2", column: turning };
    const label = { ...form.label, name: turning };
    const lines = stepLines(
      { ...givenText(""), title: turning, format: undefined, survey: undefined, fault: "" },
      { ...form, columns: used, unit, label },
      undefined,
    );
    const plan = engine.plan(request("ada-ssp", {}, 1));
    const table = { ...plan.request.table, label: { ...numbers(turning) } };
    const paid = { ...plan, request: { ...plan.request, table } } as typeof plan;
    const title = entryWords({ pool: "files", title: turning, release: paid, paid, isRefused: false });
    for (const text of [...lines, title]) expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect([...lines, title].filter((text) => text.includes("yap"))).toHaveLength(4);
  });

  test("a ballot of one question says what is voted on", () => {
    expect(line(filled("ballots", []))).toMatch(/^winner of question · ε = 1, δ = 1e-6 · /);
    expect(line(filled("ballots", ["first"]))).toMatch(/^winner of question and of 1 further question · /);
    expect(line(filled("counts", ["first", "second"]))).toMatch(/^winner of each question, of 2 classes · /);
    expect(line(filled("none", ["first"]))).toMatch(/^1 column · /);
    expect(line(filled("squared", ["first"]))).toMatch(/^question from 1 column · /);
    for (const form of [filled("ballots", [], ""), filled("counts", []), filled("none", [])])
      expect(line(form)).toBe("");
  });

  test("no field of theirs is called one to predict from", () => {
    for (const task of ["ballots", "counts", "none"] as const) {
      const form = filled(task, []);
      const { missing, fields } = read({ ...form, label: { ...form.label, name: "" } }, PLAIN);
      for (const field of [...missing, ...fields]) expect(fieldTitle(field, form)).not.toMatch(/predict/);
    }
  });
});

test("features are named as they stand, the intercept last", () => {
  const table = checkTable({
    unit: { protects: "row", rows: 1 },
    columns: [
      { name: "sex", use: "categorical", levels: ["f", "m"], missing: "drop" },
      { name: "id", use: "ignored" },
      { name: "age", use: "numeric", range: [0, 1], missing: "drop" },
    ],
    rowNorm: 1,
    intercept: 1,
  } as unknown as Parameters<typeof checkTable>[0]);
  expect(featureNames(table)).toEqual(["sex: f", "sex: m", "age", "intercept"]);
  expect(featureNames({ ...table, intercept: 0 })).toHaveLength(3);
});

describe("shares of a promise", () => {
  const people = (loss: number, promised: number): PeopleLosses => ({
    confidential: true,
    private: true,
    losses: Float64Array.of(loss),
    leverages: new Float64Array(),
    residuals: new Float64Array(),
    lengths: new Float64Array(),
    moves: new Float64Array(),
    causes: {
      leverages: new Float64Array(),
      leveragesWithout: new Float64Array(),
      misfits: new Float64Array(),
      gradients: new Float64Array(),
    },
    promised,
    mean: loss,
    moments: Float64Array.of(loss),
    median: loss,
    ninetieth: loss,
    largest: loss,
    delta: 1e-6,
  });

  test("whoever lost all of it lost 100 %, whatever it was", () => {
    let seed = 1;
    for (let i = 0; i < 2000; i++) {
      seed = (seed * 48271) % 2147483647;
      const promised = seed / 2 ** 30;
      expect(rowSentence(people(promised, promised), 0)).toContain(" 100 % of what was promised");
    }
  });

  test("no less than the share is said, and never more than 100 %", () => {
    let seed = 7;
    for (let i = 0; i < 2000; i++) {
      seed = (seed * 48271) % 2147483647;
      const share = seed / 2147483647;
      const said = Number(
        /([\d.e-]+) % of what was promised/.exec(summarySentence(people(share * 0.7, 0.7)))?.[1],
      );
      expect(said).toBeGreaterThanOrEqual(100 * share * (1 - 1e-15));
      expect(said).toBeLessThanOrEqual(100);
    }
  });

  test("of a shared budget the model alone is told of", () => {
    expect(summarySentence(people(1, 1), true)).toContain("of the model alone");
    expect(personsSentence(true)).toContain("of the model alone");
    expect(summarySentence(people(1, 1))).not.toContain("alone");
    expect(personsSentence(false)).not.toContain("alone");
  });
});

test("what the released model makes of a row is told where the price does not depend on it", () => {
  const losses = Float64Array.of(0.1, 0.1, 0.2);
  const [few, many] = [Float64Array.of(0.1, 0.2, 0.9), Float64Array.of(0.5, 0.4, 0.1)];
  const none = new Float64Array();
  const people = (leverages: Float64Array, residuals: Float64Array) =>
    ({
      losses,
      promised: 1,
      leverages,
      residuals,
      lengths: Float64Array.of(1, 1, 1),
      causes: { leverages: few, leveragesWithout: few, misfits: many, gradients: many },
    }) as unknown as PeopleLosses;
  expect(rowSentence(people(none, none), 2)).toContain(
    "As the released model has it, its features are much more unusual than those of most, and the model misses its label by less than most.",
  );
  expect(rowSentence(people(few, none), 2)).toMatch(
    /: its features are much more unusual .* As the released model has it, the model misses/,
  );
  expect(rowSentence(people(few, many), 2)).not.toContain("As the released model has it");
});

describe("the winner of a tuning", () => {
  const won = (candidates: readonly object[], winner: number) =>
    tuningWinner({
      request: { tune: { candidates, score: "misclassified" } },
      released: { candidate: [winner], score: [7] },
    } as unknown as Release) as string;

  test("names the parameter, the number of values and the one that won", () => {
    const three = [1, 4, 16].map((learningRate) => ({ learningRate }));
    expect(won(three, 2)).toContain(
      "Of the 3 values of the learning rate η that were tried, η = 16 won: its score is 7",
    );
    expect(won([{ releases: 2 }, { releases: 3 }], 0)).toContain(
      "Of the 2 values of the number of noisy statistics that were tried, number of noisy statistics = 2 won",
    );
  });

  test("of several parameters, and of none, says what the candidate was", () => {
    expect(won([{ steps: 3, rate: 0.1 }, {}], 0)).toContain(
      "Of the 2 candidates that were tried, T = 3, q = 0.1 won",
    );
    expect(won([{ steps: 3, rate: 0.1 }, {}], 1)).toContain("the one without parameters of its own won");
    expect(won([{ norm: "l1" }, { norm: "l2" }], 0)).toContain("norm of the noise = sum of sizes (l1) won");
  });
});
