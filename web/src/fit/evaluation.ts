/** How good a released model is: what the page's form asks, and what is made of the answer. */
import type { Evaluation, EvaluationPlan, Release } from "../../../wasm/contract.ts";
import type { EvaluationRequest } from "../../../wasm/model/evaluation-request.ts";
import type {
  ClassMeasures,
  ConfusionMeasures,
  Interval,
  Measure,
  Reliability,
} from "../../../wasm/model/measures.ts";
import { WITHIN } from "../../../wasm/release/intervals.ts";
import { understand } from "../question/expression.ts";
import type { Paid } from "./ledger.ts";

/** As typed. */
export interface EvaluationForm {
  readonly epsilon: string;
  readonly delta: string;
  /** Bins of scores, or the bound of errors; empty for what the engine takes by itself. */
  readonly detail: string;
}

export const isOfClasses = ({ request }: Release) => "levels" in (request.table.label ?? {});

/** What the third field is about. */
const detailOf = (release: Release) => (isOfClasses(release) ? "bins" : "errorBound");

/** Nothing while a field of the budget is empty; refuses what is no number, by its name. */
export function evaluationIn(release: Release, form: EvaluationForm): EvaluationRequest | undefined {
  const { epsilon, delta, detail: typed } = form;
  if (epsilon.trim() === "" || delta.trim() === "") return undefined;
  const { seed } = release.request;
  const detail = detailOf(release);
  return {
    budget: { epsilon: understand(epsilon, "epsilon").value, delta: understand(delta, "delta").value },
    ...(typed.trim() !== "" && { [detail]: understand(typed, detail).value }),
    // Of a demonstration, which protects nobody, there is a demonstration.
    ...(seed !== undefined && { seed }),
  } as EvaluationRequest;
}

/** What an evaluation costs, about the persons of the release. */
export function evaluationPaid(release: Release, plan: EvaluationPlan): Paid {
  const { result, needs, persons, request } = release;
  const { description, epsilon, delta, sigma } = plan;
  return {
    private: plan.private,
    description,
    epsilon,
    delta,
    parameters: { sigma },
    result,
    needs,
    persons,
    request,
  };
}

/** Where classes are told apart until another edge is chosen: in the middle of the scores, or just below. */
export const middleEdge = ({ edges }: ClassMeasures) => (edges.length - 1) >> 1;

/** A noisy count, and how far the noise has moved it, in 95 % of releases. */
export interface NoisyCount {
  readonly count: number;
  readonly margin: number;
}

export interface Confusion {
  readonly truePositives: NoisyCount;
  readonly falsePositives: NoisyCount;
  readonly trueNegatives: NoisyCount;
  readonly falseNegatives: NoisyCount;
}

/** Of each class, the rows that are taken for each. */
export const confusionOf = (
  { counts }: ConfusionMeasures,
  sigma: number,
): readonly (readonly NoisyCount[])[] =>
  counts.map((row) => row.map((count) => ({ count, margin: WITHIN * sigma })));

/** Rows of both classes on both sides of an edge. */
export function confusionAt({ measures, sigma }: Evaluation, edge: number): Confusion | undefined {
  if (measures.measured !== "classes") return undefined;
  const at = measures.thresholds[edge];
  if (!at) return undefined;
  const bins = measures.edges.length - 1;
  const noisy = (count: number, parts: number) => ({ count, margin: WITHIN * sigma * Math.sqrt(parts) });
  return {
    truePositives: noisy(at.truePositives, bins - edge),
    falsePositives: noisy(at.falsePositives, bins - edge),
    trueNegatives: noisy(at.trueNegatives, edge),
    falseNegatives: noisy(at.falseNegatives, edge),
  };
}

/** A place of the ROC curve, with the rows' own intervals on both sides. */
export interface RocPoint {
  readonly edge: number;
  readonly falsePositiveRate: Measure;
  readonly truePositiveRate: Measure;
}

/** Nothing where noise hides how many rows there are of either class. */
export const rocPoints = ({ thresholds }: ClassMeasures): readonly RocPoint[] =>
  thresholds.flatMap(({ falsePositiveRate, truePositiveRate }, edge) =>
    falsePositiveRate && truePositiveRate ? [{ edge, falsePositiveRate, truePositiveRate }] : [],
  );

/** Of the rows that score about so much, the share of which that comes true. */
export interface CalibrationPoint {
  readonly score: number;
  readonly value: number;
  readonly table: Interval;
  readonly population: Interval;
}

export const calibrationPoints = ({ edges, calibration }: Reliability): readonly CalibrationPoint[] =>
  calibration.flatMap((measure, i) => {
    if (!measure?.population) return [];
    const score = ((edges[i] as number) + (edges[i + 1] as number)) / 2;
    return [{ score, value: measure.value, table: measure.table, population: measure.population }];
  });
