/** The expressions by which a database reads a cell as `cells.ts` does, and maps it as `features.ts` does. */
import type { Ends, Label, TableRequest } from "./declaration.ts";
import { type Dialect, literal } from "./dialects.ts";
import type { Placed } from "./features.ts";
import { BLANKS, LONGEST_NUMBER, NUMBER, numberIn, UNREADABLE } from "./format.ts";

/** Says in SQL what `CellReader` and `Preprocessor` do with a cell. */
export class Expressions {
  readonly #request: TableRequest;
  readonly #dialect: Dialect;

  constructor(request: TableRequest, dialect: Dialect) {
    this.#request = request;
    this.#dialect = dialect;
  }

  /** As a double in every dialect: a bare 1.5 is a decimal number in some. */
  double(value: number): string {
    return `CAST('${value}' AS ${this.#dialect.doubleType})`;
  }

  /** A column as text, without the blanks around it. */
  text(column: string): string {
    const { trim, textType, bytewise } = this.#dialect;
    return trim(`CAST(t.${column} AS ${textType})${bytewise}`, literal(this.#dialect, BLANKS));
  }

  /** A clamped number, the index of a level (-1: of none), or NULL when the row is to be left out. */
  value(text: string, use: Placed | Label): string {
    return use.use === "numeric" || use.use === "count" ? this.#number(text, use) : this.#level(text, use);
  }

  #number(text: string, { range, missing }: Extract<Placed | Label, { range: unknown }>): string {
    const [low, high] = (range as Ends).map((end) => this.double(end));
    const read = this.#dialect.toDouble(text);
    const isNumber = this.#dialect.matches(text, NUMBER);
    const none = missing === "drop" ? "NULL" : this.double(missing.constant);
    // The other marks are no numbers anyway.
    const marks = this.#request.missingMarks.filter((mark) => numberIn(mark, ".") !== undefined);
    return (
      `CASE WHEN ${this.#isAny(text, marks)} OR length(${text}) > ${LONGEST_NUMBER} OR NOT ${isNumber} THEN ${none}` +
      ` WHEN ${read} < ${low} THEN ${low} WHEN ${read} > ${high} THEN ${high} ELSE ${read} END`
    );
  }

  #level(text: string, { use, levels, missing }: Extract<Placed | Label, { levels: unknown }>): string {
    const known = levels.map((level, i) => `WHEN ${text} = ${literal(this.#dialect, level)} THEN ${i}`);
    const none = missing === "drop" ? "NULL" : String(levels.indexOf(missing.constant));
    if (use === "classes") return `CASE ${known.join(" ")} ELSE ${none} END`;
    return `CASE ${known.join(" ")} WHEN ${this.#isMissing(text)} THEN ${none} ELSE -1 END`;
  }

  #isMissing(text: string): string {
    return `${this.#isAny(text, ["", ...this.#request.missingMarks])} OR ${this.#isUnreadable(text)}`;
  }

  /** Whether an id is somebody's. */
  isSomebody(text: string): string {
    return `NOT (${this.#isMissing(text)})`;
  }

  /** Not IN: DuckDB makes a join of one that has other than plain literals. */
  #isAny(text: string, values: readonly string[]): string {
    const same = values.map((value) => ` OR ${text} = ${literal(this.#dialect, value)}`);
    return `${text} IS NULL${same.join("")}`;
  }

  /** `toUnit`. */
  unit(value: string, [low, high]: Ends): string {
    const ends = [low, high].map((end) => this.double(end));
    return `(${value} - ${ends[0]} - (${ends[1]} - ${value})) / ${this.double(high - low)}`;
  }

  /** Whether a text has characters that no text has. No database keeps a NUL. */
  #isUnreadable(text: string): string {
    return this.#dialect.finds(text, literal(this.#dialect, `[${UNREADABLE.replace("\0", "\u0001")}]`));
  }

  label(value: string): string {
    const { label } = this.#request;
    if (!label) return this.double(0);
    if (label.use === "classes") return `CAST(2 * ${value} - 1 AS ${this.#dialect.doubleType})`;
    return label.use === "numeric" ? this.unit(value, label.range as Ends) : value;
  }

  steps(double: string, exponent: number): string {
    return this.#dialect.truncated(`${double} * ${this.double(2 ** -exponent)}`);
  }
}
