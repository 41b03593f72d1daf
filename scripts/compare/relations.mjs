/**
 * Relations between certified answers that hold whatever the truth is: two answers that break one contradict each
 * other, so that one of them is wrong. No reference value is needed, and every description can be asked.
 */

/** Beyond rounding of what a relation itself computes in doubles. */
const ROUNDING = 1e-12;

export const atMost = (low, high) => low <= high + ROUNDING * Math.abs(high) + 1e-300;
export const meet = (one, other) => atMost(one.lower, other.upper) && atMost(other.lower, one.upper);

const several = (mechanism, count) => ({ mechanism, count });
/** Parts of a composition answer for the same neighbours as the whole. */
function composition(description, ...counts) {
  const { neighbours, ...part } = description;
  return {
    kind: "composition",
    of: counts.map((count) => several(part, count)),
    ...(neighbours && { neighbours }),
  };
}

const both = (ask, question, one, other) =>
  Promise.all([ask({ ...question, description: one }), ask({ ...question, description: other })]);

/** Never less for the second: of noise that shrinks, of a rate that grows, of more runs. */
async function grows(ask, question, less, more) {
  const [small, large] = await both(ask, question, less, more);
  return atMost(small.lower, large.upper);
}

async function same(ask, question, one, other) {
  const [first, second] = await both(ask, question, one, other);
  return meet(first, second);
}

/** Numbers whose growth cannot lower a price, and those whose growth cannot raise it. */
export const DEARER = ["sensitivity", "rate", "epochs", "rho", "mu", "epsilon", "xi"];
export const CHEAPER = ["sigma", "scale", "standardDeviation", "variance"];

/** The same description with a number of its outermost kind, or of the only one inside, times a factor. */
function moved(description, names, factor) {
  const inside = description.of && !Array.isArray(description.of) ? description.of : undefined;
  for (const name of names) {
    const value = description[name];
    if (typeof value === "number" && value > 0) return { ...description, [name]: value * factor };
    if (typeof inside?.[name] === "number" && inside[name] > 0)
      return { ...description, of: { ...inside, [name]: inside[name] * factor } };
  }
  return undefined;
}

/** A Gaussian mechanism in batches of one of these samplings. */
const batched = ({ kind, sampling, of }, ...samplings) =>
  kind === "subsampled" && of.kind === "gaussian" && samplings.includes(sampling);

/** The same epochs in a fixed order. */
const fixedOrder = ({ batches: _, ...rest }) => ({ ...rest, sampling: "fixed-order" });

