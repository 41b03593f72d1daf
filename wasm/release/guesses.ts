/** What may be guessed about a table that nobody has seen yet, for a simulation. */
import { type Checked, list, optional, real, record, whole } from "../engine/shape.ts";

/** How far the mean of each numeric column and of a numeric label is from the middle of its range, and that of a count below it, in half ranges. */
const offCentre = real(0, 0.9);
/** How many times farther rows lie apart in the direction in which they differ most than in that in which least. */
const conditioning = real(1, 1e6);

/** Of a table that is badly scaled, as many are. */
export const BADLY_SCALED = { offCentre: 0.6, conditioning: 100 } as const;

/** None of them may be read off the table that is to be protected. */
const table = {
  /** How many rows the table will have. */
  rows: whole(10, 1_000_000),
  /** The share of the label's variance that the columns explain; for classes, of the variance of the noisy logit. */
  explained: optional(real(0, 0.999), 0.5),
  /** Of any two columns. */
  correlation: optional(real(0, 0.99), 0.2),
  /** The standard deviation of numeric columns and of a numeric label, as a share of half their range; that of a count follows from its mean. */
  spread: optional(real(0.001, 1), 0.3),
  /** The share of rows in the second class. */
  positives: optional(real(0.001, 0.999), 0.5),
  seed: optional(whole(0, 2 ** 32 - 1), 1),
};

/** What is left out is guessed so as to promise too little. */
export const GUESSES = record({
  ...table,
  epsilons: optional(list(real(1e-6, 1e6), 1, 50), [0.1, 0.3, 1, 3, 10]),
  offCentre: optional(offCentre, BADLY_SCALED.offCentre),
  conditioning: optional(conditioning, BADLY_SCALED.conditioning),
  /** How many tables are made up. */
  tables: optional(whole(2, 1000), 10),
});

export type Guesses = Checked<typeof GUESSES>;

/** To compare algorithms: on tables as guessed, and on badly scaled ones besides. */
export const RANKING_GUESSES = record({
  ...table,
  offCentre: optional(offCentre, 0),
  conditioning: optional(conditioning, 1),
  /** How many tables are made up of either sort. */
  tables: optional(whole(20, 1000), 20),
});

export type RankingGuesses = Checked<typeof RANKING_GUESSES>;

/** What decides how tables are made up. */
export type TableGuesses = Omit<RankingGuesses, "tables" | "seed">;
