/**
 * What each private algorithm may be asked, besides what the table says: its noise, its regularisation, its choices.
 * Whatever is left out is found by the core. Bounds and the number of features come from the declared table alone, so
 * that a request cannot contradict itself.
 */
import { Refusal } from "../engine/refusal.ts";
import { type Checked, choice, optional, real, record, type Shape, tagged, whole } from "../engine/shape.ts";

const free = <T>(shape: Shape<T>) => optional(shape, undefined);

/** `paper` is the noise of the source that the algorithm comes from, `tight` the least that keeps the budget. */
const shared = { accounting: free(choice("tight", "paper")) };
/** Of algorithms whose source has no noise that keeps a budget; the core refuses it as well. */
const tightOnly = { accounting: free(choice("tight")) };

const positive = real(1e-12, 1e12);
const rows = whole(1, 2 ** 32);

/** Of a budget; below a thousandth the noise would drown everything. */
const share: Shape<number> = {
  schema: { type: "number", oneOf: [{ const: 0 }, { minimum: 0.001, maximum: 0.9 }] },
  check(field, value) {
    if (value === 0 || (typeof value === "number" && value >= 0.001 && value <= 0.9)) return value;
    const rule = "must be 0 or a number from 0.001 to 0.9";
    throw new Refusal(typeof value === "number" ? "range" : "type", field, value, rule);
  },
};

/** Generalised linear models, and what their losses need. */
const model = {
  loss: choice("logistic", "squared", "huber", "poisson"),
  /** Where the Huber loss becomes linear. */
  threshold: free(real(1e-9, 1e9)),
  /**
   * To which each row's gradient is shortened. When left out and gradients have no bound of their own, that of the
   * longest row whose prediction is off by a quarter of the label's range.
   */
  gradientBound: free(real(1e-9, 1e9)),
  /** A public guess, from which nothing follows here. */
  rows: free(rows),
};

/**
 * How far predictions are guessed to be from 0, one standard deviation for the longest rows; when left out, 3 for the
 * logistic loss, the logarithm of the largest label (of 2 at least) for the Poisson loss, and 1 for others. The larger the
 * guess, the less the coefficients are shrunk.
 */
const predictorScale = free(real(1e-6, 1e6));

/** Least squares on a random sketch of the table. */
const mixing = {
  sigma: free(positive),
  /** When left out, chosen for the budget, the features and `rows`. */
  sketchSize: free(whole(3, 1e6)),
  /** A public guess, 10 000 when left out. Nothing depends on it but the size of the sketch, where that is chosen. */
  rows: free(rows),
  /** Of the table's smallest eigenvalue, in units of what one row moves it by. */
  eigenvalueNoise: free(real(1e-6, 1e12)),
  /** The part of delta that is for the eigenvalue's bound to fail. */
  failure: free(real(1e-40, 0.25)),
};

/**
 * A price for tables of so many rows, as a public guess and not the table's own number: a table of more gets as much
 * more lambda, by a noisy number of its rows that is paid for.
 */
const ridge = { lambda: positive, rows, sigma: free(positive) };

/** A posterior sample whose noise follows from two statistics that are released first. */
const sample = {
  /** Of both statistics, in units of what one row moves them by. */
  sigma: free(real(0.01, 1e9)),
  /** What is left for the sample, and for the bounds to fail. */
  sampleEpsilon: free(real(1e-40, 1e6)),
  sampleDelta: free(real(1e-40, 0.25)),
  failure: free(real(1e-40, 0.25)),
};

/** Whether the eigenvalue is released first, so that the sketch needs less noise where it is large. */
const eigenvalue = { eigenvalue: free(choice("unused", "released")) };

/**
 * Accuracy first: no budget is kept, but how much worse than the best the model may be, per row and with which
 * probability it is worse.
 */
const accuracy = {
  ...tightOnly,
  excessRisk: real(1e-9, 1e9),
  lambda: positive,
  /** A public guess: the losses are summed up and divided by it. No guarantee of privacy depends on it. */
  rows,
  /** 0.05 when left out. */
  failure: free(real(1e-9, 0.5)),
  /** How many models are tested at most; 100 when left out. Each further one makes all tests cost a little more. */
  levels: free(whole(1, 10_000)),
  /** What the noisiest model costs, and the least noisy one. */
  leastEpsilon: free(real(1e-9, 1e3)),
  mostEpsilon: free(real(1e-9, 1e3)),
  neighbours: free(choice("replace", "add-remove")),
};

/**
 * What a model minimises: which labels that is for, the usual use first; what must be told of it besides; and whether it
 * is usually fitted by algorithms that are for it alone, or by those of any loss.
 */
