/** What a release holds, in words. */
import type { Output, OutputKind, OutputType, Release } from "../../../wasm/contract.ts";
import type { TableRequest } from "../../../wasm/table/declaration.ts";
import { featureMap } from "../../../wasm/table/features.ts";
import { countWords } from "./fit.ts";
import { format } from "./numbers.ts";

/** What a release is called whose result is of that kind. */
const RESULTS: Readonly<Record<OutputKind, string>> = {
  "class-coefficients": "model",
  coefficients: "model",
  counts: "counts",
  labels: "winners",
  matrix: "matrix",
  number: "number",
  parameter: "parameter",
  path: "path",
  "row-count": "number of rows",
  "symmetric-matrix": "matrix",
  vector: "vector",
};

export const resultWord = ({ kind }: OutputType) => RESULTS[kind];

/** How much of it: 5 coefficients, 20 counts, a 3 × 3 matrix. */
export function sizeOf({ kind, shape }: OutputType): string {
  if (kind === "coefficients") return countWords(shape[0] ?? 0, "coefficient");
  if (kind === "counts") return countWords(shape[0] ?? 0, "count");
  if (kind === "labels") return countWords(shape[0] ?? 0, "winner");
  if (shape.length === 0) return `a ${RESULTS[kind]}`;
  return `a ${RESULTS[kind]} of ${shape.join(" × ")} numbers`;
}

/** Why there is no result, where what was released on the way did not allow it. */
export const refusedByTest = ({ released }: Pick<Release, "released">): string =>
  `Refused by the test: ${
    released.gap
      ? `the eigenvalue gap, ${format(released.gap[0] as number, 3)} with its noise, is too small for the noise that it would need`
      : "what was released first does not allow the rest"
  }. The budget is spent all the same; the download has what it bought.`;

/**
 * What the places of a released array belong to: the features of the table, where there are as many, in its last direction
 * and, of a symmetric matrix, in its rows too.
 */
export function featureNames(table: TableRequest): readonly string[] {
  const { placed } = featureMap(table);
  const names = placed.flatMap((column) =>
    column.use === "numeric" ? [column.name] : column.levels.map((level) => `${column.name}: ${level}`),
  );
  return table.intercept > 0 ? [...names, "intercept"] : names;
}

/** What each value of a list belongs to. */
export const placeWords = ({ edges, questions }: Output, i: number): string =>
  edges
    ? `${format(edges[i] as number, 4)} to ${format(edges[i + 1] as number, 4)}`
    : (questions?.[i] ?? `${i + 1}`);

/** A value of a list: a class where the list is of labels. */
export const valueWords = ({ kind, levels }: Output, value: number): string =>
  kind === "labels" ? (levels?.[value] ?? "left open: too few votes for any") : format(value, 5);
