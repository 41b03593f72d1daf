/** What a choice among several values of a parameter costs, and which one it was. */
import type { Plan, Release } from "../../../wasm/contract.ts";
import { choiceWords } from "./choices.ts";
import { parameterWords } from "./fit.ts";
import { format, grouped } from "./numbers.ts";

type Candidate = Readonly<Record<string, number | string>>;

const named = (key: string): string => parameterWords(key).symbol ?? parameterWords(key).title;

const valued = (candidate: Candidate): string =>
  Object.entries(candidate)
    .map(
      ([key, value]) =>
        `${named(key)} = ${typeof value === "number" ? format(value, 6) : choiceWords(key, value)}`,
    )
    .join(", ");

/** What was tried, and which of it won. Several candidates may differ in one parameter, or in several, or in nothing. */
function wonWords(candidates: readonly Candidate[], winner: Candidate): string {
  const keys = [...new Set(candidates.flatMap((one) => Object.keys(one)))];
  const count = grouped(candidates.length);
  const what = valued(winner) || "the one without parameters of its own";
  const [key] = keys;
  if (keys.length !== 1 || key === undefined)
    return `Of the ${count} candidates that were tried, ${what} won`;
  const { symbol, title } = parameterWords(key);
  return `Of the ${count} values of the ${title}${symbol ? ` ${symbol}` : ""} that were tried, ${what} won`;
}

/** Beside a price; nothing where nothing is tuned. */
export function tuningPrice({ request: { tune } }: Pick<Plan, "request">): string | undefined {
  if (!tune) return undefined;
  const { candidates, expectedRuns = 0 } = tune;
  return `This pays for every run: ${grouped(expectedRuns)} on average, each with one of ${grouped(candidates.length)} candidates drawn by chance. Only
    the best by its noisy score is released.`;
}

const SCORES = {
  misclassified: "rows that it misclassifies",
  "squared-error": "as the sum of its squared errors, labels from −1 to 1 or as counts",
} as const;

/** Beside a release; nothing where nothing was tuned. */
export function tuningWinner({ request: { tune }, released }: Release): string | undefined {
  const winner = tune?.candidates[released.candidate?.[0] ?? -1];
  const score = released.score?.[0];
  if (!tune || !winner || score === undefined) return undefined;
  return `${wonWords(tune.candidates, winner)}: its score is ${format(score, 4)} ${SCORES[tune.score ?? "misclassified"]},
    noise included. How many runs there were is not told.`;
}
