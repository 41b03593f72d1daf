/**
 * The catalogue: every mechanism and every parameter once. It feeds validation, the forms of the page, the
 * attributes of the widgets, the command line's help and the documentation. A new mechanism is one entry
 * here, one file in `core/loss/mechanisms` and one reference table.
 */

/** Which two tables count as neighbours: the question behind every guarantee. */
export const NEIGHBOURS = ["add-remove", "replace", "zero-out"] as const;
export type Neighbours = (typeof NEIGHBOURS)[number];

/** How privacy moves as the parameter grows; calibration needs to know. */
export type Effect = "more-private" | "less-private" | "none";

interface Words {
  readonly symbol: string;
  readonly title: string;
  readonly unit: string;
  readonly help: string;
  /** With which options of which choice alone it is a parameter at all; with all where nothing is said. */
  readonly when?: Readonly<Record<string, readonly string[]>>;
}

export interface NumberParameter extends Words {
  readonly type: "real" | "integer";
  /** The range is closed at both ends. */
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
  readonly effect: Effect;
  /** With which options of which choice more of it is sometimes more private and sometimes less. */
  readonly unsteady?: Readonly<Record<string, readonly string[]>>;
}

export interface NumbersParameter extends Words {
  readonly type: "reals";
  readonly minimum: number;
  readonly maximum: number;
  readonly default: readonly number[];
  /** Strictly increasing lists, such as Rényi orders. */
  readonly increasing: boolean;
  /** The parameter whose list must be as long as this one, if any. */
  readonly pairedWith?: string;
}

export interface PartsParameter extends Words {
  readonly type: "parts";
}

/** One of a few words. */
export interface ChoiceParameter extends Words {
  readonly type: "choice";
  readonly options: readonly string[];
  /** What is meant when nothing is said, if nothing may be said. */
  readonly default: string;
  readonly optional: boolean;
  /** The neighbouring relations for which each option answers, where they differ; the first is its default. */
  readonly neighbours?: Readonly<Record<string, readonly Neighbours[]>>;
  /** By option and relation, what the mechanism inside must be about, where that is not the relation of the whole. */
  readonly inside?: Readonly<Record<string, Readonly<Partial<Record<Neighbours, Inside>>>>>;
  /** The relations between which an option makes no difference, where that may be one of several and need not be said. */
  readonly alike?: Readonly<Record<string, readonly Neighbours[]>>;
  /** The option that is meant where only the relation is said, where that is not the default. */
  readonly meant?: Readonly<Partial<Record<Neighbours, string>>>;
}

/** Of a mechanism inside another one whose numbers are about other neighbours. */
export interface Inside {
  /** What it may say; the first is what a form says. */
  readonly neighbours: readonly Neighbours[];
  /** Whether it must say it: where nothing said could be taken for a smaller number. */
  readonly said: boolean;
  /** Why, and which number is meant. */
  readonly rule: string;
}

/** One other mechanism. */
export interface DescriptionParameter extends Words {
  readonly type: "description";
}

export type Parameter =
  | NumberParameter
  | NumbersParameter
  | PartsParameter
  | ChoiceParameter
  | DescriptionParameter;

/** A formula that was printed wrong, and a release that shows it. */
export interface Erratum {
  /** What was printed, and what it should be. */
  readonly printed: string;
  readonly corrected: string;
  /** At this ε the printed formula promises `printedDelta`; the release has `trueDelta` at least. */
  readonly counterexample: {
    readonly description: Readonly<Record<string, string | number>>;
    readonly epsilon: number;
    readonly printedDelta: number;
    readonly trueDelta: number;
  };
  /** Author, year and place of the misprint. */
  readonly source: string;
}

/** One of the ways in which a mechanism is around another one. */
export interface Way {
  /** The option of the choice that makes this way; the only way where nothing is said. */
  readonly option?: string;
  /** What follows the name of what is inside, such as "on a Poisson sample". */
  readonly brief: string;
  /** What follows it, where the ways have different parameters. */
  readonly measured?: string;
  /** The same in print, for one run and for several. */
  readonly printed: { readonly one: string; readonly several: string };
  /** In Google's dp_accounting: the event, around that of one of these kinds. */
  readonly dpEvent?: {
    readonly text: string;
    readonly of: readonly string[];
    /** The relations that it can be about; all where nothing is said. */
    readonly neighbours?: readonly Neighbours[];
  };
  /** What a library lacks that has no accountant for it. */
  readonly called: string;
  /** What somebody must know to whom an answer is shown. In braces stand names of its parameters. */
  readonly told?: string;
  /** The same for one relation. */
  readonly toldFor?: Readonly<Partial<Record<Neighbours, string>>>;
}

/** How a mechanism around another one is put around it and said. In braces stand names of its parameters. */
export interface Around {
  /** What is added to a release, in a word, and how it is taken off again. */
  readonly add: string;
  readonly remove: string;
  /** What follows the title of what is inside. */
  readonly title: string;
  /** What follows `brief` and `printed`, where a way does not say its own: every parameter that it has. */
  readonly measured: string;
  /** What a library lacks that knows none of its ways. */
  readonly called: string;
  readonly ways: readonly [Way, ...Way[]];
}

export interface KindEntry {
  readonly title: string;
  /** What it is, in a sentence for somebody who must choose. */
  readonly help: string;
  /** Where its privacy loss comes from: author, year, theorem. */
  readonly source: string;
  /** Supported neighbouring relations; the first is the default. */
  readonly neighbours: readonly Neighbours[];
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** How releases compose in closed form with all others of which the same is said: author, year, theorem. */
  readonly composition?: string;
  /** How releases that are all of this kind compose with certified ends when each may be chosen by the answers before it. */
  readonly adaptive?: string;
  readonly errata?: readonly Erratum[];
  /** Of every mechanism around another one. */
  readonly around?: Around;
}

/** Scales are kept far from overflow, so that every product in the core is safe. */
const SMALLEST_SCALE = 1e-100;
const LARGEST_SCALE = 1e100;
/** The largest count that is exact as a double and as a 53-bit integer. */
const LARGEST_COUNT = 1e15;

const real = <const P extends Words & Omit<NumberParameter, keyof Words | "type">>(parameter: P) =>
  ({ type: "real", ...parameter }) as const;
const integer = <const P extends Words & Omit<NumberParameter, keyof Words | "type">>(parameter: P) =>
  ({ type: "integer", ...parameter }) as const;

const scaleRange = { minimum: SMALLEST_SCALE, maximum: LARGEST_SCALE } as const;
const lossRange = { minimum: 0, maximum: LARGEST_SCALE } as const;

/** Fitting a model to rows: a record is there or not, or its row is zeroed. */
const rowRelation = ["add-remove", "zero-out"] as const;
const anyRelation = ["add-remove", "replace", "zero-out"] as const;

const sensitivity = (norm: string) =>
  real({
    symbol: "Δ",
    title: `${norm} sensitivity`,
    unit: "units of the query",
    ...scaleRange,
    default: 1,
    effect: "less-private",
    help: `The most that the query can move, in ${norm} norm, between two neighbouring tables under the named relation. Replacing a record can move it twice as far as adding one.`,
  });

const wholeSensitivity = (maximum: number) =>
  integer({
    symbol: "Δ",
    title: "sensitivity",
    unit: "counts",
    minimum: 1,
    maximum,
    default: 1,
    effect: "less-private",
    help: "The most that the count can move between two neighbouring tables under the named relation; a whole number.",
  });

