/** What is said of whatever the core plans or runs: whether it is private, what that is, and its price. */
import type { Refused } from "../../build/wasm/calculator.mjs";
import type { FullDoor, Planned } from "../../build/wasm/full.mjs";
import type { Plan } from "../contract.ts";
import { unwrap } from "../engine/core-answer.ts";
import { validate } from "../engine/description.ts";
import { type CoreDescription, fromCore } from "../engine/description-tree.ts";
import { provenance } from "../engine/provenance.ts";
import type { FitRequest } from "./fit-request.ts";

interface Promised {
  readonly budget: { readonly epsilon?: number | undefined; readonly delta: number };
  /** The most that one of those has who are protected. */
  readonly rows: number;
  /** How wide the price may be, relatively, where finer ones take long. */
  readonly gap?: number;
}

/** As wide are the prices by which the core finds the noise of tuned fits (core/release/tuning.cpp): finer ones take ten times as long. */
const TUNED_GAP = 3e-5;

/** What a request of a fit asks a price of. */
export const promisedBy = ({ budget, table, tune }: FitRequest): Promised => ({
  budget,
  rows: table.unit.rows,
  ...(tune && { gap: TUNED_GAP }),
});

type Question = Parameters<FullDoor["price"]>[1];
type Ends = Exclude<ReturnType<FullDoor["price"]>, Refused>;

const MOST_KEPT = 8;
const kept = new WeakMap<FullDoor, Map<string, Ends>>();

/** A fit costs what its plan did, and reports ask of one run again and again: the last prices are kept. */
export function priceOf(core: FullDoor, run: CoreDescription, question: Question): Ends {
  const known = kept.get(core) ?? new Map<string, Ends>();
  kept.set(core, known);
  const asked = JSON.stringify([run, question]);
  const found = known.get(asked) ?? unwrap(core.price(run, question));
  known.delete(asked);
  known.set(asked, found);
  for (const oldest of known.keys()) if (known.size > MOST_KEPT) known.delete(oldest);
  return found;
}

export function priced(
  core: FullDoor,
  planned: Planned,
  { budget, rows, gap }: Promised,
): Pick<Plan, "private" | "description" | "epsilon" | "delta"> {
  const { description: run, neighbours } = planned;
  const { epsilon = null, delta } = budget;
  const description = validate(fromCore(run));
  const ends = priceOf(core, run, { epsilon, delta, rows, ...(gap !== undefined && { gap }) });
  return {
    private: planned.private,
    description,
    epsilon: { ...ends, ...provenance(description, ends.kind, { group: rows }), neighbours },
    delta,
  };
}
