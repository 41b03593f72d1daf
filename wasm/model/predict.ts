/** What a released model says of the rows of a table: free, because the release is public. */
import type { FitOptions, Predictions } from "../contract.ts";
import { featureMap } from "../table/features.ts";
import { parseRows } from "../table/parse.ts";
import { lastDeclared, Preprocessor } from "../table/preprocess.ts";
import { refuseOtherFiles } from "../table/sniff.ts";
import { peek, type Source } from "../table/source.ts";
import type { Row } from "../table/tokenise.ts";
import { classesOf, type LinearModel, modelOf, predictorOf } from "./linear-model.ts";

/** The table without what predicting has no use for. */
function withoutLabel({ request: { table } }: LinearModel) {
  return { ...table, label: undefined, unit: { ...table.unit, column: undefined } };
}

/** Says what the model says of one row of cells after the other; NaN where the row lacks a value. */
function rowPredictor(model: LinearModel, names: readonly string[]) {
  const { table, format } = model.request;
  const preprocessor = new Preprocessor(withoutLabel(model), names, format);
  const say = predictorOf(model);
  const features = new Float64Array(featureMap(table).dimension);
  return (row: Row): number => {
    features.fill(0);
    if (preprocessor.row(row, features, 0) === undefined) return Number.NaN;
    return say(features);
  };
}

/**
 * Piece by piece, each row of the file in its order. A line that cannot be read has its columns missing, as in a fit, and
 * stops nothing; a blank line is no row. Refuses a file that lacks a declared column, and nothing else of it.
 */
export async function* predicting(
  model: LinearModel,
  source: Source,
  { signal, onProgress }: FitOptions = {},
): AsyncGenerator<Float64Array> {
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
    const say = predict ?? rowPredictor(model, names);
    predict = say;
    yield Float64Array.from(rows.flatMap((row) => (row === undefined ? [] : [say(row)])));
  }
}

export async function predict(release: unknown, source: Source, options?: FitOptions): Promise<Predictions> {
  const model = modelOf(release);
  const pieces: Float64Array[] = [];
  for await (const piece of predicting(model, source, options)) pieces.push(piece);
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

/** The same as the lines of a CSV file: the prediction, the class beside it where classes are predicted, or `missing`. */
export async function* predictionLines(model: LinearModel, source: Source): AsyncGenerator<string> {
  const classes = classesOf(model)?.map(cell);
  const middle = model.predicted === "probability" ? 0.5 : 0;
  const line = (value: number) => {
    if (Number.isNaN(value)) return classes ? `${MISSING},${MISSING}\n` : `${MISSING}\n`;
    return classes ? `${value},${classes[value > middle ? 1 : 0]}\n` : `${value}\n`;
  };
  let isFirst = true;
  for await (const piece of predicting(model, source)) {
    const header = isFirst ? `${model.predicted}${classes ? ",class" : ""}\n` : "";
    isFirst = false;
    yield header + Array.from(piece, line).join("");
  }
}
