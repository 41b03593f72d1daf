/** What each everyday statistic is, what it costs, what can go wrong; and what the fields of the form are called. */
import type { StatisticKind } from "../fit/statistics.ts";

interface Words {
  readonly title: string;
  readonly help: string;
}

export const STATISTIC_WORDS: Readonly<Record<StatisticKind, Words>> = {
  means: {
    title: "Mean",
    help: "The sum over the number of rows, both with noise; of a category the share of rows with each level. The wider the declared range, the more noise; of few rows there is none.",
  },
  histogram: {
    title: "Histogram",
    help: "How many rows are in each bin or have each level. The noise of a cell is the same however many cells there are; sums of many cells add up their noise. With noise a count can be below 0.",
  },
  quantiles: {
    title: "Quantiles",
    help: "The median is 0.5, the quartiles 0.25 and 0.75: at most three decimals. Good where few values are far out, because the range matters little. Each further one shares the budget.",
  },
  count: {
    title: "Number of rows",
    help: "All rows; where sums, means or the like are released too, those that have a value in each of their columns.",
  },
  sums: {
    title: "Sum",
    help: "The noise grows with the declared range, not with the number of rows. Of a category the rows with each level are counted.",
  },
  variances: {
    title: "Variance",
    help: "How far values are spread around the mean. The noise grows with the square of the range; with few rows it can come out below 0.",
  },
  covariance: {
    title: "Covariance",
    help: "Of all pairs of columns, and how large their main directions are. It costs no more than variances do, with more noise the more columns there are; how many levels a category has makes no difference.",
  },
  correlation: {
    title: "Correlation",
    help: "From −1 to 1 for each pair of columns. Made from the covariance; where a column hardly varies, its noise says more than it does.",
  },
  contingency: {
    title: "Table of counts",
    help: "How many rows have each combination of levels and bins. Cells multiply: with many, most hold noise alone. Sums over cells add up their noise, so release the totals too if you need them.",
  },
  groups: {
    title: "By group",
    help: "For each level of a column the number of rows, and the sums and means of others. Groups do not share the budget, because a row is in one of them; small groups have too few rows for a mean.",
  },
  "found-groups": {
    title: "By group, as found",
    help: "By a column that is not used, whose values nobody knows beforehand: names of places, words. Told are groups of many persons only, so that no value that few have comes out; their numbers near that limit are a little too large. A part of δ is for that. Where a person may have several rows, a column must name the persons.",
  },
  bounds: {
    title: "Range",
    help: "In place of the least and the largest value, which no noise can make private: powers of two between which nearly all values are. Use it to declare a narrower range next time; it is paid for.",
  },
};

/** What is wrong with a field of a statistic, in words: releases.2.bins is about the third of them. */
const PARTS: readonly (readonly [RegExp, string])[] = [
  [/bins$/, "bins"],
  [/probabilities$/, "probabilities"],
  [/candidates$/, "number of candidates"],
  [/weight$/, "weight"],
  [/(column|by)$/, "column"],
  [/columns$/, "columns"],
];

/** What a field of the statistics is called; nothing where it is none of theirs. */
export function statisticField(field: string, of: StatisticKind | undefined): string | undefined {
  if (field === "releases") return "what is released";
  if (field === "noise") return "noise";
  if (field === "neighbours") return "neighbours";
  if (!field.startsWith("releases.")) return undefined;
  const part = PARTS.find(([pattern]) => pattern.test(field))?.[1];
  const title = of ? STATISTIC_WORDS[of].title : "statistic";
  return part === undefined ? title : `${part} of “${title}”`;
}
