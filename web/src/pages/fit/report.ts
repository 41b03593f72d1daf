/** The report that may be published, made when it is asked for; and what it says about somebody. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { PrivacyReport, Release } from "../../../../wasm/contract.ts";
import { say } from "../../elements/status.ts";
import type { Progress } from "../../engine/fit-protocol.ts";
import { Cancelled } from "../../engine/worker-client.ts";
import type { Entry } from "../../fit/ledger.ts";
import { download } from "../../share/download.ts";
import { plainJson } from "../../share/json.ts";
import { LightElement } from "../light-element.ts";
import type { FitHypothetical } from "./hypothetical.ts";
import { progressBar } from "./run.ts";

type Made =
  | { readonly state: "unwanted" }
  | { readonly state: "asked"; readonly progress: Progress | undefined }
  | { readonly state: "made"; readonly report: PrivacyReport }
  | { readonly state: "failed"; readonly fault: string };

const UNWANTED: Made = { state: "unwanted" };

export class FitReport extends LightElement {
  static override properties = { entry: { attribute: false }, made: { state: true } };
  declare entry: Entry<Release> | undefined;
  declare private made: Made;
  report: ((told: (progress: Progress) => void) => Promise<PrivacyReport>) | undefined;
  price: FitHypothetical["ask"];
  cancel: (() => void) | undefined;

  constructor() {
    super();
    this.made = UNWANTED;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("entry")) this.made = UNWANTED;
  }

  private async make(): Promise<void> {
    const { entry } = this;
    const set = (made: Made) => {
      if (entry === this.entry) this.made = made;
    };
    set({ state: "asked", progress: undefined });
    try {
      const report = await this.report?.((progress) => set({ state: "asked", progress }));
      set(report ? { state: "made", report } : UNWANTED);
      if (report && entry === this.entry) await this.show();
    } catch (error) {
      if (error instanceof Cancelled) set(UNWANTED);
      else set({ state: "failed", fault: error instanceof Error ? error.message : String(error) });
    }
  }

  /** The button that was pressed is gone: its place is taken by the next one. */
  private async show(): Promise<void> {
    await this.updateComplete;
    this.querySelector("button")?.focus();
    say("The report is made.");
  }

  protected override render(): TemplateResult | typeof nothing {
    const { entry, made } = this;
    if (!entry) return nothing;
    if (made.state === "made") return this.view(made.report);
    return html`${
      made.state === "asked"
        ? progressBar(made.progress, () => this.cancel?.())
        : html`<p class="buttons"><button type="button" @click=${this.make}>Make a report that may be published</button></p>`
    }
      ${made.state === "failed" ? html`<p class="error" role="alert">There is no report: ${made.fault}.</p>` : nothing}
      <p class="aside">With the report anybody can read off what the release cost herself, from her own values, without the table: it holds the model, the request and public
        bounds, and nothing of any row.
        ${entry.offer ? "What is published beside the model has its share of the budget already." : "It costs nothing more."}</p>`;
  }

  private view(report: PrivacyReport): TemplateResult {
    const save = () => download("privacy-report.json", "application/json", `${plainJson(report)}\n`);
    return html`<p class="buttons"><button type="button" @click=${save}>Download the report</button></p>
      <p class="aside">It holds the model, the request, public bounds${report.material.gradient ? ", noisy sums that the budget paid for" : nothing}, and nothing else of any row. <a href="./embed.html">How a page of yours shows it</a>.</p>
      <fit-hypothetical .report=${report} .ask=${this.price}></fit-hypothetical>`;
  }
}
