/**
 * What error to expect of a private model before there is a table: rows are made up from public guesses, fitted
 * privately again and again, and the models are held against fresh rows. A simulation: it is as right as its guesses,
 * and nothing about it is certified. No table is touched, so it costs no privacy.
 */
import type { FitOptions, Simulation } from "../contract.ts";
import { Refusal } from "../engine/refusal.ts";
import { featureMap } from "../table/features.ts";
import type { FitRequest } from "./fit-request.ts";
import { GUESSES, type Guesses } from "./guesses.ts";
import { mean, SeededRandom, type SyntheticTable, scores, syntheticTable } from "./synthetic-tables.ts";

/** Fresh rows on which each model is tried. */
const FRESH = 4000;

const MOST_NUMBERS = 4e7;

/** A private fit of rows as a model sees them: its coefficients. */
type Fit = (request: FitRequest, features: Float64Array, labels: Float64Array) => ArrayLike<number>;

function checked({ table }: FitRequest, value: unknown): Guesses {
  const guesses = GUESSES.check("guesses", value);
  const { label } = table;
  if (!label)
    throw new Refusal("unsupported", "table.label", "none", "cannot be simulated: nothing is predicted");
  const { use } = label;
  if (use !== "numeric" && use !== "classes") {
    const rule = `cannot be simulated yet: ${use === "count" ? "counts" : "votes"}`;
    throw new Refusal("unsupported", "table.label.use", use, rule);
  }
  const most = Math.floor(MOST_NUMBERS / featureMap(table).dimension) - FRESH;
  if (guesses.rows > most) {
    const rule = `must be at most ${most} to be simulated with so many features; the error falls further with more rows`;
    throw new Refusal("range", "guesses.rows", guesses.rows, rule);
  }
  return guesses;
}

/** The share of wrong classes, or the root of the mean squared error in the units of the label. */
function errorOf({ table: { label } }: FitRequest, said: Float64Array, labels: Float64Array): number {
  if (!label) return Number.NaN;
  if ("levels" in label) return mean(said.map((u, i) => Number(u > 0 !== (labels[i] as number) > 0)));
  const [low, high] = label.range as readonly [number, number];
  const squares = said.map((u, i) => (Math.max(-1, Math.min(1, u)) - (labels[i] as number)) ** 2);
  return ((high - low) / 2) * Math.sqrt(mean(squares));
}

/** The mean of some runs, and the standard error of that mean. */
function summary(errors: readonly number[]) {
  const error = mean(errors);
  const variance = errors.reduce((sum, one) => sum + (one - error) ** 2, 0) / (errors.length - 1);
  return { error, standardError: Math.sqrt(variance / errors.length) };
}

/** The first rows to fit, the last to judge by. */
function parts({ features, labels, truth }: SyntheticTable, rows: number) {
  const at = rows * (features.length / labels.length);
  return {
    known: { features: features.subarray(0, at), labels: labels.subarray(0, rows) },
    fresh: { features: features.subarray(at), labels: labels.subarray(rows), truth: truth.subarray(rows) },
  };
}

export async function simulate(
  fitted: Fit,
  request: FitRequest,
  value: unknown,
  { signal, onProgress }: FitOptions,
): Promise<Simulation> {
  const guesses = checked(request, value);
  const { epsilons, tables, rows, seed } = guesses;
  const errors = epsilons.map((): number[] => []);
  const [constant, best]: [number[], number[]] = [[], []];
  for (let table = 0; table < tables; table++) {
    const random = new SeededRandom(seed + table * 0x9e3779b1);
    const { known, fresh } = parts(syntheticTable(request, guesses, rows + FRESH, random), rows);
    best.push(errorOf(request, fresh.truth, fresh.labels));
    const usual = new Float64Array(FRESH).fill(mean(known.labels));
    constant.push(errorOf(request, usual, fresh.labels));
    for (const [i, epsilon] of epsilons.entries()) {
      onProgress?.({ phase: "fitting", share: (table + i / epsilons.length) / tables });
      // Whoever cancels gets a turn.
      await new Promise((resolve) => setTimeout(resolve));
      signal?.throwIfAborted();
      const asked = { ...request, budget: { ...request.budget, epsilon }, seed: seed + table };
      const model = fitted(asked, known.features, known.labels);
      errors[i]?.push(errorOf(request, scores(fresh.features, model), fresh.labels));
    }
  }
  return {
    kind: "simulation",
    measure: request.table.label?.use === "classes" ? "share of wrong classes" : "root mean squared error",
    points: epsilons.map((epsilon, i) => ({ epsilon, ...summary(errors[i] as number[]) })),
    constant: summary(constant),
    best: summary(best),
    guesses,
  };
}
