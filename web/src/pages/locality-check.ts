/** "Check it yourself": tries to send a request from the page and from the worker, and shows what the browser says. */
import { html, nothing, type TemplateResult } from "lit";
import { say } from "../elements/status.ts";
import type { ProbeResult } from "../engine/protocol.ts";
import { LightElement } from "./light-element.ts";

/** What the browser says to the page and to its worker, where it has one. */
interface Results {
  readonly page: ProbeResult;
  readonly worker: ProbeResult | null;
}

export class LocalityCheck extends LightElement {
  static override properties = { results: { state: true } };
  /** Tries it; each page has a worker of its own. */
  probe: ((address: string) => Promise<Results>) | undefined;
  declare private results: Results | null;

  constructor() {
    super();
    this.results = null;
  }

  private async check(): Promise<void> {
    // Our own server: even the place that the page came from may not be told anything.
    const results = await this.probe?.(new URL("nothing-may-be-sent", document.baseURI).href);
    if (!results) return;
    this.results = results;
    const { page, worker } = results;
    say(
      `From the page: ${verdict(page)}. From the worker: ${worker ? verdict(worker) : "there is no worker"}.`,
    );
  }

  protected override render(): TemplateResult {
    const { results } = this;
    const list = results
      ? html`<dl>${row("From the page", results.page)}${row("From the engine’s worker", results.worker)}</dl>`
      : nothing;
    return html`<p><button type="button" @click=${this.check}>Try to send a request</button></p>${list}`;
  }
}

const verdict = ({ refused }: ProbeResult) => (refused ? "refused by the browser" : "NOT refused");

const row = (where: string, result: ProbeResult | null) =>
  html`<dt>${where}</dt>
    <dd>${
      result
        ? html`<strong>${verdict(result)}</strong> <code>${result.detail}</code>`
        : "the engine runs in the page here, so the line above covers it"
    }</dd>`;
