/**
 * What a database answers to our query: sums over the rows, whole numbers in steps of a grid. It is taken only if it
 * was made for the same declared table and if rows within its bounds can have such sums.
 */
import { fingerprintOf } from "../engine/fingerprint.ts";
import { Refusal } from "../engine/refusal.ts";
import { type Checked, list, record, type Shape, text } from "../engine/shape.ts";
import type { TableRequest } from "./declaration.ts";
import { featureMap } from "./features.ts";

/** No table has more rows. */
export const MOST_ROWS = 2n ** 48n;

const WHOLE = /^(0|-?[1-9][0-9]{0,29})$/;

/** A whole number as text, or as a number where a double holds it. */
export const whole: Shape<bigint> = {
  schema: { anyOf: [{ type: "string", pattern: WHOLE.source }, { type: "integer" }] },
  check(field, value) {
    if (typeof value === "string" && WHOLE.test(value)) return BigInt(value);
    if (Number.isSafeInteger(value)) return BigInt(value as number);
    throw new Refusal("type", field, value, "must be a whole number, as text where it is beyond 2^53");
  },
};

/** The position of the leading bit: 2^exponent ≤ value < 2^(exponent + 1). */
function leading(value: number): number {
  const near = Math.floor(Math.log2(value));
  return near + (2 ** (near + 1) <= value ? 1 : 0) - (2 ** near > value ? 1 : 0);
}

/** Features and labels are truncated to multiples of two to these powers, as the core does: bounds of 20 bits. */
export function grids(request: TableRequest): { featureExponent: number; labelExponent: number } {
  const { featureNorm, labelBound } = featureMap(request);
  return { featureExponent: leading(featureNorm) - 20, labelExponent: leading(labelBound) - 20 };
}

/** By which sums and request know each other. */
export const fingerprint = (request: TableRequest) =>
  fingerprintOf(JSON.stringify([request, grids(request)]));

const triangle = (dimension: number) => (dimension * (dimension + 1)) / 2;

const shapeFor = (dimension: number) =>
  record({
    /** The `fingerprint` of the declared table. */
    declared: text(16, 16),
    record_count: whole,
    /** The upper triangle of XᵀX by rows, in squared steps of a feature. */
    gram: list(whole, triangle(dimension), triangle(dimension)),
    /** Xᵀy, in steps of a feature times those of a label. */
    moments: list(whole, dimension, dimension),
    /** yᵀy, in squared steps of a label. */
    label_square: whole,
  });

type Answer = Checked<ReturnType<typeof shapeFor>>;

/** The place of row and column, from 0, in an upper triangle by rows. */
const place = (row: number, column: number, dimension: number) =>
  row * dimension - (row * (row - 1)) / 2 + column - row;

export function must(holds: boolean, field: string, value: bigint, rule: string): void {
  if (!holds) throw new Refusal("range", field, String(value), rule, { shown: true });
}

/** What all rows within the bounds have in common, and so have their sums. Returns how many rows there are. */
function checkPossible(field: string, request: TableRequest, answer: Answer): bigint {
  const { dimension, featureNorm, labelBound } = featureMap(request);
  const { featureExponent, labelExponent } = grids(request);
  const { record_count: count, gram, moments, label_square: square } = answer;
  const steps = (value: number, exponent: number) => BigInt(Math.floor(value * 2 ** -exponent));
  must(count >= 0n && count <= MOST_ROWS, `${field}.record_count`, count, `must be from 0 to ${MOST_ROWS}`);
  const diagonal = Array.from({ length: dimension }, (_, i) => gram[place(i, i, dimension)] as bigint);
  const longest = BigInt(Math.floor((featureNorm * 2 ** -featureExponent) ** 2));
  const trace = diagonal.reduce((sum, one) => sum + one, 0n);
  must(
    trace <= count * longest,
    `${field}.gram`,
    trace,
    "is more on the diagonal than so many rows can have",
  );
  const label = steps(labelBound, labelExponent);
  const most = count * label * label;
  must(square >= 0n && square <= most, `${field}.label_square`, square, `must be from 0 to ${most}`);
  if (!request.label) must(square === 0n, `${field}.label_square`, square, "must be 0: nothing is predicted");
  if (request.label?.use === "classes") {
    must(square === most, `${field}.label_square`, square, `must be ${most}: every class counts 1`);
  }
  if (request.intercept > 0) {
    const each = steps(request.intercept, featureExponent);
    const [last, all] = [diagonal[dimension - 1] as bigint, count * each * each];
    must(last === all, `${field}.gram.${gram.length - 1}`, last, `must be ${all}: the intercept of all rows`);
  }
  const cauchy = "must not exceed what the two sums of squares allow";
  diagonal.forEach((one, i) => {
    must(one >= 0n, `${field}.gram.${place(i, i, dimension)}`, one, "must not be negative");
    const moment = moments[i] as bigint;
    must(moment * moment <= one * square, `${field}.moments.${i}`, moment, cauchy);
    for (let j = i + 1; j < dimension; j++) {
      const at = place(i, j, dimension);
      const product = gram[at] as bigint;
      must(product * product <= one * (diagonal[j] as bigint), `${field}.gram.${at}`, product, cauchy);
    }
  });
  return count;
}

