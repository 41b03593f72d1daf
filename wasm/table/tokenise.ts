/**
 * Splits text into lines and lines into cells, piece by piece. What is wrong with a line is a matter of that line: it
 * never changes how another one is read, unless lines may end inside quotation marks, which must be declared.
 */
import { bare, type Format } from "./format.ts";

/** A line that is longer, in UTF-16 units, is not kept. */
const LONGEST_ROW = 4 * 1024 * 1024;

export interface Fault {
  /** Of the row among those that came with it. */
  readonly row: number;
  readonly rule: string;
}

/** A line of ASCII without quotation marks, where it stands among other bytes; it is cut at every delimiter. */
export class PlainLine {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly cells: number;

  constructor(bytes: Uint8Array, from: number, to: number, cells: number) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.cells = cells;
  }

  get text(): string {
    return ascii(this.bytes, this.from, this.to);
  }
}

/** So many characters are made a text one by one. */
const FEW = 64;
const decoder = new TextDecoder();

export function ascii(bytes: Uint8Array, from: number, to: number): string {
  if (to - from > FEW) return decoder.decode(bytes.subarray(from, to));
  let text = "";
  for (let i = from; i < to; i++) text += String.fromCharCode(bytes[i] as number);
  return text;
}

/** Its cells, or what is cheap to cut into them, and need not be. */
export type Row = readonly string[] | PlainLine;

export const cellsOf = (row: Row, delimiter: string): readonly string[] =>
  row instanceof PlainLine ? row.text.split(delimiter) : row;

export interface Tokens {
  /** A row that cannot be cut into cells has none; a cell that cannot be read is empty. */
  readonly rows: Row[];
  readonly faults: Fault[];
}

const EMPTY = new Uint8Array(0);

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** Of a line, whatever was decoded before. */
export type Decode = (bytes: Uint8Array) => string;

type Cutting = Pick<Format, "delimiter" | "newline" | "quote" | "multiline">;

export class Tokeniser {
  readonly #cutting: Cutting;
  #rest = "";
  #restBytes: Uint8Array = EMPTY;
  /** What is known of those bytes. */
  #restIs = { cells: 1, isPlain: true };
  #isTooLong = false;
  #cells: string[] = [];
  /** What a quoted cell holds so far. */
  #open: string | undefined;

  constructor(cutting: Cutting) {
    this.#cutting = cutting;
  }

  /** The rows that are complete with this piece. */
  push(piece: string): Tokens {
    const tokens: Tokens = { rows: [], faults: [] };
    const text = this.#rest + piece;
    let from = 0;
    let end = text.indexOf(this.#cutting.newline, this.#rest.length);
    for (; end >= 0; end = text.indexOf(this.#cutting.newline, from)) {
      this.#line(text.slice(from, end), tokens);
      from = end + 1;
    }
    this.#rest = text.slice(from);
    if (this.#rest.length > LONGEST_ROW) {
      this.#isTooLong = true;
      this.#rest = "";
    }
    return tokens;
  }

  /**
   * The same of bytes of an encoding in which ASCII is ASCII and part of nothing else. Lines that are nothing but that,
   * and have no quotation marks, stay where they are.
   */
  pushBytes(chunk: Uint8Array, decode: Decode): Tokens {
    const tokens: Tokens = { rows: [], faults: [] };
    const newline = this.#cutting.newline.charCodeAt(0);
    const delimiter = this.#cutting.delimiter.charCodeAt(0);
    // Of no quotation mark there is no code.
    const quote = this.#cutting.quote.charCodeAt(0);
    const known = this.#restBytes.length;
    const bytes = known === 0 ? chunk : joined(this.#restBytes, chunk);
    let from = 0;
    let { cells, isPlain } = this.#restIs;
    for (let i = known; i < bytes.length; i++) {
      const byte = bytes[i] as number;
      if (byte === newline) {
        if (isPlain && this.#open === undefined && !this.#isTooLong && i - from <= LONGEST_ROW)
          tokens.rows.push(new PlainLine(bytes, from, i, cells));
        else this.#line(decode(bytes.subarray(from, i)), tokens);
        from = i + 1;
        cells = 1;
        isPlain = true;
      } else if (byte === delimiter) cells++;
      else if (byte === quote || byte >= 0x80) isPlain = false;
    }
    this.#restBytes = bytes.subarray(from);
    this.#restIs = { cells, isPlain };
    // No character takes more bytes for a UTF-16 unit of its own.
    if (this.#restBytes.length > 3 * LONGEST_ROW) this.#isTooLong = true;
    if (this.#isTooLong) this.#restBytes = EMPTY;
    return tokens;
  }

  endBytes(decode: Decode): Tokens {
    this.#rest = decode(this.#restBytes);
    this.#restBytes = EMPTY;
    return this.end();
  }

  /** What remains when the text ends: the last row, when no line end closed it. */
  end(): Tokens {
    const tokens: Tokens = { rows: [], faults: [] };
    if (this.#rest !== "" || this.#isTooLong) this.#line(this.#rest, tokens);
    this.#rest = "";
    if (this.#open !== undefined) this.#spoilt(tokens, "opens a quotation mark that is never closed");
    return tokens;
  }

  #line(line: string, tokens: Tokens): void {
    const { delimiter, quote, multiline, newline } = this.#cutting;
    if (this.#isTooLong || (this.#open?.length ?? 0) + line.length > LONGEST_ROW) {
      this.#isTooLong = false;
      this.#spoilt(tokens, `is longer than ${LONGEST_ROW} characters`);
      return;
    }
    if (this.#open === undefined && (quote === "" || !line.includes(quote))) {
      tokens.rows.push(line.split(delimiter));
      return;
    }
    if (this.#open !== undefined) this.#open += newline;
    if (this.#cut(line, tokens)) {
      tokens.rows.push(this.#cells);
      this.#cells = [];
    } else if (!multiline) this.#spoilt(tokens, "opens a quotation mark that is not closed on its line");
  }

  #spoilt({ rows, faults }: Tokens, rule: string): void {
    faults.push({ row: rows.length, rule });
    rows.push([]);
    this.#cells = [];
    this.#open = undefined;
  }

  /** Takes the cells of a line; answers whether the last one is complete. */
  #cut(line: string, { rows, faults }: Tokens): boolean {
    const { quote } = this.#cutting;
    for (let at = 0; at <= line.length; ) {
      if (this.#open === undefined && line[at] !== quote) {
        const end = this.#cellEnd(line, at);
        this.#cells.push(line.slice(at, end));
        at = end + 1;
        continue;
      }
      if (this.#open === undefined) at++;
      const close = line.indexOf(quote, at);
      this.#open = (this.#open ?? "") + line.slice(at, close < 0 ? line.length : close);
      if (close < 0) return false;
      if (line[close + 1] === quote) {
        this.#open += quote;
        at = close + 2;
        continue;
      }
      const end = this.#cellEnd(line, close + 1);
      const isClean = bare(line.slice(close + 1, end)) === "";
      if (!isClean)
        faults.push({
          row: rows.length,
          rule: "has text between a closing quotation mark and the next cell",
        });
      this.#cells.push(isClean ? this.#open : "");
      this.#open = undefined;
      at = end + 1;
    }
    return true;
  }

  #cellEnd(line: string, from: number): number {
    const end = line.indexOf(this.#cutting.delimiter, from);
    return end < 0 ? line.length : end;
  }
}
