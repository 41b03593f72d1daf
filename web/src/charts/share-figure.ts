/** What a typical person would be told against the share of the budget that a report gets, as SVG text. */
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { percent, type SharePoint } from "../words/share.ts";
import type { View } from "./axes.ts";
import { type Palette, round } from "./figure.ts";
import { below, edge, levels, opened } from "./frame.ts";

const MARGIN = { top: 28, right: 22, bottom: 46, left: 58 } as const;

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
      return `<path d="M${x} 12h22" ${look}/><text x="${x + 28}" y="16" fill="${ink}">${name}</text>`;
    })
    .join("");

/** The points by growing share; `chosen` is marked. What is drawn is said above it: a title would not fit on a phone. */
export function shareFigure(
  points: readonly SharePoint[],
  chosen: number,
  view: View,
  palette: Palette,
): string {
  const { width, height } = view;
  const sides = { left: MARGIN.left, right: width - MARGIN.right, bottom: height - MARGIN.bottom };
  const most = Math.max(...points.map(({ together }) => together), Number.MIN_VALUE);
  const x = scaleLinear([0, 1], [sides.left, sides.right]);
  const y = scaleLinear([0, most * 1.08], [sides.bottom, MARGIN.top]);
  const all = drawn(palette);
  const curve = ({ of, look }: Drawn) =>
    `<path d="${line<SharePoint>()
      .x(({ share }) => round(x(share)))
      .y((point) => round(y(of(point))))([...points])}" fill="none" stroke-linejoin="round" ${look}/>`;
  return [
    opened(view, "What a typical person would be told, over the share of the budget for the report", palette),
    legend(all, palette),
    levels(y.ticks(5), y, sides, palette),
    edge([0, 0.2, 0.4, 0.6, 0.8, 1], x, sides, palette, percent),
    below("of the budget for the report", sides, palette),
    `<path d="M${round(x(chosen))} ${MARGIN.top}V${sides.bottom}" stroke="${palette.ink}"/>`,
    ...all.map(curve),
    "</svg>",
  ].join("");
}
