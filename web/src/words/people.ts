/** What a release cost single persons, in plain sentences. */
import type { PeopleLosses, PeopleRealised, PersonalCauses, VoteLoss } from "../../../wasm/contract.ts";
import type { KnownHere } from "../fit/own-ledger.ts";
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

/** Of all who voted, by the votes themselves, and what of it may be published. */
export function votersSentence({ epsilon, plainEpsilon, testedEpsilon, delta }: VoteLoss): string {
  const promised = format(plainEpsilon, 3, "up");
  if (epsilon >= plainEpsilon)
    return `Of these very votes no less can be said than what every table is promised: ε = ${promised}.`;
  const tested = format(testedEpsilon, 3, "up");
  const advice =
    testedEpsilon < plainEpsilon
      ? `To publish that by a private test would cost about ε = ${tested} altogether.`
      : `To publish that would take a private test, and cost about ε = ${tested} altogether: publish what is promised instead.`;
  return (
    `What the winners of these very votes told of any one voter is at most ε = ${format(epsilon, 3, "up")} at δ = ${format(delta, 6, "up")} ` +
    `(${share(epsilon, plainEpsilon)} of the ε = ${promised} that every table is promised). ${advice}`
  );
}

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

/** What came out told of most. */
export const realisedSentence = ({ median, ninetieth, largest, failure }: PeopleRealised): string =>
  `What came out told of half of the rows at most ${format(median, 3, "up")}, of nine of ten at most ${format(ninetieth, 3, "up")}, ` +
  `and of nobody more than ${format(largest, 3, "up")}. ` +
  (failure > 0
    ? `It is a bound of another kind than ε, and may be larger; of each row by itself it is wrong with probability ${format(failure, 3, "up")}.`
    : "It is a number of another kind than ε, and may be larger: what this very noise told.");

const sizeOf = ({ lower, upper }: PeopleRealised, row: number) =>
  Math.max(Math.abs(lower[row] ?? 0), Math.abs(upper[row] ?? 0));

/** What came out told of each row, in size. */
export const toldOf = (realised: PeopleRealised): Float64Array =>
  realised.lower.map((_, row) => sizeOf(realised, row));

/** The value that half of the rows do not exceed in size. */
function middle(values: Float64Array): number {
  const sizes = values.map(Math.abs).sort();
  return sizes[Math.floor(sizes.length / 2)] ?? 0;
}

/** How somebody's number compares with those of the rows. */
function compared(values: Float64Array, own = 0): "much more" | "more" | "less" | undefined {
  if (values.length === 0) return undefined;
  const [size, usual] = [Math.abs(own), middle(values)];
  if (size > MUCH * usual) return "much more";
  return size > usual ? "more" : "less";
}

type Causes = Pick<PersonalCauses, "leverage" | "residual" | "length">;
type Compared = ReturnType<typeof compared>;

const reasons = (unusual: Compared, missed: Compared, long?: Compared): string =>
  [
    unusual && `its features are ${unusual} unusual than those of most`,
    missed && `the model misses its label by ${missed} than most`,
    long && `its values are ${DISTANCES[long]} the middle of their ranges than those of most`,
  ]
    .filter(Boolean)
    .join(", and ");

function reasonsOf(people: PeopleLosses, own: Partial<Causes>): string {
  const unusual = compared(people.leverages, own.leverage);
  const missed = compared(people.residuals, own.residual);
  return reasons(unusual, missed, unusual ? undefined : compared(people.lengths, own.length));
}

/** What the released model makes of a row, where what it cost does not depend on that. */
function releasedWords({ leverages, residuals, causes }: PeopleLosses, row: number): string {
  const seen = reasons(
    leverages.length > 0 ? undefined : compared(causes.leverages, causes.leverages[row]),
    residuals.length > 0 ? undefined : compared(causes.misfits, causes.misfits[row]),
  );
  return seen && ` As the released model has it, ${seen}.`;
}

/** Why somebody's rows cost what they cost. */
export function causesWords(people: PeopleLosses, own: Causes): string {
  const why = reasonsOf(people, own);
  return why && `Of this row: ${why}.`;
}

/** What all models of the table on the page cost somebody. */
export const togetherWords = ({ together, delta }: KnownHere): string =>
  together
    ? `The ${together.models} models of this table on this page cost this person at most ε = ${format(together.own, 4, "up")} together at δ = ${format(delta, 6, "up")}; promised was ${format(together.promised, 4, "up")}.`
    : "";

/** Why a row lost what it lost. */
export function rowSentence(people: PeopleLosses, row: number): string {
  const loss = people.losses[row] ?? 0;
  const { leverages, residuals, lengths } = people;
  const because = reasonsOf(people, {
    leverage: leverages[row],
    residual: residuals[row],
    length: lengths[row],
  } as Partial<Causes>);
  const why = because && `: ${because}`;
  const told = people.realised
    ? ` What came out told at most ${format(sizeOf(people.realised, row), 3, "up")} of it.`
    : "";
  return `Row ${grouped(row + 1)} lost at most ε = ${format(loss, 3, "up")}, ${share(loss, people.promised)} of what was promised${why}.${releasedWords(people, row)}${told}`;
}
