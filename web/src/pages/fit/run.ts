/** Step 4: the run, which cannot be taken back; how far it is; a way out. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Answer, Plan } from "../../../../wasm/contract.ts";
import type { FitJobs, Progress } from "../../engine/fit-protocol.ts";
import { composed, type Entry, pools } from "../../fit/ledger.ts";
import { countWords, protectedWords } from "../../words/fit.ts";
import { sizeOf } from "../../words/fit-outputs.ts";
import { format } from "../../words/numbers.ts";
import { LightElement } from "../light-element.ts";
import type { FormView } from "./field.ts";

/** A run under way. */
export interface Running {
  readonly progress: Progress | undefined;
}

const SEED = "20";

export class FitRun extends LightElement {
  static override properties = {
    view: { attribute: false },
    plan: { attribute: false },
    sample: { type: Boolean },
    running: { attribute: false },
    fault: {},
    entries: { attribute: false },
    pool: {},
    together: { state: true },
  };

  declare view: FormView | undefined;
  declare plan: Plan | undefined;
  /** The table is made up: then a demonstration may be repeated. */
  declare sample: boolean;
  declare running: Running | undefined;
  declare fault: string | undefined;
  /** What was released before, and to which pool the table belongs. */
  declare entries: readonly Entry[] | undefined;
  declare pool: string | undefined;
  /** What several releases cost together. */
  compose: ((...asked: Parameters<FitJobs["compose"]>) => Promise<Answer>) | undefined;
  /** What it would cost together with those. */
  declare private together: number | undefined;

  protected override willUpdate(changed: PropertyValues): void {
    if (["plan", "entries", "pool"].some((key) => changed.has(key))) this.foretell();
  }

  /** Those about the same people. */
  private get earlier(): readonly Entry[] {
    return pools(this.entries ?? []).get(this.pool ?? "") ?? [];
  }

  private async foretell(): Promise<void> {
    this.together = undefined;
    const { plan, entries, earlier } = this;
    if (!plan || earlier.length === 0 || !plan.private) return;
    const { descriptions, group } = composed([...earlier.map(({ paid }) => paid), plan]);
    // Why there is no total is told by the ledger.
    const total = await this.compose?.(descriptions, plan.delta, group).catch(() => undefined);
    if (plan === this.plan && entries === this.entries) this.together = total?.upper;
  }

  private tell(name: "run" | "cancel"): void {
    this.dispatchEvent(new CustomEvent(name));
  }

  protected override render(): TemplateResult {
    return html`${this.plan ? costs(this.plan) : html`<p class="aside">The run begins when everything above is answered.</p>`}
      ${this.together === undefined ? nothing : html`<p>Together with ${countWords(this.earlier.length, "earlier release")} of this session it comes to ε ≤ ${format(this.together, 6, "up")}.</p>`}
      ${this.sample ? this.seed() : nothing}
      ${
        this.running
          ? progressBar(this.running.progress, () => this.tell("cancel"))
          : html`<p class="buttons"><button type="button" class="primary" id="fit-run" @click=${() => this.tell("run")}>${
              this.view?.form.seed ? "Run the demonstration" : "Run, and spend it"
            }</button></p>`
      }
      ${this.fault ? html`<p class="error" role="alert">${this.fault}</p>` : nothing}`;
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

function costs(plan: Plan): TemplateResult {
  const { epsilon, delta } = plan;
  const size = sizeOf(plan.result);
  if (!plan.private)
    return html`<p>Everybody can take this noise off again. It shows what a private release of ${size} looks like, and protects nobody.</p>`;
  const costs = plan.guarantee === "ex-post" ? "costs at most ε =" : "costs ε ≤";
  return html`<p>Releases ${size} and ${costs} ${format(epsilon.upper, 6, "up")} at δ = ${format(delta, 6, "up")},
    ${protectedWords(plan)}. What is released cannot be taken back.</p>`;
}

const PHASES = { reading: "Reading the table", fitting: "Fitting" } as const;

export function progressBar(progress: Progress | undefined, cancel: () => void): TemplateResult {
  const words = progress ? PHASES[progress.phase] : "Starting";
  const share = progress?.share;
  return html`<div class="progress">
    <span>${words}</span>
    <progress aria-label=${words} max="1" value=${share ?? nothing}></progress>
    <button type="button" @click=${cancel}>Cancel</button>
  </div>`;
}
