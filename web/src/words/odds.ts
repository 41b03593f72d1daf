/**
 * The odds sentence. Before the release an attacker believes with probability π that a person's row is in the
 * table. Whoever then guesses best is right with probability (1 − π) + π·δ(ln((1 − π)/π)), because the two
 * ways of being right add up to 1 − π + sup π·(P(E) − (1 − π)/π·Q(E)), and that supremum is the profile.
 */
import type { Neighbours } from "../../../wasm/catalogue.ts";
import { grouped } from "./numbers.ts";

/** The ε at which the profile tells how well the best guess does. */
export const oddsEpsilon = (prior: number) => Math.log((1 - prior) / prior);

/** With the upper end of δ this is an upper end for the success; the last rounding is upward too. */
export const success = (prior: number, delta: number) =>
  Math.min(1, (1 - prior + prior * delta) * (1 + 4 * Number.EPSILON));

export interface Odds {
  readonly after: string;
  readonly before: string;
  readonly of: string;
}

const MOST_PEOPLE = 1e6;

/** "81 of 100 instead of 50 of 100": rounded against us, with as many people as it takes to see the difference. */
export function odds(prior: number, delta: number): Odds {
  const before = Math.max(prior, 1 - prior);
  const after = Math.max(before, success(prior, delta));
  for (let people = 100; ; people *= 10) {
    const right = Math.ceil(after * people * (1 - 4 * Number.EPSILON));
    const blind = Math.floor(before * people * (1 + 4 * Number.EPSILON));
    const honest = Math.abs(right / people - after) <= 0.25 * (after - before) + 1e-12;
    const uncertain = right < people || after === 1;
    const round = Math.abs(blind / people - before) < 1e-9;
    if ((honest && uncertain && round) || people >= MOST_PEOPLE) {
      return { after: grouped(Math.min(people, right)), before: grouped(blind), of: grouped(people) };
    }
  }
}

const SUSPICIONS: Readonly<Record<Neighbours, { one: string; several: string }>> = {
  "add-remove": { one: "is in the table", several: "are in the table" },
  replace: { one: "is this one and not that one", several: "are these and not those" },
  "zero-out": { one: "was kept and not blanked out", several: "were kept and not blanked out" },
};

/** What the attacker wants to know, in the words of the neighbouring relation. */
export function suspicion(neighbours: Neighbours, group: number): string {
  const { one, several } = SUSPICIONS[neighbours];
  return group === 1 ? `a given person’s row ${one}` : `the rows of a given group of ${group} ${several}`;
}
