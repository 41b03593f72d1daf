/**
 * What a plain value must look like, said once: each shape can check a value, naming the field, the value and the
 * rule when it refuses, and can say the same as JSON Schema. Each field is read once and copied, so that a getter
 * cannot be one thing when it is checked and another when it is used.
 */
import { Refusal } from "./refusal.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** How deep a value may be nested and how much its lists may hold together, counted down while it is checked. */
export interface Limits {
  readonly deepest: number;
  readonly mostItems: number;
  /** What is left of them. */
  readonly depth: number;
  readonly left: { items: number };
}

export interface Shape<T> {
  readonly schema: JsonSchema;
  /** The value, copied, or a refusal that names `field`. */
  check(field: string, value: unknown, limits?: Limits): T;
  /** What is inside of a value, each with its own shape; nothing of what is not there. */
  parts?(field: string, value: unknown): readonly Part[];
}

type Part = readonly [shape: Shape<unknown>, field: string, value: unknown];

/** All that is wrong with a value, part by part, where `check` stops at the first. */
export function faultsIn(shape: Shape<unknown>, field: string, value: unknown): readonly Refusal[] {
  try {
    shape.check(field, value);
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const inner = (shape.parts?.(field, value) ?? []).flatMap((part) => faultsIn(...part));
    return inner.length > 0 ? inner : [error];
  }
}

export type Checked<S> = S extends Shape<infer T> ? T : never;

/** The path of what is inside a field. */
export const inside = (field: string, key: string | number) =>
  field === "" ? String(key) : `${field}.${key}`;

export function real(minimum: number, maximum: number): Shape<number> {
  // That the least of a scale is above 0 is easily overlooked.
  const what = minimum > 0 && minimum < 1e-50 ? "a positive number" : "a number";
  const rule = `must be ${what} from ${minimum} to ${maximum}`;
  return {
    schema: { type: "number", minimum, maximum },
    check(field, value) {
      if (typeof value !== "number") throw new Refusal("type", field, value, rule);
      if (value >= minimum && value <= maximum) return value;
      throw new Refusal("range", field, value, rule);
    },
  };
}

export function whole(minimum: number, maximum: number): Shape<number> {
  const rule = `must be a whole number from ${minimum} to ${maximum}`;
  return {
    schema: { type: "integer", minimum, maximum },
    check(field, value) {
      if (typeof value !== "number") throw new Refusal("type", field, value, rule);
      if (Number.isInteger(value) && value >= minimum && value <= maximum) return value;
      throw new Refusal("range", field, value, rule);
    },
  };
}

/** A text, as long in UTF-16 units as `shortest` to `longest`. */
export function text(shortest: number, longest: number): Shape<string> {
  const rule = `must be a text of ${shortest} to ${longest} characters`;
  return {
    schema: { type: "string", minLength: shortest, maxLength: longest },
    check(field, value) {
      if (typeof value !== "string") throw new Refusal("type", field, value, rule);
      if (value.length >= shortest && value.length <= longest) return value;
      throw new Refusal("range", field, value, rule);
    },
  };
}

export const flag: Shape<boolean> = {
  schema: { type: "boolean" },
  check(field, value) {
    if (typeof value === "boolean") return value;
    throw new Refusal("type", field, value, "must be true or false");
  },
};

const oneOf = (options: readonly string[]) =>
  `one of ${options.map((option) => JSON.stringify(option)).join(", ")}`;

export function choice<const T extends string>(...options: readonly T[]): Shape<T> {
  return {
    schema: { enum: options },
    check(field, value) {
      const chosen = options.find((option) => option === value);
      if (chosen !== undefined) return chosen;
      throw new Refusal(
        value === undefined ? "missing" : "unknown",
        field,
        value,
        `must be ${oneOf(options)}`,
      );
    },
  };
}

/** This very text. */
export const constant = <const T extends string>(text: T): Shape<T> => ({
  ...choice(text),
  schema: { const: text },
});

/** `what` its items are called. */
export function list<T>(
  item: Shape<T>,
  shortest: number,
  longest: number,
  what = "items",
): Shape<readonly T[]> {
  const rule = `must be a list of ${shortest === longest ? shortest : `${shortest} to ${longest}`} ${what}`;
  return {
    schema: { type: "array", items: item.schema, minItems: shortest, maxItems: longest },
    check(field, value, limits) {
      if (!Array.isArray(value)) throw new Refusal("type", field, value, rule);
      const { length } = value;
      const shown = `${length} ${what}`;
      if (length < shortest || length > longest)
        throw new Refusal("range", field, shown, rule, { shown: true });
      if (limits) {
        limits.left.items -= length;
        const most = `all lists together must hold at most ${limits.mostItems} items`;
        if (limits.left.items < 0) throw new Refusal("range", field, shown, most, { shown: true });
      }
      return itemsOf(field, value).map((one, i) => item.check(inside(field, i), one, limits));
    },
    parts: (field, value) =>
      Array.isArray(value) ? value.map((one, i) => [item, inside(field, i), one]) : [],
  };
}

