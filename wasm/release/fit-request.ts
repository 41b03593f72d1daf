/** A request for a private release: all that decides what is computed from a table, and nothing read off it. */

import { Refusal } from "../engine/refusal.ts";
import {
  type Checked,
  checkArgument,
  faultsIn,
  inside,
  type JsonSchema,
  optional,
  record,
  whole,
} from "../engine/shape.ts";
import { checkTable, refuseFeatures, TABLE, type TableRequest, unfitting } from "../table/declaration.ts";
import { classNames, featureMap } from "../table/features.ts";
import { FORMAT, type Format } from "../table/format.ts";
import { votesOf } from "../table/votes.ts";
import {
  ALGORITHM,
  type Algorithm,
  BUDGET,
  LOSSES,
  labelsOf,
  lossOf,
  rowOf,
  TUNED_ALGORITHM,
} from "./algorithms.ts";
import { renamed } from "./asked-names.ts";
import { type Candidate, checkAlgorithm, checkTune, TUNE } from "./tune.ts";

/**
 * How the file is spelled is declared too: a guess would depend on every row, and no guarantee covers that. Plain CSV
 * needs no declaration.
 */
export const PLAIN = {
  encoding: "utf-8",
  delimiter: ",",
  quote: '"',
  newline: "\n",
  decimal: ".",
  header: true,
  multiline: false,
} as const;

export const isPlain = (format: Format) =>
  Object.entries(PLAIN).every(([key, value]) => format[key as keyof Format] === value);

const REQUEST = record({
  table: TABLE,
  algorithm: TUNED_ALGORITHM,
  budget: BUDGET,
  format: optional(FORMAT, PLAIN),
  /** Makes the noise repeatable: a demonstration, of which nothing is private. */
  seed: optional(whole(0, Number.MAX_SAFE_INTEGER), undefined),
  /** When given, the algorithm runs with several of its parameters, and the budget is for all runs together. */
  tune: optional(TUNE, undefined),
});

export type FitRequest = Omit<Checked<typeof REQUEST>, "algorithm"> & {
  readonly table: TableRequest;
  readonly algorithm: Algorithm;
};

export const fitSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "A request for a private release of a table",
  ...REQUEST.schema,
  anyOf: [{ properties: { algorithm: ALGORITHM.schema } }, { required: ["tune"] }],
};

function checkLabel({ table, algorithm }: FitRequest): void {
  const { name } = algorithm;
  if (rowOf(name).unlabelled) {
    if (!table.label) return;
    throw new Refusal(
      "unsupported",
      "table.label",
      table.label.name,
      `${name} predicts nothing: leave it out`,
    );
  }
  if (!table.label)
    throw new Refusal("missing", "table.label", undefined, `${name} needs a label to predict`);
  const { uses, of } = labelsOf(algorithm);
  if (uses.includes(table.label.use)) return;
  const rule = `${of} is for labels whose use is ${uses.join(" or ")}`;
  throw new Refusal("unsupported", "table.label.use", table.label.use, rule);
}

/** What is no request at all is called so. */
const WHOLE = "request";

/** A request that makes sense, or a refusal that names the field, its value and the rule. */
export function checkRequest(value: unknown): FitRequest {
  const request = checkArgument(WHOLE, REQUEST, value);
  const intercept = rowOf(request.algorithm.name).withoutIntercept ? 0 : 1;
  const algorithm = checkAlgorithm(
    request.algorithm,
    request.tune?.candidates ?? [],
    request.budget.epsilon === undefined,
  );
  const checked = { ...request, algorithm, table: checkTable(request.table, "table", false, intercept) };
  checkLabel(checked);
  if (votesOf(checked.table)) refuseFeatures(checked.table, algorithm.name);
  if (!checked.tune) return checked;
  const { tune, table, budget } = checked;
  if (!table.label || rowOf(algorithm.name).untuned) {
    const rule =
      "is not for this algorithm: it has no model of a budget, whose errors could tell which is best";
    throw new Refusal("unsupported", "tune", algorithm.name, rule);
  }
  if (budget.epsilon === undefined)
    throw new Refusal(
      "missing",
      "budget.epsilon",
      undefined,
      "must be given: tuning finds the noise of its runs",
    );
  return { ...checked, tune: checkTune(tune, table.label.use) };
}

