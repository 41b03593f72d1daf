/** The words of the answers. All prose about numbers is here, so that elements only arrange it. */

import type { Answer, AnswerKind, Calibration, Comparison, RiskCalibration } from "../../../wasm/contract.ts";
import { GROUP, KINDS, type Neighbours } from "../../../wasm/engine/catalogue.ts";
import { parameterAt } from "../../../wasm/engine/description-tree.ts";
import { aroundOf } from "../../../wasm/engine/kinds.ts";
import type { Refusal } from "../../../wasm/engine/refusal.ts";
import { COUNT_FIELD, placeOf, type Question, slotAt } from "../question/question.ts";
import { format, precise, type Side } from "./numbers.ts";

export const RELATION_WORDS: Readonly<Record<Neighbours, string>> = {
  "add-remove": "add or remove",
  replace: "replace",
  "zero-out": "blank out",
};

/** "add or remove one row", "replace up to 3 rows" */
export const relationWords = (neighbours: Neighbours, group = 1) =>
  `${RELATION_WORDS[neighbours]} ${group === 1 ? "one row" : `up to ${group} rows`}`;

export const KIND_WORDS: Readonly<Record<AnswerKind, string>> = {
  exact: "Exact: both ends agree up to rounding, and the truth lies between them.",
  certified: "Certified: a proven interval that contains the truth.",
  bound: "Bound: the upper end is guaranteed by its theorem; the truth may be lower.",
};

const LEVEL_WORDS: Readonly<Record<string, { symbol: string; title: string }>> = {
  epsilon: { symbol: "ε", title: "privacy loss" },
  delta: { symbol: "δ", title: "delta" },
  group: { symbol: "", title: GROUP.title },
  n: { symbol: "n", title: "number of people" },
  batch: { symbol: "batch", title: "size of a batch" },
  passes: { symbol: "passes", title: "number of epochs" },
  prior: { symbol: "", title: "suspicion" },
  limit: { symbol: "", title: "limit of the suspicion" },
  exceptions: { symbol: "τ", title: "probability of exceptions" },
  "false-positives": { symbol: "", title: "false-positive rate" },
  kind: { symbol: "", title: "mechanism" },
  neighbours: { symbol: "", title: "neighbouring relation" },
};

const entryAt = (question: Question, name: string) =>
  question.given ? parameterAt(question.given, name) : slotAt(question, name)?.entry;

/** The symbol and the title of a field, whatever is asked about. */
export function fieldWords(question: Question, name: string): { symbol: string; title: string } {
  const { key } = placeOf(name);
  const entry = entryAt(question, name);
  const words =
    key === COUNT_FIELD.key ? { symbol: "k", title: "number of runs" } : (entry ?? LEVEL_WORDS[key]);
  return { symbol: words?.symbol ?? "", title: words?.title ?? name };
}

/** The title where nothing around it says which release is meant. */
export function fullTitle(question: Question, name: string): string {
  const { index } = placeOf(name);
  const { title } = fieldWords(question, name);
  return index === 0 ? title : `${title} of release ${index + 1}`;
}

/** A refusal as a sentence beside its field: what, which value, which rule. */
export function refusalSentence(
  { kind, value, rule }: Pick<Refusal, "value" | "rule" | "kind">,
  title: string,
): string {
  const hasNoValue = kind === "unsupported" || kind === "unreachable" || kind === "missing";
  const shown = hasNoValue ? "" : ` “${value.replace(/^"(.*)"$/, "$1")}”`;
  return `${capital(title)}${shown}: ${rule}${rule.endsWith("?") ? "" : "."}`;
}

/** At the beginning of a sentence. A symbol stays as it is: Δ is not δ. */
export const capital = (text: string) => text.replace(/^[a-z]/, (letter) => letter.toUpperCase());

/** Which way a parameter may be rounded without breaking the promise. */
export function safeSide(question: Question, name: string): Side {
  const entry = entryAt(question, name);
  if (entry?.type !== "real") return "nearest";
  return entry.effect === "more-private" ? "up" : "down";
}

