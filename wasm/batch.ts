/** Questions and answers as plain values: the language of the batch, of the command line and of the tables. */
import {
  ASKS,
  type Ask,
  asks,
  call,
  type Entry,
  entryOfAsk,
  FIELDS,
  type FieldName,
  type Fields,
} from "./asks.ts";
import type { Engine } from "./contract.ts";
import { DESCRIPTION } from "./engine/description.ts";
import { Refusal } from "./engine/refusal.ts";
import { constant, fieldsOf, flag, type JsonSchema, optional, record, type Shape } from "./engine/shape.ts";
import { EVALUATION } from "./model/evaluation-request.ts";
import { LEDGER } from "./release/ledger-question.ts";
import { INSTANCE } from "./report/instance-question.ts";
import { MECHANISM } from "./report/mechanism-question.ts";

const description = DESCRIPTION.schema;

/** What each field looks like; the engine checks what it holds. */
const FIELD_SCHEMAS: Readonly<Record<(typeof FIELDS)[FieldName], JsonSchema>> = {
  description: { oneOf: [description, { type: "array", items: description, minItems: 1 }] },
  request: { $ref: "#/$defs/request" },
  table: {
    oneOf: [
      { type: "string", description: "the path of a file; in a program, the table's text" },
      {
        type: "object",
        properties: { statistics: {} },
        required: ["statistics"],
        additionalProperties: false,
      },
    ],
  },
  instance: INSTANCE.schema,
  mechanism: MECHANISM.schema,
  ledger: LEDGER.schema,
  evaluation: EVALUATION.schema,
  value: {},
  flag: flag.schema,
  text: { type: "string" },
  numbers: { type: "array", items: { type: "number" } },
  number: { type: "number" },
};

const unchecked = (name: FieldName): Shape<unknown> => ({
  schema: FIELD_SCHEMAS[FIELDS[name]],
  check: (_, value) => value,
});

/** A question: which fields it needs, and which it may have besides. */
export function questionShape(ask: Ask): Shape<object> {
  const { help, needs, together = [], may = [] }: Entry = entryOfAsk(ask);
  const shapes = (names: readonly FieldName[], of: (name: FieldName) => Shape<unknown>) =>
    Object.fromEntries(names.map((name) => [name, of(name)] as const));
  const left = (name: FieldName) => optional(unchecked(name), undefined);
  const keys = { ask: constant(ask), ...shapes(needs, unchecked), ...shapes([...together, ...may], left) };
  const shape: Shape<object> = record(keys);
  const whole = together.map((name) => [name, together.filter((other) => other !== name)] as const);
  return {
    schema: {
      description: help,
      ...shape.schema,
      ...(together.length > 0 && { dependentRequired: Object.fromEntries(whole) }),
    },
    check(field, value) {
      const question = shape.check(field, value);
      const lacking = together.find((name) => Reflect.get(question, name) === undefined);
      if (lacking !== undefined && together.some((name) => Reflect.get(question, name) !== undefined))
        throw new Refusal("missing", lacking, undefined, "must be given");
      return question;
    },
  };
}

function checkQuestion(value: unknown): asserts value is Fields & { readonly ask: Ask } {
  const { ask } = fieldsOf("question", value, "must be an object with ask and its fields");
  if (typeof ask !== "string" || !Object.hasOwn(ASKS, ask))
    throw new Refusal("unknown", "ask", ask, `must be one of ${asks.join(", ")}`);
  questionShape(ask as Ask).check("", value);
}

/**
 * The engine's answer to a question, or a promise of it. Its fields are checked by the engine. `opened`: the table that a
 * question means, where it does not hold the table itself.
 */
export function answer(
  engine: Engine,
  question: unknown,
  opened: (table: unknown) => unknown = (table) => table,
): object {
  checkQuestion(question);
  const { method, given, repeats, named } = entryOfAsk(question.ask);
  const fields = question.table !== undefined ? { ...question, table: opened(question.table) } : question;
  const shaped = (found: object) => {
    const answered = named === undefined ? found : { [named]: found };
    return repeats === undefined ? answered : { [repeats]: question[repeats], ...answered };
  };
  const found = call(engine, method, given(fields)) as object;
  return found instanceof Promise ? found.then(shaped) : shaped(found);
}
