/** The budget: an ε to keep, or a noise that is priced. */
import { html, nothing, type TemplateResult } from "lit";
import type { Form } from "../../fit/form.ts";
import { type FormView, fault, textField } from "./field.ts";

/** One of a few, as segments. */
export function segments(
  name: string,
  legend: string,
  options: readonly (readonly [value: string, words: string])[],
  chosen: string,
  choose: (value: string) => void,
): TemplateResult {
  const option = ([value, words]: readonly [
    string,
    string,
  ]) => html`<label><input type="radio" name=${name} value=${value}
    autocomplete="off" .checked=${value === chosen} @change=${() => choose(value)} /><span>${words}</span></label>`;
  return html`<fieldset class="segments"><legend>${legend}</legend>${options.map(option)}</fieldset>`;
}

/** Where a noise is typed in place of ε. */
export interface NoiseField {
  readonly field: string;
  readonly symbol: string;
  readonly value: string;
  edited(value: string): Form;
}

export function budget(view: FormView, noise: NoiseField | undefined): TemplateResult {
  const { form } = view;
  const level = (key: "epsilon" | "delta") =>
    textField(view, {
      field: `budget.${key}`,
      value: form[key],
      placeholder: "?",
      bare: true,
      edited: (text) => ({ ...form, [key]: text }),
    });
  const delta = html`<span class="slot"><i>δ</i> = ${level("delta")}</span>`;
  const kept = html`<p class="sentence">Keep <span class="slot"><i>ε</i> = ${level("epsilon")}</span> at ${delta}.</p>`;
  const faults = html`${fault(view, "budget.epsilon")}${fault(view, "budget.delta")}`;
  if (!noise) return html`<h3>For this budget</h3>${kept}${faults}`;
  const { field, symbol } = noise;
  const typed = textField(view, { ...noise, placeholder: "?", bare: true });
  const modes = [
    ["budget", "Keep a budget"],
    ["noise", "Type the noise"],
  ] as const;
  const choose = (value: string) => view.edit({ ...form, keeps: value === "budget" });
  return html`<h3>For this budget</h3>
    ${segments("mode", "Budget or noise", modes, form.keeps ? "budget" : "noise", choose)}
    ${
      form.keeps
        ? kept
        : html`<p class="sentence">Add noise with <span class="slot"><i>${symbol}</i> = ${typed}</span>, priced at ${delta}.</p>`
    }
    ${faults}${form.keeps ? nothing : fault(view, field)}`;
}
