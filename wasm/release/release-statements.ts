/** What a release says of its cost and its coefficients is held to its request, its plan and its outputs. */
import type { FullDoor, Planned } from "../../build/wasm/full.mjs";
import type { Release } from "../contract.ts";
import { unwrap } from "../engine/core-answer.ts";
import { sameContent } from "../engine/json.ts";
import { Refusal } from "../engine/refusal.ts";
import { toTableUnits } from "../table/features.ts";
import { asked, type FitRequest } from "./fit-request.ts";
import { priced, promisedBy } from "./priced.ts";

/** Of two things that a release says, and that do not fit together. */
export const ALTERED = "one of them was altered, or another version made it";

/** No request has more (core/release/accuracy_first.cpp). */
const MOST_LEVELS = 10_000;
/** Relatively, of what follows from a level by a few operations. */
const SAME = 1e-12;
/** Of a bound another version may know a smaller one. */
const OTHER_VERSION = 1e-3;

/** What stands in units of the table must be what came out, by the ranges and the intercept that are declared. */
function checkCoefficients({ table }: FitRequest, release: Release, field: string): void {
  const { outputs, coefficients } = release as Partial<Release>;
  const model = outputs?.find(({ kind }) => kind === "coefficients");
  if (!Array.isArray(model?.values) || sameContent(toTableUnits(table, model.values), coefficients)) return;
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

/** `planned` by `request`; refuses what does not follow, by its field. */
export function checkStatements(
  core: FullDoor,
  request: FitRequest,
  planned: Planned,
  release: Release,
  field: string,
): void {
  checkPromise(core, request, planned, release, field);
  checkExPost(core, request, release, field);
  checkCoefficients(request, release, field);
}
