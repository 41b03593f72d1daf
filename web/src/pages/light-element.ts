/** The page's own parts: elements without a shadow, so that the page's style sheet and labels reach them. */
import { LitElement } from "lit";

export class LightElement extends LitElement {
  /** The static first view is replaced in the same frame, so that nothing jumps. */
  protected override createRenderRoot(): HTMLElement {
    this.replaceChildren();
    return this;
  }
}
