/** The few values of Python in which other libraries print what they did: numbers, quotients, texts, lists, tuples, dictionaries and calls. */
import { Refusal } from "./refusal.ts";

/** An object that was made by a call. */
export interface Call {
  /** Without the modules before it. */
  readonly name: string;
  /** An argument by its name, or by its place where it was given without one. */
  readonly argument: (name: string, position: number) => Value | undefined;
  /** What was never asked for: names, and places counted from 1. */
  readonly unread: () => readonly (string | number)[];
}
export type Value = number | string | readonly Value[] | ReadonlyMap<string, Value> | Call;

const TOKEN =
  /\s*(?:([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|([A-Za-z_][\w.]*)|('[^'\\]*'|"[^"\\]*")|([()[\]{},:=/]))/iy;
/** Numbers of NumPy, which print a double or a whole number as it is. */
const NUMPY = /^(?:np|numpy)\.(?:float64|int64|int32)$/;
const DEEPEST = 32;
const LONGEST = 1_000_000;

class Reader {
  readonly #tokens: string[] = [];
  readonly #field: string;
  #next = 0;

  constructor(text: string, field: string) {
    this.#field = field;
    if (text.length > LONGEST) this.#refuse(`${text.length} characters`, `must have at most ${LONGEST}`);
    const pattern = new RegExp(TOKEN);
    const trimmed = text.trimEnd();
    while (pattern.lastIndex < trimmed.length) {
      const from = pattern.lastIndex;
      const found = pattern.exec(trimmed);
      if (!found) this.#refuse(trimmed.slice(from, from + 20), "must be an event or a history");
      this.#tokens.push((found as RegExpExecArray)[0].trim());
    }
  }

  whole(): Value {
    const value = this.#value(0);
    if (this.#next < this.#tokens.length) this.#refuse(this.#here(), "must end there");
    return value;
  }

  #refuse(value: string, rule: string): never {
    throw new Refusal("malformed", this.#field, value, rule, { shown: true });
  }

  #here = () => this.#tokens[this.#next] ?? "the end";

  #takes(token: string): boolean {
    const is = this.#here() === token;
    if (is) this.#next += 1;
    return is;
  }

  #value(depth: number): Value {
    if (depth > DEEPEST) this.#refuse(this.#here(), `must be nested at most ${DEEPEST} deep`);
    const token = this.#here();
    this.#next += 1;
    if (token === "[" || token === "(") return this.#list(token === "[" ? "]" : ")", depth);
    if (/^[+\-.\d]/.test(token)) {
      const value = Number(token);
      return this.#takes("/") ? value / this.#number() : value;
    }
    if (token === "{") return this.#dictionary(depth);
    if (/^['"]/.test(token)) return token.slice(1, -1);
    if (token === "inf") return Number.POSITIVE_INFINITY;
    if (NUMPY.test(token) && this.#takes("(")) {
      const number = this.#number();
      return this.#takes(")") ? number : this.#refuse(this.#here(), "must be )");
    }
    if (/^[A-Za-z_]/.test(token) && this.#takes("(")) return this.#call(token, depth);
    return this.#refuse(token, "must be a number, a list or an event");
  }

  #number(): number {
    const value = Number(this.#here());
    if (Number.isNaN(value)) this.#refuse(this.#here(), "must be a number");
    this.#next += 1;
    return value;
  }

  #list(end: string, depth: number): Value[] {
    const values: Value[] = [];
    while (!this.#takes(end)) {
      values.push(this.#value(depth + 1));
      if (!this.#takes(",") && this.#here() !== end) this.#refuse(this.#here(), `must be , or ${end}`);
    }
    return values;
  }

  #dictionary(depth: number): ReadonlyMap<string, Value> {
    const values = new Map<string, Value>();
    while (!this.#takes("}")) {
      const key = this.#value(depth + 1);
      if (typeof key !== "string" || values.has(key))
        this.#refuse(this.#here(), "must follow a text that is given once");
      if (!this.#takes(":")) this.#refuse(this.#here(), "must be :");
      values.set(key as string, this.#value(depth + 1));
      if (!this.#takes(",") && this.#here() !== "}") this.#refuse(this.#here(), "must be , or }");
    }
    return values;
  }

  #call(path: string, depth: number): Call {
    const named = new Map<string, Value>();
    const placed: Value[] = [];
    while (!this.#takes(")")) {
      const name = this.#tokens[this.#next + 1] === "=" ? this.#here() : undefined;
      if (name !== undefined) this.#next += 2;
      const value = this.#value(depth + 1);
      if (name === undefined && named.size > 0) this.#refuse(path, "must have its named arguments last");
      if (name !== undefined && named.has(name)) this.#refuse(name, "must be given once");
      if (name === undefined) placed.push(value);
      else named.set(name, value);
      if (!this.#takes(",") && this.#here() !== ")") this.#refuse(this.#here(), "must be , or )");
    }
    const name = path.slice(path.lastIndexOf(".") + 1);
    const left = new Set<string | number>([...named.keys(), ...placed.keys()]);
    return {
      name,
      argument: (key, position) => {
        left.delete(named.has(key) ? key : position);
        return named.get(key) ?? placed[position];
      },
      unread: () => [...left].map((one) => (typeof one === "number" ? one + 1 : one)),
    };
  }
}

/** The value that a text spells; refuses everything else. */
export const parse = (text: string, field: string): Value => new Reader(text, field).whole();
