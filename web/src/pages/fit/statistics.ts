/** Step 3 where statistics are released: which numbers of which columns, how far off each is expected to be, the budget. */
import { html, nothing, type TemplateResult } from "lit";
import type { EverydayPlan, Plan } from "../../../../wasm/contract.ts";
import { type Form, withParameter } from "../../fit/form.ts";
import { isEveryday } from "../../fit/outputs.ts";
import {
  binsOf,
  isNumber,
  oneFrom,
  oneOf,
  STATISTICS,
  type StatisticForm,
  type StatisticKind,
  someFrom,
  someOf,
  statisticsOf,
  subjectOf,
  type Use,
  withLess,
  withMore,
  withStatistic,
} from "../../fit/statistics.ts";
import { choiceWords } from "../../words/choices.ts";
import { expected } from "../../words/statistic-plan.ts";
import { STATISTIC_WORDS } from "../../words/statistics.ts";
import { LightElement } from "../light-element.ts";
import { budget } from "./budget.ts";
import { choiceField, type FormView, fault, fieldId, textField } from "./field.ts";

/** More lines would hide the form; the run tells them all. */
const MOST_EXPECTED = 4;

const NONE_OF: Readonly<Record<Use, string>> = {
  categorical: "no category is used",
  numeric: "no number is used",
  any: "no column is used",
  unused: "every column is used",
};

type Patch = Partial<StatisticForm>;

export class FitStatistics extends LightElement {
  static override properties = {
    view: { attribute: false },
    plan: { attribute: false },
    more: { state: true },
  };
  declare view: FormView | undefined;
  declare plan: Plan | EverydayPlan | undefined;
  /** What would be added. */
  declare private more: StatisticKind;

  constructor() {
    super();
    this.more = "quantiles";
  }

  protected override render(): TemplateResult | typeof nothing {
    const { view } = this;
    if (!view) return nothing;
    const { form } = view;
    const all = statisticsOf(form);
    return html`<h3>These numbers</h3>
      <ol class="statistics" id=${fieldId("releases")} tabindex="-1">${all.map((one, i) => this.entry(view, one, i))}</ol>
      ${fault(view, "releases")}${this.adding(view)}
      <p class="rule">If the table has about
        ${textField(view, { field: "algorithm.rows", value: form.parameters.rows ?? "", placeholder: "1000", edited: (text) => withParameter(form, "rows", text) })}
        rows, as a public guess that may be left out, it is said above how far off a mean would be.</p>
      ${budget(view, { field: "noise", symbol: "noise", value: form.noise, edited: (noise) => ({ ...form, noise }) })}
      ${form.keeps ? nothing : html`<p class="hint">1 is the noise of the Gaussian mechanism at μ = 1; 2 is twice as much.</p>`}
      ${this.advanced(view, all)}`;
  }

  private adding(view: FormView): TemplateResult {
    const chosen = (event: Event) => {
      this.more = (event.target as HTMLSelectElement).value as StatisticKind;
    };
    const add = async () => {
      const index = statisticsOf(view.form).length;
      view.edit(withMore(view.form, this.more));
      await this.updateComplete;
      document.getElementById(fieldId(`releases.${index}`))?.focus();
    };
    return html`<p class="buttons"><select class="choice" id="fit-more" aria-label="What to add" autocomplete="off" @change=${chosen}>${STATISTICS.map(
      (of) => html`<option value=${of} .selected=${of === this.more}>${STATISTIC_WORDS[of].title}</option>`,
    )}</select><button type="button" id="fit-add" @click=${add}>Add</button></p>`;
  }

  private entry(view: FormView, one: StatisticForm, index: number): TemplateResult {
    const field = `releases.${index}`;
    const { title, help } = STATISTIC_WORDS[one.of];
    const remove = async () => {
      view.edit(withLess(view.form, index));
      await this.updateComplete;
      this.querySelector<HTMLElement>("#fit-more")?.focus();
    };
    return html`<li id=${fieldId(field)} tabindex="-1" aria-label=${title}>
      <div class="about"><strong>${title}</strong> ${this.subject(view, one, index)}
        <button type="button" class="link" aria-label="Remove ${title}" @click=${remove}>remove</button></div>
      ${fault(view, field)}<small>${help}</small>${this.expectation(view, index)}</li>`;
  }

  /** Told by the plan in force alone. */
  private expectation({ form }: FormView, index: number): TemplateResult | typeof nothing {
    const { plan } = this;
    const planned = plan && isEveryday(plan) ? plan.entries[index] : undefined;
    if (!planned) return nothing;
    const lines = expected(planned, guessedRows(form));
    const more = lines.length - MOST_EXPECTED;
    return html`<ul class="expected-error">${lines
      .slice(0, MOST_EXPECTED)
      .map(({ what, off }) => html`<li>${what}: <strong>${off}</strong></li>`)}
      ${more > 0 ? html`<li>and ${more} more</li>` : nothing}</ul>`;
  }

