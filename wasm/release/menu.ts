/** Ledgers of at most so many releases, each any one of a menu that was fixed beforehand. */
import type { FullDoor } from "../../build/wasm/full.mjs";
import type { Ledger, LedgerSum, Options } from "../contract.ts";
import { checkOptions } from "../engine/calculator-engine.ts";
import type { Description } from "../engine/catalogue.ts";
import { unwrap } from "../engine/core-answer.ts";
import { neighboursOf } from "../engine/description.ts";
import { Refusal } from "../engine/refusal.ts";
import { composed, forOneRow } from "./entries.ts";
import type { OnMenu } from "./ledger-question.ts";

const SOURCE =
  "The value of the game over a menu: the largest mixture of what is left over the losses of a choice, each direction by itself; pairs and profiles by Zhu, Dong and Wang 2022";

/** The same text for the same mechanism, in whatever order its keys stand; all of them are about one relation. */
function textOf({ neighbours: _, ...mechanism }: Description): string {
  const ordered = (_: string, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return JSON.stringify(mechanism, ordered);
}

export function onMenu(
  core: FullDoor,
  { rule, budget, entries }: OnMenu,
  delta: number,
  options: Options,
): Ledger {
  const { group, gap } = checkOptions(options);
  const { rounds, menu } = budget;
  forOneRow(entries, group, "for a menu");
  const neighbours = neighboursOf(composed(entries, menu));
  const known = new Set(menu.map(textOf));
  let spent = 0;
  const told = entries.map(({ mechanism, count }, i) => {
    if (!known.has(textOf(mechanism)))
      throw new Refusal("unsupported", `entries.${i}.mechanism`, mechanism.kind, "must be one of the menu");
    const fits = spent + count <= rounds;
    spent += fits ? count : 0;
    return { cost: roundsOf(count), fits };
  });
  const { lower, upper, kind } = price(core, menu, rounds, delta, gap);
  return {
    rule,
    epsilon: { lower, upper, kind, neighbours, source: SOURCE },
    delta,
    entries: told,
    spent: roundsOf(spent),
    left: roundsOf(rounds - spent),
  };
}

const roundsOf = (rounds: number): LedgerSum => ({ rounds, delta: 0 });

function price(core: FullDoor, menu: readonly Description[], rounds: number, delta: number, gap: number) {
  try {
    return unwrap(core.menu(menu, rounds, delta, gap));
  } catch (error) {
    if (!(error instanceof Refusal) || error.field !== "menu") throw error;
    const { kind, value, rule } = error;
    throw new Refusal(kind, `budget.menu.${value}`, menu[Number(value)]?.kind, rule);
  }
}
