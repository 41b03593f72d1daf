/** Released statistics: plain sentences, pictures, tables with intervals, and ways to take them along. */
import { html, nothing, type TemplateResult } from "lit";
import type { EverydayRelease } from "../../../../wasm/contract.ts";
import { say } from "../../elements/status.ts";
import type { Entry } from "../../fit/ledger.ts";
import { download } from "../../share/download.ts";
import { plainJson } from "../../share/json.ts";
import { statisticsCsv } from "../../share/statistics-csv.ts";
import { protectedWords } from "../../words/fit.ts";
import { format } from "../../words/numbers.ts";
import { ABOUT_INTERVALS, resultTitle, sentencesOf } from "../../words/statistic-results.ts";
import { LightElement } from "../light-element.ts";
import { pictureOf } from "./statistic-pictures.ts";
import { tableOf } from "./statistic-tables.ts";

const FORMS = {
  JSON: {
    file: "release.json",
    type: "application/json",
    text: (one: EverydayRelease) => `${plainJson(one)}\n`,
  },
  CSV: { file: "statistics.csv", type: "text/csv", text: statisticsCsv },
} as const;
type FormName = keyof typeof FORMS;

export class FitEveryday extends LightElement {
  static override properties = { entry: { attribute: false }, copied: { state: true } };
  declare entry: Entry<EverydayRelease> | undefined;
  declare private copied: FormName | "";

  constructor() {
    super();
    this.copied = "";
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("entry")) this.copied = "";
  }

  private async copy(release: EverydayRelease, name: FormName): Promise<void> {
    try {
      await navigator.clipboard.writeText(FORMS[name].text(release));
      this.copied = name;
      say("Copied");
    } catch {
      say("The browser did not allow copying: download it instead.");
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    const { entry } = this;
    if (!entry) return nothing;
    const { release, paid, title } = entry;
    const price = release.private
      ? html`<p class="level">It cost <strong>ε ≤ ${format(paid.epsilon.upper, 6, "up")}</strong> at δ = ${format(paid.delta, 6, "up")},
          ${protectedWords(release)}, for all of it together.</p>`
      : html`<p class="level"><strong class="demonstration">Demonstration, not private</strong>: everybody can repeat this noise and take it off.</p>`;
    return html`<h2 tabindex="-1">The statistics of <bdi>${title}</bdi></h2>
      ${price}
      <p class="aside">${ABOUT_INTERVALS}</p>
      ${release.results.map(
        (result, i) => html`<section class="statistic"><h3>${resultTitle(result)}</h3>
          ${sentencesOf(result).map((sentence) => html`<p>${sentence}</p>`)}
          ${pictureOf(result, release, i)}${tableOf(result)}</section>`,
      )}
      <p class="buttons">${(Object.keys(FORMS) as FormName[]).map((name) => this.taking(release, name))}</p>`;
  }

  private taking(release: EverydayRelease, name: FormName): TemplateResult {
    const { file, type, text } = FORMS[name];
    return html`<button type="button" @click=${() => download(file, type, text(release))}>${
      name === "JSON" ? "Download the release" : "Download as CSV"
    }</button>
      <button type="button" @click=${() => this.copy(release, name)}>${this.copied === name ? "Copied" : `Copy as ${name}`}</button>`;
  }
}