const normalSigma = real({
  symbol: "σ",
  title: "noise standard deviation",
  unit: "units of the query",
  ...scaleRange,
  default: 1,
  effect: "more-private",
  help: "The standard deviation of the noise in every coordinate.",
});

const noiseBound = real({
  symbol: "A",
  title: "largest noise",
  unit: "units of the query",
  ...scaleRange,
  default: 12,
  effect: "more-private",
  help: "The noise lies in [−A, A]. Below half the sensitivity, neighbouring tables have no output in common.",
});

/** With an index, because the ε and δ of the answer stand in the same sentence. */
const pureEpsilon = real({
  symbol: "ε₀",
  title: "pure privacy loss",
  unit: "nats",
  ...lossRange,
  default: 1,
  effect: "less-private",
  help: "The largest privacy loss of any single outcome.",
});

/** What is inside of Poisson samples when records are replaced, and of draws when they are added. */
const addedInside = {
  neighbours: rowRelation,
  said: true,
  rule: "must be add-remove: what a Poisson sample tells of a replaced record follows from how far the query moves when a record is added, and that must be the sensitivity here",
} as const;
const replacedInside = {
  neighbours: ["replace"],
  said: false,
  rule: "must be replace: a drawn record takes the place of another one, so that the sensitivity here is how far the query moves when one is replaced, twice the norm of a record",
} as const;

const concentratedRho = real({
  symbol: "ρ",
  title: "concentrated privacy parameter",
  unit: "nats per order",
  ...lossRange,
  default: 0.5,
  effect: "less-private",
  help: "The Rényi divergence of order α is at most ρ·α.",
});

const objectivePerturbation = {
  sigma: real({
    symbol: "σ",
    title: "noise of the objective",
    unit: "units of the gradient",
    ...scaleRange,
    default: 8,
    effect: "more-private",
    help: "The standard deviation, in every coordinate, of the random linear term added to the objective.",
  }),
  lambda: real({
    symbol: "λ",
    title: "regularisation of the sum",
    unit: "units of the curvature",
    ...scaleRange,
    default: 10,
    effect: "more-private",
    help: "The objective is the sum of the losses plus λ‖θ‖²/2, the intercept included; for a mean over n records multiply by n.",
  }),
  lipschitz: real({
    symbol: "L",
    title: "largest gradient",
    unit: "units of the gradient",
    ...scaleRange,
    default: 1,
    effect: "less-private",
    help: "The most that the gradient of one record's loss can measure, the record's norm included.",
  }),
  smoothness: real({
    symbol: "β",
    title: "largest curvature",
    unit: "units of the curvature",
    ...scaleRange,
    default: 1,
    effect: "less-private",
    help: "The most that the second derivative of one record's loss can be, times the record's squared norm.",
  }),
  derivative: {
    type: "choice",
    symbol: "f′",
    title: "sign of the derivative",
    unit: "",
    options: ["any", "one-signed"],
    default: "any",
    optional: true,
    help: "One-signed if, for each record, the derivative never changes sign: true for logistic loss, false for Poisson, squared and Huber losses.",
  },
} as const;

