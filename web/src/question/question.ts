/**
 * The question as a person edits it: a list of releases, one text per field, one field unknown. The sentence
 * edits it, the link and the attributes spell it. Everything about kinds and parameters comes from the catalogue.
 *
 * A field of the first release has its plain name (`sigma`), one of the second starts with its number (`2.sigma`).
 */

import type { Description } from "../../../wasm/contract.ts";
import {
  type ChoiceParameter,
  COUNT,
  KINDS,
  type Kind,
  NEIGHBOURS,
  type Neighbours,
  type NumberParameter,
  type NumbersParameter,
  type Parameter,
} from "../../../wasm/engine/catalogue.ts";
import {
  belongs,
  decidingOf,
  entryOf,
  isDecided,
  isLeaf,
  LEAF_KINDS,
  type LeafKind,
  optionFor,
  WRAPPER_KINDS,
  type WrapperKind,
} from "../../../wasm/engine/kinds.ts";
import { type Quantity, quantitiesIn } from "./expression.ts";

/** What a line is about; what is around that and how often it runs are slots of every line. */
export type SentenceKind = LeafKind;
export const SENTENCE_KINDS = LEAF_KINDS;

export type Texts = Readonly<Record<string, string>>;

/** One release, a line of the sentence. */
export interface MechanismLine {
  readonly kind: SentenceKind;
  /** The mechanisms around it, the innermost first. */
  readonly around: readonly WrapperKind[];
  /** The parameters of all of them, and the count. */
  readonly texts: Texts;
}

export interface Question {
  /** The unknown: `epsilon`, `delta` or the field of a numeric quantity of a release. */
  readonly ask: string;
  readonly neighbours: Neighbours;
  readonly releases: readonly [MechanismLine, ...MechanismLine[]];
  /** The level asked about. */
  readonly texts: Texts;
  /** A whole mechanism from outside, which then counts instead of the releases; `ask` may be a path inside it. */
  readonly given?: Description;
}

/** What each field of the level holds when nothing is said; the texts of parameters come from the catalogue. */
export const LEVEL_DEFAULTS = {
  epsilon: "1",
  delta: "1e-5",
  group: "1",
  n: "10000",
  batch: "256",
  passes: "20",
  prior: "1",
  exceptions: "1e-6",
  limit: "",
  "false-positives": "1",
} as const;
export const LEVEL: readonly string[] = Object.keys(LEVEL_DEFAULTS);

export interface Field {
  /** Within its line. */
  readonly key: string;
  /** The parameter's own name inside the description. */
  readonly parameter: string;
  readonly entry: NumberParameter | NumbersParameter | ChoiceParameter;
}

/** HTML knows no capital letters in the names of attributes: `sketchSize` is spelled `sketch-size`. */
const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** `epsilon` and `delta` mean the level asked about, so a mechanism's own ε is `mechanism-epsilon`. */
const fieldName = (parameter: string) =>
  LEVEL.includes(parameter) ? `mechanism-${parameter}` : kebab(parameter);

/** What is inside has no text, and a choice that the neighbouring relation decides needs none. */
const hasText = (entry: Parameter): entry is Field["entry"] =>
  "minimum" in entry || (entry.type === "choice" && !isDecided(entry));

const textFields = (kind: Kind): Field[] =>
  Object.entries<Parameter>(entryOf(kind).parameters).flatMap(([parameter, entry]) =>
    hasText(entry) ? [{ key: fieldName(parameter), parameter, entry }] : [],
  );

/** The parameters of a kind. */
export const fieldsOf = (kind: SentenceKind): Field[] => textFields(kind);

export const COUNT_FIELD: Field = { key: "count", parameter: "count", entry: COUNT };

/** Names that mean something else in a line. */
const TAKEN = [
  "ask",
  "kind",
  "neighbours",
  COUNT_FIELD.key,
  ...LEAF_KINDS.flatMap(textFields).map(({ key }) => key),
];

/** The parameters of what is around a mechanism: by their own names where no mechanism has one of that name. */
const AROUND: ReadonlyMap<WrapperKind, Field[]> = new Map(
  WRAPPER_KINDS.map((kind, i) => {
    const before = WRAPPER_KINDS.slice(0, i)
      .flatMap(textFields)
      .map(({ key }) => key);
    const own = ({ key }: Field) => ([...TAKEN, ...before].includes(key) ? `${kind}-${key}` : key);
    return [kind, textFields(kind).map((field) => ({ ...field, key: own(field) }))];
  }),
);
export const fieldsAround = (kind: WrapperKind): readonly Field[] => AROUND.get(kind) ?? [];

/** Those of them that there are with the options chosen in a line. */
function chosenOf(fields: readonly Field[], texts: Texts): readonly Field[] {
  const keyOf = (name: string) => fields.find(({ parameter }) => parameter === name)?.key ?? "";
  return fields.filter(({ entry }) => belongs(entry, (choice) => texts[keyOf(choice)]));
}

export const slotsAround = (kind: WrapperKind, texts: Texts): readonly Field[] =>
  chosenOf(fieldsAround(kind), texts);

/** The parameters that a mechanism has in a line. */
export const slotsInside = ({ kind, texts }: MechanismLine): readonly Field[] =>
  chosenOf(fieldsOf(kind), texts);

function decidingField(kind: WrapperKind): Field | undefined {
  const [deciding] = decidingOf(kind) ?? [];
  return fieldsAround(kind).find(({ parameter }) => parameter === deciding);
}

