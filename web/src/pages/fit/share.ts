/** One budget for a model and for what is published beside it: a slider, and what each of its places would buy. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import type { FitRequest, ReportOffer } from "../../../../wasm/contract.ts";
import { Refusal } from "../../../../wasm/engine/refusal.ts";
import { INHERITED } from "../../charts/figure.ts";
import { shareFigure } from "../../charts/share-figure.ts";
import type { FitJobs } from "../../engine/fit-protocol.ts";
import { Cancelled } from "../../engine/worker-client.ts";
import { understand } from "../../question/expression.ts";
import { format } from "../../words/numbers.ts";
import { refusalSentence } from "../../words/sentences.ts";
import { dividedWords, percent, sharePoint, typicalWords } from "../../words/share.ts";
import { LightElement } from "../light-element.ts";

const VIEWS = { wide: { width: 560, height: 300 }, phone: { width: 350, height: 270 } } as const;

/** In percent: the places of the slider, each of which is asked about. */
const [STEP, MOST] = [10, 90];
const SHARES = Array.from({ length: MOST / STEP + 1 }, (_, i) => (i * STEP) / 100);

/** Whom to expect; the guesses of a table in the middle of everything. */
const GUESSES = {
  rows: { title: "rows of the table to come", usual: "10000" },
  wrong: { title: "probability that the model gives to the wrong class of a typical person", usual: "0.2" },
} as const;
type Guess = keyof typeof GUESSES;
const KEYS = Object.keys(GUESSES) as readonly Guess[];

export class FitShare extends LightElement {
  static override properties = {
    request: { attribute: false },
    share: { state: true },
    texts: { state: true },
    offers: { state: true },
    fault: { state: true },
    guessed: { state: true },
  };
  /** What is asked for, where it is whole. */
  declare request: FitRequest | undefined;
  /** Of the budget, for the report; 0 publishes nothing beside the model. */
  declare private share: number;
  declare private texts: Readonly<Record<Guess, string>>;
  declare private offers: ReadonlyMap<number, ReportOffer>;
  declare private fault: string;
  /** The fault is that of a guess. */
  declare private guessed: boolean;
  ask: ((...asked: Parameters<FitJobs["shareReport"]>) => Promise<ReportOffer>) | undefined;
  private isOpen = false;
  private turn = 0;

  constructor() {
    super();
    this.share = 0;
    this.texts = Object.fromEntries(KEYS.map((key) => [key, GUESSES[key].usual])) as Record<Guess, string>;
    this.offers = new Map();
    this.fault = "";
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("request") || changed.has("texts")) this.fill();
  }

  /** What is to be run instead, and published beside it; nothing where all of the budget is the model's. */
  async chosen(request: FitRequest): Promise<ReportOffer | undefined> {
    return this.share === 0 ? undefined : this.offer(request, this.share);
  }

  private async offer(request: FitRequest, share: number): Promise<ReportOffer | undefined> {
    const person = Object.fromEntries(KEYS.map((key) => [key, understand(this.texts[key], key, null).value]));
    return this.ask?.(request, { share, person });
  }

  /** One place after the other, the chosen one first. Nobody waits for it, so that nothing is asked while the fold is closed. */
  private async fill(): Promise<void> {
    const { request } = this;
    const turn = ++this.turn;
    this.offers = new Map();
    this.fault = "";
    if (!request || !(this.isOpen || this.share > 0)) return;
    for (const share of new Set([this.share, 0, ...SHARES])) {
      try {
        const offer = await this.offer(request, share);
        if (turn !== this.turn || !offer) return;
        this.offers = new Map(this.offers).set(share, offer);
      } catch (error) {
        if (turn !== this.turn) return;
        if (error instanceof Cancelled) return this.fill();
        this.refuse(error);
        return;
      }
    }
  }

  private refuse(error: unknown): void {
    this.share = 0;
    this.offers = new Map();
    const guess = error instanceof Refusal && KEYS.find((key) => error.field.split(".").at(-1) === key);
    this.guessed = Boolean(guess);
    this.fault =
      error instanceof Refusal
        ? refusalSentence(error, guess ? GUESSES[guess].title : error.field)
        : `${(error as Error).message}.`;
  }

  protected override render(): TemplateResult {
    const { share, fault, request } = this;
    const toggled = (event: Event) => {
      this.isOpen = (event.target as HTMLDetailsElement).open;
      if (this.isOpen && this.offers.size === 0) this.fill();
    };
    return html`<details class="more" @toggle=${toggled}>
      <summary>Share the budget between the model and a report on persons${share > 0 ? `: ${percent(share)} for the report` : nothing}</summary>
      <p>A report says to anybody what the release cost herself. It follows from the model and costs nothing. A part of the budget buys noisy sums
        beside the model, by which it says better how little the model told.</p>
      ${
        request
          ? fault && !this.guessed
            ? nothing
            : this.form()
          : html`<p class="aside">It needs all that is still to be answered above, an ε to keep included.</p>`
      }
      ${fault ? html`<p class="error" role="alert">All of the budget is the model’s. ${fault}</p>` : nothing}
    </details>`;
  }

  private form(): TemplateResult {
    const { share, offers } = this;
    const moved = (event: Event) => {
      this.share = Number((event.target as HTMLInputElement).value) / 100;
    };
    const [chosen, alone] = [offers.get(share), offers.get(0)];
    return html`<dl class="parameters">${KEYS.map((key) => this.field(key))}</dl>
      <p class="sharing"><label for="fit-share">Share of the budget for the report</label>
        <input type="range" id="fit-share" min="0" max=${MOST} step=${STEP} autocomplete="off" .value=${String(100 * share)}
          aria-valuetext="${percent(share)} for the report, ${percent(1 - share)} for the model" @input=${moved} />
        <span class="ends" aria-hidden="true"><span>all for the model</span><span>most for the report</span></span></p>
      <p role="status">${this.told(chosen, alone)}</p>
      ${offers.size > 1 ? this.curve() : nothing}`;
  }

  private told(chosen: ReportOffer | undefined, alone: ReportOffer | undefined): string {
    if (chosen) return `${dividedWords(chosen, alone)} ${typicalWords(chosen, alone)}`;
    return this.fault ? "" : "Finding what it would buy …";
  }

  private curve(): TemplateResult {
    const points = [...this.offers.values()].map(sharePoint).sort((a, b) => a.share - b.share);
    const row = ({ share, model, published, together }: (typeof points)[number]) =>
      html`<tr><th scope="row">${percent(share)}</th>${[model, published, together].map((one) => html`<td>${format(one, 3, "up")}</td>`)}</tr>`;
    return html`<figure class="persons">
        <div class="wide">${unsafeHTML(shareFigure(points, this.share, VIEWS.wide, INHERITED))}</div>
        <div class="phone">${unsafeHTML(shareFigure(points, this.share, VIEWS.phone, INHERITED))}</div>
      </figure>
      <details class="more"><summary>The same as a table</summary>
        <table class="coefficients"><thead><tr><th scope="col">For the report</th><th scope="col">Of the model</th><th scope="col">Beside it</th><th scope="col">Together</th></tr></thead>
          <tbody>${points.map(row)}</tbody></table></details>`;
  }

  private field(key: Guess): TemplateResult {
    const typed = (event: Event) => {
      this.texts = { ...this.texts, [key]: (event.target as HTMLInputElement).value };
    };
    return html`<div><dt><label for="share-${key}">${GUESSES[key].title}</label></dt>
      <dd><input class="text" type="text" id="share-${key}" size="6" autocomplete="off" .value=${this.texts[key]} @change=${typed} /></dd></div>`;
  }
}
