/** What may be guessed about a table that nobody has seen yet, for a simulation. */
import { type Checked, list, optional, real, record, whole } from "../engine/shape.ts";

/** None of them may be read off the table that is to be protected. */
export const GUESSES = record({
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