/** The option that decides which way it is around a mechanism, if it has several. */
export function chosenWay(kind: WrapperKind, texts: Texts): string | undefined {
  const field = decidingField(kind);
  return field && texts[field.key];
}

/** All slots of a line, in the order of its sentence. */
export const slotsOf = (line: MechanismLine): Field[] => [
  ...slotsInside(line),
  COUNT_FIELD,
  ...line.around.flatMap((wrapper) => slotsAround(wrapper, line.texts)),
];

export const MOST_RELEASES = 40;

export const nameOf = (index: number, key: string) => (index === 0 ? key : `${index + 1}.${key}`);

/** Which release a name belongs to, and its key there. */
export function placeOf(name: string): { index: number; key: string } {
  const [, number, key] = /^([2-9]|[1-9]\d+)\.(.+)$/.exec(name) ?? [];
  return number && key ? { index: Number(number) - 1, key } : { index: 0, key: name };
}

/** The slot behind a name, if it is one of a release. */
export function slotAt({ releases, given }: Question, name: string): Field | undefined {
  if (given) return undefined;
  const { index, key } = placeOf(name);
  const release = releases[index];
  return release && slotsOf(release).find((field) => field.key === key);
}

export function textOf({ releases, texts }: Question, name: string): string {
  const { index, key } = placeOf(name);
  return (LEVEL.includes(name) ? texts[name] : releases[index]?.texts[key]) ?? "";
}

/** As people write them: 1e-6, and not 0.000001. */
const written = (number: number) => (number > 0 && number < 1e-4 ? number.toExponential() : String(number));

const defaultText = ({ entry }: Field) =>
  entry.type === "reals"
    ? entry.default.map(written).join(", ")
    : typeof entry.default === "number"
      ? written(entry.default)
      : entry.default;

export const defaultTexts = (fields: readonly Field[]): Texts =>
  Object.fromEntries(fields.map((field) => [field.key, defaultText(field)]));

/** The same of what is put around a mechanism, as it is meant for a relation. */
export function defaultsAround(kind: WrapperKind, neighbours: Neighbours): Texts {
  const fields = fieldsAround(kind);
  const chosen = decidingField(kind);
  const option = chosen && { [chosen.key]: optionFor(kind, neighbours) ?? "" };
  return { ...defaultTexts(fields), ...option };
}

export const withDefaults = (kind: SentenceKind): MechanismLine => ({
  kind,
  around: [],
  texts: defaultTexts([...fieldsOf(kind), COUNT_FIELD]),
});

/** One release of a kind with its defaults. */
export const withKind = (kind: SentenceKind): Question => ({
  ask: "epsilon",
  neighbours: KINDS[kind].neighbours[0],
  releases: [withDefaults(kind)],
  texts: LEVEL_DEFAULTS,
});

/** Whether the field may be the unknown. */
export function isSolvable(question: Question, name: string): boolean {
  if (name === "epsilon" || name === "delta") return true;
  const entry = slotAt(question, name)?.entry;
  return entry !== undefined && "effect" in entry && entry.effect !== "none";
}

/** Every quantity that may be the unknown. */
export const solvable = (question: Question): string[] =>
  ["epsilon", "delta", ...namesOf(question)].filter((name) => isSolvable(question, name));

/** The names of all slots of all releases. */
export const namesOf = ({ releases }: Question): string[] =>
  releases.flatMap((release, i) => slotsOf(release).map((field) => nameOf(i, field.key)));

/** The relations to choose from: with several parts, all of them, and the engine says which part objects. */
export const relationsOf = ({ releases }: Question): readonly Neighbours[] =>
  releases.length === 1 ? KINDS[releases[0].kind].neighbours : NEIGHBOURS;

/** Whether neighbouring tables differ in more than one record. */
export const isGroup = ({ texts }: Question) => texts.group !== LEVEL_DEFAULTS.group;

/** Whether a parameter is sought that keeps a suspicion within a limit, instead of ε at δ. */
export const isLimited = ({ ask, texts }: Question) => !LEVEL.includes(ask) && texts.limit !== "";

/** The quantities of which any text in use speaks. */
export const quantitiesOf = (question: Question): readonly Quantity[] =>
  quantitiesIn(
    [...(question.given ? [] : namesOf(question)), "epsilon", "delta", "group"]
      .filter((name) => name !== question.ask)
      .map((name) => textOf(question, name))
      .join(" "),
  );

const isComposed = ({ given, releases, ask }: Question) =>
  given
    ? !isLeaf(given.kind)
    : releases.length > 1 ||
      releases[0].around.length > 0 ||
      releases[0].texts.count !== "1" ||
      ask === "count";

export type Pace = "light" | "heavy" | "slow";

/** One closed form answers at once; a composition takes a while, and a group asks it once for every record. */
export function paceOf(question: Question): Pace {
  if (!isGroup(question)) return isComposed(question) ? "heavy" : "light";
  return isComposed(question) ? "slow" : "heavy";
}

export const isHeavy = (question: Question) => paceOf(question) !== "light";

export const isNeighbours = (text: string): text is Neighbours =>
  (NEIGHBOURS as readonly string[]).includes(text);
export const isSentenceKind = (text: string): text is SentenceKind =>
  (SENTENCE_KINDS as readonly string[]).includes(text);
