/** What every piece of Python has in common. */
import type { Description } from "../../../wasm/contract.ts";
import { precise } from "../words/numbers.ts";

export interface Snippet {
  readonly supported: boolean;
  readonly text: string;
}

export type Single = Exclude<Description, { kind: "composition" | "subsampled" }>;

export const number = (value: number) =>
  Number.isFinite(value) ? precise(value) : `float("${value > 0 ? "inf" : "-inf"}")`;

export const unsupported = (library: string, what: string): Snippet => ({
  supported: false,
  text: `${library} has no accountant for ${what}.`,
});
