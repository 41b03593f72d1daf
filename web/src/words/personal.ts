/** What a report says to one person, in words; every number is rounded against the promise. */
import type { OwnRow, PersonalLoss, RealisedLoss } from "../../../wasm/contract.ts";
import type { PrivacyReport } from "../../../wasm/report/document.ts";
import type { Column, Ends, Label, TableRequest } from "../../../wasm/table/declaration.ts";
import { format, grouped } from "./numbers.ts";
import { capital, factorOf, INFINITE_EPSILON, relationWords } from "./sentences.ts";

/** One value that she types or chooses. */
export interface OwnField {
  readonly name: string;
  /** Which values count. */
  readonly hint: string;
  /** Of numbers; those beyond count as the nearer end, as in the table. */
  readonly range?: Ends;
  /** Of everything else: the text that stands for it, and its words. */
  readonly options?: readonly (readonly [value: string, words: string])[];
  /** A row without it was kept in the table. */
  readonly optional: boolean;
}

/** A text that is no level and no mark of a missing value: of which the table took no level either. */
function noLevel(levels: readonly string[], marks: readonly string[]): string {
  let text = "none of these";
  while (levels.includes(text) || marks.includes(text)) text += ".";
  return text;
}

function fieldOf(use: Exclude<Column, { use: "ignored" }> | Label, marks: readonly string[]): OwnField {
  const { name } = use;
  const optional = use.missing !== "drop";
  const empty = optional ? "; leave it empty if there is no value" : "";
  if ("range" in use) {
    const [low, high] = use.range as Ends;
    return { name, hint: `from ${low} to ${high}${empty}`, range: [low, high], optional };
  }
  const known = use.levels.map((level) => [level, level] as const);
  const other = use.use === "categorical" ? [[noLevel(use.levels, marks), "none of these"] as const] : [];
  return { name, hint: optional ? "or no value" : "", options: [...known, ...other], optional };
}

/** The used columns in their order, and the label. */
export const ownFields = ({ columns, label, missingMarks }: TableRequest): readonly OwnField[] =>
  [...columns.flatMap((column) => (column.use === "ignored" ? [] : [column])), ...(label ? [label] : [])].map(
    (use) => fieldOf(use, missingMarks),
  );

/** As what a number beyond its range counts; nothing for one inside. */
export function clampedWords({ range }: OwnField, text: string): string {
  const number = Number(text);
  // What is no finite number counts as nothing: it is refused.
  if (!range || text === "" || !Number.isFinite(number)) return "";
  const [low, high] = range;
  if (number >= low && number <= high) return "";
  return `counts as ${number < low ? low : high}, as it did in the table`;
}

/** Her row, once nothing is missing from it that must be there. */
export function ownRow(fields: readonly OwnField[], values: ReadonlyMap<string, string>): OwnRow | undefined {
  const given = fields.map(({ name }) => values.get(name) ?? "");
  if (given.every((text) => text === "") || fields.some(({ optional }, i) => !optional && !given[i]))
    return undefined;
  return Object.fromEntries(
    fields.map(({ name, options }, i) => [
      name,
      options || !given[i] ? (given[i] as string) : Number(given[i]),
    ]),
  );
}

export const DEMONSTRATION =
  "Demonstration: the noise of this report can be computed again and taken off, so that it protects nobody.";

export const STAYS =
  "What you type stays in this form: it is not sent, not stored and not put into the address.";

/** Whom the words speak to. */
export interface Voice {
  readonly asks: string;
  readonly isMember: string;
  readonly isNone: string;
  readonly costs: string;
  readonly told: string;
  readonly row: string;
  readonly features: string;
  readonly label: (name: string) => string;
  readonly values: string;
}

/** To the person whose values they are. */
export const TO_HER: Voice = {
  asks: "Are your values in the table?",
  isMember: "I am in the table",
  isNone: "I am not",
  costs: "It costs you",
  told: "What came out told about you at most",
  row: "your row",
  features: "your features",
  label: (name) => `your “${name}”`,
  values: "your values",
};

