/**
 * `<privacy-profile>`: δ as a function of ε with its band, a keyboard that walks the curve, and a table behind.
 *
 * Attributes: the keys of a question (see the catalogue).
 * Events: `refusal`. Methods: `toSVG()`, `toCSV()`.
 * The content between the tags is shown until the curve is there, and wherever there are no scripts.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import { csv, figure, hasBand, INHERITED, PAPER, scales, type View } from "../charts/figure.ts";
import { ask, profile } from "../engine/questions.ts";
import type { Profile } from "../question/outcome.ts";
import { type Question, toRecord } from "../question/question.ts";
import type { Reading } from "../question/read.ts";
import { download } from "../share/download.ts";
import { format } from "../words/numbers.ts";
import { fieldWords, kindTitle, NEIGHBOUR_WORDS, refusalSentence } from "../words/sentences.ts";
import { QuestionElement, type Refused } from "./question-element.ts";
import { say } from "./status.ts";
import { tokens } from "./tokens.ts";

const TABLE_ROWS = 13;
const FIRST_VIEW: View = { width: 640, height: 360 };
const EXPORTED: View = { width: 720, height: 405 };

export class PrivacyProfile extends QuestionElement<Profile> {
  static override properties = {
    ...QuestionElement.properties,
    profile: { state: true },
    refusal: { state: true },
    cursor: { state: true },
    view: { state: true },
  };

  static override styles = [
    tokens,
    css`
      :host { display: block; }
      :host([hidden]) { display: none; }
      .plot { position: relative; aspect-ratio: 5 / 2; border-radius: 6px; touch-action: pan-y; }
      @container (max-width: 44rem) { .plot { aspect-ratio: 16 / 10; } }
      @container (max-width: 30rem) { .plot { aspect-ratio: 5 / 4; } }
      .frame { container-type: inline-size; }
      .plot > svg { display: block; position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; }
      .tools { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; margin-top: 0.5rem; min-height: 28px; }
      .legend { flex: 1 1 16rem; color: var(--muted); font-size: 0.875rem; }
      details { margin-top: 0.75rem; font-size: 0.875rem; }
      summary { cursor: pointer; min-height: 24px; color: var(--muted); }
      .scroll { overflow-x: auto; }
      table { border-collapse: collapse; margin-top: 0.5rem; }
      th, td { text-align: start; padding: 0.25rem 1.25rem 0.25rem 0; font-weight: 400; }
      tr > * { border-bottom: 1px solid var(--grid); }
      thead th { color: var(--muted); }
      @media print { details:not([open]) { display: none; } }
      .refusal { color: var(--warning); }
    `,
  ];

  declare private profile: Profile | null;
  declare private refusal: string;
  /** The walked point, an index into the profile; -1 while nobody walks. */
  declare private cursor: number;
  declare private view: View;
  private resized: ResizeObserver | undefined;

  constructor() {
    super();
    this.profile = null;
    this.refusal = "";
    this.cursor = -1;
    this.view = FIRST_VIEW;
  }

  protected override async work(question: Question, reading: Reading): Promise<Profile> {
    const outcome = await ask(this.engine, question, reading);
    return profile(this.engine, outcome.description, outcome);
  }

  protected override settled(result: Profile): void {
    this.profile = result;
    this.refusal = "";
    this.cursor = -1;
  }

  protected override refused(refused: Refused): void {
    this.profile = null;
    this.refusal = refusalSentence(refused.refusal, fieldWords(refused.question.kind, refused.field).title);
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
    if (!this.profile) return "";
    const spelled = toRecord(this.current().question).map((pair) => pair.join(" = "));
    return figure(this.profile, EXPORTED, PAPER, `${this.caption()}; ${spelled.join(", ")}`);
  }

  toCSV(): string {
    return this.profile ? csv(this.profile) : "";
  }

  private caption(): string {
    const { question } = this.current();
    return `Privacy profile of ${kindTitle(question.kind)}, ${NEIGHBOUR_WORDS[question.neighbours]}`;
  }

  protected override render(): TemplateResult {
    const shown = this.profile;
    return html`
      <div class="frame">${shown ? this.plot(shown) : html`<div class="plot">${this.instead()}</div>`}</div>
      <div class="tools" part="tools">
        <span class="legend">${shown ? this.legend(shown) : nothing}</span>
        <button type="button" ?disabled=${!shown} @click=${this.saveDrawing}>Save SVG</button>
        <button type="button" ?disabled=${!shown} @click=${this.savePoints}>Save CSV</button>
      </div>
      <details part="table">
        <summary>The curve as a table</summary>
        ${shown ? table(shown) : nothing}
      </details>
    `;
  }

  private plot(shown: Profile): TemplateResult {
    return html`<div class="plot" part="plot" tabindex="0" role="application" aria-roledescription="curve"
      aria-label=${this.label(shown)} @keydown=${this.walk} @pointermove=${this.point}
      @pointerleave=${this.leave} @blur=${this.leave}>
      ${unsafeHTML(figure(shown, this.view, INHERITED))}${this.pointer(shown)}
    </div>`;
  }

  private instead(): TemplateResult {
    return this.refusal
      ? html`<span class="refusal" part="refusal">${this.refusal}</span>`
      : html`<slot></slot>`;
  }

  private saveDrawing(): void {
    download("privacy-profile.svg", "image/svg+xml", this.toSVG());
  }

  private savePoints(): void {
    download("privacy-profile.csv", "text/csv", this.toCSV());
  }

  private label(shown: Profile): string {
    const widest = format(shown.epsilons.at(-1) ?? 0, 3);
    return `${this.caption()}. δ falls as ε grows from 0 to ${widest}. Arrow keys walk the curve.`;
  }

  private legend(shown: Profile): string {
    if (this.cursor >= 0) return spoken(shown, this.cursor);
    const band = hasBand(shown);
    if (shown.curve.kind !== "bound") {
      return band
        ? "Solid: safe end. Dashed: lower end. The truth lies in the band."
        : "The band around the line is thinner than the line.";
    }
    return band
      ? "Solid: guaranteed. Nothing better than the dashed line can be promised."
      : "The line is guaranteed; the truth may lie below it.";
  }

  private pointer(shown: Profile): TemplateResult | typeof nothing {
    if (this.cursor < 0) return nothing;
    const { x, y } = scales(shown, this.view);
    const px = x(shown.epsilons[this.cursor] ?? 0);
    const py = Math.min(y(shown.curve.upper[this.cursor] ?? 0), this.view.height);
    return html`<svg viewBox="0 0 ${this.view.width} ${this.view.height}" aria-hidden="true">
      <circle cx=${px} cy=${py} r="5" fill="none" stroke="var(--ink)" stroke-width="2"></circle>
    </svg>`;
  }

  private walk(event: KeyboardEvent): void {
    if (!this.profile) return;
    const last = this.profile.epsilons.length - 1;
    const stride = event.shiftKey ? 20 : 4;
    const from = this.cursor >= 0 ? this.cursor : nearest(this.profile, this.profile.mark?.epsilon ?? 0);
    const moves: Readonly<Record<string, number>> = {
      ArrowRight: from + stride,
      ArrowUp: from - stride,
      ArrowLeft: from - stride,
      ArrowDown: from + stride,
      PageDown: from + 20,
      PageUp: from - 20,
      Home: 0,
      End: last,
    };
    const to = moves[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.cursor = Math.max(0, Math.min(last, to));
    say(spoken(this.profile, this.cursor));
  }

  private point(event: PointerEvent): void {
    if (!this.profile) return;
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const epsilon = scales(this.profile, this.view).x.invert(event.clientX - box.left);
    this.cursor = nearest(this.profile, epsilon);
  }

  private leave(): void {
    this.cursor = -1;
  }
}

