/** What a calculator is asked: checks the question, asks the core, names the answer. */
import type { CalculatorDoor } from "../build/wasm/calculator.mjs";
import {
  COUNT,
  type Description,
  GROUP,
  KINDS,
  type NumberParameter,
  type Parameter,
  type Part,
} from "./catalogue.ts";
import type {
  Calculator,
  Calibration,
  Comparison,
  Options,
  Posterior,
  Provenance,
  Suspicion,
  Target,
  TradeOff,
} from "./contract.ts";
import { checkNumber, entryOf, neighboursOf, validate } from "./description.ts";
import { GoeEngine } from "./goe.ts";
import { Refusal } from "./refusal.ts";
import { unwrap } from "./unwrap.ts";

/** Where each accountant's claim comes from. */
const ACCOUNTANTS = {
  exact: "the pair's own profile, inverted",
  renyi: "Canonne, Kamath and Steinke 2020, Proposition 12, at the best order",
  zcdp: "Bun and Steinke 2016, Proposition 1.3",
  textbook: "Dwork and Roth 2014, Theorem A.1, proved for ε < 1 only",
  published: "the theorem that the mechanism's source names, corrected where it was printed wrong",
  "lower-bound": "what one mechanism of the class costs: no statement about all of them can be below",
} as const satisfies Record<Comparison["accountant"], string>;

/** What adaptive choice makes of releases of bounded range, where no product of pairs is attained. */
const RANGE_GAME =
  "Dong, Durfee and Rogers 2020, Section 4, the worst windows chosen adaptively, on a grid from both sides";

/** Of parts whose product of pairs no mechanism attains. */
const LEAST_BOUND =
  "The least of the product of the parts' dominating pairs, Zhu, Dong and Wang 2022, Theorem 10, and of their Rényi divergences together, Mironov 2017, Proposition 1, converted by Canonne, Kamath and Steinke 2020, Proposition 12";

/** How groups of records follow from single ones. */
const GROUP_RULE =
  "Dong, Roth and Su 2019, Section 2.5; of sampled Gaussians Choquette-Choo, Ganesh, Steinke and Thakurta 2024";

export const MOST_POINTS = 100_000;

const EPSILON = { type: "real", minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE };
const TARGET_EPSILON = { type: "real", minimum: 0, maximum: Number.MAX_VALUE };
const PRIOR = { type: "real", minimum: 1e-100, maximum: 1 - 1e-15 };
const EXCEPTIONS = { type: "real", minimum: 1e-100, maximum: 1 };
const ORDER = { type: "real", minimum: 1.000001, maximum: 1e6 };

function checkProbability(field: string, value: unknown): number {
  if (value === 0 || (typeof value === "number" && value >= 1e-300 && value <= 1)) return value;
  throw new Refusal(
    typeof value === "number" ? "range" : "type",
    field,
    value,
    "must be 0 or a number from 1e-300 to 1",
  );
}

function checkList(
  field: string,
  values: unknown,
  check: (field: string, value: unknown) => number,
): number[] {
  const length: unknown =
    typeof values === "object" && values !== null && "length" in values ? values.length : undefined;
  if (typeof length !== "number" || !Number.isInteger(length) || length < 0) {
    throw new Refusal("type", field, values, "must be a list of numbers");
  }
  if (length > MOST_POINTS) {
    const rule = `must hold at most ${MOST_POINTS} numbers`;
    throw new Refusal("range", field, `${length} numbers`, rule, { shown: true });
  }
  return Array.from({ length }, (_, i) => check(`${field}.${i}`, (values as ArrayLike<unknown>)[i]));
}

/** The theorem that gave the answer: a composition in closed form rests on its parts' own rule. */
function sourceOf(description: Description, kind: Provenance["kind"]): string {
  const [first, ...others] = description.kind === "composition" ? description.of : [];
  if (!first) return entryOf(description.kind).source;
  if (others.length === 0 && first.count === 1) return sourceOf(first.mechanism, kind);
  const kinds = [first, ...others].map(({ mechanism }) => mechanism.kind);
  if (kind === "certified")
    return kinds.every((one) => one === "exponential") ? RANGE_GAME : entryOf(description.kind).source;
  const rule = entryOf(first.mechanism.kind).composition;
  const closed = kind === "exact" || (rule && kinds.every((one) => entryOf(one).composition === rule));
  if (!closed) return LEAST_BOUND;
  return rule ? `${rule}; ${sourceOf(first.mechanism, kind)}` : sourceOf(first.mechanism, kind);
}

/** What every answer says beside its numbers. */
export function provenance(
  description: Description,
  kind: Provenance["kind"],
  options?: Options,
): Provenance {
  const source = sourceOf(description, kind);
  const chained = (options?.group ?? 1) > 1 ? `; groups by ${GROUP_RULE}` : "";
  return { kind, neighbours: neighboursOf(description), source: source + chained };
}

