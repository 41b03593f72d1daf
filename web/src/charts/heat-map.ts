/** Correlations as SVG text: a square for each pair of columns. The stronger, the fuller; negative ones are hatched. */
import { escapeMarkup } from "../words/markup.ts";
import { format } from "../words/numbers.ts";
import { type Palette, round } from "./figure.ts";
import { opened } from "./frame.ts";

/** Smaller squares have no room for their number. */
const ROOMY = 44;
const LARGEST = 64;
const LETTER = 7.2;
const LINE = 18;
const MOST_LETTERS = 16;
/** A larger matrix is no picture. */
export const MOST_COLUMNS = 40;

const shorten = (text: string) => (text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text);

/** `id` keeps the pattern apart from that of other drawings of the page. */
export function heatMap(
  names: readonly string[],
  matrix: readonly (readonly number[])[],
  width: number,
  palette: Palette,
  id: string,
): string {
  const { ink, accent, muted, grid, paper } = palette;
  const labels = names.map(shorten);
  const left = Math.max(...labels.map(({ length }) => length)) * LETTER + 34;
  const size = Math.min(LARGEST, (width - left - 2) / names.length);
  const height = size * names.length + LINE + 10;
  const square = (value: number, row: number, column: number) => {
    const [x, y] = [left + column * size, row * size].map(round) as [number, number];
    const strength = round(Math.min(1, Math.abs(value)) * 0.8);
    const fill = value < 0 ? `url(#${id})` : accent;
    const number =
      size < ROOMY
        ? ""
        : `<text x="${round(x + size / 2)}" y="${round(y + size / 2)}" dy="0.35em" text-anchor="middle" fill="${ink}" stroke="${paper}" stroke-width="3" paint-order="stroke">${format(Number(value.toFixed(2)), 2)}</text>`;
    return `<rect x="${x}" y="${y}" width="${round(size - 1)}" height="${round(size - 1)}" fill="${fill}" fill-opacity="${strength}" stroke="${grid}"><title>${escapeMarkup(`${names[row]}, ${names[column]}: ${format(value, 3)}`)}</title></rect>${number}`;
  };
  return [
    opened({ width, height: round(height) }, "Correlation of each pair of columns", palette),
    `<defs><pattern id="${id}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5" fill="${muted}" fill-opacity="0.45"/><path d="M0 0V5" stroke="${ink}" stroke-width="2.5"/></pattern></defs>`,
    ...labels.map(
      (label, row) =>
        `<text x="0" y="${round((row + 0.5) * size)}" dy="0.35em" fill="${ink}">${escapeMarkup(label)}</text><text x="${round(left - 8)}" y="${round((row + 0.5) * size)}" dy="0.35em" text-anchor="end" fill="${muted}">${row + 1}</text>`,
    ),
    ...labels.map(
      (_, column) =>
        `<text x="${round(left + (column + 0.5) * size)}" y="${round(size * names.length + LINE)}" text-anchor="middle" fill="${muted}">${column + 1}</text>`,
    ),
    ...matrix.flatMap((line, row) => line.map((value, column) => square(value, row, column))),
    "</svg>",
  ].join("");
}
