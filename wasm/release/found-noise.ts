/** A request with the noise that its plan once found, so that nobody who reads a report has to look for it again. */
import type { FullDoor, Planned } from "../../build/wasm/full.mjs";
import type { Release } from "../contract.ts";
import { unwrap } from "../engine/core-answer.ts";
import { validate } from "../engine/description.ts";
import { fromCore } from "../engine/description-tree.ts";
import { canonical } from "../engine/json.ts";
import { Refusal } from "../engine/refusal.ts";
import { toTableUnits } from "../table/features.ts";
import { rowOf } from "./algorithms.ts";
import { asked, checkRequest, type FitRequest } from "./fit-request.ts";
import { priced, promisedBy } from "./priced.ts";
import { requestOf } from "./release-in.ts";

/** What was asked, and of the parameters that the plan chose those that may be asked. */
function withParameters(request: FitRequest, parameters: unknown): FitRequest {
  const { asks } = rowOf(request.algorithm.name);
  const chosen = Object.entries(typeof parameters === "object" ? { ...parameters } : {});
  const algorithm = { ...request.algorithm, ...Object.fromEntries(chosen.filter(([name]) => name in asks)) };
  return checkRequest({ ...request, algorithm, budget: { delta: request.budget.delta } });
}

const same = (a: unknown, b: unknown) => JSON.stringify(canonical(a)) === JSON.stringify(canonical(b));

/** What the core plans by a request, where that is what the release says that it ran. */
function planOf(core: FullDoor, request: FitRequest, { description }: Release): Planned | undefined {
  const planned = core.plan(asked(request), request.seed ?? null, request.table.unit.rows);
  if ("refusal" in planned) return undefined;
  return same(validate(fromCore(planned.description)), description) ? planned : undefined;
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

const ALTERED = "one of them was altered, or another version made it";

/** What stands in units of the table must be what came out, by the ranges and the intercept that are declared. */
function checkCoefficients({ table }: FitRequest, release: Release, field: string): void {
  const { outputs, coefficients } = release as Partial<Release>;
  const model = outputs?.find(({ kind }) => kind === "coefficients");
  if (!Array.isArray(model?.values) || same(toTableUnits(table, model.values), coefficients)) return;
  const rule = `must be what its outputs are in units of the declared table: ${ALTERED}`;
  throw new Refusal("malformed", `${field}.coefficients`, undefined, rule);
}

/** What came out after the fact, by the level that did. */
function checkExPost(core: FullDoor, request: FitRequest, release: Release, field: string): void {
  const { outputs, exPost } = release as Partial<Release>;
  const [level] = outputs?.find(({ name }) => name === "level")?.values ?? [];
  const isLevel = typeof level === "number" && level >= 1 && level <= MOST_LEVELS;
  const { loss } = isLevel ? unwrap(core.exPost(asked(request), level)) : { loss: null };
  if (!loss && !exPost) return;
  const expected = loss && { epsilon: loss.total, testing: loss.testing, model: loss.model };
  for (const [name, value] of Object.entries(expected ?? { epsilon: undefined })) {
    const stated: unknown = exPost && Reflect.get(exPost, name);
    if (typeof stated === "number" && value && Math.abs(stated - value) <= SAME * value) continue;
    const rule = value ? `must be ${value}, which its level costs` : "must be left out: no level came out";
    throw new Refusal("range", `${field}.exPost.${name}`, stated, `${rule}: ${ALTERED}`);
  }
}
/** No request has more (core/release/accuracy_first.cpp). */
const MOST_LEVELS = 10_000;
/** Relatively, of what follows from a level by a few operations. */
const SAME = 1e-12;

/** Of a bound another version may know a smaller one. */
const OTHER_VERSION = 1e-3;

/** What the release says that it costs must be what it does cost. */
function checkPromise(
  core: FullDoor,
  request: FitRequest,
  planned: Planned,
  release: Release,
  field: string,
): void {
  const { epsilon, delta, guarantee } = release as Partial<Release>;
  const refuse = (name: string, stated: unknown, rule: string): never => {
    throw new Refusal("range", `${field}.${name}`, stated, `${rule}: ${ALTERED}`);
  };
  const { neighbours } = planned;
  for (const [name, stated] of Object.entries({ epsilon, ...(release.exPost && { exPost: release.exPost }) }))
    if (stated?.neighbours !== neighbours)
      refuse(`${name}.neighbours`, stated?.neighbours, `must be ${neighbours}, as what ran`);
  const { budget } = request;
  if (delta !== budget.delta) refuse("delta", delta, `must be ${budget.delta}, as its request says`);
  const expected = planned.guarantee === "ex-post" ? planned.guarantee : undefined;
  if (guarantee !== expected) refuse("guarantee", guarantee, `must be ${expected ?? "left out"}`);
  const price = priced(core, planned, promisedBy(request)).epsilon;
  const { lower = Number.NaN, upper = Number.NaN } = epsilon ?? {};
  const least = price.kind === "bound" ? price.upper * (1 - OTHER_VERSION) : price.lower;
  if (!(upper >= least)) refuse("epsilon.upper", upper, `must be ${least} at least, which it costs`);
  if (!(lower <= price.upper)) refuse("epsilon.lower", lower, `must be ${price.upper} at most`);
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
  checkPromise(core, whole, planned, release, field);
  checkExPost(core, whole, release, field);
  checkCoefficients(whole, release, field);
  return request;
}
