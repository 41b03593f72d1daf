/** The question and its answer in the languages people paste into. */
import { html, nothing, type TemplateResult } from "lit";
import { say } from "../../elements/status.ts";
import type { Outcome } from "../../question/outcome.ts";
import { json } from "../../share/json.ts";
import { latex } from "../../share/latex.ts";
import { dpAccounting, openDp } from "../../share/python.ts";
import { embedding } from "../../share/tag.ts";
import { VERSION } from "../../version.ts";
import { LightElement } from "../light-element.ts";

const FORMS = ["link", "JSON", "LaTeX", "dp_accounting", "OpenDP", "HTML"] as const;
type Form = (typeof FORMS)[number];

export class CopyAs extends LightElement {
  static override properties = {
    outcome: { attribute: false },
    link: { attribute: false },
    form: { state: true },
    copied: { state: true },
  };

  declare outcome: Outcome | undefined;
  declare link: string;
  declare private form: Form;
  declare private copied: string;

  constructor() {
    super();
    this.form = "link";
    this.copied = "";
  }

  private text(form: Form): { text: string; supported: boolean } {
    const { outcome } = this;
    if (!outcome) return { text: "", supported: false };
    const asked = { ...outcome, ask: outcome.found.ask === "delta" ? "delta" : "epsilon" } as const;
    if (form === "dp_accounting") return dpAccounting(asked);
    if (form === "OpenDP") return openDp(asked);
    const plain = {
      link: () => this.link,
      JSON: () => json(outcome, VERSION),
      LaTeX: () => latex(outcome),
      HTML: () => embedding(outcome, new URL("epsilometer.js", document.baseURI).href),
    };
    return { text: plain[form](), supported: true };
  }

  private async copy(form: Form): Promise<void> {
    this.form = form;
    const { text, supported } = this.text(form);
    this.copied = "";
    if (!supported) return say(text);
    try {
      await navigator.clipboard.writeText(text);
      this.copied = text;
      say(`${form} copied`);
    } catch {
      say("The browser did not allow copying; the text stands below, ready to be selected.");
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.outcome) return nothing;
    const { text, supported } = this.text(this.form);
    const button = (form: Form) => html`<button type="button" @click=${() => this.copy(form)}
      aria-pressed=${form === this.form ? "true" : "false"}>${form}</button>`;
    return html`<div class="buttons" role="group" aria-label="Copy as">
        ${FORMS.map(button)}
        <span class="aside" aria-hidden="true">${this.copied === text ? "copied" : ""}</span>
      </div>
      ${supported ? html`<pre tabindex="0" role="region" aria-label="Text to copy">${text}</pre>` : html`<p>${text}</p>`}`;
  }
}
