/** What the schemas accept, by a validator that is not ours, is what the engine takes. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { asks, entryOfAsk } from "../../wasm/asks.ts";
import { answer } from "../../wasm/batch.ts";
import {
  type Description,
  KINDS,
  type Kind,
  NEIGHBOURS,
  type Parameter,
} from "../../wasm/engine/catalogue.ts";
import { validate } from "../../wasm/engine/description.ts";
import { withValues } from "../../wasm/engine/kinds.ts";
import { open, Refusal } from "../../wasm/engine.ts";
import { EVALUATION } from "../../wasm/model/evaluation-request.ts";
import { schemas } from "../../wasm/schemas.ts";

const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false });
const accepts = {
  description: ajv.compile(schemas.description),
  ask: ajv.compile(schemas.ask),
  request: ajv.compile(schemas.request),
  evaluation: ajv.compile(schemas.evaluation),
};

const gaussian = { kind: "gaussian", sigma: 1, sensitivity: 1 };

function example(kind: Kind, chosen: Readonly<Record<string, string>> = {}): Record<string, unknown> {
  const value = (parameter: Parameter, name: string) =>
    chosen[name] !== undefined
      ? chosen[name]
      : parameter.type === "parts"
        ? [{ mechanism: gaussian, count: 10 }]
        : parameter.type === "description"
          ? gaussian
          : parameter.default;
  return { kind, ...withValues(kind, value) };
}

/** Whether there is an answer, and not a refusal. */
function isAnswered(ask: () => unknown): boolean {
  try {
    ask();
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return false;
  }
}

test.each(Object.keys(KINDS) as Kind[])("%s is described as it is checked", (kind) => {
  const base = example(kind);
  expect(accepts.description(base), JSON.stringify(accepts.description.errors)).toBe(true);
  const hostile = [
    null,
    "1",
    Number.NaN,
    -1,
    0,
    1e300,
    [],
    {},
    [1],
    true,
    "add-remove",
    "replace",
    "zero-out",
  ];
  let refused = 0;
  for (const key of [...Object.keys(base), "neighbours", "extra", "kind"]) {
    const { [key]: _, ...without } = base;
    for (const changed of [without, ...hostile.map((value) => ({ ...base, [key]: value }))]) {
      const taken = isAnswered(() => validate(changed));
      refused += taken ? 0 : 1;
      // That two lists are equally long, the schema leaves to the engine.
      if ("pairedWith" in ((KINDS[kind].parameters as Record<string, object>)[key] ?? {})) continue;
      expect(accepts.description(changed), `${key}: ${JSON.stringify(changed)}`).toBe(taken);
    }
  }
  expect(refused).toBeGreaterThan(20);
});

const choices = (Object.keys(KINDS) as Kind[]).flatMap((kind) =>
  Object.entries(KINDS[kind].parameters as Readonly<Record<string, Parameter>>).flatMap(
    ([name, parameter]) => (parameter.type === "choice" ? [[kind, name, parameter] as const] : []),
  ),
);

test.each(choices)(
  "%s answers for the same neighbours by its schema, whatever its %s",
  (kind, name, { options }) => {
    const { [name]: _, ...without } = example(kind);
    let taken = 0;
    for (const base of [without, ...options.map((option) => example(kind, { [name]: option }))])
      for (const neighbours of [undefined, ...NEIGHBOURS]) {
        const stated = neighbours === undefined ? base : { ...base, neighbours };
        const inside = { ...gaussian, neighbours };
        for (const changed of base.of === gaussian ? [stated, { ...stated, of: inside }] : [stated]) {
          const isTaken = isAnswered(() => validate(changed));
          taken += isTaken ? 1 : 0;
          expect(accepts.description(changed), JSON.stringify(changed)).toBe(isTaken);
        }
      }
    expect(taken).toBeGreaterThan(1);
  },
);

