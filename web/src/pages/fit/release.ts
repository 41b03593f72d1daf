/** What came out: the coefficients in the units of the table, what they cost, a picture. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import type {
  ClassModel,
  Evaluation,
  ExPostLoss,
  ModelRelease,
  Release,
  Simulation,
  VisibleModel,
} from "../../../../wasm/contract.ts";
import { lossOf } from "../../../../wasm/release/algorithms.ts";
import { effects } from "../../charts/effects.ts";
import { effectsFigure, largest, MOST_ROWS } from "../../charts/effects-figure.ts";
import { INHERITED, PAPER } from "../../charts/figure.ts";
import { expectedError, type Forecast } from "../../fit/forecast.ts";
import type { Entry } from "../../fit/ledger.ts";
import { isModel, predicts, raised, resultOf, rowCount } from "../../fit/outputs.ts";
import { SAMPLES, type SampleName } from "../../fit/samples.ts";
import { download } from "../../share/download.ts";
import { plainJson } from "../../share/json.ts";
import { algorithmWords, parameterWords, protectedWords, subjectWords } from "../../words/fit.ts";
import { noIntervals } from "../../words/fit-intervals.ts";
import { featureNames, refusedByTest, resultWord } from "../../words/fit-outputs.ts";
import { format, grouped } from "../../words/numbers.ts";
import { percent } from "../../words/share.ts";
import { tuningWinner } from "../../words/tuning.ts";
import { LightElement } from "../light-element.ts";
import { type Ask, type Asking, asking, askingView, UNWANTED } from "./asking.ts";
import { classTable } from "./class-table.ts";
import type { FitExports } from "./exports.ts";
import { outputPart, spectrumPart } from "./outputs.ts";

/** A longer table is a fold. */
const MOST_OPEN = 12;

const WIDTHS = { wide: 1040, narrow: 350 } as const;

const SCALES: Readonly<Record<string, string>> = {
  logistic: "log odds of",
  poisson: "logarithm of the expected",
};

/** What a prediction is in. */
function unitOf({ request }: Release): string {
  const { label } = request.table;
  const scale = SCALES[lossOf(request.algorithm) ?? ""];
  const what = label?.use === "classes" ? `“${label.levels[1]}”` : subjectWords(request.table);
  return scale ? `${scale} ${what}` : `units of ${what}`;
}

const hasLevels = ({ coefficients }: ModelRelease) =>
  coefficients.terms.some(({ level }) => level !== undefined);

export class FitRelease extends LightElement {
  static override properties = {
    entry: { attribute: false },
    sample: { attribute: false },
    forecast: { attribute: false },
    comparison: { state: true },
    evaluations: { state: true },
  };
  declare entry: Entry<Release> | undefined;
  declare sample: SampleName | undefined;
  /** The last simulation, whatever it was about. */
  declare forecast: Forecast | undefined;
  /** The same model without privacy. */
  declare private comparison: Asking<VisibleModel>;
  /** How good it was found to be; saved with it. */
  declare private evaluations: readonly Evaluation[];
  /** Fits the table of the entry without privacy. */
  fitWithoutPrivacy: Ask<VisibleModel>;
  cancel: (() => void) | undefined;
  predict: FitExports["predict"];

  constructor() {
    super();
    this.comparison = UNWANTED;
    this.evaluations = [];
  }

  /** What was told of such a release belongs to it from then on. */
  evaluated(release: Release, evaluation: Evaluation): void {
    if (release === this.entry?.release) this.evaluations = [...this.evaluations, evaluation];
  }

