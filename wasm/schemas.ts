/** JSON Schemas of descriptions and of questions, from the catalogue and the table of asks. */
import { ASKS, type Entry, FIELDS, type FieldName } from "./asks.ts";
import { COUNT, KINDS, type Parameter } from "./catalogue.ts";
import { DEEPEST, entryOf, LONGEST_LIST, MOST_PARTS } from "./description.ts";
import { fitSchema } from "./fit-request.ts";
import type { JsonSchema } from "./table/shape.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

const record = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const number = ({
  type,
  minimum,
  maximum,
}: {
  type: string;
  minimum: number;
  maximum: number;
}): JsonSchema => ({
  type: type === "integer" ? "integer" : "number",
  minimum,
  maximum,
});

const DESCRIPTION: JsonSchema = { $ref: "#/$defs/description" };

function ofParameter(parameter: Parameter): JsonSchema {
  switch (parameter.type) {
    case "parts": {
      const part = record({ mechanism: DESCRIPTION, count: number(COUNT) }, ["mechanism", "count"]);
      return { type: "array", items: part, minItems: 1, maxItems: MOST_PARTS };
    }
    case "description":
      return DESCRIPTION;
    case "choice":
      return { enum: parameter.options };
    case "reals":
      return {
        type: "array",
        items: number({ ...parameter, type: "real" }),
        minItems: 1,
        maxItems: LONGEST_LIST,
      };
    default:
      return number(parameter);
  }
}

const worded = (parameter: Parameter): JsonSchema => ({
  ...ofParameter(parameter),
  title: parameter.title,
  description: parameter.help,
});

/** Where a choice decides which tables count as neighbours. */
const decided = ([name, parameter]: [string, Parameter]): JsonSchema[] =>
  parameter.type === "choice" && parameter.neighbours
    ? Object.entries(parameter.neighbours).map(([option, neighbours]) => ({
        if: { properties: { [name]: { const: option } } },
        // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
        then: { properties: { neighbours: { enum: neighbours } } },
      }))
    : [];

/** Each kind, by its name. What parts must agree about, and which lists must be equally long, no schema can say. */
const description: JsonSchema = {
  oneOf: (Object.keys(KINDS) as (keyof typeof KINDS)[]).map((kind) => {
    const { title, help, neighbours, parameters } = entryOf(kind);
    const names = Object.keys(parameters);
    const needed = names.filter((name) => {
      const parameter = parameters[name] as Parameter;
      return !(parameter.type === "choice" && parameter.optional);
    });
    const properties = Object.fromEntries(
      names.map((name) => [name, worded(parameters[name] as Parameter)] as const),
    );
    const fields = { kind: { const: kind }, ...properties, neighbours: { enum: neighbours } };
    const rules = Object.entries(parameters).flatMap(decided);
    return {
      title,
      description: help,
      ...record(fields, ["kind", ...needed]),
      ...(rules.length > 0 && { allOf: rules }),
    };
  }),
};

const OF_FIELD: Readonly<Record<(typeof FIELDS)[FieldName], JsonSchema>> = {
  description: { oneOf: [DESCRIPTION, { type: "array", items: DESCRIPTION, minItems: 1 }] },
  request: { $ref: "#/$defs/request" },
  table: {
    oneOf: [
      { type: "string", description: "the path of a file; in a program, the table's text" },
      record({ statistics: {} }, ["statistics"]),
    ],
  },
  value: {},
  text: { type: "string" },
  numbers: { type: "array", items: { type: "number" } },
  number: { type: "number" },
};

function ofAsk([ask, { help, needs, together = [], may = [] }]: [string, Entry]): JsonSchema {
  const names = [...needs, ...together, ...may];
  const fields = Object.fromEntries(names.map((name) => [name, OF_FIELD[FIELDS[name]]] as const));
  const whole = Object.fromEntries(
    together.map((name) => [name, together.filter((other) => other !== name)] as const),
  );
  return {
    description: help,
    ...record({ ask: { const: ask }, ...fields }, ["ask", ...needs]),
    ...(together.length > 0 && { dependentRequired: whole }),
  };
}

export const schemas = {
  request: fitSchema,
  description: {
    $schema: DIALECT,
    title: "What a release runs",
    $comment: `Nested at most ${DEEPEST} deep.`,
    ...DESCRIPTION,
    $defs: { description },
  },
  ask: {
    $schema: DIALECT,
    title: "A question, such as a line of a batch",
    oneOf: Object.entries<Entry>(ASKS).map(ofAsk),
    $defs: { description, request: fitSchema },
  },
} as const satisfies Record<string, JsonSchema>;
