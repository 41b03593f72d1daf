/** What the survey of a table is told of the form: which columns are declared to hold numbers. */
import { MISSING_MARKS, type TableRequest } from "../../../wasm/table/declaration.ts";
import type { Survey, SurveyedColumn } from "../../../wasm/table/inspect.ts";
import { labelUse } from "./choices.ts";
import { type Form, predicted } from "./form.ts";

export type Declared = Pick<TableRequest, "columns" | "label" | "missingMarks">;

/** The survey looks at names and uses; the ranges are of no interest to it. */
const NUMBER = { use: "numeric", range: [0, 1], missing: "drop" } as const;
const NO_LABEL = { name: "", use: "classes", levels: ["0", "1"], missing: "drop" } as const;

const isNumberTask = ({ task }: Form) => ["numeric", "count"].includes(labelUse(task) ?? "");

/** Undefined where every column that is declared to hold numbers holds nothing else. */
export function declaredNumbers(form: Form, surveyed: readonly SurveyedColumn[]): Declared | undefined {
  const others = new Set(surveyed.filter(({ numeric }) => !numeric).map(({ name }) => name));
  const isMixed = (name: string) => others.has(name);
  const columns = form.columns
    .filter(({ used, use, name }) => used && use === "numeric" && isMixed(name))
    .map(({ name }) => ({ name, ...NUMBER }));
  const name = predicted(form);
  const isNumber = name !== "" && isNumberTask(form) && isMixed(name);
  if (columns.length === 0 && !isNumber) return undefined;
  return { columns, label: isNumber ? { name, ...NUMBER } : NO_LABEL, missingMarks: MISSING_MARKS };
}

/** The survey without what was found of columns that are not declared to hold numbers any more. */
export function relevant(survey: Survey, declared: Declared | undefined): Survey {
  const names = new Set(
    [...(declared?.columns ?? []), ...(declared?.label ? [declared.label] : [])].map(({ name }) => name),
  );
  const isDeclared = (column: number | undefined) =>
    column !== undefined && names.has(survey.columns[column - 1]?.name ?? "");
  const problems = survey.problems.filter(({ kind, column }) => kind !== "text" || isDeclared(column));
  const hasTexts = problems.some(({ kind }) => kind === "text");
  return { ...survey, problems, capped: survey.capped.filter((kind) => kind !== "text" || hasTexts) };
}
