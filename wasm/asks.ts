/**
 * Every question that has one answer as a value, once: from this table follow the batch, the command line and its help,
 * and what pages may ask their worker.
 */
import type { Calculator, Engine, Goe } from "./contract.ts";

/** What may stand in a question. A name means the same in every question. */
export const FIELDS = {
  description: "description",
  request: "request",
  table: "table",
  guesses: "value",
  offer: "value",
  release: "value",
  evaluation: "evaluation",
  report: "value",
  releases: "value",
  row: "value",
  question: "instance",
  numbers: "mechanism",
  ledger: "ledger",
  votes: "value",
  member: "flag",
  failure: "number",
  parameter: "text",
  events: "text",
  normalisation: "text",
  epsilons: "numbers",
  orders: "numbers",
  falsePositives: "numbers",
  epsilon: "number",
  delta: "number",
  group: "number",
  gap: "number",
  order: "number",
  prior: "number",
  exceptions: "number",
  measure: "text",
  falsePositive: "number",
  guess: "number",
  limit: "number",
  scale: "number",
  vote: "text",
  leastVotes: "number",
  leastVotesScale: "number",
  testEpsilon: "number",
  dimension: "number",
  x: "number",
  upperTail: "number",
  lowerTail: "number",
} as const satisfies Record<
  string,
  | "description"
  | "request"
  | "table"
  | "instance"
  | "mechanism"
  | "ledger"
  | "evaluation"
  | "value"
  | "flag"
  | "text"
  | "numbers"
  | "number"
>;

export type FieldName = keyof typeof FIELDS;

/** A question whose fields are known to be there; the engine checks what they hold. */
// biome-ignore lint/suspicious/noExplicitAny: values from outside, of any type
export type Fields = Readonly<Record<FieldName, any>>;

type CalculatorMethod = Exclude<keyof Calculator, "goe">;
export type Method =
  | CalculatorMethod
  | `goe.${keyof Goe}`
  | "plan"
  | "simulate"
  | "rankAlgorithms"
  | "fit"
  | "planEvaluation"
  | "evaluate"
  | "odometer"
  | "ledger"
  | "report"
  | "personalLoss"
  | "personalLosses"
  | "knownLoss"
  | "perInstance"
  | "mechanismNumbers"
  | "importEvents"
  | "shareReport"
  | "voteLoss"
  | "votersLoss";

export interface Entry {
  /** Of the engine. */
  readonly method: Method;
  readonly help: string;
  /** Asked of private fits, which a calculator has none of. */
  readonly fits?: true;
  /** Asked in a batch only: the command line has a command of its own for it. */
  readonly batchOnly?: true;
  /** What the command line calls it, where that is not its name with hyphens. */
  readonly command?: string;
  readonly needs: readonly FieldName[];
  /** All of them or none. */
  readonly together?: readonly FieldName[];
  /** Each by itself. */
  readonly may?: readonly FieldName[];
  /** What the method is given. */
  readonly given: (fields: Fields) => readonly unknown[];
  /** Lists that the answer repeats, so that it can be read by itself. */
  readonly repeats?: FieldName;
  /** What the method answers, as a value with names, where it has none. */
  readonly named?: string;
}

const OPTIONS = ["group", "gap"] as const;

/** The options that were given, and no others. */
const options = (fields: Fields) =>
  Object.fromEntries(
    OPTIONS.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
  );

/** About the profile of a description: at a level or at several, whose list the answer repeats. */
const ofProfile = (
  method: CalculatorMethod,
  field: "epsilon" | "delta" | "epsilons" | "falsePositives",
  help: string,
): Entry => ({
  method,
  help,
  needs: ["description", field],
  may: OPTIONS,
  given: (fields) => [fields.description, fields[field], options(fields)],
  ...(FIELDS[field] === "numbers" && { repeats: field }),
});

const atPlace = (method: Method, help: string): Entry => ({
  method,
  help,
  needs: ["dimension", "x"],
  may: ["normalisation"],
  given: (fields) => [fields.dimension, fields.x, fields],
});

const MEASURE_HELP =
  "posterior or event-posterior (prior, exceptions), predictive-value (prior, false-positive), reconstruction (guess), advantage, bayes-error (prior)";

/** The numbers that measures of risk take. */
const OF_MEASURES = ["prior", "exceptions", "falsePositive", "guess"] as const;

