/** The cells into which a column divides the rows: declared beforehand, never those that occur. */
import type { Ends, NumericColumn } from "../table/declaration.ts";
import type { Divided, EverydayRequest } from "./everyday-request.ts";

export interface Cell {
  readonly label: string;
  /** `other`: readable, but none of the others. `malformed`: nothing that could be read. */
  readonly kind: "bin" | "level" | "other" | "malformed";
  /** Of a bin: from one end up to the other, which only the last one includes. */
  readonly from?: number;
  readonly to?: number;
}

export interface Division {
  /** None where every row is in the one cell. */
  readonly column: string | undefined;
  readonly cells: readonly Cell[];
  /** Of what stands in the column. */
  readonly cellOf: (value: number | undefined) => number;
}

const OTHER: Cell = { label: "other", kind: "other" };
const MALFORMED: Cell = { label: "malformed", kind: "malformed" };

const bins = (edges: readonly number[]): Cell[] =>
  edges.slice(1).map((to, i) => {
    const from = edges[i] as number;
    return { label: `${from} to ${to}`, kind: "bin", from, to };
  });

/** The bin of a value, or -1; a value at an edge is in the bin above, at the last one in the bin below. */
function binOf(edges: readonly number[], value: number): number {
  const last = edges.length - 1;
  if (value < (edges[0] as number) || value > (edges[last] as number)) return -1;
  let [low, high] = [0, last];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (value >= (edges[middle] as number)) low = middle;
    else high = middle;
  }
  return low;
}

export function cellsOf({ table }: EverydayRequest, divided: Divided): Division {
  const column = table.columns.find(({ name }) => name === divided.column);
  if (column?.use === "categorical") {
    const cells: Cell[] = [
      ...column.levels.map((label): Cell => ({ label, kind: "level" })),
      OTHER,
      MALFORMED,
    ];
    return {
      column: column.name,
      cells,
      cellOf: (value) => (value === undefined ? cells.length - 1 : value < 0 ? cells.length - 2 : value),
    };
  }
  const [low, high] = (column as NumericColumn).range as Ends;
  const number = divided.bins ?? 0;
  // Values are clamped to the range, so that nothing is beyond equal bins.
  const edges =
    divided.edges ?? Array.from({ length: number + 1 }, (_, i) => low + ((high - low) * i) / number);
  const cells: Cell[] = [...bins(edges), ...(divided.edges ? [OTHER] : []), MALFORMED];
  return {
    column: divided.column,
    cells,
    cellOf: (value) => {
      if (value === undefined) return cells.length - 1;
      const bin = binOf(edges, value);
      return bin < 0 ? cells.length - 2 : bin;
    },
  };
}

const LARGEST_EXPONENT = 64;

/** e with 2^(e-1) <= |x| < 2^e, within ±64. */
function exponentOf(size: number): number {
  let exponent = Math.floor(Math.log2(size)) + 1;
  while (2 ** exponent <= size) exponent++;
  while (2 ** (exponent - 1) > size) exponent--;
  return Math.max(-LARGEST_EXPONENT, Math.min(LARGEST_EXPONENT, exponent));
}

/**
 * From the most negative to the largest: a sign and a power of two each, 0 between them. The cells next to 0 begin there, and
 * the outermost ones have no end, so that every value is within its cell.
 */
export function powersOfTwo(column: string): Division {
  const last = 2 * LARGEST_EXPONENT + 1;
  const edges = Array.from({ length: last + 1 }, (_, i) =>
    i === 0 ? 0 : i < last ? 2 ** (i - 1 - LARGEST_EXPONENT) : Number.POSITIVE_INFINITY,
  );
  const [negative, positive] = [bins(edges.map((edge) => -edge).reverse()), bins(edges)];
  const cells = [...negative, ...bins([0, 0]), ...positive, MALFORMED];
  const zero = negative.length;
  return {
    column,
    cells,
    cellOf: (value) => {
      if (value === undefined) return cells.length - 1;
      if (value === 0) return zero;
      const place = exponentOf(Math.abs(value)) + LARGEST_EXPONENT;
      return value > 0 ? zero + 1 + place : zero - 1 - place;
    },
  };
}
