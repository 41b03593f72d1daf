/** Released statistics as CSV: a line for each number, what it is about, and the ends of its interval where it has one. */
import type { EverydayInterval, EverydayRelease, EverydayResult } from "../../../wasm/contract.ts";
import { precise } from "../words/numbers.ts";
import { namesIn } from "../words/statistic-plan.ts";
import { labelsOf } from "../words/statistic-results.ts";

interface Line {
  readonly about: string;
  /** A cell, a level, a group, another column, a probability. */
  readonly place?: string;
  readonly value: number | null;
  readonly interval?: Pick<EverydayInterval, "lower" | "upper"> | null;
}

const around = (value: number, margin: number) => ({ lower: value - margin, upper: value + margin });

function linesOf(result: EverydayResult): readonly (Line & { readonly of?: string })[] {
  switch (result.of) {
    case "count":
      return [{ about: "", ...result }];
    case "sums":
    case "means":
    case "variances":
      return result.columns.map(({ column, level, value, interval }) => ({
        about: column,
        ...(level !== undefined && { place: level }),
        value,
        interval,
      }));
    case "covariance":
    case "correlation":
      return namesIn(result).flatMap((about, i, names) =>
        names.slice(0, i + 1).map((place, j) => ({
          about,
          place,
          value: result.matrix?.[i]?.[j] ?? null,
          interval: result.lower &&
            result.upper && {
              lower: result.lower[i]?.[j] as number,
              upper: result.upper[i]?.[j] as number,
            },
        })),
      );
    case "histogram":
      return result.cells.map(({ label, value, interval }) => ({
        about: result.column,
        place: label,
        value,
        interval,
      }));
    case "contingency":
      return result.values.map((value, i) => ({
        about: result.columns.join(" × "),
        place: labelsOf(result.labels, i).join(" × "),
        value,
        interval: around(value, result.margin),
      }));
    case "quantiles":
      return result.quantiles.map(({ probability, value }) => ({
        about: result.column,
        place: precise(probability),
        value,
      }));
    case "bounds":
      return result.range.map((value, i) => ({
        about: result.column,
        place: i === 0 ? "from" : "to",
        value,
      }));
    case "groups":
    case "found-groups":
      return result.keys.flatMap(({ key, count, rows, columns }) => [
        {
          of: "counted" in result && result.counted === "persons" ? "persons" : "count",
          about: result.by,
          place: key,
          ...count,
        },
        ...(rows ? [{ of: "count", about: result.by, place: key, ...rows }] : []),
        ...columns.flatMap(({ column, sum, mean }) => [
          { of: "sum", about: column, place: key, ...sum },
          { of: "mean", about: column, place: key, ...mean },
        ]),
      ]);
  }
}

/** Keys stay as they are, those too that a spreadsheet takes for formulas: a mark before them would be other data. */
const cell = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const number = (value: number | null | undefined) =>
  value === null || value === undefined ? "" : precise(value);

export function statisticsCsv({ results }: Pick<EverydayRelease, "results">): string {
  const lines = results.flatMap((result) =>
    linesOf(result).map(({ of = result.of, about, place = "", value, interval }) =>
      [of, about, place, number(value), number(interval?.lower), number(interval?.upper)].map(cell).join(),
    ),
  );
  return `statistic,column,cell,value,lower,upper\n${lines.join("\n")}\n`;
}
