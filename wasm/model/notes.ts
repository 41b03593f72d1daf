/** What every export of a model says of itself, in plain ASCII without two hyphens in a row, so that any format takes it. */
import { NEIGHBOURS } from "../engine/catalogue.ts";
import { classesOf, type LinearModel } from "./linear-model.ts";

const PREDICTED = {
  value: "It predicts a number in the units of the label.",
  mean: "It predicts the expected count.",
  probability: "It predicts the probability of the second declared class.",
  probabilities: "It predicts the probability of each declared class, in their order.",
  score: "It predicts a score: above 0 it is the second declared class.",
} as const;

const isLoss = (value: unknown): value is number => Number.isFinite(value) && (value as number) >= 0;

/**
 * Where a release says it in numbers: it may be a file that anybody wrote, and notes stand in programs. What was not bounded
 * is not told.
 */
function promised({ promise }: LinearModel): string[] {
  const { epsilon, delta, exPost } = promise;
  const relation = NEIGHBOURS.find((one) => one === epsilon?.neighbours);
  if (promise.private !== true || !isLoss(epsilon?.upper) || !isLoss(delta) || !relation) return [];
  const price = `Promised whatever came out: epsilon at most ${epsilon.upper} at delta ${delta}, neighbours ${relation}.`;
  if (!isLoss(exPost?.epsilon)) return [price];
  return [`${price} What came out cost ${exPost.epsilon} at most, ex post: a guarantee of another kind.`];
}

export function notesOf(model: LinearModel): readonly string[] {
  const { request, predicted, shortens } = model;
  return [
    ...(request.seed === undefined
      ? []
      : ["A demonstration with noise that anybody can repeat: not private."]),
    ...promised(model),
    PREDICTED[predicted],
    "Values are clamped to their declared ranges; predictions are not.",
    ...(shortens
      ? [
          `Not exported: in the fit, rows longer than ${request.table.rowNorm} were shortened to it. For such rows "epsilometer predict" does the same, and this does not.`,
        ]
      : []),
  ];
}

export const resultName = (model: LinearModel): string =>
  classesOf(model) === undefined ? "prediction" : model.predicted;
