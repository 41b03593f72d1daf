/** By which rule releases about the same people add up, chosen before the first of them; and a ledger that was kept. */
import { html, nothing, type TemplateResult } from "lit";
import {
  budgetFields,
  hasBudget,
  RULE_NAMES,
  type RuleName,
} from "../../../../wasm/release/ledger-question.ts";
import type { FitJobs } from "../../engine/fit-protocol.ts";
import { type Paid, PLAN, type Rule } from "../../fit/ledger.ts";
import { budgetWords, poolWords, ruleSentence, ruleWords } from "../../words/ledger.ts";
import { LightElement } from "../light-element.ts";

export class FitRule extends LightElement {
  static override properties = {
    pool: {},
    rule: { attribute: false },
    stands: { type: Boolean },
    run: { attribute: false },
    taken: {},
    trouble: {},
  };
  declare pool: string | undefined;
  declare rule: Rule | undefined;
  /** There are releases already. */
  declare stands: boolean;
  /** What would be run now, which may be put on a menu. */
  declare run: Paid | undefined;
  ask: FitJobs["ledger"] | undefined;
  /** What came of a file. */
  declare taken: string | undefined;
  declare trouble: string | undefined;

  private choose(rule: Rule): void {
    this.dispatchEvent(new CustomEvent<Rule>("rule", { detail: rule }));
  }

  private pick(event: Event): void {
    const input = event.target as HTMLInputElement;
    const [file] = input.files ?? [];
    if (file) this.dispatchEvent(new CustomEvent<File>("ledger", { detail: file }));
    // The same file may be chosen again after it was changed.
    input.value = "";
  }

  protected override render(): TemplateResult | typeof nothing {
    const { pool, rule = PLAN, stands, taken, trouble } = this;
    if (pool === undefined) return nothing;
    return html`<details class="more" id="fit-rule-fold"><summary>Other releases about the same people add up by ${ruleSentence(rule)}</summary>
      ${stands ? standing(rule) : this.choice(rule)}
      ${rule.name === "menu" ? this.menu(pool, rule) : nothing}
      <p class="aside">About ${poolWords(pool)}.</p>
      <p class="buttons">${
        stands || !hasBudget(rule.name)
          ? nothing
          : html`<button type="button" id="fit-rule-save" @click=${() => this.dispatchEvent(new CustomEvent("save"))}>Save this rule</button>`
      }<label class="picker"><input type="file" id="fit-ledger-file" accept=".json,application/json"
        aria-invalid=${trouble ? "true" : nothing} aria-describedby="fit-ledger-error" @change=${this.pick} /><span class="button">Open a saved ledger</span></label></p>
      <p class="error" id="fit-ledger-error" role="alert">${trouble}</p>
      ${taken ? html`<p role="status">${taken}</p>` : nothing}</details>`;
  }

  private menu(pool: string, rule: Rule): TemplateResult {
    return html`<fit-menu .pool=${pool} .rule=${rule} .stands=${this.stands} .run=${this.run} .ask=${this.ask}></fit-menu>`;
  }

  private choice(rule: Rule): TemplateResult {
    const chosen = (event: Event) =>
      this.choose({ ...rule, name: (event.target as HTMLSelectElement).value as RuleName });
    return html`<p class="rule"><label for="fit-rule">They add up by</label> <select class="choice" id="fit-rule" autocomplete="off" @change=${chosen}>${RULE_NAMES.map(
      (name) => html`<option value=${name} .selected=${name === rule.name}>${ruleWords(name).title}</option>`,
    )}</select>${budgetFields(rule.name)
      .filter(({ key }) => key !== "menu")
      .map(({ key, needed }) => this.amount(rule, key, needed))}</p>
      <p class="hint">${ruleWords(rule.name).help}${budgetFields(rule.name).length > 0 ? " Chosen now: once there is an answer, a budget is none." : nothing}</p>`;
  }

  private amount(rule: Rule, key: string, needed: boolean): TemplateResult {
    const { symbol, title } = budgetWords(rule.name, key);
    const typed = (event: Event) =>
      this.choose({
        ...rule,
        budget: { ...rule.budget, [key]: (event.target as HTMLInputElement).value },
      });
    return html`, <span class="slot"><i>${symbol}</i> = <input class="text" id="fit-rule-${key}" type="text" size="6" autocomplete="off"
      aria-label=${title} placeholder=${needed ? "?" : "0"} .value=${rule.budget[key] ?? ""} @input=${typed} /></span>`;
  }
}

const standing = (rule: Rule): TemplateResult =>
  html`<p class="hint">${ruleWords(rule.name).help} This stands since the first release: it cannot be chosen when answers are known.</p>`;