/** The index of the point next to an ε. */
const nearest = ({ epsilons }: Profile, epsilon: number) =>
  epsilons.reduce(
    (best, one, i) => (Math.abs(one - epsilon) < Math.abs((epsilons[best] ?? 0) - epsilon) ? i : best),
    0,
  );

function spoken({ epsilons, curve }: Profile, index: number): string {
  const at = `ε = ${format(epsilons[index] ?? 0, 4)}: δ`;
  const lower = curve.lower[index] ?? 0;
  const upper = curve.upper[index] ?? 0;
  const shown = format(upper, 4, "up");
  if (curve.kind === "bound") return `${at} at most ${shown}`;
  return lower < upper * 0.999 ? `${at} from ${format(lower, 4, "down")} to ${shown}` : `${at} = ${shown}`;
}

function table(shown: Profile): TemplateResult {
  const widest = shown.epsilons.at(-1) ?? 0;
  const rows = Array.from({ length: TABLE_ROWS }, (_, i) => nearest(shown, (widest * i) / (TABLE_ROWS - 1)));
  const { epsilons, curve } = shown;
  const row = (i: number) => html`<tr>
    <th scope="row">${format(epsilons[i] ?? 0, 5)}</th>
    <td>${format(curve.lower[i] ?? 0, 8, "down")}</td>
    <td>${format(curve.upper[i] ?? 0, 8, "up")}</td>
  </tr>`;
  const heads = ["ε", "δ, lower end", "δ, safe end"];
  return html`<section class="scroll" tabindex="0" aria-label="Table of the privacy profile"><table>
    <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${rows.map(row)}</tbody>
  </table></section>`;
}
