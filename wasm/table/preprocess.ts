/**
 * Makes bounded rows of numbers out of the cells of a table. Each row is treated by itself, by what was declared and by
 * nothing else: missing values, then ranges, indicators, the norm, the intercept. How many rows were left out, and how
 * many values were clamped or shortened, is private and is not counted.
 */
import { CellReader, indexOf, type Use } from "./cells.ts";
import type { Ends, TableRequest } from "./declaration.ts";
import { type FeatureMap, featureMap, toUnit } from "./features.ts";
import { bare, detached, type Format, isUnreadable } from "./format.ts";
import { type Batch, MOST_COLUMNS, type Parsing, parse } from "./parse.ts";
import { type Source, Turns } from "./source.ts";
import { type Votes, votesOf } from "./votes.ts";

/** Leaves out what goes beyond the declared number of rows of each of those who are protected. */
class Quota {
  readonly #seen = new Map<string, number>();
  readonly #rows: number;

  constructor(rows: number) {
    this.#rows = rows;
  }

  /** Whether one more row may be kept; one that belongs to nobody, or nobody knows to whom, may not. */
  take(id: string): boolean {
    if (id === "" || isUnreadable(id)) return false;
    const seen = this.#seen.get(id) ?? 0;
    if (seen === this.#rows) return false;
    this.#seen.set(seen === 0 ? detached(id) : id, seen + 1);
    return true;
  }
}

interface Place {
  readonly index: number;
  readonly cells: CellReader;
}

/**
 * Writes the features of a row at `at`, where there are zeros. A value is a clamped number, or the index of a level, -1
 * for none.
 */
export function writeFeatures(
  { placed, scale, clipAt, dimension }: FeatureMap,
  intercept: number,
  values: readonly number[],
  features: Float64Array,
  at: number,
): void {
  let square = 0;
  placed.forEach((column, i) => {
    const value = values[i] as number;
    if (column.use === "categorical" && value < 0) return;
    const feature = column.use === "numeric" ? toUnit(value, column.range as Ends) * scale : scale;
    features[at + column.at + (column.use === "numeric" ? 0 : value)] = feature;
    square += feature * feature;
  });
  const norm = Math.sqrt(square);
  const last = at + dimension - 1;
  if (norm > clipAt) {
    const factor = clipAt / norm;
    for (let i = at; i <= last; i++) features[i] = (features[i] as number) * factor;
  }
  if (intercept > 0) features[last] = intercept;
}

/** Turns rows of cells into numbers for the core. */
interface RowReader {
  readonly dimension: number;
  /** Writes the features of a row at `at`, where there are zeros, and answers its label; undefined: it is left out. */
  row(cells: readonly string[], features: Float64Array, at: number): number | undefined;
}

/** Where the columns and the label stand in a file, with what their cells say. Refuses columns that it does not have, or has twice. */
function placesIn(request: TableRequest, names: readonly string[], decimal: Format["decimal"]) {
  const marks = new Set(request.missingMarks);
  const declared = new Map(request.columns.map(({ name }, i) => [name, `table.columns.${i}.name`]));
  const { column, rows } = request.unit;
  return {
    place: (use: Use): Place => ({
      index: indexOf(names, use.name, declared.get(use.name) ?? "table.label.name"),
      cells: new CellReader(use, decimal, marks),
    }),
    unit:
      column === undefined
        ? undefined
        : { index: indexOf(names, column, "table.unit.column"), quota: new Quota(rows) },
  };
}

/** Turns rows into votes: the place of the class that each question of a ballot has, -1 for none; or numbers of votes. */
class VoteReader implements RowReader {
  readonly dimension: number;
  readonly #form: Votes["form"];
  readonly #columns: readonly Place[];
  readonly #label: Place;
  readonly #unit: ReturnType<typeof placesIn>["unit"];

  constructor(request: TableRequest, votes: Votes, names: readonly string[], decimal: Format["decimal"]) {
    const { place, unit } = placesIn(request, names, decimal);
    this.dimension = votes.columns.length;
    this.#form = votes.form;
    this.#columns = votes.columns.map(place);
    this.#label = place(votes.label);
    this.#unit = unit;
  }

  /** A cell without a value is no vote, and leaves the others of its row. */
  row(cells: readonly string[], features: Float64Array, at: number): number | undefined {
    const isBallot = this.#form === "ballots";
    const question = isBallot ? 0 : this.#label.cells.read(cells[this.#label.index] as string);
    if (question === undefined) return undefined;
    if (this.#unit && !this.#unit.quota.take(bare(cells[this.#unit.index] as string))) return undefined;
    this.#columns.forEach(({ index, cells: reader }, i) => {
      features[at + i] = reader.read(cells[index] as string) ?? (isBallot ? -1 : 0);
    });
    return question;
  }
}

