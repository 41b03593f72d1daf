/** The parts of a report's form: one value, and the answer to all of them. */
import { html, nothing, type TemplateResult } from "lit";
import { clampedWords, type OwnField, type PersonalWords, type Voice } from "../words/personal.ts";

export interface Typed {
  /** The value, a number with a point. */
  readonly text: string;
  /** Why it is no value; empty where it is one. */
  readonly fault: string;
}

export function fieldView(
  field: OwnField,
  place: string,
  { text, fault }: Typed,
  put: (text: string) => void,
): TemplateResult {
  const [own, hint] = [`value-${place}`, `hint-${place}`];
  const notes = [field.hint, fault ? "" : clampedWords(field, text)].filter(Boolean).join("; ");
  const taken = ({ currentTarget }: Event) =>
    put((currentTarget as HTMLInputElement | HTMLSelectElement).value);
  const input = field.options
    ? html`<select id=${own} aria-describedby=${hint} aria-invalid=${fault ? "true" : "false"} @change=${taken}>
        <option value="" ?selected=${text === ""}>${field.optional ? "no value" : "choose"}</option>
        ${field.options.map(([value, words]) => html`<option value=${value} ?selected=${text === value}>${words}</option>`)}
      </select>`
    : // A field of the browser's own for numbers drops a decimal comma without a word.
      html`<input id=${own} inputmode=${(field.range?.[0] ?? -1) < 0 ? "text" : "decimal"} autocomplete="off" spellcheck="false"
        aria-describedby=${hint} aria-invalid=${fault ? "true" : "false"} @input=${taken}>`;
  return html`<div>
    <label for=${own} dir="auto">${field.name}</label>
    ${input}
    <span class="hint" id=${hint}>${notes}${fault ? html` <span class="refusal">${fault}</span>` : nothing}</span>
  </div>`;
}

export const memberView = (
  name: string,
  isMember: boolean,
  voice: Voice,
  put: (isMember: boolean) => void,
): TemplateResult => {
  const radio = (
    value: boolean,
    words: string,
  ) => html`<label><input type="radio" name=${name} autocomplete="off"
    .checked=${isMember === value} @change=${() => put(value)}>${words}</label>`;
  return html`<fieldset>
    <legend>${voice.asks}</legend>
    ${radio(true, voice.isMember)}${radio(false, voice.isNone)}
  </fieldset>`;
};

export function resultView({
  own,
  ownTitle,
  promised,
  promisedTitle,
  ...words
}: PersonalWords): TemplateResult {
  const { level, meaning, realised } = words;
  return html`
    <div class="pair">
      <div><p>${ownTitle}</p><p class="figure" part="own">${own}</p></div>
      <div><p>${promisedTitle}</p><p class="figure promised" part="promised">${promised}</p></div>
    </div>
    <p class="small">${level}</p>
    <p>${meaning}</p>
    ${realised ? realisedView(realised) : nothing}`;
}

const realisedView = ({
  title,
  size,
  meaning,
  causes,
  holds,
}: NonNullable<PersonalWords["realised"]>) => html`
  <p>${title}</p>
  <p class="figure" part="realised">${size}</p>
  <p>${meaning}</p>
  <ul part="causes">${causes.map((cause) => html`<li>${cause}</li>`)}</ul>
  <p class="small">${holds}</p>`;
