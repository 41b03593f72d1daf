/** What the core says of the parts of an everyday request, as numbers with intervals. */
import type { EverydayColumn, EverydayInterval } from "../contract.ts";
import { LEVEL, WITHIN } from "../release/intervals.ts";

/** A public number of a part, by its name; and what a part released. */
export type Parameters = (part: number, name: string) => number;
export type Outputs = (part: number, name: string) => Float64Array;
/** The keys of a column of the table, by their numbers. */
export type Keys = (column: string) => readonly string[];

export const at = (values: ArrayLike<number>, i: number) => values[i] as number;

/** What every interval covers, and how surely. */
export const COVERED = { covers: "table", level: LEVEL } as const;

export function around(value: number, deviation: number): EverydayInterval {
  const half = WITHIN * deviation;
  return { ...COVERED, lower: value - half, upper: value + half };
}

/** Three numbers of the core as one in the units of the table; null where too few rows are known of. */
export function mapped(
  triples: Float64Array,
  i: number,
  map: (value: number) => number,
): Pick<EverydayColumn, "value" | "interval"> {
  const [value, lower, upper] = [0, 1, 2].map((k) => at(triples, 3 * i + k)) as [number, number, number];
  if (!Number.isFinite(value)) return { value: null, interval: null };
  return {
    value: map(value),
    interval: { ...COVERED, lower: map(lower), upper: map(upper) },
  };
}
