/**
 * `<privacy-report src="report.json">`: a visitor types her own values, and reads what a release cost her. The report may
 * also stand between the tags, as `<script type="application/json">`.
 *
 * Attributes: `src`, `loading`.
 * Events: `refusal` (detail: the refusal of the report, and its field). Nothing that is typed or answered is told.
 * The content between the tags is shown until there is a form, and wherever there are no scripts.
 */
import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { Refusal } from "../../../wasm/engine/refusal.ts";
import { reportsFor, supersede } from "../engine/report-client.ts";
import type { Looked } from "../engine/report-protocol.ts";
import { Unavailable } from "../engine/unavailable.ts";
import { Superseded } from "../engine/worker-client.ts";
import { DEMONSTRATION, ownFields, personalWords, STAYS, TO_HER } from "../words/personal.ts";
import { refusalSentence } from "../words/sentences.ts";
import cardStyle from "./card.css?inline";
import { OwnValues } from "./own-values.ts";
import ownStyle from "./privacy-report.css?inline";
import { inlineReport, ownWords, reportOf } from "./report-source.ts";
import { resultView } from "./report-view.ts";
import { tokens } from "./tokens.ts";
import { Widget } from "./widget.ts";

/** A report as it was given, and what the form is made from. */
interface Opened extends Looked {
  readonly report: unknown;
}

/** Refusals of what is neither an attribute nor a part of the report. */
const WITHOUT_REPORT: readonly string[] = ["src", "report", "engine"];

export class PrivacyReport extends Widget {
  static override properties = {
    ...Widget.properties,
    src: {},
    opened: { state: true },
    refusal: { state: true },
  };

  static override styles = [tokens, unsafeCSS(cardStyle), unsafeCSS(ownStyle)];

  declare src: string | null | undefined;
  declare private opened: Opened | null;
  declare private refusal: string | null;
  private readonly reports = reportsFor(this);
  private asked = "";
  private readonly values = new OwnValues(this, TO_HER, {
    ask: (row, isMember) => this.reports.personalLoss(this.opened?.report, row, isMember),
    drop: () => supersede(this),
    refuse: (error) => this.refuse(error),
  });
  /** What stands between the tags may come after the element itself. */
  private readonly filled = new MutationObserver(() => this.requestUpdate());

  constructor() {
    super();
    this.reset();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.filled.observe(this, { childList: true, characterData: true, subtree: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.filled.disconnect();
  }

  private reset(): void {
    Object.assign(this, { opened: null, refusal: null });
    this.values.reset();
  }

  protected override start(): void {
    const inline = inlineReport(this);
    const asked = JSON.stringify([this.src, inline, this.fault()]);
    if (!this.near || asked === this.asked) return;
    this.asked = asked;
    supersede(this);
    this.reset();
    this.take(asked, inline).catch((error: unknown) => asked === this.asked && this.refuse(error));
  }

  private async take(asked: string, inline: string | undefined): Promise<void> {
    this.checkAttributes();
    const report = await reportOf(this.src, inline);
    if (asked !== this.asked) return;
    const looked = await this.reports.look(report);
    if (asked !== this.asked) return;
    this.answered = true;
    this.opened = { ...looked, report };
    this.values.reset(ownFields(looked.table));
  }

  private refuse(error: unknown): void {
    if (error instanceof Superseded) return;
    const reason = error instanceof Error ? error.message : String(error);
    const refusal = error instanceof Refusal ? error : new Refusal("unsupported", "engine", "", reason);
    const isSilent = error instanceof Unavailable && this.hasFallback;
    this.reset();
    this.refusal = isSilent ? "" : refusalSentence(refusal, this.titleOf(refusal.field));
    const detail = { field: refusal.field, refusal };
    this.dispatchEvent(new CustomEvent("refusal", { detail, bubbles: true, composed: true }));
  }

  private titleOf(field: string): string {
    if (this.hasAttribute(field)) return `attribute ${field}`;
    return WITHOUT_REPORT.includes(field) ? field : `the report’s ${field}`;
  }

  /** The report itself is none of the author's words. */
  protected override get hasFallback(): boolean {
    return !this.answered && ownWords(this) !== "";
  }

  protected override render(): TemplateResult {
    if (this.refusal !== null) return this.instead(this.refusal);
    if (!this.opened) return this.answered ? html`` : html`<slot></slot>`;
    return html`<div dir="ltr" role="group" aria-label="What a release cost you">${this.form(this.opened)}</div>`;
  }

  private form(opened: Opened): TemplateResult {
    return html`
      ${opened.private ? nothing : html`<p class="demonstration" part="demonstration">${DEMONSTRATION}</p>`}
      <p class="small">${STAYS}</p>
      ${this.values.view()}
      <div class="result">${this.result(opened)}</div>`;
  }

  private result({ promise, hasMaterial, table }: Opened): TemplateResult {
    const { loss, isStale } = this.values;
    if (!loss) {
      const words = isStale ? "Computing…" : "Fill in your values to read what the release cost you.";
      return html`<p class="small">${words}</p>`;
    }
    const words = personalWords(loss, {
      promise,
      hasMaterial,
      label: table.label?.name ?? "",
      voice: TO_HER,
    });
    const said = isStale ? "" : `${words.ownTitle} ${words.own}.`;
    return html`<div class=${isStale ? "stale" : ""} part="answer">${resultView(words)}</div>
      <p class="unseen" role="status">${said}</p>`;
  }
}
