/**
 * What an evaluation told: errors; or of two classes the confusion at a threshold that can be moved, ROC curve and
 * calibration; or of several that of the likeliest.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import type { Evaluation, Release } from "../../../../wasm/contract.ts";
import type {
  ClassMeasures,
  ConfusionMeasures,
  Measure,
  NumberMeasures,
  Reliability,
} from "../../../../wasm/model/measures.ts";
import type { View } from "../../charts/axes.ts";
import { calibrationFigure, rocFigure } from "../../charts/evaluation-figures.ts";
import { INHERITED } from "../../charts/figure.ts";
import { say } from "../../elements/status.ts";
import {
  calibrationPoints,
  confusionAt,
  confusionOf,
  middleEdge,
  type NoisyCount,
  rocPoints,
} from "../../fit/evaluation.ts";
import {
  ABOUT_INTERVALS,
  confusionWords,
  type MeasureRow,
  measureRow,
  noisyCount,
  ON_FITTED_ROWS,
} from "../../words/evaluation.ts";
import { format, grouped } from "../../words/numbers.ts";
import { LightElement } from "../light-element.ts";

const VIEWS = { wide: { width: 490, height: 400 }, phone: { width: 350, height: 320 } } as const;

export class FitMeasures extends LightElement {
  static override properties = {
    evaluation: { attribute: false },
    release: { attribute: false },
    isFitted: { attribute: false },
    edge: { state: true },
  };
  declare evaluation: Evaluation | undefined;
  declare release: Release | undefined;
  /** Whether the model was fitted to the same rows. */
  declare isFitted: boolean;
  /** The place of the threshold among the edges of the bins. */
  declare private edge: number;

  protected override willUpdate(changed: PropertyValues): void {
    const measures = this.evaluation?.measures;
    if (changed.has("evaluation") && measures?.measured === "classes") this.edge = middleEdge(measures);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { evaluation, release, isFitted } = this;
    if (!evaluation || !release) return nothing;
    const { measures } = evaluation;
    return html`${
      measures.measured === "classes"
        ? this.classes(evaluation, measures, release)
        : measures.measured === "confusion"
          ? severalClasses(measures, evaluation.sigma)
          : numbers(measures, release)
    }<p class="aside">${ABOUT_INTERVALS} ${isFitted ? ON_FITTED_ROWS : nothing}</p>`;
  }

  private classes(evaluation: Evaluation, measures: ClassMeasures, release: Release): TemplateResult {
    const { edge } = this;
    const { edges, thresholds, auc } = measures;
    const names = classesIn(release);
    const at = thresholds[edge];
    const confusion = confusionAt(evaluation, edge);
    const moved = (event: Event) => {
      this.edge = Number((event.target as HTMLInputElement).value);
    };
    const settled = () => confusion && say(confusionWords(confusion, names));
    const what = edges[0] === 0 ? "a probability" : "a score";
    const from =
      edge === 0
        ? "always"
        : edge === edges.length - 1
          ? "never"
          : `from ${what} of ${format(edges[edge] ?? 0, 4)}`;
    return html`<p class="sharing"><label for="evaluation-threshold">Say “${names[1]}” ${from}</label>
        <input type="range" id="evaluation-threshold" min="0" max=${edges.length - 1} step="1" autocomplete="off" .value=${String(edge)}
          aria-valuetext=${from} @input=${moved} @change=${settled} /></p>
      ${
        confusion
          ? confused(names, [
              [confusion.trueNegatives, confusion.falsePositives],
              [confusion.falseNegatives, confusion.truePositives],
            ])
          : nothing
      }
      ${table([
        measureRow("accuracy: told right", at?.accuracy ?? null),
        measureRow(`of “${names[1]}”, told right (true-positive rate)`, at?.truePositiveRate ?? null),
        measureRow(`of “${names[0]}”, told wrong (false-positive rate)`, at?.falsePositiveRate ?? null),
        measureRow("area under the ROC curve (AUC)", auc),
      ])}
      ${this.figures(measures)}`;
  }

  private figures(measures: ClassMeasures): TemplateResult {
    const roc = rocPoints(measures);
    const calibration = calibrationPoints(measures);
    if (roc.length === 0)
      return html`<p>The noise hides how many rows there are of either class: with more rows, or a larger ε, there would be a ROC curve here.</p>`;
    return figure(
      "ROC curve, the threshold marked, and calibration: of the rows with about such a prediction, the share that is of the second class.",
      (view) => [
        rocFigure(roc, this.edge, view, INHERITED),
        calibrationFigure(calibration, endsOf(measures), "share of the second class", view, INHERITED),
      ],
    );
  }
}

