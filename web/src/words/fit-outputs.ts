/** What a release holds, in words. */
import type { Output, OutputKind, OutputType } from "../../../wasm/contract.ts";
import { countWords } from "./fit.ts";
import { format } from "./numbers.ts";

/** What a release is called whose result is of that kind. */
const RESULTS: Readonly<Record<OutputKind, string>> = {
  coefficients: "model",
  counts: "counts",
  matrix: "matrix",
  number: "number",
  parameter: "parameter",
  "row-count": "number of rows",
  "symmetric-matrix": "matrix",
  vector: "vector",
};

export const resultWord = ({ kind }: OutputType) => RESULTS[kind];

/** How much of it: 5 coefficients, 20 counts, a 3 × 3 matrix. */
export function sizeOf({ kind, shape }: OutputType): string {
  if (kind === "coefficients") return countWords(shape[0] ?? 0, "coefficient");
  if (kind === "counts") return countWords(shape[0] ?? 0, "count");
  if (shape.length === 0) return `a ${RESULTS[kind]}`;
  return `a ${RESULTS[kind]} of ${shape.join(" × ")} numbers`;
}

/** What each value of a list belongs to. */
export const placeWords = ({ edges }: Output, i: number): string =>
  edges ? `${format(edges[i] as number, 4)} to ${format(edges[i + 1] as number, 4)}` : `${i + 1}`;
