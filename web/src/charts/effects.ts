/** What moves a model's predictions, in units that can be compared: the change across each declared range. */
import type { ModelRelease } from "../../../wasm/contract.ts";
import { SAMPLES, type SampleName } from "../fit/samples.ts";
import { format } from "../words/numbers.ts";

export interface Effect {
  readonly label: string;
  /** In units of the label, or of the linear predictor; of a level, from the average of its column's levels. */
  readonly value: number;
  /** Half the length of the interval for the privacy noise, where the release tells it; not of levels. */
  readonly noise: number | undefined;
  /** What a sample was made with. */
  readonly truth: number | undefined;
}

export function effects(release: ModelRelease, sample: SampleName | undefined): Effect[] {
  const { coefficients, intervals, request } = release;
  const widths = intervals.privacyNoise?.terms;
  const truths: Readonly<Record<string, number>> = sample ? SAMPLES[sample].truth : {};
  const averages = averagesOfLevels(release);
  const columns = new Map(request.table.columns.map((column) => [column.name, column]));
  return coefficients.terms.map(({ column, level, coefficient }, i) => {
    const noise = widths?.[i];
    if (level !== undefined) {
      const value = coefficient - (averages.get(column) ?? 0);
      return { label: `${column}: ${level}`, value, noise: undefined, truth: undefined };
    }
    const declared = columns.get(column);
    const [low = 0, high = 1] = declared?.use === "numeric" ? declared.range : [];
    const width = high - low;
    const truth = Object.hasOwn(truths, column) ? (truths[column] as number) * width : undefined;
    const label = `${column}, ${format(low, 4)} to ${format(high, 4)}`;
    return { label, value: coefficient * width, noise: noise && noise * width, truth };
  });
}

/**
 * By column. What all levels of a column share could stand in the intercept as well: only what sets them apart is an
 * effect.
 */
function averagesOfLevels({ coefficients }: ModelRelease): ReadonlyMap<string, number> {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const { column, level, coefficient } of coefficients.terms) {
    if (level === undefined) continue;
    const { sum, count } = sums.get(column) ?? { sum: 0, count: 0 };
    sums.set(column, { sum: sum + coefficient, count: count + 1 });
  }
  return new Map([...sums].map(([column, { sum, count }]) => [column, sum / count]));
}
