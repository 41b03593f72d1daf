/**
 * What error to expect of a private model before there is a table: rows are made up from public guesses, fitted
 * privately again and again, and the models are held against fresh rows. A simulation: it is as right as its guesses,
 * and nothing about it is certified. No table is touched, so it costs no privacy.
 */
import type { FitOptions, Simulation } from "./contract.ts";
import type { FitRequest } from "./fit-request.ts";
import { Chance, type MadeUp, madeUp, mean, scores } from "./made-up.ts";
import { Refusal } from "./refusal.ts";
import { prepared } from "./table/prepared.ts";
import { type Checked, list, optional, real, record, whole } from "./table/shape.ts";

/** None of them may be read off the table that is to be protected. */
const GUESSES = record({
  /** How many rows the table will have. */
  rows: whole(10, 1_000_000),
  epsilons: optional(list(real(1e-6, 1e6), 1, 50), [0.1, 0.3, 1, 3, 10]),
  /** The share of the label's variance that the columns explain; for classes, of the variance of the noisy logit. */
  explained: optional(real(0, 0.999), 0.5),
  /** Of any two columns. */
  correlation: optional(real(0, 0.99), 0.2),
  /** How far the mean of each numeric column and of a numeric label is from the middle of its range, in half ranges. */
  offCentre: optional(real(0, 0.9), 0.6),
  /** How many times farther rows lie apart in the direction in which they differ most than in that in which least. */
  conditioning: optional(real(1, 1e6), 100),
  /** The standard deviation of numeric columns and of a numeric label, as a share of half their range. */
  spread: optional(real(0.001, 1), 0.3),
  /** The share of rows in the second class. */
  positives: optional(real(0.001, 0.999), 0.5),
  /** How many tables are made up. */
  tables: optional(whole(2, 1000), 10),
  seed: optional(whole(0, 2 ** 32 - 1), 1),
});

export type Guesses = Checked<typeof GUESSES>;

/** Fresh rows on which each model is tried. */
const FRESH = 4000;

const MOST_NUMBERS = 4e7;

/** A private fit of rows as a model sees them: its coefficients. */
type Fit = (request: FitRequest, features: Float64Array, labels: Float64Array) => ArrayLike<number>;

function checked({ table }: FitRequest, value: unknown): Guesses {
  const guesses = GUESSES.check("guesses", value);
  if (table.label.use === "count")
    throw new Refusal("unsupported", "table.label.use", "count", "cannot be simulated yet: counts");
  const most = Math.floor(MOST_NUMBERS / prepared(table).dimension) - FRESH;
  if (guesses.rows > most) {
    const rule = `must be at most ${most} to be simulated with so many features; the error falls further with more rows`;
    throw new Refusal("range", "guesses.rows", guesses.rows, rule);
  }
  return guesses;
}

/** The share of wrong classes, or the root of the mean squared error in the units of the label. */
function errorOf({ table: { label } }: FitRequest, said: Float64Array, labels: Float64Array): number {
  if (label.use === "classes") return mean(said.map((u, i) => Number(u > 0 !== (labels[i] as number) > 0)));
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
function parts({ features, labels, truth }: MadeUp, rows: number) {
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
    const chance = new Chance(seed + table * 0x9e3779b1);
    const { known, fresh } = parts(madeUp(request, guesses, rows + FRESH, chance), rows);
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
    measure: request.table.label.use === "classes" ? "share of wrong classes" : "root mean squared error",
    points: epsilons.map((epsilon, i) => ({ epsilon, ...summary(errors[i] as number[]) })),
    constant: summary(constant),
    best: summary(best),
    guesses,
  };
}
