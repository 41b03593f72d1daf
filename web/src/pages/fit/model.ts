/** Step 3: what is predicted from what, within which bounds, by which algorithm, for which budget. */
import { html, nothing, type TemplateResult } from "lit";
import type { EverydayPlan, Plan } from "../../../../wasm/contract.ts";
import { isOfMany, isVoteTask, labelUse, TASKS, type Task } from "../../fit/choices.ts";
import { type Form, type LabelForm, withLabel, withTask } from "../../fit/form.ts";
import { withWanted } from "../../fit/statistics.ts";
import { TASK_WORDS } from "../../words/fit.ts";
import { LightElement } from "../light-element.ts";
import { algorithmPart, asksForMore } from "./algorithm.ts";
import { segments } from "./budget.ts";
import { choiceField, type FormView, fault, linesField, notFromTheFile, textField } from "./field.ts";

/** Beyond, a list to choose from is none. */
const MOST_NAMES = 2000;

const COLUMN_WORDS = {
  model: "From these columns",
  ballots: "And in these columns, further questions with the same classes",
  counts: "From these columns, each the votes for one class",
} as const;

const WANTED = [
  ["model", "A model"],
  ["statistics", "Statistics: means, histograms, quantiles"],
] as const;

/** What must not be read off the file. */
const SOURCE_WORDS = {
  classes: "The two classes",
  multiclass: "The classes",
  numeric: "These two ends",
  count: "These two ends",
  choice: "The classes",
  question: "The questions",
} as const;

export class FitModel extends LightElement {
  static override properties = {
    view: { attribute: false },
    plan: { attribute: false },
    advanced: { state: true },
  };
  declare view: FormView | undefined;
  /** What would be released, where that is known. */
  declare plan: Plan | EverydayPlan | undefined;
  declare private advanced: boolean;

  constructor() {
    super();
    this.advanced = false;
  }

  protected override willUpdate(): void {
    if (this.view && asksForMore(this.view)) this.advanced = true;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { view } = this;
    if (!view) return nothing;
    const { form } = view;
    const wanted = segments("wanted", "What is released", WANTED, form.wanted, (value) =>
      view.edit(withWanted(form, value as Form["wanted"])),
    );
    // The choice is the same element before and after it, so that it keeps the focus.
    return html`${wanted}${form.wanted === "statistics" ? this.statistics(view) : this.model(view)}`;
  }

  private statistics(view: FormView): TemplateResult {
    return html`<h3>Of these columns</h3>
      <fit-columns .view=${view}></fit-columns>${this.missing(view)}
      <fit-statistics .view=${view} .plan=${this.plan}></fit-statistics>`;
  }

  private model(view: FormView): TemplateResult {
    const { task } = view.form;
    return html`${this.target(view)}
      <h3>${COLUMN_WORDS[isVoteTask(task) ? task : "model"]}</h3>
      <fit-columns .view=${view}></fit-columns>
      ${this.missing(view)}
      ${isVoteTask(task) ? nothing : this.norm(view)}
      ${algorithmPart(view, {
        open: this.advanced,
        toggled: (open) => {
          this.advanced = open;
        },
      })}`;
  }

  private norm(view: FormView): TemplateResult {
    const { form } = view;
    return html`<details class="more"><summary>Row norm ${form.rowNorm}, intercept ${form.intercept}</summary>
        <p>Each range becomes −1 to 1 and each level 0 or 1, divided by √m for m columns, so that no row is longer than 1. Rows longer than
          ${textField(view, { field: "table.rowNorm", value: form.rowNorm, label: "Row norm", edited: (rowNorm) => ({ ...form, rowNorm }) })}
          are shortened to it. A constant feature of
          ${textField(view, { field: "table.intercept", value: form.intercept, label: "Intercept", edited: (intercept) => ({ ...form, intercept }) })}
          makes the intercept; 0 is for none.</p>
      </details>`;
  }

  private target(view: FormView): TemplateResult {
    const { form } = view;
    const names = form.columns.filter(({ fault }) => fault === "").slice(0, MOST_NAMES);
    const label = choiceField(view, {
      field: "table.label.name",
      value: form.label.name,
      options: names.map(({ name }) => [name, name] as const),
      empty: "which column?",
      bare: true,
      edited: (name) => withLabel(form, name),
    });
    const task = choiceField(view, {
      field: "task",
      value: form.task,
      label: "Kind of model",
      options: TASKS.map((one) => [one, TASK_WORDS[one]] as const),
      bare: true,
      edited: (value) => withTask(form, value as Task),
    });
    if (form.task === "none") return html`<p class="sentence">Predict ${task}.</p>`;
    const faults = ["name", "range.0", "range.1", "levels.0", "levels.1", "levels"];
    return html`<p class="sentence">${isVoteTask(form.task) ? "Publish, of" : "Predict"} ${label}, ${task}, ${this.bounds(view)}.</p>
      ${faults.map((part) => fault(view, `table.label.${part}`))}
      ${notFromTheFile(SOURCE_WORDS[labelUse(form.task)])}`;
  }

  /** The classes, or the questions, one a line. */
  private listed(view: FormView, task: "ballots" | "counts" | "softmax"): TemplateResult {
    const { form } = view;
    const lines = linesField(view, {
      field: "table.label.levels",
      value: form.label.levels,
      label: SOURCE_WORDS[labelUse(task)],
      most: 6,
      edited: (levels) => ({ ...form, label: { ...form.label, levels } }),
    });
    return html`${task === "counts" ? "which names the question, one of" : "which is one of"}
      ${lines}`;
  }

  private bounds(view: FormView): TemplateResult {
    const { form } = view;
    const field = (key: keyof LabelForm, path: string, placeholder: string) =>
      textField(view, {
        field: path,
        value: form.label[key],
        placeholder,
        bare: true,
        edited: (text): Form => ({ ...form, label: { ...form.label, [key]: text } }),
      });
    if (isOfMany(form.task)) return this.listed(view, form.task);
    return labelUse(form.task) === "classes"
      ? html`which is ${field("first", "table.label.levels.0", "no")} or ${field("second", "table.label.levels.1", "yes")}`
      : html`which lies from ${field("low", "table.label.range.0", "least")} to ${field("high", "table.label.range.1", "most")}`;
  }

  private missing(view: FormView): TemplateResult {
    const { form } = view;
    const rule = choiceField(view, {
      field: "missing",
      value: form.missing,
      options: [
        ["drop", "is left out"],
        ["constant", "gets constants"],
      ],
      empty: "needs a decision",
      bare: true,
      edited: (missing) => ({ ...form, missing: missing as Form["missing"] }),
    });
    const isVote = form.wanted === "model" && isVoteTask(form.task);
    const isStatistics = form.wanted === "statistics";
    return html`<p class="rule">${
      isVote
        ? "What lacks a value (blank, “?”, “NA”, or no number where one belongs) is no vote, unless it gets a constant: it"
        : isStatistics
          ? "What lacks a value (blank, “?”, “NA”, or no number where one belongs)"
          : "A row that lacks a value (blank, “?”, “NA”, or no number where one belongs)"
    } ${rule}.
      ${isStatistics && form.missing === "drop" ? "A histogram has a cell of its own for such rows; other statistics do without them." : nothing}
      ${form.missing === "constant" ? html`Those that you type beside the columns; where there is none, ${isStatistics ? "it" : "the row"} is left out.` : nothing}
      Values beyond a range count as its end. How many is not told: it would have to be paid for.${fault(view, "missing")}</p>`;
  }
}
