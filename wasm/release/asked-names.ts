/** Refusals under the names that their fields have in what was asked. */
import { Refusal } from "../engine/refusal.ts";
import { rowOf } from "./algorithms.ts";
import type { FitRequest } from "./fit-request.ts";

/** The answer; where it is refused, the refusal is the one that `again` makes of it. */
function restated<T>(answer: () => T, again: (refusal: Refusal) => Refusal): T {
  try {
    return answer();
  } catch (error) {
    throw error instanceof Refusal ? again(error) : error;
  }
}

/** The answer; where it is refused, the field has the name that `called` gives it. */
export const renamed = <T>(answer: () => T, called: (field: string) => string): T =>
  restated(
    answer,
    ({ kind, field, value, rule, spent }) =>
      new Refusal(kind, called(field), value, rule, { shown: true, spent }),
  );

const BUDGET: readonly string[] = ["epsilon", "delta"];

/** What the core answers; where it refuses, the budget is called as it is in what was `asked`. */
export const byAskedNames = <T>(answer: () => T, asked = ""): T =>
  renamed(answer, (field) => (BUDGET.includes(field) ? `${asked}budget.${field}` : field));

/** The same of a fit: what is the algorithm's or the table's is called by its path, if no candidate has it otherwise. */
export const byRequestNames = <T>(answer: () => T, { algorithm, tune }: FitRequest): T =>
  renamed(
    () => byAskedNames(answer),
    (field) => {
      if (field === "intercept") return "table.intercept";
      const isOwn = field in algorithm && !tune?.candidates.some((candidate) => field in candidate);
      return isOwn ? `algorithm.${field}` : field;
    },
  );

/** The same of its plan. A number that only follows from noise that was typed is refused as that noise: nobody typed it. */
export function byTypedNames<T>(answer: () => T, request: FitRequest): T {
  const { algorithm } = request;
  const { noise } = rowOf(algorithm.name);
  const typed: unknown = (algorithm as Readonly<Record<string, unknown>>)[noise];
  return restated(
    () => byRequestNames(answer, request),
    (refusal) => {
      const { kind, field, value, rule, spent } = refusal;
      const name = field.replace(/^algorithm\./, "");
      const isTyped =
        name === noise ? Number(value) === typed : name in algorithm || /^(budget|table)\./.test(field);
      if (typed === undefined || isTyped) return refusal;
      const leads = `leads to ${name} = ${value}, which ${rule}`;
      return new Refusal(kind, `algorithm.${noise}`, typed, leads, { spent });
    },
  );
}