export const LOSSES = {
  logistic: { labels: ["classes"], needs: [], usual: "any" },
  softmax: { labels: ["multiclass"], needs: [], usual: "any" },
  squared: { labels: ["numeric", "classes"], needs: [], usual: "alone" },
  huber: { labels: ["numeric", "classes"], needs: ["threshold"], usual: "any" },
  poisson: { labels: ["count"], needs: [], usual: "any" },
} as const;

export type Loss = keyof typeof LOSSES;
export type LabelUse = "numeric" | "count" | "classes" | "multiclass" | "choice" | "question";

/** What is asked of an algorithm: numbers and choices, or texts that may still be none. */
export type Asked = Readonly<Record<string, unknown>>;

/** Why a field decides nothing beside the others, as `where …`; nothing where it does. `isPriced`: noise is, and no budget is kept. */
type Idle = (asked: Asked, isPriced: boolean) => string | undefined;

const isGiven = (value: unknown) => value !== undefined && value !== "";
const isPaper = ({ accounting }: Asked) => accounting === "paper";

const beside = (...keys: readonly string[]): Idle => {
  const words = `${keys.join(" and ")} ${keys.length > 1 ? "are" : "is"} given`;
  return (asked) => (keys.every((key) => isGiven(asked[key])) ? words : undefined);
};
const besideNoise: Idle = (_, isPriced) => (isPriced ? "the noise is given" : undefined);
const besidePaper: Idle = (asked) => (isPaper(asked) ? "the paper's accounting is asked for" : undefined);
const whereAny =
  (...all: readonly Idle[]): Idle =>
  (asked, isPriced) =>
    all.map((one) => one(asked, isPriced)).find((why) => why !== undefined);

/** Where all that the paper says is how much noise there is. Ours is what is left out. */
const paperOfNoise: Readonly<Record<string, Idle>> = {
  accounting: (asked, isPriced) => (isPaper(asked) ? besideNoise(asked, isPriced) : undefined),
};

const always: Idle = () => "nothing follows from it";

interface Row {
  /** Besides `accounting`, unless its own is another choice. */
  readonly asks: Readonly<Record<string, Shape<unknown>>>;
  /**
   * Of these, which decide nothing, and where: they are refused there, but for a guess of how many rows there are, which may
   * be told to any algorithm that has ever asked for it. No page asks for any of them.
   */
  readonly idle?: Readonly<Record<string, Idle>>;
  /** Which of them is its noise: found where a budget is kept, given where noise is priced. */
  readonly noise: string;
  /** What it minimises, where it is not asked for it. */
  readonly loss?: Loss;
  /** For which labels it is, where that is not the loss's own matter. */
  readonly labels?: readonly LabelUse[];
  /** It keeps an accuracy, not a budget: its `noise` is always given, and what a run costs is said by what came out. */
  readonly accuracyFirst?: true;
  /** It takes no label: it predicts nothing. */
  readonly unlabelled?: true;
  /** It has no model of a budget, whose errors could tell which of several is best. */
  readonly untuned?: true;
  /** A part of its budget may buy what makes its reports tighter. */
  readonly sharesBudget?: true;
  /** It takes no intercept: one that is asked for is refused. */
  readonly withoutIntercept?: true;
  /** The core bounds the columns of a row, and its intercept beside them; otherwise both together. */
  readonly interceptBeside?: true;
}

/** Of the columns alone: how many of their main directions are told. */
const components = whole(1, 511);

/** Asked for its loss. */
const ofAnyLoss = { interceptBeside: true } as const;

const linear = { loss: "squared", labels: ["numeric", "classes", "count"] } as const;

/** Of sketches: how many rows there may be says how large the sketch is, which a budget does as well. */
const sketched = {
  noise: "sigma",
  idle: { ...paperOfNoise, rows: whereAny(beside("sketchSize"), besideNoise) },
} as const;

