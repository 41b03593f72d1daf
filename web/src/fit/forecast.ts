/** A simulation that was made on the page, and what it says about a release. */
import type { Simulation } from "../../../wasm/contract.ts";
import type { FitRequest } from "../../../wasm/release/fit-request.ts";

export interface Forecast {
  readonly simulation: Simulation;
  readonly request: FitRequest;
}

/** The levels of ε that are simulated: the usual ones, and the one that is kept. */
const USUAL = [0.1, 0.3, 1, 3, 10];

export const levelsWith = (epsilon: number | undefined): readonly number[] =>
  [...new Set([...USUAL, ...(epsilon === undefined ? [] : [epsilon])])].sort((a, b) => a - b);

/** All that decides the error of a model, but for ε. */
const asSimulated = ({ table, algorithm, tune, budget: { delta } }: FitRequest) =>
  JSON.stringify([table, algorithm, tune, delta]);

export interface Expected {
  readonly measure: Simulation["measure"];
  readonly guesses: Simulation["guesses"];
  readonly error: number;
  readonly standardError: number;
  /** Of the model that made the labels, and of the mean label for all rows. */
  readonly best: number;
  readonly constant: number;
}

/** Nothing where the simulation was of another request, or of no such ε. */
export function expectedError({ simulation, request }: Forecast, released: FitRequest): Expected | undefined {
  if (asSimulated(request) !== asSimulated(released)) return undefined;
  const point = simulation.points.find(({ epsilon }) => epsilon === released.budget.epsilon);
  if (!point) return undefined;
  const { measure, guesses, best, constant } = simulation;
  const { error, standardError } = point;
  return { measure, guesses, error, standardError, best: best.error, constant: constant.error };
}
