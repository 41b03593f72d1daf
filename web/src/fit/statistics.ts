/**
 * Everyday statistics in the form: which numbers of which columns. Until somebody chooses otherwise they follow the
 * columns that are used: the mean of each number, the histogram of one.
 */
import type { EverydayRequest } from "../../../wasm/contract.ts";
import type { ColumnForm, Form } from "./form.ts";

export type StatisticKind = EverydayRequest["releases"][number]["of"];
export type Use = ColumnForm["use"] | "any" | "unused";

/** Which columns each is about: one, several, or both. */
interface Subject {
  readonly one?: Use;
  readonly some?: Use;
  /** So many of several until they are chosen; all of them otherwise, or of numbers and categories all numbers. */
  readonly first?: number;
  /** Several may be none. */
  readonly mayBeNone?: boolean;
  /** Numbers are divided into bins. */
  readonly divides?: boolean;
  /** Rows are grouped by the one column. */
  readonly by?: boolean;
}

const SUBJECTS: Readonly<Record<StatisticKind, Subject>> = {
  means: { some: "any" },
  histogram: { one: "any", divides: true },
  quantiles: { one: "numeric" },
  count: {},
  sums: { some: "any" },
  variances: { some: "any" },
  covariance: { some: "any" },
  correlation: { some: "any" },
  contingency: { some: "any", first: 2, divides: true },
  groups: { one: "categorical", some: "numeric", mayBeNone: true, by: true },
  "found-groups": { one: "unused", some: "numeric", mayBeNone: true, by: true },
  bounds: { one: "numeric" },
};

export const STATISTICS = Object.keys(SUBJECTS) as readonly StatisticKind[];
export const subjectOf = (of: StatisticKind): Subject => SUBJECTS[of];

export interface StatisticForm {
  readonly of: StatisticKind;
  /** The one column; the first that fits while it is none of those. */
  readonly column: string;
  /** The several columns; those of the rule above until they are chosen. */
  readonly columns: readonly string[] | undefined;
  /** By column: how many bins, or several edges. */
  readonly bins: Readonly<Record<string, string>>;
  readonly probabilities: string;
  /** May be left out. */
  readonly candidates: string;
  readonly weight: string;
}

export const statistic = (of: StatisticKind): StatisticForm => ({
  of,
  column: "",
  columns: undefined,
  bins: {},
  probabilities: "0.25; 0.5; 0.75",
  candidates: "",
  weight: "",
});

/** What numbers are divided into until it is said. */
export const USUAL_BINS = "10";
export const binsOf = ({ bins }: StatisticForm, column: string): string => bins[column] ?? USUAL_BINS;

const usedColumns = ({ columns }: Form, use: Use) =>
  columns.filter((column) =>
    use === "unused" ? !column.used : column.used && (use === "any" || column.use === use),
  );

export const isNumber = ({ columns }: Form, name: string) =>
  columns.some((column) => column.name === name && column.use === "numeric");

/** The names to choose the one column from, numbers first. */
export function oneFrom(form: Form, { of }: StatisticForm): readonly string[] {
  const { one } = SUBJECTS[of];
  if (!one) return [];
  const fitting = usedColumns(form, one);
  const numbers = fitting.filter(({ use }) => use === "numeric");
  return [...numbers, ...fitting.filter(({ use }) => use !== "numeric")].map(({ name }) => name);
}

/** Empty where no column fits. */
export function oneOf(form: Form, statistic: StatisticForm): string {
  const names = oneFrom(form, statistic);
  return names.includes(statistic.column) ? statistic.column : (names[0] ?? "");
}

export function someFrom(form: Form, { of }: StatisticForm): readonly string[] {
  const { some } = SUBJECTS[of];
  return some ? usedColumns(form, some).map(({ name }) => name) : [];
}

/** In the order in which they were chosen. */
export function someOf(form: Form, statistic: StatisticForm): readonly string[] {
  const names = someFrom(form, statistic);
  const { columns } = statistic;
  if (columns) return columns.filter((name) => names.includes(name));
  const { first } = SUBJECTS[statistic.of];
  if (first !== undefined) return names.slice(0, first);
  const numbers = names.filter((name) => isNumber(form, name));
  return numbers.length > 0 ? numbers : names;
}

/** Those of the form; while none was chosen, what suits the columns. */
export function statisticsOf(form: Form): readonly StatisticForm[] {
  if (form.statistics) return form.statistics;
  const used = form.columns.filter((column) => column.used);
  const isAllWords = used.length > 0 && used.every(({ use }) => use === "categorical");
  return isAllWords ? [statistic("histogram")] : [statistic("means"), statistic("histogram")];
}

export const withStatistic = (form: Form, index: number, patch: Partial<StatisticForm>): Form => ({
  ...form,
  statistics: statisticsOf(form).map((one, i) => (i === index ? { ...one, ...patch } : one)),
});

export const withMore = (form: Form, of: StatisticKind): Form => ({
  ...form,
  statistics: [...statisticsOf(form), statistic(of)],
});

export const withLess = (form: Form, index: number): Form => ({
  ...form,
  statistics: statisticsOf(form).filter((_, i) => i !== index),
});

/** Fewer columns are all taken at first. */
const FEW = 8;

/** Which of both is released. Of a small table all numbers are taken where nothing was chosen yet: that says nothing of it. */
export function withWanted(form: Form, wanted: Form["wanted"]): Form {
  const isUntouched = form.columns.every(({ used }) => !used) && form.columns.length <= FEW;
  if (wanted === "model" || !isUntouched) return { ...form, wanted };
  const columns = form.columns.map((column) => ({
    ...column,
    used: column.use === "numeric" && column.fault === "",
  }));
  return { ...form, wanted, columns };
}
