/** The algorithm, what it is asked, and the budget: built from the engine's own schema. */
import { html, nothing, type TemplateResult } from "lit";
import { idleIn } from "../../../../wasm/release/algorithms.ts";
import {
  type AlgorithmChoice,
  choicesFor,
  type Parameter,
  parametersFor,
  tunable,
} from "../../fit/choices.ts";
import { type Form, withParameter } from "../../fit/form.ts";
import { algorithmIn, idleFields, keepsBudget, tunedIn } from "../../fit/read.ts";
import { choiceWords } from "../../words/choices.ts";
import { algorithmWords, fieldTitle, parameterHelp, parameterWords } from "../../words/fit.ts";
import { budget, type NoiseField, segments } from "./budget.ts";
import { choiceField, type FormView, fault, fieldId, textField } from "./field.ts";

const ACCOUNTING: Readonly<Record<string, string>> = {
  tight: "Our tight accounting",
  paper: "As in its paper",
};

/** The fold of what may be left out. */
export interface Fold {
  readonly open: boolean;
  toggled(open: boolean): void;
}

/** Whether the engine asks for something that is folded away. */
export const asksForMore = ({ form, refusals }: FormView): boolean =>
  parametersIn(form).some(({ key, required }) => !required && refusals.has(`algorithm.${key}`)) ||
  ["tune.candidates", "tune.expectedRuns"].some((field) => refusals.has(field));

/** But for the one of which several values are tried, and those that decide nothing. */
function parametersIn(form: Form): readonly Parameter[] {
  const choice = algorithmIn(form);
  const tuned = tunedIn(form)?.key;
  const idle = idleFields(form);
  const isAsked = ({ key }: Parameter) => key !== tuned && !idle.has(key);
  return choice ? parametersFor(choice, form.task).filter(isAsked) : [];
}

export function algorithmPart(view: FormView, fold: Fold): TemplateResult {
  const { form } = view;
  const choice = algorithmIn(form);
  const { help } = algorithmWords(form.algorithm);
  const name = choiceField(view, {
    field: "algorithm.name",
    value: form.algorithm,
    options: choicesFor(form.task).map((one) => [one.name, algorithmWords(one.name).title] as const),
    edited: (algorithm) => ({ ...form, algorithm }),
  });
  const needed = parametersIn(form).filter(({ required }) => required);
  const others = parametersIn(form).filter(({ required }) => !required);
  const toggled = (event: Event) => fold.toggled((event.target as HTMLDetailsElement).open);
  return html`<h3>By this algorithm</h3>
    <p class="rule">${name}</p>
    ${help ? html`<p class="hint">${help}</p>` : nothing}
    ${parameterList(view, needed)}
    ${
      others.length === 0
        ? nothing
        : html`<details class="more" .open=${fold.open} @toggle=${toggled}><summary>Advanced</summary>
      ${parameterList(view, others)}${tuning(view)}</details>`
    }
    ${choice?.accuracyFirst && choice.noise ? accuracy(view, choice.noise) : budgetPart(view, choice)}`;
}

const parameterList = (view: FormView, parameters: readonly Parameter[]) =>
  parameters.length === 0
    ? nothing
    : html`<dl class="parameters">${parameters.map((parameter) => parameterRow(view, parameter))}</dl>`;

function parameterRow(view: FormView, parameter: Parameter): TemplateResult {
  const { key, required } = parameter;
  const accuracyFirst = algorithmIn(view.form)?.accuracyFirst;
  const { title, symbol } = parameterWords(key, accuracyFirst);
  const help = parameterHelp(key, required, accuracyFirst);
  return html`<div><dt><label for=${fieldId(`algorithm.${key}`)}>${title}</label></dt>
    <dd>${symbol ? html`<i>${symbol}</i> = ` : nothing}${parameterField(view, parameter)}
    ${required ? nothing : html`<span class="aside">may be left out</span>`}
    ${help ? html`<small>${help}</small>` : nothing}</dd></div>`;
}