/** Each by its name: whether it holds of a description, or undefined where it says nothing of it. */
export const relations = {
  "a profile never rises": async (ask, description, { epsilon }) => {
    const epsilons = [0, epsilon / 2, epsilon, 2 * epsilon];
    const { lower, upper } = await ask({ ask: "profile", description, epsilons });
    return lower.every(
      (low, i) => atMost(low, upper[i]) && upper.slice(0, i).every((before) => atMost(low, before)),
    );
  },
  "epsilon undoes delta": async (ask, description, { epsilon }) => {
    const delta = await ask({ ask: "delta", description, epsilon });
    if (!(delta.lower > 1e-290 && delta.upper < 1)) return undefined;
    const back = await ask({ ask: "epsilon", description, delta: delta.lower * (1 - 1e-9) });
    return atMost(epsilon, back.upper * (1 + 1e-9));
  },
  "delta undoes epsilon": async (ask, description, { delta }) => {
    const { lower, upper } = await ask({ ask: "epsilon", description, delta });
    if (!(upper < 1e6)) return undefined;
    const there = await ask({ ask: "delta", description, epsilon: upper * (1 + 1e-12) });
    const below =
      lower > 0 ? await ask({ ask: "delta", description, epsilon: lower * (1 - 1e-9) }) : undefined;
    return atMost(there.lower, delta) && (!below || atMost(delta, below.upper * (1 + 1e-9)));
  },
  "a composition of one is that one": (ask, description, { delta }) =>
    same(ask, { ask: "epsilon", delta }, description, composition(description, 1)),
  "parts may be split": (ask, description, { delta, count }) =>
    same(
      ask,
      { ask: "epsilon", delta },
      composition(description, count + 2),
      composition(description, count, 2),
    ),
  "compositions may be nested": (ask, description, { delta }) =>
    same(
      ask,
      { ask: "epsilon", delta },
      composition(composition(description, 2), 3),
      composition(description, 6),
    ),
  "a further run never costs less": (ask, description, { delta, count }) =>
    grows(
      ask,
      { ask: "epsilon", delta },
      composition(description, count),
      composition(description, count + 1),
    ),
  "a group of one is one": (ask, description, { delta }) =>
    same(ask, { ask: "epsilon", delta }, description, description).then(async () => {
      const [alone, group] = await Promise.all([
        ask({ ask: "epsilon", description, delta }),
        ask({ ask: "epsilon", description, delta, group: 1 }),
      ]);
      return meet(alone, group);
    }),
  "a group of two costs no less": async (ask, description, { delta }) => {
    const [alone, group] = await Promise.all([
      ask({ ask: "epsilon", description, delta }),
      ask({ ask: "epsilon", description, delta, group: 2 }),
    ]);
    return atMost(alone.lower, group.upper);
  },
  "Rényi divergences bound epsilon": async (ask, description, { delta }) => {
    const orders = [1.5, 2, 8, 64];
    const { lower } = await ask({ ask: "epsilon", description, delta });
    const { epsilons } = await ask({ ask: "renyi", description, orders });
    // Canonne, Kamath and Steinke 2020, Proposition 12.
    return epsilons.every((divergence, i) => {
      const order = orders[i];
      const bound = divergence + Math.log1p(-1 / order) - Math.log(delta * order) / (order - 1);
      return atMost(lower, Math.max(0, bound));
    });
  },
  "a profile bounds the trade-off": async (ask, description, { epsilon, falsePositive }) => {
    const delta = await ask({ ask: "delta", description, epsilon });
    const { lower, upper } = await ask({
      ask: "tradeOff",
      description,
      falsePositives: [falsePositive, Math.min(1, 2 * falsePositive)],
    });
    const line = delta.upper + Math.exp(epsilon) * falsePositive;
    return atMost(lower[0], line) && atMost(lower[0], upper[1]);
  },
  "more noise never costs more": (ask, description, { delta }) => {
    // Not true of coarse noise: of seven clients' at 0.3376, 1.25 times as much costs 6.5552 at δ = 2.16e-11, it 5.4830; of
    // discrete Gaussian noise at 0.2899, 19.025 at δ = 1.72e-9, it 17.843.
    // Nor of noise that is cut at a bound of its own: the wider it is, the likelier is what nobody else shows.
    if (
      /"((distributed-)?discrete-gaussian|truncated-laplace|truncated-gaussian)"/.test(
        JSON.stringify(description),
      )
    )
      return undefined;
    const quieter = moved(description, CHEAPER, 1.25);
    return quieter && grows(ask, { ask: "epsilon", delta }, quieter, description);
  },
  "a larger parameter of cost never costs less": (ask, description, { delta }) => {
    const smaller = moved(description, DEARER, 0.5);
    return smaller && grows(ask, { ask: "epsilon", delta }, smaller, description);
  },
  "batches drawn by chance cost no more than those of a fixed order": (ask, description, { delta }) =>
    batched(description, "shuffle", "balls-and-bins")
      ? grows(ask, { ask: "epsilon", delta }, description, fixedOrder(description))
      : undefined,
  "a single batch is a fixed order": (ask, description, { delta }) =>
    batched(description, "shuffle", "balls-and-bins")
      ? same(ask, { ask: "epsilon", delta }, { ...description, batches: 1 }, fixedOrder(description))
      : undefined,
  "a sample of all is the whole": (ask, description, { delta }) =>
    description.kind === "subsampled" &&
    description.sampling === "poisson" &&
    description.neighbours !== "replace"
      ? same(ask, { ask: "epsilon", delta }, { ...description, rate: 1 }, description.of)
      : undefined,
  "replacing costs no less than adding": async (ask, description, { delta }) => {
    if (!batched(description, "poisson")) return undefined;
    const of = { ...description.of, neighbours: "add-remove" };
    const about = (neighbours) => ({ ...description, neighbours, of });
    return grows(ask, { ask: "epsilon", delta }, about("add-remove"), about("replace"));
  },
  "cutting large samples is paid for": (ask, description, { delta }) => {
    if (!batched(description, "truncated-poisson")) return undefined;
    const { steps, records: _, largestBatch: __, neighbours, ...rest } = description;
    const mechanism = { ...rest, sampling: "poisson" };
    const whole = { kind: "composition", of: [several(mechanism, steps)], ...(neighbours && { neighbours }) };
    return grows(ask, { ask: "epsilon", delta }, whole, description);
  },
  "noise without correlations is Gaussian": (ask, description, { delta }) => {
    if (description.kind !== "matrix" || description.neighbours === "replace") return undefined;
    const { sigma, sensitivity, steps, participations, separation, schedule } = description;
    const plain = { kind: "matrix", scheme: "banded", bandwidth: 1, sigma, sensitivity, steps };
    const gaussian = { kind: "gaussian", sigma, sensitivity, neighbours: "zero-out" };
    return grows(
      ask,
      { ask: "epsilon", delta },
      { ...plain, participations, separation, schedule },
      { kind: "composition", of: [several(gaussian, participations)], neighbours: "zero-out" },
    );
  },
  "pure loss beside a concentrated one adds up": async (ask, description, { delta }) => {
    if (description.kind !== "xi-zcdp") return undefined;
    const { xi, rho } = description;
    const [whole, part] = await both(ask, { ask: "epsilon", delta }, description, { kind: "zcdp", rho });
    return atMost(whole.lower, part.upper + xi) && atMost(part.lower, whole.upper);
  },
};
