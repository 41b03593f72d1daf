/**
 * A curve as SVG text: one drawing for the page, for the file that is saved and for readers without scripts.
 * Only numbers and fixed words go in; the caller chooses the colours.
 */
import { area, line } from "d3-shape";
import type { Plot } from "../question/outcome.ts";
import { escapeMarkup } from "../words/markup.ts";
import { format, HEADLINE_DIGITS } from "../words/numbers.ts";
import { hasBand, MARGIN, scales, ticksAcross, ticksUp, type View, WORDS } from "./axes.ts";

export interface Palette {
  readonly ink: string;
  readonly muted: string;
  readonly grid: string;
  readonly accent: string;
  readonly paper: string;
}

/** A place in units of the drawing: digits beyond are never seen. */
export const round = (value: number) => Math.round(value * 100) / 100;

/** Colours of the page around it, whatever its theme. */
export const INHERITED: Palette = {
  ink: "var(--ink)",
  muted: "var(--muted)",
  grid: "var(--grid)",
  accent: "var(--accent)",
  paper: "var(--paper)",
};

/** Files are saved for paper. */
export const PAPER: Palette = {
  ink: "#1b2430",
  muted: "#556070",
  grid: "#dfe3e8",
  accent: "#0f5f8a",
  paper: "#ffffff",
};

/** Generous width of a letter at the font size below. */
const LETTER = 7.6;
/** Where long words would run into the axis. */
const NARROW = 480;
export const FONT = `font-family="system-ui, sans-serif" font-size="13"`;

