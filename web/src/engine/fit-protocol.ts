/** What the fit page asks its worker. No cell of a table is ever part of an answer, except levels that were asked for. */
import type {
  AlgorithmRanking,
  Evaluation,
  EvaluationPlan,
  EverydayPlan,
  EverydayRelease,
  EverydayRequest,
  FitOptions,
  FitRequest,
  KnownLoss,
  Ledger,
  OwnRow,
  PeopleLosses,
  PersonalLoss,
  Plan,
  PrivacyReport,
  Release,
  ReportOffer,
  Simulation,
  VisibleModel,
  VoteLoss,
} from "../../../wasm/contract.ts";
import type { EvaluationRequest } from "../../../wasm/model/evaluation-request.ts";
import type { DialectName } from "../../../wasm/table/dialects.ts";
import type { Format } from "../../../wasm/table/format.ts";
import type { ProposedLevels, Survey } from "../../../wasm/table/inspect.ts";
import type { Declared } from "../fit/declared.ts";
import type { Table } from "../fit/loaded.ts";
import type { ProbeResult, Way } from "./probe.ts";

export type Progress = Parameters<NonNullable<FitOptions["onProgress"]>>[0];
export type Told = (progress: Progress) => void;

/** What the worker can be asked; the last argument hears how far it is. */
export interface FitJobs {
  /** How the beginning of the file seems to be spelled. */
  look(table: Table): Promise<Format>;
  /** What is wrong with the table under what is declared so far. */
  survey(table: Table, format: Format, declared: Declared | undefined, told: Told): Promise<Survey>;
  levels(table: Table, format: Format, column: string, told: Told): Promise<ProposedLevels>;
  plan(request: unknown): Promise<Plan | EverydayPlan>;
  fit(table: Table, request: FitRequest | EverydayRequest, told: Told): Promise<Release | EverydayRelease>;
  /** The same model without noise, for the holder of the table only. */
  fitWithoutPrivacy(table: Table, request: FitRequest, told: Told): Promise<VisibleModel>;
  /** What the model of a release says of each row of a table, as CSV. */
  predict(release: Release, table: Table): Promise<string>;
  /** What it costs to tell how good the model of a release is. */
  planEvaluation(release: Release, asked: EvaluationRequest): Promise<EvaluationPlan>;
  /** How good it is on the rows of a table, paid for. */
  evaluate(release: Release, table: Table, asked: EvaluationRequest, told: Told): Promise<Evaluation>;
  /** What a release cost each row of its table, for the holder of the table only. */
  personalLosses(release: Release, table: Table, told: Told): Promise<PeopleLosses>;
  /** What its winners told of all who voted alike, for the holder of the table only. */
  votersLoss(release: Release, table: Table, told: Told): Promise<VoteLoss>;
  /** What it cost whoever has these values, in that table or not. */
  knownLoss(release: Release, table: Table, row: OwnRow, isMember: boolean): Promise<KnownLoss>;
  /** How one budget may be shared between a model and what is published beside it. */
  shareReport(request: FitRequest, offer: object): Promise<ReportOffer>;
  /** What may be published about a release: the table is read once more where more than the model is. */
  report(release: Release, table: Table | undefined, asked: unknown, told: Told): Promise<PrivacyReport>;
  /** What that says to somebody with these values. */
  personalLoss(report: PrivacyReport, row: OwnRow, isMember: boolean): Promise<PersonalLoss>;
  /** The error to expect of tables that are made up from guesses. */
  simulate(request: FitRequest, guesses: object, told: Told): Promise<Simulation>;
  /** Which algorithm errs least on such tables. */
  rankAlgorithms(request: FitRequest, guesses: object, told: Told): Promise<AlgorithmRanking>;
  /** What releases about the same people cost together, by the rule of their ledger. */
  ledger(ledger: object, delta: number): Promise<Ledger>;
  /** The query by which a database computes what a linear model needs. */
  statistics(request: FitRequest, from: string, dialect: DialectName): Promise<string>;
  /** Whether the browser refuses to send in that way from the worker. */
  probe(way: Way, address: string): Promise<ProbeResult>;
}

/** With which probability what is said of what came out may be wrong, of each row by itself. */
export const FAILURE = 1e-6;

export type FitJob = keyof FitJobs;
