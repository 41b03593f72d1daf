/**
 * What error to expect of a private model before there is a table: rows are made up from public guesses, fitted
 * privately again and again, and the models are held against fresh rows. A simulation: it is as right as its guesses,
 * and nothing about it is certified. No table is touched, so it costs no privacy.
 */
import type { FitOptions, Simulation } from "../contract.ts";
import type { FitRequest } from "./fit-request.ts";
import { GUESSES } from "./guesses.ts";
import { checkTrial, type Fit, measureOf, summary, Trial, turn } from "./trial.ts";

/** `planned`: the same request with the noise that was found for its budget. */
export async function simulate(
  fit: Fit,
  planned: (request: FitRequest) => FitRequest,
  request: FitRequest,
  value: unknown,
  { signal, onProgress }: FitOptions,
): Promise<Simulation> {
  const guesses = GUESSES.check("guesses", value);
  checkTrial(request, guesses);
  const { epsilons, tables, seed } = guesses;
  const asked = new Map<number, FitRequest>();
  const errors = epsilons.map((): number[] => []);
  const [constant, best]: [number[], number[]] = [[], []];
  for (let table = 0; table < tables; table++) {
    const trial = new Trial(request, guesses, table);
    best.push(trial.best);
    constant.push(trial.constant);
    for (const [i, epsilon] of epsilons.entries()) {
      onProgress?.({ phase: "fitting", share: (table + i / epsilons.length) / tables });
      await turn(signal);
      const found = asked.get(i) ?? planned({ ...request, budget: { ...request.budget, epsilon } });
      asked.set(i, found);
      errors[i]?.push(trial.error(fit, { ...found, seed: seed + table }));
    }
  }
  return {
    kind: "simulation",
    measure: measureOf(request),
    points: epsilons.map((epsilon, i) => ({ epsilon, ...summary(errors[i] as number[]) })),
    constant: summary(constant),
    best: summary(best),
    guesses,
  };
}
