/** Why a release has no intervals. */
import type { Release } from "../../../wasm/contract.ts";
import { algorithmWords } from "./fit.ts";

/** With more coefficients the core keeps no covariances. */
const MOST_COEFFICIENTS = 1000;

const NEITHER =
  "So neither the privacy noise (another run on the same table) nor sampling (another table of the same kind) can be told from the release.";

/** Whoever releases noisy products could tell of each coefficient; the others never do. */
export function noIntervals({
  coefficients,
  released,
  request,
}: Pick<Release, "coefficients" | "released" | "request">): string {
  const algorithm = algorithmWords(request.algorithm.name).title;
  const { gram, cross } = released;
  const tellsNoise = gram !== undefined || request.algorithm.name.startsWith("output-perturbation");
  if (!tellsNoise)
    return `There are no intervals here: ${algorithm} does not tell how far off its model may be. ${NEITHER}`;
  const count = cross?.length ?? coefficients.terms.length + 1;
  if (count > MOST_COEFFICIENTS)
    return `There are no intervals here: they are computed for at most ${MOST_COEFFICIENTS} coefficients. ${NEITHER}`;
  const levels = coefficients.terms.some(({ level }) => level !== undefined)
    ? ", as it does where all levels of a column are declared beside an intercept"
    : "";
  return `There are no intervals here: the noise hides some combination of the coefficients${levels}. ${NEITHER}`;
}
