/** Guesses from a file's first 64 KB how it spells a table. A guess: it is shown, and may be corrected. */
import { Refusal } from "../engine/refusal.ts";
import { bare, DELIMITERS, type Format, numberIn, QUOTES } from "./format.ts";
import { BEGINNING } from "./source.ts";
import { cellsOf, Tokeniser, type Tokens } from "./tokenise.ts";

/** Files that are often taken for tables, by their first bytes. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ["PK\x03\x04", "is a ZIP archive, such as an .xlsx workbook: save the sheet as CSV first"],
  ["\x1f\x8b", "is compressed with gzip: unpack it first"],
  ["PAR1", "is a Parquet file: export it as CSV first"],
  ["ARROW1", "is an Arrow file: export it as CSV first"],
  ["SQLite format 3\0", "is an SQLite database: export a table as CSV first"],
  ["%PDF-", "is a PDF document, not a table"],
  ["\xd0\xcf\x11\xe0", "is an old Office document: save the sheet as CSV first"],
];

/** Of a file that begins with a header, which is no row, this tells nothing of any row. */
export function refuseOtherFiles(bytes: Uint8Array): void {
  const start = String.fromCharCode(...bytes.subarray(0, 16));
  const known = SIGNATURES.find(([signature]) => start.startsWith(signature));
  if (known) throw new Refusal("malformed", "file", "its first bytes", known[1], { shown: true });
}

const starts = (bytes: Uint8Array, ...with_: number[]) => with_.every((byte, i) => bytes[i] === byte);

function isUtf8(bytes: Uint8Array): boolean {
  try {
    // As a stream, because the last character may be cut in two.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function encodingOf(bytes: Uint8Array): Format["encoding"] {
  if (starts(bytes, 0xff, 0xfe)) return "utf-16le";
  if (starts(bytes, 0xfe, 0xff)) return "utf-16be";
  // No text has these: neither in UTF-8 nor in Windows-1252.
  if (bytes.some((byte) => byte < 9 || (byte > 13 && byte < 27))) {
    const rule = "is binary: it holds bytes that no text has (UTF-16 is read only with a byte-order mark)";
    throw new Refusal("malformed", "file", "its first bytes", rule, { shown: true });
  }
  return isUtf8(bytes) ? "utf-8" : "windows-1252";
}

type Cutting = Pick<Format, "delimiter" | "newline" | "quote" | "multiline">;

const MOST_ROWS = 1000;

const isFilled = (row: readonly string[]) => row.length > 1 || bare(row[0] ?? "") !== "";

/** The rows of the beginning; a last one that may be cut off only when there is no other. */
function rowsOf(text: string, cutting: Cutting): readonly (readonly string[])[] {
  const tokeniser = new Tokeniser(cutting);
  const filledIn = ({ rows }: Tokens) => rows.map((row) => cellsOf(row, cutting.delimiter)).filter(isFilled);
  const filled = filledIn(tokeniser.push(text));
  if (filled.length > 1) return filled.slice(0, MOST_ROWS);
  const last = text.length < BEGINNING / 2 ? filledIn(tokeniser.end()) : [];
  const all = [...filled, ...last];
  return all.length > 0 ? all : [text.split(cutting.delimiter)];
}

const wrapped = (cell: string, quote: string) =>
  cell.length > 1 && cell.startsWith(quote) && cell.endsWith(quote);

/** How well the rows agree with the first about where cells end, from 0 to 1; marks that are left over count against. */
function agreement(rows: ReturnType<typeof rowsOf>, quote: Format["quote"]): number {
  const columns = rows[0]?.length ?? 0;
  if (columns < 2) return 0;
  const alike = rows.filter((row) => row.length === columns).length;
  const cells = rows.flat().map(bare);
  const others = QUOTES.filter((other) => other !== "" && other !== quote);
  const left = cells.filter((cell) => others.some((other) => wrapped(cell, other))).length;
  return alike / rows.length - left / cells.length;
}

/** The first of the ways to cut that agrees best; the order of the delimiters is that of how rarely they are text. */
function cuttingOf(text: string, newline: Format["newline"]): Cutting & { rows: ReturnType<typeof rowsOf> } {
  const ways = QUOTES.flatMap((quote) =>
    DELIMITERS.map((delimiter) => {
      const cutting = { delimiter, newline, quote, multiline: true };
      const rows = rowsOf(text, cutting);
      return { ...cutting, rows, score: agreement(rows, quote) };
    }),
  );
  const best = ways.reduce((best, way) => (way.score > best.score ? way : best));
  if (best.score > 0) return best;
  const usual = { delimiter: ",", newline, quote: '"', multiline: true } as const;
  return { ...usual, rows: rowsOf(text, usual) };
}

function decimalOf(rows: ReturnType<typeof rowsOf>): Format["decimal"] {
  let points = 0;
  let commas = 0;
  for (const cell of rows.flat().map(bare)) {
    if (/^[+-]?\d*\.\d+$/.test(cell)) points++;
    else if (/^[+-]?\d*,\d+$/.test(cell)) commas++;
  }
  return commas > points ? "," : ".";
}

/** Names are not numbers. */
const isHeader = (row: readonly string[], decimal: Format["decimal"]) =>
  !row.some((cell) => numberIn(bare(cell), decimal) !== undefined);

export function sniff(beginning: Uint8Array): Format {
  const bytes = beginning.subarray(0, BEGINNING);
  if (bytes.length === 0) {
    throw new Refusal("malformed", "file", "0 bytes", "is empty: there is no table in it", { shown: true });
  }
  refuseOtherFiles(bytes);
  const encoding = encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes, { stream: true });
  if (bare(text) === "") {
    throw new Refusal("malformed", "file", "blanks only", "holds nothing but blanks", { shown: true });
  }
  const newline = text.includes("\r") && !text.includes("\n") ? "\r" : "\n";
  const { rows, delimiter, quote } = cuttingOf(text, newline);
  const decimal = decimalOf(rows);
  const header = isHeader(rows[0] ?? [], decimal);
  const multiline = rows.some((row) => row.some((cell) => cell.includes(newline)));
  return { encoding, delimiter, quote, newline, decimal, header, multiline };
}
