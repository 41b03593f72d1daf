/**
 * What a release cost each person, as SVG text: how many lost how much beside what was promised, and loss against what
 * explains it. For the screen of whoever may see the table.
 */
import { scaleLinear, scaleLog } from "d3-scale";
import { format } from "../words/numbers.ts";
import type { View } from "./axes.ts";
import { type Palette, round } from "./figure.ts";
import { below, edge, levels, opened } from "./frame.ts";

const MARGIN = { top: 30, right: 22, bottom: 46, left: 58 } as const;
/** Smaller losses than this share of the largest one are drawn at the edge. */
const SMALLEST = 1e-4;
const BARS = 48;
/** Between the words of an axis. */
const WORD = 52;
const LINE = 26;
const CELLS = { across: 56, up: 36 } as const;

export interface Drawn {
  /** Every row's loss. */
  readonly losses: Float64Array;
  /** What was promised to everybody. */
  readonly promised: number;
  /** The row that is being explained. */
  readonly chosen?: number | undefined;
}

type Scale = ReturnType<typeof scaleLog<number, number>>;

/** Half a decade around everything that is drawn. */
function range({ losses, promised }: Drawn): readonly [number, number] {
  const finite = [
    promised,
    losses.reduce((most, one) => (one < Number.POSITIVE_INFINITY ? Math.max(most, one) : most), 0),
  ].filter((one) => one > 0 && one < Number.POSITIVE_INFINITY);
  const largest = Math.max(...finite, Number.MIN_VALUE);
  const least = losses.reduce((found, one) => (one > 0 && one < found ? one : found), largest);
  return [Math.max(least, largest * SMALLEST) * 0.9, largest * 1.25];
}

const inside = (scale: Scale, value: number) => {
  const [least, most] = scale.domain() as [number, number];
  return scale(Math.min(most, Math.max(least, value)));
};

/** Powers of ten, and twice and five times those where there is room for their words. */
function ticks(scale: Scale, room: number): number[] {
  const chosen: number[] = [];
  const all = scale.ticks(20);
  for (const lead of [1, 5, 2]) {
    for (const at of all.filter(
      (one) => one.toExponential() === one.toExponential(0) && Number(one.toExponential()[0]) === lead,
    ))
      if (chosen.every((other) => Math.abs(scale(other) - scale(at)) >= room)) chosen.push(at);
  }
  if (chosen.length > 1) return chosen;
  // A range in which there is hardly any of those.
  const [least, most] = scale.domain() as [number, number];
  return scaleLinear([least, most], [0, 1]).ticks(Math.max(2, Math.min(4, Math.floor(span(scale) / room))));
}

const span = (scale: Scale) => {
  const [from, to] = scale.range() as [number, number];
  return Math.abs(to - from);
};

const sidesOf = ({ width, height }: View) => ({
  left: MARGIN.left,
  right: width - MARGIN.right,
  bottom: height - MARGIN.bottom,
});

const across = (scale: Scale, name: string, view: View, palette: Palette): string =>
  edge(ticks(scale, WORD), scale, sidesOf(view), palette) + below(name, sidesOf(view), palette);

/** An upright line with its words beside it, on the side where there is room. */
function upright(x: number, words: string, view: View, palette: Palette, line: number): string {
  const left = x > view.width / 2;
  const y = MARGIN.top - 16 + 15 * line;
  return (
    `<path d="M${round(x)} ${y + 5}V${view.height - MARGIN.bottom}" stroke="${palette.ink}" stroke-dasharray="${line === 0 ? "none" : "1 4"}" stroke-linecap="round"/>` +
    `<text x="${round(x + (left ? -6 : 6))}" y="${y + 5}" text-anchor="${left ? "end" : "start"}" fill="${palette.ink}" stroke="${palette.paper}" stroke-width="4" paint-order="stroke">${words}</text>`
  );
}