  /** What was ticked for one table is not ticked for the next. Samples are nobody's data. */
  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("entry")) return;
    this.comparison = UNWANTED;
    this.evaluations = [];
    if (this.sample && this.entry && predicts(this.entry.release)) this.compare();
  }

  private compare(): Promise<void> {
    const { entry } = this;
    return asking(this.fitWithoutPrivacy, (comparison) => {
      if (entry === this.entry) this.comparison = comparison;
    });
  }

  protected override render(): TemplateResult | typeof nothing {
    const { entry, evaluations } = this;
    if (!entry) return nothing;
    const { release, offer, paid } = entry;
    const saved = evaluations.length > 0 ? { ...release, evaluations } : release;
    const { epsilon, delta } = paid;
    const winner = tuningWinner(release);
    const price = release.private
      ? release.exPost
        ? afterTheFact(release, release.exPost)
        : html`<p class="level">It cost <strong>ε ≤ ${format(epsilon.upper, 6, "up")}</strong> at δ = ${format(delta, 6, "up")},
          ${protectedWords(release)}; ${algorithmWords(release.request.algorithm.name).title}${
            offer ? `, with what is published beside it for ${percent(offer.share)} of the budget` : nothing
          }.</p>`
      : html`<p class="level"><strong class="demonstration">Demonstration, not private</strong>: everybody can repeat this noise and take it off.</p>`;
    return html`<h2 tabindex="-1">The ${resultWord(release.result)} of <bdi>${subjectWords(release.request.table)}</bdi>, from <bdi>${entry.title}</bdi></h2>
      ${price}${winner === undefined ? nothing : html`<p class="level">${winner}</p>`}${aboutRows(release)}${
        isModel(release)
          ? this.model(release)
          : release.classes
            ? this.classes(release, release.classes)
            : otherwise(release)
      }
      <p class="buttons">
        <button type="button" @click=${() => download("release.json", "application/json", `${plainJson(saved)}\n`)}>Download the release</button>
        ${isModel(release) ? html`<button type="button" @click=${() => this.save(release)}>Save the picture</button>` : nothing}
      </p>${predicts(release) ? html`<fit-exports .release=${release} .predict=${this.predict}></fit-exports>` : nothing}`;
  }

  private model(release: ModelRelease): TemplateResult {
    return html`${this.expected(release)}${this.picture(release)}${this.table(release)}${aboutIntervals(release)}${this.comparing()}`;
  }

  private classes(release: Release, classes: readonly ClassModel[]): TemplateResult {
    const { comparison } = this;
    const exact =
      comparison.state === "found" && !("terms" in comparison.found) ? comparison.found : undefined;
    const rough =
      release.request.algorithm.name === "approximate-minima-perturbation"
        ? "Each class was fitted against the rest: which one is the likeliest is meant, how likely only roughly. "
        : "";
    return html`${this.expected(release)}${classTable(classes, exact)}<p class="aside">${rough}${noIntervals(release)}</p>${this.comparing()}`;
  }

  private expected(release: Release): TemplateResult | typeof nothing {
    const expected = this.forecast && expectedError(this.forecast, release.request);
    if (!expected) return nothing;
    const { measure, guesses, error, standardError, best, constant } = expected;
    return html`<p class="expected">Expected error, as simulated from your guesses and not measured on this table: <strong>${measure}
      ${format(error, 3)}</strong> ± ${format(2 * standardError, 2, "up")}, where saying the same of everybody has ${format(constant, 3)} and
      nothing has less than ${format(best, 3)}. Guessed: ${guessed(guesses)}.</p>`;
  }

  private save(release: ModelRelease): void {
    const svg = effectsFigure(effects(release, this.sample), unitOf(release), 720, PAPER);
    download("model.svg", "image/svg+xml", svg);
  }

  private picture(release: ModelRelease): TemplateResult {
    const all = effects(release, this.sample);
    const more = all.length - largest(all).length;
    const unit = unitOf(release);
    return html`<figure class="effects">
      <figcaption>What moves the prediction: the change from one end of each declared range to the other${
        hasLevels(release) ? ", and from the average of a column’s levels to each of them" : ""
      }${
        more > 0 ? `; the largest ${MOST_ROWS} of ${all.length}` : ""
      }.${this.sample ? " Upright marks: what the sample was made with." : ""}</figcaption>
      <div class="wide">${unsafeHTML(effectsFigure(all, unit, WIDTHS.wide, INHERITED))}</div>
      <div class="phone">${unsafeHTML(effectsFigure(all, unit, WIDTHS.narrow, INHERITED))}</div>
    </figure>`;
  }

  private comparing(): TemplateResult | typeof nothing {
    const { comparison, sample } = this;
    const told = askingView(comparison, "Without privacy there is no model", this.cancel);
    if (sample || comparison.state === "asked") return told;
    const ticked = (event: Event) => {
      if ((event.target as HTMLInputElement).checked) this.compare();
      else this.comparison = UNWANTED;
    };
    return html`<p><label class="pick"><input type="checkbox" id="fit-compare" autocomplete="off"
        .checked=${comparison.state === "found"} @change=${ticked} />
        <span>Show the model without privacy beside it</span></label></p>
      <p class="aside">Fitted to the same rows without noise, and hardly regularised. Only for whoever may see the table: it tells about everybody in it, and ε covers
        neither that nor what you choose after having seen it. It stays on this screen, out of every download, picture and copy.</p>${told}`;
  }

  private table(release: ModelRelease): TemplateResult {
    const { intercept, terms } = release.coefficients;
    const { privacyNoise, sampling } = release.intervals;
    const truths: Readonly<Record<string, number>> = this.sample ? SAMPLES[this.sample].truth : {};
    const margin = (width: number | undefined) =>
      width === undefined ? nothing : html`<td>± ${format(width, 3, "up")}</td>`;
    const { comparison } = this;
    const exact = comparison.state === "found" && "terms" in comparison.found ? comparison.found : undefined;
    type Numbers = readonly (number | undefined)[];
    const row = (name: unknown, coefficient: number, widths: Numbers, without?: number, truth?: number) =>
      html`<tr><th scope="row">${name}</th><td>${format(coefficient, 5)}</td>${widths.map(margin)}
        ${without === undefined ? nothing : html`<td>${format(without, 5)}</td>`}
        ${this.sample ? html`<td>${truth === undefined ? "" : format(truth, 5)}</td>` : nothing}</tr>`;
    const rows = terms.map(({ column, level, coefficient }, i) => {
      const name = level === undefined ? column : html`${column} <span class="aside">${level}</span>`;
      const known = level === undefined && Object.hasOwn(truths, column) ? truths[column] : undefined;
      const without = exact?.terms[i]?.coefficient;
      return row(name, coefficient, [privacyNoise?.terms[i], sampling?.terms[i]], without, known);
    });
    return html`<details class="more" ?open=${rows.length <= MOST_OPEN || exact !== undefined}><summary>Coefficients, in the units of the table</summary>
      <div class="scroll" tabindex="0" role="region" aria-label="Coefficients"><table class="coefficients">
        <thead><tr><th scope="col">Term</th><th scope="col">Coefficient</th>
          ${privacyNoise ? html`<th scope="col">Privacy noise, 95 %</th>` : nothing}
          ${sampling ? html`<th scope="col">Sampling, 95 %</th>` : nothing}
          ${exact ? html`<th scope="col">Without privacy</th>` : nothing}
          ${this.sample ? html`<th scope="col">Made with</th>` : nothing}</tr></thead>
        <tbody>${row("intercept", intercept, [privacyNoise?.intercept, sampling?.intercept], exact?.intercept)}${rows}</tbody>
      </table></div></details>`;
  }
}

