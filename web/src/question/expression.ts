/**
 * Numbers as people write them: `1e-5`, `10^-5`, `1/n^1.1`, `0,5`, `1_000`, `sqrt(2)`, `ceil(n/256)`. A recursive-descent
 * parser; power binds tighter than a sign and groups to the right, as on paper.
 */
import { Refusal } from "../../../wasm/engine/refusal.ts";

export interface Understood {
  readonly value: number;
  /** Nothing but a decimal number, so there is no need to repeat how it was understood. */
  readonly plain: boolean;
  /** The items, where a list was asked for. */
  readonly values?: readonly number[];
}

/** What expressions may speak of, and what it is. */
export const QUANTITIES = {
  n: "the number of people",
  batch: "the size of a batch",
  passes: "the number of epochs",
} as const;
export type Quantity = keyof typeof QUANTITIES;
/** Those that may be spoken of, some of which have no value yet. */
export type Quantities = Readonly<Partial<Record<Quantity, number | undefined>>>;

const isQuantity = (name: string): name is Quantity => Object.hasOwn(QUANTITIES, name);

/** Those of which a text speaks. */
export const quantitiesIn = (text: string): readonly Quantity[] =>
  [...new Set(text.toLowerCase().match(/[a-z]+/g))].filter(isQuantity);

const TOKEN = /\s*(?:((?:\d[\d_]*)?[.,]?\d[\d_]*(?:e[+-]?\d+)?)|([a-z]+)|([-+*/^()]))/iy;
const PLAIN = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
const FUNCTIONS: Readonly<Record<string, (x: number) => number>> = {
  sqrt: Math.sqrt,
  ln: Math.log,
  exp: Math.exp,
  ceil: Math.ceil,
  floor: Math.floor,
  round: Math.round,
};
const LONGEST = 200;

export function understand(text: string, field: string, known: Quantities = {}): Understood {
  const refuse = (rule: string): never => {
    throw new Refusal("malformed", field, text, rule);
  };
  if (text.trim() === "") refuse("a number belongs here");
  if (text.length > LONGEST) refuse(`at most ${LONGEST} characters`);
  const tokens = tokenise(text, refuse);
  let position = 0;
  const take = (...wanted: string[]) =>
    wanted.includes(tokens[position] ?? "") ? tokens[position++] : undefined;

  /** Where only a double ends, and not the number itself. */
  const kept = (value: number, isNothing: boolean): number =>
    value === 0 && !isNothing ? refuse("is too small to be told from 0") : value;

  const sum = (): number => {
    let value = product();
    for (let sign = take("+", "-"); sign; sign = take("+", "-"))
      value += sign === "+" ? product() : -product();
    return value;
  };
  const product = (): number => {
    let value = signed();
    for (let sign = take("*", "/"); sign; sign = take("*", "/")) {
      const next = signed();
      const isNothing = value === 0 || (sign === "*" && next === 0);
      value = kept(sign === "*" ? value * next : value / next, isNothing);
    }
    return value;
  };
  const signed = (): number => (take("-") ? -signed() : take("+") ? signed() : power());
  const power = (): number => {
    const base = atom();
    return take("^") ? kept(raise(base, signed()), base === 0) : base;
  };
  const atom = (): number => {
    const token = tokens[position++] ?? refuse("the expression stops too early");
    if (token === "(") {
      const value = sum();
      return take(")") ? value : refuse("a closing bracket is missing");
    }
    if (/^[\d.]/.test(token)) {
      const value = Number(token);
      return kept(value, !/^[^e]*[1-9]/i.test(token));
    }
    if (token === "e") return Math.E;
    if (token === "pi") return Math.PI;
    if (isQuantity(token)) return known[token] ?? refuse(`${token}, ${QUANTITIES[token]}, is not known here`);
    const apply = Object.hasOwn(FUNCTIONS, token) ? FUNCTIONS[token] : undefined;
    if (!apply)
      return refuse(
        `“${token}” means nothing here; known are ${[...Object.keys(known), "e, pi", ...Object.keys(FUNCTIONS)].join(", ")}`,
      );
    if (!take("(")) refuse(`write ${token}(…) with brackets`);
    const value = kept(apply(sum()), token !== "exp");
    return take(")") ? value : refuse("a closing bracket is missing");
  };

  const value = sum();
  if (position < tokens.length) refuse(`“${tokens[position]}” is one sign too many`);
  if (!Number.isFinite(value)) refuse("is not a finite number here");
  return { value, plain: PLAIN.test(text.trim()) };
}

/** Powers of ten are read as decimals, so that 10^-5 is the same double as 1e-5. */
const raise = (base: number, exponent: number) =>
  base === 10 && Number.isInteger(exponent) ? Number(`1e${exponent}`) : base ** exponent;

function tokenise(text: string, refuse: (rule: string) => never): string[] {
  const source = text.trim().replaceAll("−", "-").replaceAll(/[×·]/g, "*").replaceAll("π", "pi");
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const start = TOKEN.lastIndex;
    const match = TOKEN.exec(source);
    if (!match) return refuse(`“${source.slice(start).trim()[0]}” cannot be read here`);
    tokens.push(
      match[1]
        ? decimal(match[1], source.slice(TOKEN.lastIndex), refuse)
        : (match[2] ?? match[3] ?? "").toLowerCase(),
    );
  }
  return tokens;
}

/** A single comma is a decimal comma, unless it could as well group thousands. */
function decimal(number: string, rest: string, refuse: (rule: string) => never): string {
  if (/^\s*[.,]/.test(rest)) refuse("one decimal mark only; group digits with _ as in 1_000_000");
  if (/^[1-9]\d{0,2},\d{3}$/.test(number)) {
    refuse(
      `“${number}” can be read in two ways: write ${number.replace(",", "")} or ${number.replace(",", ".")}`,
    );
  }
  return number.replaceAll("_", "").replace(",", ".");
}

/** Lists are split at semicolons if there are any (then commas are decimal), otherwise at commas and spaces. */
export function understandList(text: string, field: string, known: Quantities = {}): Understood {
  const items = text.includes(";") ? text.split(";") : text.trim().split(/[\s,]+/);
  const parts = items.map((item) => understand(item, field, known));
  return {
    value: Number.NaN,
    values: parts.map((part) => part.value),
    plain: parts.every((part) => part.plain),
  };
}
