/** What can be done with a released model, free: predictions for a table, and files for other programs. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Release } from "../../../../wasm/contract.ts";
import { EXPORT_NAMES, type ExportName, exportModel } from "../../../../wasm/model/export.ts";
import { say } from "../../elements/status.ts";
import { Cancelled } from "../../engine/worker-client.ts";
import { download } from "../../share/download.ts";
import { whyNot } from "../../words/fit.ts";
import { LightElement } from "../light-element.ts";

const TITLES: Readonly<Record<ExportName, string>> = {
  json: "JSON",
  "scikit-learn": "scikit-learn",
  pmml: "PMML",
  onnx: "ONNX",
};

export class FitExports extends LightElement {
  static override properties = {
    release: { attribute: false },
    fault: { state: true },
    isPredicting: { state: true },
  };
  declare release: Release | undefined;
  declare private fault: string;
  declare private isPredicting: boolean;
  /** The predictions for a table as CSV. */
  predict: ((release: Release, file: File) => Promise<string>) | undefined;

  constructor() {
    super();
    this.fault = "";
    this.isPredicting = false;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("release")) this.fault = "";
  }

  /** What is refused is told beside the buttons. */
  private async saving(what: string, make: () => Promise<void> | void): Promise<void> {
    this.fault = "";
    try {
      await make();
      say(`${what} is saved.`);
    } catch (error) {
      if (error instanceof Cancelled) return;
      this.fault = `There is no ${what}. ${whyNot(error)}`;
    }
  }

  private save(release: Release, name: ExportName): Promise<void> {
    return this.saving(TITLES[name], () => {
      const { file, type, content } = exportModel(release, name);
      download(file, type, content);
    });
  }

  private async predicted(release: Release, event: Event): Promise<void> {
    const input = event.target as HTMLInputElement;
    const [file] = input.files ?? [];
    if (!file) return;
    this.isPredicting = true;
    await this.saving("file of predictions", async () => {
      const lines = await this.predict?.(release, file);
      if (lines !== undefined) download("predictions.csv", "text/csv", lines);
    });
    this.isPredicting = false;
    input.value = "";
  }

  protected override render(): TemplateResult | typeof nothing {
    const { release, fault } = this;
    if (!release) return nothing;
    const button = (name: ExportName) =>
      html`<button type="button" @click=${() => this.save(release, name)}>${TITLES[name]}</button>`;
    return html`<div class="buttons" role="group" aria-label="The model for other programs">
        <span class="aside">For other programs:</span>${EXPORT_NAMES.map(button)}</div>
      <p class="buttons"><label class="picker"><input type="file" id="fit-predict" accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
        @change=${(event: Event) => this.predicted(release, event)} /><span class="button">Predict for a table</span></label>
        <span class="aside">${this.isPredicting ? "Predicting …" : "Free, and spelled as this table; the label may be absent."}</span></p>
      ${fault ? html`<p class="error" role="alert">${fault}</p>` : nothing}`;
  }
}
