/** What differs between databases in what we write for them. Names and texts may be hostile: none can end its quotes. */
import { Refusal } from "../engine/refusal.ts";

export interface Dialect {
  readonly name: string;
  /** The name of a column or table, quoted. */
  identifier(field: string, name: string): string;
  /** A text that has characters with a meaning of their own somewhere, from its UTF-8 bytes in hexadecimal. */
  fromHex(hex: string): string;
  /** Whether names that differ only in their capitals are the same. */
  readonly ignoresCase: boolean;
  readonly textType: string;
  /** After a text: whatever the column says of equal texts, they are those of the same bytes. Nothing where no query can say so. */
  readonly bytewise: string;
  readonly doubleType: string;
  matches(text: string, pattern: string): string;
  /** Whether a pattern, an expression of text, is found somewhere. */
  finds(text: string, pattern: string): string;
  /** The double nearest to a text that spells a number; infinite where it is too large. */
  toDouble(text: string): string;
  trim(text: string, characters: string): string;
  /** Toward zero, as a 64-bit integer. */
  truncated(double: string): string;
  /** The exact sum of 64-bit integers, as text; 0 of no rows. */
  exactSum(integer: string): string;
  list(items: readonly string[]): string;
  /** Another number for each row, by chance. */
  readonly random: string;
  /** Ends a stage of the query so that its columns are computed once, and not again wherever they are used. */
  readonly barrier: string;
}

/** Quotes with a mark that is doubled inside. No database takes a NUL. */
const doubling = (mark: string) => (field: string, name: string) => {
  if (name.includes("\0")) throw new Refusal("unsupported", field, name, "no database has such a name");
  return mark + name.replaceAll(mark, mark + mark) + mark;
};

const trimmed = (text: string, characters: string) => `trim(${text}, ${characters})`;

const duckdb: Dialect = {
  name: "DuckDB",
  identifier: doubling('"'),
  fromHex: (hex) => `decode(from_hex('${hex}'))`,
  ignoresCase: true,
  textType: "VARCHAR",
  bytewise: " COLLATE C",
  doubleType: "DOUBLE",
  matches: (text, pattern) => `regexp_full_match(${text}, '${pattern}')`,
  finds: (text, pattern) => `regexp_matches(${text}, ${pattern})`,
  toDouble: (text) => `TRY_CAST(${text} AS DOUBLE)`,
  trim: trimmed,
  truncated: (double) => `CAST(trunc(${double}) AS BIGINT)`,
  exactSum: (integer) => `CAST(coalesce(sum(${integer}), 0) AS VARCHAR)`,
  list: (items) => `[${items.join(", ")}]`,
  random: "random()",
  barrier: "",
};

const spark: Dialect = {
  name: "Spark SQL",
  identifier: doubling("`"),
  fromHex: (hex) => `decode(unhex('${hex}'), 'UTF-8')`,
  ignoresCase: true,
  textType: "STRING",
  bytewise: "",
  doubleType: "DOUBLE",
  // The end of a pattern is also before the last line's end, of which Java knows six: no text ends with one after a full stop.
  matches: (text, pattern) => `concat(${text}, '.') RLIKE '^${pattern}[.]$'`,
  finds: (text, pattern) => `${text} RLIKE ${pattern}`,
  toDouble: (text) => `TRY_CAST(${text} AS DOUBLE)`,
  trim: (text, characters) => `trim(BOTH ${characters} FROM ${text})`,
  truncated: (double) => `CAST(${double} AS BIGINT)`,
  exactSum: (integer) => `CAST(coalesce(sum(CAST(${integer} AS DECIMAL(38, 0))), 0) AS STRING)`,
  list: (items) => `array(${items.join(", ")})`,
  random: "rand()",
  barrier: "",
};

const postgresql: Dialect = {
  name: "PostgreSQL",
  identifier: doubling('"'),
  fromHex: (hex) => `convert_from(decode('${hex}', 'hex'), 'UTF8')`,
  ignoresCase: false,
  textType: "text",
  bytewise: ' COLLATE "C"',
  doubleType: "double precision",
  matches: (text, pattern) => `${text} ~ '^${pattern}$'`,
  finds: (text, pattern) => `${text} ~ ${pattern}`,
  // A cast straight to double precision is an error where the number is too large for it, or at most half of the least one, 2^-1075.
  toDouble: (text) =>
    `CASE WHEN abs(${text}::numeric) >= 1.7976931348623158e308 THEN sign(${text}::numeric) * 'Infinity'::double precision` +
    ` WHEN abs(${text}::numeric) <= power(5::numeric, 1075) * 1e-1075 THEN 0 ELSE ${text}::numeric::double precision END`,
  trim: (text, characters) => `btrim(${text}, ${characters})`,
  truncated: (double) => `CAST(trunc(${double}) AS bigint)`,
  exactSum: (integer) => `CAST(coalesce(sum(${integer}), 0) AS text)`,
  list: (items) => `ARRAY[${items.join(", ")}]`,
  random: "random()",
  barrier: " OFFSET 0",
};

/** What the names of BigQuery's columns must not have; it excludes all that could end or escape the quotes. */
const NOT_IN_BIGQUERY = /[!"$()*,./;?@[\\\]^`{}~\p{Cc}]/u;

const bigquery: Dialect = {
  name: "BigQuery",
  identifier(field, name) {
    if (!NOT_IN_BIGQUERY.test(name)) return `\`${name}\``;
    throw new Refusal("unsupported", field, name, "BigQuery has no such name");
  },
  fromHex: (hex) => `SAFE_CONVERT_BYTES_TO_STRING(FROM_HEX('${hex}'))`,
  ignoresCase: true,
  textType: "STRING",
  bytewise: "",
  doubleType: "FLOAT64",
  matches: (text, pattern) => `REGEXP_CONTAINS(${text}, '^${pattern}$')`,
  finds: (text, pattern) => `REGEXP_CONTAINS(${text}, ${pattern})`,
  toDouble: (text) => `SAFE_CAST(${text} AS FLOAT64)`,
  trim: trimmed,
  truncated: (double) => `CAST(TRUNC(${double}) AS INT64)`,
  exactSum: (integer) => `CAST(coalesce(sum(CAST(${integer} AS NUMERIC)), 0) AS STRING)`,
  list: (items) => `[${items.join(", ")}]`,
  random: "RAND()",
  barrier: "",
};

export const DIALECTS = { duckdb, spark, postgresql, bigquery } as const;
export type DialectName = keyof typeof DIALECTS;

/** Nothing that any database, driver or notebook reads as more than itself between quotes. */
const HARMLESS = /^[A-Za-z0-9 _.,<>=+()-]*$/;

/** A text as a literal: in quotes when it is harmless, from its bytes otherwise. */
export function literal(dialect: Dialect, text: string): string {
  if (HARMLESS.test(text)) return `'${text}'`;
  const bytes = new TextEncoder().encode(text);
  return dialect.fromHex(Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""));
}
