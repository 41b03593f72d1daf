/** The picture of a released statistic, where there is one, and a file of it. */
import { html, nothing, type TemplateResult } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import type { EverydayRelease, EverydayResult } from "../../../../wasm/contract.ts";
import { effectsFigure, largest, MOST_ROWS } from "../../charts/effects-figure.ts";
import { INHERITED, PAPER, type Palette } from "../../charts/figure.ts";
import { heatMap, MOST_COLUMNS } from "../../charts/heat-map.ts";
import { type Bin, histogramFigure } from "../../charts/histogram-figure.ts";
import { quantilesFigure } from "../../charts/quantiles-figure.ts";
import { download } from "../../share/download.ts";
import { namesIn } from "../../words/statistic-plan.ts";
import { cellWords } from "../../words/statistic-results.ts";

const WIDTHS = { wide: 1040, narrow: 350 } as const;
const HEIGHTS = { wide: 380, narrow: 280 } as const;
/** More bins than places to draw them. */
const MOST_BINS = 1000;

type Size = keyof typeof WIDTHS;

/** Draws it in a size and in colours; `words` stand above it. */
interface Picture {
  readonly words: string;
  draw(size: Size, palette: Palette): string;
}

interface Row {
  readonly label: string;
  readonly value: number;
  readonly interval: { readonly lower: number; readonly upper: number };
}

function rows(all: readonly Row[], unit: string): Picture {
  const effects = all.map(({ label, value, interval }) => ({
    label,
    value,
    noise: (interval.upper - interval.lower) / 2,
    truth: undefined,
  }));
  const more = all.length - largest(effects).length;
  return {
    words: `${unit}, with the noise that each has${more > 0 ? `; the largest ${MOST_ROWS} of ${all.length}` : ""}.`,
    draw: (size, palette) => effectsFigure(effects, unit, WIDTHS[size], palette, unit),
  };
}

const view = (size: Size) => ({ width: WIDTHS[size], height: HEIGHTS[size] });

function histogram({ column, cells }: Extract<EverydayResult, { of: "histogram" }>): Picture | undefined {
  const bins = cells.flatMap(({ from, to, value, interval }): Bin[] =>
    from === undefined || to === undefined
      ? []
      : [{ from, to, value, lower: interval.lower, upper: interval.upper }],
  );
  if (bins.length === 0)
    return rows(
      cells.map((cell) => ({ ...cell, label: cellWords(cell) })),
      `rows by ${column}`,
    );
  if (bins.length > MOST_BINS) return undefined;
  return {
    words: `Rows in each bin of ${column}. Upright marks: the interval that the noise leaves.`,
    draw: (size, palette) => histogramFigure(bins, column, view(size), palette),
  };
}

function picture(result: EverydayResult, release: EverydayRelease, index: number): Picture | undefined {
  switch (result.of) {
    case "histogram":
      return histogram(result);
    case "groups":
    case "found-groups":
      return rows(
        result.keys.map(({ key, kind, count }) => ({
          label: kind === "malformed" ? "no value" : key,
          ...count,
        })),
        `${result.of === "found-groups" ? result.counted : "rows"} by ${result.by}`,
      );
    case "quantiles": {
      const declared = release.request.table.columns.find(({ name }) => name === result.column);
      if (declared?.use !== "numeric" || result.quantiles.length < 2) return undefined;
      const range = declared.range as readonly [number, number];
      return {
        words: `Which share of the rows is below which ${result.column}, over the declared range.`,
        draw: (size, palette) => quantilesFigure(result.quantiles, result.column, range, view(size), palette),
      };
    }
    case "correlation": {
      const { matrix } = result;
      const columns = namesIn(result);
      if (!matrix || columns.length < 2 || columns.length > MOST_COLUMNS) return undefined;
      return {
        words: "Correlations: the stronger, the fuller; negative ones are hatched.",
        draw: (size, palette) => heatMap(columns, matrix, WIDTHS[size], palette, `hatch-${index}-${size}`),
      };
    }
    default:
      return undefined;
  }
}

export function pictureOf(
  result: EverydayResult,
  release: EverydayRelease,
  index: number,
): TemplateResult | typeof nothing {
  const found = picture(result, release, index);
  if (!found) return nothing;
  const save = () => download(`${result.of}.svg`, "image/svg+xml", found.draw("wide", PAPER));
  return html`<figure class="effects"><figcaption>${found.words}
      <button type="button" class="link" @click=${save}>Save the picture</button></figcaption>
    <div class="wide">${unsafeHTML(found.draw("wide", INHERITED))}</div>
    <div class="phone">${unsafeHTML(found.draw("narrow", INHERITED))}</div></figure>`;
}
