/** The engine: the same file for page, worker and Node. What a calculator is asked, and private fits. */
import create, { type FullDoor } from "../build/wasm/full.mjs";
import type {
  Engine,
  EverydayPlan,
  EverydayRelease,
  FitOptions,
  InstanceQuestion,
  LedgerQuestion,
  MechanismQuestion,
  Options,
  PeopleOptions,
  PersonOptions,
  Plan,
  Release,
  Source,
  Statistics,
  VotersOptions,
} from "./contract.ts";
import { CalculatorEngine } from "./engine/calculator-engine.ts";
import { importEvents } from "./engine/import-events.ts";
import { EverydayEngine } from "./everyday/everyday-engine.ts";
import { type EverydayRequest, isEveryday } from "./everyday/everyday-request.ts";
import { EvaluationEngine } from "./model/evaluate.ts";
import { predict } from "./model/predict.ts";
import { FitEngine } from "./release/fit.ts";
import { LedgerEngine } from "./release/ledger.ts";
import { inNumbers } from "./report/in-numbers.ts";
import { INSTANCE } from "./report/instance-question.ts";
import { MECHANISM } from "./report/mechanism-question.ts";
import { ReportEngine } from "./report/report.ts";
import { voteLoss } from "./report/votes.ts";

export * from "./contract.ts";
export { KINDS, NEIGHBOURS } from "./engine/catalogue.ts";
export { validate } from "./engine/description.ts";
export { Refusal } from "./engine/refusal.ts";
export { type Exported, exportModel } from "./model/export.ts";
export { fitSchema } from "./release/fit-request.ts";
export { checkLedgerFile, type LedgerFile } from "./release/ledger-question.ts";
export { type Skeleton, type SkeletonOptions, skeleton } from "./release/skeleton.ts";

class LocalEngine extends CalculatorEngine implements Engine {
  readonly #core: FullDoor;
  readonly #fit: FitEngine;
  readonly #everyday: EverydayEngine;
  readonly #report: ReportEngine;

  constructor(core: FullDoor) {
    super(core);
    this.#core = core;
    this.#fit = new FitEngine(core);
    this.#everyday = new EverydayEngine(core);
    this.#report = new ReportEngine(core);
  }

  plan(request: EverydayRequest): EverydayPlan;
  plan(request: unknown): Plan;
  plan(request: unknown) {
    return isEveryday(request) ? this.#everyday.plan(request) : this.#fit.plan(request);
  }

  simulate(request: unknown, guesses: unknown, options?: FitOptions) {
    return this.#fit.simulate(request, guesses, options);
  }

  rankAlgorithms(request: unknown, guesses: unknown, options?: FitOptions) {
    return this.#fit.rankAlgorithms(request, guesses, options);
  }

  fit(table: Source, request: EverydayRequest, options?: FitOptions): Promise<EverydayRelease>;
  fit(table: Source | Statistics, request: unknown, options?: FitOptions): Promise<Release>;
  fit(table: Source | Statistics, request: unknown, options?: FitOptions) {
    return isEveryday(request)
      ? this.#everyday.release(table, request, options)
      : this.#fit.fit(table, request, options);
  }

  fitWithoutPrivacy(table: Source, request: unknown, options?: FitOptions) {
    return this.#fit.fitWithoutPrivacy(table, request, options);
  }

  predict(release: unknown, table: Source, options?: FitOptions) {
    return predict(release, table, options);
  }

  planEvaluation(release: unknown, evaluation: unknown) {
    return new EvaluationEngine(this, this.#core).plan(release, evaluation);
  }

  evaluate(release: unknown, table: Source, evaluation: unknown, options?: FitOptions) {
    return new EvaluationEngine(this, this.#core).evaluate(release, table, evaluation, options);
  }

  report(release: Release, table: Source | undefined, request?: unknown, options?: FitOptions) {
    return this.#report.make(release, table, request, options);
  }

  personalLosses(release: Release, table: Source, options?: PeopleOptions) {
    return this.#report.people(release, table, options);
  }

  knownLoss(release: Release, table: Source, row: unknown, options?: PersonOptions) {
    return this.#report.person(release, table, row, options);
  }

  personalLoss(report: unknown, row: unknown, isMember?: boolean) {
    return this.#report.read(report, row, isMember);
  }

  perInstance(question: InstanceQuestion) {
    return inNumbers(this.#core, "question", INSTANCE, question);
  }

  mechanismNumbers(numbers: MechanismQuestion) {
    return inNumbers(this.#core, "numbers", MECHANISM, numbers);
  }

  odometer(releases: readonly (Plan | Release)[]) {
    return this.#fit.odometer(releases);
  }

  ledger(ledger: LedgerQuestion, delta?: number, options?: Options) {
    return new LedgerEngine(this, this.#core).read(ledger, delta, options);
  }

  voteLoss(votes: unknown, told: Parameters<Engine["voteLoss"]>[1]) {
    return voteLoss(this.#core, votes, told);
  }

  votersLoss(release: Release, table: Source, options?: VotersOptions) {
    return this.#report.voters(release, table, options);
  }

  importEvents(events: string) {
    return importEvents(events);
  }

  shareReport(request: unknown, offer: unknown) {
    return this.#report.offer(request, offer);
  }
}

/** Starts the engine: compiles the WebAssembly that is part of this file. */
export async function open(): Promise<Engine> {
  return new LocalEngine(await create());
}
