/**
 * The public contract: what a question looks like and what an answer looks like, in every place where
 * Epsilometer can be asked (page, worker, Node, command line, widgets). Names are stable; later versions only add.
 */
import type { Description, Kind, KindEntry, Neighbours } from "./engine/catalogue.ts";
import type { EverydayRequest } from "./everyday/everyday-request.ts";
import type { EvaluationRequest } from "./model/evaluation-request.ts";
import type { Measures } from "./model/measures.ts";
import type { FitRequest } from "./release/fit-request.ts";
import type { Guesses, RankingGuesses } from "./release/guesses.ts";
import type { LedgerQuestion } from "./release/ledger-question.ts";
import type { PrivacyReport } from "./report/document.ts";
import type { InstanceQuestion } from "./report/instance-question.ts";
import type { MechanismQuestion } from "./report/mechanism-question.ts";
import type { ClassModel, OriginalModel } from "./table/features.ts";
import type { Source } from "./table/source.ts";

export type {
  ClassModel,
  Description,
  EverydayRequest,
  FitRequest,
  Guesses,
  InstanceQuestion,
  Kind,
  KindEntry,
  LedgerQuestion,
  MechanismQuestion,
  Neighbours,
  OriginalModel,
  PrivacyReport,
  Source,
};

/**
 * - `exact`: lower and upper differ only by rounding, and the truth lies between them.
 * - `certified`: a proven interval that contains the truth.
 * - `bound`: only `upper` is a guarantee; `lower` is what some mechanism of that description costs, or 0.
 */
export type AnswerKind = "exact" | "certified" | "bound";

export interface Interval {
  readonly lower: number;
  readonly upper: number;
}

/** What every answer says beside its numbers. */
export interface Provenance {
  readonly kind: AnswerKind;
  readonly neighbours: Neighbours;
  /** Author, year and theorem of the formula that gave the upper end. */
  readonly source: string;
  /** What must be known of how records are sampled for the answer to be true of a program. */
  readonly notes?: readonly string[];
}

export interface Answer extends Interval, Provenance {}

