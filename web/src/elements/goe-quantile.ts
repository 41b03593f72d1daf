/**
 * `<goe-quantile>`: what the largest eigenvalue of a random symmetric matrix (GOE) exceeds with a given probability;
 * with `layout="card"` the number with its ends, the limit law beside it, the tail and the density.
 *
 * Attributes: `dimension`, `upper-tail`, `normalisation` (`one`: variance 1 off the diagonal, `half`: ½), `digits`,
 * `layout`.
 * Events: `answer` (detail: the estimate), `refusal` (detail: the refusal and its field).
 * The content between the tags is shown until there is an answer, and wherever there are no scripts.
 */
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import type { Estimate } from "../../../wasm/contract.ts";
import { Refusal } from "../../../wasm/refusal.ts";
import { figure, INHERITED } from "../charts/figure.ts";
import { engineFor, Superseded, supersede } from "../engine/client.ts";
import { type AskedQuantile, limitQuantile, quantile, tailPlot } from "../engine/spectrum.ts";
import { understand } from "../question/expression.ts";
import type { Plot } from "../question/outcome.ts";
import { refusalSentence } from "../words/sentences.ts";
import { describeQuantile, limitSentence, quantileLine } from "../words/spectrum.ts";
import cardStyle from "./card.css?inline";
import { curveTable, tableStyle } from "./curve-table.ts";
import { say } from "./status.ts";
import { tokens } from "./tokens.ts";

const VIEW = { wide: { width: 720, height: 320 }, narrow: { width: 350, height: 260 } } as const;

interface Found {
  readonly asked: AskedQuantile;
  readonly estimate: Estimate;
}

const TITLES: Readonly<Record<string, string>> = { upperTail: "tail", dimension: "dimension" };

export class GoeQuantile extends LitElement {
  static override properties = {
    dimension: {},
    upperTail: { attribute: "upper-tail" },
    normalisation: {},
    digits: { type: Number },
    layout: { reflect: true },
    found: { state: true },
    limit: { state: true },
    shown: { state: true },
    refusal: { state: true },
  };

  static override styles = [
    tokens,
    unsafeCSS(cardStyle),
    tableStyle,
    css`
      :host([hidden]) { display: none; }
      :host([layout="card"]) { display: block; container-type: inline-size; }
      svg { display: block; width: 100%; max-width: 45rem; height: auto; margin-top: 1rem; }
      .narrow { display: none; }
      @container (max-width: 30rem) {
        .wide { display: none; }
        .narrow { display: block; }
      }
      .refusal { color: var(--warning); }
    `,
  ];

  declare dimension: string | undefined;
  declare upperTail: string | undefined;
  declare normalisation: string | undefined;
  declare digits: number;
  declare layout: "inline" | "card";
  declare private found: Found | null;
  declare private limit: number | null;
  declare private shown: Plot | null;
  declare private refusal: Refusal | null;
  private readonly engine = engineFor(this);
  private asked = "";

  constructor() {
    super();
    this.digits = 0;
    this.layout = "inline";
    this.found = null;
    this.limit = null;
    this.shown = null;
    this.refusal = null;
  }

  protected override updated(_: PropertyValues): void {
    const { dimension = "50", upperTail = "1e-6", normalisation = "one", layout } = this;
    const asked = JSON.stringify([dimension, upperTail, normalisation, layout]);
    if (asked === this.asked) return;
    this.asked = asked;
    supersede(this);
    this.put(asked).catch((error: unknown) => {
      if (asked !== this.asked || error instanceof Superseded) return;
      const reason = `stopped (${error instanceof Error ? error.message : String(error)})`;
      this.refuse(
        error instanceof Refusal ? error : new Refusal("unsupported", "engine", "", reason, { shown: true }),
      );
    });
  }

  /** The number first; its surroundings only where they are shown. */
  private async put(question: string): Promise<void> {
    const asked = this.read();
    const estimate = await quantile(this.engine, asked);
    if (question !== this.asked) return;
    Object.assign(this, { found: { asked, estimate }, refusal: null, limit: null });
    this.dispatchEvent(new CustomEvent("answer", { detail: estimate, bubbles: true, composed: true }));
    if (this.layout !== "card") return;
    say(quantileLine(asked, estimate, this.shownDigits));
    const limit = await limitQuantile(this.engine, asked);
    if (question === this.asked) this.limit = limit;
    const shown = await tailPlot(this.engine, asked, estimate.upper);
    if (question === this.asked) this.shown = shown;
  }

  private read(): AskedQuantile {
    const { dimension = "50", upperTail = "1e-6", normalisation = "one" } = this;
    if (normalisation !== "one" && normalisation !== "half")
      throw new Refusal("unknown", "normalisation", normalisation, "must be one of one, half");
    return {
      dimension: understand(dimension, "dimension", null).value,
      upperTail: understand(upperTail, "upperTail", null).value,
      normalisation,
    };
  }

  private refuse(refusal: Refusal): void {
    Object.assign(this, { found: null, limit: null, shown: null, refusal });
    this.dispatchEvent(
      new CustomEvent("refusal", {
        detail: { field: refusal.field, refusal },
        bubbles: true,
        composed: true,
      }),
    );
  }

  private get shownDigits(): number {
    return Math.min(17, Math.max(1, this.digits || 6));
  }

  protected override render(): TemplateResult {
    const { found, refusal } = this;
    if (refusal) {
      const words = refusalSentence(refusal, TITLES[refusal.field] ?? refusal.field);
      return html`<span class="refusal" part="refusal">${words}</span>`;
    }
    if (!found) return html`<slot></slot>`;
    return this.layout === "card"
      ? this.card(found)
      : html`<span part="answer">${quantileLine(found.asked, found.estimate, this.shownDigits)}</span>`;
  }

  private card({ asked, estimate }: Found): TemplateResult {
    const { shown, level, ends, source } = describeQuantile(asked, estimate, this.shownDigits);
    return html`
      <p class="headline" part="headline">
        <span class="symbol">τ</span><span class="sign">=</span><strong>${shown}</strong>
      </p>
      <p class="level">${level}</p>
      <p class="small">
        the truth lies between <span class="ends">${ends.map((end) => html`<span>${end}</span>`)}</span>
      </p>
      <p class="small">${this.limit === null ? "…" : limitSentence(this.limit, estimate.upper)}</p>
      <p class="small">${source}</p>
      ${this.shown ? this.drawing(this.shown) : nothing}
    `;
  }

  private drawing(shown: Plot): TemplateResult {
    return html`
      <div class="wide">${unsafeHTML(figure(shown, VIEW.wide, INHERITED))}</div>
      <div class="narrow">${unsafeHTML(figure(shown, VIEW.narrow, INHERITED))}</div>
      <p class="small">Solid: the probability of exceeding x. Dashed: the density.</p>
      <details><summary>The tail as a table</summary>${curveTable(shown)}</details>
    `;
  }
}
