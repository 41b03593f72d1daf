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

/** What there is at a path; nothing where it leads nowhere. */
function valueAt(all: object, path: string): unknown {
  const enter = (inside: unknown, key: string): unknown =>
    typeof inside === "object" && inside !== null ? Reflect.get(inside, key) : undefined;
  return path.split(".").reduce(enter, all);
}

const isSame = (shown: string, value: unknown) =>
  typeof value === "number" ? Number(shown) === value : typeof value === "string";

/** What the core reads off a declared table: where that is declared, and what it is. */
const OF_THE_TABLE: Readonly<Record<string, readonly [field: string, words: string]>> = {
  dimension: ["table.columns", "features"],
  featureBound: ["table.rowNorm", "as the length of the longest row"],
  labelBound: ["table.label", "as the largest label"],
  classes: ["table.label", "classes"],
  questions: ["table.columns", "questions"],
};

/**
 * The same of its plan. What nobody typed is refused as what it follows from: the table that was declared, the noise that was
 * named, or the ε of the budget.
 */
export function byTypedNames<T>(answer: () => T, request: FitRequest): T {
  const { algorithm, budget } = request;
  const { noise, asks } = rowOf(algorithm.name);
  const named = `algorithm.${noise}`;
  const isNamed = valueAt(request, named) !== undefined;
  return restated(
    () => byRequestNames(answer, request),
    (refusal) => {
      const { kind, field, value, rule, spent } = refusal;
      const typed = valueAt(request, field);
      // As it was typed: the core writes numbers otherwise.
      if (isSame(value, typed)) return new Refusal(kind, field, typed, rule, { spent });
      // Of a whole object the core says what it is about.
      if (kind === "missing" || typeof typed === "object") return refusal;
      const table = OF_THE_TABLE[field];
      if (table) {
        const [declared, words] = table;
        return new Refusal(
          kind,
          declared,
          valueAt(request, declared),
          `leads to ${value} ${words}, which ${rule}`,
          { spent },
        );
      }
      const kept = budget.epsilon === undefined ? "algorithm.name" : "budget.epsilon";
      const cause = typed !== undefined ? field : isNamed ? named : kept;
      const name = field.split(".").at(-1) as string;
      const isPublic = name in asks || typed !== undefined;
      const leads = `leads to ${isPublic ? `${name} = ${value}` : `a number, ${value}`}, which ${rule}`;
      return new Refusal(kind, cause, valueAt(request, cause), leads, { spent });
    },
  );
}
