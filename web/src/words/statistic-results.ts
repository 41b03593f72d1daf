/** What released statistics say, in plain sentences; numbers are told as finely as the noise leaves them. */
import type { EverydayColumn, EverydayInterval, EverydayResult } from "../../../wasm/contract.ts";
import { format, grouped, type Side } from "./numbers.ts";
import { columnWords, listWords, namesIn } from "./statistic-plan.ts";
import { STATISTIC_WORDS } from "./statistics.ts";

type Result<Of extends EverydayResult["of"]> = Extract<EverydayResult, { of: Of }>;
type Ends = Pick<EverydayInterval, "lower" | "upper">;

export const TOO_FEW =
  "Too few rows to say: the noise may be most of the number of rows, and whatever were divided by it would say nothing. It is paid for all the same.";

/** What every interval means, once for all. */
export const ABOUT_INTERVALS =
  "Each interval contains the table’s own value at 95 %, one number at a time, whatever the rows are: the value that the rows have after those beyond a declared range were moved to its end. It says nothing of other tables.";

/** The power of ten of the last digit that is told: a tenth to a hundredth of half the interval. */
const lastPlace = ({ lower, upper }: Ends) => Math.floor(Math.log10((upper - lower) / 2)) - 1;

/** All numbers with the same interval end in the same place. */
function rounded(value: number, ends: Ends, side: Side): string {
  if (!(ends.upper > ends.lower)) return format(value, 6, side);
  const place = lastPlace(ends);
  const digits = Math.floor(Math.log10(Math.abs(value))) - place + 1;
  if (digits >= 1) return format(value, digits, side);
  const away = side === "up" ? value > 0 : side === "down" && value < 0;
  return format(away ? Math.sign(value) * Number(`1e${place}`) : 0);
}

export const valueIn = (value: number, ends: Ends) => rounded(value, ends, "nearest");

export const endsWords = (ends: Ends): string =>
  `${rounded(ends.lower, ends, "down")} to ${rounded(ends.upper, ends, "up")}`;

/** A number of rows with noise, which may be below 0. */
export const rowsWords = (rows: number) => {
  const near = Math.round(rows);
  return near < 0 ? `−${grouped(-near)}` : grouped(near);
};

/** What a result is called. */
export function resultTitle(result: EverydayResult): string {
  const { title } = STATISTIC_WORDS[result.of];
  if (result.of === "groups" || result.of === "found-groups") return `${title}: ${result.by}`;
  if (result.of === "contingency") return `${title}: ${result.columns.join(" × ")}`;
  if ("column" in result) return `${title} of ${result.column}`;
  if (!("columns" in result)) return title;
  const columns = result.columns.map((one) => (typeof one === "string" ? one : one.column));
  return `${title} of ${listWords([...new Set(columns)])}`;
}

/** More sentences would hide the table. */
const MOST_SENTENCES = 3;

const meanSentence = ({ value, interval, ...one }: EverydayColumn) =>
  value === null || interval === null
    ? []
    : [
        `The ${one.level === undefined ? "mean of" : "share of rows with"} ${columnWords(one)} is about ${valueIn(value, interval)}; the table’s own is from ${endsWords(interval)}.`,
      ];

const varianceSentence = ({ value, ...one }: EverydayColumn) =>
  value === null
    ? []
    : value > 0
      ? [
          `${columnWords(one)} is spread by about ${format(Math.sqrt(value), 3)} around its mean (standard deviation).`,
        ]
      : [`The variance of ${columnWords(one)} is too small for this noise: it came out below 0.`];

/** The pair that goes together the most, among those whose interval says of which sign they are. */
function pairSentence(result: Result<"correlation">): readonly string[] {
  const { matrix, lower, upper } = result;
  const columns = namesIn(result);
  if (!matrix || !lower || !upper || columns.length < 2) return [];
  // Of one category whoever has a level has none of the others.
  const pairs = columns.flatMap((_, i) =>
    columns.slice(0, i).flatMap((_, j) => (result.columns[i] === result.columns[j] ? [] : [[i, j] as const])),
  );
  if (pairs.length === 0) return [];
  const at = (all: readonly (readonly number[])[], [i, j]: readonly [number, number]) =>
    all[i]?.[j] as number;
  const clear = pairs.filter((pair) => at(lower, pair) > 0 || at(upper, pair) < 0);
  const [first] = clear.sort((a, b) => Math.abs(at(matrix, b)) - Math.abs(at(matrix, a)));
  if (!first) return ["Of no pair of columns the sign is clear: each interval holds 0."];
  const [i, j] = first;
  const value = at(matrix, first);
  const ends = { lower: at(lower, first), upper: at(upper, first) };
  return [
    `${columns[j]} and ${columns[i]} are the most correlated: ${valueIn(value, ends)}; the table’s own is from ${endsWords(ends)}.`,
  ];
}

