/** Refusals of the core under the names that their fields have in a request. */
import { Refusal } from "../engine/refusal.ts";

const BUDGET: readonly string[] = ["epsilon", "delta"];

/** What the core answers; where it refuses, the budget is called as it is in what was `asked`. */
export function byAskedNames<T>(answer: () => T, asked = ""): T {
  try {
    return answer();
  } catch (error) {
    if (!(error instanceof Refusal) || !BUDGET.includes(error.field)) throw error;
    const { kind, field, value, rule, spent } = error;
    throw new Refusal(kind, `${asked}budget.${field}`, value, rule, { shown: true, spent });
  }
}
