/**
 * Tables of votes: ballots, where each row is a voter with one choice in each question, or counts, where each row is a
 * question with a number of votes for each class. How many questions and classes there are is declared, never read off
 * the rows: a question that nobody answers has a winner too.
 */
import { Refusal } from "../engine/refusal.ts";
import type { CategoricalColumn, Column, Label, NumericColumn, TableRequest } from "./declaration.ts";

type VoteLabel = Extract<Label, { use: "choice" | "question" }>;

export interface Votes {
  readonly form: "ballots" | "counts";
  readonly label: VoteLabel;
  readonly questions: readonly string[];
  readonly classes: readonly string[];
  /** What stands in a row's features, in order: the questions of a ballot, the classes of a question. */
  readonly columns: readonly (CategoricalColumn | NumericColumn | VoteLabel)[];
}

export const isVote = (label: Label): label is VoteLabel =>
  label.use === "choice" || label.use === "question";

/** The columns that are used, each of which must be of that use. */
function used<U extends "numeric" | "categorical">(columns: readonly Column[], use: U, rule: string) {
  return columns.flatMap((column, i) => {
    if (column.use === "ignored") return [];
    if (column.use === use) return [{ ...(column as Extract<Column, { use: U }>), at: i }];
    throw new Refusal("unsupported", `table.columns.${i}.use`, column.use, rule);
  });
}

function ballots(label: VoteLabel, columns: readonly Column[]): Votes {
  const others = used(columns, "categorical", "a further question of a ballot must be categorical");
  for (const { levels, at } of others) {
    if (levels.length === label.levels.length && levels.every((level, i) => level === label.levels[i]))
      continue;
    const rule = "must be the classes of table.label.levels, in that order: all questions have the same";
    throw new Refusal("malformed", `table.columns.${at}.levels`, levels.join(", "), rule, { shown: true });
  }
  const questions = [label, ...others];
  return {
    form: "ballots",
    label,
    questions: questions.map(({ name }) => name),
    classes: label.levels,
    columns: questions,
  };
}

function counts(label: VoteLabel, { columns, unit }: TableRequest): Votes {
  const classes = used(columns, "numeric", "the votes for a class must be numeric");
  if (classes.length < 2) {
    const rule = "must be two classes at least: a column of numbers of votes for each";
    throw new Refusal("range", "table.columns", `${classes.length} used`, rule, { shown: true });
  }
  if (unit.column !== undefined) {
    const rule = "names nobody where a row is a question: votes were counted already";
    throw new Refusal("unsupported", "table.unit.column", unit.column, rule);
  }
  return {
    form: "counts",
    label,
    questions: label.levels,
    classes: classes.map(({ name }) => name),
    columns: classes,
  };
}

/** What a declared table of votes holds, or a refusal of what does not make one; nothing of any other table. */
export function votesOf(table: TableRequest): Votes | undefined {
  const { label, columns } = table;
  if (!label || !isVote(label)) return undefined;
  return label.use === "choice" ? ballots(label, columns) : counts(label, table);
}
