/** Shapes that may hold themselves, and what must hold beyond a shape. */
import { Refusal } from "./refusal.ts";
import type { Limits, Shape } from "./shape.ts";

export const within = (deepest: number, mostItems: number): Limits => ({
  deepest,
  mostItems,
  depth: deepest,
  left: { items: mostItems },
});

/** What must hold beyond its shape, which no schema can say. */
export const refined = <T>(shape: Shape<T>, check: (field: string, checked: T) => void): Shape<T> => ({
  ...shape,
  check(field, value, limits) {
    const checked = shape.check(field, value, limits);
    check(field, checked);
    return checked;
  },
});

/** A shape inside of itself, by its name among the definitions of the schema, as deep as the limits allow. */
export function nested<T>(name: string, shape: () => Shape<T>): Shape<T> {
  return {
    schema: { $ref: `#/$defs/${name}` },
    check(field, value, limits) {
      const rule = `must not be nested deeper than ${limits?.deepest}`;
      if (limits?.depth === 0) throw new Refusal("range", field, value, rule);
      return shape().check(field, value, limits && { ...limits, depth: limits.depth - 1 });
    },
    parts: (field, value) => shape().parts?.(field, value) ?? [],
  };
}
