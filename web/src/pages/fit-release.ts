/** What came out: the coefficients in the units of the table, what they cost, a picture. */
import { html, nothing, type TemplateResult } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import type { Intervals, Release } from "../../../wasm/contract.ts";
import { OWN_LOSS } from "../../../wasm/fit-request.ts";
import { effects } from "../charts/effects.ts";
import { effectsFigure, largest, MOST_ROWS } from "../charts/effects-figure.ts";
import { INHERITED, PAPER } from "../charts/figure.ts";
import type { Entry } from "../fit/ledger.ts";
import { SAMPLES, type SampleName } from "../fit/samples.ts";
import { download } from "../share/download.ts";
import { plainJson } from "../share/json.ts";
import { algorithmWords, protectedWords } from "../words/fit.ts";
import { format } from "../words/numbers.ts";
import { LightElement } from "./light-element.ts";

/** A longer table is a fold. */
const MOST_OPEN = 12;

const WIDTHS = { wide: 1040, narrow: 350 } as const;

const SCALES: Readonly<Record<string, string>> = {
  logistic: "log odds of",
  poisson: "logarithm of the expected",
};

/** What a prediction is in. */
function unitOf({ request }: Release): string {
  const { label } = request.table;
  const { algorithm } = request;
  const loss = OWN_LOSS[algorithm.name] ?? ("loss" in algorithm ? algorithm.loss : "squared");
  const scale = SCALES[loss];
  const what = label.use === "classes" ? `“${label.levels[1]}”` : label.name;
  return scale ? `${scale} ${what}` : `units of ${what}`;
}

export class FitRelease extends LightElement {
  static override properties = { entry: { attribute: false }, sample: { attribute: false } };
  declare entry: Entry<Release> | undefined;
  declare sample: SampleName | undefined;

  protected override render(): TemplateResult | typeof nothing {
    const { entry } = this;
    if (!entry) return nothing;
    const { release } = entry;
    const { epsilon, delta } = release;
    const price = release.private
      ? html`<p class="level">It cost <strong>ε ≤ ${format(epsilon.upper, 6, "up")}</strong> at δ = ${format(delta, 6, "up")},
          ${protectedWords(release)}; ${algorithmWords(release.request.algorithm.name).title}.</p>`
      : html`<p class="level"><strong class="demonstration">Demonstration, not private</strong>: everybody can repeat this noise and take it off.</p>`;
    return html`<h2 tabindex="-1">The model of ${release.request.table.label.name}, from ${entry.title}</h2>
      ${price}${this.picture(release)}${this.table(release)}${aboutIntervals(release.intervals)}
      <p class="buttons">
        <button type="button" @click=${() => download("release.json", "application/json", `${plainJson(release)}\n`)}>Download the release</button>
        <button type="button" @click=${() => this.save(release)}>Save the picture</button>
      </p>`;
  }

  private save(release: Release): void {
    const svg = effectsFigure(effects(release, this.sample), unitOf(release), 720, PAPER);
    download("model.svg", "image/svg+xml", svg);
  }

  private picture(release: Release): TemplateResult {
    const all = effects(release, this.sample);
    const more = all.length - largest(all).length;
    const unit = unitOf(release);
    return html`<figure class="effects">
      <figcaption>What moves the prediction: the change from one end of each declared range to the other${
        more > 0 ? `; the largest ${MOST_ROWS} of ${all.length}` : ""
      }.${this.sample ? " Upright marks: what the sample was made with." : ""}</figcaption>
      <div class="wide">${unsafeHTML(effectsFigure(all, unit, WIDTHS.wide, INHERITED))}</div>
      <div class="phone">${unsafeHTML(effectsFigure(all, unit, WIDTHS.narrow, INHERITED))}</div>
    </figure>`;
  }

  private table(release: Release): TemplateResult {
    const { intercept, terms } = release.coefficients;
    const { privacyNoise, sampling } = release.intervals;
    const truths: Readonly<Record<string, number>> = this.sample ? SAMPLES[this.sample].truth : {};
    const margin = (width: number | undefined) =>
      width === undefined ? nothing : html`<td>± ${format(width, 3, "up")}</td>`;
    type Widths = readonly (number | undefined)[];
    const row = (name: unknown, coefficient: number, widths: Widths, truth: number | undefined) =>
      html`<tr><th scope="row">${name}</th><td>${format(coefficient, 5)}</td>${widths.map(margin)}
        ${this.sample ? html`<td>${truth === undefined ? "" : format(truth, 5)}</td>` : nothing}</tr>`;
    const rows = terms.map(({ column, level, coefficient }, i) => {
      const name = level === undefined ? column : html`${column} <span class="aside">${level}</span>`;
      const known = level === undefined && Object.hasOwn(truths, column) ? truths[column] : undefined;
      return row(name, coefficient, [privacyNoise?.terms[i], sampling?.terms[i]], known);
    });
    return html`<details class="more" ?open=${rows.length <= MOST_OPEN}><summary>Coefficients, in the units of the table</summary>
      <div class="scroll" tabindex="0" role="region" aria-label="Coefficients"><table class="coefficients">
        <thead><tr><th scope="col">Term</th><th scope="col">Coefficient</th>
          ${privacyNoise ? html`<th scope="col">Privacy noise, 95 %</th>` : nothing}
          ${sampling ? html`<th scope="col">Sampling, 95 %</th>` : nothing}
          ${this.sample ? html`<th scope="col">Made with</th>` : nothing}</tr></thead>
        <tbody>${row("intercept", intercept, [privacyNoise?.intercept, sampling?.intercept], undefined)}${rows}</tbody>
      </table></div></details>`;
  }
}

/** The two sorts of intervals are never mixed, and none is shown that the release does not support. */
const aboutIntervals = ({ privacyNoise, sampling }: Intervals) =>
  privacyNoise
    ? html`<p class="aside">± and the pale bars are for the <em>privacy noise</em>: with probability 95 %${
        privacyNoise.law === "exact" ? "" : ", to first order,"
      } such an interval holds what would
        have been released without noise. They say nothing about <em>sampling</em>: ${
          sampling
            ? html`its own column is for that, for another table of the same kind, roughly, from the noisy sums.`
            : "for that, this release holds nothing that an interval could be computed from."
        }</p>`
    : html`<p class="aside">There are no intervals here, because this release does not tell how far off it may be: neither by the
        <em>privacy noise</em> (another run on the same table) nor by <em>sampling</em> (another table of the same kind).</p>`;
