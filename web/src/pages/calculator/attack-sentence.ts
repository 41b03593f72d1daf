/** The trade-off in numbers: how many true positives the best attacker reaches at a false-positive rate, and his advantage. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Answer } from "../../../../wasm/contract.ts";
import type { Refusal } from "../../../../wasm/engine/refusal.ts";
import { engineFor, supersede } from "../../engine/client.ts";
import { attack } from "../../engine/questions.ts";
import type { Outcome } from "../../question/outcome.ts";
import { percent, spread } from "../../words/attack.ts";
import { format } from "../../words/numbers.ts";
import { LightElement } from "../light-element.ts";
import { percentFault, percentField } from "./percent-field.ts";

const DIGITS = 4;
const ALL_DIGITS = 8;

export class AttackSentence extends LightElement {
  static override properties = {
    outcome: { attribute: false },
    text: { attribute: false },
    refusal: { attribute: false },
    open: { attribute: false },
    found: { state: true },
  };

  declare outcome: Outcome | undefined;
  /** The false-positive rate in per cent, as it was typed. */
  declare text: string;
  declare refusal: Refusal | undefined;
  /** Whether somebody looks. */
  declare open: boolean;
  declare private found: { of: Outcome; power: Answer; advantage: Answer } | undefined;
  private asked: Outcome | undefined;
  private readonly engine = engineFor(this);

  protected override updated(_: PropertyValues): void {
    const { outcome, open } = this;
    if (outcome === this.asked || !open) return;
    supersede(this);
    this.asked = outcome;
    if (outcome) this.find(outcome);
  }

  private async find(outcome: Outcome): Promise<void> {
    try {
      this.found = { of: outcome, ...(await attack(this.engine, outcome)) };
    } catch {
      // Superseded, cancelled or refused: the sentence keeps its dots, and the curve says why.
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.open) return nothing;
    const { text, refusal, outcome } = this;
    const found = this.found && this.found.of === outcome && !refusal ? this.found : undefined;
    const field = {
      name: "false-positives",
      text,
      title: "false-positive rate",
      label: "False-positive rate, in per cent",
      refusal,
    };
    const power = found ? `${percent(found.power.upper, DIGITS, "up")} %` : "…";
    const advantage = found ? format(found.advantage.upper, DIGITS, "up") : "…";
    return html`<p>
        At a false-positive rate of ${percentField(this, field)} the best attacker reaches at most
        <strong>${power}</strong> true positives; nowhere does he gain more than
        <strong>δ(0) = ${advantage}</strong>, his advantage. ${percentFault(field)}
      </p>
      <p class="aside">${found ? this.ends(found.power, found.advantage) : nothing}</p>`;
  }

  private ends(power: Answer, advantage: Answer): TemplateResult {
    const rate = spread(power, (end, side) => `${percent(end, ALL_DIGITS, side)} %`);
    const gain = spread(advantage, (end, side) => format(end, ALL_DIGITS, side));
    return html`True positives: ${rate}. Advantage: ${gain}.`;
  }
}
