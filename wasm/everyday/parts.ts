/**
 * What the core is asked for a request: parts, each with its own noise. Counts, sums, means, variances and covariances are
 * one part together: one Gaussian release of all their moments costs less than several.
 */
import { Refusal } from "../engine/refusal.ts";
import type { CategoricalColumn, Ends, NumericColumn } from "../table/declaration.ts";
import { toUnit } from "../table/features.ts";
import { type Cell, cellsOf, type Division, powersOfTwo } from "./cells.ts";
import {
  columnOf,
  type Divided,
  declared,
  type EverydayEntry,
  type EverydayRequest,
  type MomentColumn,
} from "./everyday-request.ts";

/** As core/release/release.h has a Statistic. */
export interface AskedPart {
  readonly of: "moments" | "cells" | "groups" | "found-groups" | "quantiles";
  readonly columns?: number;
  readonly products?: boolean;
  readonly cells?: number;
  readonly thousandths?: readonly number[];
  readonly delta?: number;
  readonly weight: number;
  readonly levels?: readonly number[];
  readonly spectra?: readonly { readonly ofCorrelations: boolean; readonly places: readonly number[] }[];
  readonly persons?: boolean;
}

/** A number of a row of moments: a numeric column, taken to -1 to 1, or whether a category has one of its levels. */
export type Coordinate =
  | (NumericColumn & { readonly level?: undefined })
  | { readonly name: string; readonly use: "level"; readonly level: string };

/**
 * What stands in the named columns of a row: a clamped number, the place of a level (-1: of none), or nothing; in a column
 * of keys the number of the key, in the order in which they are found.
 */
export type RowValues = (column: string) => number | undefined;

/** Whether the row is the first of its person that is counted in a group; asked once for each row that is. */
export type FirstOf = (group: number) => boolean;

export interface EverydayPart {
  readonly asked: AskedPart;
  /** The numbers of a row that the core looks at; NaN is none. */
  readonly features: number;
  readonly write: (values: RowValues, features: Float64Array, at: number, isFirst: FirstOf) => void;
  /** Columns whose values it needs. */
  readonly uses: readonly string[];
  /** The column of which it needs keys, and the field that names it. */
  readonly keys?: { readonly column: string; readonly field: string };
}

/** Which part an entry is told from, and what its columns or cells are. */
export type Told =
  | {
      readonly kind: "moments";
      readonly part: number;
      /** Numbers first, as the core has them. */
      readonly coordinates: readonly Coordinate[];
      /** Of its eigenvalues among those of the part. */
      readonly spectrum?: number;
    }
  | { readonly kind: "cells"; readonly part: number; readonly divisions: readonly Division[] }
  | {
      readonly kind: "groups";
      readonly part: number;
      readonly keys: readonly Cell[];
      readonly columns: readonly NumericColumn[];
    }
  | {
      readonly kind: "found-groups";
      readonly part: number;
      readonly by: string;
      readonly columns: readonly NumericColumn[];
      /** What is counted is persons, and of columns rows besides. */
      readonly persons: boolean;
    }
  | { readonly kind: "quantiles"; readonly part: number; readonly column: NumericColumn };

export interface Planned {
  readonly parts: readonly EverydayPart[];
  /** Of each entry of the request. */
  readonly told: readonly Told[];
}

const MOST_CELLS = 2 ** 20;
const MOMENTS = ["sums", "means", "variances", "covariance", "correlation"];
const PRODUCTS = ["variances", "covariance", "correlation"];

const unit = ({ range }: NumericColumn, value: number | undefined) =>
  value === undefined ? Number.NaN : toUnit(value, range as Ends);

const writeUnits =
  (columns: readonly NumericColumn[]) => (values: RowValues, features: Float64Array, at: number) => {
    columns.forEach((column, i) => {
      features[at + i] = unit(column, values(column.name));
    });
  };

