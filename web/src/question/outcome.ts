/** What comes back: the answer to a question and the curve it lies on. */
import type {
  Answer,
  AnswerKind,
  Calibration,
  Description,
  Posterior,
  RiskCalibration,
  RiskTarget,
  Target,
} from "../../../wasm/contract.ts";
import type { Question } from "./question.ts";
import type { Reading } from "./read.ts";

export interface Outcome {
  readonly question: Question;
  /** What the question was read as, so that nobody reads it again. */
  readonly reading: Reading;
  /** With the found parameter put in, when a parameter was the unknown. */
  readonly description: Description;
  readonly found:
    | { readonly ask: "epsilon"; readonly answer: Answer }
    | { readonly ask: "delta"; readonly answer: Answer }
    | {
        readonly ask: "parameter";
        readonly calibration: Calibration;
        readonly path: string;
        readonly target: Target;
      }
    | {
        /** A parameter that keeps a suspicion within a limit. */
        readonly ask: "limit";
        readonly calibration: RiskCalibration;
        readonly path: string;
        readonly target: RiskTarget;
      };
  /** The level that is kept: the safe end of what was found, or what was asked for; with a limit, ε at the δ of the question. */
  readonly epsilon: number;
  readonly delta: number;
  /** In how many records neighbouring tables differ. */
  readonly group: number;
  /** What an attacker suspects before the release, and how rarely what is said about it may fail. */
  readonly prior: number;
  readonly exceptions: number;
  /** What the suspicion can become; null where that takes a while. */
  readonly posterior: Posterior | null;
  /** The rate of wrong accusations at which the attacker is watched. */
  readonly falsePositives: number;
}

export const CURVES = ["profile", "renyi", "trade-off"] as const;
export type CurveName = (typeof CURVES)[number];

/** One curve with both its ends. */
export interface Plot {
  readonly name: CurveName | "eigenvalue";
  /** ε, the order, the false-positive rate, or an eigenvalue. */
  readonly at: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly kind: AnswerKind;
  /** The stretches, by the index of their left ends, over which a step is drawn instead of a line. */
  readonly steps?: readonly number[];
  /** What is worth drawing. */
  readonly floor: number;
  readonly ceiling: number;
  /** Another quantity over the same places, drawn thinly. */
  readonly beside?: Float64Array;
  readonly mark: { readonly x: number; readonly y: number } | null;
  /** δ(0), safe end: how far the best attacker beats blind guessing. */
  readonly advantage?: number;
}
