/** Which algorithm errs least? All of them on the same made-up tables: what is proposed, why, and a way to take it. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { AlgorithmRanking, FitRequest, RankedAlgorithm } from "../../../../wasm/contract.ts";
import { requestToRun } from "../../../../wasm/release/fit-request.ts";
import { say } from "../../elements/status.ts";
import type { Told } from "../../engine/fit-protocol.ts";
import { Cancelled } from "../../engine/worker-client.ts";
import { algorithmWords } from "../../words/fit.ts";
import { format } from "../../words/numbers.ts";
import { CORNER_WORDS, errorWords, proposal, triedWords } from "../../words/ranking.ts";
import { GUESSES, isAsked } from "./forecast.ts";
import { GuessFields } from "./guess-fields.ts";
import { ProgressElement } from "./progress-element.ts";
import { progressBar, type Running } from "./run.ts";

/** A table in the middle of everything: the badly scaled one is looked at in any case. */
const GUESSED = {
  ...GUESSES,
  offCentre: { ...GUESSES.offCentre, usual: "0" },
  conditioning: { ...GUESSES.conditioning, usual: "1" },
} as const;

const COMPARED = ["numeric", "count", "classes", "multiclass"];

const isCompared = ({ table: { label } }: FitRequest) => COMPARED.includes(label?.use ?? "");

/** All but the algorithm. */
const subject = ({ table, budget }: FitRequest) => JSON.stringify([table, budget]);

/** An algorithm and what of it was tried. */
const subjectOf = (algorithm: FitRequest["algorithm"]) => algorithm.name + triedWords({ algorithm });

export class FitRanking extends ProgressElement {
  static override properties = {
    request: { attribute: false },
    running: { state: true },
    ranking: { state: true },
    fault: { state: true },
  };
  /** What is asked for, where it is whole, keeps a budget and is for a model. */
  declare request: FitRequest | undefined;
  rank: ((request: FitRequest, guesses: object, told: Told) => Promise<AlgorithmRanking>) | undefined;
  /** Takes an algorithm over into the form. */
  use: ((algorithm: FitRequest["algorithm"]) => void) | undefined;
  cancel: (() => void) | undefined;
  declare private running: Running | undefined;
  declare private ranking: AlgorithmRanking | undefined;
  declare private fault: string;
  /** What the ranking is about. */
  private about = "";
  private readonly guesses = new GuessFields(this, "rank", GUESSED);

  constructor() {
    super();
    this.fault = "";
  }

  protected override willUpdate(changed: PropertyValues): void {
    const { request } = this;
    if (!changed.has("request") || !request) return;
    this.guesses.follow(request);
    if (subject(request) !== this.about) this.ranking = undefined;
  }

  private async run(): Promise<void> {
    const { request } = this;
    if (!request) return;
    this.fault = "";
    this.about = subject(request);
    try {
      const guesses = this.guesses.values();
      this.running = { progress: undefined };
      this.ranking = await this.rank?.(request, guesses, (progress) => {
        this.running = { progress };
      });
      if (this.ranking) say(proposal(this.ranking));
    } catch (error) {
      if (!(error instanceof Cancelled))
        this.fault = this.guesses.sentence(error, "The comparison stopped: ");
    }
    this.running = undefined;
  }

  protected override render(): TemplateResult {
    return html`<details class="more"><summary>Which algorithm errs least?</summary>${this.inside()}</details>`;
  }

  private inside(): TemplateResult {
    const { request, fault, ranking } = this;
    const intro = html`<p>All algorithms for such a model are fitted with this budget to the same tables, made up from your guesses, and to badly scaled ones
      besides. Your table is not touched, so it costs nothing; it is as right as the guesses, and nothing about it is certified.</p>`;
    if (!request || !isCompared(request))
      return html`${intro}<p class="aside">It needs all that is still to be answered above, and an ε to keep; nothing but models of numbers, of counts and of classes can be compared.</p>`;
    return html`${intro}${this.guesses.view((key) => isAsked(key, request))}
      ${
        this.running
          ? progressBar(this.running.progress, () => this.cancel?.())
          : html`<p class="buttons"><button type="button" @click=${this.run}>Compare them</button></p>`
      }
      ${fault ? html`<p class="error" role="alert">${fault}</p>` : nothing}
      ${ranking ? this.result(ranking, request) : nothing}`;
  }

  private result(ranking: AlgorithmRanking, request: FitRequest): TemplateResult {
    const { algorithms, leftOut, measure, budget, corners, guesses } = ranking;
    const { algorithm } = requestToRun(request);
    const row = (one: RankedAlgorithm) => {
      const { title } = algorithmWords(one.algorithm.name);
      const take = () => {
        this.use?.(one.algorithm);
        say(`${title} is chosen.`);
      };
      const isChosen = subjectOf(one.algorithm) === subjectOf(algorithm);
      return html`<tr><th scope="row">${title} <span class="aside">${triedWords(one)}</span><br />
          ${isChosen ? html`<span class="aside">chosen</span>` : html`<button type="button" class="link" aria-label="Use ${title}" @click=${take}>use it</button>`}</th>
        ${one.corners.map((at) => html`<td>${errorWords(at)}</td>`)}</tr>`;
    };
    return html`<p class="proposal">${proposal(ranking)}</p>
      <div class="scroll" tabindex="0" role="region" aria-label="Algorithms"><table class="coefficients">
        <thead><tr><th scope="col">At ε = ${format(budget.epsilon)}, δ = ${format(budget.delta)}</th>${corners.map((_, i) => html`<th scope="col">${CORNER_WORDS[i]}</th>`)}</tr></thead>
        <tbody>${algorithms.map(row)}</tbody></table></div>
      <p class="aside">The ${measure}, the mean of ${guesses.tables} tables of ${guesses.rows} rows each, ± two standard errors. Tied: no more than two standard errors of the
        difference behind the least, on the same tables.${
          leftOut.length > 0
            ? ` Left out, because the same promise is not theirs: ${leftOut.map(({ name }) => algorithmWords(name).title).join("; ")}.`
            : nothing
        }</p>`;
  }
}
