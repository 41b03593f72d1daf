/**
 * `<privacy-profile>`: δ as a function of ε with its band, a keyboard that walks the curve, and a table behind.
 * `curve="renyi"` draws the Rényi divergence instead, `curve="trade-off"` the best attacker's rates.
 *
 * Attributes: the keys of a question (see the catalogue), or `description` with a whole mechanism as JSON; `curve`.
 * Events: `refusal`. Methods: `toSVG()`, `toCSV()`.
 * The content between the tags is shown until the curve is there, and wherever there are no scripts.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import { csv, legend, nearest, scales, spoken, type View, WORDS } from "../charts/axes.ts";
import { figure, INHERITED, PAPER } from "../charts/figure.ts";
import { plot } from "../engine/curves.ts";
import { ask } from "../engine/questions.ts";
import { toKeyValues } from "../question/key-values.ts";
import { CURVES, type CurveName, type Outcome, type Plot } from "../question/outcome.ts";
import type { Question } from "../question/question.ts";
import type { Reading } from "../question/read.ts";
import { download } from "../share/download.ts";
import { format } from "../words/numbers.ts";
import { kindTitle, relationWords } from "../words/sentences.ts";
import { curveTable, tableStyle } from "./curve-table.ts";
import { progressLine, progressStyle } from "./progress.ts";
import { QuestionElement, type Refused, type Stage } from "./question-element.ts";
import { say } from "./status.ts";
import { tokens } from "./tokens.ts";

const FIRST_VIEW: View = { width: 640, height: 360 };
const EXPORTED: View = { width: 720, height: 405 };

export class PrivacyProfile extends QuestionElement<Plot> {
  static override properties = {
    ...QuestionElement.properties,
    curve: {},
    outcome: { attribute: false },
    shown: { state: true },
    refusal: { state: true },
    cursor: { state: true },
    view: { state: true },
  };

  static override readonly choices = { ...QuestionElement.choices, curve: CURVES };

  static override styles = [
    tokens,
    progressStyle,
    tableStyle,
    css`
      :host { display: block; min-width: 0; }
      :host([hidden]) { display: none; }
      .plot { position: relative; aspect-ratio: 5 / 2; border-radius: 6px; touch-action: pan-y; }
      @container (max-width: 704px) { .plot { aspect-ratio: 16 / 10; } }
      @container (max-width: 480px) { .plot { aspect-ratio: 5 / 4; } }
      .frame { container-type: inline-size; contain-intrinsic-inline-size: 24em; }
      .plot > svg { display: block; position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; }
      .tools { display: flex; flex-wrap: wrap; gap: 0.5em; align-items: center; margin-top: 0.5em; min-height: 28px; }
      .legend { flex: 1 1 16em; color: var(--muted); font-size: 0.875em; }
      .progress { flex: 1 1 16em; }
      .stale { opacity: 0.3; }
    `,
  ];

  declare curve: string | undefined;
  /** What was already found for the question in force, so that it is not asked for again. */
  declare outcome: Outcome | undefined;
  declare private shown: Plot | null;
  /** Null while there is none. */
  declare private refusal: string | null;
  /** The walked point, an index into the curve; -1 while nobody walks. */
  declare private cursor: number;
  declare private view: View;
  /** A sketch of the question in force is there, not an older curve. */
  private fresh = false;
  private resized: ResizeObserver | undefined;

  constructor() {
    super();
    this.shown = null;
    this.refusal = null;
    this.cursor = -1;
    this.view = FIRST_VIEW;
  }

  private get chosen(): CurveName {
    return CURVES.find((one) => one === this.curve) ?? "profile";
  }

  /** The marked level is part of the profile's drawing alone. */
  protected override get needsLevel(): boolean {
    return this.chosen === "profile";
  }

  protected override beside(): string {
    return this.chosen;
  }

  protected override async work(
    question: Question,
    reading: Reading,
    sketched: (early: Plot) => void,
  ): Promise<Plot> {
    this.fresh = false;
    const known = this.outcome?.question === question ? this.outcome : undefined;
    return plot(this.engine, this.chosen, known ?? (await ask(this.engine, question, reading)), sketched);
  }

  protected override sketched(early: Plot): void {
    this.settled(early);
    this.fresh = true;
  }

  override rest(stage: Stage): void {
    this.fresh = false;
    super.rest(stage);
  }

  protected override settled(result: Plot): void {
    this.shown = result;
    this.refusal = null;
    this.cursor = -1;
  }

  protected override refused(refused: Refused): void {
    this.shown = null;
    this.refusal = this.wordsOf(refused);
    this.dispatchEvent(new CustomEvent("refusal", { detail: refused, bubbles: true, composed: true }));
  }

  protected override firstUpdated(): void {
    const frame = this.renderRoot.querySelector(".frame");
    if (!frame) return;
    this.resized = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      if (width > 0 && height > 0) this.view = { width: Math.round(width), height: Math.round(height) };
    });
    this.resized.observe(frame);
  }

  /** For paper, in light colours, with the whole question as its description. */
  toSVG(): string {
    if (!this.shown) return "";
    const question = this.current();
    const spelled = question.given
      ? [JSON.stringify(question.given)]
      : toKeyValues(question).map((pair) => pair.join(" = "));
    return figure(this.shown, EXPORTED, PAPER, `${this.caption()}; ${spelled.join(", ")}`);
  }

  toCSV(): string {
    return this.shown ? csv(this.shown) : "";
  }

  private caption(): string {
    const question = this.current();
    const group = this.considered?.values.get("group")?.value;
    const relation = relationWords(question.neighbours, group);
    return `${WORDS[this.chosen].title} of ${kindTitle(question)}, ${relation}`;
  }

  protected override render(): TemplateResult {
    const { shown, stage } = this;
    const waits = stage === "long";
    const legendLine = html`<span class="legend">${shown ? this.legend(shown) : nothing}</span>`;
    // What a program asks keeps its place on the page; elsewhere the author's words stand where there is no curve.
    const refused = this.refusal !== null && !this.question;
    return html`
      <div class="frame ${waits && !this.fresh ? "stale" : ""}">
        ${shown && stage !== "cancelled" ? this.plot(shown) : html`<div class=${refused ? "" : "plot"}>${this.without()}</div>`}
      </div>
      ${refused ? nothing : this.tools(waits ? progressLine("Computing the curve") : legendLine)}
    `;
  }

  private tools(first: TemplateResult): TemplateResult {
    const { shown } = this;
    return html`
      <div class="tools" part="tools" dir="ltr">
        ${first}
        <button type="button" ?disabled=${!shown} @click=${this.saveDrawing}>Save SVG</button>
        <button type="button" ?disabled=${!shown} @click=${this.savePoints}>Save CSV</button>
      </div>
      <details part="table" dir="ltr">
        <summary>The curve as a table</summary>
        ${shown ? curveTable(shown) : nothing}
      </details>
    `;
  }

  private plot(shown: Plot): TemplateResult {
    return html`<div class="plot" part="plot" dir="ltr" tabindex="0" role="application" aria-roledescription="curve"
      aria-label=${this.label(shown)} @keydown=${this.walk} @pointermove=${this.point}
      @pointerleave=${this.leave} @blur=${this.leave}>
      ${unsafeHTML(figure(shown, this.view, INHERITED))}${this.pointer(shown)}
    </div>`;
  }

  private without(): TemplateResult {
    if (this.stage === "cancelled") {
      const again = html`<button type="button" @click=${() => this.again()}>Draw it</button>`;
      return html`<span class="legend" part="cancelled">Cancelled.</span> ${again}`;
    }
    return this.refusal === null ? html`<slot></slot>` : this.instead(this.refusal);
  }

  private saveDrawing(): void {
    download(`${WORDS[this.chosen].file}.svg`, "image/svg+xml", this.toSVG());
  }

  private savePoints(): void {
    download(`${WORDS[this.chosen].file}.csv`, "text/csv", this.toCSV());
  }

  private label({ at, name }: Plot): string {
    const { x, y } = WORDS[name];
    const ends = [at[0] ?? 0, at.at(-1) ?? 0].map((end) => format(end, 3));
    return `${this.caption()}. ${y} for ${x} from ${ends.join(" to ")}. Arrow keys walk the curve.`;
  }

  private legend(shown: Plot): string {
    return this.cursor >= 0 ? spoken(shown, this.cursor) : legend(shown);
  }

  private pointer(shown: Plot): TemplateResult | typeof nothing {
    if (this.cursor < 0) return nothing;
    const { x, y } = scales(shown, this.view);
    const px = x(shown.at[this.cursor] ?? 0);
    const py = Math.min(y(shown.upper[this.cursor] ?? 0), this.view.height);
    return html`<svg viewBox="0 0 ${this.view.width} ${this.view.height}" aria-hidden="true">
      <circle cx=${px} cy=${py} r="5" fill="none" stroke="var(--ink)" stroke-width="2"></circle>
    </svg>`;
  }

  private walk(event: KeyboardEvent): void {
    const { shown } = this;
    if (!shown) return;
    const last = shown.at.length - 1;
    const stride = Math.ceil(last / (event.shiftKey ? 12 : 60));
    const from = this.cursor >= 0 ? this.cursor : nearest(shown, shown.mark?.x ?? 0);
    const moves: Readonly<Record<string, number>> = {
      ArrowRight: from + stride,
      ArrowUp: from - stride,
      ArrowLeft: from - stride,
      ArrowDown: from + stride,
      PageDown: from + Math.ceil(last / 12),
      PageUp: from - Math.ceil(last / 12),
      Home: 0,
      End: last,
    };
    const to = moves[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.cursor = Math.max(0, Math.min(last, to));
    say(spoken(shown, this.cursor));
  }

  private point(event: PointerEvent): void {
    if (!this.shown) return;
    const box = (event.currentTarget as Element).getBoundingClientRect();
    this.cursor = nearest(this.shown, scales(this.shown, this.view).x.invert(event.clientX - box.left));
  }

  private leave(): void {
    this.cursor = -1;
  }
}
