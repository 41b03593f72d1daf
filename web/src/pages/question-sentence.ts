/** The question as a sentence that is edited in place. Which slots it has, the catalogue says. */
import { html, nothing, type TemplateResult } from "lit";
import { KINDS } from "../../../wasm/catalogue.ts";
import type { Refusal } from "../../../wasm/refusal.ts";
import {
  type Field,
  fieldsOf,
  isNeighbours,
  isSentenceKind,
  type Question,
  SENTENCE_KINDS,
  solvable,
  usesN,
  withKind,
  withText,
} from "../question/question.ts";
import type { Reading } from "../question/read.ts";
import { step } from "../question/step.ts";
import { format } from "../words/numbers.ts";
import { fieldWords, NEIGHBOUR_WORDS, refusalSentence } from "../words/sentences.ts";
import { LightElement } from "./light-element.ts";

export interface Edit {
  readonly question: Question;
  /** A committed change, not one in the middle of typing. */
  readonly settled: boolean;
}

export class QuestionSentence extends LightElement {
  static override properties = {
    question: { attribute: false },
    reading: { attribute: false },
    refusals: { attribute: false },
  };

  declare question: Question | undefined;
  declare reading: Reading | undefined;
  /** Those of the reading and those that the engine sent back. */
  declare refusals: ReadonlyMap<string, Refusal>;

  protected override render(): TemplateResult | typeof nothing {
    const { question } = this;
    if (!question) return nothing;
    const fields = fieldsOf(question.kind);
    const before = (i: number) => (i === 0 ? "" : i === fields.length - 1 ? " and " : ", ");
    const people = usesN(question) ? html`, with ${this.slotOf(question, "n")}` : nothing;
    return html`<p class="sentence">
      ${this.kinds(question)} with
      ${fields.map((field, i) => [before(i), this.slotOf(question, field.name, field)])},
      run ${this.slotOf(question, "count")} ${question.texts.count === "1" ? "time" : "times"},
      between tables that ${this.relations(question)},
      has ${this.slotOf(question, "epsilon")} at ${this.slotOf(question, "delta")}${people}.
    </p>`;
  }

  private edit(question: Question, settled: boolean): void {
    this.dispatchEvent(new CustomEvent<Edit>("edit", { detail: { question, settled }, bubbles: true }));
  }

  private kinds(question: Question): TemplateResult {
    const choose = (kind: string) => {
      if (isSentenceKind(kind)) this.edit(withKind(kind, question), true);
    };
    const options = SENTENCE_KINDS.map((kind) => [kind, KINDS[kind].title] as const);
    return choice("Mechanism", "kind", question.kind, options, choose);
  }

  private relations(question: Question): TemplateResult {
    const choose = (neighbours: string) => {
      if (isNeighbours(neighbours)) this.edit({ ...question, neighbours }, true);
    };
    const options = KINDS[question.kind].neighbours.map((one) => [one, NEIGHBOUR_WORDS[one]] as const);
    return choice("Neighbouring relation", "", question.neighbours, options, choose);
  }

  /** One slot: title, symbol, the sign that makes it the unknown, the text, how it was understood, what is wrong. */
  private slotOf(question: Question, name: string, field?: Field): TemplateResult {
    const { title } = fieldWords(question.kind, name);
    const unknown = question.ask === name;
    const refusal = this.refusals?.get(name);
    const understood = this.understood(name);
    const id = `field-${name}`;
    // In the sentence δ and the counts are introduced by their neighbours, so their names are for listeners only.
    const silent = !field && name !== "epsilon";
    const label = silent ? nothing : html`<label for=${unknown ? nothing : id}>${title}</label> `;
    const value = unknown
      ? html`<output class="unknown" aria-label="${title} is the unknown">?</output>`
      : this.input(question, name, field, silent);
    const repeated = understood
      ? html`<span class="understood" id="${id}-understood"> = ${understood}</span>`
      : nothing;
    return html`${label}<span class="slot">${this.sign(question, name)}${value}</span>${repeated}<span
        class="error" id="${id}-error" role="alert">${refusal ? refusalSentence(refusal, title) : nothing}</span>`;
  }

  private input(question: Question, name: string, field: Field | undefined, silent: boolean): TemplateResult {
    const id = `field-${name}`;
    const text = question.texts[name] ?? "";
    const wrong = this.refusals?.has(name);
    const notes = [wrong && `${id}-error`, this.understood(name) && `${id}-understood`].filter(Boolean);
    return html`<input id=${id} type="text" class="text" .value=${text} size=${Math.min(24, Math.max(1, text.length))}
      autocomplete="off" autocapitalize="off" spellcheck="false"
      aria-label=${silent ? fieldWords(question.kind, name).title : nothing}
      aria-invalid=${wrong ? "true" : nothing} aria-describedby=${notes.join(" ") || nothing}
      @input=${(event: Event) => this.typed(name, event)} @blur=${() => this.settle()}
      @keydown=${(event: KeyboardEvent) => this.key(name, field, event)} />`;
  }

  private sign(question: Question, name: string): TemplateResult | typeof nothing {
    const { symbol, title } = fieldWords(question.kind, name);
    if (name === "count") return nothing;
    if (!solvable(question.kind).includes(name)) return html`<i>${symbol}</i> = `;
    const solve = () => this.dispatchEvent(new CustomEvent("solve", { detail: name, bubbles: true }));
    return html`<i>${symbol}</i><button type="button" class="solve" title="Solve for ${symbol}"
      aria-label="Solve for ${title}" aria-pressed=${question.ask === name ? "true" : "false"}
      @click=${solve}>=</button>`;
  }

  private understood(name: string): string {
    const value = this.reading?.values.get(name);
    if (!value || value.plain || name === this.question?.ask) return "";
    return value.values ? value.values.map((one) => format(one)).join(", ") : format(value.value);
  }

  private typed(name: string, event: Event): void {
    const { value } = event.target as HTMLInputElement;
    if (this.question) this.edit(withText(this.question, name, value), false);
  }

  private settle(): void {
    if (this.question) this.edit(this.question, true);
  }

  private key(name: string, field: Field | undefined, event: KeyboardEvent): void {
    if (event.key === "Enter") this.settle();
    const direction = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    const value = this.reading?.values.get(name);
    if (direction === 0 || !this.question || !value || value.values) return;
    event.preventDefault();
    const whole = field ? field.entry.type === "integer" : name === "count" || name === "n";
    this.edit(
      withText(this.question, name, String(step(value.value, direction, event.shiftKey, whole))),
      false,
    );
  }
}

function choice(
  label: string,
  style: string,
  chosen: string,
  options: readonly (readonly [string, string])[],
  choose: (value: string) => void,
): TemplateResult {
  const changed = (event: Event) => choose((event.target as HTMLSelectElement).value);
  return html`<select class="choice ${style}" aria-label=${label} .value=${chosen} @change=${changed}>
    ${options.map(
      ([value, title]) => html`<option value=${value} ?selected=${value === chosen}>${title}</option>`,
    )}
  </select>`;
}
