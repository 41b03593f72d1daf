/**
 * What a declared table becomes: which feature stands where, by which public maps it was made, and which bounds hold
 * for every row. Knows no row.
 *
 * A numeric column x of the range [l, h] becomes ((x - l) - (h - x)) / (h - l), from -1 to 1; a categorical column one
 * indicator for each level; both are multiplied by 1/√m for m columns, so that no row is longer than 1. The intercept
 * comes last.
 */
import type { CategoricalColumn, Column, Ends, NumericColumn, TableRequest } from "./declaration.ts";

/** A column that is used, and the place of its first feature. */
export type Placed = (NumericColumn | CategoricalColumn) & { readonly at: number };

export interface FeatureMap {
  readonly placed: readonly Placed[];
  /** The number of features, the intercept included. */
  readonly dimension: number;
  /** 1/√m. */
  readonly scale: number;
  /** A row that is computed to be longer than this is shortened to it; then its true norm is at most `rowNorm`. */
  readonly clipAt: number;
  /** No row of features is longer than this: √(rowNorm² + intercept²), rounded up. */
  readonly featureNorm: number;
  /** No label is larger in size; where nothing is predicted, each counts as 0. */
  readonly labelBound: number;
}

const isUsed = (column: Column): column is NumericColumn | CategoricalColumn => column.use !== "ignored";

/** How many features a column becomes. */
const width = (column: NumericColumn | CategoricalColumn) =>
  column.use === "numeric" ? 1 : column.levels.length;

function place(columns: readonly (NumericColumn | CategoricalColumn)[]): Placed[] {
  let next = 0;
  return columns.map((column) => {
    const at = next;
    next += width(column);
    return { ...column, at };
  });
}

export function featureMap({ columns, label, rowNorm, intercept }: TableRequest): FeatureMap {
  const placed = place(columns.filter(isUsed));
  const features = placed.reduce((sum, column) => sum + width(column), 0);
  return {
    placed,
    dimension: features + (intercept > 0 ? 1 : 0),
    scale: 1 / Math.sqrt(Math.max(placed.length, 1)),
    // A row has at most m values that are not zero. Their squares, m - 1 additions, the root, the quotient and the
    // product err by less than m + 4 units of 2^-53 together.
    clipAt: rowNorm * (1 - (placed.length + 8) * 2 ** -52),
    featureNorm: Math.sqrt(rowNorm * rowNorm + intercept * intercept) * (1 + 2 ** -50),
    labelBound: label?.use === "count" ? (label.range[1] as number) : 1,
  };
}

/** Takes the range to [-1, 1]: the ends exactly, and nothing outside. */
export function toUnit(value: number, [low, high]: Ends): number {
  return (value - low - (high - value)) / (high - low);
}

/** What a coefficient in original units belongs to: a column, or one level of it. */
export interface Term {
  readonly column: string;
  readonly level?: string;
  readonly coefficient: number;
}

export interface OriginalModel {
  readonly intercept: number;
  readonly terms: readonly Term[];
}

/** The predictor of one of several classes. */
export interface ClassModel extends OriginalModel {
  readonly class: string;
}

/** The two numbers by which a fitted value becomes one in the units of the label. */
export function labelMap({ label }: TableRequest): { factor: number; offset: number } {
  if (label?.use !== "numeric") return { factor: 1, offset: 0 };
  const [low, high] = label.range as Ends;
  return { factor: (high - low) / 2, offset: low + (high - low) / 2 };
}

/** What the model says of a label, in the units of the table. */
export function toLabelUnits(request: TableRequest, values: ArrayLike<number>): readonly number[] {
  const { factor, offset } = labelMap(request);
  return Array.from(values, (value) => offset + factor * value);
}

/** A weighted sum of the coefficients of features, each by its index. */
export type Combination = readonly (readonly [index: number, weight: number])[];

/** The coefficients in the units of the table as combinations of those of the features. */
export interface TableUnits {
  /** Besides its combination. */
  readonly offset: number;
  readonly intercept: Combination;
  readonly terms: readonly (Omit<Term, "coefficient"> & { readonly combination: Combination })[];
}

export function tableUnits(request: TableRequest): TableUnits {
  const { placed, dimension, scale } = featureMap(request);
  const { factor, offset } = labelMap(request);
  const last = [dimension - 1, factor * request.intercept] as const;
  const shifts = placed.flatMap(({ at, ...column }): (readonly [number, number])[] => {
    if (column.use === "categorical") return [];
    const [low, high] = column.range as Ends;
    return [[at, -factor * scale * ((low + high) / (high - low))]];
  });
  const terms = placed.flatMap(({ at, name, ...column }) => {
    if (column.use === "categorical") {
      return column.levels.map((level, i) => ({
        column: name,
        level,
        combination: [[at + i, factor * scale]] as const,
      }));
    }
    const [low, high] = column.range as Ends;
    return [{ column: name, combination: [[at, (2 * factor * scale) / (high - low)]] as const }];
  });
  return { offset, intercept: [...(request.intercept > 0 ? [last] : []), ...shifts], terms };
}

/**
 * The same linear model in the units of the table: for every row within the declared ranges that was not shortened,
 * intercept + Σ coefficient · (value, or 1 at the level) is what the model of the features says, in units of the label.
 * For classes and counts that is the linear predictor itself.
 */
export function toTableUnits(request: TableRequest, coefficients: ArrayLike<number>): OriginalModel {
  const { offset, intercept, terms } = tableUnits(request);
  const value = (combination: Combination) =>
    combination.reduce((sum, [i, weight]) => sum + weight * (coefficients[i] as number), 0);
  return {
    intercept: offset + value(intercept),
    terms: terms.map(({ combination, ...term }) => ({ ...term, coefficient: value(combination) })),
  };
}

/** Of a label of several classes. */
export const classNames = ({ label }: TableRequest): readonly string[] =>
  label?.use === "multiclass" ? label.levels : [];

/** Of coefficients by features, for each one of every class, those of one class. */
export const ofClass = (coefficients: ArrayLike<number>, k: number, classes: number): readonly number[] =>
  Array.from({ length: coefficients.length / classes }, (_, i) => coefficients[i * classes + k] as number);

/** The predictor of each class in the units of the table. */
export const classModels = (request: TableRequest, coefficients: ArrayLike<number>): readonly ClassModel[] =>
  classNames(request).map((name, k, { length }) => ({
    class: name,
    ...toTableUnits(request, ofClass(coefficients, k, length)),
  }));

/** The probability of each class. */
export function softmax(predictors: readonly number[]): readonly number[] {
  const largest = Math.max(...predictors);
  const weights = predictors.map((one) => Math.exp(one - largest));
  const sum = weights.reduce((all, one) => all + one, 0);
  return weights.map((one) => one / sum);
}

/** The place of the class that a row is taken for: the first of those that are as likely. */
export const likeliest = (probabilities: readonly number[] | Float64Array): number =>
  probabilities.indexOf(Math.max(...probabilities));