/** Whole numbers, each high · 2^48 + low. */
export interface Halves {
  readonly high: Float64Array;
  readonly low: Float64Array;
}

export const halves = (all: readonly bigint[]): Halves => ({
  high: Float64Array.from(all, (sum) => Number(sum >> 48n)),
  low: Float64Array.from(all, (sum) => Number(BigInt.asUintN(48, sum))),
});

/** Sums over the rows of z = (x, y): the lower triangle of Σ z zᵀ by rows. */
export interface Sums extends Halves {
  readonly count: number;
}

function sums(answer: Answer, dimension: number): Sums {
  const { record_count, gram, moments, label_square } = answer;
  const lower = Array.from({ length: dimension }, (_, row) =>
    Array.from({ length: row + 1 }, (_, column) => gram[place(column, row, dimension)] as bigint),
  );
  return { count: Number(record_count), ...halves([...lower.flat(), ...moments, label_square]) };
}

/** A part that is given twice would count its rows twice, for which nobody pays. Parts without rows are all alike. */
function checkNew(field: string, rows: bigint, before: number | undefined): void {
  if (before === undefined || rows === 0n) return;
  const rule = `is the same as statistics.${before}: each part of a table must be given once`;
  throw new Refusal("malformed", field, `${rows} rows`, rule, { shown: true });
}

/**
 * What `value` holds: what a query answered, or a list of such answers for the parts of a table. A refusal names the
 * field, its value and the rule. `rowsOf` refuses what cannot be, and says how many rows the rest are of.
 */
export function answersIn<A extends { readonly declared: string }>(
  { unit }: TableRequest,
  declared: string,
  shape: Shape<A>,
  rowsOf: (field: string, answer: A) => bigint,
  value: unknown,
): readonly A[] {
  const parts = Array.isArray(value)
    ? list<unknown>({ schema: {}, check: (_, one) => one }, 1, 1e6)
    : undefined;
  const answers = parts ? parts.check("statistics", value) : [value];
  if (answers.length > 1 && unit.column !== undefined) {
    const rule = "must be one: how many rows a person has cannot be seen in parts of the table";
    throw new Refusal("unsupported", "statistics", `${answers.length} parts`, rule, { shown: true });
  }
  const seen = new Map<string, number>();
  return answers.map((one, i) => {
    const field = parts ? `statistics.${i}` : "statistics";
    const answer = shape.check(field, one);
    if (answer.declared !== declared) {
      const rule = `was made for another declared table; that of this request is ${declared}`;
      throw new Refusal("range", `${field}.declared`, answer.declared, rule);
    }
    const spelled = Object.values(answer).join();
    checkNew(field, rowsOf(field, answer), seen.get(spelled));
    seen.set(spelled, i);
    return answer;
  });
}

/** The sums of the answers to the query for a linear model. */
export function checkStatistics(request: TableRequest, value: unknown): readonly Sums[] {
  const { dimension } = featureMap(request);
  const rowsOf = (field: string, answer: Answer) => checkPossible(field, request, answer);
  const answers = answersIn(request, fingerprint(request), shapeFor(dimension), rowsOf, value);
  return answers.map((answer) => sums(answer, dimension));
}
