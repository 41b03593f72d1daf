/** One quantity of the sentence: title, symbol, the sign that makes it the unknown, the text, what is wrong. */

import { html, nothing, type TemplateResult } from "lit";
import { type ChoiceParameter, GROUP } from "../../../../wasm/engine/catalogue.ts";
import type { Refusal } from "../../../../wasm/engine/refusal.ts";
import { step } from "../../question/arrow-steps.ts";
import { QUANTITIES } from "../../question/expression.ts";
import { COUNT_FIELD, isSolvable, placeOf, type Question, slotAt, textOf } from "../../question/question.ts";
import type { Reading } from "../../question/read.ts";
import { choiceWords } from "../../words/choices.ts";
import { format } from "../../words/numbers.ts";
import { fieldWords, fullTitle, refusalSentence } from "../../words/sentences.ts";

export interface Slots {
  readonly question: Question;
  readonly reading: Reading | undefined;
  readonly refusals: ReadonlyMap<string, Refusal>;
  typed(name: string, text: string): void;
  settle(): void;
  solve(name: string): void;
}

export const idOf = (name: string) => `field-${name.replace(".", "-")}`;

/**
 * `silent` where the words around it introduce the quantity, so that its name is for listeners only; `after` stays
 * on the same line.
 */
export function slot(slots: Slots, name: string, silent = false, after?: TemplateResult): TemplateResult {
  const { question } = slots;
  const { title } = fieldWords(question, name);
  const unknown = question.ask === name;
  const id = idOf(name);
  const repeated = understood(slots, name);
  const label = silent ? nothing : html`<label for=${unknown ? nothing : id}>${title}</label> `;
  const { entry, parameter = "" } = slotAt(question, name) ?? {};
  const value = unknown
    ? html`<output class="unknown" aria-label="${fullTitle(question, name)} is the unknown">?</output>`
    : entry?.type === "choice"
      ? options(slots, name, parameter, optionsIn(question, name, entry))
      : input(slots, name, silent);
  // A cross between a formula and its value would read as a sign of multiplication: it follows the value.
  return html`${label}<span class="slot">${sign(slots, name)}${value}${repeated ? nothing : after}</span>${
    repeated
      ? html` <span class="slot"><span class="understood" id="${id}-understood">= ${repeated}</span>${after}</span>`
      : nothing
  }${fault(slots, name)}`;
}

/** What is wrong with a field, beside it. */
export function fault({ question, refusals }: Slots, name: string): TemplateResult {
  const refusal = refusals.get(name);
  const words = refusal ? refusalSentence(refusal, fieldWords(question, name).title) : nothing;
  return html`<span class="error" id="${idOf(name)}-error" role="alert">${words}</span>`;
}

/** Where the relation decides, those that answer for it, and what is chosen. */
const optionsIn = (question: Question, name: string, { options, neighbours }: ChoiceParameter) =>
  options.filter(
    (one) => one === textOf(question, name) || (neighbours?.[one]?.includes(question.neighbours) ?? true),
  );

/** One of a few words. */
function options(slots: Slots, name: string, parameter: string, words: readonly string[]): TemplateResult {
  const chosen = (word: string) => {
    slots.typed(name, word);
    slots.settle();
  };
  const pairs = words.map((word) => [word, choiceWords(parameter, word)] as const);
  return choice(fullTitle(slots.question, name), name, textOf(slots.question, name), pairs, chosen);
}

/** A list to choose from: values, and what is shown for them. */
export function choice(
  label: string,
  name: string,
  chosen: string,
  options: readonly (readonly [string, string])[],
  choose: (value: string) => void,
): TemplateResult {
  const changed = (event: Event) => choose((event.target as HTMLSelectElement).value);
  return html`<select class="choice" id=${idOf(name)} aria-label=${label} .value=${chosen} @change=${changed}>
    ${options.map(
      ([value, title]) => html`<option value=${value} ?selected=${value === chosen}>${title}</option>`,
    )}
  </select>`;
}

function input(slots: Slots, name: string, silent: boolean): TemplateResult {
  const id = idOf(name);
  const text = textOf(slots.question, name);
  const wrong = slots.refusals.has(name);
  const notes = [wrong && `${id}-error`, understood(slots, name) && `${id}-understood`].filter(Boolean);
  const typed = (event: Event) => slots.typed(name, (event.target as HTMLInputElement).value);
  return html`<input id=${id} type="text" class="text" .value=${text} size=${Math.min(24, Math.max(1, text.length))}
    autocomplete="off" autocapitalize="off" spellcheck="false"
    aria-label=${silent || name.includes(".") ? fullTitle(slots.question, name) : nothing}
    aria-invalid=${wrong ? "true" : nothing} aria-describedby=${notes.join(" ") || nothing}
    @input=${typed} @blur=${() => slots.settle()} @keydown=${(event: KeyboardEvent) => key(slots, name, event)} />`;
}

function sign(slots: Slots, name: string): TemplateResult | typeof nothing {
  const { symbol } = fieldWords(slots.question, name);
  if (!symbol) return nothing;
  if (!isSolvable(slots.question, name)) return html`<i>${symbol}</i> = `;
  return html`<i>${symbol}</i><button type="button" class="solve" title="Solve for ${symbol}"
    aria-label="Solve for ${fullTitle(slots.question, name)}" aria-pressed=${slots.question.ask === name ? "true" : "false"}
    @click=${() => slots.solve(name)}>=</button>`;
}

function understood({ reading, question }: Slots, name: string): string {
  const value = reading?.values.get(name);
  if (!value || value.plain || name === question.ask) return "";
  return value.values ? value.values.map((one) => format(one)).join(", ") : format(value.value);
}

function key(slots: Slots, name: string, event: KeyboardEvent): void {
  if (event.key === "Enter") slots.settle();
  const direction = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
  const value = slots.reading?.values.get(name);
  if (direction === 0 || !value || value.values) return;
  event.preventDefault();
  const { key: own } = placeOf(name);
  const entry = own === "group" ? GROUP : slotAt(slots.question, name)?.entry;
  const whole = entry
    ? entry.type === "integer"
    : [COUNT_FIELD.key, "group", ...Object.keys(QUANTITIES)].includes(own);
  const next = step(value.value, direction, event.shiftKey, whole);
  // A number whose range ends, such as a rate, stops at its end.
  const most = entry && "effect" in entry ? entry.maximum : Number.POSITIVE_INFINITY;
  slots.typed(name, String(Math.min(most, next)));
}