/** Each read once; a hole is an item that is nothing. */
function itemsOf(field: string, list: readonly unknown[]): unknown[] {
  try {
    return Array.from({ length: list.length }, (_, i) => list[i]);
  } catch {
    throw new Refusal("malformed", field, "a list", "has an item that cannot be read", { shown: true });
  }
}

/** A key that may be left out; then it has this value. */
export interface Optional<T> extends Shape<T> {
  readonly fallback: T;
}

export function optional<T, const F>(shape: Shape<T>, fallback: F): Optional<T | F> {
  const standing = fallback === undefined ? {} : { default: fallback };
  return { ...shape, schema: { ...shape.schema, ...standing }, fallback };
}

export const isOptional = <T>(shape: Shape<T>): shape is Optional<T> => "fallback" in shape;

type Keys = Readonly<Record<string, Shape<unknown>>>;
type Fields<K extends Keys> = { readonly [key in keyof K]: Checked<K[key]> };

/** The fields of an object, each read once. */
export function fieldsOf(field: string, value: unknown, rule: string): Readonly<Record<string, unknown>> {
  try {
    if (typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value))
      return { ...value };
  } catch {
    throw new Refusal("malformed", field, "an object", "has a field that cannot be read", { shown: true });
  }
  throw new Refusal("type", field, value, rule);
}

const withKeys = (known: readonly string[]) => `must be an object with ${known.join(", ")}`;

/** An object with these keys and no others. */
export function record<K extends Keys>(keys: K): Shape<Fields<K>> {
  const known = Object.keys(keys);
  const required = Object.entries(keys).flatMap(([key, shape]) => (isOptional(shape) ? [] : [key]));
  const properties = Object.fromEntries(Object.entries(keys).map(([key, { schema }]) => [key, schema]));
  return {
    schema: { type: "object", properties, required, additionalProperties: false },
    check(field, value, limits) {
      const fields = fieldsOf(field, value, withKeys(known));
      for (const key of Object.keys(fields)) {
        if (known.includes(key)) continue;
        const rule = `no such key; there are ${known.join(", ")}`;
        throw new Refusal("unknown", inside(field, key.slice(0, 80)), fields[key], rule);
      }
      const checked = Object.entries(keys).map(([key, shape]) => {
        if (fields[key] !== undefined) return [key, shape.check(inside(field, key), fields[key], limits)];
        if (isOptional(shape)) return [key, shape.fallback];
        const options = shape.schema.enum;
        const rule = Array.isArray(options) ? `must be given: ${oneOf(options)}` : "must be given";
        throw new Refusal("missing", inside(field, key), undefined, rule);
      });
      return Object.fromEntries(checked) as Fields<K>;
    },
    parts(field, value) {
      const fields: Readonly<Record<string, unknown>> =
        typeof value === "object" && value !== null ? { ...value } : {};
      return Object.entries(keys).flatMap(([key, shape]): Part[] =>
        fields[key] === undefined ? [] : [[shape, inside(field, key), fields[key]]],
      );
    },
  };
}

/** An argument that is a whole object: what is inside of it is named without it, and it by its own name. */
export function checkArgument<T>(name: string, shape: Shape<T>, value: unknown): T {
  // Its own shape says what it must be, where it is no object.
  if (typeof value !== "object" || value === null || Array.isArray(value)) return shape.check(name, value);
  return shape.check("", value);
}

type Variants = Readonly<Record<string, Keys>>;
type Variant<Tag extends string, V extends Variants> = {
  [name in keyof V]: { readonly [tag in Tag]: name } & Fields<V[name]>;
}[keyof V];

/** An object whose `tag` says which keys it has besides `shared`. */
export function tagged<const Tag extends string, S extends Keys, V extends Variants>(
  tag: Tag,
  shared: S,
  variants: V,
): Shape<Variant<Tag, V> & Fields<S>> {
  const names = Object.keys(variants);
  const shapes = Object.fromEntries(
    names.map((name) => [name, record({ [tag]: choice(name), ...shared, ...variants[name] })]),
  );
  const chosen = choice(...names);
  const nameIn = (value: unknown) => {
    const name: unknown = typeof value === "object" && value !== null ? Reflect.get(value, tag) : undefined;
    return names.find((one) => one === name);
  };
  return {
    schema: { oneOf: names.map((name) => shapes[name]?.schema) },
    check(field, value, limits) {
      const fields = fieldsOf(field, value, withKeys([...Object.keys(shared), tag]));
      const name = chosen.check(inside(field, tag), fields[tag]);
      return (shapes[name] as Shape<unknown>).check(field, fields, limits) as Variant<Tag, V> & Fields<S>;
    },
    parts: (field, value) => shapes[nameIn(value) ?? ""]?.parts?.(field, value) ?? [],
  };
}

/** Either this very text, or what the shape says. */
export function literalOr<const L extends string, T>(literal: L, shape: Shape<T>): Shape<L | T> {
  return {
    schema: { oneOf: [{ const: literal }, shape.schema] },
    check(field, value, limits) {
      if (value === literal) return literal;
      if (typeof value === "string") {
        throw new Refusal("unknown", field, value, `must be ${JSON.stringify(literal)} or an object`);
      }
      return shape.check(field, value, limits);
    },
    parts: (field, value) => shape.parts?.(field, value) ?? [],
  };
}