/** A request that is a part of something else: what is refused is called by where it stands there. */
export const requestAt = (place: string, value: unknown): FitRequest =>
  renamed(
    () => checkRequest(value),
    (field) => (field === WHOLE ? place : inside(place, field)),
  );

/** The part of the budget that whitening is worth; best of three on several tables (docs/private-models.md). */
export const WHITENED = 0.15;

/** Of more columns no eigenvectors are sought: core/numerics/eigensystem.h. */
const MOST_WHITENED = 512;

/** What whitening cannot be combined with. */
const OF_ROWS_AS_THEY_ARE = ["sigma", "lambda", "noiseRatio"];

/**
 * What is run, and stands in plan and release: where an algorithm can fit whitened rows, finds its noise itself and is told
 * nothing of whitening, a part of the budget is taken for it. Nothing that has run is read by this: a release that says
 * nothing of whitening had none.
 */
export function requestToRun(request: FitRequest): FitRequest {
  const { budget, tune } = request;
  const algorithm: Readonly<Record<string, unknown>> = request.algorithm;
  const isOpen = "whiten" in rowOf(request.algorithm.name).asks && algorithm.whiten === undefined;
  if (!isOpen || tune || budget.epsilon === undefined || algorithm.accounting === "paper") return request;
  const isNamed = OF_ROWS_AS_THEY_ARE.some((key) => algorithm[key] !== undefined);
  if (isNamed || featureMap(request.table).dimension > MOST_WHITENED) return request;
  return { ...request, algorithm: { ...request.algorithm, whiten: WHITENED } as FitRequest["algorithm"] };
}

/**
 * All that is wrong with a request that may still lack parts, each as `checkRequest` would refuse it were it the only
 * fault. What only shows when the request is whole, such as a label that the loss is not for, is not among it.
 */
export function requestFaults(value: {
  readonly table: { readonly columns: readonly unknown[]; readonly label: unknown };
}): readonly Refusal[] {
  const all = [...faultsIn(REQUEST, "", value), ...unfitting(value.table.columns, value.table.label)];
  return all.filter(({ kind }) => kind !== "missing");
}

/** As core/release/release.h has it. */
interface AskedTuning {
  readonly candidates: readonly Candidate[];
  readonly expectedRuns: number;
  readonly score: string;
  readonly scoreShare: number;
}

/** Nothing but of several. */
const classesIn = (table: TableRequest) => classNames(table).length || undefined;

type Asked = Readonly<Record<string, number | string | AskedTuning>>;

/** What the core is asked: the algorithm's own numbers, and the bounds that the declared table keeps. */
export function asked({ table, algorithm, tune, budget }: FitRequest): Asked {
  const { epsilon, delta } = budget;
  const target = {
    ...(epsilon !== undefined && { epsilon, delta }),
    ...((epsilon !== undefined || rowOf(algorithm.name).accuracyFirst) && { unitRows: table.unit.rows }),
  };
  const votes = votesOf(table);
  if (votes) {
    const { form, questions, classes, columns } = votes;
    const sizes = { dimension: columns.length, questions: questions.length, classes: classes.length };
    return given({ ...algorithm, votes: form, ...sizes, ...target });
  }
  const { dimension, featureNorm, labelBound: bound } = featureMap(table);
  const labelBound = table.label && bound;
  const featureBound = rowOf(algorithm.name).interceptBeside ? table.rowNorm : featureNorm;
  return given({
    ...algorithm,
    featureBound,
    intercept: table.intercept,
    labelBound,
    classes: classesIn(table),
    dimension,
    ...target,
    tune,
  });
}

/** What the core is asked for the same model without noise: nothing of the algorithm but its loss. */
export function askedWithoutPrivacy(request: FitRequest): Asked {
  const { table, algorithm } = request;
  const { dimension, labelBound } = featureMap(table);
  const { rowNorm: featureBound, intercept } = table;
  const loss = lossOf(algorithm);
  if (!loss) {
    const rule = "minimises no loss: there is no such model without privacy";
    throw new Refusal("unsupported", "algorithm.name", algorithm.name, rule);
  }
  const needed = LOSSES[loss].needs.map((key) => [key, Reflect.get(algorithm, key)] as const);
  const bounds = { dimension, featureBound, intercept, labelBound, classes: classesIn(table) };
  return given({ loss, ...bounds, ...Object.fromEntries(needed) });
}

const given = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Asked;
