/**
 * The privacy profile as SVG text: one drawing for the page, for the file that is saved and for readers
 * without scripts. Only numbers and fixed words go in; the caller chooses the colours.
 */
import { scaleLinear, scaleLog } from "d3-scale";
import { area, line } from "d3-shape";
import type { Profile } from "../question/outcome.ts";
import { escapeMarkup } from "../words/markup.ts";
import { format, powerOfTen } from "../words/numbers.ts";

export interface Palette {
  readonly ink: string;
  readonly muted: string;
  readonly grid: string;
  readonly accent: string;
  readonly paper: string;
}

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

export interface View {
  readonly width: number;
  readonly height: number;
}

const MARGIN = { top: 30, right: 22, bottom: 40, left: 54 } as const;
const MOST_TICKS = 6;
/** Generous width of a letter at the font size below. */
const LETTER = 7.6;
const FONT = `font-family="system-ui, sans-serif" font-size="13"`;

export function scales({ epsilons, floor }: Profile, { width, height }: View) {
  const x = scaleLinear([0, epsilons.at(-1) ?? 1], [MARGIN.left, width - MARGIN.right]);
  const log = scaleLog([floor, 1], [height - MARGIN.bottom, MARGIN.top]);
  // A profile that reaches zero leaves the drawing through its lower edge.
  const y = (delta: number) => log(Math.max(delta, floor / 100));
  return { x, y };
}

export function figure(profile: Profile, view: View, palette: Palette, description = ""): string {
  const { width, height } = view;
  const [left, top] = [MARGIN.left, MARGIN.top - 2];
  const frame = [width - left - MARGIN.right + 2, height - top - MARGIN.bottom + 1];
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${FONT} role="img" aria-label="Privacy profile: delta falls as epsilon grows">`,
    description && `<desc>${escapeMarkup(description)}</desc>`,
    palette === PAPER ? `<rect width="${width}" height="${height}" fill="${palette.paper}"/>` : "",
    axes(profile, view, palette),
    // An inner drawing cuts off what falls below the axis.
    `<svg x="${left}" y="${top}" width="${frame[0]}" height="${frame[1]}" viewBox="${left} ${top} ${frame.join(" ")}">`,
    curves(profile, view, palette),
    "</svg>",
    marker(profile, view, palette),
    "</svg>",
  ].join("");
}

const label = (x: number, y: number, anchor: string, colour: string, text: string, rest = "") =>
  `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="${colour}"${rest}>${text}</text>`;

const ITALIC = ` font-style="italic"`;

function axes(profile: Profile, view: View, { muted, grid, ink }: Palette): string {
  const { x, y } = scales(profile, view);
  const { left } = MARGIN;
  const bottom = view.height - MARGIN.bottom;
  const right = view.width - MARGIN.right;
  const lowest = Math.round(Math.log10(profile.floor));
  const stride = Math.max(1, Math.ceil(-lowest / MOST_TICKS));
  const parts = [];
  for (let exponent = 0; exponent >= lowest; exponent -= stride) {
    const at = round(y(10 ** exponent));
    parts.push(`<path d="M${left} ${at}H${right}" stroke="${grid}"/>`);
    parts.push(label(left - 8, at, "end", muted, powerOfTen(exponent), ` dy="0.35em"`));
  }
  for (const tick of x.ticks(Math.max(3, Math.min(8, Math.round(view.width / 90))))) {
    const at = round(x(tick));
    parts.push(`<path d="M${at} ${bottom}v5" stroke="${muted}"/>`);
    parts.push(label(at, bottom + 20, "middle", muted, format(tick)));
  }
  parts.push(`<path d="M${left} ${bottom}H${right}" stroke="${muted}"/>`);
  parts.push(
    label(left - 8, 16, "end", ink, "δ", ITALIC),
    label(right, bottom + 36, "end", ink, "ε", ITALIC),
  );
  return parts.join("");
}

function curves(profile: Profile, view: View, { accent }: Palette): string {
  const { epsilons, curve } = profile;
  const { x, y } = scales(profile, view);
  const across = (_: unknown, i: number) => round(x(epsilons[i] ?? 0));
  const at = (values: Float64Array) => (_: unknown, i: number) => round(y(values[i] ?? 0));
  const points = Array.from(epsilons);
  const band = area<number>().x(across).y0(at(curve.lower)).y1(at(curve.upper))(points) ?? "";
  const upper = line<number>().x(across).y(at(curve.upper))(points) ?? "";
  const lower = line<number>().x(across).y(at(curve.lower))(points) ?? "";
  const thin = hasBand(profile)
    ? `<path d="${lower}" fill="none" stroke="${accent}" stroke-dasharray="2 3"/>`
    : "";
  return [
    `<path d="${band}" fill="${accent}" fill-opacity="0.16"/>`,
    thin,
    `<path d="${upper}" fill="none" stroke="${accent}" stroke-width="2.25" stroke-linejoin="round"/>`,
  ].join("");
}

/** Whether the two ends of the profile can be told apart on paper. */
export const hasBand = ({ curve }: Profile) =>
  curve.upper.some((upper, i) => upper > 0 && (curve.lower[i] ?? 0) < upper * 0.98);

function marker(profile: Profile, view: View, { accent, ink, paper }: Palette): string {
  const { mark } = profile;
  if (!mark) return "";
  const { x, y } = scales(profile, view);
  const bottom = view.height - MARGIN.bottom;
  const [px, py] = [round(x(mark.epsilon)), round(Math.min(bottom, y(mark.delta)))];
  const words = `ε = ${format(mark.epsilon, 5, "up")}, δ = ${format(mark.delta, 4, "up")}`;
  // Above and to the right of a falling curve there is room; at the right edge, below and to the left.
  const fits = px + 12 + words.length * LETTER < view.width;
  const under = py + 20 < bottom ? py + 20 : py - 9;
  const halo = ` stroke="${paper}" stroke-width="4" paint-order="stroke" stroke-linejoin="round"`;
  return [
    `<path d="M${MARGIN.left} ${py}H${px}V${bottom}" fill="none" stroke="${ink}" ${DOTTED}/>`,
    `<circle cx="${px}" cy="${py}" r="5.5" fill="${accent}" stroke="${paper}" stroke-width="2"/>`,
    fits ? label(px + 10, py - 9, "start", ink, words, halo) : label(px - 10, under, "end", ink, words, halo),
  ].join("");
}

const DOTTED = `stroke-dasharray="1 4" stroke-linecap="round"`;
const round = (value: number) => Math.round(value * 100) / 100;

/** The points as a spreadsheet reads them. */
export const csv = ({ epsilons, curve }: Profile) =>
  [
    "epsilon,delta_lower,delta_upper",
    ...Array.from(epsilons, (epsilon, i) => `${epsilon},${curve.lower[i]},${curve.upper[i]}`),
    "",
  ].join("\n");
