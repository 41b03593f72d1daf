/** What a calculator is asked: checks the question, asks the core, names the answer. */
import type { CalculatorDoor } from "../../build/wasm/calculator.mjs";
import type {
  Calculator,
  Calibration,
  Comparison,
  GaussianCover,
  Options,
  Posterior,
  Risk,
  RiskCalibration,
  RiskTarget,
  Suspicion,
  Target,
  TradeOff,
} from "../contract.ts";
import { type Description, GROUP, KINDS } from "./catalogue.ts";
import { unwrap } from "./core-answer.ts";
import { numberShape, validate } from "./description.ts";
import { placeAt, withNumber } from "./description-tree.ts";
import { GoeEngine } from "./goe.ts";
import { provenance } from "./provenance.ts";
import { Refusal } from "./refusal.ts";
import { checkRisk, PRIOR, RATE } from "./risk.ts";
import { fieldsOf, optional, real, record, type Shape } from "./shape.ts";

/** Where each accountant's claim comes from, besides what the mechanism itself names. */
const ACCOUNTANTS = {
  exact: "the pair's own profile, inverted",
  renyi: "Canonne, Kamath and Steinke 2020, Proposition 12, at the best order",
  zcdp: "Bun and Steinke 2016, Proposition 1.3",
  textbook: "Dwork and Roth 2014, Theorem A.1, proved for ε < 1 only",
  published: "",
  "lower-bound": "what one mechanism of the class costs: no statement about all of them can be below",
} as const satisfies Record<Comparison["accountant"], string>;

export const MOST_POINTS = 100_000;

const EPSILON = real(-Number.MAX_VALUE, Number.MAX_VALUE);
const TARGET_EPSILON = real(0, Number.MAX_VALUE);
const MU_EPSILON = real(0, 1e9);
const COVERED = real(1e-100, 0.49);
const LIMIT = real(0, 1);
/** Of a Rényi divergence. */
export const ORDER = real(1.000001, 1e6);

export const PROBABILITY: Shape<number> = {
  schema: { type: "number", oneOf: [{ const: 0 }, { minimum: 1e-300, maximum: 1 }] },
  check(field, value) {
    if (value === 0 || (typeof value === "number" && value >= 1e-300 && value <= 1)) return value;
    const rule = "must be 0 or a number from 1e-300 to 1";
    throw new Refusal(typeof value === "number" ? "range" : "type", field, value, rule);
  },
};

/** Anything with a length and numbers, typed arrays too. */
function checkList(field: string, values: unknown, item: Shape<number>): number[] {
  const length: unknown =
    typeof values === "object" && values !== null && "length" in values ? values.length : undefined;
  if (typeof length !== "number" || !Number.isInteger(length) || length < 0) {
    throw new Refusal("type", field, values, "must be a list of numbers");
  }
  if (length > MOST_POINTS) {
    const rule = `must hold at most ${MOST_POINTS} numbers`;
    throw new Refusal("range", field, `${length} numbers`, rule, { shown: true });
  }
  return Array.from({ length }, (_, i) => item.check(`${field}.${i}`, (values as ArrayLike<unknown>)[i]));
}

/** Where to look for the value of a parameter, in the core's words. */
function sought(description: Description, path: unknown) {
  if (typeof path !== "string") throw new Refusal("type", "parameter", path, "must be text such as sigma");
  const place = placeAt(description, path);
  if (!place) {
    const rule =
      "must be the path of a number of the description, such as sigma, of.sigma or of.0.mechanism.sigma";
    throw new Refusal("unknown", "parameter", path, rule);
  }
  const { parameter, ...inside } = place;
  const { minimum, maximum, type, effect } = parameter;
  if (effect === "none") {
    const rule =
      "must be a number of which more is always more private, or always less: of this one that is not so";
    throw new Refusal("unsupported", "parameter", path, rule);
  }
  if (minimum < 0)
    throw new Refusal("unsupported", "parameter", path, "may be negative, and values are sought by factors");
  return {
    path,
    ...inside,
    minimum,
    maximum,
    whole: type === "integer",
    morePrivate: effect === "more-private",
  };
}

const OPTIONS = record({
  group: optional(numberShape(GROUP), GROUP.default),
  gap: optional(real(1e-6, 0.1), 1e-4),
});

/** The options with their defaults; unknown ones are refused by name. */
export const checkOptions = (options: Options = {}): Required<Options> =>
  OPTIONS.check("", fieldsOf("options", options, "must be an object with group or gap"));

function checkTarget(target: Partial<Target> | undefined): Target {
  return {
    epsilon: TARGET_EPSILON.check("epsilon", target?.epsilon),
    delta: PROBABILITY.check("delta", target?.delta),
  };
}

export class CalculatorEngine implements Calculator {
  readonly goe: GoeEngine;
  readonly #core: CalculatorDoor;

  constructor(core: CalculatorDoor) {
    this.#core = core;
    this.goe = new GoeEngine(core);
  }

