/** What is asked about how good a released model is, and paid for: nothing of it is read off the table. */
import { Refusal } from "../engine/refusal.ts";
import { type Checked, optional, real, record, whole } from "../engine/shape.ts";
import { BUDGET } from "../release/algorithms.ts";
import type { Ends } from "../table/declaration.ts";
import type { LinearModel } from "./linear-model.ts";

const free = <T>(shape: Parameters<typeof optional<T, undefined>>[0]) => optional(shape, undefined);

export const EVALUATION = record({
  budget: BUDGET,
  /** Of each noisy number, instead of a budget's ε: in rows, where classes are counted. */
  sigma: free(real(1e-3, 1e8)),
  /**
   * Equally wide: of the scores of two classes, 20 when left out; of how likely the likeliest of several is said to be, of
   * which nothing is counted when left out.
   */
  bins: free(whole(2, 1000)),
  /** To which errors of numbers are clipped, in units of the label; when left out, half the range of the label. */
  errorBound: free(real(1e-100, 1e100)),
  /** Makes the noise repeatable: a demonstration, of which nothing is private. */
  seed: free(whole(0, Number.MAX_SAFE_INTEGER)),
});

export type EvaluationRequest = Checked<typeof EVALUATION>;

/** With what was left out. */
export type EvaluationAsked = EvaluationRequest &
  (
    | { readonly measured: "classes"; readonly bins: number }
    | { readonly measured: "numbers"; readonly errorBound: number }
    | { readonly measured: "confusion"; readonly bins: number | undefined }
  );

/** What the label leaves to ask, or a refusal of what it does not. */
export function checkEvaluation({ label }: Pick<LinearModel, "label">, value: unknown): EvaluationAsked {
  const request = EVALUATION.check("evaluation", value);
  const { bins, errorBound, sigma, budget } = request;
  if ((sigma === undefined) === (budget.epsilon === undefined)) {
    const rule = "must be given, or evaluation.sigma, and not both";
    const kind = sigma === undefined ? "missing" : "range";
    throw new Refusal(kind, "evaluation.budget.epsilon", budget.epsilon, rule);
  }
  const areClasses = label.use === "classes" || label.use === "multiclass";
  if (areClasses && errorBound !== undefined)
    throw new Refusal("unsupported", "evaluation.errorBound", errorBound, "is for numbers, not for classes");
  if (label.use === "classes") return { ...request, measured: "classes", bins: bins ?? 20 };
  if (label.use === "multiclass") return { ...request, measured: "confusion", bins };
  if (bins !== undefined) throw new Refusal("unsupported", "evaluation.bins", bins, "are for classes");
  if (label.use !== "numeric" && label.use !== "count") {
    const rule = "there is no evaluation for such labels";
    throw new Refusal("unsupported", "release.request.table.label.use", label.use, rule);
  }
  const [low, high] = label.range as Ends;
  return { ...request, measured: "numbers", errorBound: errorBound ?? (high - low) / 2 };
}
