/** Refusals under the names that their fields have in what was asked. */
import { Refusal } from "../engine/refusal.ts";

/** The answer; where it is refused, the field has the name that `called` gives it. */
export function renamed<T>(answer: () => T, called: (field: string) => string): T {
  try {
    return answer();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { kind, field, value, rule, spent } = error;
    throw new Refusal(kind, called(field), value, rule, { shown: true, spent });
  }
}

const BUDGET: readonly string[] = ["epsilon", "delta"];

/** What the core answers; where it refuses, the budget is called as it is in what was `asked`. */
export const byAskedNames = <T>(answer: () => T, asked = ""): T =>
  renamed(answer, (field) => (BUDGET.includes(field) ? `${asked}budget.${field}` : field));
