/** What a typical person would be told against the share of the budget that a report gets, as SVG text. */
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { format } from "../words/numbers.ts";
import { percent, type SharePoint } from "../words/share.ts";
import type { View } from "./axes.ts";
import { FONT, type Palette, round } from "./figure.ts";

const MARGIN = { top: 44, right: 22, bottom: 46, left: 58 } as const;

interface Drawn {
  readonly name: string;
  readonly of: (point: SharePoint) => number;
  readonly look: string;
}

const drawn = ({ accent, muted, ink }: Palette): readonly Drawn[] => [
  { name: "the model", of: ({ model }) => model, look: `stroke="${accent}" stroke-width="2.25"` },
  {
    name: "beside it",
    of: ({ published }) => published,
    look: `stroke="${muted}" stroke-width="2" stroke-dasharray="6 4"`,
  },
  {
    name: "together",
    of: ({ together }) => together,
    look: `stroke="${ink}" stroke-width="2" stroke-dasharray="1 4" stroke-linecap="round"`,
  },
];

const ENTRY = 106;

const legend = (all: readonly Drawn[], { ink }: Palette) =>
  all
    .map(({ name, look }, i) => {
      const x = 8 + i * ENTRY;
      return `<path d="M${x} 30h22" ${look}/><text x="${x + 28}" y="34" fill="${ink}">${name}</text>`;
    })
    .join("");

/** The points by growing share; `chosen` is marked. */
export function shareFigure(
  points: readonly SharePoint[],
  chosen: number,
  view: View,
  palette: Palette,
): string {
  const { width, height } = view;
  const { muted, grid, ink } = palette;
  const [right, bottom] = [width - MARGIN.right, height - MARGIN.bottom];
  const most = Math.max(...points.map(({ together }) => together), Number.MIN_VALUE);
  const x = scaleLinear([0, 1], [MARGIN.left, right]);
  const y = scaleLinear([0, most * 1.08], [bottom, MARGIN.top]);
  const all = drawn(palette);
  const curve = ({ of, look }: Drawn) =>
    `<path d="${line<SharePoint>()
      .x(({ share }) => round(x(share)))
      .y((point) => round(y(of(point))))([...points])}" fill="none" stroke-linejoin="round" ${look}/>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ${FONT} role="img" aria-label="What a typical person would be told, over the share of the budget for the report">`,
    `<text x="8" y="14" fill="${ink}">what the report would say of a typical person, at most</text>`,
    legend(all, palette),
    ...y.ticks(5).map((at) => {
      const up = round(y(at));
      return `<path d="M${MARGIN.left} ${up}H${right}" stroke="${grid}"/><text x="${MARGIN.left - 8}" y="${up}" dy="0.35em" text-anchor="end" fill="${muted}">${format(at, 3)}</text>`;
    }),
    ...[0, 0.2, 0.4, 0.6, 0.8, 1].map((at) => {
      const across = round(x(at));
      return `<path d="M${across} ${bottom}v5" stroke="${muted}"/><text x="${across}" y="${bottom + 20}" text-anchor="middle" fill="${muted}">${percent(at)}</text>`;
    }),
    `<path d="M${MARGIN.left} ${bottom}H${right}" stroke="${muted}"/>`,
    `<text x="${right}" y="${bottom + 38}" text-anchor="end" fill="${ink}">of the budget for the report</text>`,
    `<path d="M${round(x(chosen))} ${MARGIN.top}V${bottom}" stroke="${ink}"/>`,
    ...all.map(curve),
    "</svg>",
  ].join("");
}