/** The columns of all moments of a request, numbers first. */
function momentColumns({ releases, table }: EverydayRequest): readonly MomentColumn[] {
  const names = releases.flatMap((entry) =>
    MOMENTS.includes(entry.of) && "columns" in entry ? (entry.columns as readonly string[]) : [],
  );
  const columns = [...new Set(names)].map((name) => declared(table.columns, "releases", name));
  return (["numeric", "categorical"] as const).flatMap((use) => columns.filter((one) => one.use === use));
}

const coordinatesOf = (columns: readonly MomentColumn[]): readonly Coordinate[] =>
  columns.flatMap((column): readonly Coordinate[] =>
    column.use === "numeric"
      ? [column]
      : column.levels.map((level) => ({ name: column.name, use: "level", level })),
  );

/** The places of what an entry names, in the order of its columns. */
export const placesOf = (names: readonly string[], coordinates: readonly Coordinate[]): readonly number[] =>
  names.flatMap((wanted) => coordinates.flatMap(({ name }, place) => (name === wanted ? [place] : [])));

const MOST_COORDINATES = 300;
const SPECTRA = ["covariance", "correlation"];

/** Nothing where no moments are asked for. */
function momentsPart(request: EverydayRequest) {
  const { releases } = request;
  const columns = momentColumns(request);
  const coordinates = coordinatesOf(columns);
  if (coordinates.length === 0) return undefined;
  if (coordinates.length > MOST_COORDINATES) {
    const rule = `must name at most ${MOST_COORDINATES} columns of moments together, where each level counts as one`;
    throw new Refusal("range", "releases", coordinates.length, rule);
  }
  const entries = releases.filter(({ of }) => of === "count" || MOMENTS.includes(of));
  const spectra = new Map(
    entries
      .filter(({ of }) => SPECTRA.includes(of))
      .map((entry, i) => {
        const places = placesOf((entry as { readonly columns: readonly string[] }).columns, coordinates);
        return [entry, { place: i, ofCorrelations: entry.of === "correlation", places }] as const;
      }),
  );
  const numbers = columns.filter(({ use }) => use === "numeric") as readonly NumericColumn[];
  const categories = columns.slice(numbers.length) as readonly CategoricalColumn[];
  const writeNumbers = writeUnits(numbers);
  const part: EverydayPart = {
    asked: {
      of: "moments",
      columns: numbers.length,
      levels: categories.map(({ levels }) => levels.length),
      products: entries.some(({ of }) => PRODUCTS.includes(of)),
      spectra: [...spectra.values()].map(({ ofCorrelations, places }) => ({
        ofCorrelations,
        places: [...places].sort((one, other) => one - other),
      })),
      weight: Math.max(...entries.map((one) => one.weight)),
    },
    features: columns.length,
    write: (values, features, at) => {
      writeNumbers(values, features, at);
      categories.forEach(({ name }, i) => {
        features[at + numbers.length + i] = values(name) ?? Number.NaN;
      });
    },
    uses: columns.map(({ name }) => name),
  };
  const spectrumOf = (entry: EverydayEntry) => spectra.get(entry)?.place;
  return { part, coordinates, spectrumOf };
}

function cellsPart(divisions: readonly Division[], weight: number, field: string): EverydayPart {
  const cells = divisions.reduce((product, { cells }) => product * cells.length, 1);
  if (cells > MOST_CELLS) {
    const rule = `must have at most ${MOST_CELLS} cells together`;
    throw new Refusal("range", field, cells, rule);
  }
  return {
    asked: { of: "cells", cells, weight },
    features: 1,
    write: (values, features, at) => {
      features[at] = divisions.reduce((place, { column, cells, cellOf }) => {
        return place * cells.length + cellOf(column === undefined ? 0 : values(column));
      }, 0);
    },
    uses: divisions.flatMap(({ column }) => column ?? []),
  };
}

