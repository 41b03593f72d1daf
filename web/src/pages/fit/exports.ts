/** A released model for other programs: a button for each format, which saves it as a file. */
import { html, type TemplateResult } from "lit";
import type { ModelRelease } from "../../../../wasm/contract.ts";
import { Refusal } from "../../../../wasm/engine/refusal.ts";
import { EXPORT_NAMES, type ExportName, exportModel } from "../../../../wasm/model/export.ts";
import { say } from "../../elements/status.ts";
import { download } from "../../share/download.ts";
import { refusalSentence } from "../../words/sentences.ts";

const TITLES: Readonly<Record<ExportName, string>> = {
  json: "JSON",
  "scikit-learn": "scikit-learn",
  pmml: "PMML",
  onnx: "ONNX",
};

function save(release: ModelRelease, name: ExportName): void {
  try {
    const { file, type, content } = exportModel(release, name);
    download(file, type, content);
    say(`${file} is saved.`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say(refusalSentence(error, error.field));
  }
}

export const exportButtons = (release: ModelRelease): TemplateResult =>
  html`<p class="buttons" role="group" aria-label="The model for other programs"><span class="aside">The model for other programs:</span>
    ${EXPORT_NAMES.map((name) => html`<button type="button" @click=${() => save(release, name)}>${TITLES[name]}</button>`)}</p>`;
