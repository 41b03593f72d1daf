/** What a released model says of the rows of a table: free, because the release is public. */
import type { FitOptions, Predictions } from "../contract.ts";
import { featureMap, likeliest } from "../table/features.ts";
import { parseRows } from "../table/parse.ts";
import { lastDeclared, Preprocessor } from "../table/preprocess.ts";
import { refuseOtherFiles } from "../table/sniff.ts";
import { peek, type Source } from "../table/source.ts";
import type { Row } from "../table/tokenise.ts";
import { checkWatching } from "../table/watching.ts";
import { classesOf, type LinearModel, modelsOf, type Predictors, sayingOf } from "./linear-model.ts";

/** The table without what predicting has no use for. */
function withoutLabel({ request: { table } }: LinearModel) {
  return { ...table, label: undefined, unit: { ...table.unit, column: undefined } };
}

/** Says what the model says of one row of cells after the other, a probability of each of several classes; NaN where the row lacks a value. */
function rowPredictor(models: Predictors, names: readonly string[]) {
  const [model] = models;
  const { table, format } = model.request;
  const preprocessor = new Preprocessor(withoutLabel(model), names, format);
  const say = sayingOf(models);
  const nothing = models.map(() => Number.NaN);
  const features = new Float64Array(featureMap(table).dimension);
  return (row: Row): readonly number[] => {
    features.fill(0);
    if (preprocessor.row(row, features, 0) === undefined) return nothing;
    return say(features);
  };
}

/**
 * Piece by piece, each row of the file in its order. A line that cannot be read has its columns missing, as in a fit, and
 * stops nothing; a blank line is no row. Refuses a file that lacks a declared column, and nothing else of it.
 */
export async function* predicting(
  models: Predictors,
  source: Source,
  watched?: FitOptions,
): AsyncGenerator<Float64Array> {
  const { signal, onProgress } = checkWatching(watched);
  const [model] = models;
  const { format } = model.request;
  const peeked = await peek(source);
  if (format.header) refuseOtherFiles(peeked.beginning);
  const options = {
    signal,
    columns: lastDeclared(withoutLabel(model)),
    onProgress: (done: number, total: number | undefined) =>
      onProgress?.({ phase: "reading", share: total === undefined ? undefined : done / total }),
  };
  let predict: ReturnType<typeof rowPredictor> | undefined;
  for await (const { names, rows } of parseRows(peeked.source, format, options)) {
    const say = predict ?? rowPredictor(models, names);
    predict = say;
    yield Float64Array.from(rows.flatMap((row) => (row === undefined ? [] : say(row))));
  }
}

export async function predict(release: unknown, source: Source, options?: FitOptions): Promise<Predictions> {
  const models = modelsOf(release);
  const [model] = models;
  const pieces: Float64Array[] = [];
  for await (const piece of predicting(models, source, options)) pieces.push(piece);
  const values = new Float64Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    values.set(piece, at);
    at += piece.length;
  }
  return { predicted: model.predicted, classes: classesOf(model), values };
}

const MISSING = "missing";

/** A cell of CSV. */
const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The line of one row's numbers, and the header above: the class beside them where classes are predicted, or `missing`. */
function lineOf(model: LinearModel): {
  readonly header: string;
  readonly line: (said: Float64Array) => string;
} {
  const classes = classesOf(model)?.map(cell);
  const isSeveral = model.predicted === "probabilities";
  const middle = model.predicted === "probability" ? 0.5 : 0;
  const taken = (said: Float64Array) => (isSeveral ? likeliest(said) : (said[0] as number) > middle ? 1 : 0);
  const numbers = isSeveral
    ? (classesOf(model) ?? []).map((name) => cell(`probability of ${name}`))
    : [model.predicted];
  return {
    header: `${[...numbers, ...(classes ? ["class"] : [])].join(",")}\n`,
    line(said) {
      const told = Number.isNaN(said[0]) ? numbers.map(() => MISSING) : Array.from(said, String);
      const chosen = Number.isNaN(said[0]) ? MISSING : classes?.[taken(said)];
      return `${[...told, ...(classes ? [chosen] : [])].join(",")}\n`;
    },
  };
}

/** The same as the lines of a CSV file. */
export async function* predictionLines(models: Predictors, source: Source): AsyncGenerator<string> {
  const { header, line } = lineOf(models[0]);
  const width = models.length;
  let isFirst = true;
  for await (const piece of predicting(models, source)) {
    const rows = Array.from({ length: piece.length / width }, (_, i) =>
      line(piece.subarray(i * width, (i + 1) * width)),
    );
    yield (isFirst ? header : "") + rows.join("");
    isFirst = false;
  }
}
