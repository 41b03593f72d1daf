/** The declared part of a request, and the spelling of its file, as JSON Schema: for editors and other programs. */
import { TABLE } from "./declare.ts";
import { FORMAT } from "./format.ts";
import type { JsonSchema } from "./shape.ts";

export const tableSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "What a person declares about a table before a private model is fitted to it",
  ...TABLE.schema,
};

export const formatSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "How a text file spells a table",
  ...FORMAT.schema,
};
