/** A saved request for everyday statistics, as the form has it. */
import type { EverydayRequest } from "../../../wasm/contract.ts";
import type { Form } from "./form.ts";
import { type StatisticForm, statistic } from "./statistics.ts";

type Entry = EverydayRequest["releases"][number];

interface Divided {
  readonly column: string;
  readonly bins?: number | undefined;
  readonly edges?: readonly number[] | undefined;
}

const listed = (values: readonly number[]) => values.join("; ");

function binsOf({ column, bins, edges }: Divided): StatisticForm["bins"] {
  if (edges) return { [column]: listed(edges) };
  return bins === undefined ? {} : { [column]: String(bins) };
}

function subject(entry: Entry): Partial<StatisticForm> {
  switch (entry.of) {
    case "count":
      return {};
    case "histogram":
      return { column: entry.column, bins: binsOf(entry) };
    case "contingency":
      return {
        columns: entry.columns.map(({ column }) => column),
        bins: Object.assign({}, ...entry.columns.map(binsOf)),
      };
    case "quantiles":
      return {
        column: entry.column,
        probabilities: listed(entry.probabilities),
        candidates: String(entry.candidates),
      };
    case "bounds":
      return { column: entry.column };
    case "groups":
    case "found-groups":
      return { column: entry.by, columns: entry.columns };
    default:
      return { columns: entry.columns };
  }
}

export const statisticsIn = ({ releases, noise, neighbours }: EverydayRequest): Partial<Form> => ({
  wanted: "statistics",
  statistics: releases.map((entry) => ({
    ...statistic(entry.of),
    ...subject(entry),
    weight: entry.weight === 1 ? "" : String(entry.weight),
  })),
  noise: noise === undefined ? "" : String(noise),
  neighbours,
});