export const ALGORITHMS = {
  "output-perturbation": {
    ...ofAnyLoss,
    noise: "sigma",
    idle: { ...paperOfNoise, rows: always },
    asks: {
      ...model,
      lambda: positive,
      sigma: free(positive),
      neighbours: free(choice("add-remove", "replace")),
    },
  },
  "approximate-minima-perturbation": {
    ...ofAnyLoss,
    noise: "sigma",
    sharesBudget: true,
    idle: {
      ...paperOfNoise,
      rows: always,
      predictorScale: whereAny(beside("lambda"), besidePaper),
      noiseRatio: whereAny(beside("sigma"), beside("lambda"), besidePaper),
    },
    asks: {
      ...model,
      /** Of several classes each is fitted against the rest, by the logistic loss. */
      loss: choice("logistic", "softmax", "squared", "huber", "poisson"),
      lambda: free(positive),
      sigma: free(positive),
      predictorScale,
      /** sigma, as a multiple of that of the Gaussian mechanism; then lambda is the least that keeps the budget. */
      noiseRatio: free(real(1.001, 1e6)),
      /**
       * The part of the budget that buys a noisy Gram matrix, as the square of Gaussian noise counts it; the fit is then
       * done with rows whitened by it. 0: rows as they are. When left out, what requestToRun says.
       */
      whiten: free(share),
    },
  },
  "dp-sgd": {
    ...ofAnyLoss,
    noise: "noiseMultiplier",
    idle: { ...paperOfNoise, predictorScale: beside("steps", "momentum") },
    asks: {
      ...model,
      rows,
      /** When left out, as many as the budget makes use of. */
      steps: free(whole(1, 1e7)),
      /** The probability of each row to be in a step; 1 when left out. */
      rate: free(real(2 ** -32, 1)),
      /** When left out, 1 over the largest curvature of a row's loss. */
      learningRate: free(positive),
      /** The share of a step with which the next one goes on (Nesterov); when left out, what suits the steps. */
      momentum: free(real(0, 1)),
      predictorScale,
      /** Whether the points of all steps are released as well, which costs nothing more; hidden when left out. */
      path: free(choice("hidden", "released")),
      noiseMultiplier: free(positive),
    },
  },
  /** Noisy steps in the norm of a noisy Gram matrix, which is released first: no solver, and one Gaussian price. */
  "noisy-newton": {
    interceptBeside: true,
    noise: "sigma",
    asks: {
      ...tightOnly,
      loss: choice("logistic", "squared", "softmax"),
      /** In units of what one row moves all that is released by. */
      sigma: free(real(1e-4, 1e7)),
      /** When left out, 16, or 20 of several classes. */
      steps: free(whole(1, 100)),
      /** The part of the budget that is for the Gram matrix, as the square of Gaussian noise counts it; when left out, 0.3, or 0.5 of several classes. */
      gramShare: free(real(0.01, 0.9)),
      neighbours: free(choice("add-remove", "replace")),
    },
  },
  /** Less noise where the table's losses curve: that is released first. */
  "output-perturbation-by-curvature": {
    loss: "logistic",
    interceptBeside: true,
    noise: "sigma",
    asks: {
      ...tightOnly,
      lambda: positive,
      /** In units of how far one row can move the coefficients at the released curvature. */
      sigma: free(positive),
      /** Of the curvature, in units of what one row moves it by; 3 σ when left out. */
      eigenvalueNoise: free(real(0.01, 1e9)),
      /** The part of delta that is for the curvature's bound to fail. */
      failure: free(real(1e-40, 0.25)),
    },
  },
  "ada-ssp": {
    ...linear,
    noise: "sigma",
    idle: paperOfNoise,
    asks: { sigma: free(positive), releases: free(whole(2, 3)) },
  },
  "covariance-laplace": {
    ...linear,
    noise: "scale",
    asks: {
      scale: free(positive),
      lambda: free(real(0, 1e12)),
      norm: free(choice("l2", "l1")),
    },
  },
  "covariance-noise-reduction": {
    ...linear,
    accuracyFirst: true,
    untuned: true,
    noise: "excessRisk",
    asks: { ...accuracy, norm: free(choice("l2", "l1")) },
  },
  "output-noise-reduction": {
    loss: "logistic",
    interceptBeside: true,
    accuracyFirst: true,
    untuned: true,
    noise: "excessRisk",
    asks: accuracy,
  },
  "linear-mixing": { ...linear, ...sketched, asks: { ...mixing, ...eigenvalue } },
  "gaussian-mixing": { ...linear, ...sketched, asks: { ...mixing, ...eigenvalue } },
  "johnson-lindenstrauss": { ...linear, ...sketched, asks: mixing },
  "logistic-mixing": {
    loss: "logistic",
    ...sketched,
    /** `range` is how far the linear predictor should be right. */
    asks: { ...mixing, ...eigenvalue, range: free(real(1e-3, 100)) },
  },
  "output-perturbation-ridge": { ...linear, noise: "sigma", idle: paperOfNoise, asks: ridge },
  "posterior-sampling": { ...linear, noise: "sigma", idle: paperOfNoise, asks: ridge },
  "adaptive-posterior-sampling": {
    ...linear,
    noise: "sigma",
    asks: { lambda: free(positive), ...sample },
  },
  /** The sample with the `lambda` that is typed, or nothing where the table does not allow it. */
  "ops-ptr": { ...linear, noise: "sigma", asks: { lambda: positive, ...sample } },
  "noisy-covariance": {
    unlabelled: true,
    untuned: true,
    noise: "sigma",
    idle: paperOfNoise,
    asks: { sigma: free(positive), components: free(components) },
  },
  "principal-subspace": {
    unlabelled: true,
    untuned: true,
    withoutIntercept: true,
    noise: "sigma",
    idle: paperOfNoise,
    asks: {
      components,
      sigma: free(positive),
      /** Of the eigenvalue gap that is released first, in units of what one row moves it by; 3 σ when left out. */
      gapNoise: free(real(0.01, 1e9)),
      /** The part of delta that is for the gap's bound to fail. */
      failure: free(real(1e-40, 0.25)),
    },
  },
  "noisy-voting": {
    labels: ["choice", "question"],
    untuned: true,
    withoutIntercept: true,
    noise: "scale",
    idle: paperOfNoise,
    asks: {
      noise: free(choice("gaussian", "laplace")),
      /** Whether a voter takes part or not, or votes otherwise. */
      neighbours: free(choice("add-remove", "replace")),
      /** In votes: the standard deviation of normal noise on each number; the scale of Laplace noise on each, or on the gap of two. */
      scale: free(real(1e-3, 1e12)),
      /** A question stays open where the most votes and noise of its own scale are below. */
      leastVotes: free(real(-1e12, 1e12)),
      leastVotesScale: free(real(1e-3, 1e12)),
    },
  },
} as const satisfies Readonly<Record<string, Row>>;