  delta(description: Description, epsilon: number, options?: Options) {
    const asked = validate(description);
    const level = EPSILON.check("epsilon", epsilon);
    const ends = unwrap(this.#core.delta(asked, level, checkOptions(options)));
    return { ...ends, ...provenance(asked, ends.kind, options) };
  }

  epsilon(description: Description, delta: number, options?: Options) {
    const asked = validate(description);
    const level = PROBABILITY.check("delta", delta);
    const ends = unwrap(this.#core.epsilon(asked, level, checkOptions(options)));
    return { ...ends, ...provenance(asked, ends.kind, options) };
  }

  profile(description: Description, epsilons: ArrayLike<number>, options?: Options) {
    const asked = validate(description);
    const points = checkList("epsilons", epsilons, EPSILON);
    const ends = unwrap(this.#core.profile(asked, points, checkOptions(options)));
    return { ...ends, ...provenance(asked, ends.kind, options) };
  }

  advantage(description: Description, options?: Options) {
    return this.delta(description, 0, options);
  }

  renyi(description: Description, orders: ArrayLike<number>) {
    const asked = validate(description);
    return unwrap(this.#core.renyi(asked, checkList("orders", orders, ORDER)));
  }

  tradeOff(description: Description, falsePositives: ArrayLike<number>, options?: Options): TradeOff {
    const asked = validate(description);
    const rates = checkList("falsePositives", falsePositives, PROBABILITY);
    const { kind, lower, upper } = unwrap(this.#core.power(asked, rates, checkOptions(options)));
    // 1 − power rounds to nearest: one more step outward keeps the ends safe.
    const falseNegatives = {
      lower: upper.map((power) => Math.max(0, 1 - power - Number.EPSILON)),
      upper: lower.map((power) => Math.min(1, 1 - power + Number.EPSILON)),
    };
    return { lower, upper, falseNegatives, ...provenance(asked, kind, options) };
  }

  posterior(description: Description, suspicion: Suspicion, options?: Options): Posterior {
    const asked = validate(description);
    const prior = PRIOR.check("prior", suspicion?.prior);
    const exceptions = RATE.check("exceptions", suspicion?.exceptions);
    const found = unwrap(this.#core.posterior(asked, prior, exceptions, checkOptions(options)));
    return { ...found, ...provenance(asked, found.kind, options) };
  }

  risk(description: Description, risk: Risk, options?: Options) {
    const asked = validate(description);
    const { measure, prior, rate } = checkRisk(risk);
    const ends = unwrap(this.#core.risk(asked, measure, prior, rate, checkOptions(options)));
    return { ...ends, ...provenance(asked, ends.kind, options) };
  }

  effectiveMu(description: Description, epsilon: number, options?: Options) {
    const asked = validate(description);
    const level = MU_EPSILON.check("epsilon", epsilon);
    const ends = unwrap(this.#core.effectiveMu(asked, level, checkOptions(options)));
    return { ...ends, ...provenance(asked, ends.kind, options) };
  }

  gaussianCover(
    description: Description,
    rates: { readonly falsePositive: number },
    options?: Options,
  ): GaussianCover {
    const asked = validate(description);
    const rate = COVERED.check("falsePositive", rates?.falsePositive);
    const found = unwrap(this.#core.gaussianCover(asked, rate, checkOptions(options)));
    return { ...found, ...provenance(asked, found.kind, options) };
  }

  calibrateRisk(description: Description, parameter: string, target: RiskTarget): RiskCalibration {
    const asked = validate(description);
    const place = sought(asked, parameter);
    const { measure, prior, rate } = checkRisk(target);
    const limit = LIMIT.check("limit", target.limit);
    const found = unwrap(this.#core.calibrateRisk(asked, place, measure, prior, rate, limit));
    const there = withNumber(asked, parameter, found.value);
    return { ...found, description: there, ...provenance(there, found.kind) };
  }

  calibrate(description: Description, parameter: string, target: Target): Calibration {
    const asked = validate(description);
    const found = unwrap(this.#core.calibrate(asked, sought(asked, parameter), checkTarget(target)));
    const there = withNumber(asked, parameter, found.value);
    return { ...found, description: there, ...provenance(there, found.kind) };
  }

  compare(
    description: Description,
    question: { delta: number } | (Target & { parameter: string }),
  ): Comparison[] {
    const asked = validate(description);
    if (typeof question !== "object" || question === null) {
      throw new Refusal("type", "question", question, "must be { delta } or { parameter, epsilon, delta }");
    }
    const rows =
      "parameter" in question
        ? this.#core.compare(asked, sought(asked, question.parameter), checkTarget(question))
        : this.#core.compare(asked, null, { delta: PROBABILITY.check("delta", question.delta) });
    return unwrap(rows).map((row) => {
      const sources = [row.source, ACCOUNTANTS[row.accountant]].filter((source) => source !== "");
      return { ...row, source: sources.join("; ") };
    });
  }

  catalogue() {
    return KINDS;
  }
}
