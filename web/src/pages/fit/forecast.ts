/** What error to expect at which ε, from guesses and no table: a simulation that costs nothing. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import type { FitRequest, Simulation } from "../../../../wasm/contract.ts";
import { errorFigure } from "../../charts/error-figure.ts";
import { INHERITED } from "../../charts/figure.ts";
import type { Progress } from "../../engine/fit-protocol.ts";
import { Cancelled } from "../../engine/worker-client.ts";
import { type Forecast, levelsWith } from "../../fit/forecast.ts";
import { format } from "../../words/numbers.ts";
import { GuessFields } from "./guess-fields.ts";
import { ProgressElement } from "./progress-element.ts";
import { progressBar, type Running } from "./run.ts";

const SIZES = { wide: { width: 1040, height: 380 }, narrow: { width: 350, height: 280 } } as const;

/** What the engine guesses itself may be left as it stands; how many rows there will be may not. */
export const GUESSES = {
  rows: { title: "rows of the table to come", usual: "" },
  explained: { title: "share of the label that the columns explain", usual: "0.5" },
  spread: { title: "spread of each number, as a share of half its range", usual: "0.3" },
  offCentre: { title: "how far its mean is off the middle, as a share of half the range", usual: "0.6" },
  conditioning: { title: "widest direction of the table over its narrowest", usual: "100" },
  correlation: { title: "correlation of any two columns", usual: "0.2" },
  positives: { title: "share of rows in the second class", usual: "0.5" },
} as const;

export const isAsked = (key: string, { table }: FitRequest) =>
  key !== "positives" || table.label?.use === "classes";

export class FitForecast extends ProgressElement {
  static override properties = {
    request: { attribute: false },
    result: {},
    running: { state: true },
    found: { state: true },
    fault: { state: true },
  };

  /** What is asked for, where it is whole and keeps a budget. */
  declare request: FitRequest | undefined;
  /** What would be released instead of a model; empty where it is one. */
  declare result: string | undefined;
  simulate:
    | ((request: FitRequest, guesses: object, told: (progress: Progress) => void) => Promise<Simulation>)
    | undefined;
  cancel: (() => void) | undefined;
  private readonly guesses = new GuessFields(this, "guess", GUESSES);
  declare private running: Running | undefined;
  declare private found: Forecast | undefined;
  declare private fault: string;

  constructor() {
    super();
    this.fault = "";
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("request") && this.request) this.guesses.follow(this.request);
  }

  private async run(): Promise<void> {
    const { request } = this;
    if (!request) return;
    this.fault = "";
    try {
      const guesses = { ...this.guesses.values(), epsilons: levelsWith(request.budget.epsilon) };
      this.running = { progress: undefined };
      const told = (progress: Progress) => {
        this.running = { progress };
      };
      const simulation = await this.simulate?.(request, guesses, told);
      if (simulation) {
        this.found = { simulation, request };
        this.dispatchEvent(new CustomEvent<Forecast>("forecast", { detail: this.found }));
      }
    } catch (error) {
      if (!(error instanceof Cancelled))
        this.fault = this.guesses.sentence(error, "The simulation stopped: ");
    }
    this.running = undefined;
  }

  protected override render(): TemplateResult {
    const intro = html`<p>Tables are made up from your guesses, fitted privately again and again, and each model is tried on fresh rows. No row of your
      table is touched, so it costs nothing; it is as right as the guesses, and nothing about it is certified. Guess from what is known about such
      tables, not from this one. All fields but the first hold guesses already: those of a badly scaled table, to promise rather too little; a table
      in the middle of its ranges whose columns are unrelated (0 and 1 in the two fields after the spread) does better.</p>`;
    const { request } = this;
    if (this.result)
      return html`<p class="aside">Only models are simulated: what would be released here is ${this.result}.</p>`;
    if (!request)
      return html`${intro}<p class="aside">It needs all that is still to be answered above, an ε to keep included.</p>`;
    return html`${intro}${this.guesses.view((key) => isAsked(key, request))}
      ${
        this.running
          ? progressBar(this.running.progress, () => this.cancel?.())
          : html`<p class="buttons"><button type="button" @click=${this.run}>Simulate</button></p>`
      }
      ${this.fault === "" ? nothing : html`<p class="error" role="alert">${this.fault}</p>`}
      ${this.found ? shown(this.found.simulation, this.found.request.budget.epsilon) : nothing}`;
  }
}

function shown(simulation: Simulation, epsilon: number | undefined): TemplateResult {
  const row = ({ epsilon: at, error, standardError }: Simulation["points"][number]) =>
    html`<tr><th scope="row">${format(at, 4)}</th><td>${format(error, 3)}</td><td>±\u00a0${format(2 * standardError, 2, "up")}</td></tr>`;
  const draw = (size: { width: number; height: number }) =>
    unsafeHTML(errorFigure(simulation, epsilon, size, INHERITED));
  return html`<figure class="effects">
      <figcaption>Simulated ${simulation.measure}, mean of ${simulation.guesses.tables} made-up tables of ${simulation.guesses.rows} rows. Pale bars: two
        standard errors.${epsilon === undefined ? nothing : " Dotted: the ε that you keep."}</figcaption>
      <div class="wide">${draw(SIZES.wide)}</div><div class="phone">${draw(SIZES.narrow)}</div>
    </figure>
    <details class="more"><summary>The same as a table</summary>
      <table class="coefficients"><thead><tr><th scope="col">ε</th><th scope="col">${simulation.measure}</th><th scope="col">two standard errors</th></tr></thead>
        <tbody>${simulation.points.map(row)}</tbody></table></details>`;
}
