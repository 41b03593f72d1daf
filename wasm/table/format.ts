/** How a text file spells a table: what was guessed from its beginning, shown, and may be corrected. */
import { type Checked, choice, flag, optional, record } from "../engine/shape.ts";

export const DELIMITERS = ["\t", ";", "|", ","] as const;
/** The empty text: no quotation marks, every one is part of its cell. */
export const QUOTES = ['"', "'", ""] as const;

export const FORMAT = record({
  encoding: choice("utf-8", "utf-16le", "utf-16be", "windows-1252"),
  delimiter: choice(...DELIMITERS),
  quote: choice(...QUOTES),
  /** A line feed also ends the lines of files that write a carriage return before it. */
  newline: choice("\n", "\r"),
  decimal: choice(".", ","),
  /** Whether the first row names the columns. */
  header: flag,
  /**
   * Whether quoted cells may hold ends of lines. Then the holder promises that every quotation mark is closed, in any
   * table that is possible: one that is not would swallow the lines of others.
   */
  multiline: optional(flag, false),
});

export type Format = Checked<typeof FORMAT>;

/** The characters that do not count at either end of a cell. */
export const BLANKS = " \t\r\n";

export const isBlank = (code: number) => code === 32 || code === 9 || code === 13 || code === 10;

/** A cell without the blanks around it. */
export function bare(cell: string): string {
  let from = 0;
  let to = cell.length;
  while (from < to && isBlank(cell.charCodeAt(from))) from++;
  while (to > from && isBlank(cell.charCodeAt(to - 1))) to--;
  return cell.slice(from, to);
}

/** In a cell: a character that no text has, or bytes that are none. */
export const UNREADABLE = "\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd";

const UNREADABLE_CELL = new RegExp(`[${UNREADABLE}]`);

export const isUnreadable = (cell: string): boolean => UNREADABLE_CELL.test(cell);

/** Whether a cell without the blanks around it names nobody and nothing; `marks` stand for no value. */
export const isMissing = (text: string, marks: ReadonlySet<string>): boolean =>
  text === "" || marks.has(text) || isUnreadable(text);

/** A number with a decimal point: the form in which a cell, here or in a database, is read as one. */
export const NUMBER = "[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,3})?";

/** Of a number, in characters. Some databases know no longer ones, and one cell must not keep them from an answer about all rows. */
export const LONGEST_NUMBER = 1000;

const WHOLE_CELL = new RegExp(`^${NUMBER}$`);

/** So many digits are a whole number that doubles hold exactly, and so are these powers of ten. */
const SHORT = 15;
const POWERS_OF_TEN = Array.from({ length: SHORT + 1 }, (_, i) => 10 ** i);

/**
 * What a few digits among ASCII bytes spell, with a decimal point or none: the quotient of two numbers that doubles hold
 * exactly is rounded once, as `Number` rounds the text, and found in a fraction of the time. NaN where more is spelled.
 */
export function shortNumber(bytes: Uint8Array, from: number, to: number, point: number): number {
  // A sign and a point besides.
  if (to - from > SHORT + 2) return Number.NaN;
  const first = bytes[from];
  let whole = 0;
  let digits = 0;
  let decimals = -1;
  for (let i = first === 45 || first === 43 ? from + 1 : from; i < to; i++) {
    const code = bytes[i] as number;
    if (code >= 48 && code <= 57) {
      whole = 10 * whole + (code - 48);
      digits++;
      if (decimals >= 0) decimals++;
    } else if (code === point && decimals < 0) decimals = 0;
    else return Number.NaN;
  }
  if (digits === 0 || digits > SHORT) return Number.NaN;
  const value = decimals > 0 ? whole / (POWERS_OF_TEN[decimals] as number) : whole;
  return first === 45 ? -value : value;
}

/**
 * The number that a bare cell spells, or nothing: no thousands separators, units, formulas or names of infinity. One
 * that is too large for a double is infinite; every range is below.
 */
export function numberIn(cell: string, decimal: Format["decimal"]): number | undefined {
  if (cell.length > LONGEST_NUMBER) return undefined;
  if (decimal === ".") return WHOLE_CELL.test(cell) ? Number(cell) : undefined;
  const spelled = cell.replace(",", ".");
  return !cell.includes(".") && WHOLE_CELL.test(spelled) ? Number(spelled) : undefined;
}

/** A copy that does not keep alive the long text from which it was cut. */
export const detached = (text: string): string => JSON.parse(JSON.stringify(text));
