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

export interface Tokens {
  /** A row that cannot be cut into cells has none; a cell that cannot be read is empty. */
  readonly rows: string[][];
  readonly faults: Fault[];
}

type Cutting = Pick<Format, "delimiter" | "newline" | "quote" | "multiline">;

export class Tokeniser {
  readonly #cutting: Cutting;
  #rest = "";
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
