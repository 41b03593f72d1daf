/** A released histogram of numbers as SVG text: a bar for each bin, and above it what the noise leaves open. */
import { scaleLinear } from "d3-scale";
import { escapeMarkup } from "../words/markup.ts";
import { format } from "../words/numbers.ts";
import type { View } from "./axes.ts";
import { type Palette, round } from "./figure.ts";
import { below, edge, levels, opened } from "./frame.ts";

const MARGIN = { top: 28, right: 16, bottom: 46, left: 64 } as const;
/** As wide as the ends of a noise bar are at most. */
const CAP = 6;

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

const isClose = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));

/** Of bins of different widths areas are compared, so that heights are rows per unit. */
function densities(bins: readonly Bin[]): { readonly bins: readonly Bin[]; readonly isDensity: boolean } {
  const widths = bins.map(({ from, to }) => to - from);
  if (widths.every((width) => isClose(width, widths[0] as number))) return { bins, isDensity: false };
  const scaled = bins.map((bin, i) => {
    const width = widths[i] as number;
    return { ...bin, value: bin.value / width, lower: bin.lower / width, upper: bin.upper / width };
  });
  return { bins: scaled, isDensity: true };
}

function bar({ from, to, value, lower, upper }: Bin, x: Scale, y: Scale, { accent, ink }: Palette): string {
  const [left, right, zero, top, low, high] = [x(from), x(to), y(0), y(value), y(lower), y(upper)].map(
    round,
  ) as [number, number, number, number, number, number];
  const middle = round((left + right) / 2);
  const cap = Math.min(CAP, (right - left) / 4);
  const gap = Math.min(1, (right - left) / 8);
  return (
    `<rect x="${round(left + gap)}" y="${Math.min(zero, top)}" width="${round(right - left - 2 * gap)}" height="${round(Math.abs(zero - top))}" fill="${accent}" fill-opacity="0.35"/>` +
    `<path d="M${round(left + gap)} ${top}H${round(right - gap)}" stroke="${accent}" stroke-width="2"/>` +
    `<path d="M${middle} ${low}V${high}M${round(middle - cap)} ${low}h${round(2 * cap)}M${round(middle - cap)} ${high}h${round(2 * cap)}" stroke="${ink}" stroke-width="1.25"/>`
  );
}

type Scale = (value: number) => number;

export function histogramFigure(all: readonly Bin[], column: string, view: View, palette: Palette): string {
  const { bins, isDensity } = densities(all);
  const { width, height } = view;
  const sides = { left: MARGIN.left, right: width - MARGIN.right, bottom: height - MARGIN.bottom };
  const ends = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 1];
  const x = scaleLinear(ends, [sides.left, sides.right]);
  const y = scaleLinear(
    [Math.min(0, ...bins.map(({ lower }) => lower)), Math.max(0, ...bins.map(({ upper }) => upper))],
    [sides.bottom, MARGIN.top],
  ).nice(5);
  const shown = (value: number) => format(value, 4);
  const zero = round(y(0));
  return [
    opened(view, `Histogram of ${column}, with noise`, palette),
    levels(y.ticks(5), y, sides, palette, shown),
    edge(x.ticks(width < 480 ? 4 : 8), x, sides, palette, shown),
    ...bins.map((bin) => bar(bin, x, y, palette)),
    `<path d="M${sides.left} ${zero}H${sides.right}" stroke="${palette.muted}"/>`,
    `<text x="8" y="14" fill="${palette.ink}">${isDensity ? escapeMarkup(`rows per unit of ${column}`) : "rows"}</text>`,
    below(column, sides, palette, 40),
    "</svg>",
  ].join("");
}
