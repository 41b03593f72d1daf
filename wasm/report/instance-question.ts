/** Questions about one record that are asked in numbers alone: what each needs. */
import { ORDER as order } from "../engine/calculator-engine.ts";
import { type Checked, choice, list, real, tagged, whole } from "../engine/shape.ts";
import {
  anyLevel,
  divergence,
  level,
  matrix,
  maybe,
  number,
  probability,
  scale,
  size,
  table,
  vector,
} from "./number-shapes.ts";

const losses = list(real(0, Number.MAX_VALUE), 1, 1_000_000, "numbers");
const record = { record: vector, label: number, direction: choice("remove", "add") } as const;
const loss = {
  loss: choice("logistic", "squared", "huber", "poisson"),
  threshold: maybe(scale),
} as const;

/** Half of it goes to either side. */
const failure = real(1e-299, 0.5);
const perturbed = { sigma: scale, lambda: scale, lipschitz: scale, smoothness: scale } as const;

/** What each question needs; docs/personal-loss.md says what is answered. */
export const INSTANCE = tagged(
  "about",
  {},
  {
    "normal-noise": {
      moved: vector,
      sigma: maybe(scale),
      covariance: maybe(matrix),
      precision: maybe(matrix),
      noise: maybe(vector),
    },
    "laplace-noise": { moved: vector, scale, noise: maybe(vector) },
    "symmetric-noise": { moved: matrix, sigma: scale },
    "normal-bounds": { distance: size, delta: probability },
    "normal-pair": {
      mean: number,
      deviation: scale,
      otherMean: number,
      otherDeviation: scale,
      epsilon: anyLevel,
    },
    "posterior-sample": {
      leverage: real(1e-9, 1e3),
      residual: real(0, 1e6),
      epsilon: maybe(anyLevel),
      delta: maybe(probability),
      error: maybe(number),
    },
    ridge: {
      ...table,
      ...record,
      lambda: size,
      sigma: maybe(scale),
      sampleSigma: maybe(scale),
      epsilon: maybe(level),
      featureBound: maybe(scale),
      labelBound: maybe(scale),
    },
    "ridge-law": {
      ...table,
      dimension: whole(1, 64),
      lambda: size,
      law: choice("sample", "objective"),
      sigma: scale,
    },
    "ridge-objective": {
      leverage: real(0, 1e6),
      squaredSolution: size,
      length: size,
      residual: number,
      sigma: scale,
      epsilon: level,
    },
    objective: {
      ...perturbed,
      derivative: maybe(choice("any", "one-signed")),
      epsilon: maybe(level),
      order: maybe(order),
      count: maybe(whole(1, 1e6)),
    },
    "approximate-minima": { ...perturbed, gradientTolerance: size, outputSigma: scale, order },
    "general-objective": { ...perturbed, dimension: whole(1, 1e6), order },
    "objective-parameters": {
      epsilon: real(1e-100, 700),
      delta: probability,
      lipschitz: scale,
      smoothness: scale,
      sigma: maybe(scale),
    },
    "excess-risk": {
      rows: whole(0, 1e15),
      dimension: whole(1, 1e6),
      lipschitz: scale,
      lambda: scale,
      sigma: scale,
      gradientTolerance: size,
      outputSigma: size,
      length: size,
    },
    "objective-outcome": {
      ...loss,
      ...table,
      ...record,
      coefficients: vector,
      lambda: scale,
      sigma: scale,
      gradientBound: maybe(scale),
      failure: maybe(failure),
    },
    "smooth-outcome": {
      recordGradient: vector,
      direction: choice("remove", "add"),
      sigma: scale,
      hessian: maybe(matrix),
      recordHessian: maybe(matrix),
      gradient: maybe(vector),
      curvatures: maybe(list(size, 1, 200, "numbers")),
      lambda: maybe(scale),
      failure: maybe(failure),
    },
    slope: { ...loss, prediction: number, label: number, limit: maybe(scale) },
    "report-bound": {
      record: vector,
      direction: choice("remove", "add"),
      hessian: matrix,
      gradient: vector,
      first: number,
      second: size,
      lambda: scale,
      sigma: scale,
      gradientSigma: scale,
      hessianSigma: scale,
      eigenvalueSigma: maybe(scale),
      spectrum: size,
      floor: scale,
      failure: real(1e-290, 0.5),
    },
    people: {
      losses,
      others: maybe(losses),
      delta: maybe(real(0, 1)),
    },
    "ada-ops": {
      rows: whole(1, 1e15),
      dimension: whole(1, 1e6),
      spread: scale,
      epsilon: real(1e-6, 700),
      delta: real(1e-290, 0.5),
      eigenvalue: number,
    },
    "renyi-order": { renyi: divergence, order, delta: maybe(probability), epsilon: maybe(level) },
    "poisson-selection": { renyi: divergence, order, mean: real(1e-6, 700), failure: real(0, 1) },
  },
);

export type InstanceQuestion = Checked<typeof INSTANCE>;
