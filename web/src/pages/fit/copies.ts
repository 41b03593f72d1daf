/** The request for other programs: JSON, Python, the command line, and for linear models the query of a database. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { EverydayRequest, FitRequest } from "../../../../wasm/contract.ts";
import { Refusal } from "../../../../wasm/engine/refusal.ts";
import { DIALECTS, type DialectName } from "../../../../wasm/table/dialects.ts";
import { say } from "../../elements/status.ts";
import type { FitJobs } from "../../engine/fit-protocol.ts";
import { download } from "../../share/download.ts";
import { command, requestJson, requestPython } from "../../share/fit-request.ts";
import { whyNot } from "../../words/fit.ts";
import { LightElement } from "../light-element.ts";

const FORMS = { json: "JSON", python: "Python", command: "command line", sql: "SQL" } as const;
type FormName = keyof typeof FORMS;
const NAMES = Object.keys(FORMS) as readonly FormName[];

export class FitCopies extends LightElement {
  static override properties = {
    request: { attribute: false },
    file: {},
    linear: { type: Boolean },
    query: { state: true },
    form: { state: true },
    copied: { state: true },
    asked: { state: true },
  };

  declare request: FitRequest | EverydayRequest | undefined;
  /** What the table is called where the command is given. */
  declare file: string;
  declare linear: boolean;
  /** Writes the query of a database. */
  statistics: ((...asked: Parameters<FitJobs["statistics"]>) => Promise<string>) | undefined;
  /** The query for what was asked last, or why there is none. */
  declare private query: string;
  declare private form: FormName;
  declare private copied: string;
  declare private asked: { readonly dialect: DialectName; readonly from: string };

  constructor() {
    super();
    this.form = "json";
    this.copied = "";
    this.query = "";
    this.asked = { dialect: "duckdb", from: "data" };
  }

  private text(): string {
    const { request, file } = this;
    if (!request) return "";
    return {
      json: () => requestJson(request),
      python: () => requestPython(request, file),
      command: () => `${command(file)}\n`,
      sql: () => this.query,
    }[this.form]();
  }

  private choose(form: FormName): void {
    this.form = form;
    if (form === "sql") this.ask(this.asked);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (this.form === "sql" && changed.has("request")) this.ask(this.asked);
  }

  private async ask(asked: FitCopies["asked"]): Promise<void> {
    this.asked = asked;
    const { request } = this;
    if (!request || "releases" in request) return;
    const query = await this.statistics?.(request, asked.from, asked.dialect).catch((error: Error) =>
      error instanceof Refusal ? `-- ${whyNot(error)}` : `-- ${error.message}`,
    );
    if (asked === this.asked && request === this.request) this.query = query ?? "";
  }

  private async copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.text());
      this.copied = this.text();
      say("Copied");
    } catch {
      say("The browser did not allow copying; the text stands below, ready to be selected.");
    }
  }

  private save(): void {
    const names = { json: "request.json", python: "fit.py", command: "fit.sh", sql: "statistics.sql" };
    download(names[this.form], "text/plain", this.text());
  }

  protected override render(): TemplateResult {
    if (!this.request)
      return html`<p class="aside">When everything is answered, the request stands here.</p>`;
    const shown = NAMES.filter((name) => name !== "sql" || this.linear);
    if (!shown.includes(this.form)) this.form = "json";
    const text = this.text();
    return html`<div class="buttons" role="group" aria-label="Form">${shown.map(
      (name) =>
        html`<button type="button" aria-pressed=${name === this.form ? "true" : "false"} @click=${() => this.choose(name)}>${FORMS[name]}</button>`,
    )}</div>
      ${this.form === "sql" ? this.database() : nothing}
      <pre tabindex="0" role="region" aria-label="The request as ${FORMS[this.form]}">${text}</pre>
      <div class="buttons"><button type="button" @click=${this.copy}>Copy</button><button type="button" @click=${this.save}>Download</button>
        <span class="aside" aria-hidden="true">${this.copied === text ? "copied" : ""}</span></div>
      <p class="aside">Names of columns and levels are in it. They can be private too.</p>`;
  }

  private database(): TemplateResult {
    const { dialect, from } = this.asked;
    const names = Object.entries(DIALECTS) as [DialectName, { name: string }][];
    return html`<p>A database can compute what a linear model needs of its rows. Dialect
      <select class="choice" aria-label="Dialect" autocomplete="off" @change=${(event: Event) =>
        this.ask({ from, dialect: (event.target as HTMLSelectElement).value as DialectName })}>${names.map(
        ([key, { name }]) => html`<option value=${key} .selected=${key === dialect}>${name}</option>`,
      )}</select>, table <input class="text" type="text" size="12" aria-label="Name of the table" autocomplete="off" .value=${from}
        @input=${(event: Event) => this.ask({ dialect, from: (event.target as HTMLInputElement).value })} />.
      The answer of the query is as private as the table.</p>`;
  }
}
