/** What may be asked of an attacker: each measure with the numbers that it takes. */
import type { Risk } from "../contract.ts";
import { Refusal } from "./refusal.ts";
import { choice, fieldsOf, real } from "./shape.ts";

export const PRIOR = real(1e-100, 1 - 1e-15);
export const RATE = real(1e-100, 1);

const TAKES = {
  posterior: ["prior", "exceptions"],
  "event-posterior": ["prior", "exceptions"],
  "predictive-value": ["prior", "falsePositive"],
  reconstruction: ["guess"],
  advantage: [],
  "bayes-error": ["prior"],
} as const satisfies Record<Risk["measure"], readonly string[]>;

export const MEASURES = Object.keys(TAKES) as Risk["measure"][];

const NUMBERS = ["prior", "exceptions", "falsePositive", "guess"] as const;

/** A measure in the core's words: it has at most one rate, and reads none that it does not take. */
export interface Measured {
  readonly measure: Risk["measure"];
  readonly prior: number;
  readonly rate: number;
}

/** A number that the measure does not take is refused by name, rather than left out. */
export function checkRisk(risk: unknown): Measured {
  const fields = fieldsOf("risk", risk, "must be an object with measure and its numbers");
  const measure = choice(...MEASURES).check("measure", fields.measure);
  const takes: readonly string[] = TAKES[measure];
  const stray = NUMBERS.find((name) => fields[name] !== undefined && !takes.includes(name));
  if (stray !== undefined)
    throw new Refusal("unknown", stray, fields[stray], `means nothing for the measure ${measure}`);
  const [rate] = takes.filter((name) => name !== "prior");
  return {
    measure,
    prior: takes.includes("prior") ? PRIOR.check("prior", fields.prior) : 0,
    rate: rate === undefined ? 0 : RATE.check(rate, fields[rate]),
  };
}