  private subject(view: FormView, one: StatisticForm, index: number): TemplateResult {
    const { form } = view;
    const field = `releases.${index}`;
    const edited = (patch: Patch): Form => withStatistic(form, index, patch);
    const { one: use, divides } = subjectOf(one.of);
    const column = oneOf(form, one);
    const key = subjectOf(one.of).by ? "by" : "column";
    const single = use
      ? html`of ${choiceField(view, {
          field: `${field}.${key}`,
          value: column,
          options: oneFrom(form, one).map((name) => [name, name] as const),
          ...(column === "" && {
            empty: NONE_OF[use],
          }),
          edited: (name) => edited({ column: name }),
        })}`
      : nothing;
    const bins =
      divides && use && column !== "" ? this.bins(view, one, index, column, `${field}.bins`) : nothing;
    return html`${single} ${bins} ${this.several(view, one, index)} ${one.of === "quantiles" ? this.probabilities(view, one, index) : nothing}`;
  }

  /** Of a number how it is divided; levels are what they are. */
  private bins(view: FormView, one: StatisticForm, index: number, column: string, field: string) {
    const { form } = view;
    if (!isNumber(form, column)) return nothing;
    const typed = textField(view, {
      field,
      value: binsOf(one, column),
      label: `Bins of ${column}: how many, or their edges`,
      edited: (text) => withStatistic(form, index, { bins: { ...one.bins, [column]: text } }),
    });
    return html`<span class="slot">in ${typed} bins</span>`;
  }

  private several(view: FormView, one: StatisticForm, index: number): TemplateResult | typeof nothing {
    const { some, divides } = subjectOf(one.of);
    if (!some) return nothing;
    const { form } = view;
    const field = `releases.${index}.columns`;
    const [names, chosen] = [someFrom(form, one), someOf(form, one)];
    const toggled = (name: string, isOn: boolean) => {
      const others = chosen.filter((other) => other !== name);
      view.edit(withStatistic(form, index, { columns: isOn ? [...others, name] : others }));
    };
    const pick = (
      name: string,
    ) => html`<label class="pick"><input type="checkbox" autocomplete="off" .checked=${chosen.includes(name)}
      @change=${(event: Event) => toggled(name, (event.target as HTMLInputElement).checked)} /><span>${name}</span></label>`;
    const place = (name: string) => `${field}.${chosen.indexOf(name)}.bins`;
    return html`<span class="picks" role="group" id=${fieldId(field)} tabindex="-1" aria-label="Columns">${names.map(
      (name) =>
        html`<span>${pick(name)} ${divides && chosen.includes(name) ? this.bins(view, one, index, name, place(name)) : nothing}</span>`,
    )}${names.length === 0 ? html`<span class="aside">${NONE_OF[some]}</span>` : nothing}</span>${fault(view, field)}`;
  }

  private probabilities(view: FormView, one: StatisticForm, index: number): TemplateResult {
    const typed = textField(view, {
      field: `releases.${index}.probabilities`,
      value: one.probabilities,
      edited: (probabilities) => withStatistic(view.form, index, { probabilities }),
    });
    return html`<span class="slot">at ${typed}</span>`;
  }

  private advanced(view: FormView, all: readonly StatisticForm[]): TemplateResult {
    const { form } = view;
    const row = (name: string, typed: TemplateResult, help?: string) =>
      html`<div><dt>${name}</dt><dd>${typed}${help ? html`<small>${help}</small>` : nothing}</dd></div>`;
    const text = (index: number, key: "weight" | "candidates", placeholder: string, label: string) =>
      textField(view, {
        field: `releases.${index}.${key}`,
        value: all[index]?.[key] ?? "",
        placeholder,
        label,
        edited: (value) => withStatistic(form, index, { [key]: value }),
      });
    const neighbours = choiceField(view, {
      field: "neighbours",
      value: form.neighbours,
      options: (["add-remove", "replace"] as const).map(
        (one) => [one, choiceWords("neighbours", one)] as const,
      ),
      edited: (value) => ({ ...form, neighbours: value as Form["neighbours"] }),
    });
    return html`<details class="more"><summary>Advanced</summary><dl class="parameters">
      ${row("neighbouring tables", neighbours, "Where a row is replaced, the number of rows is public; groups need rows that are added or removed.")}
      ${all.map((one, i) => row(`weight of “${STATISTIC_WORDS[one.of].title}”`, text(i, "weight", "1", `Weight of ${STATISTIC_WORDS[one.of].title}`), i === 0 ? "How much its squared error counts where the budget is split." : undefined))}
      ${all.map((one, i) => (one.of === "quantiles" ? row("candidates of the quantiles", text(i, "candidates", "10001", "Number of candidates"), "A quantile is one of so many points, equally far apart over the declared range.") : nothing))}
    </dl></details>`;
  }
}

/** What was typed of the rows to come, where it is a number. */
export function guessedRows({ parameters }: Form): number | undefined {
  const rows = Number((parameters.rows ?? "").replaceAll(/[_\s]/g, ""));
  return rows > 0 && Number.isFinite(rows) ? rows : undefined;
}
