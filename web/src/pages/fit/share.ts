/** One budget for a model and for what is published beside it: a slider, and what each of its places would buy. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import type { FitRequest, ReportOffer } from "../../../../wasm/contract.ts";
import { rowOf } from "../../../../wasm/release/algorithms.ts";
import { INHERITED } from "../../charts/figure.ts";
import { shareFigure } from "../../charts/share-figure.ts";
import type { FitJobs } from "../../engine/fit-protocol.ts";
import { Cancelled } from "../../engine/worker-client.ts";
import { CHOICES } from "../../fit/choices.ts";
import { algorithmWords } from "../../words/fit.ts";
import { format } from "../../words/numbers.ts";
import { dividedWords, percent, sharePoint, typicalWords } from "../../words/share.ts";
import { LightElement } from "../light-element.ts";
import { GuessFields } from "./guess-fields.ts";

const VIEWS = { wide: { width: 560, height: 300 }, phone: { width: 350, height: 270 } } as const;

const isShared = ({ algorithm }: FitRequest) => rowOf(algorithm.name).sharesBudget === true;

const sharing = CHOICES.filter(({ name }) => rowOf(name).sharesBudget);
const SHARING = sharing.map(({ name }) => `“${algorithmWords(name).title}”`).join(" and ");

/** In percent: the places of the slider, each of which is asked about. */
const [STEP, MOST] = [10, 90];
const SHARES = Array.from({ length: MOST / STEP + 1 }, (_, i) => (i * STEP) / 100);

/** Whom to expect; the guesses of a table in the middle of everything. */
const GUESSES = {
  rows: { title: "rows of the table to come", usual: "10000" },
  wrong: { title: "probability that the model gives to the wrong class of a typical person", usual: "0.2" },
} as const;
export class FitShare extends LightElement {
  static override properties = {
    request: { attribute: false },
    share: { state: true },
    offered: { attribute: false },
    offers: { state: true },
    fault: { state: true },
    guessed: { state: true },
  };
  /** What is asked for, where it is whole. */
  declare request: FitRequest | undefined;
  /** Whether there is a report at all. */
  declare offered: boolean;
  /** Of the budget, for the report; 0 publishes nothing beside the model. */
  declare private share: number;
  declare private offers: ReadonlyMap<number, ReportOffer>;
  declare private fault: string;
  /** The fault is that of a guess. */
  declare private guessed: boolean;
  ask: ((...asked: Parameters<FitJobs["shareReport"]>) => Promise<ReportOffer>) | undefined;
  private readonly guesses = new GuessFields(this, "share", GUESSES, () => this.fill());
  private isOpen = false;
  private turn = 0;

  constructor() {
    super();
    this.share = 0;
    this.offered = true;
    this.offers = new Map();
    this.fault = "";
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!this.offered) this.share = 0;
    if (!changed.has("request")) return;
    if (this.request) this.guesses.follow(this.request);
    this.fill();
  }

  /** What is to be run instead, and published beside it; nothing where all of the budget is the model's. */
  async chosen(request: FitRequest): Promise<ReportOffer | undefined> {
    await this.updateComplete;
    if (this.share === 0) return undefined;
    const known = request === this.request ? this.offers.get(this.share) : undefined;
    return known ?? this.offer(request, this.share);
  }

  private async offer(request: FitRequest, share: number): Promise<ReportOffer | undefined> {
    return this.ask?.(request, { share, person: this.guesses.values() });
  }

  /** One place after the other, the chosen one first. Nobody waits for it, so that nothing is asked while the fold is closed. */
  private async fill(): Promise<void> {
    const { request } = this;
    const turn = ++this.turn;
    this.offers = new Map();
    this.fault = "";
    if (request && !isShared(request)) this.share = 0;
    if (!request || !isShared(request) || !(this.isOpen || this.share > 0)) return;
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
    this.guessed = this.guesses.about(error) !== undefined;
    this.fault = this.guesses.sentence(error, "");
  }

  protected override render(): TemplateResult | typeof nothing {
    const { share, fault, request, offered } = this;
    if (!offered) return nothing;
    const toggled = (event: Event) => {
      this.isOpen = (event.target as HTMLDetailsElement).open;
      if (this.isOpen && this.offers.size === 0) this.fill();
    };
    return html`<details class="more" @toggle=${toggled}>
      <summary>Share the budget between the model and a report on persons${share > 0 ? `: ${percent(share)} for the report` : nothing}</summary>
      <p>A report says to anybody what the release cost herself. It follows from the model and costs nothing. A part of the budget buys noisy sums
        beside the model, by which it says better how little the model told. The model is then fitted to rows as they are, not whitened, and all
        that is told here is told of such a model, also where nothing is shared.</p>
      ${
        !request
          ? html`<p class="aside">It needs all that is still to be answered above, an ε to keep included.</p>`
          : !isShared(request)
            ? html`<p class="aside">All of the budget is the model’s: only ${SHARING} has a report that can be paid for.</p>`
            : fault && !this.guessed
              ? nothing
              : this.form()
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
    return html`${this.guesses.view()}
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
        <figcaption>What the report would say of a typical person, at most.</figcaption>
        <div class="wide">${unsafeHTML(shareFigure(points, this.share, VIEWS.wide, INHERITED))}</div>
        <div class="phone">${unsafeHTML(shareFigure(points, this.share, VIEWS.phone, INHERITED))}</div>
      </figure>
      <details class="more"><summary>The same as a table</summary>
        <table class="coefficients"><thead><tr><th scope="col">For the report</th><th scope="col">Of the model</th><th scope="col">Beside it</th><th scope="col">Together</th></tr></thead>
          <tbody>${points.map(row)}</tbody></table></details>`;
  }
}
