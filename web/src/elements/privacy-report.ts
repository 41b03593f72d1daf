/**
 * `<privacy-report src="report.json">`: a visitor types her own values, and reads what a release cost her. The report may
 * also stand between the tags, as `<script type="application/json">`.
 *
 * Attributes: `src`, `loading`.
 * Events: `refusal` (detail: the refusal of the report, and its field). Nothing that is typed or answered is told.
 * The content between the tags is shown until there is a form, and wherever there are no scripts.
 */
import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import type { PersonalLoss } from "../../../wasm/contract.ts";
import { Refusal } from "../../../wasm/refusal.ts";
import { reportsFor, supersede } from "../engine/report-client.ts";
import type { Looked } from "../engine/report-protocol.ts";
import { Unavailable } from "../engine/unavailable.ts";
import { Superseded } from "../engine/worker-client.ts";
import { DEMONSTRATION, type OwnField, ownFields, ownRow, personalWords, STAYS } from "../words/personal.ts";
import { refusalSentence } from "../words/sentences.ts";
import cardStyle from "./card.css?inline";
import ownStyle from "./privacy-report.css?inline";
import { inlineReport, ownWords, reportOf } from "./report-source.ts";
import { fieldView, memberView, resultView, type Typed } from "./report-view.ts";
import { tokens } from "./tokens.ts";
import { Widget } from "./widget.ts";

/** A calculation waits for a pause in the typing. */
const PAUSE = 150;

const NOTHING: Typed = { text: "", fault: "" };

/** A report as it was given, and what the form is made from. */
interface Opened extends Looked {
  readonly report: unknown;
  readonly fields: readonly OwnField[];
}

/** Refusals of what is neither an attribute nor a part of the report. */
const WITHOUT_REPORT: readonly string[] = ["src", "report", "engine"];

export class PrivacyReport extends Widget {
  static override properties = {
    ...Widget.properties,
    src: {},
    opened: { state: true },
    typed: { state: true },
    isMember: { state: true },
    loss: { state: true },
    isStale: { state: true },
    refusal: { state: true },
  };

  static override styles = [tokens, unsafeCSS(cardStyle), unsafeCSS(ownStyle)];

  declare src: string | null | undefined;
  declare private opened: Opened | null;
  declare private typed: ReadonlyMap<string, Typed>;
  declare private isMember: boolean;
  declare private loss: PersonalLoss | null;
  /** The loss is that of older values. */
  declare private isStale: boolean;
  declare private refusal: string | null;
  private readonly reports = reportsFor(this);
  private asked = "";
  private pause = 0;
  private turn = 0;
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
    clearTimeout(this.pause);
    // What still runs is about another report.
    this.turn++;
    Object.assign(this, { opened: null, typed: new Map(), isMember: true, refusal: null });
    Object.assign(this, { loss: null, isStale: false });
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
    this.opened = { ...looked, report, fields: ownFields(looked.table) };
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

  private put(name: string, typed: Typed): void {
    this.typed = new Map(this.typed).set(name, typed);
    this.price();
  }

  /** Asks as soon as nothing is missing. */
  private price(): void {
    const { opened, isMember } = this;
    clearTimeout(this.pause);
    supersede(this);
    const turn = ++this.turn;
    const texts = new Map([...this.typed].map(([name, { text }]) => [name, text]));
    const hasFault = [...this.typed.values()].some(({ fault }) => fault);
    const row = opened && !hasFault ? ownRow(opened.fields, texts) : undefined;
    this.isStale = row !== undefined;
    if (!row || !opened) {
      this.loss = null;
      return;
    }
    const ask = () =>
      this.reports.personalLoss(opened.report, row, isMember).then(
        (loss) => turn === this.turn && Object.assign(this, { loss, isStale: false }),
        (error: unknown) => turn === this.turn && this.refuseRow(error, opened),
      );
    this.pause = window.setTimeout(ask, PAUSE);
  }

  /** A refusal of one of her values stands beside it; any other is about the report. */
  private refuseRow(error: unknown, { fields }: Opened): void {
    if (error instanceof Superseded) return;
    const name =
      error instanceof Refusal ? fields.find((one) => error.field === `row.${one.name}`)?.name : undefined;
    if (name === undefined) {
      this.refuse(error);
      return;
    }
    Object.assign(this, { loss: null, isStale: false });
    const { text } = this.typed.get(name) ?? NOTHING;
    this.typed = new Map(this.typed).set(name, { text, fault: (error as Refusal).rule });
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
      <div class="fields">${opened.fields.map((field, i) => this.field(field, i))}</div>
      ${memberView(this.isMember, (isMember) => {
        this.isMember = isMember;
        this.price();
      })}
      <div class="result">${this.result(opened)}</div>`;
  }

  private field(field: OwnField, place: number): TemplateResult {
    const put = (text: string, isNumber: boolean) =>
      this.put(field.name, { text, fault: isNumber ? "" : "This is no number." });
    return fieldView(field, place, this.typed.get(field.name) ?? NOTHING, put);
  }

  private result({ promise, hasMaterial, table }: Opened): TemplateResult {
    const { loss, isStale } = this;
    if (!loss) {
      const words = isStale ? "Computing…" : "Fill in your values to read what the release cost you.";
      return html`<p class="small">${words}</p>`;
    }
    const words = personalWords(loss, { promise, hasMaterial, label: table.label.name });
    const said = isStale ? "" : `${words.ownTitle} ${words.own}.`;
    return html`<div class=${isStale ? "stale" : ""} part="answer">${resultView(words)}</div>
      <p class="unseen" role="status">${said}</p>`;
  }
}
