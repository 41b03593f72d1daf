/** What the number means for one person: the odds of the best possible attacker, with a prior that can be changed. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Refusal } from "../../../wasm/refusal.ts";
import { engineFor, supersede } from "../engine/client.ts";
import { believe } from "../engine/questions.ts";
import type { Outcome } from "../question/outcome.ts";
import { type Odds, odds, suspicion } from "../words/odds.ts";
import { likelihoodSentence } from "../words/sentences.ts";
import { LightElement } from "./light-element.ts";
import { percentFault, percentField } from "./percent-field.ts";

const UNKNOWN: Odds = { after: "…", before: "…", of: "100" };

export class OddsSentence extends LightElement {
  static override properties = {
    outcome: { attribute: false },
    text: { attribute: false },
    refusal: { attribute: false },
    belief: { state: true },
  };

  declare outcome: Outcome | undefined;
  /** The suspicion in per cent, as it was typed. */
  declare text: string;
  declare refusal: Refusal | undefined;
  /** Found later than the number, where it takes a while. */
  declare private belief: { of: Outcome; value: number } | undefined;
  private readonly engine = engineFor(this);

  protected override updated(changed: PropertyValues): void {
    if (changed.has("outcome")) this.find(this.outcome);
  }

  private async find(outcome: Outcome | undefined): Promise<void> {
    supersede(this);
    if (!outcome || outcome.belief !== null) return;
    try {
      this.belief = { of: outcome, value: await believe(this.engine, outcome) };
    } catch {
      // Superseded, cancelled or refused: the sentence keeps its dots, and the card says why.
    }
  }

  protected override render(): TemplateResult {
    const { outcome, refusal } = this;
    const belief = outcome?.belief ?? (this.belief?.of === outcome ? this.belief?.value : undefined);
    const said = outcome && !refusal && belief !== undefined ? odds(outcome.prior, belief) : UNKNOWN;
    const field = {
      name: "prior",
      text: this.text,
      title: "suspicion",
      label: "Suspicion before the release, in per cent",
      refusal,
    };
    const relation = outcome?.question.neighbours ?? "add-remove";
    return html`<p>
        An attacker who suspects with ${percentField(this, field)} that
        ${suspicion(relation, outcome?.group ?? 1)} is right, after seeing everything released, at most
        <strong>${said.after} times out of ${said.of}</strong> instead of ${said.before} of ${said.of}.
        ${percentFault(field)}
      </p>
      <p class="aside">${outcome ? likelihoodSentence(outcome.epsilon, outcome.delta, outcome.group) : nothing}</p>`;
  }
}