/** How many lost how much, whatever came out; or what came out told of how many, by that name. */
export function lossesFigure(drawn: Drawn, view: View, palette: Palette, name = "loss of a row, ε"): string {
  const { losses, promised, chosen } = drawn;
  const x = scaleLog(range(drawn), [MARGIN.left, view.width - MARGIN.right]);
  const [from, to] = x.range() as [number, number];
  const counts = new Float64Array(BARS);
  for (const loss of losses) {
    const bar = Math.min(BARS - 1, Math.floor(((inside(x, loss) - from) / (to - from)) * BARS));
    counts[bar] = (counts[bar] ?? 0) + 1;
  }
  const y = scaleLinear([0, Math.max(...counts) * 1.1], [view.height - MARGIN.bottom, MARGIN.top + 14]);
  const step = (to - from) / BARS;
  const bars = Array.from(counts, (count, i) =>
    count === 0
      ? ""
      : `<path d="M${round(from + i * step + 0.5)} ${round(y(0))}V${round(y(count))}h${round(step - 1)}V${round(y(0))}z" fill="${palette.accent}" fill-opacity="0.55"/>`,
  );
  const loss = chosen === undefined ? undefined : losses[chosen];
  const whole = y.ticks(4).filter((count) => count > 0 && Number.isInteger(count));
  return [
    opened(view, `How many rows are where: ${name}`, palette),
    levels(whole, y, sidesOf(view), palette, format),
    ...bars,
    across(x, name, view, palette),
    Number.isFinite(promised) ? upright(inside(x, promised), "promised", view, palette, 0) : "",
    loss === undefined ? "" : upright(inside(x, loss), "this row", view, palette, 1),
    "</svg>",
  ].join("");
}

interface Explained extends Drawn {
  /** Of each row, and what it is. */
  readonly because: Float64Array;
  readonly name: string;
}

function scatterScales({ because, ...drawn }: Explained, view: View) {
  const sizes = because.map(Math.abs);
  const largest = sizes.reduce(
    (most, one) => (one < Number.POSITIVE_INFINITY ? Math.max(most, one) : most),
    0,
  );
  const x = scaleLog(range({ losses: sizes, promised: largest }), [
    MARGIN.left + 4,
    view.width - MARGIN.right,
  ]);
  const y = scaleLog(range(drawn), [view.height - MARGIN.bottom - 4, MARGIN.top]);
  return { sizes, x, y };
}

/** The row that is drawn nearest to a place of the figure. */
export function rowAt(drawn: Explained, view: View, at: { readonly x: number; readonly y: number }): number {
  const { sizes, x, y } = scatterScales(drawn, view);
  let [row, least] = [0, Number.POSITIVE_INFINITY];
  drawn.losses.forEach((loss, i) => {
    const away = Math.hypot(inside(x, sizes[i] ?? 0) - at.x, inside(y, loss) - at.y);
    if (away < least) [row, least] = [i, away];
  });
  return row;
}

/** Loss against what explains it, such as leverage: darker where more rows are. */
export function scatterFigure(drawn: Explained, view: View, palette: Palette): string {
  const { losses, name, chosen, promised } = drawn;
  const { sizes, x, y } = scatterScales(drawn, view);
  const [left, right] = x.range() as [number, number];
  const [low, high] = y.range() as [number, number];
  const width = (right - left) / CELLS.across;
  const height = (low - high) / CELLS.up;
  const counts = new Float64Array(CELLS.across * CELLS.up);
  losses.forEach((loss, i) => {
    const column = Math.min(CELLS.across - 1, Math.floor((inside(x, sizes[i] ?? 0) - left) / width));
    const row = Math.min(CELLS.up - 1, Math.floor((inside(y, loss) - high) / height));
    counts[row * CELLS.across + column] = (counts[row * CELLS.across + column] ?? 0) + 1;
  });
  const most = Math.log1p(Math.max(...counts));
  const cells = Array.from(counts, (count, i) => {
    if (count === 0) return "";
    const [column, row] = [i % CELLS.across, Math.floor(i / CELLS.across)];
    const shade = round(0.2 + (0.8 * Math.log1p(count)) / most);
    return `<rect x="${round(left + column * width)}" y="${round(high + row * height)}" width="${round(width)}" height="${round(height)}" fill="${palette.accent}" fill-opacity="${shade}"/>`;
  });
  const promise = Number.isFinite(promised)
    ? `<path d="M${MARGIN.left} ${round(inside(y, promised))}H${right}" stroke="${palette.ink}"/>`
    : "";
  const mark =
    chosen === undefined
      ? ""
      : `<circle cx="${round(inside(x, sizes[chosen] ?? 0))}" cy="${round(inside(y, losses[chosen] ?? 0))}" r="6" fill="none" stroke="${palette.ink}" stroke-width="2"/>`;
  return [
    opened(view, `Loss of each row against its ${name}`, palette),
    levels(ticks(y, LINE), y, sidesOf(view), palette),
    ...cells,
    across(x, name, view, palette),
    promise,
    `<text x="8" y="14" fill="${palette.ink}">loss of a row, ε</text>`,
    mark,
    "</svg>",
  ].join("");
}
