/** The report that may be published, made when it is asked for; and what it says about somebody. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { OwnRow, PersonalLoss, PrivacyReport, Release } from "../../../../wasm/contract.ts";
import { isPublishing } from "../../../../wasm/report/document.ts";
import { say } from "../../elements/status.ts";
import type { Entry } from "../../fit/ledger.ts";
import { download } from "../../share/download.ts";
import { plainJson } from "../../share/json.ts";
import { type Ask, type Asking, asking, askingView, UNWANTED } from "./asking.ts";
import { ProgressElement } from "./progress-element.ts";

export class FitReport extends ProgressElement {
  static override properties = { entry: { attribute: false }, made: { state: true } };
  declare entry: Entry<Release> | undefined;
  declare private made: Asking<PrivacyReport>;
  report: Ask<PrivacyReport>;
  price: ((report: PrivacyReport, row: OwnRow, isMember: boolean) => Promise<PersonalLoss>) | undefined;
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
    await asking(this.report, (made) => {
      if (entry === this.entry) this.made = made;
    });
    if (entry === this.entry && this.made.state === "found") say("The report is made.");
  }

  protected override render(): TemplateResult | typeof nothing {
    const { entry, made } = this;
    if (!entry) return nothing;
    if (made.state === "found") return this.view(made.found);
    return html`${
      made.state === "asked"
        ? nothing
        : html`<p class="buttons"><button type="button" @click=${this.make}>Make a report that may be published</button></p>`
    }
      ${askingView(made, "There is no report", this.cancel)}
      <p class="aside">With the report anybody can read off what the release cost herself, from her own values, without the table: it holds the model, the request and public
        bounds, and nothing of any row.
        ${entry.offer ? "What is published beside the model has its share of the budget already." : "It costs nothing more."}</p>`;
  }

  private view(report: PrivacyReport): TemplateResult {
    const save = () => download("privacy-report.json", "application/json", `${plainJson(report)}\n`);
    return html`<p class="buttons"><button type="button" @click=${save}>Download the report</button></p>
      <p class="aside">It holds the model, the request, public bounds${report.material.gradient || report.whitening ? ", noisy sums that the budget paid for" : nothing}, and nothing else of any row. <a href="./embed.html">How a page of yours shows it</a>.</p>
      <fit-hypothetical .table=${report.request.table} .promise=${report.promise} .hasMaterial=${isPublishing(report)}
        .by=${"By the report alone, without the table: what anybody can read off it about herself."}
        .ask=${(row: OwnRow, isMember: boolean) => this.price?.(report, row, isMember)}></fit-hypothetical>`;
  }
}
