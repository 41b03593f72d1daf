/**
 * What the core is asked for a request: parts, each with its own noise. Counts, sums, means, variances and covariances of
 * numeric columns are one part together: one Gaussian release of all their moments costs less than several.
 */
import { Refusal } from "../engine/refusal.ts";
import type { Ends, NumericColumn } from "../table/declaration.ts";
import { toUnit } from "../table/features.ts";
import { type Cell, cellsOf, type Division, powersOfTwo } from "./cells.ts";
import { columnOf, type Divided, type EverydayEntry, type EverydayRequest } from "./everyday-request.ts";

/** As core/release/release.h has a Statistic. */
export interface AskedPart {
  readonly of: "moments" | "cells" | "groups" | "found-groups" | "quantiles";
  readonly columns?: number;
  readonly products?: boolean;
  readonly cells?: number;
  readonly thousandths?: readonly number[];
  readonly delta?: number;
  readonly weight: number;
}

/**
 * What stands in the named columns of a row: a clamped number, the place of a level (-1: of none), or nothing; in a column
 * of keys the number of the key, in the order in which they are found.
 */
export type RowValues = (column: string) => number | undefined;

export interface EverydayPart {
  readonly asked: AskedPart;
  /** The numbers of a row that the core looks at; NaN is none. */
  readonly features: number;
  readonly write: (values: RowValues, features: Float64Array, at: number) => void;
  /** Columns whose values it needs. */
  readonly uses: readonly string[];
  /** The column of which it needs keys, and the field that names it. */
  readonly keys?: { readonly column: string; readonly field: string };
}

/** Which part an entry is told from, and what its columns or cells are. */
export type Told =
  | { readonly kind: "moments"; readonly part: number; readonly columns: readonly NumericColumn[] }
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

function momentsPart(entries: readonly EverydayEntry[], columns: readonly NumericColumn[]): EverydayPart {
  const weight = Math.max(
    ...entries.filter(({ of }) => of === "count" || MOMENTS.includes(of)).map((one) => one.weight),
  );
  const products = entries.some(({ of }) => PRODUCTS.includes(of));
  return {
    asked: { of: "moments", columns: columns.length, products, weight },
    features: columns.length,
    write: writeUnits(columns),
    uses: columns.map(({ name }) => name),
  };
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

/** The number of its group stands before the columns of a row. */
function groupsPart(
  asked: AskedPart,
  groupOf: (values: RowValues) => number,
  uses: readonly string[],
  columns: readonly NumericColumn[],
): EverydayPart {
  const write = writeUnits(columns);
  return {
    asked: { ...asked, columns: columns.length },
    features: 1 + columns.length,
    write: (values, features, at) => {
      features[at] = groupOf(values);
      write(values, features, at + 1);
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
  const joint = [
    ...new Set(
      releases.flatMap((entry) =>
        MOMENTS.includes(entry.of) && "columns" in entry ? (entry.columns as readonly string[]) : [],
      ),
    ),
  ].map((name) => numeric("releases", name));
  if (joint.length > 300)
    throw new Refusal("range", "releases", joint.length, "must name at most 300 columns of moments together");
  let moments: number | undefined;
  const ofMoments = (): Told => {
    moments ??= add(momentsPart(releases, joint));
    return { kind: "moments", part: moments, columns: joint };
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
        return joint.length > 0 ? ofMoments() : ofCells([EVERY_ROW], entry.weight, field);
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
        const asked = { of, ...(delta !== undefined && { delta }), weight };
        const groups = groupsPart(asked, (values) => values(by) ?? Number.NaN, [], columns);
        const part = add({ ...groups, keys: { column: by, field: `${field}.by` } });
        return { kind: "found-groups", part, by, columns };
      }
      default:
        return ofMoments();
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
