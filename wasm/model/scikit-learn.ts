/** A model as a Python file that builds a pipeline of scikit-learn: nothing is pickled, so that it can be read before it is run. */
import { LONGEST_NUMBER, NUMBER, UNREADABLE } from "../table/format.ts";
import { mustPredictFromColumns, slope, tableIntercept } from "./json.ts";
import { classesOf, isNumeric, type LinearModel, type ModelTerm, type Predictors } from "./linear-model.ts";
import { notesOf } from "./notes.ts";

/** A character as Python escapes it: beyond U+FFFF by eight digits, since a pair of surrogates is two characters there. */
function escaped(character: string): string {
  const digits = (character.codePointAt(0) as number).toString(16);
  return digits.length > 4 ? `\\U${digits.padStart(8, "0")}` : `\\u${digits.padStart(4, "0")}`;
}

/** Texts and numbers of JSON are Python's as well, in ASCII whatever the encoding of the file. */
const python = (value: unknown): string =>
  value === undefined ? "None" : JSON.stringify(value).replaceAll(/[^\x20-\x7e]/gu, escaped);

const ESTIMATORS = {
  value: "LinearRegression",
  score: "LinearRegression",
  mean: "PoissonRegressor",
  probability: "LogisticRegression",
  probabilities: "LogisticRegression",
} as const;

const columnLine = (term: ModelTerm) =>
  isNumeric(term)
    ? `    {"name": ${python(term.name)}, "range": ${python(term.range)}, "constant": ${python(term.constant)}},`
    : `    {"name": ${python(term.name)}, "levels": ${python(term.levels)}, "constant": ${python(term.constant)}},`;

const coefficients = ({ terms }: LinearModel) =>
  terms.flatMap((term) => (isNumeric(term) ? [slope(term)] : term.weights));

/** Half of a pair of surrogates is one in Python too, where it stands by itself. */
const pattern = (characters: string) => `[${python(characters).slice(1, -1)}]`;

function estimator(models: Predictors): string {
  const [model] = models;
  if (model.predicted === "probabilities")
    return `COEFFICIENTS = np.array(${python(models.map(coefficients))})
estimator = LogisticRegression()
estimator.n_features_in_ = COEFFICIENTS.shape[1]
estimator.classes_ = np.array(${python(classesOf(model))})
estimator.coef_ = COEFFICIENTS
estimator.intercept_ = np.array(${python(models.map(tableIntercept))})`;
  const [one, many] = [python(tableIntercept(model)), python(coefficients(model))];
  const size = "estimator.n_features_in_ = len(COEFFICIENTS)";
  const known = `COEFFICIENTS = np.array(${many})\nestimator = ${ESTIMATORS[model.predicted]}()`;
  if (model.predicted === "probability") {
    const classes = `estimator.classes_ = np.array(${python(classesOf(model))})`;
    return `${known}\n${size}\n${classes}\nestimator.coef_ = COEFFICIENTS[np.newaxis, :]\nestimator.intercept_ = np.array([${one}])`;
  }
  // It makes its link when it is fitted; what to is of no matter.
  const linked =
    model.predicted === "mean" ? "\nestimator.fit(np.zeros((2, len(COEFFICIENTS))), [1, 1])" : "";
  return `${known}${linked}\n${size}\nestimator.coef_ = COEFFICIENTS\nestimator.intercept_ = ${one}`;
}

const ASKED = {
  value: "predict(features[whole])",
  score: "predict(features[whole])",
  mean: "predict(features[whole])",
  probability: "predict_proba(features[whole])[:, 1]",
  probabilities: "predict_proba(features[whole])",
} as const;

export function scikitLearnExport(models: Predictors): string {
  const [model] = models;
  mustPredictFromColumns(model);
  const { request, predicted } = model;
  const shape = models.length > 1 ? `(len(features), ${models.length})` : "len(features)";
  return `"""A model for scikit-learn, exported by Epsilometer from a released model.

${notesOf(model).join("\n")}

"model" is a pipeline whose rows are a DataFrame with the names of COLUMNS, or lists in their order; levels are
texts, as the file spells them. Like other pipelines it
refuses rows that lack a value; "predict" answers NaN for them.
"""
import re

import numpy as np
from sklearn.linear_model import ${ESTIMATORS[predicted]}
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer

COLUMNS = [
${model.terms.map(columnLine).join("\n")}
]
MISSING_MARKS = ${python(request.table.missingMarks)}
NUMBER = re.compile(r"${NUMBER}")
IS_MARK_A_NUMBER = any(NUMBER.fullmatch(mark) for mark in MISSING_MARKS)
UNREADABLE = re.compile("${pattern(UNREADABLE)}")


def text(cell, is_spelling_read=True):
    if cell is None or cell != cell:
        return ""
    if is_spelling_read and not isinstance(cell, str):
        raise TypeError(f"{cell!r} must be a text: read the table with dtype=str and keep_default_na=False")
    return str(cell).strip(" \\t\\r\\n")


def number(cell, constant):
    cell = text(cell, IS_MARK_A_NUMBER)
    if len(cell) <= ${LONGEST_NUMBER} and cell not in MISSING_MARKS and NUMBER.fullmatch(cell):
        return float(cell)
    return np.nan if constant is None else constant


def indicators(cell, levels, constant):
    cell = text(cell)
    if cell not in levels and (cell == "" or cell in MISSING_MARKS or UNREADABLE.search(cell)):
        if constant is None:
            return [np.nan] * len(levels)
        cell = constant
    return [float(cell == level) for level in levels]


def clamp(rows):
    """Numbers within their ranges and an indicator for each level; NaN where a row lacks a value."""
    named = hasattr(rows, "columns")
    plain = None if named else np.array(rows, dtype=object).reshape(len(rows), len(COLUMNS))
    features = []
    for i, column in enumerate(COLUMNS):
        cells = rows[column["name"]] if named else plain[:, i]
        constant = column["constant"]
        if "range" in column:
            numbers = np.array([number(cell, constant) for cell in cells], dtype=float)
            features.append(np.clip(numbers, *column["range"])[:, np.newaxis])
        else:
            levels = column["levels"]
            one_hot = [indicators(cell, levels, constant) for cell in cells]
            features.append(np.array(one_hot, dtype=float).reshape(len(one_hot), len(levels)))
    return np.hstack(features)


${estimator(models)}

model = Pipeline([("clamp", FunctionTransformer(clamp)), ("model", estimator)])


def predict(rows):
    features = clamp(rows)
    whole = ~np.isnan(features).any(axis=1)
    answers = np.full(${shape}, np.nan)
    if whole.any():
        answers[whole] = estimator.${ASKED[predicted]}
    return answers
`;
}
