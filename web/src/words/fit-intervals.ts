/** Why a release has no intervals. */
import type { Release } from "../../../wasm/contract.ts";
import { algorithmWords } from "./fit.ts";

const NEITHER =
  "So neither the privacy noise (another run on the same table) nor sampling (another table of the same kind) can be told from the release.";

export function noIntervals({
  coefficients,
  intervals,
  request,
}: Pick<Release, "coefficients" | "intervals" | "request">): string {
  const algorithm = algorithmWords(request.algorithm.name).title;
  if (intervals?.unknown === "not-told")
    return `There are no intervals here: “${algorithm}” does not tell how far off its model may be. ${NEITHER}`;
  if (intervals?.unknown === "too-many")
    return `There are no intervals here: for so many coefficients they are not computed. ${NEITHER}`;
  const levels = coefficients?.terms.some(({ level }) => level !== undefined)
    ? ", as it does where all levels of a column are declared beside an intercept"
    : "";
  return `There are no intervals here: the noise hides some combination of the coefficients${levels}. ${NEITHER}`;
}