test("an evaluation is described as it is checked", () => {
  const base = { budget: { epsilon: 1, delta: 1e-6 }, sigma: 1, bins: 20, errorBound: 1, seed: 1 };
  expect(accepts.evaluation(base), JSON.stringify(accepts.evaluation.errors)).toBe(true);
  const hostile = [null, "1", Number.NaN, -1, 0, 1, 1.5, 1e300, [], {}, { delta: 0 }, { delta: 2 }, true];
  const taken = [...Object.keys(base), "extra"].flatMap((key) => {
    const { [key]: _, ...without } = base as Record<string, unknown>;
    return [without, ...hostile.map((value) => ({ ...base, [key]: value }))].map((changed) => {
      const isTaken = isAnswered(() => EVALUATION.check("evaluation", changed));
      expect(accepts.evaluation(changed), `${key}: ${JSON.stringify(changed)}`).toBe(isTaken);
      return isTaken;
    });
  });
  expect(taken.filter((one) => one).length).toBeGreaterThan(5);
  expect(taken.filter((one) => !one).length).toBeGreaterThan(20);
});

test("a question takes every request that the engine takes", () => {
  const columns = [{ name: "x", use: "numeric", range: [0, 1], missing: "drop" }];
  const table = { unit: { protects: "row", rows: 1 }, columns };
  const everyday = {
    table,
    releases: [{ of: "means", columns: ["x"] }],
    budget: { epsilon: 1, delta: 1e-6 },
  };
  const covariance = { table, algorithm: { name: "noisy-covariance" }, budget: everyday.budget };
  for (const request of [everyday, covariance])
    expect(accepts.ask({ ask: "plan", request }), JSON.stringify(accepts.ask.errors)).toBe(true);
  expect(accepts.ask({ ask: "plan", request: { ...everyday, releases: [{ of: "minimum" }] } })).toBe(false);
});

const OF_MEASURES = ["prior", "exceptions", "falsePositive", "guess"];

test("questions are described as they are answered", async () => {
  const engine = await open();
  const fields: Readonly<Record<string, unknown>> = {
    description: gaussian,
    epsilon: 1,
    delta: 1e-5,
    epsilons: [1, 2],
    orders: [2, 3],
    falsePositives: [0.1],
    parameter: "sigma",
    prior: 0.1,
    exceptions: 0.01,
    measure: "advantage",
    falsePositive: 0.1,
    guess: 0.1,
    limit: 0.1,
    dimension: 5,
    x: 1,
    upperTail: 0.1,
    group: 2,
    gap: 1e-3,
    normalisation: "half",
  };
  let answered = 0;
  for (const ask of asks.filter((one) => !entryOfAsk(one).fits)) {
    const needed = schemas.ask.oneOf.find(
      (one) => (one as never as AskSchema).properties.ask.const === ask,
    ) as never as AskSchema;
    const question = Object.fromEntries(needed.required.map((name) => [name, fields[name]]));
    const whole = { ...question, ask, ...(ask === "goeQuantile" && { upperTail: 0.1 }) };
    expect(accepts.ask(whole), JSON.stringify(accepts.ask.errors)).toBe(true);
    expect(answer(engine, whole)).toBeDefined();
    for (const name of [...Object.keys(fields), "extra"]) {
      const { [name]: _, ...without } = whole as Record<string, unknown>;
      for (const changed of [without, { ...whole, [name]: fields[name] ?? 1 }]) {
        const taken = isAnswered(() => answer(engine, changed));
        answered += taken ? 1 : 0;
        // That a quantile has one tail and not both, and which numbers a measure takes, the schema leaves to the engine.
        const ofMeasure = "measure" in changed && OF_MEASURES.includes(name);
        if (ask !== "goeQuantile" && !ofMeasure) expect(accepts.ask(changed), `${ask} ${name}`).toBe(taken);
      }
    }
  }
  expect(answered).toBeGreaterThan(100);
});

interface AskSchema {
  readonly properties: { readonly ask: { readonly const: string } };
  readonly required: readonly string[];
}

test("parts may be nested, and lists of descriptions asked about", () => {
  const nested: Description = {
    kind: "composition",
    of: [
      {
        mechanism: { kind: "composition", of: [{ mechanism: gaussian as Description, count: 2 }] },
        count: 3,
      },
    ],
  };
  expect(accepts.description(nested)).toBe(true);
  expect(accepts.ask({ ask: "epsilon", description: [nested, gaussian], delta: 1e-6 })).toBe(true);
  expect(accepts.ask({ ask: "epsilon", description: [nested, { kind: "gaussian" }], delta: 1e-6 })).toBe(
    false,
  );
});
