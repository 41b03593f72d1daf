/** What the release cost each person: for whoever may see the table, and on that screen only; and what may be published. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import type { PeopleLosses, Release, VoteLoss } from "../../../../wasm/contract.ts";
import { INHERITED } from "../../charts/figure.ts";
import { lossesFigure, rowAt, scatterFigure } from "../../charts/losses-figure.ts";
import { FAILURE } from "../../engine/fit-protocol.ts";
import type { Entry } from "../../fit/ledger.ts";
import type { KnownHere } from "../../fit/own-ledger.ts";
import { format } from "../../words/numbers.ts";
import {
  causesWords,
  personsSentence,
  realisedSentence,
  rowSentence,
  summarySentence,
  togetherWords,
  toldOf,
  votersSentence,
} from "../../words/people.ts";
import { LightElement } from "../light-element.ts";
import { type Ask, type Asking, asking, askingView, UNWANTED } from "./asking.ts";
import type { FitHypothetical } from "./hypothetical.ts";
import type { FitReport } from "./report.ts";

const VIEWS = { wide: { width: 490, height: 300 }, phone: { width: 350, height: 260 } } as const;

/** Whom what came out is told of. */
const ONE = { failure: FAILURE, audience: "one" } as const;

const CONFIDENTIAL =
  "Only for whoever may see the table: this depends on every row, and publishing it gives rows away. It stays on this screen, out of every download, picture and link.";

const NONE = new Float64Array();

/** The row that lost most. */
const worst = ({ losses }: PeopleLosses) =>
  losses.reduce((best, loss, i) => (loss > (losses[best] ?? 0) ? i : best), 0);

export class FitPersons extends LightElement {
  static override properties = {
    entry: { attribute: false },
    asked: { state: true },
    told: { state: true },
    row: { state: true },
    isNoRow: { state: true },
  };
  declare entry: Entry<Release> | undefined;
  declare private asked: Asking<PeopleLosses>;
  declare private told: Asking<VoteLoss>;
  /** The one that is explained. */
  declare private row: number;
  /** Whether what is typed is none. */
  declare private isNoRow: boolean;
  /** Reads the table of the entry once more. */
  losses: Ask<PeopleLosses>;
  voters: Ask<VoteLoss>;
  known: FitHypothetical<KnownHere>["ask"];
  report: FitReport["report"];
  price: FitReport["price"];
  cancel: (() => void) | undefined;

  constructor() {
    super();
    this.asked = UNWANTED;
    this.told = UNWANTED;
    this.row = 0;
    this.isNoRow = false;
  }