/** The short line that an inline widget shows: number, level and relation, never one without the others. */
export function answerLine(
  symbol: "ε" | "δ",
  answer: Answer,
  level: number,
  digits: number,
  group = 1,
): string {
  const other = symbol === "ε" ? "δ" : "ε";
  const sign = answer.upper === Number.POSITIVE_INFINITY || answer.kind !== "bound" ? "=" : "≤";
  const claim = `${symbol} ${sign} ${format(answer.upper, digits, "up")}`;
  return `${claim} at ${other} = ${format(level, 6, "up")}, ${relationWords(answer.neighbours, group)}`;
}

/** A found value to so many digits, or to the last one where a rounded one may break the promise. */
export const calibrated = (
  { value, lasting }: Calibration | RiskCalibration,
  digits: number,
  side: Side,
): string => (lasting === value ? format(value, digits, side) : precise(value));

/** What must be known before a found value is rounded or replaced by a more private one. */
export function lastingNote(
  symbol: string,
  { value, lasting }: Calibration | RiskCalibration,
  digits: number,
  side: Side,
): string {
  if (lasting === value) return "";
  const more = side === "up" ? "larger" : side === "down" ? "smaller" : "more private";
  const warning = `A ${more} ${symbol} may break the promise: use every digit.`;
  if (lasting === null) return `${warning} No value is known from which on every ${more} one keeps it.`;
  return `${warning} From ${symbol} = ${format(lasting, digits, side)} on, every ${more} one keeps it.`;
}

export function calibrationLine(
  symbol: string,
  calibration: Calibration | RiskCalibration,
  side: Side,
  digits: number,
  target: string,
): string {
  return `${symbol} = ${calibrated(calibration, digits, side)} for ${target}, ${relationWords(calibration.neighbours)}`;
}

export const INFINITE_EPSILON =
  "No finite ε is known to have this δ: outcomes that give a person away may be more probable than δ, however large ε is.";

/** e^ε, rounded up. */
export function factorOf(epsilon: number): string {
  const grown = Math.exp(epsilon) * (1 + 4 * Number.EPSILON);
  return Number.isFinite(grown) ? format(grown, 4, "up") : `e^${format(epsilon, 6, "up")}`;
}

/** P(E) ≤ e^ε·Q(E) + δ, read aloud. */
export function likelihoodSentence(epsilon: number, delta: number, group = 1): string {
  if (!Number.isFinite(epsilon)) return INFINITE_EPSILON;
  const slack = delta === 0 ? "" : `, plus at most δ = ${format(delta, 6, "up")}`;
  const other = group === 1 ? "its neighbour" : `another that differs in ${group} rows`;
  return `From one table to ${other} the chance of any outcome grows at most by a factor of ${factorOf(epsilon)}${slack}.`;
}

export const ACCOUNTANTS: Readonly<Record<Comparison["accountant"], string>> = {
  exact: "Exact profile",
  renyi: "Rényi (moments)",
  zcdp: "Concentrated (zCDP)",
  textbook: "Textbook formula",
  published: "Published bound",
  "lower-bound": "Lower bound: no statement can be below",
};

export function verdict(row: Comparison): string {
  if (row.broken) return `promise broken: really ε ≥ ${format(row.actual.lower, 4, "down")}`;
  if (row.accountant === "exact") return "the real cost";
  if (row.accountant === "lower-bound")
    return "not a promise: what one mechanism of the class certainly costs";
  if (row.claimed === Number.POSITIVE_INFINITY) return "kept, but has no finite ε to offer";
  const waste = row.claimed / row.actual.upper - 1;
  if (!Number.isFinite(waste) || waste < 0.0005) return "kept";
  return `kept, claims ${format(100 * waste, 2)} % too much`;
}

/** What is released, in a few words. */
export function kindTitle({ given, releases }: Question): string {
  const [first, ...more] = releases;
  if (given) return KINDS[given.kind].title;
  const around = first.around.map((kind) => ` ${aroundOf(kind).title}`).join("");
  return more.length === 0 ? KINDS[first.kind].title + around : `${releases.length} releases`;
}

/** A line that is made of several names, without what turns the direction of writing: that would turn the words between. */
export const upright = (line: string): string => line.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, "");
