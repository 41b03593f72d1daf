/** The effects of a model's terms as SVG text: a row each, from zero to the value. */
import { scaleLinear } from "d3-scale";
import { escapeMarkup } from "../words/markup.ts";
import { format } from "../words/numbers.ts";
import type { Effect } from "./effects.ts";
import { type Palette, round } from "./figure.ts";
import { opened } from "./frame.ts";

const ROW = 30;
/** Where there is no room beside a line for its name, the name stands above it. */
const TALL_ROW = 46;
const NARROW = 480;
const TOP = 10;
const BOTTOM = 46;
/** Room for the number beside the longest line, on either side. */
const BESIDE = 72;
/** Generous width of a letter at this size. */
const LETTER = 7.2;
/** More rows are no picture. */
export const MOST_ROWS = 40;

/** The largest, in the order of the table. */
export function largest(all: readonly Effect[]): readonly Effect[] {
  if (all.length <= MOST_ROWS) return all;
  const sizes = all.map(({ value }) => Math.abs(value)).sort((a, b) => b - a);
  const least = sizes[MOST_ROWS - 1] as number;
  return all.filter(({ value }) => Math.abs(value) >= least).slice(0, MOST_ROWS);
}

const shorten = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

type Scale = (value: number) => number;

interface Name {
  readonly text: string;
  readonly y: number;
}

function row(
  { value, noise = 0, truth = value }: Effect,
  name: Name,
  y: number,
  x: Scale,
  palette: Palette,
): string {
  const { ink, accent, paper } = palette;
  const places = [0, value, truth, value - noise, value + noise].map((at) => round(x(at)));
  const [from, to, known, low, high] = places as [number, number, number, number, number];
  // Beyond the mark where that would cross the number.
  const mark = Math.abs(known - to) < BESIDE ? known : to;
  const beside = value < 0 ? Math.min(to, mark, low) - 11 : Math.max(to, mark, high) + 11;
  const anchor = value < 0 ? "end" : "start";
  return [
    `<text x="0" y="${name.y}" dy="0.35em" fill="${ink}" stroke="${paper}" stroke-width="4" paint-order="stroke">${escapeMarkup(name.text)}</text>`,
    `<path d="M${from} ${y}H${to}" stroke="${accent}" stroke-width="2.25"/>`,
    noise === 0
      ? ""
      : `<path d="M${low} ${y}H${high}" stroke="${accent}" stroke-width="8" stroke-opacity="0.3"/>`,
    truth === value ? "" : `<path d="M${known} ${y - 9}v18" stroke="${ink}" stroke-width="2"/>`,
    `<circle cx="${to}" cy="${y}" r="5" fill="${accent}" stroke="${paper}" stroke-width="2"/>`,
    `<text x="${round(beside)}" y="${y}" dy="0.35em" text-anchor="${anchor}" fill="${ink}">${format(value, 4)}</text>`,
  ].join("");
}

/** `unit` is what the values are in. */
export function effectsFigure(
  all: readonly Effect[],
  unit: string,
  width: number,
  palette: Palette,
  title = `What moves the prediction, in ${unit}`,
): string {
  const shown = largest(all);
  const { muted, grid } = palette;
  const isNarrow = width < NARROW;
  const step = isNarrow ? TALL_ROW : ROW;
  const names = shown.map(({ label }) =>
    shorten(label, Math.floor((width * (isNarrow ? 0.9 : 0.38)) / LETTER)),
  );
  const left = isNarrow ? 0 : Math.max(...names.map((name) => name.length), 4) * LETTER;
  const bottom = TOP + shown.length * step;
  const height = bottom + BOTTOM;
  const values = shown.flatMap(({ value, noise = 0, truth = value }) => [
    value - noise,
    value + noise,
    truth,
  ]);
  const across = [left + (Math.min(...values) < 0 ? BESIDE : 12), width - BESIDE];
  const x = scaleLinear([Math.min(0, ...values), Math.max(0, ...values)], across);
  const ticks = x.ticks(isNarrow ? 4 : 6).map((at) => {
    const where = round(x(at));
    return (
      `<path d="M${where} ${TOP}V${bottom}" stroke="${at === 0 ? muted : grid}"/>` +
      `<text x="${where}" y="${bottom + 18}" text-anchor="middle" fill="${muted}">${format(at, 4)}</text>`
    );
  });
  return [
    opened({ width, height }, title, palette),
    ...ticks,
    ...shown.map((effect, i) => {
      const y = TOP + (i + 1) * step - ROW / 2;
      const name = { text: names[i] as string, y: isNarrow ? y - 20 : y };
      return row(effect, name, y, x, palette);
    }),
    `<text x="${width}" y="${height - 4}" text-anchor="end" fill="${muted}">${escapeMarkup(shorten(unit, 40))}</text>`,
    "</svg>",
  ].join("");
}
