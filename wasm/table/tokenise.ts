/** Splits text into rows of cells, piece by piece. Papa Parse does it: quotation marks are its business alone. */
import Papa from "papaparse";
import { Refusal } from "../refusal.ts";
import type { Format } from "./format.ts";

/** A row that is longer, in UTF-16 units, has most likely lost a quotation mark. */
export const LONGEST_ROW = 4 * 1024 * 1024;

interface Parsed {
  readonly data: string[][];
  readonly errors: readonly { readonly code: string; readonly row: number }[];
  readonly meta: { readonly cursor: number };
}

export interface Tokens {
  readonly rows: string[][];
  /** The indices of rows with text between a closing quotation mark and the next delimiter. */
  readonly badlyQuoted: readonly number[];
}

export class Tokeniser {
  readonly #parser: { parse(input: string, baseIndex: number, ignoreLastRow: boolean): Parsed };
  readonly #quote: string;
  #rest = "";
  #rows = 0;

  constructor({ delimiter, newline, quote }: Pick<Format, "delimiter" | "newline" | "quote">) {
    this.#quote = quote;
    // In its fast mode the parser knows no quotation marks; left alone, it decides piece by piece.
    const fastMode = quote === "" ? true : undefined;
    this.#parser = new Papa.Parser({ delimiter, newline, quoteChar: quote || '"', fastMode });
  }

  /** The rows that are complete with this piece. */
  push(piece: string): Tokens {
    const input = this.#rest + piece;
    const { data, errors, meta } = this.#parser.parse(input, 0, true);
    this.#rest = input.slice(meta.cursor);
    if (this.#rest.length > LONGEST_ROW) throw this.#tooLong(this.#rows + data.length + 1);
    return this.#tokens(data, errors);
  }

  /** What remains when the text ends: the last row, when no line end closed it. */
  end(): Tokens {
    if (this.#rest === "") return { rows: [], badlyQuoted: [] };
    const { data, errors } = this.#parser.parse(this.#rest, 0, false);
    this.#rest = "";
    const open = errors.find(({ code }) => code === "MissingQuotes");
    if (open) {
      const place = `row ${this.#rows + data.length}, column ${data.at(-1)?.length}`;
      throw new Refusal("malformed", "file", place, "opens a quotation mark that is never closed", {
        shown: true,
      });
    }
    return this.#tokens(data, errors);
  }

  #tokens(rows: string[][], errors: Parsed["errors"]): Tokens {
    this.#rows += rows.length;
    return {
      rows,
      badlyQuoted: [...new Set(errors.map(({ row }) => row))].filter((row) => row < rows.length),
    };
  }

  #tooLong(row: number): Refusal {
    const open = this.#quote !== "" && this.#rest.includes(this.#quote);
    const rule = open
      ? `opens a quotation mark that is not closed within ${LONGEST_ROW} characters`
      : `is longer than ${LONGEST_ROW} characters: the file does not look like a table`;
    return new Refusal("malformed", "file", `row ${row}`, rule, { shown: true });
  }
}
