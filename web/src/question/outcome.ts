/** What comes back: the answer to a question and the curve it lies on. */
import type { Answer, Calibration, Curve, Description, Target } from "../../../wasm/contract.ts";
import type { Question } from "./question.ts";

export interface Outcome {
  readonly question: Question;
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
      };
  /** The level that is kept: the safe end of what was found, or what was asked for. */
  readonly epsilon: number;
  readonly delta: number;
  readonly prior: number;
  /** δ at the ε where the profile tells how well the best guess does, upper end. */
  readonly belief: number;
}

export interface Profile {
  readonly epsilons: Float64Array;
  readonly curve: Curve;
  /** The smallest δ worth drawing, a power of ten. */
  readonly floor: number;
  readonly mark: { readonly epsilon: number; readonly delta: number } | null;
}
