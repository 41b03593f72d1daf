/**
 * The question as a person edits it: one text per field, one field unknown. The sentence edits it, the link
 * and the attributes spell it. Everything about kinds and parameters comes from the catalogue.
 */
import {
  COUNT,
  KINDS,
  type Kind,
  NEIGHBOURS,
  type Neighbours,
  type Parameter,
} from "../../../wasm/catalogue.ts";

/** A sentence holds one mechanism; a list of different ones needs an editor of its own. */
export type SentenceKind = Exclude<Kind, "composition">;
export const SENTENCE_KINDS = (Object.keys(KINDS) as Kind[]).filter(
  (kind): kind is SentenceKind => kind !== "composition",
);

export interface Question {
  /** The unknown: `epsilon`, `delta` or the field of a numeric parameter. */
  readonly ask: string;
  readonly kind: SentenceKind;
  readonly neighbours: Neighbours;
  readonly texts: Readonly<Record<string, string>>;
}

/** What each field of the level holds when nothing is said; the texts of parameters come from the catalogue. */
const LEVEL_DEFAULTS = { epsilon: "1", delta: "1e-5", count: "1", n: "10000", prior: "50" } as const;
const LEVEL = Object.keys(LEVEL_DEFAULTS);

export interface Field {
  readonly name: string;
  /** The parameter's own name inside the description. */
  readonly parameter: string;
  readonly entry: Exclude<Parameter, { type: "parts" }>;
}

/** `epsilon` and `delta` mean the level asked about, so a mechanism's own ε is `mechanism-epsilon`. */
export const fieldName = (parameter: string) =>
  LEVEL.includes(parameter) ? `mechanism-${parameter}` : parameter;

export const fieldsOf = (kind: SentenceKind): Field[] =>
  Object.entries<Parameter>(KINDS[kind].parameters).flatMap(([parameter, entry]) =>
    entry.type === "parts" ? [] : [{ name: fieldName(parameter), parameter, entry }],
  );

export const COUNT_FIELD: Field = { name: "count", parameter: "count", entry: COUNT };

const defaultText = (field: Field) =>
  field.entry.type === "reals" ? field.entry.default.join(", ") : String(field.entry.default);

/** A kind with its defaults, keeping what the person already said about the level. */
export function withKind(kind: SentenceKind, previous?: Question): Question {
  const fields = fieldsOf(kind);
  const texts: Record<string, string> = {};
  for (const field of fields) texts[field.name] = defaultText(field);
  for (const [name, text] of Object.entries(LEVEL_DEFAULTS)) texts[name] = previous?.texts[name] ?? text;
  const relations: readonly Neighbours[] = KINDS[kind].neighbours;
  const kept = previous && relations.includes(previous.neighbours) ? previous.neighbours : relations[0];
  const asked = previous && solvable(kind).includes(previous.ask) ? previous.ask : "epsilon";
  return { ask: asked, kind, neighbours: kept ?? "add-remove", texts };
}

/** The fields that may be the unknown. */
export const solvable = (kind: SentenceKind): string[] => [
  "epsilon",
  "delta",
  ...fieldsOf(kind)
    .filter(({ entry }) => entry.type !== "reals" && entry.effect !== "none")
    .map((field) => field.name),
];

/** Every key that a link or an attribute may carry, whatever the kind. */
export const KEYS: readonly string[] = [
  ...new Set([
    "ask",
    "kind",
    "neighbours",
    ...SENTENCE_KINDS.flatMap((kind) => fieldsOf(kind).map((field) => field.name)),
    ...LEVEL,
  ]),
];

export const withText = (question: Question, field: string, text: string): Question => ({
  ...question,
  texts: { ...question.texts, [field]: text },
});

/** Keys and texts from outside: what cannot be used is named in `skipped` and left out. */
export function fromRecord(record: ReadonlyMap<string, string>): { question: Question; skipped: string[] } {
  const skipped: string[] = [];
  const pick = <T extends string>(key: string, allowed: readonly T[], fallback: T): T => {
    const given = record.get(key);
    if (given === undefined) return fallback;
    const found = allowed.find((one) => one === given);
    if (found === undefined) skipped.push(`${key}=${given.slice(0, 40)}`);
    return found ?? fallback;
  };
  const base = withKind(pick("kind", SENTENCE_KINDS, "gaussian"));
  const texts: Record<string, string> = { ...base.texts };
  for (const [key, text] of record) {
    if (key === "ask" || key === "kind" || key === "neighbours") continue;
    if (Object.hasOwn(texts, key)) texts[key] = text;
    else skipped.push(key.slice(0, 40));
  }
  const neighbours = pick<Neighbours>("neighbours", KINDS[base.kind].neighbours, base.neighbours);
  return {
    question: { ...base, ask: pick("ask", solvable(base.kind), "epsilon"), neighbours, texts },
    skipped,
  };
}

/** Keys and texts for outside, in the order of the sentence, without what does not matter. */
export function toRecord(question: Question): [string, string][] {
  const { ask, kind, neighbours, texts } = question;
  const said = (name: keyof typeof LEVEL_DEFAULTS) => texts[name] !== LEVEL_DEFAULTS[name];
  const names = fieldsOf(kind)
    .map((field) => field.name)
    .filter((name) => name !== ask);
  if (said("count")) names.push("count");
  if (ask !== "epsilon") names.push("epsilon");
  if (ask !== "delta") names.push("delta");
  if (usesN(question)) names.push("n");
  if (said("prior")) names.push("prior");
  return [
    ["ask", ask],
    ["kind", kind],
    ...names.map((name): [string, string] => [name, texts[name] ?? ""]),
    ["neighbours", neighbours],
  ];
}

/** Whether any text in use speaks of n. */
export const usesN = ({ ask, kind, texts }: Question) =>
  [...fieldsOf(kind).map((field) => field.name), "count", "epsilon", "delta"].some(
    (name) => name !== ask && /(^|[^a-z])n([^a-z]|$)/i.test(texts[name] ?? ""),
  );

export const isNeighbours = (text: string): text is Neighbours =>
  (NEIGHBOURS as readonly string[]).includes(text);
export const isSentenceKind = (text: string): text is SentenceKind =>
  (SENTENCE_KINDS as readonly string[]).includes(text);
