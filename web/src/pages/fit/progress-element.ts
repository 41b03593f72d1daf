/** A part whose first button gives way to how far something is, and that to it. */
import type { PropertyValues } from "lit";
import { LightElement } from "../light-element.ts";

export class ProgressElement extends LightElement {
  /** A button that goes away leaves the focus to the one that takes its place. */
  protected override update(changed: PropertyValues): void {
    const held = this.querySelector("button:focus");
    super.update(changed);
    if (held?.isConnected === false) this.querySelector("button")?.focus();
  }
}
