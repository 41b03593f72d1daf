/** A warning to try: what published losses give away about a table. Its table is made up, and never the visitor's. */
import { html, type TemplateResult } from "lit";
import { FEWEST, MOST, published, reconstructed } from "../../fit/leak.ts";
import { format, grouped } from "../../words/numbers.ts";
import { LightElement } from "../light-element.ts";

const SIGMAS = [3, 30, 300] as const;
const DIGITS = 10;

export class FitLeak extends LightElement {
  static override properties = { rows: { state: true }, sigma: { state: true } };
  declare private rows: number;
  declare private sigma: number;

  constructor() {
    super();
    this.rows = 7;
    this.sigma = SIGMAS[0];
  }

  protected override render(): TemplateResult {
    const { rows, sigma } = this;
    const moved = (event: Event) => {
      this.rows = Number((event.target as HTMLInputElement).value);
    };
    const chosen = (event: Event) => {
      this.sigma = Number((event.target as HTMLSelectElement).value);
    };
    return html`<details class="more"><summary>What would these losses give away? Try it on made-up rows</summary>
      <p>A study releases the mean of its labels with noise, and two of its people publish exactly what that cost them. How many people there are is secret:
        move it, and read below what everybody can compute.</p>
      <p class="sharing"><label for="leak-rows">People in the made-up table: ${rows}, a secret</label>
        <input type="range" id="leak-rows" min=${FEWEST} max=${MOST} step="1" autocomplete="off" .value=${String(rows)} aria-valuetext="${rows} people" @input=${moved} />
        <span class="ends" aria-hidden="true"><span>${FEWEST}</span><span>${MOST}</span></span></p>
      <p><label>Noise on the mean, σ = <select id="leak-sigma" autocomplete="off" @change=${chosen}>${SIGMAS.map(
        (one) => html`<option value=${one} ?selected=${one === sigma}>${one}</option>`,
      )}</select></label></p>
      ${this.told()}
      <p class="aside">More noise changes every published number, and not what comes out: a loss is an exact function of the table. One more person, and both numbers
        tell that somebody joined, and her label. A report holds only what depends on the released model and on public numbers, so there is nothing to solve for.</p>
    </details>`;
  }

  private told(): TemplateResult {
    const { sigma } = this;
    const told = published(this.rows, sigma);
    const found = reconstructed(told, sigma);
    const number = (value: number) => format(value, DIGITS);
    // Of what was computed, not of what is known here.
    const [rows, sum] = [Math.round(found.rows), format(Math.round(found.sum * 1e4) / 1e4, 6)];
    const before = reconstructed(published(Math.max(FEWEST, this.rows - 1), sigma), sigma);
    const joined =
      this.rows === FEWEST
        ? ""
        : ` With the release of one person fewer beside it: somebody joined, with the label ${format(Math.round((found.sum - before.sum) * 1e4) / 1e4, 6)}.`;
    return html`<dl class="found">
        <dt>published: the mean, with noise</dt><dd>${number(told.mean)}</dd>
        ${told.labels.map((label, i) => html`<dt>published: what it cost whoever has the label ${format(label, 4)}</dt><dd>${number(told.losses[i as 0 | 1])}</dd>`)}
      </dl>
      <p role="status">From these three numbers: there are <strong>${grouped(rows)} people</strong>, and their labels add up to <strong>${sum}</strong>.${joined}</p>`;
  }
}
