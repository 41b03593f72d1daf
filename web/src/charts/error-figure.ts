/** The error to expect of a private model against ε, as SVG text: simulated points, and what they lie between. */
import { scaleLinear, scaleLog } from "d3-scale";
import { line } from "d3-shape";
import type { Simulation } from "../../../wasm/contract.ts";
import { escapeMarkup } from "../words/markup.ts";
import { format } from "../words/numbers.ts";
import { FONT, type Palette, round } from "./figure.ts";

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
  view: Size,
  palette: Palette,
): string {
  const { muted, grid, ink } = palette;
  const bottom = view.height - MARGIN.bottom;
  const right = view.width - MARGIN.right;
  return [
    ...ticks.map((at) => {
      const up = round(y(at));
      return `<path d="M${MARGIN.left} ${up}H${right}" stroke="${grid}"/><text x="${MARGIN.left - 8}" y="${up}" dy="0.35em" text-anchor="end" fill="${muted}">${format(at, 4)}</text>`;
    }),
    ...simulation.points.map(({ epsilon }) => {
      const across = round(x(epsilon));
      return `<path d="M${across} ${bottom}v5" stroke="${muted}"/><text x="${across}" y="${bottom + 20}" text-anchor="middle" fill="${muted}">${format(epsilon, 4)}</text>`;
    }),
    `<path d="M${MARGIN.left} ${bottom}H${right}" stroke="${muted}"/>`,
    `<text x="8" y="14" fill="${ink}">${escapeMarkup(simulation.measure)}</text>`,
    `<text x="${right}" y="${bottom + 36}" text-anchor="end" fill="${ink}" font-style="italic">ε</text>`,
  ].join("");
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** `asked`: the ε of the form, where it is a number. */
export function errorFigure(
  simulation: Simulation,
  asked: number | undefined,
  view: Size,
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
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ${FONT} role="img" aria-label="Simulated error: it falls as ε grows">`,
    axes(simulation, up.ticks(5), scales, view, palette),
    level(constant.error, "always the same answer", 6, scales, width, palette),
    level(best.error, "no model is better", -16, scales, width, palette),
    mark,
    `<path d="${drawn}" fill="none" stroke="${palette.accent}" stroke-width="2.25" stroke-linejoin="round"/>`,
    ...points.map((one) => point(one, scales, palette)),
    "</svg>",
  ].join("");
}
