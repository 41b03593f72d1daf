/** Step 1: a table by drop, picker, paste or sample; how it is spelled, and what is wrong with it. */
import { html, nothing, type TemplateResult } from "lit";
import { DELIMITERS, type Format, QUOTES } from "../../../../wasm/table/format.ts";
import { type Given, givenFile, givenSample, givenText, type Loaded, sampleIn } from "../../fit/loaded.ts";
import { SAMPLES, type SampleName } from "../../fit/samples.ts";
import { FORMAT_WORDS, sizeWords } from "../../words/fit.ts";
import { findings, UNREAD } from "../../words/table.ts";
import { ProgressElement } from "./progress-element.ts";
import { progressBar, type Running } from "./run.ts";

const ORDER = {
  delimiter: DELIMITERS,
  decimal: [".", ","],
  quote: QUOTES,
  header: ["true", "false"],
  encoding: ["utf-8", "utf-16le", "utf-16be", "windows-1252"],
  newline: ["\n", "\r"],
  multiline: ["false", "true"],
} as const;

const LABELS: Readonly<Record<keyof Format, string>> = {
  delimiter: "What separates the cells",
  decimal: "Decimal mark",
  quote: "Quotation marks",
  header: "What the first row is",
  encoding: "Encoding",
  newline: "What ends a line",
  multiline: "What a line end inside quotation marks is",
};

export class FitData extends ProgressElement {
  static override properties = {
    loaded: { attribute: false },
    running: { attribute: false },
    dragged: { state: true },
    wanted: { type: Boolean },
    trouble: { state: true },
    taken: {},
  };

  declare loaded: Loaded | undefined;
  /** The table is being looked through. */
  declare running: Running | undefined;
  declare private dragged: boolean;
  /** It was gone on from here without a table. */
  declare wanted: boolean;
  /** Why there is no table from what was dropped or pasted. */
  declare private trouble: string;
  /** What came of a saved request. */
  declare taken: string;

  constructor() {
    super();
    this.dragged = false;
    this.wanted = false;
    this.trouble = "";
    this.taken = "";
  }

  /** Text that is pasted anywhere but into a field is a table. */
  private readonly pasted = (event: ClipboardEvent) => {
    if (event.target instanceof HTMLElement && event.target.closest("input, textarea")) return;
    const [file] = event.clipboardData?.files ?? [];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (file) this.takeFile(file);
    else if (text !== "") this.take(givenText(text));
  };

