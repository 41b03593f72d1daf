/**
 * The model that a release holds, with the public maps that were declared for its table: all that predicting takes, and
 * all that is exported. No table is needed.
 */
import type { Release } from "../contract.ts";
import { Refusal } from "../engine/refusal.ts";
import { list, real } from "../engine/shape.ts";
import { lossOf } from "../release/algorithms.ts";
import type { FitRequest } from "../release/fit-request.ts";
import { requestOf } from "../release/release-in.ts";
import type { Column, Ends, Label, TableRequest } from "../table/declaration.ts";
import { classNames, featureMap, labelMap, ofClass, softmax, toLabelUnits } from "../table/features.ts";

/** No coefficient of a model is larger. */
const LARGEST = 1e100;

/**
 * What a prediction is: a number in the units of the label; the expected count; the probability of the second class; or,
 * of classes that were fitted as numbers, a score from about -1 for the first class to 1 for the second; or a probability
 * of each of several classes.
 */
export type Predicted = "value" | "mean" | "probability" | "score" | "probabilities";

/** It predicts weight · z, z the clamped value taken to -1 to 1. */
export interface NumericTerm {
  readonly name: string;
  readonly range: Ends;
  readonly weight: number;
  /** What stands for a missing value; without it, a row that lacks one has no prediction. */
  readonly constant: number | undefined;
}

/** It predicts the weight of the level; 0 of any other value. */
export interface CategoricalTerm {
  readonly name: string;
  readonly levels: readonly string[];
  readonly weights: readonly number[];
  readonly constant: string | undefined;
}

export type ModelTerm = NumericTerm | CategoricalTerm;

export const isNumeric = (term: ModelTerm): term is NumericTerm => "range" in term;

/** The predictor is intercept + Σ terms, before the link. */
export interface LinearModel {
  readonly request: FitRequest;
  readonly label: Label;
  readonly predicted: Predicted;
  readonly intercept: number;
  readonly terms: readonly ModelTerm[];
  /** Of features as the core has them, the intercept's last. */
  readonly coefficients: readonly number[];
  /** As the release told it, where it did. */
  readonly promise: Partial<Pick<Release, "private" | "epsilon" | "delta" | "guarantee" | "exPost">>;
  /** Whether rows may have been shortened in the fit; that is no part of any export. */
  readonly shortens: boolean;
}

/** A predictor for each class where there are several; otherwise one. All but coefficients and terms are the same. */
export type Predictors = readonly [LinearModel, ...LinearModel[]];

/** A list of coefficients for each class where there are several; otherwise one list. */
function coefficientsOf(release: Partial<Release>, request: TableRequest): readonly (readonly number[])[] {
  const { dimension } = featureMap(request);
  const classes = classNames(request).length;
  const kind = classes > 0 ? "class-coefficients" : "coefficients";
  const size = dimension * Math.max(1, classes);
  const outputs = Array.isArray(release.outputs) ? (release.outputs as Release["outputs"]) : [];
  const found = outputs.find((output) => output?.kind === kind);
  if (!found)
    throw new Refusal(
      "missing",
      "release.outputs",
      undefined,
      "must hold coefficients: only a model predicts",
    );
  const values = list(real(-LARGEST, LARGEST), size, size).check("release.outputs.values", found.values);
  return classes > 0 ? classNames(request).map((_, k) => ofClass(values, k, classes)) : [values];
}

function predictedBy(request: FitRequest, label: Label): Predicted {
  const loss = lossOf(request.algorithm);
  if (loss === "logistic") return "probability";
  if (loss === "poisson") return "mean";
  if (loss === "softmax") return "probabilities";
  return label.use === "classes" ? "score" : "value";
}

function termsOf(table: TableRequest, coefficients: readonly number[]): readonly ModelTerm[] {
  const { placed, scale } = featureMap(table);
  const { factor } = labelMap(table);
  const weight = (i: number) => factor * scale * (coefficients[i] as number);
  return placed.map(({ at, ...column }): ModelTerm => {
    const { name, missing } = column;
    if (column.use === "numeric") {
      const constant = missing === "drop" ? undefined : (missing.constant as number);
      return { name, range: column.range as Ends, weight: weight(at), constant };
    }
    const constant = missing === "drop" ? undefined : (missing.constant as string);
    return { name, levels: column.levels, weights: column.levels.map((_, i) => weight(at + i)), constant };
  });
}

/** Whether a row with all columns at their ends would be longer than the declared norm. */
const mayShorten = ({ rowNorm, columns }: TableRequest) =>
  rowNorm < 1 && columns.some(({ use }: Column) => use !== "ignored");

/** The model of a release, as `fit` answers it; or a refusal of what holds none. */
export function modelsOf(value: unknown): Predictors {
  const request = requestOf(value);
  const release = value as Partial<Release>;
  const { table } = request;
  const map = featureMap(table);
  const all = coefficientsOf(release, table);
  const { label } = table;
  if (!label)
    throw new Refusal("missing", "release.request.table.label", undefined, "must be there: it is predicted");
  const { factor, offset } = labelMap(table);
  const last = (coefficients: readonly number[]) =>
    table.intercept > 0 ? factor * table.intercept * (coefficients[map.dimension - 1] as number) : 0;
  const { private: isPrivate, epsilon, delta, guarantee, exPost } = release;
  const promise = { private: isPrivate, epsilon, delta, guarantee, exPost };
  const models = all.map(
    (coefficients): LinearModel => ({
      request,
      label,
      predicted: predictedBy(request, label),
      intercept: offset + last(coefficients),
      terms: termsOf(table, coefficients),
      coefficients,
      promise,
      shortens: mayShorten(table),
    }),
  );
  // No label has no class.
  return models as readonly LinearModel[] as Predictors;
}

/** The weights of all features, in the order of the terms. */
export const weightsOf = ({ terms }: LinearModel): readonly number[] =>
  terms.flatMap((term) => (isNumeric(term) ? [term.weight] : term.weights));

/** The classes, where classes are predicted. */
export const classesOf = ({ label }: LinearModel): readonly string[] | undefined =>
  label.use === "classes" || label.use === "multiclass" ? label.levels : undefined;

const LINKS: Readonly<Record<Predicted, (predictor: number) => number>> = {
  value: (predictor) => predictor,
  score: (predictor) => predictor,
  mean: Math.exp,
  probability: (predictor) => 1 / (1 + Math.exp(-predictor)),
  // Before softmax, which takes those of all classes.
  probabilities: (predictor) => predictor,
};

export const linkOf = ({ predicted }: LinearModel) => LINKS[predicted];

/** What the model says of the features of one row, as the core has them. */
export function predictorOf(model: LinearModel): (features: Float64Array) => number {
  const { request, coefficients } = model;
  const link = linkOf(model);
  return (features) => {
    const sum = features.reduce((sum, feature, i) => sum + feature * (coefficients[i] as number), 0);
    return link(toLabelUnits(request.table, [sum])[0] as number);
  };
}

/** What the model says of the features of one row: a number, or the probability of each class. */
export function sayingOf(models: Predictors): (features: Float64Array) => readonly number[] {
  const predictors = models.map(predictorOf);
  return (features) => {
    const said = predictors.map((predictor) => predictor(features));
    return said.length === 1 ? said : softmax(said);
  };
}
