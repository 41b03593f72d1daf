/** The question and its answer as JSON; the question is one that the command line's batch takes as it is. */
import { toJson } from "../../../wasm/engine/json.ts";
import type { Outcome } from "../question/outcome.ts";

export function json({ description, found, epsilon, delta, group }: Outcome, version: string): string {
  const options = group === 1 ? {} : { group };
  const question =
    found.ask === "epsilon"
      ? { ask: "epsilon", description, delta, ...options }
      : found.ask === "delta"
        ? { ask: "delta", description, epsilon, ...options }
        : {
            ask: found.ask === "limit" ? "calibrateRisk" : "calibrate",
            description,
            parameter: found.path,
            ...found.target,
          };
  const result = "calibration" in found ? found.calibration : found.answer;
  return plainJson({ question, answer: result, version });
}

/** For readers and for files; infinity reads back through Number(). */
export const plainJson = (value: unknown): string => toJson(value, 2);
