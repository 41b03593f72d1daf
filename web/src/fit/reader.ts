/** Reads the texts of a form: what is missing and what is not understood is kept by its field. */
import { Refusal } from "../../../wasm/engine/refusal.ts";
import { understand } from "../question/expression.ts";

export class Reader {
  readonly refusals = new Map<string, Refusal>();
  readonly missing: string[] = [];
  readonly fields = new Set<string>();
  #rows: number | null = null;

  /** Expressions may say n for the number of rows that was typed. */
  knowsRows(text: string): void {
    try {
      this.#rows = understand(text, "rows").value;
    } catch {
      // It is refused where it is read.
    }
  }

  number(field: string, text: string, required = true): number | undefined {
    this.fields.add(field);
    if (text.trim() === "") return this.#absent(field, required);
    try {
      return understand(text, field, this.#rows === null ? {} : { n: this.#rows }).value;
    } catch (error) {
      if (error instanceof Refusal) this.refusals.set(field, error);
      return undefined;
    }
  }

  text(field: string, text: string, required = true): string | undefined {
    this.fields.add(field);
    return text === "" ? this.#absent(field, required) : text;
  }

  #absent(field: string, required: boolean): undefined {
    if (required) this.missing.push(field);
    return undefined;
  }

  range(field: string, low: string, high: string) {
    return [this.number(`${field}.range.0`, low), this.number(`${field}.range.1`, high)];
  }
}
