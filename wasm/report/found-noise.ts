/** A request with the noise that its plan once found, so that nobody who reads a report has to look for it again. */
import type { FullDoor } from "../../build/wasm/full.mjs";
import type { Release } from "../contract.ts";
import { validate } from "../engine/description.ts";
import { fromCore } from "../engine/description-tree.ts";
import { Refusal } from "../engine/refusal.ts";
import { rowOf } from "../release/algorithms.ts";
import { asked, checkRequest, type FitRequest } from "../release/fit-request.ts";
import { requestOf } from "../release/release-in.ts";
import { canonical } from "./document.ts";

/** What was asked, and of the parameters that the plan chose those that may be asked. */
function withParameters(request: FitRequest, parameters: unknown): FitRequest {
  const { asks } = rowOf(request.algorithm.name);
  const chosen = Object.entries(typeof parameters === "object" ? { ...parameters } : {});
  const algorithm = { ...request.algorithm, ...Object.fromEntries(chosen.filter(([name]) => name in asks)) };
  return checkRequest({ ...request, algorithm, budget: { delta: request.budget.delta } });
}

const same = (a: unknown, b: unknown) => JSON.stringify(canonical(a)) === JSON.stringify(canonical(b));

/**
 * Only where the core plans the same description from it as the release says that it ran: parameters that do not fit are
 * not believed, and the request stays as it was.
 */
export function withFoundNoise(core: FullDoor, release: Release): FitRequest {
  const whole = requestOf(release);
  const { parameters, description } = release;
  if (whole.budget.epsilon === undefined) return whole;
  try {
    const found = withParameters(whole, parameters);
    const planned = core.plan(asked(found), found.seed ?? null, found.table.unit.rows);
    if ("refusal" in planned) return whole;
    return same(validate(fromCore(planned.description)), description) ? found : whole;
  } catch (error) {
    if (error instanceof Refusal) return whole;
    throw error;
  }
}
