/** What the number means for one person: what a suspicion about him can become, and how rarely it becomes more. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Posterior } from "../../../../wasm/contract.ts";
import type { Refusal } from "../../../../wasm/engine/refusal.ts";
import { engineFor, supersede } from "../../engine/client.ts";
import { isSuspected, suspect } from "../../engine/questions.ts";
import type { Outcome } from "../../question/outcome.ts";
import { eventSentence, odds, suspicion } from "../../words/odds.ts";
import { likelihoodSentence } from "../../words/sentences.ts";
import { LightElement } from "../light-element.ts";
import { percentFault, percentField } from "./percent-field.ts";

/** A field of the sentence: its text, and what is wrong with it. */
export interface Entered {
  readonly text: string;
  readonly refusal: Refusal | undefined;
}

export class OddsSentence extends LightElement {
  static override properties = {
    outcome: { attribute: false },
    prior: { attribute: false },
    exceptions: { attribute: false },
    fixed: { attribute: false },
    found: { state: true },
  };

  declare outcome: Outcome | undefined;
  /** In per cent, as it was typed. */
  declare prior: Entered;
  declare exceptions: Entered;
  /** Both are edited in the question itself. */
  declare fixed: boolean;
  /** Found later than the number. */
  declare private found: { of: Outcome; posterior: Posterior } | undefined;
  private readonly engine = engineFor(this);

  protected override updated(changed: PropertyValues): void {
    if (changed.has("outcome")) this.find(this.outcome);
  }

  private async find(outcome: Outcome | undefined): Promise<void> {
    supersede(this);
    if (!outcome || outcome.posterior || !isSuspected(outcome)) return;
    try {
      this.found = { of: outcome, posterior: await suspect(this.engine, outcome) };
    } catch {
      // Superseded, cancelled or refused: the sentence keeps its dots, and the card says why.
    }
  }

  protected override render(): TemplateResult {
    const { outcome, fixed } = this;
    const refused = this.prior.refusal ?? this.exceptions.refusal;
    const found = outcome?.posterior ?? (this.found?.of === outcome ? this.found?.posterior : undefined);
    const said = found && !refused ? odds(found) : undefined;
    const prior = {
      name: "prior",
      ...this.prior,
      title: "suspicion",
      label: "Suspicion before the release, in per cent",
    };
    const exceptions = {
      name: "exceptions",
      ...this.exceptions,
      title: "probability of exceptions",
      label: "Probability of exceptions",
      unit: "",
    };
    const relation = outcome?.question.neighbours ?? "add-remove";
    return html`<p>
        An attacker suspects with ${fixed ? `${this.prior.text} %` : percentField(this, prior)} that ${suspicion(relation, outcome?.group ?? 1)}.
        Everything released, and whatever is computed from it, raises that to
        <strong>${said?.right ?? "…"}</strong> if he is right and to <strong>${said?.wrong ?? "…"}</strong> if he
        is wrong, except with probability ${fixed ? this.exceptions.text : percentField(this, exceptions)}.
        ${fixed ? nothing : [percentFault(prior), " ", percentFault(exceptions)]}
      </p>
      <p class="aside">${said ? eventSentence(said) : nothing} ${outcome ? likelihoodSentence(outcome.epsilon, outcome.delta, outcome.group) : nothing}</p>`;
  }
}