/** Several values of one parameter, where a budget is kept. */
function tuning(view: FormView): TemplateResult | typeof nothing {
  const { form } = view;
  const choice = algorithmIn(form);
  const parameters = choice && keepsBudget(form) ? tunable(choice, form.task) : [];
  if (parameters.length === 0) return nothing;
  const tuned = tunedIn(form);
  const edited = (patch: Partial<Form["tune"]>): Form => ({ ...form, tune: { ...form.tune, ...patch } });
  const parameter = choiceField(view, {
    field: "tune.parameter",
    value: tuned?.key ?? "",
    options: parameters.map(({ key }) => [key, parameterWords(key).title] as const),
    empty: "none",
    edited: (key) => edited({ parameter: key }),
  });
  const values = textField(view, {
    field: "tune.candidates",
    value: form.tune.values,
    placeholder: "1; 10; 100",
    edited: (text) => edited({ values: text }),
  });
  const runs = textField(view, {
    field: "tune.expectedRuns",
    value: form.tune.runs,
    edited: (text) => edited({ runs: text }),
  });
  return html`<dl class="parameters"><div><dt><label for=${fieldId("tune.parameter")}>${fieldTitle("tune.parameter", form)}</label></dt>
      <dd>${parameter}<small>Several values are run on the table, each with noise of its own, and the best by a noisy score is released. All runs are
        paid for: each has more noise than a single one would.</small></dd></div>
    ${
      tuned
        ? html`<div><dt><label for=${fieldId("tune.candidates")}>${fieldTitle("tune.candidates", form)}</label></dt>
      <dd>${values}<small>Separated by semicolons or spaces.</small></dd></div>
    <div><dt><label for=${fieldId("tune.expectedRuns")}>${fieldTitle("tune.expectedRuns", form)}</label></dt>
      <dd>${runs}<span class="aside">may be left out</span><small>Their number is random. Left out, three for each value.</small></dd></div>`
        : nothing
    }</dl>`;
}

function parameterField(view: FormView, { key, type, options, required }: Parameter): TemplateResult {
  const { form } = view;
  const common = {
    field: `algorithm.${key}`,
    value: form.parameters[key] ?? "",
    edited: (value: string): Form => withParameter(form, key, value),
  };
  if (type !== "choice") return textField(view, common);
  const words = options.map((option) => [option, choiceWords(key, option)] as const);
  return choiceField(view, { ...common, options: words, empty: required ? "choose" : "as it comes" });
}

const accounting = (view: FormView, options: readonly string[]) =>
  segments(
    "accounting",
    "Accounting",
    options.map((one) => [one, ACCOUNTING[one] ?? one] as const),
    view.form.accounting,
    (value) => view.edit({ ...view.form, accounting: value }),
  );

/** Where the paper's accounting would decide nothing. */
const isOurs = (form: Form, { name }: AlgorithmChoice) =>
  idleIn(name, { accounting: "paper" }, !keepsBudget(form)).has("accounting");

const budgetPart = (view: FormView, choice: AlgorithmChoice | undefined) =>
  html`${choice && choice.accounting.length > 1 && !isOurs(view.form, choice) ? accounting(view, choice.accounting) : nothing}
    ${budget(view, choice?.noise && noiseField(view.form, choice.noise))}`;

function noiseField(form: Form, { key }: Parameter): NoiseField {
  const { symbol, title } = parameterWords(key);
  return {
    field: `algorithm.${key}`,
    symbol: symbol ?? title,
    value: form.parameters[key] ?? "",
    edited: (value) => withParameter(form, key, value),
  };
}

/** What takes the place of a budget. */
function accuracy(view: FormView, { key }: Parameter): TemplateResult {
  const { form } = view;
  const field = `algorithm.${key}`;
  const { symbol, help } = parameterWords(key);
  const typed = textField(view, {
    field,
    value: form.parameters[key] ?? "",
    placeholder: "?",
    bare: true,
    edited: (value) => withParameter(form, key, value),
  });
  return html`<h3>For this accuracy</h3>
    <p class="sentence">Lose at most <span class="slot"><i>${symbol}</i> = ${typed}</span> more than the best model, for the least ε that this takes.</p>
    ${help ? html`<p class="hint">${help}</p>` : nothing}${fault(view, field)}`;
}