export interface Curve extends Provenance {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/**
 * `lower` and `upper` bracket the true-positive rate of the best attacker (his power) at each
 * false-positive rate. `falseNegatives` is the same curve as f-differential privacy draws it,
 * 1 − power: the trade-off function of Dong, Roth and Su (2019), with `lower` its safe end.
 */
export interface TradeOff extends Curve {
  readonly falseNegatives: { readonly lower: Float64Array; readonly upper: Float64Array };
}

/** An attacker's suspicion before the release, and how rarely what is said about it may fail. */
export interface Suspicion {
  /** That the release is about one of two neighbouring tables, and not about the other: from 1e-100 to 1 - 1e-15. */
  readonly prior: number;
  /** A probability from 1e-100 to 1. */
  readonly exceptions: number;
}

/**
 * What a suspicion can become, for the worse of the two tables, and also for whatever is computed from the release; each
 * `upper` is the safe end.
 */
export interface Posterior extends Provenance {
  /** Given any event of probability `exceptions`, before anybody knows whether the suspicion is right. */
  readonly event: Interval;
  /** Exceeded at most with probability `exceptions` when the suspicion is right. */
  readonly right: Interval;
  /** The same when it is wrong. */
  readonly wrong: Interval;
}

/**
 * What an attacker can reach, as one number: a true-positive rate, a probability or a gain. T is the power of the best test
 * at a false-positive rate, p the `prior`. Every measure holds for whatever is computed from the release, too.
 *
 * - `posterior`: what the suspicion p exceeds with probability at most `exceptions` when it is right: `right` of a
 *   `Posterior`. What it exceeds with that probability in all, or when it is wrong, is never more.
 * - `event-posterior`: the suspicion given any event of probability `exceptions`.
 * - `predictive-value`: p T(x) / (p T(x) + (1 − p) x), how often an accusation is right, of every test with a false-positive
 *   rate of x = `falsePositive` or more.
 * - `reconstruction`: T(`guess`), how likely a record is rebuilt that without the release nobody guesses with a larger
 *   probability than `guess` (Hayes, Mahloujifar and Balle 2023).
 * - `advantage`: the most by which true positives exceed false ones.
 * - `bayes-error`: how often the best decision about the suspicion is wrong (the Bayes risk). Here `lower` is the
 *   safe end, of all others `upper`.
 *
 * `prior` lies in [1e-100, 1 - 1e-15], the others in [1e-100, 1].
 */
export type Risk =
  | {
      readonly measure: "posterior" | "event-posterior";
      readonly prior: number;
      readonly exceptions: number;
    }
  | { readonly measure: "predictive-value"; readonly prior: number; readonly falsePositive: number }
  | { readonly measure: "reconstruction"; readonly guess: number }
  | { readonly measure: "advantage" }
  | { readonly measure: "bayes-error"; readonly prior: number };

/**
 * The risk is to be `limit` at most (at least, for `bayes-error`): more than an attacker has without a release, which is the
 * prior, the guess or, for `advantage`, 0, and less than 1; for `bayes-error` above 0 and below min(p, 1 − p).
 */
export type RiskTarget = Risk & { readonly limit: number };

/**
 * The Gaussian mechanism N(0, 1) against N(mu, 1) that is at most as private, wherever a test's false positives and false
 * negatives both have the asked rate or more.
 */
export interface GaussianCover extends Provenance {
  /** `upper` is the guarantee. */
  readonly mu: Interval;
  /**
   * How loose `mu.upper` is, no safety margin: the least k with T(x + k) + k ≥ T_μ(x) for every false-positive rate x
   * (Gomez et al. 2025).
   */
  readonly regret: Interval;
}

export interface Target {
  /** The promise to keep: δ(epsilon) ≤ delta. */
  readonly epsilon: number;
  readonly delta: number;
}

/** A value of a parameter that keeps what was asked for. */
interface Found extends Provenance {
  /**
   * A value of the parameter that keeps the promise: up to rounding the least noisy one within the parameter's range,
   * 0 or not below 1e-100. Where privacy does not move one way with the parameter, the value found depends on the one that
   * was given: it keeps the promise, but another may keep it with less noise.
   */
  readonly value: number;
  /**
   * The nearest value that certifiably breaks it: next to `value` for an exact kind, further off where only bounds
   * are known. Null when no value in range certifiably does.
   */
  readonly insufficient: number | null;
  /**
   * From this value on every more private one is proven to keep the promise. It is `value` itself, so that rounding
   * towards privacy is safe, except where privacy does not move one way with the parameter (discrete Gaussian noise with
   * few integers within its reach): then it lies further on, or is null where no such value could be proven, and `value`
   * must be used to the last digit.
   */
  readonly lasting: number | null;
  /** The whole description with the value put in. */
  readonly description: Description;
}

export interface Calibration extends Found {
  /** ε at the target's δ for the returned value: `upper` never exceeds the target. */
  readonly epsilon: Interval;
}

/** `lasting` is null wherever privacy does not move one way with the parameter. */
export interface RiskCalibration extends Found {
  /** The risk at the returned value: its safe end keeps the limit. */
  readonly risk: Interval;
}

/** One accountant's view of the same question. */
export interface Comparison {
  readonly accountant: "exact" | "renyi" | "zcdp" | "textbook" | "published" | "lower-bound";
  readonly source: string;
  /** The ε that this accountant claims at the asked δ (or the asked ε, when a parameter was calibrated). */
  readonly claimed: number;
  /** With a calibration target: the value that this accountant would choose for the parameter. */
  readonly value: number | null;
  /** What the release really costs. */
  readonly actual: Interval;
  /** The claim is certifiably below the truth: the promise is broken. */
  readonly broken: boolean;
}

export interface Options {
  /**
   * The privacy of a group: neighbouring tables differ in this many records, a whole number from 1 (the default) to
   * 1000. The worst tables there are for Gaussian losses, Poisson-sampled or not (up to 16 records of samples); tight
   * for what is known by its profile alone otherwise (Dong, Roth and Su 2019).
   */
  readonly group?: number;
  /** How wide a certified interval may be, relative to ε: from 1e-6 to 0.1, by default 1e-4. */
  readonly gap?: number;
}

/**
 * A number with its accuracy: `value` is right to a few units in its last place where the tail allows it, and the truth
 * lies between `lower` and `upper`, whose distance is a multiple of the largest rounding error measured.
 */
export interface Estimate extends Interval {
  readonly value: number;
  readonly kind: AnswerKind;
  /** Author and year of the method. */
  readonly source: string;
}

export interface GoeOptions {
  /**
   * The variance of the elements off the diagonal; on it the variance is twice that. `one` (the default) is
   * G = (Z + Zᵀ)/√2 with a spectrum that ends near 2√d, `half` is (Z + Zᵀ)/2, which ends near √(2d).
   */
  readonly normalisation?: "one" | "half";
}

export type Tail = { readonly upperTail: number } | { readonly lowerTail: number };

/**
 * The largest eigenvalue of a random symmetric matrix of the Gaussian orthogonal ensemble, for every `dimension` from
 * 1 to 100 000 and every `x` from -1e9 to 1e9.
 */
export interface Goe {
  /** The probability that it is at most `x`, to 1e-14 (1e-13 above dimension 1000). */
  cdf(dimension: number, x: number, options?: GoeOptions): Estimate;
  /** The probability that it exceeds `x`, to 13 significant digits (12 above dimension 500), however small. */
  survival(dimension: number, x: number, options?: GoeOptions): Estimate;
  /** The natural logarithm of `survival`, also where that is too small for a number. */
  logSurvival(dimension: number, x: number, options?: GoeOptions): Estimate;
  /** The probability density at `x`. */
  density(dimension: number, x: number, options?: GoeOptions): Estimate;
  /**
   * What it exceeds with probability `upperTail` (1e-290 to 1 - 1e-12), or stays below with probability `lowerTail`
   * (1e-12 to 1 - 1e-15). `upper` is the safe end of a bound that must hold with the asked probability.
   */
  quantile(dimension: number, tail: Tail, options?: GoeOptions): Estimate;
  /**
   * What the limit law of Tracy and Widom would put in the place of that quantile: an approximation to compare with, of
   * which nothing is certified.
   */
  limitQuantile(dimension: number, tail: { readonly upperTail: number }, options?: GoeOptions): number;
}

/**
 * What the numbers of an output are:
 *
 * - `coefficients`: of a linear predictor, one for each feature.
 * - `symmetric-matrix`: the lower triangle by rows. `matrix`: by rows. `vector`, `number`.
 * - `counts`: of rows in bins.
 * - `row-count`: a number of all rows.
 * - `path`: where the steps of a descent took their gradients, one point after the other.
 * - `class-coefficients`: of a linear predictor for each class; for each feature one for each class. What is added to all
 *   of a feature alike changes no probability: they add up to 0.
 * - `parameter`: a number of the run that follows from what was released before, so that no plan knows it.
 */
export type OutputKind =
  | "coefficients"
  | "symmetric-matrix"
  | "matrix"
  | "vector"
  | "number"
  | "counts"
  | "row-count"
  | "parameter"
  | "labels"
  | "path"
  | "class-coefficients";

export interface OutputType {
  readonly name: string;
  readonly kind: OutputKind;
  /** Of the array that the values are; empty for a single number. */
  readonly shape: readonly number[];
}

/** Of features and labels as the model has them, noise included. */
export interface Output extends OutputType {
  readonly values: readonly number[];
  /** Of counts of labels: where each bin begins and the last one ends, in the units of the table. */
  readonly edges?: readonly number[] | undefined;
  /**
   * Of `labels`: the classes that values are places among, from 0; −1 is a question that was left open. Of
   * `class-coefficients`: the classes.
   */
  readonly levels?: readonly string[] | undefined;
  /** Of `labels`: the questions that the values answer. */
  readonly questions?: readonly string[] | undefined;
}

/** What a private fit would run, and what it would cost; no table is needed to know. */
export interface Plan {
  /** False when the request has a seed: then anybody can take the noise off again, whatever the price says. */
  readonly private: boolean;
  readonly description: Description;
  /** The price at `delta`, for all rows of whoever is protected. */
  readonly epsilon: Answer;
  readonly delta: number;
  /** Public numbers of the run, such as sigma and lambda. */
  readonly parameters: Readonly<Record<string, number>>;
  /** What the release will be for. */
  readonly result: OutputType;
  /** Whether `sums` over the rows are all that it needs of a table, such as `statisticsQuery` asks for. */
  readonly needs: "sums" | "rows";
  /** What was asked, with what was left out put in. */
  readonly request: FitRequest;
  /**
   * Of what single persons are told: whether `personalLosses` answers for the `rows` of the table, and whether there is a
   * `report` for everybody else, or `votersLoss` for those who voted. A release may have less than its plan, where it was
   * refused by a test.
   */
  readonly persons: { readonly rows: boolean; readonly report: boolean; readonly votes: boolean };
  /**
   * There where what comes out decides what it cost: then `epsilon` is what it costs at most, an ordinary price, and the
   * release says what it did cost, which is a guarantee of another kind.
   */
  readonly guarantee?: "ex-post" | undefined;
}

/**
 * A guarantee after the fact (Ligett, Neel, Roth, Waggoner and Wu 2017, Definition 2.3): for the very output o and all
 * neighbouring tables, log p(o) / p′(o) is at most `epsilon`. It is no ε of differential privacy, and is never added to
 * one but by `odometer`.
 */
export interface ExPostLoss {
  readonly kind: "ex-post";
  /** Rounded up, for all rows of whoever is protected: `testing` and `model` together. */
  readonly epsilon: number;
  /** Of the tests, however many there were; of the released model and all that were tested before it. */
  readonly testing: number;
  readonly model: number;
  readonly neighbours: Neighbours;
  readonly source: string;
}

/** What several pure releases cost the same people together, after the fact and before it. */
export interface Odometer {
  readonly kind: "ex-post";
  /** What came out told at most this. */
  readonly spent: number;
  /** What might have come out could have told at most this: an ordinary ε, at δ = 0. */
  readonly worst: number;
  readonly neighbours: Neighbours;
}

/** What adds up by the rule, each under its own name, and `delta` beside it. */
export type LedgerSum = Readonly<Partial<Record<"mu" | "rho" | "epsilon" | "rounds", number>>> & {
  readonly delta: number;
};

/** What releases cost the same people together. */
export interface Ledger {
  /**
   * - `plan`: all of them were fixed before the first answer: their composition.
   * - `ex-post`: the same, and beside it what came out told: a guarantee of another kind, of pure releases only.
   * - `gdp`, `zcdp`, `renyi`, `approximate`: each was chosen by the answers before it, within the budget that was fixed
   *   before the first: what the budget costs, whatever was chosen.
   * - `menu`: at most so many rounds, in each of which one mechanism of a menu was chosen by the answers before it.
   */
  readonly rule: LedgerQuestion["rule"];
  /** The guarantee, at `delta`, for whoever has the most rows. */
  readonly epsilon: Answer;
  readonly delta: number;
  /** By the rule `ex-post`. */
  readonly exPost?: Odometer;
  /** What each entry takes of the budget, rounded up, and whether it certainly fits: one that does not must not be run, and is not counted. */
  readonly entries?: readonly { readonly cost: LedgerSum; readonly fits: boolean }[];
  /** Bookkeeping, rounded against whoever spends; no price of what was run so far. */
  readonly spent?: LedgerSum;
  readonly left?: LedgerSum;
}

/** The mean over some runs, and the standard error of that mean. */
export interface Average {
  readonly error: number;
  readonly standardError: number;
}

/** What a private model of made-up tables was wrong by. As right as its guesses; nothing about it is certified. */
export interface Simulation {
  readonly kind: "simulation";
  /** On fresh rows; a root mean squared error is in the units of the label, of predictions clamped to its range. */
  readonly measure: "share of wrong classes" | "root mean squared error";
  readonly points: readonly (Average & { readonly epsilon: number })[];
  /** Of the best answer that looks at no column: a model that is no better is useless. */
  readonly constant: Average;
  /** Of the model that made the labels: on average, no model is better. */
  readonly best: Average;
  /** What was guessed, with what was left out put in. */
  readonly guesses: Guesses;
}

/** One of several algorithms that were fitted to the same made-up tables. */
export interface RankedAlgorithm {
  /** As it was asked, without the noise that was found for the budget. */
  readonly algorithm: FitRequest["algorithm"];
  /** Of what a model could gain over the same answer for all: the part that it loses beside the least wrong one, at the worse corner. */
  readonly lost: number;
  /** On tables as guessed, and on badly scaled ones. */
  readonly corners: readonly (Average & {
    /** How much more it errs than the least wrong one there, on the same tables; tied within two standard errors. */
    readonly behind: Average & { readonly isTied: boolean };
  })[];
}

/** Which algorithm errs least, before there is a table. As right as its guesses; nothing about it is certified. */
export interface AlgorithmRanking {
  readonly kind: "simulation";
  readonly measure: Simulation["measure"];
  /** That all of them keep. */
  readonly budget: { readonly epsilon: number; readonly delta: number };
  /** By what they lose at the worse corner: the first is proposed. */
  readonly algorithms: readonly RankedAlgorithm[];
  /** Tables as guessed, and badly scaled ones. */
  readonly corners: readonly {
    readonly offCentre: number;
    readonly conditioning: number;
    readonly constant: Average;
    readonly best: Average;
  }[];
  /** Those of the same loss that do not keep the same promise. */
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
  /** What was guessed, with what was left out put in. */
  readonly guesses: RankingGuesses;
}

/** Half-widths around the coefficients of a release, in the same order and in the units of the table. */
export interface Margins {
  /**
   * - `exact`: by the law of the noise itself, normal or, of a sketch, Student's.
   * - `first-order`: by how noisy products and moments move a solution, to first order.
   * - `plug-in`: by noisy estimates as if they were the truth; of a sketch of k rows they are off by about √(2/k) of
   *   themselves.
   */
  readonly law: "exact" | "first-order" | "plug-in";
  readonly intercept: number;
  readonly terms: readonly number[];
}

/**
 * Each coefficient by itself is within its margin with probability `level`. A margin is absent where it would have to be
 * read off the table, and where the noise hides some combination of the features, as it does when the levels of a column
 * are all declared and add up to the intercept.
 */
export interface Intervals {
  readonly level: number;
  /**
   * What the algorithm's noise may have done: the distance to the coefficients that it would give without noise, with the
   * regularisation that it used and after shortening rows. Says nothing about other tables.
   */
  readonly privacyNoise?: Margins | undefined;
  /**
   * What chance may have done when the rows were drawn: the distance of the coefficients without noise to those of the
   * linear model from which labels of equal variance came. Not contained in `privacyNoise`; variances of both add.
   */
  readonly sampling?: Margins | undefined;
  /**
   * Why there is no `privacyNoise`: `not-told`, its law depends on the table, or what would tell it was not released;
   * `hidden`, the noise hides some combination of the features; `too-many`, more than 1000 coefficients.
   */
  readonly unknown?: "not-told" | "hidden" | "too-many" | undefined;
}

/** A private release. Everything in it is public, or paid for by `description`: nothing else is told of the table. */
export interface Release extends Plan {
  /**
   * There where what was released on the way did not allow the `result`: it is not among the outputs, and the budget is
   * spent all the same.
   */
  readonly outcome?: "refused-by-test" | undefined;
  /** All that was released, in no other place but for the four keys below, which say parts of it in other words. */
  readonly outputs: readonly Output[];
  /** Of the output that is `coefficients`, in the units of the table; absent where the release has none. */
  readonly coefficients?: OriginalModel | undefined;
  /** Of the output that is `class-coefficients`: a predictor for each class, of which softmax makes probabilities. */
  readonly classes?: readonly ClassModel[] | undefined;
  /** Of `coefficients`, or of `classes`, which have none so far: `unknown` says why. */
  readonly intervals?: Intervals | undefined;
  /** What this very release cost, where its guarantee is of that kind. */
  readonly exPost?: ExPostLoss | undefined;
  /**
   * The values of all other outputs by their names: what was released on the way, its noise included, of features and labels as the model has them: d features from -1 to
   * 1, divided by √m for m columns, the intercept last; numeric labels from -1 to 1. `gram`: XᵀX, the lower triangle by
   * rows, d (d + 1) / 2 numbers; `cross`: Xᵀy, d numbers; one number each: `square`, yᵀy; `ridge`, what was added to the
   * diagonal of `gram`; `eigenvalue`, the smallest of XᵀX; and of a sketch, whose products sum up as those of the table
   * and its noise, `residualVariance`, the sum of the squares that its fit leaves, `sketchSigma`, its noise where that was chosen by the
   * `eigenvalue` or by whether that `passed` a test (1 or 0), and `sketch`, its rows of features and label one after the
   * other. `eigenvalues`, from the largest, of the noisy `gram`, with `eigenvaluesAtLeast` and `eigenvaluesAtMost`, between
   * which those of XᵀX lie, all at once with probability 0.95; `covariance`, of the features around their mean, with the same
   * three, on the same event; `directions`, the main ones, a row each; `projection` onto a subspace, `projectionSigma`, the
   * noise of an entry off its diagonal, and `gap`, of the eigenvalues beside it, with `gapAtLeast`, below which it is with
   * probability `failure` at most. `rows`, how many the table has, where noise, λ or the sizes of numbers depend on it; `lambda`, what was used by it
   * or by the `eigenvalue`; of a tuned algorithm, `score`, the noisy one of the run that won, and `candidate`, its place in
   * `request.tune.candidates`. Only some algorithms release any.
   */
  readonly released: Readonly<Record<string, readonly number[]>>;
}

/** Upper bounds that are functions of the votes, but for `plainEpsilon`, and an estimate of a test of them. */
export interface VoteNumbers {
  /** Of all questions together: the Rényi divergence of that order, the one at which `epsilon` is least. */
  readonly order: number;
  readonly renyi: number;
  /** At δ, of these very winners against those of any neighbouring table, not the other way around. */
  readonly epsilon: number;
  /** What every table is promised, exactly, rounded up: the only one of these numbers that may be published. */
  readonly plainEpsilon: number;
  /** To publish the first would take a noisy test; what that would cost altogether, as its noise falls in the middle. */
  readonly testedOrder: number;
  readonly smoothSensitivity: number;
  readonly testedEpsilon: number;
}

/** What a vote with normal noise cost the voters of the very table, for whoever may see it. */
export interface VoteLoss extends VoteNumbers {
  readonly confidential: true;
  /** Of a release: false where its noise was a demonstration's, and protects nobody. */
  readonly private?: boolean;
  readonly delta: number;
  /** Where a voter votes for another class, or takes part or not. */
  readonly neighbours: Neighbours;
  /** What the numbers may be used for, and which of them is better here. */
  readonly use: string;
  readonly source: string;
}

/** A model without privacy: what of a release is `coefficients`, or `classes` of several. */
export type VisibleModel = OriginalModel | readonly ClassModel[];

/** A release whose `result` is `coefficients`. */
export interface ModelRelease extends Release {
  readonly coefficients: OriginalModel;
  readonly intervals: Intervals;
}

/**
 * What a linear model needs of a table, computed elsewhere: the answer to the query of `statisticsQuery`, or a list of
 * such answers for the parts of a table.
 */
export interface Statistics {
  readonly statistics: unknown;
}

/** What a released model says of each row of a table. */
export interface Predictions {
  /**
   * A `value` in the units of the label, the `mean` of a count, the `probability` of the second class, or the `score` of a
   * model that was fitted to the classes as to the numbers -1 and 1: above 0 it is the second class; or `probabilities` of several
   * classes.
   */
  readonly predicted: "value" | "mean" | "probability" | "score" | "probabilities";
  readonly classes: readonly string[] | undefined;
  /** Of each row, of `probabilities` one for each class, row after row; NaN where the row lacks a value and nothing was declared to stand for it. */
  readonly values: Float64Array;
}

/** What an evaluation of a released model would run and cost, without a table. */
export interface EvaluationPlan {
  /** False where a seed was given, or the release is a demonstration: then noise protects nobody. */
  readonly private: boolean;
  readonly description: Description;
  /** What it costs by itself, at `delta`. */
  readonly epsilon: Answer;
  readonly delta: number;
  /** Of each noisy number. */
  readonly sigma: number;
  /** What it costs together with the release of the model, at `delta`: rows may be in both tables. */
  readonly together: { readonly description: Description; readonly epsilon: Answer };
  /** What was asked, with what was left out put in. */
  readonly request: EvaluationRequest;
}

/** How good a released model is on the rows of a table, with noise that is paid for. */
export interface Evaluation extends EvaluationPlan {
  /** Of scores of two classes, as `predict` tells them, of what rows of several are taken for, and how surely, or of errors of numbers. */
  readonly measures: Measures;
}

/** Contains the number that the very rows of the table have, as they were clamped, with that probability. */
export interface EverydayInterval extends Interval {
  readonly covers: "table";
  readonly level: number;
}

/** A number with its interval; null where the noise may be most of what it would be divided by. */
interface EverydayNumber {
  readonly value: number | null;
  readonly interval: EverydayInterval | null;
}

/** A column of numbers, or one level of a category: 1 in the rows that have it, 0 in all others. */
export interface OfColumn {
  readonly column: string;
  readonly level?: string;
}

/** Rows and columns of a matrix. */
interface OfColumns {
  readonly columns: readonly string[];
  /** Of each of those the level, null of numbers; where there are levels. */
  readonly levels?: readonly (string | null)[];
}

export interface EverydayColumn extends EverydayNumber, OfColumn {}

/** What an entry of a request for everyday numbers will be worth, in the units of the table. */
export type EverydayPlanned = {
  /** Of the budget, as squares of μ add up; numbers of moments share one. */
  readonly share: number;
} & (
  | { readonly of: "count"; readonly deviation: number }
  | {
      readonly of: "sums";
      readonly columns: readonly (OfColumn & { readonly deviation: number })[];
    }
  /** To be divided by a guess of the number of rows; for means near the middle of the range. */
  | {
      readonly of: "means" | "variances";
      readonly columns: readonly (OfColumn & { readonly deviationTimesRows: number })[];
    }
  | (OfColumns & {
      readonly of: "covariance";
      readonly deviationTimesRows: readonly (readonly number[])[];
    })
  | (OfColumns & { readonly of: "correlation" })
  | { readonly of: "histogram" | "contingency"; readonly cells: number; readonly deviation: number }
  /** A cell counts as occupied above `threshold` rows. */
  | { readonly of: "bounds"; readonly cells: number; readonly deviation: number; readonly threshold: number }
  /** The ranks of all quantiles are off by at most so many rows, beyond the best candidates, with probability `level` together. */
  | {
      readonly of: "quantiles";
      readonly column: string;
      readonly epsilonEach: number;
      readonly rankError: number;
      readonly covers: "table";
      readonly level: number;
    }
  | ({ readonly of: "groups"; readonly keys: number } & PlannedGroups)
  /** Groups are told of which more than `threshold` are counted, with noise; of one person alone with probability `delta` at most. */
  | ({ readonly of: "found-groups"; readonly delta: number } & FoundGroups & PlannedGroups)
);

interface FoundGroups {
  readonly threshold: number;
  /** Persons where somebody may have several rows. */
  readonly counted: "persons" | "rows";
}

interface PlannedGroups {
  readonly deviation: number;
  readonly columns: readonly {
    readonly column: string;
    readonly deviation: number;
    readonly deviationTimesRows: number;
  }[];
}

interface EverydayColumns {
  readonly tooFew: boolean;
  readonly columns: readonly EverydayColumn[];
}

type Matrix = readonly (readonly number[])[];

interface EverydayMatrix extends OfColumns {
  readonly tooFew: boolean;
  /** Of the intervals: of each by itself the number that the very rows of the table have, with that probability. */
  readonly covers: "table";
  readonly level: number;
  /** Values, and the ends of an interval of each, one at a time. */
  readonly matrix: Matrix | null;
  readonly lower: Matrix | null;
  readonly upper: Matrix | null;
  /** Of these columns, of a covariance each number taken to -1 to 1; from the largest, all intervals of one matrix at once. */
  readonly eigenvalues: {
    readonly covers: "table";
    readonly level: number;
    readonly values: readonly (Interval & { readonly value: number })[];
  } | null;
}

/** What was released for an entry, in the order of the request. */
export type EverydayResult =
  | {
      readonly of: "count";
      readonly value: number;
      readonly deviation: number;
      readonly interval: EverydayInterval;
    }
  | {
      readonly of: "sums";
      readonly columns: readonly (OfColumn & {
        readonly value: number;
        readonly deviation: number;
        readonly interval: EverydayInterval;
      })[];
    }
  | (EverydayColumns & { readonly of: "means" })
  | (EverydayColumns & { readonly of: "variances" })
  | (EverydayMatrix & { readonly of: "covariance" })
  | (EverydayMatrix & { readonly of: "correlation" })
  | {
      readonly of: "histogram";
      readonly column: string;
      readonly deviation: number;
      readonly cells: readonly {
        readonly label: string;
        readonly kind: "bin" | "level" | "other" | "malformed";
        readonly from?: number;
        readonly to?: number;
        readonly value: number;
        readonly interval: EverydayInterval;
      }[];
    }
  | {
      readonly of: "contingency";
      readonly columns: readonly string[];
      readonly labels: readonly (readonly string[])[];
      readonly deviation: number;
      readonly covers: "table";
      readonly level: number;
      /** Half the width of every cell's interval. */
      readonly margin: number;
      /** The last column runs fastest. */
      readonly values: readonly number[];
    }
  | {
      readonly of: "quantiles";
      readonly column: string;
      /** Of all of them at once, in ranks among the very rows of the table, beyond the best candidates. */
      readonly rankError: number;
      readonly covers: "table";
      readonly level: number;
      readonly quantiles: readonly { readonly probability: number; readonly value: number }[];
    }
  /** The declared range where nothing was found. */
  | {
      readonly of: "bounds";
      readonly column: string;
      readonly found: boolean;
      readonly range: readonly [number, number];
    }
  | ({ readonly of: "groups" } & EverydayGroups)
  /** In the order of their names; an interval holds unless its group is not told. */
  | ({ readonly of: "found-groups" } & FoundGroups & EverydayGroups);

interface EverydayGroups {
  readonly by: string;
  readonly keys: readonly {
    readonly key: string;
    readonly kind: "level" | "other" | "malformed";
    /** Rows that have every column, or persons who have one. */
    readonly count: { readonly value: number; readonly interval: EverydayInterval };
    /** Beside persons, where columns are asked for. */
    readonly rows?: { readonly value: number; readonly interval: EverydayInterval };
    readonly tooFew: boolean;
    readonly columns: readonly {
      readonly column: string;
      readonly sum: { readonly value: number; readonly interval: EverydayInterval };
      readonly mean: EverydayNumber;
    }[];
  }[];
}

/** What a request for everyday numbers would run and cost, without a table. */
/** Each row's values are truncated to multiples of `step`, and the row itself counts `row` of them. */
export interface EverydayGrid {
  readonly step: number;
  readonly row: number;
}

export interface EverydayPlan {
  /** False where a seed was given: then its noise protects nobody. */
  readonly private: boolean;
  readonly description: Description;
  /** The price at `delta`, for all rows of whoever is protected. */
  readonly epsilon: Answer;
  readonly delta: number;
  /** 1/μ: how many times the noise of the Gaussian mechanism at μ = 1. */
  readonly noise: number;
  /** Of each entry, in the order of the request. */
  readonly entries: readonly EverydayPlanned[];
  /** Where sums over the rows are all that is needed of a table: the grids on which a database computes them. */
  readonly grids?: readonly EverydayGrid[];
  /** What was asked, with what was left out put in. */
  readonly request: EverydayRequest;
}

export interface EverydayRelease extends EverydayPlan {
  readonly results: readonly EverydayResult[];
}

/** What came out told about one person: the logarithm of the ratio of its densities under the table with her and without her. */
export interface RealisedLoss extends Interval {
  /** No more than this in size: as the ends, what was published beside the model included. */
  readonly size: number;
  /** What of it is due to how unusual her features are, and to how the model misses her label. */
  readonly leverage: number;
  readonly misfit: number;
  /** What is due to what was published beside the model, the matrix of a whitened fit included. */
  readonly material: number;
  /** The probability, over the noise, that this is wrong: 0 where the table and what came out decide it, as of normal noise. */
  readonly failure: number;
}

/** Her values by their columns, the label's too. A text is read as a cell of the table is, with the decimal mark declared for it. */
export type OwnRow = Readonly<Record<string, string | number>>;

/** What a report says to one person. */
export interface PersonalLoss {
  /** False: the noise was a demonstration's, and can be taken off again. */
  readonly private: boolean;
  /** What the release costs her whatever came out, at `delta`: by her own values instead of the largest. */
  readonly whatever: Answer;
  /** What came out told about her at most; absent where the law of what came out says nothing of the kind. */
  readonly realised?: RealisedLoss | undefined;
  /** What everybody was promised, model and report together, at `delta`. */
  readonly promised: Answer;
  readonly delta: number;
}

/**
 * Why a person's rows cost what they cost in the very table, over all that might have come out; 0 where that does not depend
 * on it. What did come out (`realised`) depends on more: of perturbed minima on leverage and residual, too.
 */
export interface PersonalCauses {
  readonly leverage: number;
  readonly residual: number;
  readonly length: number;
  /** How far the coefficients with her rows and without them are apart. */
  readonly move: number;
}

/**
 * What a release cost one person, between the very table and the same one without her rows, or with them. Confidential: it
 * depends on every row, and is for whoever may see the table.
 */
export interface KnownLoss extends PersonalLoss, PersonalCauses {
  readonly confidential: true;
  /** Of her own cost, the worse of both directions: for every question about descriptions, and a ledger of hers. */
  readonly description: Description;
}

export interface PersonOptions extends FitOptions {
  /** Whether her rows are in the table, as they are unless this is false. */
  readonly member?: boolean | undefined;
  /** With which probability, over the noise, `realised` may be wrong; without it nothing is told of what came out. */
  readonly failure?: number | undefined;
}

/** Where a number of each row lies, over all rows. */
interface Places {
  readonly median: number;
  /** What nine of ten do not exceed. */
  readonly ninetieth: number;
  readonly largest: number;
}

/**
 * What a release cost each row of its table, in the order of the rows that were not left out: between the very table and
 * the same one without that row. Confidential: it depends on every row, and is for whoever may see the table.
 */
export interface PeopleLosses extends Places {
  readonly confidential: true;
  /** False: the noise was a demonstration's, and protects nobody. */
  readonly private: boolean;
  /**
   * ε of each row at `delta`, rounded up by about a sixteenth and never above `promised`; by more where it is hardly above 0,
   * and for rows of a large table whose own part of a minimum would take too long to find (`output-perturbation` with
   * gradients that are clipped).
   */
  readonly losses: Float64Array;
  /**
   * How unusual the features of each row are (|w|² of a whitened row w), and how far the model misses its label; empty where
   * that does not matter.
   */
  readonly leverages: Float64Array;
  readonly residuals: Float64Array;
  /** How long the features of each row are, and how far it moves the coefficients; empty where that does not matter. */
  readonly lengths: Float64Array;
  readonly moves: Float64Array;
  /**
   * What everybody was promised: the price asked anew, rounded up. It may be above the `epsilon` of the release, which holds
   * as well, by what a plan's search for its noise leaves, or by the width of its interval.
   */
  readonly promised: number;
  readonly mean: number;
  /** The means over the rows of ε and of its second, third and fourth power. */
  readonly moments: Float64Array;
  /** What the released model makes of each row, whatever its loss depends on. */
  readonly causes: RowCauses;
  readonly delta: number;
  /** Where an order was asked for. */
  readonly renyi?: PeopleDivergences | undefined;
  /** What came out told of each, where a failure was asked for and a law of what came out is known. */
  readonly realised?: PeopleRealised | undefined;
}

/**
 * Of the coefficients as they were released, and of rows as the model bounds them; of each row one number, rounded up. Empty
 * where the release has no coefficients. As confidential.
 */
export interface RowCauses {
  /**
   * In-sample leverage, from 0 to 1: s xᵀH⁻¹x, s the second derivative of the row’s own loss, H the Hessian of all losses, its
   * own included, with the regularisation that was used; of models without any, with λ = 1. Out-of-sample: of a table
   * without the row. Empty where doubles cannot tell them of so large a table, and for more than 512 coefficients.
   */
  readonly leverages: Float64Array;
  readonly leveragesWithout: Float64Array;
  /**
   * How far the model misses the label: of squares the residual, of the logistic loss the probability of the other class; the
   * size of the loss’s derivative, in the units of the model.
   */
  readonly misfits: Float64Array;
  /** The length of the gradient of the row’s loss, clipped as the algorithm clips. */
  readonly gradients: Float64Array;
}

/**
 * Where the logarithm of the ratio of the densities of what came out lies, with each row and without it: positive where it
 * speaks for the table that was used. As confidential. The places are those of its size.
 */
export interface PeopleRealised extends Places {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** The probability, over the noise, that it is wrong of a row: of each by itself. 0 where it is known, as of normal noise. */
  readonly failure: number;
}

/**
 * Rényi divergences of each row's own pair at one order: upper bounds, as all that is made of them. As confidential. Where a
 * release has a part that may fail, they are those of what happens otherwise.
 */
export interface PeopleDivergences extends Places {
  readonly order: number;
  /** With what probability a part of the release fails, whether the row is in the table or not; 0 where none can. */
  readonly failure: number;
  /** The worse of both directions, never above `promised`; infinite where no bound is known at that order. */
  readonly divergences: Float64Array;
  /** Of the release itself. */
  readonly promised: number;
  /** The means over the rows of the divergence and of its second, third and fourth power. */
  readonly moments: Float64Array;
}

/**
 * What is known from numbers alone, each by its name: intervals that hold the truth, lists of them (matrices by rows), and
 * descriptions, which every question about a description takes.
 */
export type InNumbers = Readonly<Record<string, Interval | readonly Interval[] | Description>>;

/** Of one record's loss, by the names of docs/personal-loss.md. */
export type PerInstance = InNumbers;

/** How a budget may be shared between a model and what is published beside it. */
export interface ReportOffer {
  /** Of the report. */
  readonly share: number;
  /** For the model, with its noise. */
  readonly request: FitRequest;
  /** For the report, with its noise. */
  readonly report: unknown;
  /** Of both together, and its price at `delta`. */
  readonly description: Description;
  readonly epsilon: Interval;
  readonly delta: number;
  /** What the expected person would be told without it, and with it. */
  readonly without: RealisedLoss;
  readonly with: RealisedLoss;
}

export interface FitOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * `share` goes from 0 to 1 in each phase, and is undefined where the length of the table is not known, or where it would tell
   * what is not paid for: how many runs a tuned fit makes, and how many levels of an accuracy-first one were not enough.
   */
  readonly onProgress?:
    | ((progress: { readonly phase: "reading" | "fitting"; readonly share: number | undefined }) => void)
    | undefined;
}