export const ASKS = {
  delta: ofProfile("delta", "epsilon", "δ at a privacy level ε"),
  epsilon: ofProfile("epsilon", "delta", "the smallest ε at a given δ"),
  profile: ofProfile("profile", "epsilons", "δ at many ε"),
  renyi: {
    method: "renyi",
    help: "Rényi divergence, rounded up",
    needs: ["description", "orders"],
    given: (fields) => [fields.description, fields.orders],
    repeats: "orders",
    named: "epsilons",
  },
  tradeOff: {
    ...ofProfile(
      "tradeOff",
      "falsePositives",
      "the best attacker's true-positive rate at false-positive rates",
    ),
    command: "tradeoff",
  },
  advantage: {
    method: "advantage",
    help: "the most by which an attacker's true positives exceed the false ones",
    needs: ["description"],
    may: OPTIONS,
    given: (fields) => [fields.description, options(fields)],
  },
  posterior: {
    method: "posterior",
    help: "what an attacker's suspicion (a prior) about one row can become, and exceed with that probability only",
    needs: ["description", "prior", "exceptions"],
    may: OPTIONS,
    given: (fields) => [fields.description, fields, options(fields)],
  },
  risk: {
    method: "risk",
    help: `what an attacker can reach by a measure: ${MEASURE_HELP}`,
    needs: ["description", "measure"],
    may: [...OF_MEASURES, ...OPTIONS],
    given: (fields) => [fields.description, fields, options(fields)],
  },
  calibrateRisk: {
    method: "calibrateRisk",
    help: "the least noisy value of a parameter that keeps such a measure at the limit or below (bayes-error: or above)",
    needs: ["description", "parameter", "measure", "limit"],
    may: OF_MEASURES,
    given: (fields) => [fields.description, fields.parameter, fields],
  },
  effectiveMu: ofProfile("effectiveMu", "epsilon", "the μ of the Gaussian mechanism with the same δ at ε"),
  gaussianCover: {
    method: "gaussianCover",
    help: "one μ for all tests whose error rates are both that rate or more, and how loose it is (the regret)",
    needs: ["description", "falsePositive"],
    may: OPTIONS,
    given: (fields) => [fields.description, fields, options(fields)],
  },
  calibrate: {
    method: "calibrate",
    help: "the least noisy value of a parameter that meets (ε, δ); where privacy does not move one way with it, the least near the one given: another may meet them with less noise. Refused where it is not known which way privacy moves with the parameter, such as the scale of truncated noise",
    needs: ["description", "parameter", "epsilon", "delta"],
    given: (fields) => [fields.description, fields.parameter, fields],
  },
  compare: {
    method: "compare",
    help: "the ε that other accountants report, or the value of a parameter that they would choose for (ε, δ)",
    needs: ["description", "delta"],
    together: ["parameter", "epsilon"],
    given: (fields) => [fields.description, fields],
  },
  goeQuantile: {
    method: "goe.quantile",
    help: "what the largest eigenvalue of a random symmetric matrix exceeds, or stays below, with one given probability",
    needs: ["dimension"],
    may: ["upperTail", "lowerTail", "normalisation"],
    given: (fields) => [fields.dimension, fields, fields],
  },
  goeLimitQuantile: {
    method: "goe.limitQuantile",
    help: "what the Tracy–Widom limit law would put in the place of that quantile, to compare with; not certified",
    needs: ["dimension", "upperTail"],
    may: ["normalisation"],
    given: (fields) => [fields.dimension, fields, fields],
    named: "value",
  },
  goeSurvival: atPlace("goe.survival", "the probability that it exceeds x"),
  goeLogSurvival: atPlace("goe.logSurvival", "the logarithm of that, however small"),
  goeCdf: atPlace("goe.cdf", "the probability that it is at most x"),
  goeDensity: atPlace("goe.density", "its probability density at x"),
  plan: {
    method: "plan",
    fits: true,
    help: "what a request for a private release would run and cost, without a table",
    needs: ["request"],
    given: (fields) => [fields.request],
  },
  simulate: {
    method: "simulate",
    fits: true,
    help: "the error to expect of it at several ε, from made-up tables with so many rows; more may be guessed",
    needs: ["request", "guesses"],
    given: (fields) => [fields.request, fields.guesses],
  },
  rankAlgorithms: {
    method: "rankAlgorithms",
    fits: true,
    help: "which algorithm errs least at its budget, on made-up tables with so many rows, as guessed and badly scaled",
    needs: ["request", "guesses"],
    given: (fields) => [fields.request, fields.guesses],
  },
  fit: {
    method: "fit",
    fits: true,
    batchOnly: true,
    help: "a private release of a table; for the command line a table is the path of a file",
    needs: ["table", "request"],
    given: (fields) => [fields.table, fields.request],
  },
  planEvaluation: {
    method: "planEvaluation",
    fits: true,
    batchOnly: true,
    help: "what an evaluation of a released model would cost: by itself, and together with the release",
    needs: ["release", "evaluation"],
    given: (fields) => [fields.release, fields.evaluation],
  },
  evaluate: {
    method: "evaluate",
    fits: true,
    batchOnly: true,
    help: "how good a released model is on the rows of a table, paid for: accuracy, ROC, AUC, calibration, or errors",
    needs: ["release", "table", "evaluation"],
    given: (fields) => [fields.release, fields.table, fields.evaluation],
  },
  odometer: {
    method: "odometer",
    fits: true,
    batchOnly: true,
    help: "what pure releases cost together after the fact, where what came out decides what some of them cost",
    needs: ["releases"],
    given: (fields) => [fields.releases],
  },
  ledger: {
    method: "ledger",
    fits: true,
    help: "what releases cost that were chosen by earlier answers within a budget, and which of them fit it; or were planned",
    needs: ["ledger"],
    may: ["delta", ...OPTIONS],
    given: (fields) => [fields.ledger, fields.delta, options(fields)],
  },
  voteLoss: {
    method: "voteLoss",
    fits: true,
    help: "what winners by normal noise told of the voters of the very table: numbers of votes for each question; confidential",
    needs: ["votes", "scale", "delta"],
    may: ["vote", "leastVotes", "leastVotesScale", "testEpsilon"],
    given: ({ votes, scale, delta, vote, leastVotes, leastVotesScale, testEpsilon }) => [
      votes,
      { scale, delta, vote, leastVotes, leastVotesScale, testEpsilon },
    ],
  },
  votersLoss: {
    method: "votersLoss",
    fits: true,
    batchOnly: true,
    help: "the same of a release of votes, by its table; confidential, as the table is",
    needs: ["release", "table"],
    may: ["testEpsilon"],
    given: ({ release, table, testEpsilon }) => [release, table, { testEpsilon }],
  },
  shareReport: {
    method: "shareReport",
    fits: true,
    help: "how a budget may be shared between a model and a report on it, and what a typical person would be told",
    needs: ["request", "offer"],
    given: (fields) => [fields.request, fields.offer],
  },
  report: {
    method: "report",
    fits: true,
    batchOnly: true,
    help: "a report on a release that may be published; the table is needed where more than the model is published",
    needs: ["release"],
    may: ["request", "table"],
    given: (fields) => [fields.release, fields.table, fields.request],
  },
  personalLoss: {
    method: "personalLoss",
    fits: true,
    batchOnly: true,
    help: "what a report says to whoever has that row, who is in the table or (member: false) not",
    needs: ["report", "row"],
    may: ["member"],
    given: (fields) => [fields.report, fields.row, fields.member],
  },
  personalLosses: {
    method: "personalLosses",
    fits: true,
    batchOnly: true,
    help: "what a release cost each row of its table, at an order by Rényi divergences too, with a failure what came out told; confidential, as the table is",
    needs: ["release", "table"],
    may: ["order", "failure"],
    given: ({ release, table, order, failure }) => [release, table, { order, failure }],
  },
  knownLoss: {
    method: "knownLoss",
    fits: true,
    batchOnly: true,
    help: "what a release cost whoever has that row, or those rows, by its very table: in it or (member: false) not; confidential",
    needs: ["release", "table", "row"],
    may: ["member", "failure"],
    given: ({ release, table, row, member, failure }) => [release, table, row, { member, failure }],
  },
  perInstance: {
    method: "perInstance",
    fits: true,
    help: "what a mechanism costs or told one record, from numbers alone: leverages, pairs, outcomes, bounds",
    needs: ["question"],
    given: (fields) => [fields.question],
  },
  mechanismNumbers: {
    method: "mechanismNumbers",
    fits: true,
    help: "what a mechanism is made of, from numbers alone: tests, votes, noise that is taken back, sensitivities",
    needs: ["numbers"],
    given: (fields) => [fields.numbers],
  },
  import: {
    method: "importEvents",
    fits: true,
    help: "the description of an event of dp_accounting as Python prints it, or of the history or the state_dict() of an accountant of Opacus",
    needs: ["events"],
    given: (fields) => [fields.events],
    named: "description",
  },
  catalogue: {
    method: "catalogue",
    help: "every mechanism and parameter",
    needs: [],
    given: () => [],
  },
} as const satisfies Record<string, Entry>;

export type Ask = keyof typeof ASKS;

export const entryOfAsk = (ask: Ask): Entry => ASKS[ask];

export const asks = Object.keys(ASKS) as Ask[];

/** With hyphens, as options and commands are spelled. */
export const spelled = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What a method of the engine answers to that. */
export function call(engine: Calculator | Engine, method: Method, given: readonly unknown[]): unknown {
  const inner = method.startsWith("goe.");
  const room = inner ? engine.goe : engine;
  const name = inner ? method.slice("goe.".length) : method;
  return Reflect.apply(Reflect.get(room, name), room, given);
}