export const KINDS = {
  gaussian: {
    title: "Gaussian noise",
    help: "Adds normal noise of standard deviation σ to a query of bounded Euclidean sensitivity.",
    source: "Balle and Wang 2018, Theorem 8",
    errata: [
      {
        printed: "For every δ, ε = Δ √(log(1.25/δ)) / σ.",
        corrected:
          "A factor 2 is missing under the root, and even ε = Δ √(2 log(1.25/δ)) / σ is proved for ε < 1 only.",
        counterexample: {
          description: { kind: "gaussian", sigma: 1, sensitivity: 1 },
          epsilon: 3.746819198904383,
          printedDelta: 1e-6,
          trueDelta: 0.00012399098865831332,
        },
        source: "Wang 2019, Lemma 4, at γ = 1",
      },
    ],
    composition: "Dong, Roth and Su 2019, Corollary 2",
    neighbours: anyRelation,
    parameters: {
      sigma: normalSigma,
      sensitivity: sensitivity("L2"),
    },
  },
  laplace: {
    title: "Laplace noise",
    help: "Adds double-exponential noise of scale b to a query of bounded L1 sensitivity.",
    source:
      "Dwork, McSherry, Nissim and Smith 2006, Proposition 1; profile by Balle, Barthe and Gaboardi 2020",
    neighbours: anyRelation,
    parameters: {
      scale: real({
        symbol: "b",
        title: "noise scale",
        unit: "units of the query",
        ...scaleRange,
        default: 1,
        effect: "more-private",
        help: "The scale of the noise; its standard deviation is √2·b.",
      }),
      sensitivity: sensitivity("L1"),
    },
  },
  "truncated-laplace": {
    title: "Truncated Laplace noise",
    help: "Adds Laplace noise of scale b that never exceeds a bound A: its density is cut off there and rescaled. A shift then shows for certain with a small probability, which is the least δ there is.",
    source: "Geng, Ding, Guo and Kumar 2020; exact profile by the best test of a log-concave shift",
    neighbours: anyRelation,
    parameters: {
      scale: real({
        symbol: "b",
        title: "noise scale",
        unit: "units of the query",
        ...scaleRange,
        default: 1,
        effect: "none",
        help: "The scale of the noise before it is cut off. More is not always more private: it puts more noise near the bound.",
      }),
      sensitivity: sensitivity("absolute"),
      bound: noiseBound,
    },
  },
  "truncated-gaussian": {
    title: "Truncated Gaussian noise",
    help: "Adds normal noise to one number that never exceeds a bound A: its density is cut off there and rescaled. Clamping outputs costs nothing; drawing noise again until an output is in a range is another mechanism, and not this one.",
    source: "exact profile by the best test of a log-concave shift, as of Geng, Ding, Guo and Kumar 2020",
    neighbours: anyRelation,
    parameters: {
      sigma: real({
        symbol: "σ",
        title: "noise parameter",
        unit: "units of the query",
        ...scaleRange,
        default: 1,
        effect: "none",
        help: "The standard deviation of the noise before it is cut off. More is not always more private: it puts more noise near the bound.",
      }),
      sensitivity: sensitivity("absolute"),
      bound: noiseBound,
    },
  },
  "discrete-laplace": {
    title: "Discrete Laplace noise",
    help: "Adds two-sided geometric noise, an integer with probability proportional to exp(−|x|/b), to a count.",
    source: "Ghosh, Roughgarden and Sundararajan 2009, Definition 2.1",
    neighbours: anyRelation,
    parameters: {
      scale: real({
        symbol: "b",
        title: "noise scale",
        unit: "counts",
        ...scaleRange,
        default: 1,
        effect: "more-private",
        help: "The probability of x falls like exp(−|x|/b).",
      }),
      sensitivity: wholeSensitivity(1e4),
    },
  },
  "randomized-response": {
    title: "Randomized response",
    help: "Each person reports the true one of m categories with odds exp(ε₀) to 1 against every other.",
    source: "Warner 1965; m categories by Kairouz, Oh and Viswanath 2014, equation 17",
    composition: "Kairouz, Oh and Viswanath 2015, Theorem 3.3",
    neighbours: ["replace", "add-remove", "zero-out"],
    parameters: {
      other: {
        type: "choice",
        symbol: "",
        title: "what is told instead",
        unit: "",
        options: ["another", "random"],
        default: "another",
        optional: true,
        neighbours: { another: ["replace"], random: rowRelation },
        help: "Another: the answer of somebody of another category. Random: one of the categories, all equally likely, as from somebody who was not asked; for ε₀ up to 700.",
      },
      categories: integer({
        symbol: "m",
        title: "number of categories",
        unit: "categories",
        minimum: 2,
        maximum: LARGEST_COUNT,
        default: 2,
        effect: "more-private",
        unsteady: { other: ["random"] },
        help: "How many answers are possible. Of more, each is rarer: that protects against another answer, and not always against a random one.",
      }),
      epsilon: pureEpsilon,
    },
  },
  "report-noisy-max": {
    title: "Winner of a noisy vote",
    help: "Counts votes for a few classes, adds noise to every number, and releases only which class has the largest.",
    source:
      "Dwork and Roth 2014, Claim 3.9; exact profile of two classes by the best test of a log-concave shift; of more, level others (normal noise) or between those and the least dispersed largest number",
    neighbours: anyRelation,
    parameters: {
      noise: {
        type: "choice",
        symbol: "",
        title: "law of the noise",
        unit: "",
        options: ["laplace", "gaussian"],
        default: "laplace",
        optional: false,
        help: "What is added to every number, independently: Laplace noise of that scale, or normal noise of that standard deviation (GNMax).",
      },
      vote: {
        type: "choice",
        symbol: "",
        title: "what one person does",
        unit: "",
        options: ["added", "switched"],
        default: "added",
        optional: false,
        neighbours: { added: rowRelation, switched: ["replace"] },
        help: "Added: a person votes or does not. Switched: a person votes for another class, and two numbers move.",
      },
      classes: integer({
        symbol: "m",
        title: "number of classes",
        unit: "classes",
        minimum: 2,
        maximum: LARGEST_COUNT,
        default: 2,
        effect: "less-private",
        help: "How many classes there are to vote for.",
      }),
      scale: real({
        symbol: "b",
        title: "noise scale",
        unit: "votes",
        ...scaleRange,
        default: 1,
        effect: "more-private",
        help: "The scale of Laplace noise, or the standard deviation of normal noise, on every number.",
      }),
    },
  },
  exponential: {
    title: "Exponential mechanism",
    help: "Chooses an outcome with probability proportional to exp(ε₀·score/(2Δ)); the privacy loss then lies in a window of width ε₀.",
    source: "McSherry and Talwar 2007; bounded range by Dong, Durfee and Rogers 2020, Lemma 3.4",
    adaptive:
      "Dong, Durfee and Rogers 2020, Section 4, the worst windows chosen adaptively, on a grid from both sides",
    neighbours: anyRelation,
    parameters: {
      epsilon: real({
        symbol: "ε₀",
        title: "bounded range",
        unit: "nats",
        ...lossRange,
        default: 1,
        effect: "less-private",
        help: "The width of the window that holds the privacy loss (the η of bounded-range analyses).",
      }),
    },
  },
  "permute-and-flip": {
    title: "Permute and flip",
    help: "Goes through the candidates in random order and takes each with a probability that falls with its distance from the best score: what report noisy max with exponential noise of scale 2Δ/ε₀ tells. With Gumbel noise it is the exponential mechanism.",
    source:
      "McKenna and Sheldon 2020; two candidates tell most, and over all gaps what Laplace noise of that ratio tells",
    neighbours: anyRelation,
    parameters: { epsilon: real({ ...pureEpsilon, maximum: 700 }) },
  },
  staircase: {
    title: "Staircase noise",
    help: "Adds noise whose density falls in steps, by exp(−ε₀) every sensitivity: the least noise for its pure ε₀.",
    source: "Geng and Viswanath 2014, Theorem 1; no smaller move tells more than the whole sensitivity",
    neighbours: anyRelation,
    parameters: {
      epsilon: real({ ...pureEpsilon, maximum: 700 }),
      gamma: real({
        symbol: "γ",
        title: "share of the higher part of a step",
        unit: "ratio",
        minimum: 0,
        maximum: 1,
        default: 0.375,
        effect: "none",
        help: "Where inside a step the density falls. Least expected size of the noise: 1/(1 + exp(ε₀/2)).",
      }),
    },
  },
  "partition-selection": {
    title: "Partition selection",
    help: "Names the groups of a table, each with the largest probability that its number of persons allows; a person is in one group at most. No group of nobody is ever named.",
    source: "Desfontaines, Voss, Gipson and Mandayam 2022, Theorem 1; the worst over all numbers of persons",
    neighbours: ["add-remove"],
    parameters: {
      epsilon: real({
        ...pureEpsilon,
        title: "privacy loss that is kept",
        minimum: 1e-6,
        maximum: 700,
        help: "The ε for which the probabilities are the largest ones.",
      }),
      delta: real({
        symbol: "δ₀",
        title: "chance of naming a group of one",
        unit: "probability",
        minimum: 1e-300,
        maximum: 1,
        default: 1e-6,
        effect: "less-private",
        help: "The probability with which a group of a single person is named; the δ for which the probabilities are the largest ones.",
      }),
    },
  },
  pure: {
    title: "Any ε-private release",
    help: "All that is known is that the release is ε-differentially private.",
    source: "Kairouz, Oh and Viswanath 2015, Theorem 3.3",
    composition: "Kairouz, Oh and Viswanath 2015, Theorem 3.3",
    neighbours: anyRelation,
    parameters: { epsilon: pureEpsilon },
  },
  approximate: {
    title: "Any (ε, δ)-private release",
    help: "All that is known is one pair (ε, δ).",
    source: "Kairouz, Oh and Viswanath 2015, Theorem 3.3",
    neighbours: anyRelation,
    parameters: {
      epsilon: {
        ...pureEpsilon,
        title: "ε of the pair",
        help: "Up to δ₀, no event is more than e to the ε₀ times as likely on one of two neighbouring tables as on the other.",
      },
      delta: real({
        symbol: "δ₀",
        title: "δ of the pair",
        unit: "probability",
        minimum: 0,
        maximum: 1,
        default: 1e-6,
        effect: "less-private",
        help: "By so much the probability of any event may exceed e to the ε₀ times that on the neighbouring table. It need not be the probability of a failure.",
      }),
    },
  },
  zcdp: {
    title: "Any ρ-zCDP release",
    help: "All that is known is that the release is ρ-zero-concentrated differentially private.",
    source:
      "Bun and Steinke 2016, Definition 1.1; conversion by Canonne, Kamath and Steinke 2020, Proposition 12",
    composition: "Bun and Steinke 2016, Lemma 1.7",
    neighbours: anyRelation,
    parameters: { rho: concentratedRho },
  },
  "xi-zcdp": {
    title: "Any (ξ, ρ)-zCDP release",
    help: "All that is known is that the release is (ξ, ρ)-zero-concentrated differentially private: the Rényi bound ξ + ρ·α at every order α.",
    source:
      "Bun and Steinke 2016, Definition 1.1; conversion by Asoodeh, Liao, Calmon, Kosut and Sankar 2021, Theorem 3",
    composition: "Bun and Steinke 2016, Lemma 1.7",
    neighbours: anyRelation,
    parameters: {
      xi: real({
        symbol: "ξ",
        title: "constant privacy loss",
        unit: "nats",
        ...lossRange,
        default: 0.1,
        effect: "less-private",
        help: "What the Rényi divergence of every order may have beside ρ·α.",
      }),
      rho: real({ ...concentratedRho, help: "The Rényi divergence of order α is at most ξ + ρ·α." }),
    },
  },
  tcdp: {
    title: "Any (ρ, ω)-tCDP release",
    help: "All that is known is that the release is truncated concentrated private: the bound ρ·α holds for orders α below ω.",
    source:
      "Bun, Dwork, Rothblum and Steinke 2018, Definition 1; conversion by Canonne, Kamath and Steinke 2020, Proposition 12",
    composition: "Bun, Dwork, Rothblum and Steinke 2018, Lemma 2",
    neighbours: anyRelation,
    parameters: {
      rho: concentratedRho,
      omega: real({
        symbol: "ω",
        title: "largest order",
        unit: "order",
        minimum: 1.000001,
        maximum: LARGEST_SCALE,
        default: 10,
        effect: "more-private",
        help: "The Rényi bound ρ·α holds for orders above 1 and below ω.",
      }),
    },
  },
  gdp: {
    title: "Any μ-GDP release",
    help: "All that is known is that telling neighbours apart is at least as hard as telling N(0, 1) from N(μ, 1).",
    source: "Dong, Roth and Su 2019, Definition 6 and Corollary 1",
    composition: "Dong, Roth and Su 2019, Corollary 2",
    neighbours: anyRelation,
    parameters: {
      mu: real({
        symbol: "μ",
        title: "Gaussian privacy parameter",
        unit: "standard deviations",
        ...lossRange,
        default: 1,
        effect: "less-private",
        help: "The distance of the two normal distributions in standard deviations.",
      }),
    },
  },
  rdp: {
    title: "A table of Rényi bounds",
    help: "All that is known is a list of orders and the Rényi divergence at each.",
    source:
      "Mironov 2017, Definition 4; conversion by Asoodeh, Liao, Calmon, Kosut and Sankar 2021, Theorem 3",
    neighbours: anyRelation,
    parameters: {
      orders: {
        type: "reals",
        symbol: "α",
        title: "Rényi orders",
        unit: "order",
        minimum: 1.000001,
        maximum: 1e6,
        default: [2, 4, 8],
        increasing: true,
        pairedWith: "epsilons",
        help: "Orders above 1, in increasing order.",
      },
      epsilons: {
        type: "reals",
        symbol: "ε(α)",
        title: "Rényi divergences",
        unit: "nats",
        minimum: 0,
        maximum: 1e6,
        default: [0.1, 0.2, 0.4],
        increasing: false,
        pairedWith: "orders",
        help: "The Rényi divergence at each order.",
      },
    },
  },
  "privacy-loss": {
    title: "A table of privacy losses",
    help: "A privacy loss distribution that was computed elsewhere: finitely many losses with their probabilities. Tables that were rounded down are no guarantee and have no place here.",
    source:
      "Meiser and Mohammadi 2018; as a dominating pair Zhu, Dong and Wang 2022, Theorem 10; both directions by the mirror image of the pair",
    neighbours: anyRelation,
    parameters: {
      losses: {
        type: "reals",
        symbol: "L",
        title: "privacy losses",
        unit: "nats",
        minimum: -1e6,
        maximum: 1e6,
        default: [-1, 0, 1],
        increasing: true,
        pairedWith: "masses",
        help: "log P/Q of the outcomes, in increasing order; the mean of exp(−L) must not be above 1.",
      },
      masses: {
        type: "reals",
        symbol: "p",
        title: "probabilities",
        unit: "probability",
        minimum: 0,
        maximum: 1,
        default: [0.125, 0.5, 0.375],
        increasing: false,
        pairedWith: "losses",
        help: "The probability of each loss under P; 1 together with that of an infinite loss.",
      },
      infinite: real({
        symbol: "δ₀",
        title: "probability of an infinite loss",
        unit: "probability",
        minimum: 0,
        maximum: 1,
        default: 0,
        effect: "none",
        help: "What P shows and Q never does.",
      }),
      rounded: {
        type: "choice",
        symbol: "",
        title: "how the table was made",
        unit: "",
        options: ["up", "exact"],
        default: "up",
        optional: false,
        help: "Up: every loss was rounded up, so that the table dominates the mechanism; the answer is a bound. Exact: the table is the mechanism.",
      },
      direction: {
        type: "choice",
        symbol: "",
        title: "direction of the table",
        unit: "",
        options: ["remove", "add", "both"],
        default: "remove",
        optional: false,
        help: "Remove: P is the table with the record; the other direction is the mirror image. Both: the table dominates both directions, for tables rounded up only.",
      },
    },
  },
  "discrete-gaussian": {
    title: "Discrete Gaussian noise",
    help: "Adds an integer with probability proportional to exp(−x²/(2σ²)) to a count.",
    source: "Canonne, Kamath and Steinke 2020, The Discrete Gaussian for Differential Privacy",
    neighbours: anyRelation,
    parameters: {
      sigma: real({
        symbol: "σ",
        title: "noise parameter",
        unit: "counts",
        minimum: 1e-2,
        maximum: 1e5,
        default: 1,
        effect: "more-private",
        help: "The probability of x falls like exp(−x²/(2σ²)); for σ above 1 it is nearly the standard deviation.",
      }),
      sensitivity: wholeSensitivity(1e6),
    },
  },
  skellam: {
    title: "Skellam noise",
    help: "Adds the difference of two Poisson variables to a count: whole noise that stays of its kind when parties add it up.",
    source:
      "exact profile by the best test of a log-concave shift; Agarwal, Kairouz and Liu 2021 for the mechanism",
    neighbours: anyRelation,
    parameters: {
      variance: real({
        symbol: "v",
        title: "variance of the noise",
        unit: "counts squared",
        minimum: 1e-3,
        maximum: 1e6,
        default: 4,
        effect: "more-private",
        help: "Of all noise together: that of several parties adds up.",
      }),
      sensitivity: wholeSensitivity(1e4),
    },
  },
  "distributed-discrete-gaussian": {
    title: "Discrete Gaussian noise of several clients",
    help: "Every client adds discrete Gaussian noise to its part of a count. The sum is not discrete Gaussian, and for small σ has less variance than n·σ².",
    source: "Kairouz, Liu and Steinke 2021, with the exact law of the sum",
    neighbours: anyRelation,
    parameters: {
      sigma: real({
        symbol: "σ",
        title: "noise parameter of a client",
        unit: "counts",
        minimum: 0.1,
        maximum: 1e4,
        default: 2,
        effect: "none",
        help: "The noise of one client has probabilities that fall like exp(−x²/(2σ²)). More is not always more private where few integers are within reach.",
      }),
      clients: integer({
        symbol: "n",
        title: "number of clients",
        unit: "clients",
        minimum: 1,
        maximum: 1e6,
        default: 10,
        effect: "more-private",
        help: "How many clients whose noise is in the sum: those that survive. At most 1000 and 2000·σ² below σ = 2.5, else (10⁴/σ)².",
      }),
      sensitivity: wholeSensitivity(1e4),
    },
  },
  "gaussian-mixing": {
    title: "Gaussian mixing",
    help: "Releases k random normal combinations of all rows of a table, plus normal noise.",
    source:
      "Lev, Srinivasan, Shenfeld, Ligett, Sekhari and Wilson 2025, Lemma 1, with the exact profile of its pair",
    errata: [
      {
        printed: "For every δ and sketches of size k, ε ≤ k/(2γ²) + √(2k log(1/δ))/γ.",
        corrected:
          "Only where log(1/δ) ≤ (2γ/5 − 1)² k/(2γ²), about k ≥ 12.5 log(1/δ): beyond, the best order leaves the range in which the Rényi bound holds.",
        counterexample: {
          description: { kind: "gaussian-mixing", sketchSize: 1, gamma: 3 },
          epsilon: 1.8077294788078662,
          printedDelta: 1e-6,
          trueDelta: 0.0014348790033529687,
        },
        source: "Lev, Srinivasan, Shenfeld, Ligett, Sekhari and Wilson 2025, text after Corollary 1",
      },
    ],
    neighbours: rowRelation,
    parameters: {
      sketchSize: integer({
        symbol: "r",
        title: "size of the sketch",
        unit: "combinations",
        minimum: 1,
        maximum: 1e6,
        default: 50,
        effect: "less-private",
        help: "How many random combinations of the rows are released.",
      }),
      gamma: real({
        symbol: "γ",
        title: "inverse leverage",
        unit: "ratio",
        minimum: 1.000001,
        maximum: 1e12,
        default: 20,
        effect: "more-private",
        help: "One over the largest leverage of a row in the larger of two neighbouring tables: σ²/C² + max(λ/C², 1), for rows of norm at most C and a public bound λ on the smallest eigenvalue.",
      }),
    },
  },
  "posterior-sampling": {
    title: "Posterior sample",
    help: "Releases one sample of the posterior of a ridge regression.",
    source: "Wang 2019, Theorem 14, with the exact pair of its laws",
    errata: [
      {
        printed: "For every δ, ε = R √(μ log(2/δ)) + μR²/(2 + 2μ) + μ (1 + log(2/δ))/2.",
        corrected:
          "A normal number is within √(2 log(2/δ)) but for a share δ; that 2 is missing both times. ε = R √(2μ log(1/δ)) + μR²/2 + μ log(1/δ) is enough.",
        counterexample: {
          description: { kind: "posterior-sampling", leverage: 0.001, residual: 10 },
          epsilon: 1.6024068871791055,
          printedDelta: 1e-10,
          trueDelta: 3.173437964264472e-8,
        },
        source: "Redberg 2023 (thesis), Theorem 3.6.1",
      },
    ],
    neighbours: rowRelation,
    parameters: {
      leverage: real({
        symbol: "μ",
        title: "largest leverage",
        unit: "ratio",
        minimum: 1e-9,
        maximum: 1e3,
        default: 0.01,
        effect: "less-private",
        help: "xᵀ(XᵀX + λI)⁻¹x of a record, in the table without it: at most C²/λ for rows of norm at most C.",
      }),
      residual: real({
        symbol: "R",
        title: "largest residual",
        unit: "standard deviations",
        minimum: 0,
        maximum: 1e6,
        default: 2,
        effect: "less-private",
        help: "√γ |y − xᵀθ| of a record in the table without it, times √(1 + μ) when smaller leverages are possible too; γ is the posterior's precision.",
      }),
    },
  },
  "objective-perturbation": {
    title: "Objective perturbation",
    help: "Fits a generalised linear model after adding a random linear term to its objective; the exact minimum is released.",
    source: "Supremum over the class, sharpening Redberg 2023 (thesis), Theorem 4.3.1",
    errata: [
      {
        printed: "δ(ε) is twice the Gaussian profile, with μ = L/σ, at ε − log(1 − β/λ).",
        corrected:
          "It is twice the Gaussian profile at ε + log(1 − β/λ), which is below ε: the proof has |log(1 − β/λ)|, and the printed sign turns a penalty into slack.",
        counterexample: {
          description: {
            kind: "objective-perturbation",
            lipschitz: 1,
            smoothness: 1,
            lambda: 1.5,
            sigma: 2,
          },
          epsilon: 1,
          printedDelta: 8.12592980366627e-6,
          trueDelta: 0.013659189966229151,
        },
        source: "Redberg 2023 (thesis), Theorem 4.3.1",
      },
    ],
    neighbours: rowRelation,
    parameters: objectivePerturbation,
  },
  "approximate-minima-perturbation": {
    title: "Approximate minima perturbation",
    help: "Objective perturbation with an optimiser that may stop early, and normal noise on the released coefficients.",
    source: "Iyengar, Near, Song, Thakkar, Thakurta and Wang 2019; Redberg 2023 (thesis), Theorem 4.4.1",
    neighbours: rowRelation,
    parameters: {
      ...objectivePerturbation,
      gradientTolerance: real({
        symbol: "τ",
        title: "gradient tolerance",
        unit: "units of the gradient",
        minimum: 0,
        maximum: LARGEST_SCALE,
        default: 0.01,
        effect: "less-private",
        help: "The optimiser stops at a gradient of at most this norm; 0 means that the minimum is exact.",
      }),
      outputSigma: real({
        symbol: "σ′",
        title: "noise of the output",
        unit: "units of the coefficients",
        ...scaleRange,
        default: 0.15,
        effect: "more-private",
        help: "The standard deviation of the noise added to every released coefficient.",
      }),
    },
  },
  matrix: {
    title: "Correlated noise over steps",
    help: "Normal noise that is correlated over the steps of a stream, as in DP-FTRL and matrix factorisation: what each step adds is encoded by a matrix, noise is added, and sums are decoded. Later steps may depend on earlier answers.",
    source:
      "Denisov, McMahan, Rush, Smith and Thakurta 2022, Theorem 2.1; participations by Choquette-Choo, McMahan, Rush and Thakurta 2023, Theorem 2, and Kalinin and Lampert 2024, Theorem 2",
    neighbours: ["zero-out", "replace"],
    composition: "Dong, Roth and Su 2019, Corollary 2",
    parameters: {
      scheme: {
        type: "choice",
        symbol: "C",
        title: "encoding matrix",
        unit: "",
        options: ["tree", "sqrt-toeplitz", "banded", "banded-inverse", "columns"],
        default: "tree",
        optional: false,
        help: "Tree: the sums of a complete binary tree. Square-root Toeplitz: the square root of the matrix of running sums; banded: its first diagonals; banded-inverse: the matrix whose inverse has the first diagonals of that root's inverse. Columns: every column is the given list, one step further down.",
      },
      bandwidth: integer({
        symbol: "w",
        title: "bandwidth",
        unit: "diagonals",
        minimum: 1,
        maximum: 1e5,
        default: 16,
        effect: "none",
        when: { scheme: ["banded", "banded-inverse"] },
        help: "How many diagonals, with the main one, are not zero.",
      }),
      columns: {
        type: "reals",
        symbol: "c",
        title: "entries of a column",
        unit: "weights",
        minimum: 0,
        maximum: 1e6,
        default: [1, 0.5, 0.375],
        increasing: false,
        when: { scheme: ["columns"] },
        help: "The entries of the first column from the diagonal down, none of them negative; those further down are zero.",
      },
      steps: integer({
        symbol: "n",
        title: "number of steps",
        unit: "steps",
        minimum: 1,
        maximum: 1e5,
        default: 1024,
        effect: "less-private",
        help: "How many steps the stream has.",
      }),
      participations: integer({
        symbol: "m",
        title: "participations",
        unit: "steps",
        minimum: 1,
        maximum: 1e5,
        default: 4,
        effect: "less-private",
        help: "In how many steps a record takes part at most: without a limit there is no guarantee.",
      }),
      separation: integer({
        symbol: "b",
        title: "separation",
        unit: "steps",
        minimum: 1,
        maximum: 1e5,
        default: 256,
        effect: "none",
        help: "How many steps lie from one participation of a record to its next, such as the batches of an epoch.",
      }),
      schedule: {
        type: "choice",
        symbol: "",
        title: "when a record takes part",
        unit: "",
        options: ["fixed-order", "min-separation"],
        default: "fixed-order",
        optional: false,
        help: "Fixed order: exactly the separation lies between two participations of a record, as when every epoch runs the same batches. Min-separation: at least that.",
      },
      sigma: real({
        symbol: "σ",
        title: "noise standard deviation",
        unit: "units of the query",
        ...scaleRange,
        default: 8,
        effect: "more-private",
        help: "The standard deviation of the normal noise before it is decoded.",
      }),
      sensitivity: real({
        symbol: "Δ",
        title: "L2 sensitivity of a step",
        unit: "units of the query",
        ...scaleRange,
        default: 1,
        effect: "less-private",
        help: "The most that a record moves what one step adds: the norm to which gradients are clipped, or twice that where a record is replaced.",
      }),
    },
  },
  "sparse-vector": {
    title: "Sparse vector",
    help: "Tells of queries, one after the other, whether each is above a threshold, with Laplace noise on the threshold once and on every query anew, until c were above. Queries below cost nothing, however many they are.",
    source: "Dwork and Roth 2014, Section 3.6; Lyu, Su and Li 2017, Theorems 2 and 5",
    errata: [
      {
        printed: "s = 4Δ/ε and b = 4Δ/(3ε) are enough for ε, whatever c is.",
        corrected: "It is (1 + 6c)/4 · ε, or (1 + 3c)/4 · ε of monotone queries: b must grow with c.",
        counterexample: {
          description: {
            kind: "sparse-vector",
            thresholdScale: 4,
            queryScale: 1.3333333333333333,
            sensitivity: 1,
            answers: 4,
          },
          epsilon: 1,
          printedDelta: 0,
          trueDelta: 0.08498924704491333,
        },
        source: "Lee and Clifton 2014, as told by Lyu, Su and Li 2017",
      },
      {
        printed: "s = 2Δ/ε is enough for ε without noise on the queries.",
        corrected: "No ε is enough: two queries that change places when a record joins tell for certain.",
        counterexample: {
          description: {
            kind: "sparse-vector",
            thresholdScale: 2,
            queryScale: 1e-9,
            sensitivity: 1,
            answers: 1,
          },
          epsilon: 1,
          printedDelta: 0,
          trueDelta: 0.1127830942138679,
        },
        source: "Stoddard, Chen and Machanavajjhala 2014, as told by Lyu, Su and Li 2017",
      },
      {
        printed: "s = b = 2Δ/ε is enough for ε, however many answers are above.",
        corrected: "After c of them it is (1 + 2c)/2 · ε: without a limit no ε is enough.",
        counterexample: {
          description: {
            kind: "sparse-vector",
            thresholdScale: 2,
            queryScale: 2,
            sensitivity: 1,
            answers: 2,
          },
          epsilon: 1,
          printedDelta: 0,
          trueDelta: 0.03601722622919966,
        },
        source: "Chen, Xiao, Zhang and Xu 2015, as told by Lyu, Su and Li 2017",
      },
      {
        printed:
          "s = 2Δ/ε and b = 2cΔ/ε is enough for ε, also where the noisy value of a query above is told.",
        corrected:
          "Its answers alone, as here, are 3/2 · ε. With that value no ε is enough: it tells where the threshold is not.",
        counterexample: {
          description: {
            kind: "sparse-vector",
            thresholdScale: 2,
            queryScale: 2,
            sensitivity: 1,
            answers: 1,
          },
          epsilon: 1,
          printedDelta: 0,
          trueDelta: 0.018776835721387268,
        },
        source: "Roth 2011, lecture notes, as told by Lyu, Su and Li 2017",
      },
    ],
    neighbours: anyRelation,
    parameters: {
      thresholdScale: real({
        symbol: "s",
        title: "noise scale of the threshold",
        unit: "units of the queries",
        ...scaleRange,
        default: 2,
        effect: "more-private",
        help: "The scale of the Laplace noise that the threshold gets once.",
      }),
      queryScale: real({
        symbol: "b",
        title: "noise scale of the queries",
        unit: "units of the queries",
        ...scaleRange,
        default: 4,
        effect: "more-private",
        help: "The scale of the Laplace noise that every query gets anew. Published variants without it, or with less than grows with c, are not private as stated.",
      }),
      sensitivity: sensitivity("L1"),
      answers: integer({
        symbol: "c",
        title: "number of answers above",
        unit: "answers",
        minimum: 1,
        maximum: 1e9,
        default: 1,
        effect: "less-private",
        help: "It stops after so many queries above the threshold; without a limit it is not private. Only “above” is told: the value of a query is a release of its own.",
      }),
      queries: {
        type: "choice",
        symbol: "",
        title: "how queries move",
        unit: "",
        options: ["any", "monotone"],
        default: "any",
        optional: true,
        help: "Monotone: from one table to its neighbour all queries move in one direction, as counts do when a record joins; then each answer costs half.",
      },
    },
  },
  subsampled: {
    title: "Sampled release",
    help: "A mechanism that runs on some of the records: every record joins by itself with the same probability, a fixed number of records is drawn, or batches are run in order.",
    source:
      "Balle, Barthe and Gaboardi 2018, Theorems 8 (Poisson), 9 (without replacement) and 10 (with replacement); both directions as dominating pairs by Zhu, Dong and Wang 2022, Theorem 11; batches by Chua et al. 2024",
    neighbours: anyRelation,
    around: {
      add: "sample",
      remove: "Run on the whole table instead",
      title: "on a sample",
      measured: "of rate {rate}",
      called: "a measurement on a random sample",
      ways: [
        {
          option: "poisson",
          brief: "on a Poisson sample",
          printed: { one: "on a Poisson sample", several: "on Poisson samples" },
          dpEvent: {
            text: "dp_event.PoissonSampledDpEvent({rate}, {of})",
            of: ["gaussian", "laplace", "gdp"],
            neighbours: rowRelation,
          },
          called: "Poisson sampling",
          told: "A loader that shuffles, or draws batches of a fixed size, is not Poisson sampling, and this price is not true of it.",
          toldFor: {
            replace:
              "The sensitivity is how far adding a record moves the query, as what is inside says; replacing one moves it up to twice as far.",
          },
        },
        {
          option: "without-replacement",
          brief: "on a fixed-size sample",
          printed: {
            one: "on a sample of fixed size drawn without replacement",
            several: "on samples of fixed size drawn without replacement",
          },
          called: "samples of fixed size in its privacy loss distributions",
          told: "A sample of fixed size is drawn anew at every step: batches cut from one shuffled order are not, and can cost more.",
          toldFor: {
            "add-remove":
              "The sensitivity is how far replacing a record moves the query, twice the norm of one; the rate is that of the smallest table that is promised.",
          },
        },
        {
          option: "fixed-order",
          brief: "on batches in a fixed order",
          measured: "for {epochs} epochs",
          printed: {
            one: "on batches in a fixed order, every record in one of each epoch,",
            several: "on batches in a fixed order, every record in one of each epoch,",
          },
          called: "batches in a fixed order",
          told: "This is the price of one fixed order, and of any choice that the data have no part in if no record is used in more epochs than that. It does not cover Poisson sampling, which may draw a record more often.",
        },
        {
          option: "shuffle",
          brief: "on shuffled batches",
          measured: "of {batches} per epoch for {epochs} epochs",
          printed: { one: "on shuffled batches of one size,", several: "on shuffled batches of one size," },
          called: "shuffled batches",
          told: "A loader that shuffles costs no more than this. The price of Poisson sampling is not true of it.",
        },
        {
          option: "balls-and-bins",
          brief: "on batches drawn by every record",
          measured: "of {batches} per epoch for {epochs} epochs",
          printed: {
            one: "on batches of which every record draws one,",
            several: "on batches of which every record draws one,",
          },
          called: "balls and bins",
          told: "Every record draws its batch by itself, so that batches differ in size: a loader that shuffles and cuts batches of one size can cost more.",
        },
        {
          option: "with-replacement",
          brief: "on records drawn with replacement",
          measured: "of {draws} draws from {records} records",
          printed: {
            one: "on records drawn one by one with replacement,",
            several: "on records drawn one by one with replacement,",
          },
          called: "records drawn with replacement",
        },
        {
          option: "truncated-poisson",
          brief: "on Poisson samples that are cut",
          measured:
            "of rate {rate}, {steps} steps, at most {records} records and batches of at most {largestBatch}",
          printed: {
            one: "on Poisson samples that are cut where they are too large,",
            several: "on Poisson samples that are cut where they are too large,",
          },
          called: "Poisson samples that are cut",
          told: "The price rests on the promise that the table never has more than {records} records.",
        },
      ],
    },
    parameters: {
      sampling: {
        type: "choice",
        symbol: "",
        title: "kind of sampling",
        unit: "",
        options: [
          "poisson",
          "without-replacement",
          "fixed-order",
          "shuffle",
          "balls-and-bins",
          "with-replacement",
          "truncated-poisson",
        ],
        default: "poisson",
        optional: false,
        neighbours: {
          poisson: ["add-remove", "zero-out", "replace"],
          "without-replacement": ["replace", "add-remove", "zero-out"],
          "fixed-order": ["zero-out", "replace"],
          shuffle: ["zero-out", "replace"],
          "balls-and-bins": rowRelation,
          "with-replacement": ["add-remove", "replace", "zero-out"],
          "truncated-poisson": ["add-remove", "zero-out", "replace"],
        },
        alike: { poisson: rowRelation, "balls-and-bins": rowRelation, "truncated-poisson": rowRelation },
        meant: { replace: "without-replacement" },
        inside: {
          poisson: { replace: addedInside },
          "truncated-poisson": { replace: addedInside },
          "without-replacement": { "add-remove": replacedInside },
          "with-replacement": { "add-remove": replacedInside },
        },
        help: "Poisson: every record joins independently of all others. Without replacement: a sample of fixed size. Fixed order: every record is in one batch of each epoch. Shuffled: the order is chosen at random, and cut into batches of one size. Balls and bins: every record draws one of the batches of each epoch. With replacement: records are drawn one by one, and may be drawn again. Cut Poisson samples: too large ones lose records. They cost very different amounts and are never interchangeable.",
      },
      rate: real({
        symbol: "q",
        title: "sampling rate",
        unit: "probability",
        minimum: 1e-100,
        maximum: 1,
        default: 0.01,
        effect: "less-private",
        when: { sampling: ["poisson", "without-replacement", "truncated-poisson"] },
        help: "The probability with which a record joins the sample; without replacement, the size of the sample over the size of the table.",
      }),
      epochs: integer({
        symbol: "E",
        title: "number of epochs",
        unit: "epochs",
        minimum: 1,
        maximum: LARGEST_COUNT,
        default: 1,
        effect: "less-private",
        when: { sampling: ["fixed-order", "shuffle", "balls-and-bins"] },
        help: "How often every record is used, once in each epoch. Where nobody knows how records are sampled, but not by what is in them, and each is used at most so often, a fixed order costs as much.",
      }),
      batches: integer({
        symbol: "t",
        title: "batches per epoch",
        unit: "batches",
        minimum: 1,
        maximum: 1e9,
        default: 100,
        effect: "none",
        when: { sampling: ["shuffle", "balls-and-bins"] },
        help: "How many batches an epoch has. Shuffled, the upper end does not depend on it.",
      }),
      draws: integer({
        symbol: "b",
        title: "draws",
        unit: "draws",
        minimum: 1,
        maximum: 1e4,
        default: 10,
        effect: "less-private",
        when: { sampling: ["with-replacement"] },
        help: "How many records one batch has, counted as often as they are drawn.",
      }),
      steps: integer({
        symbol: "s",
        title: "number of steps",
        unit: "steps",
        minimum: 1,
        maximum: LARGEST_COUNT,
        default: 100,
        effect: "less-private",
        when: { sampling: ["truncated-poisson"] },
        help: "How many samples are drawn. What the cut adds is added once for all of them, so that these steps are no part of other compositions.",
      }),
      records: integer({
        symbol: "N",
        title: "records in the table",
        unit: "records",
        minimum: 20,
        maximum: LARGEST_COUNT,
        default: 1000,
        effect: "none",
        when: { sampling: ["with-replacement", "truncated-poisson"] },
        help: "With replacement, the fewest that the larger of two neighbouring tables is promised to have; of cut Poisson samples, the most.",
      }),
      largestBatch: integer({
        symbol: "B",
        title: "largest batch",
        unit: "records",
        minimum: 1,
        maximum: LARGEST_COUNT,
        default: 45,
        effect: "more-private",
        when: { sampling: ["truncated-poisson"] },
        help: "How many records a step can take; more are left out.",
      }),
      of: {
        type: "description",
        symbol: "",
        title: "sampled mechanism",
        unit: "",
        help: "What runs on the sample: a sum with noise, or one divided by a public number, never by the size of a sample that is itself secret. Its sensitivity is understood under the same neighbouring relation, but for two: where a record of a Poisson sample is replaced it is how far adding one moves the query, and where a record is added to a table from which a fixed number is drawn, how far replacing one moves it.",
      },
    },
  },
  "gaussian-mixture": {
    title: "Gaussian noise, random sensitivity",
    help: "Adds normal noise of standard deviation σ to a query of which a record moves a random amount: each sensitivity with its probability, drawn for every release and not told.",
    source: "Choquette-Choo, Ganesh, Steinke and Thakurta 2024",
    neighbours: rowRelation,
    parameters: {
      sigma: normalSigma,
      sensitivities: {
        type: "reals",
        symbol: "c",
        title: "sensitivities",
        unit: "units of the query",
        minimum: 0,
        maximum: 1e100,
        default: [0, 1, 2],
        increasing: false,
        pairedWith: "probabilities",
        help: "How far a record can move the query, in Euclidean length.",
      },
      probabilities: {
        type: "reals",
        symbol: "p",
        title: "probabilities",
        unit: "probability",
        minimum: 0,
        maximum: 1,
        default: [0.98, 0.0199, 0.0001],
        increasing: false,
        pairedWith: "sensitivities",
        help: "The probability of each sensitivity. They add up to 1; what rounding leaves (at most 1e-12) counts for the largest sensitivity.",
      },
    },
  },
  "private-selection": {
    title: "Best of several runs",
    help: "Runs one mechanism a random number of times and releases only the best run, by a score that is itself part of what the run may tell: for choosing settings. The number of runs must be drawn as said and never be cut off or looked at.",
    source:
      "Liu and Talwar 2019 and Papernot and Steinke 2022, by the profile of a run in place of one point or its Rényi divergences; the least of all",
    neighbours: anyRelation,
    around: {
      add: "best of several runs",
      remove: "Release every run instead",
      title: "as the best of several runs",
      measured: "with {runs}, {stopping} {shape}",
      called: "a selection of the best run",
      ways: [
        {
          brief: "as the best of several runs",
          printed: { one: "as the best of several runs", several: "each as the best of several runs" },
          called: "a selection of the best run",
        },
      ],
    },
    parameters: {
      runs: real({
        symbol: "E[K]",
        title: "expected number of runs",
        unit: "runs",
        minimum: 1,
        maximum: 1e6,
        default: 10,
        effect: "less-private",
        help: "The mean of the random number of runs.",
      }),
      stopping: {
        type: "choice",
        symbol: "",
        title: "law of the number of runs",
        unit: "",
        options: ["geometric", "logarithmic", "negative-binomial", "poisson"],
        default: "geometric",
        optional: false,
        help: "Geometric: after every run, stop with the same probability. Logarithmic: k runs with probability proportional to (1 − γ)ᵏ/k; cheaper, but one run alone is likely. Both always run, and are the truncated negative binomial laws of the shapes 1 and 0. Poisson: about the mean, perhaps never; dear beyond a few runs.",
      },
      shape: real({
        symbol: "η",
        title: "shape",
        unit: "",
        minimum: -0.95,
        maximum: 1000,
        default: 0.5,
        effect: "none",
        when: { stopping: ["negative-binomial"] },
        help: "Of the truncated negative binomial law. The smaller, the cheaper, and the likelier that there is one run alone.",
      }),
      of: {
        type: "description",
        symbol: "",
        title: "mechanism that is run",
        unit: "",
        help: "What one run costs, its score included: if the score is computed from private rows, it must be paid for here.",
      },
    },
  },
  "propose-test-release": {
    title: "Release after a test",
    help: "A private test first asks whether the table is one for which the mechanism is as private as stated, and only then is it run: propose, test, release.",
    source:
      "Dwork and Lei 2009, Proposition 4; Redberg, Zhu and Wang 2023, Generalized PTR, with its δ corrected",
    neighbours: anyRelation,
    around: {
      add: "test",
      remove: "Release without a test",
      title: "after a test",
      measured:
        "that costs {testEpsilon} and {testDelta} and fails with {failure}, {test}, on other tables {otherwise} {otherwiseRho}",
      called: "a release that a private test allows",
      ways: [
        {
          brief: "after a test",
          printed: { one: "after a private test", several: "each after a private test" },
          called: "a release that a private test allows",
        },
      ],
    },
    parameters: {
      testEpsilon: real({
        symbol: "ε₁",
        title: "privacy loss of the test",
        unit: "nats",
        ...lossRange,
        default: 0.5,
        effect: "less-private",
        help: "The test itself is (ε₁, δ₁)-private, for all tables.",
      }),
      testDelta: real({
        symbol: "δ₁",
        title: "delta of the test",
        unit: "probability",
        minimum: 0,
        maximum: 1,
        default: 1e-6,
        effect: "less-private",
        help: "The δ of the test; 0 for a test by Laplace noise.",
      }),
      failure: real({
        symbol: "δ₂",
        title: "failure of the test",
        unit: "probability",
        minimum: 0,
        maximum: 1,
        default: 1e-6,
        effect: "less-private",
        help: "The largest probability with which the test is wrong about a table for which the mechanism is not as private as stated.",
      }),
      test: {
        type: "choice",
        symbol: "",
        title: "what the test tells",
        unit: "",
        options: ["accept-reject", "released"],
        default: "accept-reject",
        optional: false,
        help: "Accept-reject: nothing but whether the mechanism runs; the larger of its δ and δ₂ counts. Released: a noisy statistic, by which the mechanism is adapted; both count.",
      },
      otherwise: {
        type: "choice",
        symbol: "",
        title: "without the guarantee",
        unit: "",
        options: ["unknown", "zcdp"],
        default: "unknown",
        optional: true,
        help: "What the mechanism costs on a table for which it is not as private as stated. Zcdp: its Rényi divergences are known on every table. Then, with δ₁ = 0, those of the whole are known too, so that it composes.",
      },
      otherwiseRho: real({
        symbol: "ρ",
        title: "concentrated privacy on every table",
        unit: "nats per order",
        ...lossRange,
        default: 8,
        effect: "less-private",
        when: { otherwise: ["zcdp"] },
        help: "The Rényi divergence of order α of the mechanism is at most ρ·α, whatever the table is. An ε-private mechanism has ρ = ε²/2.",
      }),
      of: {
        type: "description",
        symbol: "",
        title: "mechanism behind the test",
        unit: "",
        help: "What the mechanism costs on a table that may pass: its own table against all neighbours is enough.",
      },
    },
  },
  composition: {
    title: "Several releases",
    help: "Every listed mechanism runs on the same table, each as often as its count says; later ones may depend on earlier answers.",
    source:
      "The product of the parts' dominating pairs, Zhu, Dong and Wang 2022, Theorem 10: in closed form where there is one, else by a contour integral, on lattices or on uneven knots, with certified errors",
    neighbours: anyRelation,
    parameters: {
      of: {
        type: "parts",
        symbol: "∘",
        title: "releases",
        unit: "mechanism and count",
        help: "A list of { mechanism, count }.",
      },
    },
  },
} as const satisfies Record<string, KindEntry>;

