/** What a release holds, by its kind. */
import type {
  EverydayPlan,
  EverydayRelease,
  ModelRelease,
  Output,
  Plan,
  Release,
} from "../../../wasm/contract.ts";

/** Whether statistics are released, and not what an algorithm makes. */
export function isEveryday(told: Release | EverydayRelease): told is EverydayRelease;
export function isEveryday(told: Plan | EverydayPlan): told is EverydayPlan;
export function isEveryday(told: Plan | EverydayPlan): boolean {
  return "entries" in told;
}

/** Of several classes too: what is for a model can be predicted with, and measured. */
export const isForModel = ({ result }: Pick<Plan, "result">): boolean =>
  result.kind === "coefficients" || result.kind === "class-coefficients";

/** Whether coefficients came out: what is for a model may be refused by its test. */
export const isModel = (release: Release): release is ModelRelease => release.coefficients !== undefined;

/** Of several classes too. */
export const predicts = (release: Release): boolean => isModel(release) || release.classes !== undefined;

/** What the release is for. */
export const resultOf = ({ result, outputs }: Release): Output | undefined =>
  outputs.find(({ name }) => name === result.name);

/** A parameter that was planned, and is larger than planned by what was released. */
export interface Raised {
  readonly name: string;
  readonly planned: number;
  readonly used: number;
}

export const raised = ({ parameters, outputs }: Release): readonly Raised[] =>
  outputs.flatMap(({ name, kind, values: [used] }) => {
    const planned = parameters[name];
    const isRaised = kind === "parameter" && used !== undefined && planned !== undefined && used > planned;
    return isRaised ? [{ name, planned, used }] : [];
  });

/** How many rows the table has, where the release tells it. */
export const rowCount = ({ outputs }: Release): number | undefined =>
  outputs.find(({ kind }) => kind === "row-count")?.values[0];
