/** A question as the words of the command line spell it: `epsilon '{…}' --delta 1e-5`. */
import { type Ask, asks, entryOfAsk, FIELDS, type FieldName, spelled } from "../asks.ts";
import { MOST_POINTS } from "../engine/calculator-engine.ts";
import { json } from "../engine/json.ts";
import { Refusal } from "../engine/refusal.ts";
import { checkLedgerFile } from "../release/ledger-question.ts";
import { jsonIn, requestIn, standardInput } from "./files.ts";
import { readWords, refuseOthers } from "./words.ts";

/** The questions by their commands. */
export const COMMANDS: ReadonlyMap<string, Ask> = new Map(
  asks
    .filter((ask) => !entryOfAsk(ask).batchOnly)
    .map((ask) => [entryOfAsk(ask).command ?? spelled(ask), ask]),
);

/** Decimals only: JavaScript would read 0x1 as 1, and nothing as 0. */
const DECIMAL = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|Infinity)$/i;

/** An option that is a number. */
export function number(option: string, text: string): number {
  const value = DECIMAL.test(text.trim()) ? Number(text) : Number.NaN;
  if (Number.isNaN(value)) throw new Refusal("type", option, text, "must be a number such as 1e-5");
  if (value === 0 && /^[^e]*[1-9]/i.test(text))
    throw new Refusal("range", option, text, "is too small to be told from 0");
  return value;
}

/** `0:10:101` is 101 points from 0 to 10; `2,4,8` is a list. */
function numbers(option: string, text: string): number[] {
  const range = text.split(":");
  if (range.length !== 3) return text.split(",").map((item) => number(option, item));
  const [from = 0, to = 0, count = 0] = range.map((item) => number(option, item));
  const finite = Number.isFinite(from) && Number.isFinite(to);
  if (!finite || !Number.isInteger(count) || count < 2 || count > MOST_POINTS) {
    const rule = `a range is from:to:count with finite ends and a whole count from 2 to ${MOST_POINTS}`;
    throw new Refusal("range", option, text, rule);
  }
  const last = count - 1;
  // The first form keeps decimal steps decimal; the second does not overflow.
  const point = Number.isFinite((to - from) * last)
    ? (i: number) => from + ((to - from) * i) / last
    : (i: number) => from * (1 - i / last) + to * (i / last);
  return Array.from({ length: count }, (_, i) => (i === last ? to : point(i)));
}

type Read = (option: string, text: string) => unknown;

/** What is not JSON. */
const READ: Readonly<Partial<Record<(typeof FIELDS)[FieldName], Read>>> = {
  number,
  numbers,
  text: (_, text) => text,
  request: (_, path) => requestIn(path),
};

/** What may be given to a question as options. */
export function optionsOf(ask: Ask): { needed: readonly FieldName[]; others: readonly FieldName[] } {
  const { needs, together = [], may = [] } = entryOfAsk(ask);
  return { needed: needs.filter((name) => FIELDS[name] !== "description"), others: [...together, ...may] };
}

/** Whether the command's first word is a description. */
export const describes = (ask: Ask): boolean => entryOfAsk(ask).needs.includes("description");

/** Whether it may be a file instead. */
const isFile = (ask: Ask): boolean => entryOfAsk(ask).needs.includes("ledger");

function ledgerIn(path: string, isGiven: boolean): unknown {
  if (isGiven)
    throw new Refusal("unsupported", "ledger", path, "cannot be given twice, as a file and as --ledger");
  const value = path === "-" ? json("ledger", standardInput("ledger")) : jsonIn("ledger", path);
  return checkLedgerFile(value);
}

/** The question, in the language of the batch. */
export function question(command: string, ask: Ask, words: readonly string[]): Record<string, unknown> {
  const { needed, others } = optionsOf(ask);
  const fields = new Map([...needed, ...others].map((field) => [spelled(field), field]));
  const read = readWords(words, [...fields.keys()]);
  const asked: Record<string, unknown> = { ask };
  const [description] = describes(ask) ? read.others : [];
  if (describes(ask)) {
    if (description === undefined) {
      const rule = "must be given as JSON, or as - to read it from standard input";
      throw new Refusal("missing", "description", undefined, rule);
    }
    const text = description === "-" ? standardInput("description") : description;
    asked.description = json("description", text);
  }
  const file = isFile(ask) ? read.others[0] : undefined;
  if (file !== undefined) asked.ledger = ledgerIn(file, read.options.ledger !== undefined);
  refuseOthers(command, read.others.slice(describes(ask) || file !== undefined ? 1 : 0));
  for (const [option, [text = ""]] of Object.entries(read.options)) {
    const field = fields.get(option) as FieldName;
    asked[field] = (READ[FIELDS[field]] ?? json)(option, text);
  }
  return asked;
}
