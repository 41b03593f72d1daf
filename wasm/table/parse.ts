/** Reads a table row by row, a batch at a time: a file of any size needs the memory of its longest row. */
import { Refusal } from "../engine/refusal.ts";
import { bare, type Format, isUnreadable } from "./format.ts";
import type { Problems } from "./problems.ts";
import { bytesOf, encodingOf, pieces, type Reading, type Source } from "./source.ts";
import { cellsOf, type Fault, PlainLine, type Row, Tokeniser, type Tokens } from "./tokenise.ts";

export const MOST_COLUMNS = 10_000;

export interface Batch<R extends Row = readonly string[]> {
  /** The columns, the same for every batch. */
  readonly names: readonly string[];
  /** The number of the first of these rows in the file, from 1. */
  readonly first: number;
  /** Cells as they stand, empty ones where they do not match the columns. A blank line is no row: undefined. */
  readonly rows: readonly (R | undefined)[];
}

export interface Parsing extends Reading {
  /** Of a file without a header: the first so many columns are read, and no row is asked how many there are. */
  readonly columns?: number | undefined;
  /** Where to list what is wrong. */
  readonly problems?: Problems | undefined;
}

export const isBlankRow = (row: readonly string[]) => row.length === 1 && bare(row[0] ?? "") === "";

/** The columns of a table without a header. */
export const numbered = (count: number) => Array.from({ length: count }, (_, i) => `column ${i + 1}`);

const counted = (count: number) => `${count} ${count === 1 ? "cell" : "cells"}`;

class Reader {
  readonly #format: Format;
  readonly #problems: Problems | undefined;
  readonly #isCut: boolean;
  #names: readonly string[] | undefined;
  #next = 1;

  constructor(format: Format, { columns, problems }: Parsing) {
    this.#format = format;
    this.#problems = problems;
    this.#isCut = columns !== undefined && !format.header;
    if (this.#isCut) this.#names = numbered(columns as number);
  }

  batch({ rows, faults }: Tokens): Batch<Row> | undefined {
    const start = this.#names ? 0 : rows.findIndex((row) => this.#canOpen(this.#cells(row)));
    const before = this.#next;
    if (start < 0) {
      this.#next += rows.length;
      return undefined;
    }
    for (const { row, rule } of faults) this.#problems?.add({ kind: "quotes", row: before + row, rule });
    const skipped = this.#names
      ? 0
      : start + this.#open(this.#cells(rows[start] ?? []), before + start, faults);
    const first = before + skipped;
    this.#next = before + rows.length;
    const names = this.#names as readonly string[];
    return { names, first, rows: rows.slice(skipped).map((row, i) => this.#fitting(row, names, first + i)) };
  }

  #cells(row: Row): readonly string[] {
    return cellsOf(row, this.#format.delimiter);
  }

  get isOpen(): boolean {
    return this.#names !== undefined;
  }

  /** A header may be spoilt, and is refused then; a first row tells how many columns there are. */
  #canOpen(row: readonly string[]): boolean {
    return !isBlankRow(row) && (this.#format.header || row.length > 0);
  }

  /** Takes the names of the columns; answers how many rows they took. */
  #open(row: readonly string[], number: number, faults: readonly Fault[]): number {
    if (row.length === 0) {
      throw new Refusal("malformed", "file", `row ${number}`, faults[0]?.rule ?? "names no column", {
        shown: true,
      });
    }
    if (row.length > MOST_COLUMNS) {
      const rule = `a table may have at most ${MOST_COLUMNS} columns; is the delimiter right?`;
      throw new Refusal("range", "file", `${row.length} columns`, rule, { shown: true });
    }
    if (!this.#format.header) {
      this.#names = numbered(row.length);
      return 0;
    }
    this.#names = row.map(bare);
    this.#examine(this.#names, number);
    return 1;
  }

  #examine(names: readonly string[], row: number): void {
    const seen = new Map<string, number>();
    names.forEach((name, i) => {
      const column = i + 1;
      const before = seen.get(name);
      if (name === "") this.#problems?.add({ kind: "header-empty", row, column, rule: "has no name" });
      else if (before !== undefined) {
        const rule = `has the same name as column ${before}: ${JSON.stringify(name.slice(0, 80))}`;
        this.#problems?.add({ kind: "header-repeated", row, column, rule });
      } else seen.set(name, column);
    });
  }

  #fitting(given: Row, names: readonly string[], number: number): Row | undefined {
    const isLone = names.length === 1 && isBlankRow(this.#cells(given));
    if (!isLone && (given instanceof PlainLine ? given.cells : given.length) === names.length) {
      if (this.#problems) this.#findUndecodable(this.#cells(given), number);
      return given;
    }
    const row = this.#cells(given);
    if (isBlankRow(row)) return undefined;
    const extra = row.slice(names.length);
    if (extra.length > 0 && (this.#isCut || extra.every((cell) => bare(cell) === "")))
      return row.slice(0, names.length);
    const rule = `has ${counted(row.length)} where the table has ${names.length} columns: all count as missing`;
    if (row.length > 0) this.#problems?.add({ kind: "ragged", row: number, rule });
    return names.map(() => "");
  }

  #findUndecodable(row: readonly string[], number: number): void {
    row.forEach((cell, i) => {
      if (!isUnreadable(cell)) return;
      const rule = cell.includes("\uFFFD")
        ? `holds bytes that are not ${this.#format.encoding}`
        : "holds control characters";
      this.#problems?.add({ kind: "encoding", row: number, column: i + 1, rule });
    });
  }
}

async function* tokensOf(source: Source, format: Format, options: Reading): AsyncGenerator<Tokens> {
  const tokeniser = new Tokeniser(format);
  const encoding = encodingOf(source, format.encoding);
  if (encoding !== "utf-8" && encoding !== "windows-1252") {
    for await (const piece of pieces(source, encoding, options)) yield tokeniser.push(piece);
    yield tokeniser.end();
    return;
  }
  // The mark at the beginning is taken off there; elsewhere it is a character.
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  // A letter of Windows-1252 is a byte, which no other is waited for with; and at once Node 20 reads Latin-1 instead.
  const stream = encoding === "windows-1252";
  const decode = (bytes: Uint8Array) => decoder.decode(bytes, { stream });
  for await (const chunk of bytesOf(source, encoding, options)) yield tokeniser.pushBytes(chunk, decode);
  yield tokeniser.endBytes(decode);
}

/** The same with the cells of every row. */
export async function* parse(source: Source, format: Format, options: Parsing = {}): AsyncGenerator<Batch> {
  for await (const batch of parseRows(source, format, options)) {
    const rows = batch.rows.map((row) => (row === undefined ? row : cellsOf(row, format.delimiter)));
    yield { ...batch, rows };
  }
}

/**
 * The rows of a table. There is at least one batch, which may have no rows, except of a table without a header that is
 * empty. Refuses a text without a header where there should be one, and nothing else of it: what is wrong with a row is
 * that row's business. Throws the signal's reason when it is aborted.
 */
export async function* parseRows(
  source: Source,
  format: Format,
  options: Parsing = {},
): AsyncGenerator<Batch<Row>> {
  const reader = new Reader(format, options);
  for await (const tokens of tokensOf(source, format, options)) {
    const batch = reader.batch(tokens);
    if (batch) yield batch;
  }
  if (!reader.isOpen) {
    throw new Refusal("malformed", "file", "no cell", "holds no table: every line is blank", { shown: true });
  }
}
