/** What a choice among several values of a parameter costs, and which one it was. */
import type { Plan, Release } from "../../../wasm/contract.ts";
import { parameterWords } from "./fit.ts";
import { format, grouped } from "./numbers.ts";

type Candidate = Readonly<Record<string, number | string>>;

const spelled = (candidate: Candidate): string =>
  Object.entries(candidate)
    .map(([key, value]) => {
      const { symbol, title } = parameterWords(key);
      return `${symbol ?? title} = ${typeof value === "number" ? format(value, 6) : value}`;
    })
    .join(", ");

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
  return `Of ${grouped(tune.candidates.length)} candidates ${spelled(winner)} won, with ${format(score, 4)} ${SCORES[tune.score ?? "misclassified"]},
    noise included. How many runs there were is not told.`;
}
