/** A request with the noise that its plan once found, so that nobody who reads a report has to look for it again. */
import type { FullDoor, Planned } from "../../build/wasm/full.mjs";
import type { Release } from "../contract.ts";
import { validate } from "../engine/description.ts";
import { fromCore } from "../engine/description-tree.ts";
import { sameContent } from "../engine/json.ts";
import { Refusal } from "../engine/refusal.ts";
import { rowOf, withoutIdle } from "./algorithms.ts";
import { asked, checkRequest, type FitRequest } from "./fit-request.ts";
import { requestOf } from "./release-in.ts";
import { ALTERED, checkStatements } from "./release-statements.ts";

/** What was asked, and of the parameters that the plan chose those that may be asked. */
function withParameters(request: FitRequest, parameters: unknown): FitRequest {
  const { asks } = rowOf(request.algorithm.name);
  const chosen = Object.entries(typeof parameters === "object" ? { ...parameters } : {});
  const found = Object.fromEntries(chosen.filter(([name]) => name in asks));
  const algorithm = withoutIdle({ ...request.algorithm, ...found } as FitRequest["algorithm"], true);
  return checkRequest({ ...request, algorithm, budget: { delta: request.budget.delta } });
}

/** What the core plans by a request, where that is what the release says that it ran. */
function planOf(core: FullDoor, request: FitRequest, { description }: Release): Planned | undefined {
  const planned = core.plan(asked(request), request.seed ?? null, request.table.unit.rows);
  if ("refusal" in planned) return undefined;
  return sameContent(validate(fromCore(planned.description)), description) ? planned : undefined;
}

/** From the noise that the release names. How many rows somebody has, only the budget shows. */
function foundPlan(core: FullDoor, whole: FitRequest, release: Release): [FitRequest, Planned] | undefined {
  if (whole.budget.epsilon === undefined || whole.table.unit.rows > 1) return undefined;
  try {
    const request = withParameters(whole, release.parameters);
    const planned = planOf(core, request, release);
    return planned && [request, planned];
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/**
 * What the release says that it ran must be what the core plans: from the noise that it names, or, where that may not be
 * asked for, from its request alone. Otherwise prices would be those of other noise. And what it says of its cost must be
 * so.
 */
export function withFoundNoise(core: FullDoor, release: Release, field = "release"): FitRequest {
  const whole = requestOf(release, field);
  const [request, planned] = foundPlan(core, whole, release) ?? [whole, planOf(core, whole, release)];
  if (!planned)
    throw new Refusal(
      "malformed",
      `${field}.description`,
      undefined,
      `must be what its request costs: ${ALTERED}`,
    );
  checkStatements(core, whole, planned, release, field);
  return request;
}
