/** How good is it? What telling that would cost, the run, which cannot be taken back, and what came of it. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Evaluation, EvaluationPlan, Release } from "../../../../wasm/contract.ts";
import { Refusal } from "../../../../wasm/engine/refusal.ts";
import type { EvaluationRequest } from "../../../../wasm/model/evaluation-request.ts";
import { say } from "../../elements/status.ts";
import type { Told } from "../../engine/fit-protocol.ts";
import { type Priced, Pricing } from "../../engine/pricing.ts";
import { type EvaluationForm, evaluationIn } from "../../fit/evaluation.ts";
import type { Entry } from "../../fit/ledger.ts";
import { type Given, givenFile } from "../../fit/loaded.ts";
import { predicts } from "../../fit/outputs.ts";
import { evaluationPrice, evaluationRefusal } from "../../words/evaluation.ts";
import { EVERY_DIGIT, format } from "../../words/numbers.ts";
import { LightElement } from "../light-element.ts";
import { type Asking, asking, askingView, UNWANTED } from "./asking.ts";

const EMPTY: EvaluationForm = { epsilon: "", delta: "", detail: "" };

interface Measured {
  readonly evaluation: Evaluation;
  readonly given: Given;
}

export class FitEvaluation extends LightElement {
  static override properties = {
    entry: { attribute: false },
    given: { attribute: false },
    form: { state: true },
    chosen: { state: true },
    priced: { state: true },
    measured: { state: true },
  };
  declare entry: Entry<Release> | undefined;
  /** The table that the model was fitted to. */
  declare given: Given | undefined;
  declare private form: EvaluationForm;
  /** Other rows than those, where some were chosen. */
  declare private chosen: Given | undefined;
  declare private priced: Priced<EvaluationPlan> | undefined;
  declare private measured: Asking<Measured>;
  price: ((release: Release, asked: EvaluationRequest) => Promise<EvaluationPlan>) | undefined;
  /** Runs what was priced, and counts it. */
  evaluate:
    | ((given: Given, release: Release, plan: EvaluationPlan, told: Told) => Promise<Evaluation>)
    | undefined;
  cancel: (() => void) | undefined;
  private readonly pricing = new Pricing(
    ({ release, asked }: { release: Release; asked: EvaluationRequest }) =>
      this.price?.(release, asked) ?? Promise.reject(new Error("the engine is not there")),
    (answer) => {
      this.priced = answer;
    },
  );

  constructor() {
    super();
    this.form = EMPTY;
    this.measured = UNWANTED;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("entry")) return;
    this.chosen = undefined;
    this.measured = UNWANTED;
    this.edit({ ...EMPTY, delta: this.entry ? format(this.entry.release.delta, EVERY_DIGIT) : "" });
  }

  private edit(form: EvaluationForm): void {
    const release = this.entry?.release;
    this.form = form;
    this.priced = undefined;
    this.pricing.want(undefined);
    if (!release || !predicts(release)) return;
    try {
      const asked = evaluationIn(release, form);
      if (asked) this.pricing.want({ release, asked });
    } catch (error) {
      this.priced = { error };
    }
  }

  private async run(): Promise<void> {
    const { entry, priced } = this;
    const given = this.chosen ?? this.given;
    if (!entry || !given) return;
    if (!priced || !("plan" in priced)) {
      this.querySelector<HTMLInputElement>("#evaluation-epsilon")?.focus();
      return;
    }
    const { plan } = priced;
    const run = async (told: Told) => {
      const evaluation = await this.evaluate?.(given, entry.release, plan, told);
      if (!evaluation) throw new Error("the engine is not there");
      return { evaluation, given };
    };
    await asking(run, (measured) => {
      if (entry === this.entry) this.measured = measured;
    });
    if (entry === this.entry && this.measured.state === "found") await this.show();
  }

  private async show(): Promise<void> {
    await this.updateComplete;
    this.querySelector<HTMLElement>("h4")?.focus();
    say("How good the model is stands below.");
  }

  protected override render(): TemplateResult | typeof nothing {
    const { entry, measured } = this;
    if (!entry || !predicts(entry.release)) return nothing;
    return html`<h3>How good is it?</h3>
      <p>That depends on every row it is measured on, so it is paid for: the rows are counted by what the model says of them and what they are,
        and the counts are released with noise. All else follows from them.</p>
      ${this.rows()}${this.budget(entry.release)}${this.told(entry.release)}
      ${
        measured.state === "asked"
          ? nothing
          : html`<p class="buttons"><button type="button" class="primary" id="fit-evaluate" @click=${this.run}>${
              entry.release.private ? "Measure, and spend it" : "Measure, as a demonstration"
            }</button></p>`
      }
      ${askingView(measured, "It cannot be told", this.cancel)}
      ${measured.state === "found" ? this.result(entry.release, measured.found) : nothing}`;
  }

  private rows(): TemplateResult {
    const { chosen, given } = this;
    const pick = (event: Event) => {
      const input = event.target as HTMLInputElement;
      const [file] = input.files ?? [];
      if (file) this.chosen = givenFile(file);
      input.value = "";
    };
    const back = () => {
      this.chosen = undefined;
    };
    return html`<p class="buttons"><span>On the rows of <strong><bdi>${(chosen ?? given)?.title}</bdi></strong>${chosen ? "" : ", to which it was fitted"}</span>
      <label class="picker"><input type="file" id="evaluation-file" accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain" @change=${pick} />
        <span class="button">Choose other rows</span></label>
      ${chosen ? html`<button type="button" class="link" @click=${back}>Back to those it was fitted to</button>` : nothing}</p>`;
  }

  private field(key: keyof EvaluationForm, label: string, hint = ""): TemplateResult {
    const typed = (event: Event) =>
      this.edit({ ...this.form, [key]: (event.target as HTMLInputElement).value });
    return html`<input class="text" type="text" id="evaluation-${key}" size="6" autocomplete="off" autocapitalize="off" spellcheck="false"
      aria-label=${label} placeholder=${hint} .value=${this.form[key]} @input=${typed} />`;
  }

  private budget(release: Release): TemplateResult {
    return html`<p class="rule">Within a budget of <span class="slot"><i>ε</i> = ${this.field("epsilon", "ε of the evaluation")}</span> at
        <span class="slot"><i>δ</i> = ${this.field("delta", "δ of the evaluation")}</span></p>
      ${this.detail(release)}`;
  }

  private detail({ request }: Release): TemplateResult {
    const { label } = request.table;
    const [summary, detail] =
      label?.use === "classes"
        ? [
            "How finely scores are told apart",
            html`Scores are counted in ${this.field("detail", "number of bins", "20")} bins, equally wide: more show more, with more noise.`,
          ]
        : label?.use === "multiclass"
          ? [
              "How often its probabilities come true",
              html`Count besides, in ${this.field("detail", "number of bins", "none")} bins of how likely the likeliest class is said to be, how often it is right.
                All numbers together get √2 times the noise then; left out, this is not told.`,
            ]
          : [
              "How large errors are counted",
              html`Errors count as at most ${this.field("detail", "bound of errors", "half")} in units of ${label?.name}; left out, half
                its range. A smaller bound has less noise, and hides larger errors.`,
            ];
    return html`<details class="more"><summary>${summary}</summary><p>${detail}</p></details>`;
  }

  private told(release: Release): TemplateResult {
    const { priced } = this;
    if (!priced)
      return html`<p class="aside" role="status">Here stands the price, before anything is released.</p>`;
    if ("plan" in priced) return html`<p role="status">${evaluationPrice(release, priced.plan)}</p>`;
    const { error } = priced;
    const words =
      error instanceof Refusal ? evaluationRefusal(error) : `No price: ${(error as Error).message}.`;
    return html`<p class="error" role="alert">${words}</p>`;
  }

  private result(release: Release, { evaluation, given }: Measured): TemplateResult {
    return html`<h4 tabindex="-1">What the model gets right on <bdi>${given.title}</bdi></h4>
      <fit-measures .evaluation=${evaluation} .release=${release} .isFitted=${given === this.given}></fit-measures>`;
  }
}
