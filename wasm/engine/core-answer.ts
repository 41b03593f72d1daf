/** What the core said, taken for an answer only if it makes sense. */
import type { Refused } from "../../build/wasm/calculator.mjs";
import { Refusal } from "./refusal.ts";

/** The last fence: numbers that contradict themselves are a fault of the core and must not pass for an answer. */
function checkSense(answer: unknown): void {
  if (Number.isNaN(answer) || (answer instanceof Float64Array && answer.some(Number.isNaN))) {
    throw new Error("internal: the core answered NaN");
  }
  if (typeof answer !== "object" || answer === null || answer instanceof Float64Array) return;
  const { lower, upper } = answer as { lower?: unknown; upper?: unknown };
  const crossed =
    lower instanceof Float64Array && upper instanceof Float64Array
      ? lower.length !== upper.length || lower.some((low, i) => low > (upper[i] as number))
      : typeof lower === "number" && typeof upper === "number" && lower > upper;
  if (crossed) throw new Error("internal: the core answered a lower end above the upper one");
  Object.values(answer).forEach(checkSense);
}

/** The core's answer, or its refusal thrown. */
export function unwrap<T extends object>(answer: T | Refused): Exclude<T, Refused> {
  if (!("refusal" in answer)) {
    checkSense(answer);
    return answer as Exclude<T, Refused>;
  }
  const { kind, field, value, rule, spent } = answer.refusal;
  throw new Refusal(kind, field, value, rule, { shown: true, spent });
}
