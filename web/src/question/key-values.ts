/** A question as keys and texts: what a link, an attribute and a saved drawing spell. */

import { NEIGHBOURS, type Neighbours } from "../../../wasm/engine/catalogue.ts";
import { optionFor, WRAPPER_KINDS } from "../../../wasm/engine/kinds.ts";
import { QUANTITIES } from "./expression.ts";
import {
  COUNT_FIELD,
  defaultsAround,
  type Field,
  fieldsAround,
  fieldsOf,
  isLimited,
  isSolvable,
  LEVEL_DEFAULTS,
  type MechanismLine,
  MOST_RELEASES,
  nameOf,
  placeOf,
  type Question,
  quantitiesOf,
  relationsOf,
  SENTENCE_KINDS,
  type SentenceKind,
  slotsAround,
  slotsOf,
  textOf,
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

/** What an answer depends on only where a suspicion is to keep a limit. */
export const SUSPICION_KEYS: readonly string[] = ["prior", "limit", "exceptions"];

/** Every key of a question about one release that an answer depends on: the attributes of the widgets. */
export const KEYS: readonly string[] = [
  "ask",
  "neighbours",
  ...LINE_KEYS,
  "epsilon",
  "delta",
  "group",
  ...Object.keys(QUANTITIES),
  ...SUSPICION_KEYS,
];

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
  const [first = withDefaults("gaussian"), ...more] = Array.from({ length: howMany(record) }, (_, i) => {
    const line = withDefaults(pick<SentenceKind>(nameOf(i, "kind"), SENTENCE_KINDS, "gaussian"));
    return { ...line, around: aroundIn(record, i) };
  });
  const texts: Record<string, string> = { ...LEVEL_DEFAULTS };
  const empty: Question = { ask: "epsilon", neighbours: NEIGHBOURS[0], releases: [first, ...more], texts };
  const relations = relationsOf(empty);
  const neighbours = pick<Neighbours>("neighbours", relations, relations[0] ?? empty.neighbours);
  const meant = (line: MechanismLine): MechanismLine => ({
    ...line,
    texts: Object.assign(
      { ...line.texts },
      ...line.around.map((wrapper) => defaultsAround(wrapper, neighbours)),
    ),
  });
  const releases = [meant(first), ...more.map(meant)] as const;
  const named: { name: string; key: string; line: MechanismLine | undefined }[] = [];
  for (const [name, text] of record) {
    const { index, key } = placeOf(name);
    const line = releases[index];
    if (name === "ask" || name === "neighbours" || (key === "kind" && line)) continue;
    const holder = Object.hasOwn(texts, name) ? texts : line?.texts;
    if (holder && Object.hasOwn(holder, key)) Reflect.set(holder, key, text);
    if (holder !== texts) named.push({ name, key, line });
  }
  // What means nothing with the options that were chosen, too.
  for (const { name, key, line } of named)
    if (!line || !slotsOf(line).some((field) => field.key === key)) skipped.push(name.slice(0, SHOWN));
  const base: Question = { ...empty, releases: [...releases] };
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
  const names = releases.flatMap((release, i) => spelled(release, i, question));
  const limited = isLimited(question);
  if (ask !== "epsilon" && !limited) names.push("epsilon");
  if (ask !== "delta") names.push("delta");
  names.push(...quantitiesOf(question));
  for (const name of ["group", "prior", "limit", "exceptions", "false-positives"] as const)
    if (limited && SUSPICION_KEYS.includes(name) ? true : name !== "limit" && said(name)) names.push(name);
  const kind = ({ index, key }: { index: number; key: string }) =>
    key === "kind" ? releases[index]?.kind : undefined;
  return [
    ["ask", ask],
    ...names.map((name): [string, string] => [name, kind(placeOf(name)) ?? textOf(question, name)]),
    ["neighbours", neighbours],
  ];
}

/** The kind and the slots that say something. Of what is around it, one slot is said even where it is the unknown. */
function spelled(line: MechanismLine, index: number, { ask, neighbours }: Question): string[] {
  const implied = impliedIn(line, neighbours);
  const marks = line.around.map(
    (kind) => slotsAround(kind, line.texts).find(({ entry }) => !decides(entry))?.key,
  );
  const keys = slotsOf(line)
    .map(({ key }) => key)
    .filter((key) => marks.includes(key) || !implied.has(key))
    .filter((key) => nameOf(index, key) !== ask || marks.includes(key));
  return ["kind", ...keys].map((key) => nameOf(index, key));
}

const decides = (entry: Field["entry"]) => entry.type === "choice" && entry.neighbours !== undefined;

/** What need not be said: to run once, and the option that is meant anyway. */
function impliedIn(line: MechanismLine, neighbours: Neighbours): ReadonlySet<string> {
  const meant = new Map<string, string | undefined>([
    [COUNT_FIELD.key, String(COUNT_FIELD.entry.default)],
    ...slotsOf(line).flatMap(({ key, entry }): [string, string][] =>
      entry.type === "choice" && entry.optional ? [[key, entry.default]] : [],
    ),
    ...line.around.flatMap((kind) =>
      fieldsAround(kind).flatMap(({ key, entry }): [string, string | undefined][] =>
        decides(entry) ? [[key, optionFor(kind, neighbours)]] : [],
      ),
    ),
  ]);
  return new Set([...meant].flatMap(([key, text]) => (line.texts[key] === text ? [key] : [])));
}
