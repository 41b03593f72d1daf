/** What stands in questions that are asked in numbers alone. */
import { Refusal } from "../engine/refusal.ts";
import { list, optional, real, type Shape } from "../engine/shape.ts";

export const number = real(-1e100, 1e100);
export const scale = real(1e-100, 1e100);
export const size = real(0, 1e100);
export const probability = real(1e-300, 0.5);
export const level = real(0, 700);
export const anyLevel = real(-700, 700);
export const divergence = real(0, 1e6);
export const maybe = <T>(shape: Shape<T>) => optional(shape, undefined);

/** How large a table may be that is typed. */
const MOST_ROWS = 10_000;
const MOST_FEATURES = 200;

export const vector = list(number, 1, MOST_FEATURES, "numbers");

const rectangle = list(list(number, 1, MOST_FEATURES, "numbers"), 0, MOST_ROWS, "rows");
/** Rows of equal length. */
export const matrix: typeof rectangle = {
  ...rectangle,
  check(field, value) {
    const rows = rectangle.check(field, value);
    const odd = rows.findIndex(({ length }) => length !== rows[0]?.length);
    if (odd < 0) return rows;
    const rule = `must have ${rows[0]?.length} numbers, as the first row has`;
    throw new Refusal("range", `${field}.${odd}`, `${rows[odd]?.length} numbers`, rule, { shown: true });
  },
};

export const table = { features: matrix, labels: list(number, 0, MOST_ROWS, "numbers") } as const;
