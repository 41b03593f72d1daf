/** What a release cost single persons, in plain sentences. */
import type { PeopleLosses } from "../../../wasm/contract.ts";
import { format, grouped } from "./numbers.ts";

const DISTANCES = { "much more": "much further from", more: "further from", less: "closer to" } as const;

/** So much more than the median is much. */
const MUCH = 2;

const share = (part: number, whole: number) =>
  // The quotient first: 100 times an ε over itself may be more than 100, and would be rounded up to 110.
  whole > 0 && whole < Number.POSITIVE_INFINITY ? `${format(100 * (part / whole), 2, "up")} %` : "—";

/** `isShared`: more was published beside the model, from the same budget, and costs besides. */
export const personsSentence = (isShared: boolean): string =>
  isShared
    ? "ε is what was promised to everybody, in whatever table, of the model and of what is published beside it. Below is told of the model alone: what it cost the people of this very table is never more than was promised of it, and often far less."
    : "ε is what was promised to everybody, in whatever table. What this release cost the people of this very table is never more, and often far less.";

/** What the promise was worth to most. */
export function summarySentence(
  { losses, promised, median, ninetieth, largest }: PeopleLosses,
  isShared = false,
): string {
  const count = `${grouped(losses.length)} ${losses.length === 1 ? "row" : "rows"}`;
  return (
    `Of ${count}, half lost at most ε = ${format(median, 3, "up")} (${share(median, promised)} of what was promised), ` +
    `nine of ten at most ${format(ninetieth, 3, "up")}, and nobody more than ${format(largest, 3, "up")}; ` +
    `promised was ${format(promised, 3, "up")}${isShared ? " of the model alone" : ""} to everybody, in whatever table.`
  );
}

/** The value that half of the rows do not exceed in size. */
function middle(values: Float64Array): number {
  const sizes = values.map(Math.abs).sort();
  return sizes[Math.floor(sizes.length / 2)] ?? 0;
}

/** How a row's number compares with those of the others. */
function compared(values: Float64Array, row: number): "much more" | "more" | "less" | undefined {
  if (values.length === 0) return undefined;
  const [own, usual] = [Math.abs(values[row] ?? 0), middle(values)];
  if (own > MUCH * usual) return "much more";
  return own > usual ? "more" : "less";
}

/** Why a row lost what it lost. */
export function rowSentence(people: PeopleLosses, row: number): string {
  const loss = people.losses[row] ?? 0;
  const unusual = compared(people.leverages, row);
  const missed = compared(people.residuals, row);
  const long = unusual ? undefined : compared(people.lengths, row);
  const reasons = [
    unusual && `its features are ${unusual} unusual than those of most`,
    missed && `the model misses its label by ${missed} than most`,
    long && `its values are ${DISTANCES[long]} the middle of their ranges than those of most`,
  ].filter(Boolean);
  const why = reasons.length > 0 ? `: ${reasons.join(", and ")}` : "";
  return `Row ${grouped(row + 1)} lost at most ε = ${format(loss, 3, "up")}, ${share(loss, people.promised)} of what was promised${why}.`;
}
