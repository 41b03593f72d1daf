/** All texts of one answer, each number rounded to its safe side; elements and the static view only arrange them. */
import type { AnswerKind, Calibration, RiskCalibration, Target } from "../../../wasm/contract.ts";
import type { Outcome } from "../question/outcome.ts";
import { nameOf, placeOf } from "../question/question.ts";
import { format, precise, type Side } from "./numbers.ts";
import {
  answerLine,
  calibrated,
  calibrationLine,
  fieldWords,
  INFINITE_EPSILON,
  lastingNote,
  relationWords,
  safeSide,
} from "./sentences.ts";

export interface Card {
  readonly symbol: string;
  readonly sign: string;
  readonly shown: string;
  /** The safe end with all its digits. */
  readonly copied: string;
  readonly level: string;
  readonly between: string;
  /** With all digits; a bound has only its upper end. */
  readonly ends: readonly string[];
  readonly kind: AnswerKind;
  readonly source: string;
  /** Words for an answer that is not a plain number. */
  readonly note: string;
  /** What the number is true of, and what it is not. */
  readonly told: readonly string[];
}

const end = (value: number) => precise(value).replace("Infinity", "∞");

export function describe(outcome: Outcome, digits: number): Card {
  const { found, question } = outcome;
  if (found.ask === "parameter")
    return describeParameter(outcome, found.calibration, level(found.target), digits);
  if (found.ask === "limit")
    return describeParameter(outcome, found.calibration, limitWords(outcome), digits);
  const { answer } = found;
  const [symbol, other] =
    found.ask === "epsilon"
      ? ["ε", `δ = ${format(outcome.delta, 6, "up")}`]
      : ["δ", `ε = ${format(outcome.epsilon, 6, "up")}`];
  return {
    symbol,
    sign: answer.kind === "bound" ? "≤" : "=",
    shown: format(answer.upper, digits, "up"),
    copied: precise(answer.upper),
    level: `at ${other}, ${relationWords(question.neighbours, outcome.group)}`,
    between: answer.kind === "bound" ? "guaranteed to be at most" : "the truth lies between",
    ends: (answer.kind === "bound" ? [answer.upper] : [answer.lower, answer.upper]).map(end),
    kind: answer.kind,
    source: answer.source,
    note: answer.upper === Number.POSITIVE_INFINITY ? INFINITE_EPSILON : "",
    told: answer.notes ?? [],
  };
}

const level = ({ epsilon, delta }: Target) =>
  `ε ≤ ${format(epsilon, 6, "up")} at δ = ${format(delta, 6, "up")}`;

/** The texts of a limit, in per cent as they were typed. */
function limitWords({ reading }: Outcome): string {
  const typed = (name: string, side: Side) => format(reading.values.get(name)?.value ?? Number.NaN, 6, side);
  return `a suspicion of ${typed("prior", "down")} % at ${typed("limit", "up")} % or less, except with probability ${typed("exceptions", "up")}`;
}

function describeParameter(
  outcome: Outcome,
  calibration: Calibration | RiskCalibration,
  target: string,
  digits: number,
): Card {
  const { question } = outcome;
  const { value, insufficient, kind, source, notes = [] } = calibration;
  const { symbol } = fieldWords(question, question.ask);
  const side = safeSide(question, question.ask);
  const warning = lastingNote(symbol, calibration, digits, side);
  return {
    symbol,
    sign: "=",
    shown: calibrated(calibration, digits, side),
    copied: precise(value),
    level: `keeps ${target}, ${relationWords(question.neighbours)}`,
    between: warning
      ? "keeps the promise, next to a value that does not"
      : "the last value that keeps the promise",
    ends: [
      `${precise(value)} keeps it`,
      insufficient === null ? "no value in range breaks it" : `${precise(insufficient)} does not`,
    ],
    kind,
    source,
    note: warning && `${warning} ${source}`,
    told: [...multiplierOf(outcome, value, digits), ...notes],
  };
}

/** What libraries for training call the noise of a step: σ in units of the sensitivity. */
function multiplierOf({ question, reading }: Outcome, sigma: number, digits: number): string[] {
  const { index, key } = placeOf(question.ask);
  const line = question.releases[index];
  const sensitivity = reading.values.get(nameOf(index, "sensitivity"))?.value;
  const isTraining = key === "sigma" && line?.kind === "gaussian" && line.around.includes("subsampled");
  if (!isTraining || sensitivity === undefined) return [];
  return [`As a noise multiplier, σ/Δ: ${format(sigma / sensitivity, digits, "up")}.`];
}

/** The same in one line, for the middle of a sentence. */
export function line(outcome: Outcome, digits: number): string {
  const { found, question } = outcome;
  const { group } = outcome;
  if (found.ask === "epsilon") return answerLine("ε", found.answer, outcome.delta, digits, group);
  if (found.ask === "delta") return answerLine("δ", found.answer, outcome.epsilon, digits, group);
  const { symbol } = fieldWords(question, question.ask);
  const side = safeSide(question, question.ask);
  const target = found.ask === "limit" ? limitWords(outcome) : level(found.target);
  return calibrationLine(symbol, found.calibration, side, digits, target);
}
