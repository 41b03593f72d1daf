/**
 * Numbers for reading. A rounded number errs to the safe side: the text, read back, is never on the wrong
 * side of the value it stands for.
 */

export type Side = "up" | "down" | "nearest";

/** One number is rounded in one way, in the headline, the comparison and the drawing. */
export const HEADLINE_DIGITS = 6;

/** No two numbers are the same in as many. */
export const EVERY_DIGIT = 17;

const FIXED_FROM = 1e-4;
const FIXED_BELOW = 1e7;

export function format(value: number, digits = 6, side: Side = "nearest"): string {
  if (value === Number.POSITIVE_INFINITY) return "∞";
  if (value === Number.NEGATIVE_INFINITY) return "−∞";
  if (Number.isNaN(value)) return "?";
  const text = layout(toSide(value, digits, side));
  return text.replace(/^-/, "−");
}

/** For copying and for programs: the shortest text that reads back as the same double. */
export const precise = (value: number) =>
  Number.isFinite(value) ? String(value) : value > 0 ? "Infinity" : "-Infinity";

function toSide(value: number, digits: number, side: Side): number {
  const near = Number(value.toPrecision(digits));
  if (side === "nearest" || near === value) return near;
  const wrong = side === "up" ? near < value : near > value;
  if (!wrong) return near;
  const exponent = Number(near.toExponential().split("e")[1]);
  const unit = Number(`1e${exponent - digits + 1}`);
  return Number((near + (side === "up" ? unit : -unit)).toPrecision(digits));
}

function layout(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || (size >= FIXED_FROM && size < FIXED_BELOW)) return String(value);
  return value.toExponential().replace("e+", "e");
}

/** Counts for sentences: 1 000 000 with spaces that do not break. */
export const grouped = (count: number) => String(count).replaceAll(/\B(?=(\d{3})+(?!\d))/g, "\u202f");

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
/** 10⁻⁵, for axes. */
export function powerOfTen(exponent: number): string {
  if (exponent === 0) return "1";
  const digits = [...String(Math.abs(exponent))].map((digit) => SUPERSCRIPTS[Number(digit)]);
  return `10${exponent < 0 ? "⁻" : ""}${digits.join("")}`;
}
