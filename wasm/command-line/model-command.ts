/** The commands before and after a fit: a request to fill in, predictions, the model for other programs. */
import { openSync, read } from "node:fs";
import { promisify } from "node:util";
import type { Engine } from "../contract.ts";
import { toJson } from "../engine/json.ts";
import { Refusal } from "../engine/refusal.ts";
import { choice } from "../engine/shape.ts";
import { EXPORT_NAMES, exportModel } from "../model/export.ts";
import { modelsOf } from "../model/linear-model.ts";
import { predictionLines } from "../model/predict.ts";
import { type SkeletonOptions, skeleton as skeletonOf } from "../release/skeleton.ts";
import type { Source } from "../table/source.ts";
import { attempt, jsonIn } from "./files.ts";
import { type Commands, fileIn, tableIn } from "./fit-command.ts";
import { number } from "./spell.ts";
import { readWords, refuseOthers } from "./words.ts";

const readSome = promisify(read);

/** A file of which no more is read than is asked for; standard input for -. */
function unreadAhead(path: string): Source {
  const file = path === "-" ? 0 : attempt("table", path, () => openSync(path, "r"));
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      const { byobRequest } = controller;
      const view = byobRequest?.view as Uint8Array;
      const { bytesRead } = await readSome(file, view, 0, view.byteLength, null);
      if (bytesRead === 0) controller.close();
      byobRequest?.respond(bytesRead);
    },
  });
}

/** The request goes to standard output; what is left to be done stands beside it. */
async function skeleton(words: readonly string[]): Promise<string> {
  const { options, others } = readWords(words, ["format", "columns"]);
  const [path, ...more] = others;
  refuseOthers("skeleton", more);
  const format =
    options.format && (jsonIn("format", options.format[0] as string) as SkeletonOptions["format"]);
  const columns = options.columns && number("columns", options.columns[0] as string);
  const header = columns === undefined ? format : { ...format, header: false };
  const table = path === undefined || columns !== undefined ? undefined : unreadAhead(path);
  const { request, blanks, unusable } = await skeletonOf(table, { format: header, columns });
  const told = [
    "To be filled in:",
    ...blanks.map((one) => `  ${one}`),
    ...(unusable.length > 0 ? [`Left out, empty, too long or not unique: ${JSON.stringify(unusable)}`] : []),
  ];
  process.stderr.write(`${told.join("\n")}\n`);
  return `${JSON.stringify(request, null, 2)}\n`;
}

async function predict(words: readonly string[]) {
  const [path, table, ...more] = readWords(words, []).others;
  refuseOthers("predict", more);
  const models = modelsOf(fileIn("release", path));
  if (table === undefined)
    throw new Refusal("missing", "table", table, "must be a file such as data.csv, or - for standard input");
  return predictionLines(models, await tableIn(table));
}

async function evaluate(words: readonly string[], open: () => Promise<Engine>) {
  const { options, others } = readWords(words, ["request"]);
  const [path, table, ...more] = others;
  refuseOthers("evaluate", more);
  const release = fileIn("release", path);
  const evaluation = fileIn("request", options.request?.[0]);
  if (table === undefined)
    throw new Refusal("missing", "table", table, "must be a file such as data.csv, or - for standard input");
  return `${toJson(await (await open()).evaluate(release, await tableIn(table), evaluation))}\n`;
}

async function exported(words: readonly string[]) {
  const { options, others } = readWords(words, ["to"]);
  const [path, ...more] = others;
  refuseOthers("export", more);
  const to = choice(...EXPORT_NAMES).check("to", options.to?.[0]);
  return exportModel(fileIn("release", path), to).content;
}

export const MODEL_COMMANDS: Commands = { skeleton, predict, evaluate, export: exported };