/** Whoever asks for the catalogue gets this very object, and validation depends on it. */
function freeze(value: unknown): void {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
}
freeze([KINDS, NEIGHBOURS]);

export type Kind = keyof typeof KINDS;

/** How often a part of a composition runs. */
export const COUNT = integer({
  symbol: "k",
  title: "count",
  unit: "runs",
  minimum: 1,
  maximum: LARGEST_COUNT,
  default: 1,
  effect: "less-private",
  help: "How often the mechanism runs.",
});

/** By how many records two neighbouring tables differ. */
export const GROUP = integer({
  symbol: "m",
  title: "size of the group",
  unit: "records",
  minimum: 1,
  maximum: 1000,
  default: 1,
  effect: "less-private",
  help: "Neighbouring tables differ in this many records: what a family or an account with several rows is promised.",
});

export interface Part {
  readonly mechanism: Description;
  readonly count: number;
}

type ValueOf<P> = P extends { type: "real" | "integer" }
  ? number
  : P extends { type: "reals" }
    ? readonly number[]
    : P extends { type: "choice"; options: readonly (infer O)[] }
      ? O
      : P extends { type: "description" }
        ? Description
        : readonly Part[];

type Parameters<K extends Kind> = (typeof KINDS)[K]["parameters"];
type Optional<P> = P extends { optional: true } | { when: object } ? true : false;

/** A mechanism as a plain value: the language of the whole product. */
export type Description = {
  [K in Kind]: { readonly kind: K; readonly neighbours?: Neighbours } & {
    readonly [P in keyof Parameters<K> as Optional<Parameters<K>[P]> extends true ? never : P]: ValueOf<
      Parameters<K>[P]
    >;
  } & {
    readonly [P in keyof Parameters<K> as Optional<Parameters<K>[P]> extends true ? P : never]?: ValueOf<
      Parameters<K>[P]
    >;
  };
}[Kind];
