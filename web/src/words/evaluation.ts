/** How good a released model is, in words. */
import type { EvaluationPlan, Release } from "../../../wasm/contract.ts";
import type { Interval, Measure } from "../../../wasm/model/measures.ts";
import { type Confusion, isOfClasses, type NoisyCount } from "../fit/evaluation.ts";
import { protectedWords } from "./fit.ts";
import { format, grouped } from "./numbers.ts";
import { refusalSentence } from "./sentences.ts";

/** In the ledger. */
export const EVALUATED = "how good the model is";

const TITLES: Readonly<Record<string, string>> = {
  epsilon: "privacy loss ε",
  delta: "failure level δ",
  bins: "number of bins",
  errorBound: "bound of errors",
};

export const evaluationTitle = (field: string) => {
  const name = field.split(".").at(-1) as string;
  return Object.hasOwn(TITLES, name) ? (TITLES[name] as string) : field;
};

export const evaluationRefusal = (refusal: Parameters<typeof refusalSentence>[0] & { field: string }) =>
  refusalSentence(refusal, evaluationTitle(refusal.field));

/** What it would cost, before it is spent. */
export function evaluationPrice(release: Release, plan: EvaluationPlan): string {
  const { epsilon, delta, together, sigma } = plan;
  if (!plan.private)
    return "A demonstration: everybody can take this noise off again, and nothing is counted.";
  const shown = (value: number) => format(value, 6, "up");
  const noise = `${format(sigma, 3)}${isOfClasses(release) ? " rows" : ""}`;
  return (
    `It costs ε ≤ ${shown(epsilon.upper)} at δ = ${shown(delta)}, ${protectedWords(release)}: ` +
    `every number gets noise with σ = ${noise}. Together with the model, should the same persons be in both tables: ε ≤ ${shown(together.epsilon.upper)}.`
  );
}

const within = (interval: Interval | undefined) =>
  interval ? `${format(interval.lower, 3, "down")} to ${format(interval.upper, 3, "up")}` : "–";

export interface MeasureRow {
  readonly name: string;
  readonly value: string;
  readonly table: string;
  readonly population: string;
}

/** A row of the table of measures; a dash where the noise says too little, or nothing is known. */
export function measureRow(name: string, measure: Measure | null): MeasureRow {
  if (!measure) return { name, value: "–", table: "–", population: "–" };
  const { value, table, population } = measure;
  return { name, value: format(value, 3), table: within(table), population: within(population) };
}

export const noisyCount = ({ count, margin }: NoisyCount) =>
  `${grouped(Math.round(count)).replace("-", "−")} ± ${grouped(Math.ceil(margin))}`;

/** Of the noisy counts, as a sentence for whoever does not see the table. */
export const confusionWords = (confusion: Confusion, [first, second]: readonly string[]) =>
  `Rows of “${second}”: ${noisyCount(confusion.truePositives)} told right, ${noisyCount(confusion.falseNegatives)} wrong. ` +
  `Rows of “${first}”: ${noisyCount(confusion.trueNegatives)} told right, ${noisyCount(confusion.falsePositives)} wrong.`;

export const ABOUT_INTERVALS =
  "Each interval covers its number with probability 95 %, by itself. “These rows”: what the very rows have, without noise. “Such rows”: what rows of the " +
  "same kind have, for which these are a sample; the noise is in it. A dash: the noise says too little, or nothing is known.";

export const ON_FITTED_ROWS =
  "These are the rows that the model was fitted to, on which it looks better than on others: this says how it fits, not how it will do.";
