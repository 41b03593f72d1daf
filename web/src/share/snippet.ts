/** What every piece of Python has in common. */
import type { Description } from "../../../wasm/contract.ts";
import { isLeaf, type LeafKind } from "../../../wasm/engine/kinds.ts";
import { precise } from "../words/numbers.ts";

export interface Snippet {
  readonly supported: boolean;
  readonly text: string;
}

/** A mechanism with nothing inside. */
export type Single = Extract<Description, { kind: LeafKind }>;

export const number = (value: number) =>
  Number.isFinite(value) ? precise(value) : `float("${value > 0 ? "inf" : "-inf"}")`;

export const unsupported = (library: string, what: string): Snippet => ({
  supported: false,
  text: `${library} has no accountant for ${what}.`,
});

export const isSingle = (description: Description): description is Single => isLeaf(description.kind);
