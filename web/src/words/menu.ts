/** The words of a menu: what each choice of it is, and what all of its rounds come to. */
import type { Description, Ledger } from "../../../wasm/contract.ts";
import type { Neighbours } from "../../../wasm/engine/catalogue.ts";
import { childrenOf } from "../../../wasm/engine/description-tree.ts";
import { belongs, entryOf, isList, isWrapped } from "../../../wasm/engine/kinds.ts";
import { choiceWords } from "./choices.ts";
import { countWords } from "./fit.ts";
import { format } from "./numbers.ts";
import { RELATION_WORDS } from "./sentences.ts";

/** Digits by which two choices can be told apart; the file has all of them. */
const DIGITS = 6;

/** `σ = 2`, and so on, of what is not inside. */
function numbersOf(description: Description): string {
  const values = description as Readonly<Record<string, unknown>>;
  const said = Object.entries(entryOf(description.kind).parameters).flatMap(([name, parameter]) => {
    const value = values[name];
    if (value === undefined || !belongs(parameter, (choice) => values[choice])) return [];
    if (typeof value === "number") return `${parameter.symbol} = ${format(value, DIGITS)}`;
    if (parameter.type === "choice") return choiceWords(name, String(value));
    return Array.isArray(value) && parameter.type === "reals" ? `${value.length} ${parameter.title}` : [];
  });
  return said.join(", ");
}

/** One mechanism in a line. */
function mechanismWords(description: Description): string {
  const children = childrenOf(description).map(({ mechanism, count }) => {
    const words = mechanismWords(mechanism);
    return count === 1 ? words : `${count} × (${words})`;
  });
  if (isList(description.kind)) return children.join(" and ");
  const own = [entryOf(description.kind).title, numbersOf(description)].filter(Boolean).join(": ");
  return isWrapped(description) ? `${own}; of ${children.join("")}` : own;
}

/** One choice of a menu, and about which tables it is where that is said. */
export function menuChoiceWords(description: Description): string {
  const { neighbours } = description as { readonly neighbours?: Neighbours };
  const about = neighbours ? ` (${RELATION_WORDS[neighbours]})` : "";
  return `${mechanismWords(description)}${about}`;
}

/** What all rounds come to, before the first of them. */
export const menuPrice = ({ epsilon, delta, left }: Ledger) =>
  `${countWords(left?.rounds ?? 0, "round")}, whatever is chosen in each: ε ≤ ${format(epsilon.upper, DIGITS, "up")} at δ = ${format(delta, DIGITS, "up")}.`;
