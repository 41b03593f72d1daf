/** What the drawings share: the SVG around them, the marks along their sides, and what stands below. */
import { escapeMarkup } from "../words/markup.ts";
import { format } from "../words/numbers.ts";
import type { View } from "./axes.ts";
import { FONT, PAPER, type Palette, round } from "./figure.ts";

/** Files are drawn on paper, which has its own colour. */
export function opened({ width, height }: View, label: string, palette: Palette): string {
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  const paper =
    palette === PAPER ? `<rect width="${width}" height="${height}" fill="${palette.paper}"/>` : "";
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${FONT} role="img" aria-label="${escapeMarkup(label)}">${paper}`;
}

interface Sides {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

type Scale = (value: number) => number;

/** A line across for each value, with its number on the left. */
export const levels = (
  values: readonly number[],
  y: Scale,
  { left, right }: Sides,
  { grid, muted }: Palette,
  words: (value: number) => string = (value) => format(value, 3),
): string =>
  values
    .map((value) => {
      const up = round(y(value));
      return `<path d="M${left} ${up}H${right}" stroke="${grid}"/><text x="${left - 8}" y="${up}" dy="0.35em" text-anchor="end" fill="${muted}">${words(value)}</text>`;
    })
    .join("");

/** The lower edge, with a mark and a number for each value. */
export const edge = (
  values: readonly number[],
  x: Scale,
  { left, right, bottom }: Sides,
  { muted }: Palette,
  words: (value: number) => string = (value) => format(value, 3),
): string =>
  [
    `<path d="M${left} ${bottom}H${right}" stroke="${muted}"/>`,
    ...values.map((value) => {
      const across = round(x(value));
      return `<path d="M${across} ${bottom}v5" stroke="${muted}"/><text x="${across}" y="${bottom + 20}" text-anchor="middle" fill="${muted}">${words(value)}</text>`;
    }),
  ].join("");

/** What the lower edge measures. */
export const below = (
  name: string,
  { right, bottom }: Sides,
  { ink }: Palette,
  down = 38,
  rest = "",
): string =>
  `<text x="${right}" y="${bottom + down}" text-anchor="end" fill="${ink}"${rest}>${escapeMarkup(name)}</text>`;
