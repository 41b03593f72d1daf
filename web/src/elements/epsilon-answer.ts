/**
 * `<epsilon-answer>`: one number inside a sentence, or, with `layout="card"`, the number with everything that
 * makes it a claim: interval, kind, level, neighbouring relation, source.
 *
 * Attributes: the keys of a question (see the catalogue), or `description` with a whole mechanism as JSON;
 * `digits`, `layout`.
 * Events: `answer` (detail: the outcome), `refusal` (detail: the refusal, its field and the question).
 * The content between the tags is shown until there is an answer, and wherever there are no scripts.
 */
import { css, html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { ask } from "../engine/questions.ts";
import type { Outcome } from "../question/outcome.ts";
import type { Question } from "../question/question.ts";
import type { Reading } from "../question/read.ts";
import { INLINE_DIGITS } from "../share/tag.ts";
import { type Card, describe, line } from "../words/card.ts";
import { HEADLINE_DIGITS } from "../words/numbers.ts";
import { KIND_WORDS } from "../words/sentences.ts";
import cardStyle from "./card.css?inline";
import { CANCELLED, progressLine, progressStyle } from "./progress.ts";
import { QuestionElement, type Refused } from "./question-element.ts";
import { say } from "./status.ts";
import { tokens } from "./tokens.ts";

export const LAYOUTS = ["inline", "card"] as const;

export class EpsilonAnswer extends QuestionElement<Outcome> {
  static override properties = {
    ...QuestionElement.properties,
    digits: { type: Number },
    layout: { reflect: true },
    outcome: { state: true },
    refusal: { state: true },
    explained: { state: true },
  };

  static override readonly choices = { ...QuestionElement.choices, layout: LAYOUTS };

  static override styles = [
    tokens,
    unsafeCSS(cardStyle),
    progressStyle,
    css`
      :host([hidden]) { display: none; }
      :host([layout="card"]) { min-height: 12.5em; }
      .row { display: flex; gap: 1em; align-items: end; justify-content: space-between; }
      .row p { margin: 0; min-width: 0; }
      .stale { opacity: 0.3; }
      .progress { margin-top: 1em; }
    `,
  ];

  declare digits: number;
  declare layout: (typeof LAYOUTS)[number];
  declare private outcome: Outcome | null;
  /** Null while there is none. */
  declare private refusal: string | null;
  /** What exact, certified and bound mean is shown to whoever presses the word. */
  declare private explained: boolean;

  constructor() {
    super();
    this.explained = false;
    this.digits = 0;
    this.layout = "inline";
    this.outcome = null;
    this.refusal = null;
  }

  protected override work(question: Question, reading: Reading): Promise<Outcome> {
    return ask(this.engine, question, reading);
  }

  protected override settled(outcome: Outcome): void {
    this.outcome = outcome;
    this.refusal = null;
    if (this.layout === "card") {
      const card = describe(outcome, this.shownDigits);
      say(`${card.symbol} ${card.sign} ${card.shown} ${card.level}. ${card.kind}.`);
    }
    this.dispatchEvent(new CustomEvent("answer", { detail: outcome, bubbles: true, composed: true }));
  }

  protected override refused(refused: Refused): void {
    this.outcome = null;
    this.refusal = this.wordsOf(refused);
    this.dispatchEvent(new CustomEvent("refusal", { detail: refused, bubbles: true, composed: true }));
  }

  /** What the element says, for programs. */
  toJSON(): Outcome | null {
    return this.outcome;
  }

  private get shownDigits(): number {
    return Math.min(
      17,
      Math.max(1, this.digits || (this.layout === "card" ? HEADLINE_DIGITS : INLINE_DIGITS)),
    );
  }

  protected override render(): TemplateResult {
    const large = this.layout === "card";
    const dash = large ? html`<p class="headline"><span class="symbol">—</span></p>` : nothing;
    if (this.stage === "cancelled") return this.stopped(dash);
    if (this.stage === "long" && large) return this.waiting(dash);
    if (this.refusal !== null) return html`${this.answered ? dash : nothing}${this.instead(this.refusal)}`;
    if (!this.outcome) return html`<slot></slot>`;
    if (large)
      return html`<div class="card" dir="ltr">${this.card(describe(this.outcome, this.shownDigits))}</div>`;
    return html`<span class="inline" part="answer" dir="ltr">${line(this.outcome, this.shownDigits)}</span>`;
  }

  /** The old number fades, because it answers an older question. */
  private waiting(dash: unknown): TemplateResult {
    const old = this.outcome && describe(this.outcome, this.shownDigits);
    const faded = old ? html`<div class="stale" aria-hidden="true">${headline(old)}</div>` : dash;
    return html`${faded}${progressLine("Computing a certified answer")}`;
  }

  private stopped(dash: unknown): TemplateResult {
    const again = html`<button type="button" @click=${() => this.again()}>Ask again</button>`;
    return html`${dash}<p class="level" part="cancelled">${CANCELLED}</p><p class="small">${again}</p>`;
  }

  private card(card: Card): TemplateResult {
    const { copied, level, between, ends, kind, source, note, told } = card;

    const copy = () => navigator.clipboard.writeText(copied).then(() => say(`copied ${copied}`));
    return html`
      ${headline(card)}
      <p class="level" part="level">${level}</p>
      <div class="small row">
        <p>
          <button type="button" class="kind" title=${KIND_WORDS[kind]} aria-expanded=${this.explained ? "true" : "false"}
            @click=${this.explain}>${kind}</button>, ${between}
          <span class="ends">${ends.map((end) => html`<span>${end}</span>`)}</span>
        </p>
        <button type="button" @click=${copy} aria-label="Copy the safe end with all its digits">Copy</button>
      </div>
      ${this.explained ? html`<p class="small" part="explanation">${KIND_WORDS[kind]}</p>` : nothing}
      ${told.map((one) => html`<p class="small" part="told">${one}</p>`)}
      <p class="small">${note || source}</p>
    `;
  }

  private explain(): void {
    this.explained = !this.explained;
  }
}

const headline = ({ symbol, sign, shown }: Card) => html`<p class="headline" part="headline">
  <span class="symbol">${symbol}</span><span class="sign">${sign}</span><strong>${shown}</strong>
</p>`;
