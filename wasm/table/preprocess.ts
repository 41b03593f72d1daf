/**
 * Makes bounded rows of numbers out of the cells of a table. Each row is treated by itself, by what was declared and by
 * nothing else: missing values, then ranges, indicators, the norm, the intercept. How many rows were left out, and how
 * many values were clamped or shortened, is private and is not counted.
 */
import type { Ends, TableRequest } from "./declaration.ts";
import { type FeatureMap, featureMap, type Placed, toUnit } from "./features.ts";
import type { Format } from "./format.ts";
import { MOST_COLUMNS, type Parsing, parseRows } from "./parse.ts";
import { type CellFinder, type Place, placesIn, type Spelling } from "./places.ts";
import type { Quota } from "./quota.ts";
import { rereadable, type Source, Turns } from "./source.ts";
import type { Row } from "./tokenise.ts";
import { type Votes, votesOf } from "./votes.ts";

/**
 * Writes the features of a row at `at`, where there are zeros. A value is a clamped number, or the index of a level, -1
 * for none.
 */
export function writeFeatures(
  { placed, scale, clipAt, dimension }: FeatureMap,
  intercept: number,
  values: ArrayLike<number>,
  features: Float64Array,
  at: number,
): void {
  let square = 0;
  for (let i = 0; i < placed.length; i++) {
    const column = placed[i] as Placed;
    const value = values[i] as number;
    if (column.use === "categorical" && value < 0) continue;
    const feature = column.use === "numeric" ? toUnit(value, column.range as Ends) * scale : scale;
    features[at + column.at + (column.use === "numeric" ? 0 : value)] = feature;
    square += feature * feature;
  }
  const norm = Math.sqrt(square);
  const last = at + dimension - 1;
  if (norm > clipAt) {
    const factor = clipAt / norm;
    for (let i = at; i <= last; i++) features[i] = (features[i] as number) * factor;
  }
  if (intercept > 0) features[last] = intercept;
}

/** Turns rows of cells into numbers for the core. */
export interface RowReader {
  readonly dimension: number;
  /** Of what each person has, where one is named. It counts before it takes. */
  readonly quota: Quota | undefined;
  /** Writes the features of a row at `at`, where there are zeros, and answers its label; undefined: it is left out. */
  row(row: Row, features: Float64Array, at: number): number | undefined;
}

/** Turns rows into votes: the place of the class that each question of a ballot has, -1 for none; or numbers of votes. */
class VoteReader implements RowReader {
  readonly dimension: number;
  readonly quota: Quota | undefined;
  readonly #form: Votes["form"];
  readonly #columns: readonly Place[];
  readonly #label: Place;
  readonly #takes: ReturnType<typeof placesIn>["takes"];
  readonly #found: CellFinder;

  constructor(request: TableRequest, votes: Votes, names: readonly string[], spelling: Spelling) {
    const { place, takes, quota, found } = placesIn(request, names, spelling);
    this.#found = found;
    this.dimension = votes.columns.length;
    this.#form = votes.form;
    this.#columns = votes.columns.map(place);
    this.#label = place(votes.label);
    this.#takes = takes;
    this.quota = quota;
  }

  /** A cell without a value is no vote, and leaves the others of its row. */
  row(row: Row, features: Float64Array, at: number): number | undefined {
    const found = this.#found;
    found.row = row;
    const isBallot = this.#form === "ballots";
    const question = isBallot ? 0 : found.read(this.#label);
    if (question === undefined) return undefined;
    if (!this.#takes()) return undefined;
    this.#columns.forEach((column, i) => {
      features[at + i] = found.read(column) ?? (isBallot ? -1 : 0);
    });
    return question;
  }
}

/** Turns rows of cells into features and labels. */
export class Preprocessor implements RowReader {
  readonly dimension: number;
  readonly quota: Quota | undefined;
  readonly #request: TableRequest;
  readonly #map: FeatureMap;
  readonly #columns: readonly Place[];
  readonly #label: Place | undefined;
  /** Of one row after the other. */
  readonly #values: Float64Array;
  readonly #takes: ReturnType<typeof placesIn>["takes"];
  readonly #found: CellFinder;

  /** Refuses columns that the file does not have, or has twice. */
  constructor(request: TableRequest, names: readonly string[], spelling: Spelling) {
    this.#request = request;
    this.#map = featureMap(request);
    this.dimension = this.#map.dimension;
    const { place, takes, quota, found } = placesIn(request, names, spelling);
    this.#found = found;
    this.#columns = this.#map.placed.map(place);
    this.#values = new Float64Array(this.#columns.length);
    this.#label = request.label && place(request.label);
    this.#takes = takes;
    this.quota = quota;
  }

