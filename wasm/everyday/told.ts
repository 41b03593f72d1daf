/** What a plan and a release say of each entry, in the units of the table. */
import type { EverydayPlanned, EverydayResult } from "../contract.ts";
import { WITHIN } from "../release/intervals.ts";
import type { NumericColumn } from "../table/declaration.ts";
import type { Cell, Division } from "./cells.ts";
import { centre, type EverydayEntry, type EverydayRequest } from "./everyday-request.ts";
import type { Planned, Told } from "./parts.ts";
import { around, at, COVERED, type Keys, mapped, type Outputs, type Parameters } from "./released.ts";
import { plannedMoments, toldMoments } from "./told-moments.ts";

/** Where the occupied cells begin and end, within the declared range. */
function boundsOf(cells: readonly Cell[], counts: Float64Array, threshold: number, column: NumericColumn) {
  const occupied = cells.filter(({ kind }, i) => kind === "bin" && at(counts, i) > threshold);
  const [low, high] = column.range as readonly [number, number];
  const [first, last] = [occupied[0], occupied.at(-1)];
  if (!first || !last) return { found: false, range: [low, high] };
  const within = (value: number) => Math.min(high, Math.max(low, value));
  return { found: true, range: [within(first.from as number), within(last.to as number)] };
}

function toldCells(
  request: EverydayRequest,
  entry: EverydayEntry,
  told: Extract<Told, { kind: "cells" }>,
  of: Parameters,
  out: Outputs,
): object {
  const { part, divisions } = told;
  const counts = out(part, "counts");
  const deviation = of(part, "count");
  const [first] = divisions as readonly [Division];
  switch (entry.of) {
    case "count":
      return { value: at(counts, 0), deviation, interval: around(at(counts, 0), deviation) };
    case "histogram":
      return {
        column: entry.column,
        deviation,
        cells: first.cells.map((cell, i) => ({
          ...cell,
          value: at(counts, i),
          interval: around(at(counts, i), deviation),
        })),
      };
    case "bounds": {
      const column = request.table.columns.find(({ name }) => name === entry.column) as NumericColumn;
      return { column: entry.column, ...boundsOf(first.cells, counts, of(part, "threshold"), column) };
    }
    default:
      return {
        columns: divisions.map(({ column }) => column),
        labels: divisions.map(({ cells }) => cells.map(({ label }) => label)),
        deviation,
        ...COVERED,
        margin: WITHIN * deviation,
        values: [...counts],
      };
  }
}

/** Sorted by their names: the order in which they were found is that of the rows. */
function foundCells(numbers: Float64Array, names: readonly string[]): readonly (Cell & { place: number })[] {
  return [...numbers]
    .map((number, place) => ({ label: names[number] as string, kind: "level" as const, place }))
    .sort((one, other) => (one.label < other.label ? -1 : 1));
}

function toldGroups(
  by: string,
  { part, columns, persons }: Omit<Extract<Told, { kind: "found-groups" }>, "kind" | "by">,
  keys: readonly (Cell & { place: number })[],
  of: Parameters,
  out: Outputs,
): object {
  const counts = out(part, "counts");
  // Where persons are counted and columns are asked for.
  const rowsOf = persons && columns.length > 0 ? out(part, "rows") : undefined;
  const [off, sumOff] = [of(part, "count"), of(part, "sum")];
  const sums = columns.length > 0 ? out(part, "sums") : new Float64Array();
  const means = columns.length > 0 ? out(part, "means") : new Float64Array();
  return {
    by,
    keys: keys.map(({ label, kind, place: key }) => {
      const count = at(counts, key);
      const rows = rowsOf ? at(rowsOf, key) : count;
      return {
        key: label,
        kind,
        count: { value: count, interval: around(count, off) },
        ...(rowsOf && { rows: { value: rows, interval: around(rows, off) } }),
        tooFew: columns.length > 0 && !Number.isFinite(at(means, 3 * key * columns.length)),
        columns: columns.map((column, i) => {
          const { middle, half } = centre(column);
          const value = middle * rows + half * at(sums, key * columns.length + i);
          return {
            column: column.name,
            sum: { value, interval: around(value, Math.hypot(middle * off, half * sumOff)) },
            mean: mapped(means, key * columns.length + i, (mean) => middle + half * mean),
          };
        }),
      };
    }),
  };
}