/** The number of its group stands before the columns of a row; between them, of persons, whether it is its person's first one there. */
function groupsPart(
  asked: AskedPart,
  groupOf: (values: RowValues) => number,
  uses: readonly string[],
  columns: readonly NumericColumn[],
): EverydayPart {
  const write = writeUnits(columns);
  const first = asked.persons ? 2 : 1;
  return {
    asked: { ...asked, columns: columns.length },
    features: first + columns.length,
    write: (values, features, at, isFirst) => {
      const group = groupOf(values);
      features[at] = group;
      write(values, features, at + first);
      if (!asked.persons) return;
      const isCounted = !features.subarray(at, at + first + columns.length).some(Number.isNaN);
      features[at + 1] = Number(isCounted && isFirst(group));
    },
    uses: [...uses, ...columns.map(({ name }) => name)],
  };
}

/** The only cell of a plain count. */
const EVERY_ROW: Division = {
  column: undefined,
  cells: [{ label: "all rows", kind: "level" }],
  cellOf: () => 0,
};

export function partsOf(request: EverydayRequest): Planned {
  const { releases } = request;
  const parts: EverydayPart[] = [];
  const add = (part: EverydayPart) => parts.push(part) - 1;
  const numeric = (field: string, name: string) => columnOf(request, field, name, "numeric");
  const joint = momentsPart(request);
  let moments: number | undefined;
  const ofMoments = (
    { part, coordinates, spectrumOf }: NonNullable<typeof joint>,
    entry: EverydayEntry,
  ): Told => {
    moments ??= add(part);
    const spectrum = spectrumOf(entry);
    return { kind: "moments", part: moments, coordinates, ...(spectrum !== undefined && { spectrum }) };
  };
  const ofCells = (divisions: readonly Division[], weight: number, field: string): Told => ({
    kind: "cells",
    part: add(cellsPart(divisions, weight, field)),
    divisions,
  });
  const division = (divided: Divided) => cellsOf(request, divided);
  const told = releases.map((entry, i): Told => {
    const field = `releases.${i}`;
    switch (entry.of) {
      case "count":
        return joint ? ofMoments(joint, entry) : ofCells([EVERY_ROW], entry.weight, field);
      case "histogram":
        return ofCells([division(entry)], entry.weight, field);
      case "contingency":
        return ofCells(entry.columns.map(division), entry.weight, `${field}.columns`);
      case "bounds":
        return ofCells([powersOfTwo(entry.column)], entry.weight, field);
      case "quantiles":
        return {
          kind: "quantiles",
          part: add(quantilesPart(entry, numeric(field, entry.column))),
          column: numeric(field, entry.column),
        };
      case "groups": {
        const { by } = entry;
        const { cells, cellOf } = division({ column: by, bins: undefined, edges: undefined });
        const columns = entry.columns.map((name) => numeric(field, name));
        const asked = { of: entry.of, cells: cells.length, weight: entry.weight };
        const part = add(groupsPart(asked, (values) => cellOf(values(by)), [by], columns));
        return { kind: "groups", part, keys: cells, columns };
      }
      case "found-groups": {
        const { of, by, delta, weight } = entry;
        const columns = entry.columns.map((name) => numeric(field, name));
        const persons = request.table.unit.rows > 1;
        const asked = { of, ...(delta !== undefined && { delta }), weight, persons };
        const groups = groupsPart(asked, (values) => values(by) ?? Number.NaN, [], columns);
        const part = add({ ...groups, keys: { column: by, field: `${field}.by` } });
        return { kind: "found-groups", part, by, columns, persons };
      }
      default:
        return ofMoments(joint as NonNullable<typeof joint>, entry);
    }
  });
  return { parts, told };
}

function quantilesPart(
  entry: Extract<EverydayEntry, { of: "quantiles" }>,
  column: NumericColumn,
): EverydayPart {
  return {
    asked: {
      of: "quantiles",
      cells: entry.candidates,
      thousandths: entry.probabilities.map((probability) => Math.round(probability * 1000)),
      weight: entry.weight,
    },
    features: 1,
    write: (values, features, at) => {
      features[at] = unit(column, values(column.name));
    },
    uses: [column.name],
  };
}
