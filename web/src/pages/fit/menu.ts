/** What may run by a ledger with a menu: the run as the form has it, or what somebody writes down; and what all rounds come to. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Description } from "../../../../wasm/contract.ts";
import { Refusal } from "../../../../wasm/engine/refusal.ts";
import type { FitJobs } from "../../engine/fit-protocol.ts";
import { asked, type Paid, type Rule } from "../../fit/ledger.ts";
import { holdsRun, menuIn, withoutChoice, withRun, withTyped } from "../../fit/menu.ts";
import { ledgerRefusal } from "../../words/ledger.ts";
import { menuChoiceWords, menuPrice } from "../../words/menu.ts";
import { LightElement } from "../light-element.ts";
import { allTold, ledgerIn, type Told } from "./told.ts";

const USUAL_DELTA = 1e-6;

export class FitMenu extends LightElement {
  static override properties = {
    pool: {},
    rule: { attribute: false },
    stands: { type: Boolean },
    run: { attribute: false },
    typed: { state: true },
    fault: { state: true },
    told: { state: true },
  };
  declare pool: string;
  declare rule: Rule;
  /** There are releases already: nothing is added, and nothing taken off. */
  declare stands: boolean;
  /** What would be run now. */
  declare run: Paid | undefined;
  ask: FitJobs["ledger"] | undefined;
  declare private typed: string;
  declare private fault: string;
  /** What all rounds come to. */
  declare private told: Told | undefined;
  private turn = 0;

  constructor() {
    super();
    this.typed = "";
    this.fault = "";
  }

  private get delta(): number {
    return this.run?.delta || USUAL_DELTA;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const run = changed.get("run");
    if (changed.has("rule") || (changed.has("run") && (run?.delta || USUAL_DELTA) !== this.delta))
      this.price();
  }

  /** Nothing while there is nothing to price; a fault is told once something was begun. */
  private async price(): Promise<void> {
    const turn = ++this.turn;
    const { pool, rule, delta } = this;
    this.told = undefined;
    if (menuIn(rule).length === 0 || (rule.budget.rounds ?? "").trim() === "") return;
    // What is typed may be no number, which is refused by name like all else.
    const ask = async () => this.ask?.(asked(pool, rule, []), delta);
    const found = await allTold([["all", ask]], () => turn === this.turn);
    if (found) this.told = found.get("all");
  }

  private choose(rule: Rule): void {
    this.dispatchEvent(new CustomEvent<Rule>("rule", { detail: rule, bubbles: true }));
  }

  private add(): void {
    try {
      this.choose(withTyped(this.rule, this.typed));
      this.typed = "";
      this.fault = "";
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.fault = ledgerRefusal(error);
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    const { rule, stands } = this;
    const menu = menuIn(rule);
    const ledger = ledgerIn(this.told);
    const sentence = this.told && "sentence" in this.told ? this.told.sentence : "";
    return html`<h3 id="fit-menu-title">The menu</h3>
      ${
        menu.length === 0
          ? html`<p class="aside">Nothing is on it yet. Set the form as for one of the runs that may be made, and add it; then the next one.</p>`
          : html`<ol class="ledger" aria-labelledby="fit-menu-title">${menu.map((choice, i) => this.line(choice, i))}</ol>`
      }
      ${stands ? nothing : this.adding()}
      ${ledger ? html`<p class="rule" role="status"><strong>${menuPrice(ledger)}</strong></p>` : nothing}
      ${sentence === "" ? nothing : html`<p class="error">${sentence}</p>`}`;
  }

  private line(choice: Description, index: number): TemplateResult {
    const words = menuChoiceWords(choice);
    const drop = () => this.choose(withoutChoice(this.rule, index));
    return html`<li><span class="what">${index + 1}. ${words}</span>${
      this.stands
        ? nothing
        : html`<button type="button" class="link" aria-label="Take off the menu: ${words}" @click=${drop}>remove</button>`
    }</li>`;
  }

  private adding(): TemplateResult {
    const { rule, run, fault } = this;
    const isOn = run !== undefined && holdsRun(rule, run);
    const typed = (event: Event) => {
      this.typed = (event.target as HTMLTextAreaElement).value;
    };
    return html`<p class="buttons"><button type="button" id="fit-menu-run" aria-disabled=${run === undefined || isOn ? "true" : nothing} @click=${() => run && this.choose(withRun(rule, run))}>${
      isOn ? "The run as it stands is on the menu" : "Add the run as it stands"
    }</button></p>
      ${run === undefined ? html`<p class="hint">When the steps above are answered, the run that they ask for can be added.</p>` : nothing}
      <details class="more"><summary>Write a mechanism down instead</summary>
        <p><label for="fit-menu-typed">A description, or a list of them, as the command line takes it</label>
          <textarea class="text" id="fit-menu-typed" rows="3" spellcheck="false" autocomplete="off" placeholder=${EXAMPLE}
            aria-invalid=${fault ? "true" : nothing} aria-describedby="fit-menu-error" .value=${this.typed} @input=${typed}></textarea></p>
        <p class="error" id="fit-menu-error" role="alert">${fault}</p>
        <p class="buttons"><button type="button" id="fit-menu-add" @click=${() => this.add()}>Add it</button></p></details>`;
  }
}

const EXAMPLE = '{"kind":"gaussian","sigma":2,"sensitivity":1}';