const countedIn = ({ persons }: { readonly persons: boolean }) => (persons ? "persons" : "rows");

function toldQuantiles(
  entry: Extract<EverydayEntry, { of: "quantiles" }>,
  { part, column }: Extract<Told, { kind: "quantiles" }>,
  of: Parameters,
  out: Outputs,
): object {
  const { middle, half } = centre(column);
  const values = out(part, "quantiles");
  return {
    column: column.name,
    rankError: of(part, "rankError"),
    ...COVERED,
    quantiles: [...entry.probabilities]
      .sort((one, other) => one - other)
      .map((probability, i) => ({ probability, value: middle + half * at(values, i) })),
  };
}

export function plannedOf(
  { releases }: EverydayRequest,
  { told }: Planned,
  of: Parameters,
): readonly EverydayPlanned[] {
  return releases.map((entry, i) => {
    const one = told[i] as Told;
    const shared = { of: entry.of, share: of(one.part, "share") };
    if (one.kind === "moments") return { ...shared, ...plannedMoments(entry, one, of) };
    if (one.kind === "quantiles")
      return {
        ...shared,
        column: one.column.name,
        epsilonEach: of(one.part, "epsilon"),
        rankError: of(one.part, "rankError"),
        ...COVERED,
      };
    const deviation = of(one.part, "count");
    if (one.kind === "groups" || one.kind === "found-groups") {
      const columns = one.columns.map((column) => {
        const { middle, half } = centre(column);
        const sum = half * of(one.part, "sum");
        return {
          column: column.name,
          deviation: Math.hypot(middle * deviation, sum),
          deviationTimesRows: sum,
        };
      });
      if (one.kind === "groups") return { ...shared, keys: one.keys.length, deviation, columns };
      const [threshold, delta] = [of(one.part, "threshold"), of(one.part, "delta")];
      return { ...shared, threshold, counted: countedIn(one), delta, deviation, columns };
    }
    const cells = one.divisions.reduce((product, division) => product * division.cells.length, 1);
    if (entry.of === "count") return { ...shared, deviation };
    return {
      ...shared,
      cells,
      deviation,
      ...(entry.of === "bounds" && { threshold: of(one.part, "threshold") }),
    };
  }) as readonly EverydayPlanned[];
}

export function resultsOf(
  request: EverydayRequest,
  { told }: Planned,
  of: Parameters,
  out: Outputs,
  keysOf: Keys,
): readonly EverydayResult[] {
  return request.releases.map((entry, i) => {
    const one = told[i] as Told;
    const result = () => {
      if (one.kind === "moments") return toldMoments(entry, one, of, out);
      if (one.kind === "cells") return toldCells(request, entry, one, of, out);
      if (one.kind === "groups") {
        const keys = one.keys.map((cell, place) => ({ ...cell, place }));
        const { by } = entry as Extract<EverydayEntry, { of: "groups" }>;
        return toldGroups(by, { ...one, persons: false }, keys, of, out);
      }
      if (one.kind === "found-groups") {
        const threshold = of(one.part, "threshold");
        const keys = foundCells(out(one.part, "groups"), keysOf(one.by));
        return { threshold, counted: countedIn(one), ...toldGroups(one.by, one, keys, of, out) };
      }
      return toldQuantiles(entry as Extract<EverydayEntry, { of: "quantiles" }>, one, of, out);
    };
    return { of: entry.of, ...result() };
  }) as unknown as readonly EverydayResult[];
}
