/** JSON Schemas of requests, descriptions and questions, as they are checked. */
import { asks } from "./asks.ts";
import { questionShape } from "./batch.ts";
import { KINDS, type Kind } from "./engine/catalogue.ts";
import { DESCRIPTION, kindShape } from "./engine/description.ts";
import type { JsonSchema } from "./engine/shape.ts";
import { everydaySchema } from "./everyday/everyday-request.ts";
import { EVALUATION } from "./model/evaluation-request.ts";
import { fitSchema } from "./release/fit-request.ts";
import { ledgerSchema } from "./release/ledger-question.ts";
import { reportSchemas } from "./report/document.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Each kind, by its name. What parts must agree about, and which lists must be equally long, no schema can say. */
const description: JsonSchema = {
  oneOf: (Object.keys(KINDS) as Kind[]).map((kind) => kindShape(kind).schema),
};

export const schemas = {
  request: fitSchema,
  everyday: everydaySchema,
  description: {
    $schema: DIALECT,
    title: "What a release runs",
    ...DESCRIPTION.schema,
    $defs: { description },
  },
  evaluation: { $schema: DIALECT, title: "How good a released model is, paid for", ...EVALUATION.schema },
  ask: {
    $schema: DIALECT,
    title: "A question, such as a line of a batch",
    oneOf: asks.map((ask) => questionShape(ask).schema),
    $defs: { description, request: { oneOf: [fitSchema, everydaySchema] } },
  },
  ledger: { $schema: DIALECT, ...ledgerSchema, $defs: { description } },
  ...reportSchemas,
} as const satisfies Record<string, JsonSchema>;
