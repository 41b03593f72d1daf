/** A request with the noise that its plan once found, so that nobody who reads a report has to look for it again. */
import type { FullDoor } from "../../build/wasm/full.mjs";
import type { Release } from "../contract.ts";
import { validate } from "../engine/description.ts";
import { fromCore } from "../engine/description-tree.ts";
import { canonical } from "../engine/json.ts";
import { Refusal } from "../engine/refusal.ts";
import { rowOf } from "./algorithms.ts";
import { asked, checkRequest, type FitRequest } from "./fit-request.ts";
import { requestOf } from "./release-in.ts";

/** What was asked, and of the parameters that the plan chose those that may be asked. */
function withParameters(request: FitRequest, parameters: unknown): FitRequest {
  const { asks } = rowOf(request.algorithm.name);
  const chosen = Object.entries(typeof parameters === "object" ? { ...parameters } : {});
  const algorithm = { ...request.algorithm, ...Object.fromEntries(chosen.filter(([name]) => name in asks)) };
  return checkRequest({ ...request, algorithm, budget: { delta: request.budget.delta } });
}

const same = (a: unknown, b: unknown) => JSON.stringify(canonical(a)) === JSON.stringify(canonical(b));

/**
 * What the release says that it ran must be what the core plans: from the noise that it names, or, where that may not be
 * asked for, from its request alone. Otherwise prices would be those of other noise.
 */
export function withFoundNoise(core: FullDoor, release: Release): FitRequest {
  const whole = requestOf(release);
  const isAsRun = (request: FitRequest) => {
    const planned = core.plan(asked(request), request.seed ?? null, request.table.unit.rows);
    return !("refusal" in planned) && same(validate(fromCore(planned.description)), release.description);
  };
  if (whole.budget.epsilon !== undefined) {
    try {
      const found = withParameters(whole, release.parameters);
      if (isAsRun(found)) return found;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  if (isAsRun(whole)) return whole;
  const rule = "must be what its request costs: one of them was altered, or another version made it";
  throw new Refusal("malformed", "release.description", undefined, rule);
}