  /** What was ticked for one table is not ticked for the next. */
  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("entry")) this.asked = this.told = UNWANTED;
    if (changed.has("row")) this.isNoRow = false;
  }

  private ask(): Promise<void> {
    const { entry } = this;
    return asking(this.losses, (asked) => {
      if (entry !== this.entry) return;
      if (asked.state === "found") this.row = worst(asked.found);
      this.asked = asked;
    });
  }

  /** The core says of which releases anything of the kind is known; of what its test refused nothing is. */
  protected override render(): TemplateResult | typeof nothing {
    const { entry } = this;
    if (!entry || entry.release.outcome) return nothing;
    const { rows, report, votes } = entry.release.persons;
    if (!rows && !report && !votes) return nothing;
    return html`<h3>What did it cost each person?</h3>
      ${rows ? this.rows(entry) : nothing}
      ${votes ? this.votes(entry) : nothing}
      ${report ? html`<fit-report .entry=${entry} .report=${this.report} .price=${this.price} .cancel=${this.cancel}></fit-report>` : nothing}`;
  }

  /** Behind a tick, for the holder of the table. */
  private tick(
    asked: Asking<unknown>,
    id: string,
    what: string,
    ask: () => void,
    leave: () => void,
  ): TemplateResult {
    const ticked = (event: Event) => ((event.target as HTMLInputElement).checked ? ask() : leave());
    return html`<p><label class="pick"><input type="checkbox" id=${id} autocomplete="off" .checked=${asked.state !== "unwanted" && asked.state !== "failed"}
          @change=${ticked} /><span>${what}</span></label></p>
      <p class="aside">${CONFIDENTIAL}</p>`;
  }

  private votes(entry: Entry<Release>): TemplateResult {
    const { told } = this;
    const ask = () =>
      asking(this.voters, (told) => {
        if (entry === this.entry) this.told = told;
      });
    const leave = () => {
      this.told = UNWANTED;
    };
    return html`<p>${personsSentence(false)}</p>
      ${this.tick(told, "fit-voters", "Show what the winners told of these voters", ask, leave)}
      ${askingView(told, "It cannot be told", this.cancel)}
      <p role="status">${told.state === "found" ? votersSentence(told.found) : nothing}</p>`;
  }

  private rows(entry: Entry<Release>): TemplateResult {
    const { asked } = this;
    const leave = () => {
      this.asked = UNWANTED;
    };
    return html`<p>${personsSentence(entry.offer !== undefined)}</p>
      ${this.tick(asked, "fit-persons", "Show what it cost each row", () => this.ask(), leave)}
      <fit-leak></fit-leak>
      ${askingView(asked, "It cannot be told", this.cancel)}
      ${asked.state === "found" ? this.people(asked.found, entry.offer !== undefined) : nothing}`;
  }

  private people(people: PeopleLosses, isShared: boolean): TemplateResult {
    const { row } = this;
    const { losses, promised, leverages, residuals, lengths, causes, delta, realised } = people;
    const hasLeverages = leverages.length > 0;
    const because = [
      hasLeverages
        ? { because: leverages, name: "leverage: how unusual the features are" }
        : { because: lengths, name: "length of the features" },
      { because: hasLeverages ? NONE : causes.leverages, name: "leverage, of the released model" },
      residuals.length > 0
        ? { because: residuals, name: "misfit: how far the model misses the label" }
        : { because: causes.misfits, name: "misfit, of the released model" },
    ].filter(({ because: values }) => values.length > 0);
    const drawn = { losses, promised, chosen: row };
    // What was promised is a bound of another kind.
    const told = realised && { ...drawn, losses: toldOf(realised), promised: Number.POSITIVE_INFINITY };
    const figures = (view: { width: number; height: number }) => [
      lossesFigure(drawn, view, INHERITED),
      ...(told ? [lossesFigure(told, view, INHERITED, "told of a row, at most")] : []),
      ...because.map((one) => scatterFigure({ ...drawn, ...one }, view, INHERITED)),
    ];
    // The figures of causes come last.
    const point =
      (view: { width: number; height: number }) =>
      ({ target, clientX, clientY }: PointerEvent) => {
        const figure = (target as Element).closest("svg");
        const all = [...(figure?.parentElement?.children ?? [])];
        const cause = figure && because[all.indexOf(figure) - all.length + because.length];
        if (!cause) return;
        const { left, top, width, height } = figure.getBoundingClientRect();
        const x = ((clientX - left) / width) * view.width;
        const y = ((clientY - top) / height) * view.height;
        this.row = rowAt({ ...drawn, ...cause }, view, { x, y });
      };
    const choose = (event: Event) => {
      const chosen = Number((event.target as HTMLInputElement).value) - 1;
      this.isNoRow = !(Number.isInteger(chosen) && chosen >= 0 && chosen < losses.length);
      if (!this.isNoRow) this.row = chosen;
    };
    const most = () => {
      this.row = worst(people);
      this.isNoRow = false;
    };
    return html`<p>${summarySentence(people, isShared)} <span class="aside">At δ = ${format(delta, 6, "up")}; each ε is rounded up, by about a sixteenth. Rows are counted without those that were left out.</span></p>
      ${realised ? html`<p>${realisedSentence(realised)}</p>` : nothing}
      <figure class="persons">
        <figcaption>How many rows lost how much${realised ? ", what came out told of how many" : ""}, and the loss beside what may explain it; the row at the pointer is told below. The line is the promise.</figcaption>
        <div class="wide" @pointermove=${point(VIEWS.wide)}>${figures(VIEWS.wide).map((svg) => unsafeHTML(svg))}</div>
        <div class="phone" @pointermove=${point(VIEWS.phone)}>${figures(VIEWS.phone).map((svg) => unsafeHTML(svg))}</div>
      </figure>
      <p class="persons-row"><label for="fit-person-row">Row</label>
        <input id="fit-person-row" type="number" min="1" max=${losses.length} step="1" .value=${String(row + 1)} autocomplete="off" aria-invalid=${this.isNoRow} @input=${choose} />
        <button type="button" @click=${most}>The row that lost most</button></p>
      <p role="status">${this.isNoRow ? `Row must be a whole number from 1 to ${losses.length}.` : rowSentence(people, row)}</p>
      <fit-hypothetical .table=${this.entry?.release.request.table} .promise=${ONE} .ask=${this.known}
        .by=${"By the table itself, which is read again for each: before anything came out, and what came out told. As confidential as the rows above."}
        .why=${(loss: KnownHere) => [causesWords(people, loss), togetherWords(loss)].join(" ")}></fit-hypothetical>`;
  }
}
