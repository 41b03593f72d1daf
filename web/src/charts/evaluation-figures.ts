/** How good a model is, as SVG text: its ROC curve, and how often its scores come true, with their intervals. */
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import type { CalibrationPoint, RocPoint } from "../fit/evaluation.ts";
import type { View } from "./axes.ts";
import { type Palette, round } from "./figure.ts";
import { below, edge, levels, opened } from "./frame.ts";

const MARGIN = { top: 28, right: 22, bottom: 46, left: 50 } as const;
const SHARES = [0, 0.2, 0.4, 0.6, 0.8, 1] as const;
/** Of marks, in units of the drawing. */
const DOT = 4;

const sidesOf = ({ width, height }: View) => ({
  left: MARGIN.left,
  right: width - MARGIN.right,
  bottom: height - MARGIN.bottom,
});

function scalesOf(view: View, [from, to]: readonly [number, number]) {
  const { left, right, bottom } = sidesOf(view);
  return { x: scaleLinear([from, to], [left, right]), y: scaleLinear([0, 1], [bottom, MARGIN.top]) };
}

type Scales = ReturnType<typeof scalesOf>;

interface Axes {
  readonly ticks: readonly number[];
  readonly across: string;
  readonly up: string;
}

function axes({ ticks, across, up }: Axes, { x, y }: Scales, view: View, palette: Palette): string {
  const sides = sidesOf(view);
  return [
    levels(SHARES, y, sides, palette),
    edge(ticks, x, sides, palette),
    below(across, sides, palette),
    `<text x="8" y="14" fill="${palette.ink}">${up}</text>`,
  ].join("");
}

const diagonal = ({ x, y }: Scales, { muted }: Palette, from = 0) =>
  `<path d="M${round(x(from))} ${round(y(from))}L${round(x(1))} ${round(y(1))}" stroke="${muted}" stroke-dasharray="1 4" stroke-linecap="round"/>`;

const curve = (points: readonly (readonly [number, number])[], { x, y }: Scales, { accent }: Palette) =>
  `<path d="${line<readonly [number, number]>()
    .x(([across]) => round(x(across)))
    .y(([, up]) => round(y(up)))([
    ...points,
  ])}" fill="none" stroke="${accent}" stroke-width="2" stroke-linejoin="round"/>`;

/** True positives over false ones, one point an edge; pale: 95 % intervals of both. The `chosen` edge is marked. */
export function rocFigure(points: readonly RocPoint[], chosen: number, view: View, palette: Palette): string {
  const scales = scalesOf(view, [0, 1]);
  const { x, y } = scales;
  const boxes = points.map(({ falsePositiveRate: { table: across }, truePositiveRate: { table: up } }) => {
    const [left, top] = [x(across.lower), y(up.upper)];
    const size = `width="${round(x(across.upper) - left)}" height="${round(y(up.lower) - top)}"`;
    return `<rect x="${round(left)}" y="${round(top)}" ${size} fill="${palette.accent}" fill-opacity="0.16"/>`;
  });
  const places = points.map(
    ({ falsePositiveRate, truePositiveRate }) => [falsePositiveRate.value, truePositiveRate.value] as const,
  );
  const at = places[points.findIndex((point) => point.edge === chosen)];
  const mark = at
    ? `<circle cx="${round(x(at[0]))}" cy="${round(y(at[1]))}" r="6" fill="${palette.accent}" stroke="${palette.paper}" stroke-width="2"/>`
    : "";
  const named = { ticks: SHARES, across: "false-positive rate", up: "true-positive rate" };
  return [
    opened(view, "ROC curve: the true-positive rate over the false-positive rate", palette),
    axes(named, scales, view, palette),
    diagonal(scales, palette),
    ...boxes,
    curve(places, scales, palette),
    mark,
    "</svg>",
  ].join("");
}

/** `up`: the share of what comes true of each bin of scores; wide pale bars for these rows, thin ones for such rows. */
export function calibrationFigure(
  points: readonly CalibrationPoint[],
  range: readonly [number, number],
  up: string,
  view: View,
  palette: Palette,
): string {
  const scales = scalesOf(view, range);
  const { x, y } = scales;
  const [from] = range;
  const isProbability = from >= 0;
  const bars = points.map(({ score, value, table, population }) => {
    const across = round(x(score));
    const bar = (lower: number, upper: number, look: string) =>
      `<path d="M${across} ${round(y(lower))}V${round(y(upper))}" stroke="${palette.accent}" ${look}/>`;
    return (
      bar(table.lower, table.upper, `stroke-width="9" stroke-opacity="0.25"`) +
      bar(population.lower, population.upper, `stroke-width="1.5"`) +
      `<circle cx="${across}" cy="${round(y(value))}" r="${DOT}" fill="${palette.accent}" stroke="${palette.paper}" stroke-width="1.5"/>`
    );
  });
  const named = {
    ticks: isProbability ? SHARES.filter((share) => share >= from) : [-1, -0.5, 0, 0.5, 1],
    across: isProbability ? "predicted probability" : "score",
    up,
  };
  return [
    opened(view, "Calibration: how often each score comes true", palette),
    axes(named, scales, view, palette),
    isProbability ? diagonal(scales, palette, from) : "",
    ...bars,
    "</svg>",
  ].join("");
}
