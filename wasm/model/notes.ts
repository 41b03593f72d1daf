/** What every export of a model says of itself, in plain ASCII without two hyphens in a row, so that any format takes it. */
import { classesOf, type LinearModel } from "./linear-model.ts";

const PREDICTED = {
  value: "It predicts a number in the units of the label.",
  mean: "It predicts the expected count.",
  probability: "It predicts the probability of the second declared class.",
  probabilities: "It predicts the probability of each declared class, in their order.",
  score: "It predicts a score: above 0 it is the second declared class.",
} as const;

export function notesOf(model: LinearModel): readonly string[] {
  const { request, predicted, shortens } = model;
  return [
    ...(request.seed === undefined
      ? []
      : ["A demonstration with noise that anybody can repeat: not private."]),
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
