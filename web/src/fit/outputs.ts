/** What a release holds, by its kind. */
import type { ModelRelease, Output, Plan, Release } from "../../../wasm/contract.ts";

export const isOfModel = ({ result }: Pick<Plan, "result">): boolean => result.kind === "coefficients";

export const isModel = (release: Release): release is ModelRelease => isOfModel(release);

/**
 * Whether rows can be asked about one by one: of winners nobody can say what they cost a voter alone, nor of a release
 * whose tests of all rows together decided what came out.
 */
export const isPersonal = ({ result, guarantee }: Pick<Plan, "result" | "guarantee">): boolean =>
  result.kind !== "labels" && guarantee !== "ex-post";

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
