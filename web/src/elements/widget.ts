/**
 * What every widget shares: it starts when the reader comes near, it refuses attributes that mean nothing, and it keeps
 * the author's words where there is no answer.
 */
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { Refusal } from "../../../wasm/engine/refusal.ts";
import { whole } from "../../../wasm/engine/shape.ts";
import { didYouMean } from "../question/suggestion.ts";
import { isForeign } from "./foreign.ts";

/** Starts a little before the reader gets there. */
const NEAR = "300px";

export const DIGITS = whole(1, 17);

export abstract class Widget extends LitElement {
  static override properties = { loading: {} };

  /** The attributes that hold one of a few words. */
  static readonly choices: Readonly<Record<string, readonly string[]>> = { loading: ["eager", "lazy"] };

  /** `eager` asks at once instead of when the reader comes near. */
  declare loading: "eager" | "lazy" | undefined;

  protected near = false;
  /** An answer has once taken the place of the author's words, which then belong to an older question. */
  protected answered = false;
  private approach: IntersectionObserver | undefined;
  private readonly renamed = new MutationObserver((changes) => {
    // Those with a meaning are followed as properties.
    const { observedAttributes } = this.constructor as typeof LitElement;
    if (changes.some(({ attributeName }) => !observedAttributes.includes(attributeName ?? "")))
      this.requestUpdate();
  });

  /** Asks what is to be asked now, if it was not asked before. */
  protected abstract start(): void;

  override connectedCallback(): void {
    super.connectedCallback();
    this.renamed.observe(this, { attributes: true });
    if (this.loading === "eager") this.near = true;
    this.requestUpdate();
    if (this.near) return;
    this.approach = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        this.near = true;
        this.approach?.disconnect();
        this.start();
      },
      { rootMargin: NEAR },
    );
    this.approach.observe(this);
  }

  /** Moving an element is not removing it: what was found stays, only the watching stops. */
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.approach?.disconnect();
    this.renamed.disconnect();
  }

  protected override updated(_: PropertyValues): void {
    if (this.near) this.start();
  }

  /** Throws a refusal of the first attribute that means nothing. */
  protected checkAttributes(): void {
    const { observedAttributes: known, choices } = this.constructor as typeof Widget;
    for (const name of this.getAttributeNames()) {
      const value = this.getAttribute(name) ?? "";
      if (!known.includes(name)) {
        if (isForeign(name)) continue;
        const rule = `${this.localName} has no such attribute${didYouMean(name, known)}`;
        throw new Refusal("unknown", name, value, rule, { shown: true });
      }
      const options = Object.hasOwn(choices, name) ? choices[name] : undefined;
      if (options && !options.includes(value)) {
        const rule = `must be one of ${options.join(", ")}${didYouMean(value, options)}`;
        throw new Refusal("unknown", name, value, rule, { shown: true });
      }
      if (name === "digits") DIGITS.check(name, Number(value || Number.NaN));
    }
  }

  /** The same as words. */
  protected fault(): string {
    try {
      this.checkAttributes();
      return "";
    } catch (error) {
      return String(error);
    }
  }

  /** A refusal beside the author's words; these alone when it is none of the author's doing. */
  protected instead(refusal: string): TemplateResult {
    const kept = this.answered ? nothing : html`<slot></slot>`;
    // A space that nothing follows would stand before the comma of the author's sentence.
    return html`${kept}${refusal ? html` <span class="refusal" part="refusal" dir="ltr">${refusal}</span>` : nothing}`;
  }

  /** Whether there are words of the author to keep. */
  protected get hasFallback(): boolean {
    return !this.answered && (this.childElementCount > 0 || (this.textContent ?? "").trim() !== "");
  }
}