/** The labels of a cell, whose last column runs fastest. */
export function labelsOf(labels: readonly (readonly string[])[], place: number): readonly string[] {
  const found: string[] = [];
  let rest = place;
  for (const level of [...labels].reverse()) {
    found.unshift(level[rest % level.length] as string);
    rest = Math.floor(rest / level.length);
  }
  return found;
}

/** What a cell of a histogram holds. */
export function cellWords({ kind, label, from, to }: Result<"histogram">["cells"][number]): string {
  if (kind === "malformed") return "no value";
  return from === undefined || to === undefined ? label : `${format(from, 6)} to ${format(to, 6)}`;
}

/** The largest of many noisy numbers. */
const largest = <T>(all: readonly T[], of: (one: T) => number): T | undefined =>
  all.reduce<T | undefined>(
    (best, one) => (best === undefined || of(one) > of(best) ? one : best),
    undefined,
  );

function histogramSentence({ column, cells }: Result<"histogram">): readonly string[] {
  const most = largest(
    cells.filter(({ kind }) => kind === "bin" || kind === "level"),
    ({ value }) => value,
  );
  const unread = cells.find(({ kind }) => kind === "malformed");
  const place = most?.kind === "bin" ? `with ${column} from ${cellWords(most)}` : `with “${most?.label}”`;
  return [
    ...(most ? [`The most rows are those ${place}: about ${rowsWords(most.value)}.`] : []),
    ...(unread && unread.interval.lower > 0
      ? [`About ${rowsWords(unread.value)} rows have no value in ${column}.`]
      : []),
  ];
}

function quantileSentences({ column, quantiles, rankError, level }: Result<"quantiles">): readonly string[] {
  const median = quantiles.find(({ probability }) => probability === 0.5);
  return [
    ...(median ? [`Half of the rows have a value of ${column} below about ${format(median.value, 5)}.`] : []),
    `In ${format(100 * level, 3)} % of releases none of these is off by more than ${format(rankError, 3, "up")} rows in rank among the table’s own, beyond what the nearest of the points that it is chosen from is off.`,
  ];
}

export function sentencesOf(result: EverydayResult): readonly string[] {
  switch (result.of) {
    case "count":
      return [`There are about ${rowsWords(result.value)} rows.`];
    case "means":
      return result.tooFew ? [TOO_FEW] : result.columns.flatMap(meanSentence).slice(0, MOST_SENTENCES);
    case "variances":
      return result.tooFew ? [TOO_FEW] : result.columns.flatMap(varianceSentence).slice(0, MOST_SENTENCES);
    case "covariance":
      return result.tooFew ? [TOO_FEW] : [];
    case "correlation":
      return result.tooFew ? [TOO_FEW] : pairSentence(result);
    case "histogram":
      return histogramSentence(result);
    case "quantiles":
      return quantileSentences(result);
    case "contingency": {
      const place = result.values.indexOf(Math.max(...result.values.slice(0, 100_000)));
      const labels = labelsOf(result.labels, place);
      return [
        `The largest cell is ${labels.join(" × ")}: about ${rowsWords(result.values[place] as number)} rows.`,
      ];
    }
    case "bounds":
      return [
        result.found
          ? `The cells that stand out of the noise reach from ${format(result.range[0], 6)} to ${format(result.range[1], 6)}. Few values can be beyond.`
          : "No cell stands out of the noise: of the values no more is known than the declared range.",
      ];
    case "found-groups": {
      const least = `Groups of about ${format(result.threshold, 3)} ${result.counted} or fewer are not told`;
      if (result.keys.length === 0) return [`${least}: there is none.`];
      return [
        `${least}; the numbers of those just above are a little too high.`,
        ...largestGroup(result, result.counted),
      ];
    }
    case "groups":
      return largestGroup(result);
    default:
      return [];
  }
}

function largestGroup(
  { keys }: Pick<Extract<EverydayResult, { of: "groups" }>, "keys">,
  counted: "persons" | "rows" = "rows",
): readonly string[] {
  const most = largest(keys, ({ count }) => count.value);
  return most ? [`The largest group is ${most.key}: about ${rowsWords(most.count.value)} ${counted}.`] : [];
}