/** What a simulation was told, and what it took for granted. */
const guessed = ({ rows, explained, spread, offCentre, conditioning }: Simulation["guesses"]) =>
  `${grouped(rows)} rows, columns that explain ${format(100 * explained, 3)} % of the label, numbers spread by ${format(spread, 3)} and off the middle by
  ${format(offCentre, 3)} of half their ranges, the widest direction ${format(conditioning, 3)} times the narrowest`;

function otherwise(release: Release): TemplateResult | typeof nothing {
  if (release.outcome === "refused-by-test") return html`<p>${refusedByTest(release)}</p>`;
  const output = resultOf(release);
  const { table } = release.request;
  const subject = { of: subjectWords(table), features: table.label ? [] : featureNames(table) };
  return html`${output ? outputPart(output, subject) : nothing}${spectrumPart(release)}`;
}

/** What it cost by what came out, which is no ordinary price, and that beside it. */
function afterTheFact(release: Release, loss: ExPostLoss): TemplateResult {
  const shown = (epsilon: number) => format(epsilon, 6, "up");
  const level = release.outputs.find(({ name }) => name === "level")?.values[0];
  return html`<p class="level">It cost, <strong class="ex-post">ex post</strong>, <strong>ε ≤ ${shown(loss.epsilon)}</strong>,
      ${protectedWords(release)}; ${algorithmWords(release.request.algorithm.name).title}.</p>
    <p class="aside">${shown(loss.testing)} for the tests and ${shown(loss.model)} for model ${level} of ${release.parameters.levels}, which was the first to pass. Ex post means: what came
      out is at most e^ε times as likely of one of two neighbouring tables as of the other. Before the run only ε ≤ ${shown(release.epsilon.upper)} was
      promised; that is an ordinary price, and this is not.</p>`;
}

/** Where a parameter was typed and is not what was used. */
function aboutRows(release: Release): TemplateResult | typeof nothing {
  const rows = rowCount(release);
  const all = raised(release);
  if (rows === undefined || all.length === 0) return nothing;
  const used = all.map(
    (one) =>
      `${parameterWords(one.name).symbol ?? one.name} = ${format(one.used, 3, "up")} was used instead of ${format(one.planned, 3)}`,
  );
  return html`<p class="aside">The table has more rows than were guessed, by a noisy number that ε paid for: ${grouped(Math.max(0, Math.round(rows)))}. So
      ${used.join(", ")}.</p>`;
}

/** The two sorts of intervals are never mixed, and none is shown that the release does not support. */
function aboutIntervals(release: ModelRelease): TemplateResult {
  const { privacyNoise, sampling } = release.intervals;
  const levels = hasLevels(release)
    ? " What all levels of a column share could stand in the intercept as well: only differences between levels mean something."
    : "";
  if (!privacyNoise) return html`<p class="aside">${noIntervals(release)}${levels}</p>`;
  return html`<p class="aside">± and the pale bars are for the <em>privacy noise</em>: with probability 95 %${
    privacyNoise.law === "exact" ? "" : ", to first order,"
  } such an interval holds what this algorithm would have released without noise, with the same regularisation: that draws coefficients towards 0, and the model
    without privacy has next to none. They say nothing about <em>sampling</em>: ${
      sampling
        ? html`its own column is for that, for another table of the same kind, roughly, from the noisy sums.`
        : "for that, this release holds nothing that an interval could be computed from."
    }${levels}</p>`;
}
