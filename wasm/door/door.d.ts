/**
 * What the doors export: `calculator.cpp` both, `fits.cpp` the full one. Values are trusted, because the engine checks them
 * first; only the session of a fit is checked here.
 */
declare module "*/calculator.mjs" {
  export interface Refused {
    readonly refusal: {
      kind: import("../engine/refusal.ts").RefusalKind;
      field: string;
      value: string;
      rule: string;
      /** Of a fit: it tells something about the table, so that the budget is spent all the same. */
      spent?: boolean;
    };
  }
  export type Answered<T> = (T & { readonly kind: import("../contract.ts").AnswerKind }) | Refused;
  interface Sought {
    path: string;
    minimum: number;
    maximum: number;
    whole: boolean;
    morePrivate: boolean;
  }
  interface Ends {
    lower: number;
    upper: number;
  }
  interface Curves {
    lower: Float64Array;
    upper: Float64Array;
  }
  type Options = Required<import("../contract.ts").Options>;
  interface Estimated extends Ends {
    value: number;
  }
  type AskGoe = (dimension: number, half: boolean, argument: number) => Estimated | Refused;
  export interface CalculatorDoor {
    delta(description: object, epsilon: number, options: Options): Answered<Ends>;
    epsilon(description: object, delta: number, options: Options): Answered<Ends>;
    profile(description: object, epsilons: ArrayLike<number>, options: Options): Answered<Curves>;
    power(description: object, falsePositives: ArrayLike<number>, options: Options): Answered<Curves>;
    posterior(
      description: object,
      prior: number,
      exceptions: number,
      options: Options,
    ): Answered<{ event: Ends; right: Ends; wrong: Ends }>;
    renyi(description: object, orders: ArrayLike<number>): Float64Array | Refused;
    risk(description: object, measure: string, prior: number, rate: number, options: Options): Answered<Ends>;
    effectiveMu(description: object, epsilon: number, options: Options): Answered<Ends>;
    gaussianCover(description: object, rate: number, options: Options): Answered<{ mu: Ends; regret: Ends }>;
    calibrateRisk(
      description: object,
      sought: Sought,
      measure: string,
      prior: number,
      rate: number,
      limit: number,
    ): Answered<{ value: number; insufficient: number | null; risk: Ends; lasting: number | null }>;
    calibrate(
      description: object,
      sought: Sought,
      target: { epsilon: number; delta: number },
    ): Answered<{ value: number; insufficient: number | null; epsilon: Ends; lasting: number | null }>;
    compare(
      description: object,
      sought: Sought | null,
      question: { delta: number },
    ): import("../contract.ts").Comparison[] | Refused;
    goeCdf: AskGoe;
    goeSurvival: AskGoe;
    goeLogSurvival: AskGoe;
    goeDensity: AskGoe;
    goeUpperQuantile: AskGoe;
    goeLowerQuantile: AskGoe;
    goeLimitQuantile(dimension: number, half: boolean, upperTail: number): { value: number } | Refused;
  }
  export default function create(): Promise<CalculatorDoor>;
}

declare module "*/full.mjs" {
  import type { Answered, CalculatorDoor, Refused } from "*/calculator.mjs";

