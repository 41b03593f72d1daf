/** What a vote told of the voters of the very table: read and asked of the core, with what its numbers may be used for. */
import type { FullDoor } from "../../build/wasm/full.mjs";
import type { Neighbours, VoteLoss, VoteNumbers } from "../contract.ts";
import { unwrap } from "../engine/core-answer.ts";
import { Refusal } from "../engine/refusal.ts";
import { checkArgument, choice, list, optional, real, record } from "../engine/shape.ts";

const SOURCE =
  "Papernot, Song, Mironov, Raghunathan, Talwar and Erlingsson 2018, Theorem 6; test by Redberg, Zhu and Wang 2023, Algorithm 6; promised ε by Balle and Wang 2018, Theorem 8";

const VOTES = list(list(real(0, 2 ** 53), 2, 2 ** 20), 1, 2 ** 20);

export const TEST_EPSILON = optional(real(1e-3, 10), 0.5);

const TOLD = record({
  /** In votes: the standard deviation of the noise on every number. */
  scale: real(1e-3, 1e12),
  /** Whether a voter takes part or not, or votes otherwise. */
  vote: optional(choice("added", "switched"), "switched"),
  /** A question stays open where the most votes and noise of that standard deviation are below. */
  leastVotes: optional(real(-1e12, 1e12), undefined),
  leastVotesScale: optional(real(1e-3, 1e12), undefined),
  delta: real(1e-300, 0.5),
  testEpsilon: TEST_EPSILON,
});

/** As many numbers in each question, one after the other. */
function flat(value: unknown): { readonly numbers: Float64Array; readonly questions: number } {
  const rows = VOTES.check("votes", value);
  const classes = (rows[0] as readonly number[]).length;
  rows.forEach((row, i) => {
    if (row.length === classes) return;
    const rule = `must have ${classes} classes, as the first question has`;
    throw new Refusal("malformed", `votes.${i}`, `${row.length} numbers`, rule, { shown: true });
  });
  return { numbers: Float64Array.from(rows.flat()), questions: rows.length };
}

/** Frankly. */
function use({ epsilon, plainEpsilon, testedEpsilon }: VoteNumbers): string {
  const own = "ε is a function of the votes: it may be shown to whoever may see them, and not be published.";
  if (epsilon >= plainEpsilon)
    return `${own} It is no less than plainEpsilon, which holds for every table and may be published: use that.`;
  const test =
    testedEpsilon < plainEpsilon
      ? "A test that tells whether it may be published is estimated to cost less than plainEpsilon altogether."
      : "To publish it by a test is estimated to cost no less than plainEpsilon, which may be published as it is: promise that.";
  return `${own} ${test}`;
}

export const votersTold = (found: VoteNumbers, delta: number, neighbours: Neighbours): VoteLoss => ({
  ...found,
  confidential: true,
  delta,
  neighbours,
  use: use(found),
  source: SOURCE,
});

export function voteLoss(core: FullDoor, votes: unknown, told: unknown): VoteLoss {
  const { numbers, questions } = flat(votes);
  const checked = checkArgument("told", TOLD, told);
  const { vote, leastVotes = null, leastVotesScale = null, ...others } = checked;
  if ((leastVotes === null) !== (leastVotesScale === null)) {
    const field = leastVotes === null ? "leastVotes" : "leastVotesScale";
    throw new Refusal("missing", field, undefined, "must be given beside the other one: a test needs both");
  }
  const isSwitched = vote === "switched";
  const question = { ...others, isSwitched, leastVotes, leastVotesScale };
  const found = unwrap(core.voteLoss(numbers, questions, question));
  return votersTold(found, checked.delta, isSwitched ? "replace" : "add-remove");
}
