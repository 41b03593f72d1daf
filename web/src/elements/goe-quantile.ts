/**
 * `<goe-quantile>`: what the largest eigenvalue of a random symmetric matrix (GOE) exceeds with a given probability;
 * with `layout="card"` the number with its ends, the limit law beside it, the tail and the density.
 *
 * Attributes: `dimension`, `upper-tail`, `normalisation` (`one`: variance 1 off the diagonal, `half`: ½), `digits`,
 * `layout`.
 * Events: `answer` (detail: the estimate), `refusal` (detail: the refusal and its field).
 * The content between the tags is shown until there is an answer, and wherever there are no scripts.
 */
import { css, html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import type { Estimate } from "../../../wasm/contract.ts";
import { Refusal } from "../../../wasm/engine/refusal.ts";
import { figure, INHERITED } from "../charts/figure.ts";
import { engineFor, supersede } from "../engine/client.ts";
import { type AskedQuantile, limitQuantile, quantile, tailPlot } from "../engine/spectrum.ts";
import { Unavailable } from "../engine/unavailable.ts";
import { Superseded } from "../engine/worker-client.ts";
import { understand } from "../question/expression.ts";
import type { Plot } from "../question/outcome.ts";
import { refusalSentence } from "../words/sentences.ts";
import { describeQuantile, limitSentence, quantileLine } from "../words/spectrum.ts";
import cardStyle from "./card.css?inline";
import { curveTable, tableStyle } from "./curve-table.ts";
import { LAYOUTS } from "./epsilon-answer.ts";
import { say } from "./status.ts";
import { tokens } from "./tokens.ts";
import { Widget } from "./widget.ts";

const VIEW = { wide: { width: 720, height: 320 }, narrow: { width: 350, height: 260 } } as const;

interface Found {
  readonly asked: AskedQuantile;
  readonly estimate: Estimate;
}

const TITLES: Readonly<Record<string, string>> = { upperTail: "tail", dimension: "dimension" };

const NORMALISATIONS = ["one", "half"] as const;

export class GoeQuantile extends Widget {
  static override properties = {
    ...Widget.properties,
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

  static override readonly choices = { ...Widget.choices, layout: LAYOUTS, normalisation: NORMALISATIONS };

  static override styles = [
    tokens,
    unsafeCSS(cardStyle),
    tableStyle,
    css`
      :host([hidden]) { display: none; }
      svg { display: block; width: 100%; max-width: 45em; height: auto; margin-top: 1em; }
      .narrow { display: none; }
      @container (max-width: 480px) {
        .wide { display: none; }
        .narrow { display: block; }
      }
    `,
  ];

  declare dimension: string | null | undefined;
  declare upperTail: string | null | undefined;
  declare normalisation: string | null | undefined;
  declare digits: number;
  declare layout: (typeof LAYOUTS)[number];
  declare private found: Found | null;
  declare private limit: number | null;
  declare private shown: Plot | null;
  declare private refusal: string | null;
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

  protected override start(): void {
    const { dimension, upperTail, normalisation, layout } = this;
    const asked = JSON.stringify([dimension, upperTail, normalisation, layout, this.fault()]);
    if (!this.near || asked === this.asked) return;
    this.asked = asked;
    supersede(this);
    this.put(asked).catch((error: unknown) => {
      if (asked !== this.asked || error instanceof Superseded) return;
      const reason = error instanceof Error ? error.message : String(error);
      const refusal = error instanceof Refusal ? error : new Refusal("unsupported", "engine", "", reason);
      this.refuse(refusal, error instanceof Unavailable);
    });
  }

  /** The number first; its surroundings only where they are shown. */
  private async put(question: string): Promise<void> {
    this.checkAttributes();
    const asked = this.read();
    const estimate = await quantile(this.engine, asked);
    if (question !== this.asked) return;
    this.answered = true;
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
    const { normalisation } = this;
    const chosen = NORMALISATIONS.find((one) => one === (normalisation ?? "one"));
    if (!chosen) throw new Refusal("unknown", "normalisation", normalisation, "must be one of one, half");
    const number = (text: unknown, attribute: string, field: string) => {
      const rule = `the attribute ${attribute} must be given`;
      if (text === undefined || text === null) throw new Refusal("missing", field, undefined, rule);
      return understand(String(text), field).value;
    };
    return {
      dimension: number(this.dimension, "dimension", "dimension"),
      upperTail: number(this.upperTail, "upper-tail", "upperTail"),
      normalisation: chosen,
    };
  }

  private refuse(refusal: Refusal, unavailable: boolean): void {
    const words =
      unavailable && this.hasFallback ? "" : refusalSentence(refusal, TITLES[refusal.field] ?? refusal.field);
    Object.assign(this, { found: null, limit: null, shown: null, refusal: words });
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
    if (refusal !== null) return this.instead(refusal);
    if (!found) return html`<slot></slot>`;
    return this.layout === "card"
      ? html`<div dir="ltr">${this.card(found)}</div>`
      : html`<span part="answer" dir="ltr">${quantileLine(found.asked, found.estimate, this.shownDigits)}</span>`;
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
