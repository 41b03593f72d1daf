/** Step 4: the run, which cannot be taken back; how far it is; a way out. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { EverydayPlan, Plan } from "../../../../wasm/contract.ts";
import type { Progress } from "../../engine/fit-protocol.ts";
import { isEveryday } from "../../fit/outputs.ts";
import { protectedWords } from "../../words/fit.ts";
import { sizeOf } from "../../words/fit-outputs.ts";
import type { Foretold } from "../../words/ledger.ts";
import { format } from "../../words/numbers.ts";
import { expected, requestWords } from "../../words/statistic-plan.ts";
import type { FormView } from "./field.ts";
import { ProgressElement } from "./progress-element.ts";
import { guessedRows } from "./statistics.ts";

/** A run under way. */
export interface Running {
  readonly progress: Progress | undefined;
}

const SEED = "20";

export class FitRun extends ProgressElement {
  static override properties = {
    view: { attribute: false },
    plan: { attribute: false },
    sample: { type: Boolean },
    running: { attribute: false },
    fault: {},
    isCancelled: {},
    spent: { attribute: false },
    foretold: { state: true },
  };

  declare view: FormView | undefined;
  declare plan: Plan | EverydayPlan | undefined;
  /** The table is made up: then a demonstration may be repeated. */
  declare sample: boolean;
  declare running: Running | undefined;
  declare fault: string | undefined;
  /** The last one was cancelled, and nothing was asked since. */
  declare isCancelled: boolean | undefined;
  /** Changes whenever the ledger does, to which the release would be added. */
  declare spent: unknown;
  /** What the ledger says of it; nothing where there is nothing to say. */
  foretell: ((plan: Plan | EverydayPlan) => Promise<Foretold | undefined>) | undefined;
  declare private foretold: Foretold | undefined;

  protected override willUpdate(changed: PropertyValues): void {
    if (["plan", "spent"].some((key) => changed.has(key))) this.ask();
  }

  private async ask(): Promise<void> {
    this.foretold = undefined;
    const { plan, spent } = this;
    if (!plan) return;
    const told = await this.foretell?.(plan);
    if (plan === this.plan && spent === this.spent) this.foretold = told;
  }

  private tell(name: "run" | "cancel"): void {
    this.dispatchEvent(new CustomEvent(name));
  }

  protected override render(): TemplateResult {
    return html`${this.plan ? this.costs(this.plan) : html`<p class="aside">The run begins when everything above is answered.</p>`}
      ${this.foretold ? html`<p class=${this.foretold.fits ? nothing : "error"}>${this.foretold.words}</p>` : nothing}
      ${this.sample ? this.seed() : nothing}
      ${
        this.running
          ? progressBar(this.running.progress, () => this.tell("cancel"))
          : html`<p class="buttons"><button type="button" class="primary" id="fit-run" @click=${() => this.tell("run")}>${
              this.view?.form.seed ? "Run the demonstration" : "Run, and spend it"
            }</button></p>`
      }
      ${this.isCancelled ? html`<p class="aside" role="status">Cancelled. Nothing was released, and the form is as it was.</p>` : nothing}
      ${this.fault ? html`<p class="error" role="alert">${this.fault}</p>` : nothing}`;
  }

  private costs(plan: Plan | EverydayPlan): TemplateResult {
    const form = this.view?.form;
    return html`${costs(plan)}${isEveryday(plan) ? expectedTable(plan, form && guessedRows(form)) : nothing}`;
  }

  private seed(): TemplateResult | typeof nothing {
    const { view } = this;
    if (!view) return nothing;
    const ticked = (event: Event) => {
      const seed = (event.target as HTMLInputElement).checked ? SEED : "";
      view.edit({ ...view.form, seed });
    };
    return html`<p><label class="pick"><input type="checkbox" id="fit-seed" autocomplete="off" .checked=${view.form.seed !== ""} @change=${ticked} />
      <span>Same noise every time: a demonstration, not private</span></label></p>`;
  }
}

/** What is released, in words; and whether what comes out decides what it costs. */
const released = (plan: Plan | EverydayPlan) =>
  isEveryday(plan)
    ? { size: requestWords(plan.request), isExPost: false }
    : { size: sizeOf(plan.result), isExPost: plan.guarantee === "ex-post" };

function costs(plan: Plan | EverydayPlan): TemplateResult {
  const { epsilon, delta } = plan;
  const { size, isExPost } = released(plan);
  if (!plan.private)
    return html`<p>Everybody can take this noise off again. It shows what a private release of ${size} looks like, and protects nobody.</p>`;
  const costs = isExPost ? "costs at most ε =" : "costs ε ≤";
  return html`<p>Releases <bdi>${size}</bdi> and ${costs} ${format(epsilon.upper, 6, "up")} at δ = ${format(delta, 6, "up")},
    ${protectedWords(plan)}. What is released cannot be taken back.</p>`;
}

/** Beyond, a table hides the button. */
const MOST_OPEN = 8;

/** How far off each number is expected to be, before anything is released. */
function expectedTable(plan: EverydayPlan, rows: number | undefined): TemplateResult {
  const lines = plan.entries.flatMap((planned) => expected(planned, rows));
  return html`<details class="more" ?open=${lines.length <= MOST_OPEN}><summary>How far off each number is expected to be</summary>
    <table class="coefficients"><tbody>${lines.map(({ what, off }) => html`<tr><th scope="row">${what}</th><td>${off}</td></tr>`)}</tbody></table>
    <p class="aside">± is the standard deviation of the noise: it is exceeded about one time in three, and twice as much about one time in twenty.</p></details>`;
}

const PHASES = { reading: "Reading the table", fitting: "Computing" } as const;

export function progressBar(progress: Progress | undefined, cancel: () => void): TemplateResult {
  const words = progress ? PHASES[progress.phase] : "Starting";
  const share = progress?.share;
  return html`<div class="progress">
    <span>${words}</span>
    <progress aria-label=${words} max="1" value=${share ?? nothing}></progress>
    <button type="button" @click=${cancel}>Cancel</button>
  </div>`;
}
