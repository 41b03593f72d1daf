/** Questions and answers as JSON values: the language of the batch, of the command line and of the tables. */
import { ASKS, type Ask, asks, call, entryOfAsk, type Fields } from "./asks.ts";
import type { Engine } from "./contract.ts";
import { Refusal } from "./refusal.ts";

function checkQuestion(value: unknown): asserts value is Fields & { readonly ask: Ask } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Refusal("type", "question", value, "must be an object with ask and its fields");
  }
  const ask: unknown = "ask" in value ? value.ask : undefined;
  if (typeof ask !== "string" || !Object.hasOwn(ASKS, ask)) {
    throw new Refusal("unknown", "ask", ask, `must be one of ${asks.join(", ")}`);
  }
  const { needs, together = [], may = [] } = entryOfAsk(ask as Ask);
  const known: readonly string[] = ["ask", ...needs, ...together, ...may];
  for (const [key, entry] of Object.entries(value)) {
    if (!known.includes(key))
      throw new Refusal("unknown", key.slice(0, 80), entry, `no such key; there are ${known.join(", ")}`);
  }
  const extended = together.some((field) => Object.hasOwn(value, field));
  for (const field of extended ? [...needs, ...together] : needs) {
    if (!Object.hasOwn(value, field)) throw new Refusal("missing", field, undefined, "must be given");
  }
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
  const { method, given, needs, repeats, named } = entryOfAsk(question.ask);
  const fields = needs.includes("table") ? { ...question, table: opened(question.table) } : question;
  const shaped = (found: object) => {
    const answered = named === undefined ? found : { [named]: found };
    return repeats === undefined ? answered : { [repeats]: question[repeats], ...answered };
  };
  const found = call(engine, method, given(fields)) as object;
  return found instanceof Promise ? found.then(shaped) : shaped(found);
}

/** JSON, with or without the byte-order mark that some editors put in front. */
export function json(field: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new Refusal("malformed", field, text, `must be JSON: ${(error as Error).message.slice(0, 120)}`);
  }
}

/** JSON with typed arrays as lists and infinity, which JSON lacks, as the text "Infinity". */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, entry) => {
    if (entry instanceof Float64Array) return Array.from(entry);
    return typeof entry === "number" && !Number.isFinite(entry) ? String(entry) : entry;
  });
}
