/** How a text file spells a table: what was guessed from its beginning, shown, and may be corrected. */
import { type Checked, choice, flag, record } from "./shape.ts";

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
});

export type Format = Checked<typeof FORMAT>;

/** The characters that do not count at either end of a cell. */
export const BLANKS = " \t\r\n";

const isBlank = (code: number) => code === 32 || code === 9 || code === 13 || code === 10;

/** A cell without the blanks around it. */
export function bare(cell: string): string {
  let from = 0;
  let to = cell.length;
  while (from < to && isBlank(cell.charCodeAt(from))) from++;
  while (to > from && isBlank(cell.charCodeAt(to - 1))) to--;
  return cell.slice(from, to);
}

/** A number with a decimal point: the form in which a cell, here or in a database, is read as one. */
export const NUMBER = "[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,3})?";

const WHOLE_CELL = new RegExp(`^${NUMBER}$`);

/**
 * The number that a bare cell spells, or nothing: no thousands separators, units, formulas or names of infinity. One
 * that is too large for a double is infinite; every range is below.
 */
export function numberIn(cell: string, decimal: Format["decimal"]): number | undefined {
  if (decimal === ".") return WHOLE_CELL.test(cell) ? Number(cell) : undefined;
  const spelled = cell.replace(",", ".");
  return !cell.includes(".") && WHOLE_CELL.test(spelled) ? Number(spelled) : undefined;
}

/** A copy that does not keep alive the long text from which it was cut. */
export const detached = (text: string): string => JSON.parse(JSON.stringify(text));