export type AlgorithmName = keyof typeof ALGORITHMS;

const names = Object.keys(ALGORITHMS) as readonly AlgorithmName[];

/** Without knowing what it is asked. */
export const rowOf = (name: AlgorithmName): Row => ALGORITHMS[name];

type Asks = { readonly [name in AlgorithmName]: (typeof ALGORITHMS)[name]["asks"] };
const asks = Object.fromEntries(names.map((name) => [name, ALGORITHMS[name].asks])) as unknown as Asks;

/** By the fields that decide nothing beside what is asked, whether they are given or not, why. */
export function idleIn(name: AlgorithmName, asked: Asked, isPriced: boolean): ReadonlyMap<string, string> {
  const all = Object.entries(rowOf(name).idle ?? {}).flatMap(([key, idle]) => {
    const why = idle(asked, isPriced);
    return why === undefined ? [] : [[key, why] as const];
  });
  return new Map(all);
}

/** Without what decides nothing. */
export function withoutIdle<A extends { readonly name: AlgorithmName }>(algorithm: A, isPriced: boolean): A {
  const idle = idleIn(algorithm.name, algorithm as unknown as Asked, isPriced);
  return Object.fromEntries(Object.entries(algorithm).filter(([key]) => !idle.has(key))) as A;
}

export const ALGORITHM = tagged("name", shared, asks);
export type Algorithm = Checked<typeof ALGORITHM>;

const allFree = (asks: Row["asks"]) =>
  Object.fromEntries(Object.entries(asks).map(([key, shape]) => [key, free(shape)]));

/** All of it may be left out: candidates have other values, or all of them give it. */
export const FREE_ASKS = Object.fromEntries(
  names.map((name) => [name, allFree(ALGORITHMS[name].asks)]),
) as Readonly<Record<AlgorithmName, ReturnType<typeof allFree>>>;

/** Of which candidates may give what it must be asked. */
export const TUNED_ALGORITHM = tagged("name", shared, FREE_ASKS);

/** What the model minimises; nothing where there is no model. */
export const lossOf = (algorithm: Algorithm): Loss | undefined =>
  rowOf(algorithm.name).loss ?? ("loss" in algorithm ? algorithm.loss : undefined);

/** For which labels it is, and whose rule that is. */
export function labelsOf(algorithm: Algorithm): { readonly uses: readonly LabelUse[]; readonly of: string } {
  const { labels } = rowOf(algorithm.name);
  const loss = lossOf(algorithm);
  if (labels || !loss) return { uses: labels ?? [], of: algorithm.name };
  return { uses: LOSSES[loss].labels, of: `the ${loss} loss` };
}

/** What is promised, or at which δ the price is told. */
export const BUDGET = record({
  /** Without it the algorithm's noise must be given, and is priced. */
  epsilon: optional(real(1e-6, 1e6), undefined),
  delta: real(0, 0.5),
});
