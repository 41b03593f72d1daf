/** A question about a mechanism that was written down whole, as JSON. */
import type { Description } from "../../../wasm/engine/catalogue.ts";
import { neighboursOf, validate } from "../../../wasm/engine/description.ts";
import { numbersOf, parameterAt } from "../../../wasm/engine/description-tree.ts";
import { json } from "../../../wasm/engine/json.ts";
import { Refusal } from "../../../wasm/engine/refusal.ts";
import { fromKeyValues } from "./key-values.ts";
import { LEVEL, type Question } from "./question.ts";

const LONGEST = 100_000;

/** Attributes that speak of a single release mean nothing beside it and are named; `ask` may be a path. */
export function withDescription(
  text: string,
  record: ReadonlyMap<string, string>,
): { question: Question; skipped: string[] } {
  const given = parse(text);
  const level = new Map([...record].filter(([key]) => LEVEL.includes(key)));
  const { question } = fromKeyValues(level);
  const skipped = [...record.keys()].filter((key) => !LEVEL.includes(key) && key !== "ask");
  const ask = record.get("ask") ?? "epsilon";
  if (ask !== "epsilon" && ask !== "delta" && !parameterAt(given, ask)) skipped.push(`ask=${ask}`);
  return { question: { ...question, given, ask, neighbours: neighboursOf(given) }, skipped };
}

function parse(text: string): Description {
  if (text.length > LONGEST)
    throw new Refusal("range", "description", text, `must be at most ${LONGEST} characters long`);
  return validate(json("description", text));
}

/** The most parts whose paths are told. */
const LISTED = 100;

/** The paths of the numbers of a description, any of which may be the unknown. */
export const quantities = (description: Description): string[] => numbersOf(description, LISTED);
