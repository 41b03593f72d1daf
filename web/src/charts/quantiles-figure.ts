/** Released quantiles as SVG text: which share of the rows is below which value. */
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { format } from "../words/numbers.ts";
import type { View } from "./axes.ts";
import { type Palette, round } from "./figure.ts";
import { below, edge, levels, opened } from "./frame.ts";

const MARGIN = { top: 28, right: 20, bottom: 46, left: 58 } as const;
const SHARES = [0, 0.25, 0.5, 0.75, 1];

export interface Quantile {
  readonly probability: number;
  readonly value: number;
}

/** From one end of the declared range to the other. */
export function quantilesFigure(
  quantiles: readonly Quantile[],
  column: string,
  range: readonly [number, number],
  view: View,
  palette: Palette,
): string {
  const { width, height } = view;
  const sides = { left: MARGIN.left, right: width - MARGIN.right, bottom: height - MARGIN.bottom };
  const x = scaleLinear(range, [sides.left, sides.right]);
  const y = scaleLinear([0, 1], [sides.bottom, MARGIN.top]);
  const drawn = line<Quantile>()
    .x(({ value }) => round(x(value)))
    .y(({ probability }) => round(y(probability)))([...quantiles]);
  const shown = (value: number) => format(value, 4);
  const point = ({ probability, value }: Quantile) =>
    `<circle cx="${round(x(value))}" cy="${round(y(probability))}" r="5" fill="${palette.accent}" stroke="${palette.paper}" stroke-width="2"/>`;
  return [
    opened(view, `Quantiles of ${column}: which share of the rows is below which value`, palette),
    levels(SHARES, y, sides, palette, (share) => `${format(100 * share, 3)} %`),
    edge(x.ticks(width < 480 ? 4 : 8), x, sides, palette, shown),
    `<path d="${drawn}" fill="none" stroke="${palette.accent}" stroke-width="2.25" stroke-linejoin="round"/>`,
    ...quantiles.map(point),
    `<text x="8" y="14" fill="${palette.ink}">share of rows below</text>`,
    below(column, sides, palette, 40),
    "</svg>",
  ].join("");
}
