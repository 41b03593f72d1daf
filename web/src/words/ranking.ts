/** Which algorithm errs least on made-up tables, and why it is proposed, in words. */
import type { AlgorithmRanking, RankedAlgorithm } from "../../../wasm/contract.ts";
import { algorithmWords } from "./fit.ts";
import { format } from "./numbers.ts";

type At = RankedAlgorithm["corners"][number];

/** Of the two sorts of tables. */
export const CORNER_WORDS = ["as guessed", "badly scaled"] as const;

const percent = (share: number) => `${format(100 * share, 2, "up")} %`;

/** How it does at one corner, beside the least wrong one there. */
export function standing({ error, behind }: At): string {
  if (behind.error === 0) return "errs least";
  if (behind.isTied) return "is tied with the least wrong";
  return `errs ${percent(behind.error / (error - behind.error))} more than the least wrong`;
}

/** What was tried of it, where something had to be. */
export const triedWords = ({ algorithm }: Pick<RankedAlgorithm, "algorithm">): string => {
  const { lambda, whiten } = algorithm as { lambda?: number; whiten?: number };
  if (whiten) return `whitened by ${format(whiten)} of the budget`;
  if (whiten === 0) return "rows as they are";
  return lambda === undefined ? "" : `λ = ${format(lambda, 3)}`;
};

const titleOf = (one: RankedAlgorithm) =>
  [algorithmWords(one.algorithm.name).title, triedWords(one)].filter(Boolean).join(", ");

/** Those that are no worse as far as the simulation can tell. */
const tiedWith = ([first, ...others]: readonly RankedAlgorithm[]) =>
  first?.corners.every(({ behind }) => behind.isTied)
    ? others.filter(({ corners }) => corners.every(({ behind }) => behind.isTied))
    : [];

const isUseless = (proposed: RankedAlgorithm, { corners }: AlgorithmRanking) =>
  proposed.corners.every(({ error, standardError }, i) => {
    const constant = corners[i]?.constant.error ?? Number.POSITIVE_INFINITY;
    return error + 2 * standardError >= constant;
  });

/** What is proposed, and why. */
export function proposal(ranking: AlgorithmRanking): string {
  const [proposed] = ranking.algorithms;
  if (!proposed) return "No algorithm keeps this promise.";
  const [guessed, bad] = proposed.corners.map(standing) as [string, string];
  const why =
    guessed === bad
      ? `it ${bad} on tables as you guess them, and on badly scaled ones`
      : `it ${guessed} on tables as you guess them, and ${bad} on badly scaled ones`;
  const ties = tiedWith(ranking.algorithms).map(titleOf);
  const tied = ties.length > 0 ? ` As good, as far as this can tell: ${ties.join("; ")}.` : "";
  const useless = isUseless(proposed, ranking)
    ? " But always giving the same answer errs no more: with so few rows, so many columns and so small an ε no model helps."
    : "";
  return `Proposed: ${titleOf(proposed)}, because ${why}.${tied}${useless}`;
}

/** An error, and whether it is as good as the best. */
export const errorWords = ({ error, standardError, behind }: At): string =>
  `${format(error, 3)} ± ${format(2 * standardError, 2, "up")}${behind.error === 0 ? ", least" : behind.isTied ? ", tied" : ""}`;
