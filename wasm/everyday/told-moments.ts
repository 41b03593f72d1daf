/** Counts, sums, means, variances, covariances and correlations: what a plan and a release say of them. */
import type { EverydayColumn, EverydayInterval } from "../contract.ts";
import { centre, type EverydayEntry } from "./everyday-request.ts";
import { type Coordinate, placesOf, type Told } from "./parts.ts";
import { around, at, COVERED, mapped, type Outputs, type Parameters } from "./released.ts";

/** The place of a pair in a lower triangle, by rows; without its diagonal for pairs that differ. */
const place = (i: number, j: number) => (Math.max(i, j) * (Math.max(i, j) + 1)) / 2 + Math.min(i, j);
const pair = (i: number, j: number) => (Math.max(i, j) * (Math.max(i, j) - 1)) / 2 + Math.min(i, j);

export type OfMoments = Extract<Told, { kind: "moments" }>;

/** What an entry names, among the coordinates of the part. */
const named = (entry: EverydayEntry, coordinates: readonly Coordinate[]) =>
  placesOf("columns" in entry ? (entry.columns as readonly string[]) : [], coordinates).map((index) => {
    const one = coordinates[index] as Coordinate;
    const about = one.use === "level" ? { column: one.name, level: one.level } : { column: one.name };
    return { about, index, ...(one.use === "level" ? { middle: 0, half: 1 } : centre(one)) };
  });

/** Of each row and column of a matrix the column of the table, and the level where any of them is one. */
const heads = (all: ReturnType<typeof named>) => ({
  columns: all.map(({ about }) => about.column),
  ...(all.some(({ about }) => about.level !== undefined) && {
    levels: all.map(({ about }) => about.level ?? null),
  }),
});

export function plannedMoments(
  entry: EverydayEntry,
  { part, coordinates }: OfMoments,
  of: Parameters,
): object {
  const all = named(entry, coordinates);
  const [count, sum] = [of(part, "count"), of(part, "sum")];
  switch (entry.of) {
    case "count":
      return { deviation: count };
    case "sums":
      return {
        columns: all.map(({ about, middle, half }) => ({
          ...about,
          deviation: Math.hypot(middle * count, half * sum),
        })),
      };
    case "means":
      return { columns: all.map(({ about, half }) => ({ ...about, deviationTimesRows: half * sum })) };
    case "variances":
      return {
        columns: all.map(({ about, half }) => ({
          ...about,
          deviationTimesRows: half ** 2 * of(part, "square"),
        })),
      };
    case "covariance":
      return {
        ...heads(all),
        deviationTimesRows: all.map((one) =>
          all.map((other) => one.half * other.half * of(part, one === other ? "square" : "product")),
        ),
      };
    default:
      return heads(all);
  }
}

/** The three matrices of an entry: values and the ends of their intervals; null where too few rows are known of. */
function matrices(
  size: number,
  entryOf: (i: number, j: number) => Pick<EverydayColumn, "value" | "interval">,
) {
  const entries = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j) => entryOf(i, j)),
  );
  if (entries.some((row) => row.some(({ value }) => value === null)))
    return { ...COVERED, matrix: null, lower: null, upper: null };
  const each = (read: (entry: Pick<EverydayColumn, "value" | "interval">) => number) =>
    entries.map((row) => row.map(read));
  return {
    ...COVERED,
    matrix: each(({ value }) => value as number),
    lower: each(({ interval }) => (interval as EverydayInterval).lower),
    upper: each(({ interval }) => (interval as EverydayInterval).upper),
  };
}

function eigenvalues({ part, spectrum }: OfMoments, out: Outputs) {
  const triples = out(part, `eigenvalues.${spectrum}`);
  if (!Number.isFinite(at(triples, 0))) return null;
  const values = Array.from({ length: triples.length / 3 }, (_, i) => ({
    value: at(triples, 3 * i),
    lower: at(triples, 3 * i + 1),
    upper: at(triples, 3 * i + 2),
  }));
  return { ...COVERED, values };
}

export function toldMoments(entry: EverydayEntry, told: OfMoments, of: Parameters, out: Outputs): object {
  const { part, coordinates } = told;
  const all = named(entry, coordinates);
  const rows = at(out(part, "count"), 0);
  const deviation = of(part, "count");
  if (entry.of === "count") return { value: rows, deviation, interval: around(rows, deviation) };
  if (entry.of === "sums") {
    const sums = out(part, "sums");
    return {
      columns: all.map(({ about, index, middle, half }) => {
        const value = middle * rows + half * at(sums, index);
        const off = Math.hypot(middle * deviation, half * of(part, "sum"));
        return { ...about, value, deviation: off, interval: around(value, off) };
      }),
    };
  }
  const tooFew = !Number.isFinite(at(out(part, "means"), 0));
  switch (entry.of) {
    case "means":
      return {
        tooFew,
        columns: all.map(({ about, index, middle, half }) => ({
          ...about,
          ...mapped(out(part, "means"), index, (value) => middle + half * value),
        })),
      };
    case "variances":
      return {
        tooFew,
        columns: all.map(({ about, index, half }) => ({
          ...about,
          ...mapped(out(part, "covariances"), place(index, index), (value) => half ** 2 * value),
        })),
      };
    case "covariance":
      return {
        tooFew,
        ...heads(all),
        ...matrices(all.length, (i, j) => {
          const [one, other] = [all[i], all[j]] as [(typeof all)[number], (typeof all)[number]];
          return mapped(
            out(part, "covariances"),
            place(one.index, other.index),
            (value) => one.half * other.half * value,
          );
        }),
        eigenvalues: eigenvalues(told, out),
      };
    default:
      return {
        tooFew,
        ...heads(all),
        ...matrices(all.length, (i, j) => {
          const one = { ...COVERED, lower: 1, upper: 1 };
          if (i === j) return tooFew ? { value: null, interval: null } : { value: 1, interval: one };
          return mapped(
            out(part, "correlations"),
            pair(all[i]?.index as number, all[j]?.index as number),
            (value) => value,
          );
        }),
        eigenvalues: eigenvalues(told, out),
      };
  }
}