  /** A file that is dropped beside the box would open in place of this page: it is a table wherever it is dropped. */
  private readonly over = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.dragged = true;
  };

  private readonly left = (event: DragEvent) => {
    // From one part of the page to another there is a next one.
    if (event.relatedTarget === null) this.dragged = false;
  };

  private readonly dropped = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.dragged = false;
    const { files } = event.dataTransfer;
    const [file] = files;
    if (file && files.length === 1) return this.takeFile(file);
    this.trouble = file ? "These are several files: drop one." : "There is no file in what was dropped.";
    this.querySelector<HTMLElement>("#fit-file")?.focus();
  };

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("paste", this.pasted);
    document.addEventListener("dragover", this.over);
    document.addEventListener("dragleave", this.left);
    document.addEventListener("drop", this.dropped);
  }

  override disconnectedCallback(): void {
    document.removeEventListener("paste", this.pasted);
    document.removeEventListener("dragover", this.over);
    document.removeEventListener("dragleave", this.left);
    document.removeEventListener("drop", this.dropped);
    super.disconnectedCallback();
  }

  /** JSON is no table: it is a saved request or release. */
  private takeFile(file: File): void {
    if (/\.json$/i.test(file.name)) {
      this.trouble = "";
      this.dispatchEvent(new CustomEvent<File>("saved", { detail: file }));
    } else this.take(givenFile(file));
  }

  private take(given: Given): void {
    this.trouble = "";
    this.dispatchEvent(new CustomEvent<Given>("table", { detail: given }));
  }

  private async paste(): Promise<void> {
    try {
      this.take(givenText(await navigator.clipboard.readText()));
    } catch {
      this.trouble = "The browser did not allow reading the clipboard. Press Ctrl+V instead.";
    }
  }

  private pick(event: Event): void {
    const input = event.target as HTMLInputElement;
    const [file] = input.files ?? [];
    if (file) this.takeFile(file);
    // The same file may be chosen again after it was changed.
    input.value = "";
  }

  private respell(key: keyof Format, text: string): void {
    const value = key === "header" || key === "multiline" ? text === "true" : text;
    const format = { ...this.loaded?.format, [key]: value } as Format;
    this.dispatchEvent(new CustomEvent<Format>("format", { detail: format }));
  }

  protected override render(): TemplateResult {
    return html`${this.zone()}${this.samples()}${this.loaded ? this.told(this.loaded) : nothing}`;
  }

  private zone(): TemplateResult {
    const wrong = this.trouble || this.lacking();
    return html`<div class="drop ${this.dragged ? "dragged" : ""}">
      <p>Drop a CSV or TSV file here, or</p>
      <p class="buttons">
        <label class="picker"><input type="file" id="fit-file" accept=".csv,.tsv,.txt,.json,text/csv,text/tab-separated-values,text/plain"
          aria-invalid=${wrong ? "true" : nothing} aria-describedby=${wrong ? "fit-file-error" : nothing} @change=${this.pick} /><span class="button">Choose a file</span></label>
        <button type="button" @click=${this.paste}>Paste</button>
      </p>
      <p class="error" id="fit-file-error" role="alert">${wrong}</p>
      <p class="hint">A saved request or release (.json) fills in all that it declares.${this.taken === "" ? nothing : html` <strong role="status">${this.taken}</strong>`}</p>
      <p class="small">It is read in this browser and sent nowhere.</p>
    </div>`;
  }

  private lacking(): string {
    if (!this.wanted || this.loaded?.fault) return "";
    return this.loaded && !this.loaded.isCancelled
      ? "The table is still being read."
      : "A table must be chosen first: a file, a pasted text or a sample.";
  }

  private samples(): TemplateResult {
    const chosen = this.loaded && sampleIn(this.loaded);
    const button = (
      name: SampleName,
    ) => html`<button type="button" aria-pressed=${name === chosen ? "true" : "false"}
      title=${SAMPLES[name].about} @click=${() => this.take(givenSample(name))}>${SAMPLES[name].title}</button>`;
    return html`<div class="samples" role="group" aria-label="Samples">
      <span class="aside">or try it on invented people:</span>${(Object.keys(SAMPLES) as SampleName[]).map(button)}
    </div>${chosen ? html`<p class="hint">${SAMPLES[chosen].about}. What is declared below is filled in, except who is protected.</p>` : nothing}`;
  }

  private told({ title, size, format, survey, fault, isCancelled }: Loaded): TemplateResult {
    const name = html`<p class="table-name"><strong><bdi>${title}</bdi></strong>${size === undefined ? nothing : html`, ${sizeWords(size)}`}</p>`;
    const wrong = fault === "" ? nothing : html`<p class="error" role="alert">${fault}</p>`;
    const unread = isCancelled ? html`<p class="aside">${UNREAD}</p>` : nothing;
    const found = survey ? findings(survey) : undefined;
    const cancel = () => this.dispatchEvent(new CustomEvent("cancel"));
    const progress = this.running ? progressBar(this.running.progress, cancel) : nothing;
    return html`${name}${wrong}${unread}${progress}${format ? this.spelling(format) : nothing}
      ${found && found.problems.length > 0 ? this.list("What is wrong with it", found.problems, "problems") : nothing}
      ${found && found.notices.length > 0 ? this.list("Worth knowing", found.notices, "notices") : nothing}`;
  }

  private list(title: string, sentences: readonly string[], name: string): TemplateResult {
    return html`<section class="findings ${name}"><h3>${title}</h3>
      <ul>${sentences.map((one) => html`<li>${one}</li>`)}</ul></section>`;
  }

  /** The guess, as a sentence whose every part can be corrected. */
  private spelling(format: Format): TemplateResult {
    const choice = (key: keyof Format) => {
      const words = FORMAT_WORDS[key] as Readonly<Record<string, string>>;
      const option = (value: string) =>
        html`<option value=${value} .selected=${String(format[key]) === value}>${words[value]}</option>`;
      const chosen = (event: Event) => this.respell(key, (event.target as HTMLSelectElement).value);
      return html`<select class="choice" id="fit-format-${key}" aria-label=${LABELS[key]} autocomplete="off" @change=${chosen}>${ORDER[key].map(option)}</select>`;
    };
    return html`<p class="spelling">Cells are separated by ${choice("delimiter")}, numbers have a decimal ${choice("decimal")},
      texts stand in ${choice("quote")}, the first row ${choice("header")}, bytes are ${choice("encoding")}, and
      ${choice("newline")} ends a line; inside quotation marks ${choice("multiline")}.${
        format.multiline
          ? " Then every table that is possible must close its quotation marks, or one row hides others."
          : nothing
      }</p>`;
  }
}