export interface VotersOptions extends FitOptions {
  /** What a test of the answer would be given, 0.5 when left out. */
  readonly testEpsilon?: number | undefined;
}

export interface PeopleOptions extends FitOptions {
  /** Of Rényi divergences. */
  readonly order?: number | undefined;
  /** With which probability, over the noise, `realised` may be wrong of a row; without it nothing is told of what came out. */
  readonly failure?: number | undefined;
}

/**
 * A description may also be given as a list of descriptions, such as a ledger: what all of them cost together on the
 * same table.
 */
export interface Calculator {
  /** δ at privacy level `epsilon`: any finite real number, negative ones included. */
  delta(description: Description, epsilon: number, options?: Options): Answer;
  /** The smallest ε ≥ 0 with δ(ε) ≤ `delta`; `delta` is 0 or from 1e-300 to 1. `Infinity` when there is none. */
  epsilon(description: Description, delta: number, options?: Options): Answer;
  /** δ at every one of `epsilons`. */
  profile(description: Description, epsilons: ArrayLike<number>, options?: Options): Curve;
  /** Rényi divergence of each order (> 1), rounded up; `Infinity` where it is infinite. */
  renyi(description: Description, orders: ArrayLike<number>): Float64Array;
  /** The best attacker's true-positive rate at every false-positive rate in [0, 1]. */
  tradeOff(description: Description, falsePositives: ArrayLike<number>, options?: Options): TradeOff;
  /** The membership advantage: the most by which true positives exceed false ones, δ(0). */
  advantage(description: Description, options?: Options): Answer;
  /** What an attacker's suspicion about one row can become, and how rarely it becomes more. */
  posterior(description: Description, suspicion: Suspicion, options?: Options): Posterior;
  /** What an attacker can reach, by one measure. */
  risk(description: Description, risk: Risk, options?: Options): Answer;
  /** The μ of the Gaussian mechanism that has the same δ at `epsilon` (0 to 1e9): its effective μ there. */
  effectiveMu(description: Description, epsilon: number, options?: Options): Answer;
  /**
   * One μ for all tests whose false-positive and false-negative rates are `falsePositive` (1e-100 to 0.49) or more, to a
   * thousandth where the interval of T allows it.
   */
  gaussianCover(
    description: Description,
    rates: { readonly falsePositive: number },
    options?: Options,
  ): GaussianCover;
  /** The value of one numeric parameter that keeps a risk within a limit. */
  calibrateRisk(description: Description, parameter: string, target: RiskTarget): RiskCalibration;
  /** The value of one numeric parameter (a path such as `sigma` or `of.0.mechanism.sigma`) that meets the target. */
  calibrate(description: Description, parameter: string, target: Target): Calibration;
  /** The same question put to every accountant that can answer it. */
  compare(
    description: Description,
    question: { delta: number } | (Target & { parameter: string }),
  ): Comparison[];
  /** The largest eigenvalue of random symmetric matrices. */
  readonly goe: Goe;
  /** What exists, with ranges, units and sources. */
  catalogue(): Readonly<Record<Kind, KindEntry>>;
}

