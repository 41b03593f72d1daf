/** A percentage, or another number, inside a sentence: its text, and what is wrong with it. */
import { html, nothing, type TemplateResult } from "lit";
import type { Refusal } from "../../../../wasm/engine/refusal.ts";
import { refusalSentence } from "../../words/sentences.ts";
import { idOf } from "./slot.ts";

export interface Typed {
  readonly name: string;
  readonly text: string;
  /** A committed change, not one in the middle of typing. */
  readonly settled: boolean;
}

interface Percent {
  /** What the number counts; per cent if it is left out. */
  readonly unit?: string;
  readonly name: string;
  readonly text: string;
  readonly title: string;
  readonly label: string;
  readonly refusal: Refusal | undefined;
}

/** The host tells by a `typed` event what was typed. */
export function percentField(
  host: HTMLElement,
  { name, text, label, refusal, unit = "\u2009%" }: Percent,
): TemplateResult {
  const id = idOf(name);
  const edit = (settled: boolean) => (event: Event) => {
    const detail = { name, text: (event.target as HTMLInputElement).value, settled };
    host.dispatchEvent(new CustomEvent<Typed>("typed", { detail, bubbles: true }));
  };
  return html`<span class="slot"><input class="text" type="text" id=${id} autocomplete="off" .value=${text}
    aria-label=${label} size=${Math.max(2, Math.min(12, text.length))}
    aria-invalid=${refusal ? "true" : nothing} aria-describedby=${refusal ? `${id}-error` : nothing}
    @input=${edit(false)} @blur=${edit(true)} />${unit}</span>`;
}

export const percentFault = ({ name, title, refusal }: Percent): TemplateResult =>
  html`<span class="error" id="${idOf(name)}-error" role="alert">${refusal ? refusalSentence(refusal, title) : nothing}</span>`;
