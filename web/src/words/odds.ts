/** What a suspicion can become, in words: shares are rounded up, and certainty is said only where it is meant. */

import type { Posterior } from "../../../wasm/contract.ts";
import type { Neighbours } from "../../../wasm/engine/catalogue.ts";
import { percent } from "./attack.ts";

const DIGITS = 4;
/** More would be below the rounding of the share itself. */
const MOST_DIGITS = 15;

/** "at most 69.8 %"; as many digits as it takes to tell what is short of certainty from certainty. */
export function atMost(share: number): string {
  if (share >= 1) return "certainty";
  for (let digits = DIGITS; digits <= MOST_DIGITS; digits++) {
    const shown = percent(share, digits, "up");
    if (shown !== "100") return `at most ${shown} %`;
  }
  return "certainty";
}

export interface Odds {
  readonly right: string;
  readonly wrong: string;
  readonly event: string;
}

export const odds = ({ right, wrong, event }: Posterior): Odds => ({
  right: atMost(right.upper),
  wrong: atMost(wrong.upper),
  event: atMost(event.upper),
});

export const eventSentence = ({ event }: Odds) =>
  event === "certainty"
    ? "Some event of that probability, seen before anybody knows whether he is right, may leave no doubt."
    : `No event of that probability, seen before anybody knows whether he is right, makes it more than ${event.replace("at most ", "")}.`;

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
