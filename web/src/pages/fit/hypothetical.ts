/** What a release would cost, or did cost, somebody whose values are typed by hand: by the report, without the table. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { PrivacyReport } from "../../../../wasm/contract.ts";
import { isPublishing } from "../../../../wasm/report/document.ts";
import { type Asker, OwnValues } from "../../elements/own-values.ts";
import { resultView } from "../../elements/report-view.ts";
import { ownFields, personalWords, TO_HOLDER } from "../../words/personal.ts";
import { LightElement } from "../light-element.ts";

export class FitHypothetical extends LightElement {
  static override properties = { report: { attribute: false }, fault: { state: true } };
  declare report: PrivacyReport | undefined;
  declare private fault: string;
  ask: ((report: PrivacyReport, ...asked: Parameters<Asker["ask"]>) => ReturnType<Asker["ask"]>) | undefined;
  private readonly values = new OwnValues(this, TO_HOLDER, {
    ask: async (...asked) => {
      const { report, ask } = this;
      if (!report || !ask) throw new Error("there is no report");
      return ask(report, ...asked);
    },
    drop: () => {
      this.fault = "";
    },
    refuse: (error) => {
      this.fault = error instanceof Error ? error.message : String(error);
    },
  });

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("report")) this.values.reset(this.report && ownFields(this.report.request.table));
  }

  protected override render(): TemplateResult | typeof nothing {
    const { report, fault } = this;
    if (!report) return nothing;
    const { promise, request } = report;
    const told = {
      promise,
      hasMaterial: isPublishing(report),
      label: request.table.label?.name ?? "",
      voice: TO_HOLDER,
    };
    const { loss, isStale } = this.values;
    return html`<h4>Somebody with these values</h4>
      <p class="aside">By the report alone, without the table: what anybody can read off it about herself.</p>
      ${this.values.view()}
      <div role="status">${loss && !isStale ? resultView(personalWords(loss, told)) : nothing}</div>
      ${fault ? html`<p class="error" role="alert">It cannot be told: ${fault}.</p>` : nothing}`;
  }
}
