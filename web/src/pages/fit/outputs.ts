/** A released output that is no model: its values as a table, and a picture where they are a list. */
import { html, nothing, type TemplateResult } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import type { Output, Release } from "../../../../wasm/contract.ts";
import { effectsFigure, largest, MOST_ROWS } from "../../charts/effects-figure.ts";
import { INHERITED } from "../../charts/figure.ts";
import { placeWords, resultWord, valueWords } from "../../words/fit-outputs.ts";
import { format } from "../../words/numbers.ts";

const WIDTHS = { wide: 1040, narrow: 350 } as const;

/** A longer table would hold the page up; the download has it all. */
const MOST_CELLS = 2000;

/** The rows of the array; a triangle has one value more in each row. */
function rowsOf({ kind, shape, values }: Output): readonly (readonly number[])[] {
  if (kind === "symmetric-matrix") {
    const start = (row: number) => (row * (row + 1)) / 2;
    return Array.from({ length: shape[0] ?? 0 }, (_, row) => values.slice(start(row), start(row + 1)));
  }
  const width = shape.length < 2 ? 1 : (shape[1] as number);
  return Array.from({ length: values.length / width }, (_, row) =>
    values.slice(row * width, (row + 1) * width),
  );
}

function picture(output: Output, unit: string): TemplateResult {
  const all = output.values.map((value, i) => ({
    label: placeWords(output, i),
    value,
    noise: undefined,
    truth: undefined,
  }));
  const more = all.length - largest(all).length;
  const draw = (width: number) => unsafeHTML(effectsFigure(all, unit, width, INHERITED, unit));
  return html`<figure class="effects"><figcaption>${unit}${more > 0 ? `, the largest ${MOST_ROWS} of ${all.length}` : ""}.</figcaption>
    <div class="wide">${draw(WIDTHS.wide)}</div><div class="phone">${draw(WIDTHS.narrow)}</div></figure>`;
}

/** The eigenvalues of a released matrix, where there are any, and what they say of those without noise. */
export function spectrumPart({ released }: Pick<Release, "released">): TemplateResult | typeof nothing {
  const name = released.covarianceEigenvalues ? "covarianceEigenvalues" : "eigenvalues";
  const [values, least, most] = [name, `${name}AtLeast`, `${name}AtMost`].map((one) => released[one]);
  if (!values || !least || !most) return nothing;
  const title = released.covarianceEigenvalues ? "Eigenvalues of the covariance" : "Eigenvalues of XᵀX";
  const cell = (value: number | undefined, towards?: "up" | "down") =>
    html`<td>${format(value ?? 0, 5, towards)}</td>`;
  return html`<details class="more" open><summary>${title}</summary>
    <div class="scroll" tabindex="0" role="region" aria-label=${title}><table class="coefficients">
      <thead><tr><th scope="col"></th><th scope="col">Released</th><th scope="col">At least</th><th scope="col">At most</th></tr></thead>
      <tbody>${values.map(
        (value, i) =>
          html`<tr><th scope="row">${i + 1}</th>${cell(value)}${cell(least[i], "down")}${cell(most[i], "up")}</tr>`,
      )}</tbody>
    </table></div></details>
    <p class="aside">With probability 95 %, all of these intervals hold at once: each covers the eigenvalue of the same place, without noise, of the rows as they
      were shortened. They say nothing about other tables.</p>`;
}

/** Names of the features above a matrix; nothing where it is about something else. */
const heads = (output: Output, names: readonly string[]) =>
  isOfFeatures(output, names)
    ? html`<thead><tr><th scope="col"></th>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>`
    : nothing;

const isOfFeatures = ({ shape }: Output, names: readonly string[]) =>
  shape.length === 2 && shape[1] === names.length;

/** A release of the columns: the words for them, and the names of their features. */
interface Subject {
  readonly of: string;
  readonly features: readonly string[];
}

export function outputPart(output: Output, { of, features }: Subject): TemplateResult {
  const place = (row: number) =>
    output.kind === "symmetric-matrix" && isOfFeatures(output, features)
      ? features[row]
      : placeWords(output, row);
  const title = `Released ${resultWord(output)} of ${of}, noise included`;
  const rows = rowsOf(output);
  const isLong = output.values.length > MOST_CELLS;
  const shown = isLong ? [] : rows;
  const isDrawn = output.shape.length === 1 && output.kind !== "labels";
  return html`${isDrawn ? picture(output, title) : nothing}
    ${
      isLong
        ? html`<p class="aside">${output.values.length} numbers: too many for this page, all of them in the download.</p>`
        : html`<details class="more" ?open=${!isDrawn}><summary>${isDrawn ? "The same as a table" : title}</summary>
      <div class="scroll" tabindex="0" role="region" aria-label=${title}><table class="coefficients">
        ${heads(output, features)}
        <tbody>${shown.map((row, i) => html`<tr><th scope="row">${place(i)}</th>${row.map((value) => html`<td>${valueWords(output, value)}</td>`)}</tr>`)}</tbody>
      </table></div></details>`
    }`;
}