/** To the holder of the table, about somebody. */
export const TO_HOLDER: Voice = {
  asks: "Is this person in the table?",
  isMember: "In the table",
  isNone: "Not in it",
  costs: "It costs this person",
  told: "What came out told about this person at most",
  row: "this row",
  features: "these features",
  label: (name) => `this “${name}”`,
  values: "these values",
};

export interface PersonalWords {
  readonly own: string;
  readonly ownTitle: string;
  readonly promised: string;
  readonly promisedTitle: string;
  readonly level: string;
  readonly meaning: string;
  readonly realised: RealisedWords | undefined;
}

export interface RealisedWords {
  readonly title: string;
  readonly size: string;
  readonly meaning: string;
  /** What makes it large, the largest first. */
  readonly causes: readonly string[];
  readonly holds: string;
}

const DIGITS = 4;
const shown = (value: number) => format(value, DIGITS, "up");

export interface Told extends Pick<PrivacyReport, "promise"> {
  readonly label: string;
  readonly hasMaterial: boolean;
  readonly voice: Voice;
}

export function personalWords(loss: PersonalLoss, told: Told): PersonalWords {
  const { whatever, promised, delta, realised } = loss;
  return {
    own: `ε ≤ ${shown(whatever.upper)}`,
    ownTitle: `${told.voice.costs}, whatever came out,`,
    promised: `ε ≤ ${shown(promised.upper)}`,
    promisedTitle: `Everybody was promised${told.hasMaterial ? ", of all that was published" : ""}`,
    level: `Both at δ = ${format(delta, 6, "up")}, ${relationWords(whatever.neighbours)}.`,
    meaning: meaningOf(whatever.upper, delta, told.voice),
    realised: realised && realisedWords(realised, whatever.upper, told),
  };
}

function meaningOf(epsilon: number, delta: number, { row }: Voice): string {
  if (!Number.isFinite(epsilon)) return INFINITE_EPSILON;
  const slack = delta === 0 ? "" : `, plus at most ${format(delta, 6, "up")}`;
  return `${capital(row)} changes the chance of any outcome at most by a factor of ${factorOf(epsilon)}${slack}.`;
}

function realisedWords(loss: RealisedLoss, whatever: number, told: Told): RealisedWords {
  const { size, failure } = loss;
  const rarely = failure > 0 ? `, except with probability ${format(failure, 6, "up")} over the noise` : "";
  const other = size > whatever ? " It is a bound of another kind than ε, and may be larger." : "";
  const meaning = Number.isFinite(size)
    ? `What was released is at most ${factorOf(size)} times as likely with ${told.voice.row} as without it, and the other way round${rarely}.${other}`
    : "There is no bound on what came out for these values.";
  return {
    title: told.voice.told,
    size: shown(size),
    meaning,
    causes: causes(loss, told),
    // What is known of the very table is so for whomever.
    holds: audienceWords(failure > 0 ? told.promise : { ...told.promise, audience: "anybody" }),
  };
}

function causes(loss: RealisedLoss, { label, voice }: Told): readonly string[] {
  const { leverage, misfit, material, failure } = loss;
  // No bound may be asked for that fails as rarely: what is left is the rounding of a sample.
  if (failure < 1e-40) return ["It follows from the table and from the noise that was drawn, exactly."];
  const parts = [
    [leverage, `because ${voice.features} are unusual (leverage)`],
    [misfit, `because of how far the model misses ${voice.label(label)} (misfit)`],
    [material, "because of what was published beside the model"],
  ] as const;
  const large = parts.filter(([part]) => part > 0).sort(([a], [b]) => b - a);
  if (large.length === 0)
    return [`It follows from the size of ${voice.values} alone, whatever the model says.`];
  return large.map(([part, why]) => `${shown(part)} ${why}`);
}

const audienceWords = ({ audience, rows }: PrivacyReport["promise"]) =>
  audience === "anybody"
    ? "It holds for everybody at once, whoever was thought of when."
    : rows === undefined
      ? "It holds for one person, whose values were not chosen after the release was seen."
      : `It holds for everybody in a table of at most ${grouped(rows)} rows at once.`;
