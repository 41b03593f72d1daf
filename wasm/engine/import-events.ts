/**
 * Descriptions from what other libraries write about a run: an event of Google's dp_accounting as Python prints it, or
 * the `history` of an accountant of Opacus, a list of (noise multiplier, sampling rate, steps), or its `state_dict()`. Neither says a
 * sensitivity or a relation: noise multipliers are in units of the sensitivity, which is therefore 1.
 */
import type { Description } from "./catalogue.ts";
import { validate } from "./description.ts";
import { aroundOf, decidingOf, innerOf, namesIn, WRAPPER_KINDS } from "./kinds.ts";
import { type Call, parse, type Value } from "./python-value.ts";
import { Refusal } from "./refusal.ts";

type Plain = Record<string, unknown>;
type Argument = (name: string, position: number) => Value | undefined;

const FIELD = "events";
const refuse = (value: unknown, rule: string): never => {
  throw new Refusal("unsupported", FIELD, value, rule, { shown: typeof value === "string" });
};

const numberOf = (argument: Argument, event: string) => (name: string, position: number) => {
  const value = argument(name, position);
  return typeof value === "number" ? value : refuse(event, `must have a number ${name}`);
};

type Numbers = ReturnType<typeof numberOf>;

const listOf = (argument: Argument, event: string) => (name: string, position: number) => {
  const value = argument(name, position);
  return Array.isArray(value) ? value : refuse(event, `must have a list ${name}`);
};

/** A number by which another one is divided. */
function divisor(number: Numbers, event: string, name: string, position: number): number {
  const value = number(name, position);
  return value > 0 ? value : refuse(event, `must have a ${name} above 0`);
}

/** By Dekker: an upper part of so few digits that its products are exact, and the rest. */
function halves(x: number): readonly [number, number] {
  const shifted = x * (2 ** 27 + 1);
  const upper = shifted - (shifted - x);
  return [upper, x - upper];
}

/** The sign of xy − z, exactly, where xy is z but for rounding. */
function excess(x: number, y: number, z: number): number {
  const [[a, b], [c, d]] = [halves(x), halves(y)];
  const product = x * y;
  return product - z + (b * d - (product - a * c - b * c - a * d));
}

/** A quotient of positive numbers, rounded to the side on which more privacy is lost than the event says. */
function rounded(dividend: number, divisor: number, side: "down" | "up"): number {
  const quotient = dividend / divisor;
  const wrong = excess(quotient, divisor, dividend);
  const last = 1 - 2 ** -53;
  if (side === "down") return wrong > 0 ? quotient * last : quotient;
  return wrong < 0 ? quotient / last : quotient;
}

/** What each event without another one inside is; the names of its arguments are the library's. */
const EVENTS: Readonly<Record<string, (number: Numbers, list: ReturnType<typeof listOf>) => Plain>> = {
  GaussianDpEvent: (number) => ({ kind: "gaussian", sigma: number("noise_multiplier", 0), sensitivity: 1 }),
  LaplaceDpEvent: (number) => ({ kind: "laplace", scale: number("noise_multiplier", 0), sensitivity: 1 }),
  DiscreteLaplaceDpEvent: (number) => ({
    kind: "discrete-laplace",
    scale: rounded(1, divisor(number, "DiscreteLaplaceDpEvent", "noise_parameter", 0), "down"),
    sensitivity: number("sensitivity", 1),
  }),
  EpsilonDeltaDpEvent: (number) => ({
    kind: "approximate",
    epsilon: number("epsilon", 0),
    delta: number("delta", 1),
  }),
  NoOpDpEvent: () => ({ kind: "pure", epsilon: 0 }),
  ExponentialMechanismDpEvent: (number) => ({ kind: "exponential", epsilon: number("epsilon", 0) }),
  PermuteAndFlipDpEvent: (number) => ({ kind: "permute-and-flip", epsilon: number("epsilon", 0) }),
  MixtureOfGaussiansDpEvent: (number, list) => ({
    kind: "gaussian-mixture",
    sigma: number("standard_deviation", 0),
    sensitivities: list("sensitivities", 1),
    probabilities: list("sampling_probs", 2),
  }),
  RandomizedResponseDpEvent: (number) => {
    const uniform = divisor(number, "RandomizedResponseDpEvent", "noise_parameter", 0);
    const categories = number("num_buckets", 1);
    // The true one is 1 + m(1 − p)/p times as likely as every other one: four roundings and that of the logarithm.
    const epsilon = Math.log1p((categories * (1 - uniform)) / uniform) * (1 + 2 ** -49);
    return { kind: "randomized-response", categories, epsilon };
  },
  TruncatedSubsampledGaussianDpEvent: (number) => ({
    kind: "subsampled",
    sampling: "truncated-poisson",
    records: number("dataset_size", 0),
    rate: number("sampling_probability", 1),
    largestBatch: number("truncated_batch_size", 2),
    steps: 1,
    of: { kind: "gaussian", sigma: number("noise_multiplier", 3), sensitivity: 1 },
  }),
};

