/** Questions about what a mechanism is made of that are asked in numbers alone: what each needs. */
import { ORDER as order } from "../engine/calculator-engine.ts";
import { type Checked, list, real, tagged, whole } from "../engine/shape.ts";
import { divergence, level, maybe, probability, scale, table } from "./number-shapes.ts";

const share = real(1e-300, 1 - 1e-12);
const spent = real(1e-6, 700);
const ofNoise = real(1e-3, 1e12);

/** What each question needs; docs/adaptive-releases.md says what is answered. */
export const MECHANISM = tagged(
  "about",
  {},
  {
    "classic-test": { epsilon: spent, delta: probability, distance: maybe(real(0, 1e15)) },
    "tested-divergence": { order, passing: share, otherPassing: share, renyi: divergence },
    "wrong-acceptance": {
      thresholdScale: scale,
      valueScale: scale,
      gap: scale,
      values: whole(1, 1e6),
    },
    "noise-path": {
      epsilons: list(real(1e-50, 1e50), 1, 10_000, "numbers"),
      sensitivity: real(1e-50, 1e50),
    },
    "accuracy-first": {
      rows: whole(1, 1e12),
      lambda: scale,
      dimension: whole(1, 1e6),
      excessRisk: real(1e-9, 1e9),
      levels: whole(1, 1e6),
      failure: real(1e-9, 0.5),
    },
    doubling: {
      round: whole(1, 1000),
      sensitivity: scale,
      excessRisk: scale,
      rounds: whole(1, 1e6),
      failure: probability,
      firstEpsilon: scale,
    },
    "logarithm-sensitivity": {
      lambda: scale,
      eigenvalue: real(0, 1e100),
      featureBound: real(1e-50, 1e50),
    },
    "two-class-vote": { lead: real(0, 1e15), scale, epsilon: maybe(level) },
    "noisy-vote": { votes: list(real(0, 2 ** 53), 2, 100, "numbers"), sigma: ofNoise },
    "vote-divergence": { upset: real(0, 1), sigma: ofNoise, order },
    "vote-test": { epsilon: real(1e-3, 10), delta: probability },
    "sketch-pair": {
      sketchSize: whole(1, 1e6),
      leverage: real(1e-12, 0.999999),
      mu: maybe(real(1e-3, 10)),
      epsilon: maybe(level),
      delta: maybe(probability),
      order: maybe(order),
    },
    "mixing-law": { ...table, dimension: whole(1, 64), variance: scale, sketchSize: whole(3, 1e9) },
    "projection-test": { epsilon: spent, delta: probability, sketchSize: whole(1, 1e9), square: scale },
    "logistic-parabola": { range: real(1e-2, 100) },
  },
);

export type MechanismQuestion = Checked<typeof MECHANISM>;
