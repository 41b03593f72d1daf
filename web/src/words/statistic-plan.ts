/** What is asked for and how far off it is expected to be, in words. */
import type { EverydayPlan, OfColumn } from "../../../wasm/contract.ts";
import type { Form } from "../fit/form.ts";
import { oneOf, type StatisticForm, someOf, subjectOf } from "../fit/statistics.ts";
import { countWords } from "./fit.ts";
import { format, grouped } from "./numbers.ts";
import { STATISTIC_WORDS } from "./statistics.ts";

/** One of them in a few words: mean of age, pay. */
export function statisticWords(form: Form, one: StatisticForm): string {
  const title = STATISTIC_WORDS[one.of].title.toLowerCase();
  const [column, some] = [oneOf(form, one), someOf(form, one)];
  if (subjectOf(one.of).by) return `${some.length > 0 ? `${listWords(some)} ` : ""}by ${column || "?"}`;
  if (column !== "") return `${title} of ${column}`;
  return some.length > 0 ? `${title} of ${listWords(some)}` : title;
}

const MOST_NAMED = 3;

export const listWords = (names: readonly string[]): string =>
  names.length <= MOST_NAMED
    ? names.join(", ")
    : `${names.slice(0, MOST_NAMED).join(", ")} and ${names.length - MOST_NAMED} more`;

/** What is in a request, in a few words: 3 means, a histogram. */
export function requestWords({ releases }: EverydayPlan["request"]): string {
  const words = releases.map((entry) => {
    const title = STATISTIC_WORDS[entry.of].title.toLowerCase();
    if (entry.of === "contingency") return title;
    if ("by" in entry) return `by ${entry.by}`;
    if ("columns" in entry) return `${title} of ${listWords(entry.columns)}`;
    if ("column" in entry) return `${title} of ${entry.column}`;
    return title;
  });
  return listWords(words);
}

type Planned = EverydayPlan["entries"][number];

/** A column, or one level of a category, of which there is a share of the rows. */
export const columnWords = ({ column, level }: OfColumn): string =>
  level === undefined ? column : `${column} = ${level}`;

/** The rows and columns of a matrix. */
export const namesIn = ({
  columns,
  levels,
}: {
  readonly columns: readonly string[];
  readonly levels?: readonly (string | null)[];
}): readonly string[] =>
  columns.map((column, i) => columnWords({ column, ...(levels?.[i] && { level: levels[i] }) }));

export interface Expected {
  readonly what: string;
  /** How far off it is expected to be, in words. */
  readonly off: string;
}

const shown = (deviation: number) => format(deviation, 3, "up");

/** What is divided by the number of rows, which nobody knows before; a guess makes it a number. */
const perRow = (deviation: number, rows: number | undefined) =>
  rows === undefined ? `± ${shown(deviation)} / number of rows` : `± ${shown(deviation / rows)}`;

/** How far off each number of an entry is expected to be: the standard deviation of its noise. */
export function expected(planned: Planned, rows: number | undefined): readonly Expected[] {
  switch (planned.of) {
    case "count":
      return [
        { what: "number of rows", off: planned.deviation === 0 ? "exact" : `± ${shown(planned.deviation)}` },
      ];
    case "sums":
      return planned.columns.map(({ deviation, ...one }) => ({
        what: `sum of ${columnWords(one)}`,
        off: `± ${shown(deviation)}`,
      }));
    case "means":
    case "variances":
      return planned.columns.map(({ deviationTimesRows, ...one }) => ({
        what: `${STATISTIC_WORDS[planned.of].title.toLowerCase()} of ${columnWords(one)}`,
        off: perRow(deviationTimesRows, rows),
      }));
    case "covariance": {
      const most = Math.max(...planned.deviationTimesRows.flat());
      return [{ what: "each covariance, at most", off: perRow(most, rows) }];
    }
    case "correlation":
      return [{ what: "correlations", off: "known afterwards: it depends on the spread of the columns" }];
    case "histogram":
    case "contingency":
      return [{ what: `each of ${grouped(planned.cells)} cells`, off: `± ${rowWords(planned.deviation)}` }];
    case "bounds":
      return [
        {
          what: "a power of two counts as occupied",
          off: `above ${rowWords(planned.threshold)} (± ${shown(planned.deviation)})`,
        },
      ];
    case "quantiles":
      return [
        {
          what: `quantiles of ${planned.column}`,
          off: `none more than ${rowWords(planned.rankError)} too high or too low in rank, in ${format(100 * planned.level, 3)} % of releases`,
        },
      ];
    case "groups":
    case "found-groups":
      return [
        { what: groupsOf(planned), off: `± ${countedWords(planned, planned.deviation)}` },
        ...planned.columns.flatMap(({ column, deviation, deviationTimesRows }) => [
          { what: `sum of ${column} in a group`, off: `± ${shown(deviation)}` },
          {
            what: `mean of ${column} in a group`,
            off: `± ${shown(deviationTimesRows)} / rows of the group`,
          },
        ]),
      ];
  }
}

const rowWords = (rows: number) => `${shown(rows)} rows`;
type PlannedGroups = Extract<Planned, { of: "groups" | "found-groups" }>;
const countedWords = (planned: PlannedGroups, number: number) =>
  `${shown(number)} ${"counted" in planned ? planned.counted : "rows"}`;

/** All of a step in one line; nothing while there is no column. */
export function statisticsLine(form: Form, all: readonly StatisticForm[]): string {
  if (!form.columns.some(({ used }) => used)) return "";
  const level = form.keeps ? `ε = ${form.epsilon || "?"}` : `noise = ${form.noise || "?"}`;
  return `${listWords(all.map((one) => statisticWords(form, one)))} · ${level}, δ = ${form.delta || "?"}`;
}

const groupsOf = (planned: PlannedGroups) =>
  planned.of === "groups"
    ? `each of ${countWords(planned.keys, "group")}`
    : `each group of more than ${countedWords(planned, planned.threshold)}`;
