/** What the best attacker reaches, in words; every number is rounded against us. */
import type { Answer } from "../../../wasm/contract.ts";
import { format, type Side } from "./numbers.ts";

/** A share as per cent; the product is nudged so that its own rounding errs to the same side. */
export function percent(share: number, digits: number, side: Side): string {
  const nudge = side === "up" ? 1 + 2 * Number.EPSILON : side === "down" ? 1 - 2 * Number.EPSILON : 1;
  return format(Math.min(100, 100 * share * nudge), digits, side);
}

/** "between 9.2646 % and 9.2647 %", as far as it is known. */
export function spread({ lower, upper, kind }: Answer, shown: (end: number, side: Side) => string): string {
  const most = shown(upper, "up");
  return kind === "bound"
    ? `guaranteed to be at most ${most}`
    : `between ${shown(lower, "down")} and ${most}`;
}
