/** What entries of a ledger must have in common, whatever its rule. */
import type { Description } from "../engine/catalogue.ts";
import { validate } from "../engine/description.ts";
import { together } from "../engine/description-tree.ts";
import { Refusal } from "../engine/refusal.ts";
import type { Entries } from "./ledger-question.ts";

/** What the composition of the entries, and of `others` before them, is refused for, said of the ledger. */
export function composed(entries: Entries, others: readonly Description[] = []): Description {
  const parts = others.map((mechanism) => ({ mechanism, count: 1 }));
  try {
    return validate(together([...parts, ...entries.map(({ mechanism, count }) => ({ mechanism, count }))]));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { kind, field, value, rule } = error;
    throw new Refusal(kind, fieldOf(field, others.length), value, rule, { shown: true });
  }
}

function fieldOf(field: string, others: number): string {
  const [, place, rest = ""] = /^of\.(\d+)\.mechanism(.*)$/.exec(field) ?? [];
  if (place === undefined) return field.replace(/^of\b/, "entries");
  const at = Number(place);
  return at < others ? `budget.menu.${at}${rest}` : `entries.${at - others}.mechanism${rest}`;
}

/** A refusal of several rows, by the name of what has them. */
export function forOneRow(entries: Entries, group: number, where: string): void {
  if (group === 1) return;
  const at = entries.findIndex(({ rows }) => rows === group);
  const field = at < 0 ? "group" : `entries.${at}.rows`;
  throw new Refusal("unsupported", field, group, `must be 1 ${where}`);
}
