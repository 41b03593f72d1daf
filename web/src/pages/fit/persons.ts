/** What the release cost each person: for whoever may see the table, and on that screen only; and what may be published. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import type { PeopleLosses, Release } from "../../../../wasm/contract.ts";
import { INHERITED } from "../../charts/figure.ts";
import { lossesFigure, scatterFigure } from "../../charts/losses-figure.ts";
import type { Progress } from "../../engine/fit-protocol.ts";
import { Cancelled } from "../../engine/worker-client.ts";
import type { Entry } from "../../fit/ledger.ts";
import { format } from "../../words/numbers.ts";
import { rowSentence, summarySentence } from "../../words/people.ts";
import { LightElement } from "../light-element.ts";
import type { FitReport } from "./report.ts";
import { progressBar } from "./run.ts";

const VIEWS = { wide: { width: 490, height: 300 }, phone: { width: 350, height: 260 } } as const;

type Found =
  | { readonly state: "unwanted" }
  | { readonly state: "asked"; readonly progress: Progress | undefined }
  | { readonly state: "found"; readonly people: PeopleLosses; readonly row: number }
  | { readonly state: "failed"; readonly fault: string };

const UNWANTED: Found = { state: "unwanted" };

/** The row that lost most. */
const worst = ({ losses }: PeopleLosses) =>
  losses.reduce((best, loss, i) => (loss > (losses[best] ?? 0) ? i : best), 0);

export class FitPersons extends LightElement {
  static override properties = {
    entry: { attribute: false },
    found: { state: true },
  };
  declare entry: Entry<Release> | undefined;
  declare private found: Found;
  /** Reads the table of the entry once more. */
  losses: ((told: (progress: Progress) => void) => Promise<PeopleLosses>) | undefined;
  report: FitReport["report"];
  price: FitReport["price"];
  cancel: (() => void) | undefined;

  constructor() {
    super();
    this.found = UNWANTED;
  }

  /** What was ticked for one table is not ticked for the next. */
  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("entry")) this.found = UNWANTED;
  }

  private async ask(): Promise<void> {
    const { entry } = this;
    const set = (found: Found) => {
      if (entry === this.entry) this.found = found;
    };
    set({ state: "asked", progress: undefined });
    try {
      const people = await this.losses?.((progress) => set({ state: "asked", progress }));
      set(people ? { state: "found", people, row: worst(people) } : UNWANTED);
    } catch (error) {
      if (error instanceof Cancelled) set(UNWANTED);
      else set({ state: "failed", fault: error instanceof Error ? error.message : String(error) });
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.entry) return nothing;
    const { found } = this;
    const ticked = (event: Event) => {
      if ((event.target as HTMLInputElement).checked) this.ask();
      else this.found = UNWANTED;
    };
    return html`<h3>What did it cost each person?</h3>
      <p>ε is what was promised to everybody, in whatever table. What this release cost the people of this very table is never more, and often far less.</p>
      <p><label class="pick"><input type="checkbox" id="fit-persons" autocomplete="off" .checked=${found.state !== "unwanted" && found.state !== "failed"}
          @change=${ticked} /><span>Show what it cost each row</span></label></p>
      <p class="aside">Only for whoever may see the table: these numbers depend on every row, and publishing them gives rows away. They stay on this screen, out of every
        download, picture and link.</p>
      <fit-leak></fit-leak>
      ${found.state === "asked" ? progressBar(found.progress, () => this.cancel?.()) : nothing}
      ${found.state === "failed" ? html`<p class="error" role="alert">It cannot be told: ${found.fault}.</p>` : nothing}
      ${found.state === "found" ? this.people(found.people, found.row) : nothing}
      <fit-report .entry=${this.entry} .report=${this.report} .price=${this.price} .cancel=${this.cancel}></fit-report>`;
  }

  private people(people: PeopleLosses, row: number): TemplateResult {
    const { losses, promised, leverages, residuals, lengths, delta } = people;
    const unusual =
      leverages.length > 0
        ? { because: leverages, name: "leverage: how unusual the features are" }
        : { because: lengths, name: "length of the features" };
    const drawn = { losses, promised, chosen: row };
    const misfit = { because: residuals, name: "misfit: how far the model misses the label" };
    const because = [unusual, misfit].filter(({ because: values }) => values.length > 0);
    const figures = (view: { width: number; height: number }) => [
      lossesFigure(drawn, view, INHERITED),
      ...because.map((one) => scatterFigure({ ...drawn, ...one }, view, INHERITED)),
    ];
    const choose = (event: Event) => {
      const chosen = Number((event.target as HTMLInputElement).value) - 1;
      if (Number.isInteger(chosen) && chosen >= 0 && chosen < losses.length)
        this.found = { state: "found", people, row: chosen };
    };
    const most = () => {
      this.found = { state: "found", people, row: worst(people) };
    };
    return html`<p>${summarySentence(people)} <span class="aside">At δ = ${format(delta, 6, "up")}; each ε is rounded up by at most a sixteenth. Rows are counted without those that were left out.</span></p>
      <figure class="persons">
        <figcaption>How many rows lost how much, and what explains it. The line is the promise.</figcaption>
        <div class="wide">${figures(VIEWS.wide).map((svg) => unsafeHTML(svg))}</div>
        <div class="phone">${figures(VIEWS.phone).map((svg) => unsafeHTML(svg))}</div>
      </figure>
      <p class="persons-row"><label for="fit-person-row">Row</label>
        <input id="fit-person-row" type="number" min="1" max=${losses.length} step="1" .value=${String(row + 1)} autocomplete="off" @input=${choose} />
        <button type="button" @click=${most}>The row that lost most</button></p>
      <p role="status">${rowSentence(people, row)}</p>`;
  }
}
