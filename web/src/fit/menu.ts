/** The menu of a ledger as it is edited: a list of descriptions, kept as the text that a file has for it. */
import type { Description } from "../../../wasm/contract.ts";
import { validate } from "../../../wasm/engine/description.ts";
import { json, toJson } from "../../../wasm/engine/json.ts";
import type { Paid, Rule } from "./ledger.ts";
import { keptMechanism } from "./ledger.ts";

const FIELD = "budget.menu";

/** Nothing typed is an empty menu; every other one was checked when it was added. */
export function menuIn({ budget }: Rule): readonly Description[] {
  const text = budget.menu ?? "";
  return text === "" ? [] : (json(FIELD, text) as readonly Description[]);
}

const withMenu = (rule: Rule, menu: readonly unknown[]): Rule => ({
  ...rule,
  budget: { ...rule.budget, menu: toJson(menu) },
});

/** The same run twice on a menu is once. */
export const withRun = (rule: Rule, run: Paid): Rule =>
  holdsRun(rule, run) ? rule : withMenu(rule, [...menuIn(rule), keptMechanism(run)]);

export function holdsRun(rule: Rule, run: Paid): boolean {
  const own = toJson(keptMechanism(run));
  return menuIn(rule).some((choice) => toJson(choice) === own);
}

/** What somebody wrote down, one description or a list of them; refuses what is none. */
export function withTyped(rule: Rule, text: string): Rule {
  const typed = json(FIELD, text);
  const added = (Array.isArray(typed) ? typed : [typed]).map((one: unknown) => validate(one));
  return withMenu(rule, [...menuIn(rule), ...added]);
}

export const withoutChoice = (rule: Rule, index: number): Rule =>
  withMenu(
    rule,
    menuIn(rule).filter((_, i) => i !== index),
  );
