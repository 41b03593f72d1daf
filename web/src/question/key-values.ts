/** A question as keys and texts: what a link, an attribute and a saved drawing spell. */
import { NEIGHBOURS, type Neighbours } from "../../../wasm/engine/catalogue.ts";
import { WRAPPER_KINDS } from "../../../wasm/engine/kinds.ts";
import {
  COUNT_FIELD,
  defaultTexts,
  type Field,
  fieldsAround,
  fieldsOf,
  isSolvable,
  LEVEL_DEFAULTS,
  type MechanismLine,
  MOST_RELEASES,
  nameOf,
  placeOf,
  type Question,
  relationsOf,
  SENTENCE_KINDS,
  type SentenceKind,
  slotsOf,
  textOf,
  usesN,
  withDefaults,
} from "./question.ts";

/** The keys of one line, whatever its kind. */
const LINE_KEYS: readonly string[] = [
  ...new Set([
    "kind",
    ...SENTENCE_KINDS.flatMap((kind) => fieldsOf(kind).map((field) => field.key)),
    COUNT_FIELD.key,
    ...WRAPPER_KINDS.flatMap((kind) => fieldsAround(kind).map((field) => field.key)),
  ]),
];

/** Every key of a question about one release that an answer depends on: the attributes of the widgets. */
export const KEYS: readonly string[] = ["ask", "neighbours", ...LINE_KEYS, "epsilon", "delta", "group", "n"];

const SHOWN = 40;

/** Keys and texts from outside: what cannot be used is named in `skipped` and left out. */
export function fromKeyValues(record: ReadonlyMap<string, string>): {
  question: Question;
  skipped: string[];
} {
  const skipped: string[] = [];
  const pick = <T extends string>(key: string, allowed: readonly T[], fallback: T): T => {
    const given = record.get(key);
    if (given === undefined) return fallback;
    const found = allowed.find((one) => one === given);
    if (found === undefined) skipped.push(`${key}=${given.slice(0, SHOWN)}`);
    return found ?? fallback;
  };
  const [first, ...more] = Array.from({ length: howMany(record) }, (_, i) => {
    const line = withDefaults(pick<SentenceKind>(nameOf(i, "kind"), SENTENCE_KINDS, "gaussian"));
    const around = aroundIn(record, i);
    return { ...line, around, texts: { ...line.texts, ...defaultTexts(around.flatMap(fieldsAround)) } };
  });
  const releases = [first ?? withDefaults("gaussian"), ...more] as const;
  const texts: Record<string, string> = { ...LEVEL_DEFAULTS };
  for (const [name, text] of record) {
    const { index, key } = placeOf(name);
    if (name === "ask" || name === "neighbours" || (key === "kind" && releases[index])) continue;
    const holder = Object.hasOwn(texts, name) ? texts : releases[index]?.texts;
    if (holder && Object.hasOwn(holder, key)) Reflect.set(holder, key, text);
    else skipped.push(name.slice(0, SHOWN));
  }
  const base: Question = { ask: "epsilon", neighbours: NEIGHBOURS[0], releases: [...releases], texts };
  const relations = relationsOf(base);
  const neighbours = pick<Neighbours>("neighbours", relations, relations[0] ?? base.neighbours);
  const asked = record.get("ask") ?? base.ask;
  if (!isSolvable(base, asked)) skipped.push(`ask=${asked.slice(0, SHOWN)}`);
  return { question: { ...base, neighbours, ask: isSolvable(base, asked) ? asked : base.ask }, skipped };
}

/** What is around a line: whatever one of its fields is there of, the innermost first. */
function aroundIn(record: ReadonlyMap<string, string>, index: number) {
  const places = [...record.keys()].map(placeOf).filter((place) => place.index === index);
  const first = (fields: readonly Field[]) =>
    places.findIndex((place) => fields.some(({ key }) => key === place.key));
  return WRAPPER_KINDS.map((kind) => ({ kind, at: first(fieldsAround(kind)) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at)
    .map(({ kind }) => kind);
}

/** Releases are counted by their kinds, without a gap. */
function howMany(record: ReadonlyMap<string, string>): number {
  let count = 1;
  while (count < MOST_RELEASES && record.has(nameOf(count, "kind"))) count++;
  return count;
}

/** Keys and texts for outside, in the order of the sentence, without what does not matter. */
export function toKeyValues(question: Question): [string, string][] {
  const { ask, neighbours, releases, texts } = question;
  const said = (name: keyof typeof LEVEL_DEFAULTS) => texts[name] !== LEVEL_DEFAULTS[name];
  const names = releases.flatMap((release, i) => spelled(release, i, ask));
  if (ask !== "epsilon") names.push("epsilon");
  if (ask !== "delta") names.push("delta");
  if (usesN(question)) names.push("n");
  for (const name of ["group", "prior", "exceptions", "false-positives"] as const)
    if (said(name)) names.push(name);
  const kind = ({ index, key }: { index: number; key: string }) =>
    key === "kind" ? releases[index]?.kind : undefined;
  return [
    ["ask", ask],
    ...names.map((name): [string, string] => [name, kind(placeOf(name)) ?? textOf(question, name)]),
    ["neighbours", neighbours],
  ];
}

/** The kind and the slots that say something. Of what is around it, one slot is said even where it is the unknown. */
function spelled(line: MechanismLine, index: number, ask: string): string[] {
  const marks = line.around.map((kind) => fieldsAround(kind)[0]?.key);
  const keys = slotsOf(line)
    .filter((field) => marks.includes(field.key) || !isImplied(field, line))
    .map((field) => field.key)
    .filter((key) => nameOf(index, key) !== ask || marks.includes(key));
  return ["kind", ...keys].map((key) => nameOf(index, key));
}

/** What need not be said: to run once, and the option that is meant anyway. */
const isImplied = ({ key, entry }: Field, { texts }: MechanismLine) =>
  key === COUNT_FIELD.key
    ? texts[key] === String(COUNT_FIELD.entry.default)
    : entry.type === "choice" && entry.optional && texts[key] === entry.default;
