/** The same question put to every accountant, with the textbook formula caught where it breaks its promise. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Comparison } from "../../../../wasm/contract.ts";
import { Refusal } from "../../../../wasm/engine/refusal.ts";
import { NOTICEABLE, progressLine } from "../../elements/progress.ts";
import { engineFor, supersede } from "../../engine/client.ts";
import { compare } from "../../engine/questions.ts";
import { Cancelled, Superseded } from "../../engine/worker-client.ts";
import type { Outcome } from "../../question/outcome.ts";
import { isHeavy } from "../../question/question.ts";
import { format, HEADLINE_DIGITS } from "../../words/numbers.ts";
import { ACCOUNTANTS, fieldWords, refusalSentence, safeSide, verdict } from "../../words/sentences.ts";
import { LightElement } from "../light-element.ts";

export class AccountantComparison extends LightElement {
  static override properties = {
    outcome: { attribute: false },
    open: { attribute: false },
    stage: { state: true },
    rows: { state: true },
    refusal: { state: true },
  };

  declare outcome: Outcome | undefined;
  /** Whether somebody looks; what takes a while is not computed for nobody. */
  declare open: boolean;
  declare private stage: "idle" | "long" | "cancelled";
  private asked: Outcome | undefined;
  declare private rows: readonly Comparison[];
  declare private refusal: string;
  private readonly engine = engineFor(this);

  constructor() {
    super();
    this.rows = [];
    this.refusal = "";
    this.open = false;
    this.stage = "idle";
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("outcome") && this.outcome !== this.asked) supersede(this);
    const { outcome } = this;
    if (!outcome || outcome === this.asked) return;
    // What was said of an older question must not stand beside this one.
    if (outcome.group > 1) this.tell([]);
    else if (this.open || !isHeavy(outcome.question)) this.put(outcome);
  }

  private tell(rows: readonly Comparison[]): void {
    this.dispatchEvent(new CustomEvent<readonly Comparison[]>("compared", { detail: rows, bubbles: true }));
  }

  private async put(outcome: Outcome): Promise<void> {
    this.asked = outcome;
    this.refusal = "";
    this.rows = [];
    this.stage = "idle";
    const patience = setTimeout(() => {
      this.stage = "long";
    }, NOTICEABLE);
    try {
      const rows = await compare(this.engine, outcome);
      if (outcome !== this.outcome) return;
      this.rows = rows;
      this.stage = "idle";
      this.tell(rows);
    } catch (error) {
      if (error instanceof Superseded || outcome !== this.outcome) return;
      this.stage = error instanceof Cancelled ? "cancelled" : "idle";
      this.rows = [];
      this.refusal = error instanceof Refusal ? refusalSentence(error, "comparison") : String(error);
    } finally {
      clearTimeout(patience);
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    const { outcome } = this;
    if (!outcome) return nothing;
    if (outcome.group > 1) return html`<p>Other accountants speak about one row only.</p>`;
    if (this.stage === "cancelled") return this.again(outcome);
    if (this.stage === "long") return progressLine("Asking every accountant");
    if (outcome !== this.asked) return nothing;
    if (this.refusal) return html`<p class="error">${this.refusal}</p>`;
    if (this.rows.length === 0) return html`<p class="aside">Asking every accountant …</p>`;
    const heads = this.heads(outcome);
    return html`<table class="comparison">
      <thead><tr>${["Accountant", ...heads, "Verdict"].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
      <tbody>${this.rows.map((row) => this.row(row, heads, outcome))}</tbody>
    </table>`;
  }

  private again(outcome: Outcome): TemplateResult {
    return html`<p>Cancelled. <button type="button" @click=${() => this.put(outcome)}>Compare</button></p>`;
  }

  /** The heads of the numbers. Of a bound nobody knows how far it lies above the real cost. */
  private heads({ found, question }: Outcome): string[] {
    const solved = found.ask === "parameter";
    const { kind } = "calibration" in found ? found.calibration : found.answer;
    const chosen = solved ? [`chooses ${fieldWords(question, question.ask).symbol}`] : [];
    return [...chosen, solved ? "promises ε" : "says ε", kind === "bound" ? "our bound on ε" : "real ε"];
  }

  private row(row: Comparison, heads: readonly string[], { found, question }: Outcome): TemplateResult {
    const side = safeSide(question, question.ask);
    const chosen = row.value === null ? "none" : format(row.value, HEADLINE_DIGITS, side);
    const costs = [row.claimed, row.actual.upper].map((one) => format(one, HEADLINE_DIGITS, "up"));
    const numbers = found.ask === "parameter" ? [chosen, ...costs] : costs;
    return html`<tr class=${row.broken ? "broken" : ""}>
      <th scope="row">${ACCOUNTANTS[row.accountant]}<small>${row.source}</small></th>
      ${numbers.map((number, i) => html`<td data-head=${heads[i] ?? ""}>${number}</td>`)}
      <td class="verdict">${row.broken ? html`<span aria-hidden="true">✗ </span>` : nothing}${verdict(row)}</td>
    </tr>`;
  }
}