export function figure(plot: Plot, view: View, palette: Palette, description = ""): string {
  const { width, height } = view;
  const [left, top] = [MARGIN.left, MARGIN.top - 2];
  const frame = [width - left - MARGIN.right + 2, height - top - MARGIN.bottom + 1];
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${FONT} role="img" aria-label="${WORDS[plot.name].label}">`,
    description && `<desc>${escapeMarkup(description)}</desc>`,
    palette === PAPER ? `<rect width="${width}" height="${height}" fill="${palette.paper}"/>` : "",
    axes(plot, view, palette),
    // An inner drawing cuts off what falls below the axis.
    `<svg x="${left}" y="${top}" width="${frame[0]}" height="${frame[1]}" viewBox="${left} ${top} ${frame.join(" ")}">`,
    plot.name === "trade-off" ? diagonal(plot, view, palette) : "",
    curves(plot, view, palette),
    "</svg>",
    marker(plot, view, palette),
    "</svg>",
  ].join("");
}

const label = (x: number, y: number, anchor: string, colour: string, text: string, rest = "") =>
  `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="${colour}"${rest}>${text}</text>`;

const ITALIC = ` font-style="italic"`;

function axes(plot: Plot, view: View, { muted, grid, ink }: Palette): string {
  const { x, y } = scales(plot, view);
  const { left } = MARGIN;
  const bottom = view.height - MARGIN.bottom;
  const right = view.width - MARGIN.right;
  const words = WORDS[plot.name];
  const parts = [];
  for (const tick of ticksUp(plot)) {
    const at = round(y(tick.at));
    parts.push(`<path d="M${left} ${at}H${right}" stroke="${grid}"/>`);
    parts.push(label(left - 8, at, "end", muted, tick.text, ` dy="0.35em"`));
  }
  for (const tick of ticksAcross(plot, view)) {
    const at = round(x(tick.at));
    parts.push(`<path d="M${at} ${bottom}v5" stroke="${muted}"/>`);
    parts.push(label(at, bottom + 20, "middle", muted, tick.text));
  }
  parts.push(`<path d="M${left} ${bottom}H${right}" stroke="${muted}"/>`);
  const letter = words.y.length === 1;
  parts.push(
    letter ? label(left - 8, 16, "end", ink, words.y, ITALIC) : label(8, 16, "start", ink, words.y),
    label(right, bottom + 36, "end", ink, words.x, letter ? ITALIC : ""),
  );
  return parts.join("");
}

/** Guessing blindly. */
function diagonal(plot: Plot, view: View, { muted }: Palette): string {
  const { x, y } = scales(plot, view);
  const ends = [x(0), y(0), x(1), y(1)].map(round);
  return `<path d="M${ends[0]} ${ends[1]}L${ends[2]} ${ends[3]}" stroke="${muted}" ${DOTTED}/>`;
}

/** The index of the place, and those of the points whose upper and lower ends are drawn there. */
export type Corner = readonly [place: number, upper: number, lower: number];

/** Over a step the upper end keeps the larger of its two values, and the lower end the smaller one. */
export function corners({ at, upper, lower, steps = [] }: Plot): Corner[] {
  const jumps = new Set(steps);
  return Array.from(at).flatMap((_, i): Corner[] => {
    if (!jumps.has(i)) return [[i, i, i]];
    const most = (upper[i] ?? 0) > (upper[i + 1] ?? 0) ? i : i + 1;
    const least = (lower[i] ?? 0) > (lower[i + 1] ?? 0) ? i + 1 : i;
    return [
      [i, i, i],
      [i, most, least],
      [i + 1, most, least],
    ];
  });
}

function curves(plot: Plot, view: View, { accent, muted }: Palette): string {
  const { lower, upper, beside } = plot;
  const { x, y } = scales(plot, view);
  const points = corners(plot);
  const across = ([place]: Corner) => round(x(plot.at[place] ?? 0));
  const height = (values: Float64Array) => (corner: Corner) => round(y(values[corner[1]] ?? 0));
  const outward = (values: Float64Array) => (corner: Corner) => round(y(values[corner[2]] ?? 0));
  const band = area<Corner>().x(across).y0(outward(lower)).y1(height(upper))(points) ?? "";
  const drawn = (values: Float64Array) => line<Corner>().x(across).y(height(values))(points) ?? "";
  const thin = hasBand(plot)
    ? `<path d="${line<Corner>().x(across).y(outward(lower))(points) ?? ""}" fill="none" stroke="${accent}" stroke-dasharray="2 3"/>`
    : "";
  return [
    beside ? `<path d="${drawn(beside)}" fill="none" stroke="${muted}" stroke-dasharray="5 4"/>` : "",
    `<path d="${band}" fill="${accent}" fill-opacity="0.16"/>`,
    thin,
    `<path d="${drawn(upper)}" fill="none" stroke="${accent}" stroke-width="2.25" stroke-linejoin="round"/>`,
  ].join("");
}

function marker(plot: Plot, view: View, { accent, ink, paper }: Palette): string {
  const { mark, name, advantage = 1 } = plot;
  if (!mark) return "";
  const { x, y } = scales(plot, view);
  const bottom = view.height - MARGIN.bottom;
  const [px, py] = [round(x(mark.x)), round(Math.min(bottom, y(mark.y)))];
  const attack = name === "trade-off";
  const words = {
    profile: () =>
      `ε = ${format(mark.x, HEADLINE_DIGITS, "up")}, δ = ${format(mark.y, HEADLINE_DIGITS, "up")}`,
    renyi: () => "",
    "trade-off": () => `${view.width < NARROW ? "" : "advantage "}δ(0) = ${format(advantage, 4, "up")}`,
    eigenvalue: () => `τ = ${format(mark.x, 6, "up")}`,
  }[name]();
  const guide = attack ? `M${px} ${round(y(mark.x))}V${py}` : `M${MARGIN.left} ${py}H${px}V${bottom}`;
  // Above and to the right of a falling curve there is room; below and to the right of a rising one.
  const long = 12 + words.length * LETTER;
  const [fits, fitsBefore] = [px + long < view.width, px - long > MARGIN.left];
  const under = py + 20 < bottom ? py + 20 : py - 9;
  const halo = ` stroke="${paper}" stroke-width="4" paint-order="stroke" stroke-linejoin="round"`;
  return [
    `<path d="${guide}" fill="none" stroke="${ink}" ${DOTTED}/>`,
    `<circle cx="${px}" cy="${py}" r="5.5" fill="${accent}" stroke="${paper}" stroke-width="2"/>`,
    fits ? label(px + 10, attack ? under : py - 9, "start", ink, words, halo) : "",
    // Where there is room on neither side there are no words: they would lie over the axis.
    !fits && fitsBefore ? label(px - 10, under, "end", ink, words, halo) : "",
  ].join("");
}

const DOTTED = `stroke-dasharray="1 4" stroke-linecap="round"`;
