/** The fields of the fit page: texts and choices, each with what is wrong with it beside it. */
import { html, nothing, type TemplateResult } from "lit";
import type { Refusal } from "../../../../wasm/engine/refusal.ts";
import type { Form } from "../../fit/form.ts";
import { levelsIn } from "../../fit/read.ts";
import { fieldTitle } from "../../words/fit.ts";
import { refusalSentence } from "../../words/sentences.ts";

/** What the parts of the page know of the form. */
export interface FormView {
  readonly form: Form;
  readonly refusals: ReadonlyMap<string, Refusal>;
  edit(form: Form): void;
}

export const fieldId = (field: string) => `fit-${field.replaceAll(".", "-")}`;

export function fault({ form, refusals }: FormView, field: string): TemplateResult {
  const refusal = refusals.get(field);
  const words = refusal ? refusalSentence(refusal, fieldTitle(field, form)) : nothing;
  return html`<span class="error" id="${fieldId(field)}-error" role="alert">${words}</span>`;
}

/** Stands beside whatever bounds are typed. */
export const notFromTheFile = (what: string): TemplateResult =>
  html`<p class="hint source">${what} come from what is known about such data, never from this file: one that is read off it tells of the
    person at its end, and the guarantee does not cover that.</p>`;

interface TextField {
  readonly field: string;
  readonly value: string;
  readonly label?: string;
  readonly placeholder?: string;
  readonly list?: string;
  /** The fault is shown elsewhere. */
  readonly bare?: boolean;
  edited(value: string): Form;
}

export function textField(view: FormView, one: TextField): TemplateResult {
  const { field, value, label = fieldTitle(field, view.form), placeholder, bare, list } = one;
  const id = fieldId(field);
  const wrong = view.refusals.has(field);
  const size = Math.min(24, Math.max(value.length, placeholder?.length ?? 0, 2));
  const typed = (event: Event) => view.edit(one.edited((event.target as HTMLInputElement).value));
  return html`<input id=${id} class="text" type="text" .value=${value} size=${size} aria-label=${label}
    placeholder=${placeholder ?? nothing} list=${list ?? nothing} autocomplete="off" autocapitalize="off" spellcheck="false"
    aria-invalid=${wrong ? "true" : nothing} aria-describedby=${wrong ? `${id}-error` : nothing}
    @input=${typed} />${bare ? nothing : fault(view, field)}`;
}

interface LinesField extends Pick<TextField, "field" | "value" | "label" | "edited"> {
  /** Longer lists scroll. */
  readonly most: number;
}

/** A list, one entry a line. Its fault is shown elsewhere. */
export function linesField(view: FormView, one: LinesField): TemplateResult {
  const { field, value, label = fieldTitle(field, view.form), most } = one;
  const id = fieldId(field);
  const wrong = view.refusals.has(field);
  const typed = (event: Event) => view.edit(one.edited((event.target as HTMLTextAreaElement).value));
  return html`<textarea id=${id} class="text" rows=${Math.min(most, Math.max(2, levelsIn(value).length))} placeholder="one a line"
    aria-label=${label} spellcheck="false" autocomplete="off" aria-invalid=${wrong ? "true" : nothing}
    aria-describedby=${wrong ? `${id}-error` : nothing} .value=${value} @input=${typed}></textarea>`;
}

interface ChoiceField {
  readonly field: string;
  readonly value: string;
  readonly label?: string;
  readonly options: readonly (readonly [value: string, words: string])[];
  /** Shown while nothing is chosen. */
  readonly empty?: string;
  readonly bare?: boolean;
  edited(value: string): Form;
}

export function choiceField(view: FormView, one: ChoiceField): TemplateResult {
  const { field, value, label = fieldTitle(field, view.form), options, empty, bare } = one;
  const id = fieldId(field);
  const wrong = view.refusals.has(field);
  const chosen = (event: Event) => view.edit(one.edited((event.target as HTMLSelectElement).value));
  const all = empty === undefined ? options : [["", empty] as const, ...options];
  return html`<select id=${id} class="choice" aria-label=${label} autocomplete="off"
    aria-invalid=${wrong ? "true" : nothing} aria-describedby=${wrong ? `${id}-error` : nothing} @change=${chosen}>${all.map(
      ([key, words]) => html`<option value=${key} .selected=${key === value}>${words}</option>`,
    )}</select>${bare ? nothing : fault(view, field)}`;
}
