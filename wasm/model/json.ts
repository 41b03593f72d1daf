/** A model in the units of its table as JSON: all that another program needs to predict, and what was promised. */
import { Refusal } from "../engine/refusal.ts";
import { classesOf, isNumeric, type LinearModel, type ModelTerm, type Predictors } from "./linear-model.ts";
import { notesOf } from "./notes.ts";

const LINKS = {
  value: "identity",
  score: "identity",
  mean: "logarithm",
  probability: "logit",
  probabilities: "softmax",
} as const;

/** The coefficient of a number as it stands in the table. */
export const slope = ({ range: [low, high], weight }: Extract<ModelTerm, { range: unknown }>) =>
  weight / ((high - low) / 2);

/** What remains of the predictor where every number is 0 and every level is none of the declared ones. */
export const tableIntercept = ({ intercept, terms }: LinearModel) =>
  terms.reduce((sum, term) => {
    if (!isNumeric(term)) return sum;
    const [low, high] = term.range;
    return sum - term.weight * ((low + high) / (high - low));
  }, intercept);

const missing = (constant: unknown) => (constant === undefined ? "no prediction" : { constant });

const columnOf = (term: ModelTerm) =>
  isNumeric(term)
    ? { name: term.name, range: term.range, coefficient: slope(term), missing: missing(term.constant) }
    : {
        name: term.name,
        coefficients: term.levels.map((level, i) => ({ level, coefficient: term.weights[i] })),
        missing: missing(term.constant),
      };

/** Refuses a model without columns: other programs have no place for one. */
export function mustPredictFromColumns({ terms }: LinearModel): void {
  if (terms.length > 0) return;
  const rule = "has no column to predict from: such a model is exported as json only";
  throw new Refusal("unsupported", "release.request.table.columns", "none used", rule, { shown: true });
}

/** A predictor, beside which its class stands where there are several. */
const predictorOf = (model: LinearModel) => ({
  intercept: tableIntercept(model),
  columns: model.terms.map(columnOf),
});

export function jsonExport(models: Predictors): string {
  const [model] = models;
  const classes = classesOf(model);
  const { label, predicted, promise, request } = model;
  const exported = {
    predicted,
    link: LINKS[predicted],
    label: label.name,
    classes,
    ...(models.length > 1
      ? { predictors: models.map((one, k) => ({ class: classes?.[k], ...predictorOf(one) })) }
      : predictorOf(model)),
    missingMarks: request.table.missingMarks,
    ...promise,
    notes: notesOf(model),
  };
  return `${JSON.stringify(exported, null, 2)}\n`;
}
