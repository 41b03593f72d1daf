/**
 * Makes bounded rows of numbers out of the cells of a table. Each row is treated by itself, by what was declared and by
 * nothing else: missing values, then ranges, indicators, the norm, the intercept. How many rows were left out, and how
 * many values were clamped or shortened, is private and is not counted.
 */
import { CellReader, indexOf, type Use } from "./cells.ts";
import type { Ends, TableRequest } from "./declaration.ts";
import { type FeatureMap, featureMap, type Placed, toUnit } from "./features.ts";
import { bare, detached, type Format, isUnreadable } from "./format.ts";
import { MOST_COLUMNS, type Parsing, parseRows } from "./parse.ts";
import { type Source, Turns } from "./source.ts";
import { ascii, PlainLine, type Row } from "./tokenise.ts";
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

export type Spelling = Pick<Format, "decimal" | "delimiter">;

interface Place {
  readonly index: number;
  readonly cells: CellReader;
}

/** A row at a time: finds its cells without cutting them out of its line. */
class CellFinder {
  readonly #delimiter: number;
  /** Where each cell of the line begins; after the last one, where one more would. */
  readonly #starts: Int32Array;
  #row: Row = [];

  constructor(columns: number, delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#starts = new Int32Array(columns + 1);
  }

  set row(row: Row) {
    this.#row = row;
    if (!(row instanceof PlainLine)) return;
    const { bytes, from, to } = row;
    const starts = this.#starts;
    starts[0] = from;
    let cell = 1;
    for (let i = from; i < to; i++) if (bytes[i] === this.#delimiter) starts[cell++] = i + 1;
    starts[cell] = to + 1;
  }

  /** What the cell at that place says. */
  read({ index, cells }: Place): number | undefined {
    const row = this.#row;
    if (!(row instanceof PlainLine)) return cells.read(row[index] as string);
    const next = this.#starts[index + 1] as number;
    return cells.readBytes(row.bytes, this.#starts[index] as number, next - 1);
  }

  text(index: number): string {
    const row = this.#row;
    if (!(row instanceof PlainLine)) return row[index] as string;
    const next = this.#starts[index + 1] as number;
    return ascii(row.bytes, this.#starts[index] as number, next - 1);
  }
}

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
  /** Writes the features of a row at `at`, where there are zeros, and answers its label; undefined: it is left out. */
  row(row: Row, features: Float64Array, at: number): number | undefined;
}

/** Where the columns and the label stand in a file, with what their cells say. Refuses columns that it does not have, or has twice. */
export function placesIn(request: TableRequest, names: readonly string[], { decimal, delimiter }: Spelling) {
  const marks = new Set(request.missingMarks);
  const declared = new Map(request.columns.map(({ name }, i) => [name, `table.columns.${i}.name`]));
  const { column, rows } = request.unit;
  const found = new CellFinder(names.length, delimiter);
  return {
    found,
    place: (use: Use): Place => ({
      index: indexOf(names, use.name, declared.get(use.name) ?? "table.label.name"),
      cells: new CellReader(use, decimal, marks),
    }),
    /** What stands in a column as it is, without the blanks around it. */
    text: (name: string, field: string) => {
      const index = indexOf(names, name, field);
      return () => bare(found.text(index));
    },
    takes: quotaOf(names, found, column, rows),
  };
}

/** Whether the row that was found is one of those that are read; each is where nobody is named. */
function quotaOf(names: readonly string[], found: CellFinder, column: string | undefined, rows: number) {
  if (column === undefined) return () => true;
  const index = indexOf(names, column, "table.unit.column");
  const quota = new Quota(rows);
  return () => quota.take(bare(found.text(index)));
}

/** Turns rows into votes: the place of the class that each question of a ballot has, -1 for none; or numbers of votes. */
class VoteReader implements RowReader {
  readonly dimension: number;
  readonly #form: Votes["form"];
  readonly #columns: readonly Place[];
  readonly #label: Place;
  readonly #takes: ReturnType<typeof placesIn>["takes"];
  readonly #found: CellFinder;

  constructor(request: TableRequest, votes: Votes, names: readonly string[], spelling: Spelling) {
    const { place, takes, found } = placesIn(request, names, spelling);
    this.#found = found;
    this.dimension = votes.columns.length;
    this.#form = votes.form;
    this.#columns = votes.columns.map(place);
    this.#label = place(votes.label);
    this.#takes = takes;
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
    const { place, takes, found } = placesIn(request, names, spelling);
    this.#found = found;
    this.#columns = this.#map.placed.map(place);
    this.#values = new Float64Array(this.#columns.length);
    this.#label = request.label && place(request.label);
    this.#takes = takes;
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

/** The last column that is declared by its number: how many there are must not be read off a row. */
export function lastDeclared({ columns, label, unit }: TableRequest): number {
  const names = [...columns.map(({ name }) => name), label?.name ?? "", unit.column ?? ""];
  const numbers = names.map((name) => Number(/^column ([1-9][0-9]{0,4})$/.exec(name)?.[1] ?? 1));
  return Math.min(Math.max(...numbers), MOST_COLUMNS);
}

/** What reads the rows of a file with those names of columns. */
export type ReaderOf = (names: readonly string[]) => RowReader;

function modelReader(request: TableRequest, format: Spelling): ReaderOf {
  const votes = votesOf(request);
  return (names) =>
    votes ? new VoteReader(request, votes, names, format) : new Preprocessor(request, names, format);
}

/** Reads a whole table through a reader, in bounded memory. Throws the signal's reason when it is aborted. */
export async function preprocess(
  source: Source,
  format: Format,
  request: TableRequest,
  sink: Sink,
  options: Parsing = {},
  readerOf: ReaderOf = modelReader(request, format),
): Promise<void> {
  let preprocessor: RowReader | undefined;
  let chunk: Chunk | undefined;
  const turns = new Turns(options.signal);
  for await (const batch of parseRows(source, format, { ...options, columns: lastDeclared(request) })) {
    preprocessor ??= readerOf(batch.names);
    chunk ??= new Chunk(preprocessor.dimension, sink);
    for (const row of batch.rows) {
      if (row === undefined || !chunk.add(preprocessor, row)) continue;
      chunk.flush();
      await turns.take();
    }
  }
  chunk?.flush();
}