  /** The name of the algorithm, its numbers and its choices. */
  type Asked = Readonly<Record<string, number | string | object>>;
  export interface Planned {
    description: import("../engine/description-tree.ts").CoreDescription;
    parameters: Record<string, number>;
    neighbours: import("../contract.ts").Neighbours;
    needs: import("../contract.ts").Plan["needs"];
    result: import("../contract.ts").OutputType;
    guarantee: "ordinary" | "ex-post";
    persons: import("../contract.ts").Plan["persons"];
    private: boolean;
  }
  /** Of features and labels as the model has them. */
  export type Output = import("../contract.ts").OutputType & {
    readonly values: Float64Array;
    readonly edges?: Float64Array;
  };
  /** How the noise moves coefficients: half-widths of intervals of that level, in deviations of the covariance. */
  export type Spread = { readonly level: number } & (
    | {
        readonly law: import("../contract.ts").Margins["law"];
        /** A lower triangle. */
        readonly covariance: Float64Array;
        readonly deviations: number;
        readonly samplingLaw: import("../contract.ts").Margins["law"];
        readonly samplingDeviations: number | null;
      }
    | { readonly unknown: "not-told" | "hidden" | "too-many" }
  );
  export interface ExPost {
    readonly testing: number;
    readonly model: number;
    readonly total: number;
  }
  export interface Released extends Planned {
    outputs: readonly Output[];
    outcome?: "refused-by-test" | undefined;
    spread: Spread;
    exPost: ExPost | null;
  }
  export interface Widths {
    readonly gradient?: number | null | undefined;
    readonly hessian?: number | null | undefined;
    readonly eigenvalue?: number | null | undefined;
  }
  interface Promised {
    readonly failure: number;
    readonly audience: "one" | "rows" | "anybody";
    readonly rows?: number | undefined;
  }
  /** A report as core/report/published/published_report.h has it. */
  export interface ReportQuestion {
    readonly request: Asked;
    readonly unitRows: number;
    readonly coefficients: readonly number[];
    readonly promise: Promised;
    readonly noise: Widths;
    readonly material: {
      readonly gradient?: readonly number[] | undefined;
      readonly hessian?: readonly number[] | undefined;
      readonly eigenvalue?: number | undefined;
    };
    /** Of a whitened fit. */
    readonly whitening?:
      | {
          readonly gram: readonly number[];
          readonly rows: number;
          readonly sigma: number;
          readonly lambda: number;
          readonly gramSigma: number;
        }
      | undefined;
    /** Of the model's noise. */
    readonly seed: number | null;
  }
  /** What it cost her, and everybody; and what came out told about her. */
  export interface ToldPerson {
    ownPrice: import("../engine/description-tree.ts").CoreDescription;
    price: import("../engine/description-tree.ts").CoreDescription;
    realised: import("../contract.ts").RealisedLoss | null;
  }
  export interface Charge {
    readonly amount: number;
    readonly delta: number;
  }
  export interface FullDoor extends CalculatorDoor {
    /** `kind`: what it is about; matrices by rows. A description has a kind. */
    inNumbers(
      question: object,
    ):
      | Record<
          string,
          | { lower: number; upper: number }
          | readonly { lower: number; upper: number }[]
          | import("../engine/description-tree.ts").CoreDescription
        >
      | Refused;
    /** What a report says to whoever has that row: who is in the table, or who is not. */
    told(
      report: ReportQuestion,
      features: Float64Array,
      label: number,
      isMember: boolean,
    ): ToldPerson | Refused;
    /** Of model and report together; and whether the model is private. */
    reportPrice(
      report: ReportQuestion,
    ): { price: import("../engine/description-tree.ts").CoreDescription; private: boolean } | Refused;
    reportSplit(
      request: Asked,
      share: number,
      eigenvalue: boolean,
      person: { rows: number; wrong: number },
      promise: Promised,
    ):
      | {
          numbers: Record<string, number>;
          noise: Widths;
          price: import("../engine/description-tree.ts").CoreDescription;
          epsilon: { lower: number; upper: number };
          without: import("../contract.ts").RealisedLoss;
          with: import("../contract.ts").RealisedLoss;
        }
      | Refused;
    /** A table for what is published beside a model; `endSession` must follow. */
    beginRecords(dimension: number): { session: number } | Refused;
    /** What the release cost each row of the session's table. */
    runPeople(
      session: number,
      request: Asked,
      outputs: readonly { readonly name: string; readonly values: readonly number[] }[],
      question: {
        readonly delta: number;
        readonly order: number | null;
        readonly failure: number | null;
        /** That of the budget, where there is one. */
        readonly epsilon: number | null;
      },
      unitRows: number,
      progress: (share: number) => boolean,
    ):
      | (Omit<import("../contract.ts").PeopleLosses, "confidential" | "private" | "delta" | "realised"> & {
          realised?: import("../contract.ts").PeopleRealised;
        })
      | Refused;
    /** What it cost one person with these rows, who is in that table or not. */
    runPerson(
      session: number,
      request: Asked,
      outputs: readonly { readonly name: string; readonly values: readonly number[] }[],
      person: {
        readonly features: Float64Array;
        readonly labels: readonly number[];
        readonly member: boolean;
        readonly failure: number | null;
        readonly unitRows: number;
      },
      progress: (share: number) => boolean,
    ): (ToldPerson & import("../contract.ts").PersonalCauses) | Refused;
    runMaterial(
      session: number,
      report: ReportQuestion,
      entropy: (key: Uint8Array) => boolean,
      seed: number | null,
      progress: (share: number) => boolean,
    ):
      | {
          gradient: Float64Array | null;
          hessian: Float64Array | null;
          eigenvalue: number | null;
          private: boolean;
        }
      | Refused;
    /** What a vote told of its own voters: numbers of votes, question by question. */
    voteLoss(
      votes: Float64Array,
      questions: number,
      told: {
        scale: number;
        isSwitched: boolean;
        leastVotes: number | null;
        leastVotesScale: number | null;
        delta: number;
        testEpsilon: number;
      },
    ): import("../contract.ts").VoteNumbers | Refused;
    /** The same of a release, by the session's table. */
    runVoters(
      session: number,
      request: Asked,
      unitRows: number,
      delta: number,
      testEpsilon: number,
      progress: (share: number) => boolean,
    ): import("../contract.ts").VoteNumbers | Refused;
    /** epsilon at a promise's delta, for all rows of whoever is protected; `gap` is how wide, 1e-7 when left out. */
    price(
      description: object,
      promise: { epsilon: number | null; delta: number; rows: number; gap?: number },
    ): Answered<{ lower: number; upper: number }>;
    /** Of pure losses only, `spent` where they are known after the fact; for `group` rows, or as many as a run has. */
    odometer(
      runs: readonly { description: object; neighbours: string; rows: number; spent: number | null }[],
      group: number,
    ): { spent: number; worst: number } | Refused;
    /** `rule`: a place in `FilterRule`; amounts in the budget's own unit. */
    filter(
      rule: number,
      order: number,
      budget: Charge,
      entries: readonly { mechanism: object; count: number; delta: number }[],
    ): { entries: readonly (Charge & { fits: boolean })[]; spent: Charge; left: Charge } | Refused;
    /** A refusal of one choice has its place as the value of the field `menu`. */
    menu(
      choices: readonly object[],
      rounds: number,
      delta: number,
      gap: number,
    ): Answered<{ lower: number; upper: number }>;
    plan(request: Asked, seed: number | null, unitRows: number): Planned | Refused;
    /** What a run costs that released the model of that level, from 1 on: nothing where the guarantee is no such one. */
    exPost(request: Asked, level: number): { loss: ExPost | null } | Refused;
    /**
     * A fit that waits for its table; `endSession` must follow once, after everything else. One that is not private takes
     * `askedWithoutPrivacy`, and is run with a seed, which it does not use.
     */
    beginFit(request: Asked, isPrivate: boolean): { session: number } | Refused;
    /** Row by row, whole rows. */
    addRows(session: number, features: Float64Array, labels: Float64Array): object | Refused;
    /** Sums as `table/statistics.ts` has them. */
    addSums(session: number, high: Float64Array, low: Float64Array, count: number): object | Refused;
    /**
     * `entropy` fills the key with secret bytes, or answers false; it must not throw. A seed makes a demonstration,
     * which is not private. `progress` is told the share that is done, and answers whether to go on; it must not throw.
     */
    runFit(
      session: number,
      entropy: (key: Uint8Array) => boolean,
      seed: number | null,
      unitRows: number,
      progress: (share: number) => boolean,
    ): Released | Refused;
    endSession(session: number): void;
  }
  export default function create(): Promise<FullDoor>;
}
