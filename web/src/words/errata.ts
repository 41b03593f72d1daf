/** A misprint in words: what it promises of one release, and what that release really does. */

import type { Interval } from "../../../wasm/contract.ts";
import { type Erratum, KINDS, type Kind, type Parameter } from "../../../wasm/engine/catalogue.ts";
import { format } from "./numbers.ts";

/** "σ = 1, Δ = 1" */
function release({ kind, ...values }: Erratum["counterexample"]["description"]): string {
  const parameters: Readonly<Record<string, Parameter>> = KINDS[kind as Kind].parameters;
  return Object.entries(values)
    .map(([name, value]) => `${parameters[name]?.symbol ?? name} = ${value}`)
    .join(", ");
}

/** The truth is given by its lower end, so that the misprint is not accused of more than it did. */
export function counterexample({ counterexample: shown }: Erratum, { lower }: Interval): string {
  const promised = `it promises δ ${shown.printedDelta > 0 ? "≤" : "="} ${format(shown.printedDelta, 6, "up")}`;
  const times =
    shown.printedDelta > 0 ? `, ${format(lower / shown.printedDelta, 3, "down")} times as much` : "";
  const real = `the release has δ ≥ ${format(lower, 6, "down")}${times}`;
  return `With ${release(shown.description)} at ε = ${format(shown.epsilon, 6)} ${promised}; ${real}.`;
}
