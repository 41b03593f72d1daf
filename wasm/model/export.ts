/** A released model for other programs: the release and the declared scaling, and nothing of any table. */
import { choice } from "../engine/shape.ts";
import { jsonExport } from "./json.ts";
import { modelsOf, type Predictors } from "./linear-model.ts";
import { onnxExport } from "./onnx.ts";
import { pmmlExport } from "./pmml.ts";
import { scikitLearnExport } from "./scikit-learn.ts";

interface ExportFormat {
  /** What such a file is called. */
  readonly file: string;
  readonly type: string;
  /** There is a predictor for each class where there are several; otherwise one. */
  readonly write: (models: Predictors) => string | Uint8Array;
}

export const EXPORTS = {
  json: { file: "model.json", type: "application/json", write: jsonExport },
  "scikit-learn": { file: "model.py", type: "text/x-python", write: scikitLearnExport },
  pmml: { file: "model.pmml", type: "application/xml", write: pmmlExport },
  onnx: { file: "model.onnx", type: "application/octet-stream", write: onnxExport },
} as const satisfies Readonly<Record<string, ExportFormat>>;

export type ExportName = keyof typeof EXPORTS;

export const EXPORT_NAMES = Object.keys(EXPORTS) as readonly ExportName[];

export interface Exported {
  readonly file: string;
  readonly type: string;
  /** Bytes of ONNX; all else is text. */
  readonly content: string | Uint8Array;
}

/** The model of a release in another format; refuses a release that holds none. */
export function exportModel(release: unknown, to: string): Exported {
  const { write, file, type } = EXPORTS[choice(...EXPORT_NAMES).check("to", to)];
  return { file, type, content: write(modelsOf(release)) };
}
