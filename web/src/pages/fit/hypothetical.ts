/** What a release costs somebody whose values are typed by hand: by the report alone, or by the very table. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { PersonalLoss, PrivacyReport } from "../../../../wasm/contract.ts";
import type { TableRequest } from "../../../../wasm/table/declaration.ts";
import { type Asker, OwnValues } from "../../elements/own-values.ts";
import { resultView } from "../../elements/report-view.ts";
import { whyNot } from "../../words/fit.ts";
import { ownFields, personalWords, TO_HOLDER } from "../../words/personal.ts";
import { LightElement } from "../light-element.ts";

export class FitHypothetical<Loss extends PersonalLoss = PersonalLoss> extends LightElement {
  static override properties = { table: { attribute: false }, fault: { state: true } };
  declare table: TableRequest | undefined;
  declare private fault: string;
  /** For whom what came out is told. */
  promise: PrivacyReport["promise"] | undefined;
  hasMaterial = false;
  /** By what it is told. */
  by = "";
  /** Why it costs so much. */
  why: ((loss: Loss) => string) | undefined;
  ask: ((...asked: Parameters<Asker<Loss>["ask"]>) => Promise<Loss>) | undefined;
  private readonly values = new OwnValues<Loss>(this, TO_HOLDER, {
    ask: async (...asked) => {
      if (!this.ask) throw new Error("the engine is not there");
      return this.ask(...asked);
    },
    drop: () => {
      this.fault = "";
    },
    refuse: (error) => {
      this.fault = whyNot(error);
    },
  });

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("table")) this.values.reset(this.table && ownFields(this.table));
  }

  protected override render(): TemplateResult | typeof nothing {
    const { table, promise, hasMaterial, fault } = this;
    if (!table || !promise) return nothing;
    const told = { promise, hasMaterial, label: table.label?.name ?? "", voice: TO_HOLDER };
    const { loss, isStale } = this.values;
    const answer = loss && html`${resultView(personalWords(loss, told))}<p>${this.why?.(loss)}</p>`;
    return html`<h4>Somebody with these values</h4>
      <p class="aside">${this.by}</p>
      ${this.values.view()}
      <div role="status">${isStale ? (fault ? nothing : "It is being computed.") : (answer ?? nothing)}</div>
      ${fault ? html`<p class="error" role="alert">It cannot be told. ${fault}</p>` : nothing}`;
  }
}
