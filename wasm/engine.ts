/** The engine: the same file for page, worker and Node. Checks the question, asks the core, names the answer. */
import create, { type Facade, type Refused } from "../build/wasm/epsilometer.mjs";
import { type Description, KINDS } from "./catalogue.ts";
import type { Calibration, Comparison, Engine, Provenance, Target, TradeOff } from "./contract.ts";
import { checkNumber, entryOf, neighboursOf, parameterAt, validate } from "./description.ts";
import { Refusal } from "./refusal.ts";

export { KINDS, NEIGHBOURS } from "./catalogue.ts";
export * from "./contract.ts";
export { validate } from "./description.ts";
export { Refusal } from "./refusal.ts";

/** Where each accountant's claim comes from. */
const ACCOUNTANTS = {
  exact: "the pair's own profile, inverted",
  renyi: "Canonne, Kamath and Steinke 2020, Proposition 12, at the best order",
  concentrated: "Bun and Steinke 2016, Proposition 1.3",
  textbook: "Dwork and Roth 2014, Theorem A.1, proved for ε < 1 only",
} as const satisfies Record<Comparison["accountant"], string>;

const MOST_POINTS = 100_000;

const EPSILON = { type: "real", minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE };
const TARGET_EPSILON = { type: "real", minimum: 0, maximum: Number.MAX_VALUE };
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
  if (!Array.isArray(values) && !(values instanceof Float64Array)) {
    throw new Refusal("type", field, values, "must be a list of numbers");
  }
  if (values.length > MOST_POINTS) {
    throw new Refusal("range", field, `${values.length} numbers`, `must hold at most ${MOST_POINTS} numbers`);
  }
  return Array.from(values, (value, i) => check(`${field}.${i}`, value));
}

/** The core's answer, or its refusal thrown. */
function unwrap<T extends object>(answer: T | Refused): Exclude<T, Refused> {
  if (!("refusal" in answer)) return answer as Exclude<T, Refused>;
  const { kind, field, value, rule } = answer.refusal;
  throw new Refusal(kind, field, value, rule, { shown: true });
}

function provenance(description: Description, exact: boolean): Provenance {
  const neighbours = neighboursOf(description);
  return { kind: exact ? "exact" : "bound", neighbours, source: entryOf(description.kind).source };
}

/** Where to look for the value of a parameter, in the core's words. */
function sought(description: Description, path: unknown) {
  if (typeof path !== "string") throw new Refusal("type", "parameter", path, "must be text such as sigma");
  const { minimum, maximum, type, effect } = parameterAt(description, path);
  return { path, minimum, maximum, whole: type === "integer", morePrivate: effect === "more-private" };
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

class LocalEngine implements Engine {
  readonly #core: Facade;

  constructor(core: Facade) {
    this.#core = core;
  }

  delta(description: Description, epsilon: number) {
    const asked = validate(description);
    const { exact, ...ends } = unwrap(this.#core.delta(asked, checkNumber("epsilon", epsilon, EPSILON)));
    return { ...ends, ...provenance(asked, exact) };
  }

  epsilon(description: Description, delta: number) {
    const asked = validate(description);
    const { exact, ...ends } = unwrap(this.#core.epsilon(asked, checkProbability("delta", delta)));
    return { ...ends, ...provenance(asked, exact) };
  }

  profile(description: Description, epsilons: ArrayLike<number>) {
    const asked = validate(description);
    const points = checkList("epsilons", epsilons, (field, value) => checkNumber(field, value, EPSILON));
    const { exact, ...ends } = unwrap(this.#core.profile(asked, points));
    return { ...ends, ...provenance(asked, exact) };
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

  tradeOff(description: Description, falsePositives: ArrayLike<number>): TradeOff {
    const asked = validate(description);
    const { exact, lower, upper } = unwrap(
      this.#core.power(asked, checkList("falsePositives", falsePositives, checkProbability)),
    );
    // 1 − power rounds to nearest: one more step outward keeps the ends safe.
    const falseNegatives = {
      lower: upper.map((power) => Math.max(0, 1 - power - Number.EPSILON)),
      upper: lower.map((power) => Math.min(1, 1 - power + Number.EPSILON)),
    };
    return { lower, upper, falseNegatives, ...provenance(asked, exact) };
  }

  calibrate(description: Description, parameter: string, target: Target): Calibration {
    const asked = validate(description);
    const { exact, ...found } = unwrap(
      this.#core.calibrate(asked, sought(asked, parameter), checkTarget(target)),
    );
    return { ...found, description: withNumber(asked, parameter, found.value), ...provenance(asked, exact) };
  }

  compare(
    description: Description,
    question: { delta: number } | (Target & { parameter: string }),
  ): Comparison[] {
    const asked = validate(description);
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

/** Starts the engine: compiles the WebAssembly that is part of this file. */
export async function open(): Promise<Engine> {
  return new LocalEngine(await create());
}