/** The catalogue's entry of the number at a path such as `sigma` or `of.0.mechanism.sigma`. */
function parameterAt(description: Description, path: string): NumberParameter {
  const step = /^of\.(0|[1-9]\d*)\.(count$|mechanism\.)/.exec(path);
  const part: Part | undefined =
    step && description.kind === "composition" ? description.of[Number(step[1])] : undefined;
  if (step && part)
    return step[2] === "count" ? COUNT : parameterAt(part.mechanism, path.slice(step[0].length));
  if (description.kind === "subsampled" && path.startsWith("of."))
    return parameterAt(description.of, path.slice(3));
  const { parameters } = entryOf(description.kind);
  const parameter: Parameter | undefined = Object.hasOwn(parameters, path) ? parameters[path] : undefined;
  if (parameter?.type === "real" || parameter?.type === "integer") return parameter;
  const rule =
    "must be the path of a number of the description, such as sigma, of.sigma or of.0.mechanism.sigma";
  throw new Refusal("unknown", "parameter", path, rule);
}

/** Where to look for the value of a parameter, in the core's words. */
function sought(description: Description, path: unknown) {
  if (typeof path !== "string") throw new Refusal("type", "parameter", path, "must be text such as sigma");
  const { minimum, maximum, type, effect } = parameterAt(description, path);
  return { path, minimum, maximum, whole: type === "integer", morePrivate: effect === "more-private" };
}

const OPTIONS = {
  group: GROUP,
  gap: { type: "real", minimum: 1e-6, maximum: 0.1, default: 1e-4 },
} as const;

/** The options with their defaults; unknown ones are refused by name. */
function checkOptions(options: Options = {}): Required<Options> {
  if (typeof options !== "object" || options === null) {
    throw new Refusal("type", "options", options, "must be an object with group or gap");
  }
  for (const [key, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTIONS, key))
      throw new Refusal("unknown", key.slice(0, 80), value, "no such option; there are group, gap");
  }
  const read = (name: keyof typeof OPTIONS) => {
    const value: unknown = options[name];
    return value === undefined ? OPTIONS[name].default : checkNumber(name, value, OPTIONS[name]);
  };
  return { group: read("group"), gap: read("gap") };
}

function checkTarget(target: Partial<Target> | undefined): Target {
  return {
    epsilon: checkNumber("epsilon", target?.epsilon, TARGET_EPSILON),
    delta: checkProbability("delta", target?.delta),
  };
}

/** The same description with another number at the path. */
function withNumber(description: Description, path: string, value: number): Description {
  const copy = structuredClone(description);
  const steps = path.split(".");
  const last = steps.pop() as string;
  // biome-ignore lint/suspicious/noExplicitAny: the path was checked against the catalogue
  const holder = steps.reduce((inside: any, step) => inside[step], copy);
  holder[last] = value;
  return copy;
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
    const level = checkNumber("epsilon", epsilon, EPSILON);
    const ends = unwrap(this.#core.delta(asked, level, checkOptions(options)));
    return { ...ends, ...provenance(asked, ends.kind, options) };
  }

  epsilon(description: Description, delta: number, options?: Options) {
    const asked = validate(description);
    const level = checkProbability("delta", delta);
    const ends = unwrap(this.#core.epsilon(asked, level, checkOptions(options)));
    return { ...ends, ...provenance(asked, ends.kind, options) };
  }

  profile(description: Description, epsilons: ArrayLike<number>, options?: Options) {
    const asked = validate(description);
    const points = checkList("epsilons", epsilons, (field, value) => checkNumber(field, value, EPSILON));
    const ends = unwrap(this.#core.profile(asked, points, checkOptions(options)));
    return { ...ends, ...provenance(asked, ends.kind, options) };
  }

  advantage(description: Description, options?: Options) {
    return this.delta(description, 0, options);
  }

  renyi(description: Description, orders: ArrayLike<number>) {
    const asked = validate(description);
    return unwrap(
      this.#core.renyi(
        asked,
        checkList("orders", orders, (field, value) => checkNumber(field, value, ORDER)),
      ),
    );
  }

  tradeOff(description: Description, falsePositives: ArrayLike<number>, options?: Options): TradeOff {
    const asked = validate(description);
    const rates = checkList("falsePositives", falsePositives, checkProbability);
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
    const prior = checkNumber("prior", suspicion?.prior, PRIOR);
    const exceptions = checkNumber("exceptions", suspicion?.exceptions, EXCEPTIONS);
    const found = unwrap(this.#core.posterior(asked, prior, exceptions, checkOptions(options)));
    return { ...found, ...provenance(asked, found.kind, options) };
  }

  calibrate(description: Description, parameter: string, target: Target): Calibration {
    const asked = validate(description);
    const found = unwrap(this.#core.calibrate(asked, sought(asked, parameter), checkTarget(target)));
    return {
      ...found,
      description: withNumber(asked, parameter, found.value),
      ...provenance(asked, found.kind),
    };
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
        : this.#core.compare(asked, null, { delta: checkProbability("delta", question.delta) });
    return unwrap(rows).map((row) => ({ ...row, source: ACCOUNTANTS[row.accountant] }));
  }

  catalogue() {
    return KINDS;
  }
}
