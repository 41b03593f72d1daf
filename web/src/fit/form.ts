/** What a person has typed and chosen on the fit page, as texts: nothing of it is read off the data. */
import type { FitRequest } from "../../../wasm/contract.ts";
import type { SurveyedColumn } from "../../../wasm/table/inspect.ts";
import { choicesFor, isVoteTask, labelUse, type Task } from "./choices.ts";
import type { StatisticForm } from "./statistics.ts";

export interface ColumnForm {
  readonly name: string;
  /** Why it cannot be used; empty where it can. */
  readonly fault: string;
  readonly used: boolean;
  readonly use: "numeric" | "categorical";
  readonly low: string;
  readonly high: string;
  /** One level a line. */
  readonly levels: string;
  /** What accepting them from the file means; empty where they were typed. */
  readonly levelsWarning: string;
  /** Why they could not be looked up in the file; empty where they could, or were not. */
  readonly levelsFault: string;
  /** What stands for a missing value. */
  readonly constant: string;
}

export interface LabelForm {
  readonly name: string;
  readonly low: string;
  readonly high: string;
  readonly first: string;
  readonly second: string;
  /** Of votes: the classes or the questions, one a line. */
  readonly levels: string;
  readonly constant: string;
}

export interface Form {
  readonly unit: { readonly protects: string; readonly rows: string; readonly column: string };
  readonly columns: readonly ColumnForm[];
  readonly label: LabelForm;
  /** What happens to a row that lacks a value; nothing until it is decided. */
  readonly missing: "" | "drop" | "constant";
  readonly rowNorm: string;
  readonly intercept: string;
  /** What is released; what was answered about the other is kept. */
  readonly wanted: "model" | "statistics";
  /** Nothing while they follow the columns. */
  readonly statistics: readonly StatisticForm[] | undefined;
  /** Of statistics, where no ε is kept. */
  readonly noise: string;
  /** Who counts as a neighbour of statistics. */
  readonly neighbours: "add-remove" | "replace";
  readonly task: Task;
  readonly algorithm: string;
  /** By their keys; each is kept while another algorithm is looked at. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Several values of one parameter to try; no parameter: none is tried. */
  readonly tune: { readonly parameter: string; readonly values: string; readonly runs: string };
  readonly accounting: string;
  /** Whether an ε is kept, or a noise is typed and priced. */
  readonly keeps: boolean;
  readonly epsilon: string;
  readonly delta: string;
  /** Of a demonstration on a sample; empty for noise that nobody knows. */
  readonly seed: string;
}

/** What a sample fills in. */
export interface FormPatch extends Partial<Omit<Form, "columns" | "label">> {
  readonly columns: Readonly<Record<string, Partial<ColumnForm>>>;
  readonly label: Partial<LabelForm>;
}

const LABEL: LabelForm = { name: "", low: "", high: "", first: "", second: "", levels: "", constant: "" };

export const EMPTY: Form = {
  unit: { protects: "", rows: "", column: "" },
  columns: [],
  label: LABEL,
  missing: "",
  rowNorm: "1",
  intercept: "1",
  wanted: "model",
  statistics: undefined,
  noise: "",
  neighbours: "add-remove",
  task: "squared",
  algorithm: choicesFor("squared")[0]?.name ?? "",
  parameters: {},
  tune: { parameter: "", values: "", runs: "" },
  accounting: "tight",
  keeps: true,
  epsilon: "",
  delta: "",
  seed: "",
};

/** A form for the columns of a table. What was decided about columns of the same names stays. */
export function forColumns(form: Form, columns: readonly SurveyedColumn[]): Form {
  const before = new Map(form.columns.map((column) => [column.name, column]));
  const counts = new Map<string, number>();
  for (const { name } of columns) counts.set(name, (counts.get(name) ?? 0) + 1);
  const fresh = columns.map(({ name, numeric }): ColumnForm => {
    const fault =
      name === "" ? "has no name" : (counts.get(name) ?? 0) > 1 ? "has the same name as another column" : "";
    const kept = before.get(name);
    const empty = {
      used: false,
      low: "",
      high: "",
      levels: "",
      levelsWarning: "",
      levelsFault: "",
      constant: "",
    };
    const guess = { use: numeric ? "numeric" : "categorical" } as const;
    return { ...empty, ...guess, ...(fault === "" ? kept : {}), name, fault, levelsFault: "" };
  });
  const label = counts.get(form.label.name) === 1 ? form.label : LABEL;
  // Without the column that names them, who is protected is a new question.
  const isNamed = form.unit.column === "" || counts.get(form.unit.column) === 1;
  const unit = isNamed ? form.unit : EMPTY.unit;
  return { ...form, columns: fresh, label, unit };
}

/** The form with what a sample says; who is protected is left to the person. */
export function filled(form: Form, { columns, label, ...rest }: FormPatch): Form {
  return {
    ...form,
    ...rest,
    missing: "drop",
    epsilon: "1",
    delta: "1e-6",
    keeps: true,
    columns: form.columns.map((column) => ({ ...column, ...columns[column.name] })),
    label: { ...LABEL, ...label },
  };
}

/** The column that is predicted; empty where none is. */
export const predicted = ({ wanted, task, label }: Form): string =>
  wanted === "statistics" || task === "none" ? "" : label.name;

/** A model has an intercept; in a release of the columns a constant feature would be one column more, and votes have none. */
function interceptFor({ intercept, task: before }: Form, task: Task): string {
  const isWithout = (one: Task) => one === "none" || isVoteTask(one);
  if (isWithout(task)) return "0";
  return isWithout(before) && intercept === "0" ? EMPTY.intercept : intercept;
}

export const withParameter = (form: Form, key: string, value: string): Form => ({
  ...form,
  parameters: { ...form.parameters, [key]: value },
});

/** As it was asked elsewhere: what is not among that is left as it was typed. */
export function withAlgorithm(form: Form, algorithm: FitRequest["algorithm"]): Form {
  const { name, accounting: _, ...asked } = algorithm;
  const texts = Object.entries(asked).flatMap(([key, value]) =>
    value === undefined || key === "loss" ? [] : [[key, String(value)]],
  );
  return { ...form, algorithm: name, parameters: { ...form.parameters, ...Object.fromEntries(texts) } };
}

/** A task brings its own algorithms; the first is a good one to begin with. */
export const withTask = (form: Form, task: Task): Form => ({
  ...form,
  task,
  intercept: interceptFor(form, task),
  algorithm: choicesFor(task)[0]?.name ?? "",
});

export const withColumn = (form: Form, index: number, patch: Partial<ColumnForm>): Form => ({
  ...form,
  columns: form.columns.map((column, i) => (i === index ? { ...column, ...patch } : column)),
});

/** The column that is predicted is not one to predict from. Texts are not predicted as numbers. */
export function withLabel(form: Form, name: string): Form {
  const columns = form.columns.map((column) => (column.name === name ? { ...column, used: false } : column));
  const isText = form.columns.some((column) => column.name === name && column.use === "categorical");
  const next = { ...form, label: { ...form.label, name }, columns };
  const isNumber = labelUse(form.task) === "numeric" || labelUse(form.task) === "count";
  return isText && isNumber ? withTask(next, "logistic") : next;
}