  /** Answers a label of 0 where nothing is predicted. */
  row(row: Row, features: Float64Array, at: number): number | undefined {
    const found = this.#found;
    found.row = row;
    const label = this.#label ? found.read(this.#label) : 0;
    if (label === undefined) return undefined;
    const values = this.#values;
    for (let i = 0; i < values.length; i++) {
      const value = found.read(this.#columns[i] as Place);
      if (value === undefined) return undefined;
      values[i] = value;
    }
    if (!this.#takes()) return undefined;
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

/** How many rows a table has at most, by its length: each takes a character at least. */
function mostRows(source: Source): number {
  if (typeof source === "string") return source.length;
  return source instanceof Blob ? source.size : Number.POSITIVE_INFINITY;
}

/** Collects rows into arrays of a fixed size. */
class Chunk {
  readonly #dimension: number;
  readonly #features: Float64Array;
  readonly #labels: Float64Array;
  readonly #sink: Sink;
  #count = 0;

  constructor(dimension: number, rowsOfTable: number, sink: Sink) {
    this.#dimension = dimension;
    const most = Math.min(NUMBERS_AT_ONCE / dimension, PAIRS_AT_ONCE / dimension ** 2, rowsOfTable);
    const rows = Math.max(1, Math.floor(most));
    this.#features = new Float64Array(rows * dimension);
    this.#labels = new Float64Array(rows);
    this.#sink = sink;
  }

  /** Answers whether it is full. */
  add(preprocessor: RowReader, row: Row): boolean {
    const label = preprocessor.row(row, this.#features, this.#count * this.#dimension);
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

/**
 * The last column that is declared, or named besides, by its number: how many there are must not be read off a row.
 */
export function lastDeclared({ columns, label, unit }: TableRequest, named: readonly string[] = []): number {
  const names = [...columns.map(({ name }) => name), label?.name ?? "", unit.column ?? "", ...named];
  const numbers = names.map((name) => Number(/^column ([1-9][0-9]{0,4})$/.exec(name)?.[1] ?? 1));
  return Math.min(Math.max(...numbers), MOST_COLUMNS);
}

/** What reads the rows of a file with those names of columns. */
export interface Readers {
  of(names: readonly string[]): RowReader;
  /** The columns that are read besides those that are declared. */
  readonly named?: readonly string[];
}

function modelReaders(request: TableRequest, format: Spelling): Readers {
  const votes = votesOf(request);
  return {
    of: (names) =>
      votes ? new VoteReader(request, votes, names, format) : new Preprocessor(request, names, format),
  };
}

/**
 * Reads a whole table through a reader, in bounded memory; twice, where rows of persons are counted before some are drawn,
 * for which a stream is kept in memory. Throws the signal's reason when it is aborted.
 */
export async function preprocess(
  source: Source,
  format: Format,
  request: TableRequest,
  sink: Sink,
  options: Parsing = {},
  readers: Readers = modelReaders(request, format),
): Promise<void> {
  let reader: RowReader | undefined;
  const turns = new Turns(options.signal);
  const columns = lastDeclared(request, readers.named);
  const isTwice = request.unit.column !== undefined;
  const table = isTwice ? await rereadable(source, options.signal) : source;
  const length = isTwice && table instanceof Blob ? table.size : 0;
  const reading = (done: number): Parsing => ({
    ...options,
    columns,
    onProgress: (more, total) => options.onProgress?.(done + more, total && total + length),
  });
  if (isTwice) {
    let scratch: Float64Array | undefined;
    for await (const { names, rows } of parseRows(table, format, { ...reading(0), problems: undefined })) {
      reader ??= readers.of(names);
      scratch ??= new Float64Array(reader.dimension);
      for (const row of rows) if (row !== undefined) reader.row(row, scratch, 0);
      await turns.take();
    }
    reader?.quota?.begin();
  }
  let chunk: Chunk | undefined;
  for await (const { names, rows } of parseRows(table, format, reading(length))) {
    reader ??= readers.of(names);
    chunk ??= new Chunk(reader.dimension, mostRows(table), sink);
    for (const row of rows) {
      if (row === undefined || !chunk.add(reader, row)) continue;
      chunk.flush();
      await turns.take();
    }
  }
  chunk?.flush();
}