/** The laws of how often a run is repeated that have a name here, by the shape of the negative binomial ones. */
const STOPPING: ReadonlyMap<number, string> = new Map([
  [0, "logarithmic"],
  [1, "geometric"],
  [Number.POSITIVE_INFINITY, "poisson"],
]);

/** An event around another one, by what the catalogue says how it is written. */
function around({ name, argument }: Call, inner: Value | undefined): Plain | undefined {
  for (const kind of WRAPPER_KINDS)
    for (const { option, dpEvent } of aroundOf(kind).ways) {
      if (!dpEvent?.text.includes(`.${name}(`)) continue;
      const [choice = ""] = decidingOf(kind) ?? [];
      const [place] = innerOf(kind) ?? [""];
      const rest = namesIn(dpEvent.text).filter((one) => one !== place);
      const number = numberOf(argument, name);
      const said = rest.map((one, i) => [one, number("sampling_probability", i)]);
      return { kind, [choice]: option, ...Object.fromEntries(said), [place]: described(inner) };
    }
  return undefined;
}

const part = (mechanism: Plain, count: number): Plain => ({
  kind: "composition",
  of: [{ mechanism, count }],
});

/** What an event is; what it says besides would have a meaning that is lost. */
function described(value: Value | undefined): Plain {
  if (typeof value !== "object" || !("name" in value))
    return refuse("a number, a text or a list", "must be an event");
  const made = read(value);
  const [left] = value.unread();
  if (left === undefined) return made;
  return refuse(value.name, `has no description here with its argument ${left}`);
}

function read(value: Call): Plain {
  const { name, argument } = value;
  const number = numberOf(argument, name);
  if (name === "ComposedDpEvent") {
    const events = argument("events", 0);
    if (!Array.isArray(events) || events.length === 0) return refuse(name, "must have a list of events");
    return { kind: "composition", of: events.map((one) => ({ mechanism: described(one), count: 1 })) };
  }
  if (name === "SelfComposedDpEvent") return part(described(argument("event", 0)), number("count", 1));
  if (name === "ZCDpEvent") {
    const rho = number("rho", 0);
    const xi = argument("xi", 1) === undefined ? 0 : number("xi", 1);
    return xi === 0 ? { kind: "zcdp", rho } : { kind: "xi-zcdp", xi, rho };
  }
  if (name === "SampledWithoutReplacementDpEvent") {
    const rate = rounded(number("sample_size", 1), divisor(number, name, "source_dataset_size", 0), "up");
    const of = described(argument("event", 2));
    return { kind: "subsampled", sampling: "without-replacement", rate, of };
  }
  if (name === "SampledWithReplacementDpEvent") {
    const [records, draws] = [number("source_dataset_size", 0), number("sample_size", 1)];
    return {
      kind: "subsampled",
      sampling: "with-replacement",
      draws,
      records,
      of: described(argument("event", 2)),
    };
  }
  if (name === "RepeatAndSelectDpEvent") {
    const of = described(argument("event", 0));
    const [runs, shape] = [number("mean", 1), number("shape", 2)];
    const law = STOPPING.get(shape);
    const stopping = law ? { stopping: law } : { stopping: "negative-binomial", shape };
    return { kind: "private-selection", runs, ...stopping, of };
  }
  const alone = Object.hasOwn(EVENTS, name) ? EVENTS[name]?.(number, listOf(argument, name)) : undefined;
  const made = alone ?? around(value, argument("event", 1));
  return made ?? refuse(name, "is no event that has a description here");
}

/** The rows of Opacus' history: sampled Gaussian noise, so many steps of it. */
function fromHistory(rows: readonly Value[]): Plain {
  const of = rows.map((row, i) => {
    const [sigma, rate, count, ...more] = Array.isArray(row) ? row : [];
    const whole = [sigma, rate, count].every((one) => typeof one === "number") && more.length === 0;
    if (!whole)
      return refuse(`entry ${i}`, "must be a noise multiplier, a sampling rate and a number of steps");
    const noise = { kind: "gaussian", sigma, sensitivity: 1 };
    const mechanism = rate === 1 ? noise : { kind: "subsampled", sampling: "poisson", rate, of: noise };
    return { mechanism, count };
  });
  return of.length > 0 ? { kind: "composition", of } : refuse("an empty list", "must have an entry");
}

/** The history in what `state_dict()` of an accountant of Opacus prints: a dictionary, or one that keeps its order. */
function historyIn(value: Value): Value {
  if (typeof value !== "object") return value;
  if (value instanceof Map) return value.get("history") ?? refuse("a dictionary", "must have a history");
  if (!("name" in value) || value.name !== "OrderedDict") return value;
  const items = value.argument("items", 0) ?? [];
  if (!Array.isArray(items)) return historyIn(items);
  const pairs = items.filter((one): one is [string, Value] => Array.isArray(one) && one.length === 2);
  return historyIn(new Map(pairs));
}

/** The description of what the text says happened; refuses what has none here, by its name. */
export function importEvents(text: unknown): Description {
  if (typeof text !== "string") throw new Refusal("type", FIELD, text, "must be text");
  const value = historyIn(parse(text, FIELD));
  return validate(Array.isArray(value) ? fromHistory(value) : described(value));
}
