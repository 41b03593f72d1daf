/** What there is to say about the form: what is wrong and where, and what the run would cost. */
import type { EverydayPlan, Plan } from "../../../../wasm/contract.ts";
import { Refusal } from "../../../../wasm/engine/refusal.ts";
import type { Form } from "../../fit/form.ts";
import { type FitReading, fieldOf } from "../../fit/read.ts";
import { fieldTitle, stepOf, whyNot } from "../../words/fit.ts";
import { refusalSentence } from "../../words/sentences.ts";
import type { StepNumber } from "./steps.ts";

/** A sentence, and where it belongs if it is not about the whole. */
interface Fault {
  readonly sentence: string;
  readonly field: string | undefined;
}

export type Price =
  | { readonly state: "no-table" }
  | { readonly state: "missing"; readonly fields: readonly string[]; readonly form: Form }
  | { readonly state: "asking" }
  | { readonly state: "refused"; readonly faults: readonly Fault[] }
  | { readonly state: "known"; readonly plan: Plan | EverydayPlan };

/** What the engine said about the form in force. */
export type EngineAnswer = { readonly plan: Plan | EverydayPlan } | { readonly error: unknown } | undefined;

interface Verdict {
  /** By their fields. */
  readonly refusals: ReadonlyMap<string, Refusal>;
  readonly price: Price;
}

/** A refusal of the engine as a sentence, under the name that its field has in the form. */
export function errorSentence(error: unknown, form: Form, reading: FitReading): string {
  if (!(error instanceof Refusal)) return `The engine stopped: ${(error as Error).message}.`;
  const field = fieldOf(reading, error.field);
  return field ? refusalSentence(error, fieldTitle(field, form)) : whyNot(error);
}

/** What came of looking levels up stands beside them. */
function lookUpFaults({ columns }: Form): readonly (readonly [field: string, Refusal])[] {
  return columns.flatMap(({ used, use, levelsFault }, i) => {
    const field = `table.columns.${i}.levels`;
    const isShown = used && use === "categorical" && levelsFault !== "";
    return isShown ? [[field, new Refusal("unsupported", field, "", levelsFault)] as const] : [];
  });
}

function refusalsOf(
  form: Form,
  reading: FitReading,
  answer: EngineAnswer,
  attempted: ReadonlySet<StepNumber>,
) {
  const all = new Map(reading.refusals);
  for (const field of reading.missing) {
    if (attempted.has(stepOf(field))) all.set(field, new Refusal("missing", field, "", "must be answered"));
  }
  for (const [field, refusal] of lookUpFaults(form)) all.set(field, refusal);
  if (answer && "error" in answer && answer.error instanceof Refusal) {
    const field = fieldOf(reading, answer.error.field);
    if (field && !all.has(field)) all.set(field, answer.error);
  }
  return all;
}

function priceOf(form: Form, reading: FitReading, answer: EngineAnswer): Price {
  const faults = [...reading.refusals].map(([field, refusal]) => ({
    sentence: refusalSentence(refusal, fieldTitle(field, form)),
    field,
  }));
  if (faults.length > 0) return { state: "refused", faults };
  if (reading.missing.length > 0) return { state: "missing", fields: reading.missing, form };
  if (!answer) return { state: "asking" };
  if ("plan" in answer) return { state: "known", plan: answer.plan };
  const { error } = answer;
  const at = error instanceof Refusal ? fieldOf(reading, error.field) : undefined;
  return { state: "refused", faults: [{ sentence: errorSentence(error, form, reading), field: at }] };
}

/** `attempted`: the steps that were said to be done; what they lack is told beside its field. */
export const verdict = (
  form: Form,
  reading: FitReading,
  answer: EngineAnswer,
  attempted: ReadonlySet<StepNumber>,
): Verdict => ({
  refusals: refusalsOf(form, reading, answer, attempted),
  price: priceOf(form, reading, answer),
});
