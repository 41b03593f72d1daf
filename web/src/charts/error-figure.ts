/** The error to expect of a private model against ε, as SVG text: simulated points, and what they lie between. */
import { scaleLinear, scaleLog } from "d3-scale";
import { line } from "d3-shape";
import type { Simulation } from "../../../wasm/contract.ts";
import { escapeMarkup } from "../words/markup.ts";
import { format } from "../words/numbers.ts";
import type { View } from "./axes.ts";
import { type Palette, round } from "./figure.ts";
import { below, edge, levels, opened } from "./frame.ts";

const MARGIN = { top: 28, right: 22, bottom: 42, left: 58 } as const;

interface Scales {
  readonly x: (epsilon: number) => number;
  readonly y: (error: number) => number;
}

/** A level that does not depend on ε; its words stand `above` it, in units of the drawing. */
function level(
  error: number,
  words: string,
  above: number,
  { y }: Scales,
  width: number,
  palette: Palette,
): string {
  const at = round(y(error));
  return (
    `<path d="M${MARGIN.left} ${at}H${width - MARGIN.right}" stroke="${palette.muted}" stroke-dasharray="5 4"/>` +
    `<text x="${width - MARGIN.right}" y="${at - above}" text-anchor="end" fill="${palette.muted}" stroke="${palette.paper}" stroke-width="4" paint-order="stroke">${words}</text>`
  );
}

/** Twice the standard error of the mean to either side. */
function point(
  { epsilon, error, standardError }: Simulation["points"][number],
  { x, y }: Scales,
  palette: Palette,
) {
  const [across, up, from, to] = [
    x(epsilon),
    y(error),
    y(error - 2 * standardError),
    y(error + 2 * standardError),
  ].map(round);
  return (
    `<path d="M${across} ${from}V${to}" stroke="${palette.accent}" stroke-width="8" stroke-opacity="0.3"/>` +
    `<circle cx="${across}" cy="${up}" r="5" fill="${palette.accent}" stroke="${palette.paper}" stroke-width="2"/>`
  );
}

function axes(
  simulation: Simulation,
  ticks: readonly number[],
  { x, y }: Scales,
  view: View,
  palette: Palette,
): string {
  const sides = { left: MARGIN.left, right: view.width - MARGIN.right, bottom: view.height - MARGIN.bottom };
  const shown = (value: number) => format(value, 4);
  const epsilons = simulation.points.map(({ epsilon }) => epsilon);
  return [
    levels(ticks, y, sides, palette, shown),
    edge(epsilons, x, sides, palette, shown),
    `<text x="8" y="14" fill="${palette.ink}">${escapeMarkup(simulation.measure)}</text>`,
    below("ε", sides, palette, 36, ` font-style="italic"`),
  ].join("");
}

/** `asked`: the ε of the form, where it is a number. */
export function errorFigure(
  simulation: Simulation,
  asked: number | undefined,
  view: View,
  palette: Palette,
): string {
  const { width, height } = view;
  const { points, constant, best } = simulation;
  const epsilons = [...points.map(({ epsilon }) => epsilon), ...(asked === undefined ? [] : [asked])];
  const most = Math.max(
    constant.error,
    ...points.map(({ error, standardError }) => error + 2 * standardError),
  );
  const up = scaleLinear([0, most * 1.08], [height - MARGIN.bottom, MARGIN.top]);
  const across = [MARGIN.left + 24, width - MARGIN.right - 24];
  const x = scaleLog([Math.min(...epsilons), Math.max(...epsilons)], across);
  const scales = { x, y: (error: number) => up(Math.max(0, error)) };
  const drawn = line<Simulation["points"][number]>()
    .x(({ epsilon }) => round(x(epsilon)))
    .y(({ error }) => round(scales.y(error)))([...points]);
  const mark =
    asked === undefined
      ? ""
      : `<path d="M${round(x(asked))} ${MARGIN.top}V${height - MARGIN.bottom}" stroke="${palette.ink}" stroke-dasharray="1 4" stroke-linecap="round"/>`;
  return [
    opened(view, "Simulated error: it falls as ε grows", palette),
    axes(simulation, up.ticks(5), scales, view, palette),
    level(constant.error, "always the same answer", 6, scales, width, palette),
    level(best.error, "no model is better", -16, scales, width, palette),
    mark,
    `<path d="${drawn}" fill="none" stroke="${palette.accent}" stroke-width="2.25" stroke-linejoin="round"/>`,
    ...points.map((one) => point(one, scales, palette)),
    "</svg>",
  ].join("");
}