export interface Engine extends Calculator {
  /** What a request for a private release would run and cost. */
  plan(request: EverydayRequest): EverydayPlan;
  plan(request: unknown): Plan;
  /**
   * The error to expect at several ε, from tables that are made up of public guesses such as `{ rows: 20000 }`: whatever
   * the request says, its ε is taken from the guesses.
   */
  simulate(request: unknown, guesses: unknown, options?: FitOptions): Promise<Simulation>;
  /**
   * Which algorithm that minimises the request's loss errs least at its budget, on the same made-up tables for all: as
   * guessed, and badly scaled. An algorithm that must be told its `lambda`, and is not, is tried with a few.
   */
  rankAlgorithms(request: unknown, guesses: unknown, options?: FitOptions): Promise<AlgorithmRanking>;
  /**
   * A private release of a table: a file, its text, a stream of its bytes, or sums that a database computed. Rejects with a refusal, or with the signal's
   * reason when it is aborted; then nothing was released.
   */
  fit(table: Source, request: EverydayRequest, options?: FitOptions): Promise<EverydayRelease>;
  fit(table: Source | Statistics, request: unknown, options?: FitOptions): Promise<Release>;
  /**
   * The same model of the same prepared rows without noise, gradients not clipped, hardly regularised, for somebody who
   * may see the table. Not private at all: it tells about everybody in the table what no budget covers. `budget` and the
   * noise of the request mean nothing here.
   */
  fitWithoutPrivacy(table: Source, request: unknown, options?: FitOptions): Promise<VisibleModel>;
  /**
   * What the model of a release says of the rows of a table, which is declared as that of the release was and may lack the
   * label. Free: the release is public. No row is refused. Predictions are not clamped to the range of the label.
   */
  predict(release: unknown, table: Source, options?: FitOptions): Promise<Predictions>;
  /** What an evaluation of a released model would cost: by itself, and together with the release. */
  planEvaluation(release: unknown, evaluation: unknown): EvaluationPlan;
  /**
   * How good the model of a release is on the rows of a table, which is declared as that of the release was. Paid for:
   * its price composes with that of the release, and with all others on the same rows. Rows without a label are left out.
   */
  evaluate(release: unknown, table: Source, evaluation: unknown, options?: FitOptions): Promise<Evaluation>;
  /**
   * A report on a release that may be published: any person reads her own loss off it, without the table. Free, where
   * nothing is published beside the model; otherwise the table is read once more, and `price` is that of both together.
   */
  report(
    release: Release,
    table: Source | undefined,
    request?: unknown,
    options?: FitOptions,
  ): Promise<PrivacyReport>;
  /**
   * What a release cost each row of its table; with an `order` (1.000001 to 1e6), Rényi divergences besides; with a `failure`
   * (1e-40 to 0.5), what came out told of each. Confidential, and no part of anything that may leave.
   */
  personalLosses(release: Release, table: Source, options?: PeopleOptions): Promise<PeopleLosses>;
  /** What a report says to whoever has that row: who is in the table, or (`isMember` false) who is not. */
  personalLoss(report: unknown, row: unknown, isMember?: boolean): PersonalLoss;
  /** The same without a report, to whoever has the table: by the table itself. `row`: hers, or the list of all that are. */
  knownLoss(release: Release, table: Source, row: unknown, options?: PersonOptions): Promise<KnownLoss>;
  /** A question about one record that is asked in numbers alone; `about` says which. */
  perInstance(question: InstanceQuestion): PerInstance;
  /** What a mechanism is made of, from numbers alone, by the names of docs/adaptive-releases.md; `about` says which. */
  mechanismNumbers(numbers: MechanismQuestion): InNumbers;
  /**
   * What releases cost the same people together where some of them have a guarantee after the fact: pure ones of the same
   * neighbours only, and no demonstrations. For whoever has as many rows as the release with the most. A plan stands for a run
   * that ended without a release, and counts with all that it might have cost.
   */
  odometer(releases: readonly (Plan | Release)[]): Odometer;
  /**
   * What releases cost at `delta` that were planned, or chosen one after the other within a budget fixed beforehand; and which
   * of them fit it. A ledger may say at which `delta` it is to be asked, and be the content of a file.
   */
  ledger(ledger: LedgerQuestion, delta?: number, options?: Options): Ledger;
  /**
   * What winners by normal noise told of the voters of the very table: a list of numbers of votes for each question; `scale`,
   * the noise; `delta`; whether a `vote` is `switched` (when left out) or `added`; `leastVotes` and `leastVotesScale`, where a
   * question stays open unless that many with noise of that scale voted for the first class; and `testEpsilon`, what a test of
   * the answer would be given, 0.5 when left out. Confidential.
   */
  voteLoss(
    votes: unknown,
    told: {
      scale: number;
      delta: number;
      vote?: "added" | "switched" | undefined;
      leastVotes?: number | undefined;
      leastVotesScale?: number | undefined;
      testEpsilon?: number | undefined;
    },
  ): VoteLoss;
  /** The same of a release of votes, by its table: at the δ of its budget. Confidential. */
  votersLoss(release: Release, table: Source, options?: VotersOptions): Promise<VoteLoss>;
  /**
   * The description of what another library ran: the text of an event of Google's dp_accounting, or of the `history` of an
   * accountant of Opacus or its `state_dict()`, each as Python prints it. Sensitivities are 1, in whose units they state noise.
   */
  importEvents(events: string): Description;
  /** How a budget may be shared between a model and a report: what a typical person would be told. */
  shareReport(request: unknown, offer: unknown): ReportOffer;
}