/** Turns rows of cells into features and labels. */
export class Preprocessor implements RowReader {
  readonly dimension: number;
  readonly #request: TableRequest;
  readonly #map: FeatureMap;
  readonly #columns: readonly Place[];
  readonly #label: Place | undefined;
  readonly #unit: ReturnType<typeof placesIn>["unit"];

  /** Refuses columns that the file does not have, or has twice. */
  constructor(request: TableRequest, names: readonly string[], decimal: Format["decimal"]) {
    this.#request = request;
    this.#map = featureMap(request);
    this.dimension = this.#map.dimension;
    const { place, unit } = placesIn(request, names, decimal);
    this.#columns = this.#map.placed.map(place);
    this.#label = request.label && place(request.label);
    this.#unit = unit;
  }

  /** Answers a label of 0 where nothing is predicted. */
  row(cells: readonly string[], features: Float64Array, at: number): number | undefined {
    const label = this.#label ? this.#label.cells.read(cells[this.#label.index] as string) : 0;
    if (label === undefined) return undefined;
    const values: number[] = [];
    for (const { index, cells: reader } of this.#columns) {
      const value = reader.read(cells[index] as string);
      if (value === undefined) return undefined;
      values.push(value);
    }
    if (this.#unit && !this.#unit.quota.take(bare(cells[this.#unit.index] as string))) return undefined;
    writeFeatures(this.#map, this.#request.intercept, values, features, at);
    return this.#labelOf(label);
  }

  #labelOf(value: number): number {
    const { label } = this.#request;
    if (label?.use === "classes") return value === 0 ? -1 : 1;
    return label?.use === "numeric" ? toUnit(value, label.range as Ends) : value;
  }
}

/** Some rows that are ready for a model, row by row, and their labels. The arrays are used again for the next ones. */
export type Sink = (features: Float64Array, labels: Float64Array) => void;

/** How many numbers a sink gets at once, and of how many pairs of them at most: some milliseconds of work. */
const NUMBERS_AT_ONCE = 1 << 18;
const PAIRS_AT_ONCE = 1 << 25;

/** Collects rows into arrays of a fixed size. */
class Chunk {
  readonly #dimension: number;
  readonly #features: Float64Array;
  readonly #labels: Float64Array;
  readonly #sink: Sink;
  #count = 0;

  constructor(dimension: number, sink: Sink) {
    this.#dimension = dimension;
    const most = Math.min(NUMBERS_AT_ONCE / dimension, PAIRS_AT_ONCE / dimension ** 2);
    const rows = Math.max(1, Math.floor(most));
    this.#features = new Float64Array(rows * dimension);
    this.#labels = new Float64Array(rows);
    this.#sink = sink;
  }

  /** Answers whether it is full. */
  add(preprocessor: RowReader, cells: readonly string[]): boolean {
    const label = preprocessor.row(cells, this.#features, this.#count * this.#dimension);
    if (label === undefined) return false;
    this.#labels[this.#count++] = label;
    return this.#count === this.#labels.length;
  }

  flush(): void {
    if (this.#count === 0) return;
    const used = this.#features.subarray(0, this.#count * this.#dimension);
    this.#sink(used, this.#labels.subarray(0, this.#count));
    used.fill(0);
    this.#count = 0;
  }
}

/** The last column that is declared by its number: how many there are must not be read off a row. */
export function lastDeclared({ columns, label, unit }: TableRequest): number {
  const names = [...columns.map(({ name }) => name), label?.name ?? "", unit.column ?? ""];
  const numbers = names.map((name) => Number(/^column ([1-9][0-9]{0,4})$/.exec(name)?.[1] ?? 1));
  return Math.min(Math.max(...numbers), MOST_COLUMNS);
}

/** Reads a whole table through the preprocessor, in bounded memory. Throws the signal's reason when it is aborted. */
export async function preprocess(
  source: Source,
  format: Format,
  request: TableRequest,
  sink: Sink,
  options: Parsing = {},
): Promise<void> {
  let preprocessor: RowReader | undefined;
  let chunk: Chunk | undefined;
  const turns = new Turns(options.signal);
  const votes = votesOf(request);
  const begin = ({ names }: Batch) =>
    votes
      ? new VoteReader(request, votes, names, format.decimal)
      : new Preprocessor(request, names, format.decimal);
  for await (const batch of parse(source, format, { ...options, columns: lastDeclared(request) })) {
    preprocessor ??= begin(batch);
    chunk ??= new Chunk(preprocessor.dimension, sink);
    for (const cells of batch.rows) {
      if (!cells || !chunk.add(preprocessor, cells)) continue;
      chunk.flush();
      await turns.take();
    }
  }
  chunk?.flush();
}
