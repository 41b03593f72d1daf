/** What is said of whatever the core plans or runs: whether it is private, what that is, and its price. */
import type { FullDoor, Planned } from "../../build/wasm/full.mjs";
import type { Plan } from "../contract.ts";
import { unwrap } from "../engine/core-answer.ts";
import { validate } from "../engine/description.ts";
import { fromCore } from "../engine/description-tree.ts";
import { provenance } from "../engine/provenance.ts";

interface Promised {
  readonly budget: { readonly epsilon?: number | undefined; readonly delta: number };
  /** The most that one of those has who are protected. */
  readonly rows: number;
  /** How wide the price may be, relatively, where finer ones take long. */
  readonly gap?: number;
}

export function priced(
  core: FullDoor,
  planned: Planned,
  { budget, rows, gap }: Promised,
): Pick<Plan, "private" | "description" | "epsilon" | "delta"> {
  const { description: run, neighbours } = planned;
  const { epsilon = null, delta } = budget;
  const description = validate(fromCore(run));
  const ends = unwrap(core.price(run, { epsilon, delta, rows, ...(gap !== undefined && { gap }) }));
  return {
    private: planned.private,
    description,
    epsilon: { ...ends, ...provenance(description, ends.kind, { group: rows }), neighbours },
    delta,
  };
}