const endsOf = ({ edges }: Reliability) => [edges[0], edges.at(-1)] as [number, number];

function figure(caption: string, drawn: (view: View) => readonly string[]): TemplateResult {
  const svg = (view: View) => drawn(view).map((one) => unsafeHTML(one));
  return html`<figure class="persons">
      <figcaption class="aside">${caption} Pale: intervals for these rows. Thin lines: for such rows. Bins of which the noise says too little are left
        out.</figcaption>
      <div class="wide">${svg(VIEWS.wide)}</div>
      <div class="phone">${svg(VIEWS.phone)}</div>
    </figure>`;
}

function classesIn({ request: { table } }: Release): readonly [string, string] {
  const { label } = table;
  return label?.use === "classes" ? [label.levels[0] as string, label.levels[1] as string] : ["", ""];
}

/** Of each class, the rows that are taken for each; those told right stand out. */
function confused(names: readonly string[], counts: readonly (readonly NoisyCount[])[]): TemplateResult {
  const cell = (count: NoisyCount, isRight: boolean) =>
    html`<td>${isRight ? html`<strong>${noisyCount(count)}</strong>` : noisyCount(count)}</td>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Confusion"><table class="coefficients">
      <thead><tr><th scope="col">Rows, ± the noise in 95 %</th>${names.map((name) => html`<th scope="col">said “${name}”</th>`)}</tr></thead>
      <tbody>${counts.map(
        (row, i) =>
          html`<tr><th scope="row">is “${names[i]}”</th>${row.map((count, k) => cell(count, i === k))}</tr>`,
      )}</tbody>
    </table></div>`;
}

function severalClasses(measures: ConfusionMeasures, sigma: number): TemplateResult {
  const { classes, accuracy, recalls, precisions, edges, calibration } = measures;
  const each = (words: (name: string) => string, all: readonly (Measure | null)[]) =>
    classes.map((name, k) => measureRow(words(name), all[k] ?? null));
  return html`${confused(classes, confusionOf(measures, sigma))}
    ${table([
      measureRow("accuracy: told right", accuracy),
      ...each((name) => `of “${name}”, told right (recall)`, recalls),
      ...each((name) => `said “${name}”, and right (precision)`, precisions),
    ])}
    ${edges && calibration ? reliable({ edges, calibration }) : nothing}`;
}

function reliable(told: Reliability): TemplateResult {
  const points = calibrationPoints(told);
  if (points.length === 0)
    return html`<p>The noise hides how many rows there are in every bin: with more rows, fewer bins, or a larger ε, there would be a calibration here.</p>`;
  return figure(
    "Calibration: of the rows whose likeliest class is said to be about so likely, the share that is of it.",
    (view) => [calibrationFigure(points, endsOf(told), "share told right", view, INHERITED)],
  );
}

function numbers(measures: NumberMeasures, { request }: Release): TemplateResult {
  const { rows, errorBound, rootMeanSquaredError, meanAbsoluteError } = measures;
  return html`${table([
    measureRow("root mean squared error", rootMeanSquaredError),
    measureRow("mean absolute error", meanAbsoluteError),
  ])}
    <p class="aside">In units of ${request.table.label?.name}, of about ${grouped(Math.max(0, Math.round(rows)))} rows. Errors beyond ${format(errorBound, 4)} count as that.</p>`;
}

function table(rows: readonly MeasureRow[]): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Measures"><table class="coefficients">
      <thead><tr><th scope="col">Measure</th><th scope="col">Value</th><th scope="col">These rows, 95 %</th><th scope="col">Such rows, 95 %</th></tr></thead>
      <tbody>${rows.map(
        ({ name, value, table: rowsOwn, population }) =>
          html`<tr><th scope="row">${name}</th><td>${value}</td><td>${rowsOwn}</td><td>${population}</td></tr>`,
      )}</tbody></table></div>`;
}
