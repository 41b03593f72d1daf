/** Relations between risks, calibrations and ledgers, of the same sort as those in relations.mjs. */
import { atMost, CHEAPER, DEARER, meet } from "./relations.mjs";

const odds = (p) => p / (1 - p);
/** Posteriors so near 1 have lost the digits of what is left of 1. */
const NEARLY_SURE = 0.999;
const PRIOR = 0.01;

/** A number of the outermost kind or of the only one inside, by its path, and whether more of it is dearer. */
function movable(description) {
  const inside = description.of && !Array.isArray(description.of) ? description.of : {};
  const found = (names, isDearer) =>
    names.flatMap((name) => [
      ...(description[name] > 0 ? [{ path: name, own: description[name], isDearer }] : []),
      ...(inside[name] > 0 ? [{ path: `of.${name}`, own: inside[name], isDearer }] : []),
    ]);
  const real = ({ path }) => path !== "epochs" && path !== "of.epochs";
  return [...found(CHEAPER, false), ...found(DEARER, true)].find(real);
}

/**
 * What the description has keeps the limit, and so is not what certainly breaks it; but where privacy does not move one way
 * with a parameter, either may lie beyond the other.
 */
const keepsBefore = ({ own, isDearer }, insufficient, description) =>
  insufficient === null ||
  /distributed|truncated|discrete|partition/.test(JSON.stringify(description)) ||
  (isDearer ? own <= insufficient * (1 + 1e-9) : insufficient <= own * (1 + 1e-9));

const listed = (description) => (Array.isArray(description) ? description : [description]);
const entries = (description, count) => listed(description).map((mechanism) => ({ mechanism, count }));
const plan = (ask, delta, all) => ask({ ask: "ledger", ledger: { rule: "plan", entries: all }, delta });
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Amounts of a budget that one entry takes by a rule; undefined where the rule knows none of it. */
const UNITS = { gdp: "mu", zcdp: "rho", renyi: "epsilon" };
const budgetOf = (rule, amount) => ({ [UNITS[rule]]: amount, ...(rule === "renyi" && { order: 8 }) });

/** What a budget costs that is just enough for all, and their plan: filters never cost less. */
async function withinBudget(ask, rule, all, delta) {
  const large = await ask({
    ask: "ledger",
    ledger: { rule, budget: budgetOf(rule, 1e90), entries: all },
    delta,
  });
  if (!large.entries.every(({ fits }) => fits) || large.spent.delta > 0) return undefined;
  const amount = large.spent[UNITS[rule]];
  // Squares of less vanish, and are counted as more than nothing.
  if (!(amount > 1e-100 && amount < 1e50)) return undefined;
  const budget = budgetOf(rule, amount * (1 + 1e-9));
  const filter = await ask({ ask: "ledger", ledger: { rule, budget, entries: all }, delta });
  const fixed = await plan(ask, delta, all);
  return filter.entries.every(({ fits }) => fits) && atMost(fixed.epsilon.lower, filter.epsilon.upper);
}

const filtered =
  (rule) =>
  (ask, description, { delta, count }) =>
    withinBudget(ask, rule, entries(description, count), delta);

export const riskRelations = {
  "a posterior undoes a power": async (ask, description, { falsePositive: exceptions }) => {
    const { right } = await ask({ ask: "posterior", description, prior: PRIOR, exceptions });
    if (!(right.upper < NEARLY_SURE && right.lower > PRIOR)) return undefined;
    // ℓ with T(x) = τ at x = τ e^−ℓ.
    const rate = (posterior, way) => (exceptions / (odds(posterior) / odds(PRIOR))) * (1 + way * 1e-9);
    const falsePositives = [rate(right.upper, -1), Math.min(1, rate(right.lower, 1))];
    const { lower, upper } = await ask({ ask: "tradeOff", description, falsePositives });
    return atMost(lower[0], exceptions) && atMost(exceptions, upper[1] * (1 + 1e-9));
  },
  "posteriors are in their order": async (ask, description, { falsePositive: exceptions }) => {
    const { right, wrong, event } = await ask({ ask: "posterior", description, prior: PRIOR, exceptions });
    return atMost(wrong.lower, event.upper) && atMost(event.lower, right.upper);
  },
  "risks are what the profile and the power say": async (ask, description, { falsePositive }) => {
    const risk = (measure, more) => ask({ ask: "risk", description, measure, ...more });
    const { lower, upper } = await ask({ ask: "tradeOff", description, falsePositives: [falsePositive] });
    const power = { lower: lower[0], upper: upper[0] };
    const value = (y) => (PRIOR * y) / (PRIOR * y + (1 - PRIOR) * falsePositive);
    const advantage = await ask({ ask: "advantage", description });
    const profile = await ask({ ask: "delta", description, epsilon: Math.log((1 - 0.2) / 0.2) });
    const error = await risk("bayes-error", { prior: 0.2 });
    const even = await risk("bayes-error", { prior: 0.5 });
    const near = ({ lower: low, upper: high }) => ({ lower: low * (1 - 1e-9), upper: high * (1 + 1e-9) });
    return (
      meet(await risk("reconstruction", { guess: falsePositive }), near(power)) &&
      meet(
        await risk("predictive-value", { prior: PRIOR, falsePositive }),
        near({ lower: value(power.lower), upper: value(power.upper) }),
      ) &&
      meet(await risk("advantage"), advantage) &&
      meet(
        error,
        near({ lower: 0.2 * (1 - profile.upper) - 1e-16, upper: 0.2 * (1 - profile.lower) + 1e-16 }),
      ) &&
      meet(even, near({ lower: (1 - advantage.upper) / 2 - 1e-16, upper: (1 - advantage.lower) / 2 + 1e-16 }))
    );
  },
  "more suspicion and rarer exceptions never lower a posterior": async (
    ask,
    description,
    { falsePositive },
  ) => {
    const risk = (prior, exceptions) =>
      ask({ ask: "risk", description, measure: "posterior", prior, exceptions });
    const [own, rarer, likelier] = await Promise.all([
      risk(PRIOR, falsePositive),
      risk(PRIOR, falsePositive / 4),
      risk(3 * PRIOR, falsePositive),
    ]);
    return atMost(own.lower, rarer.upper) && atMost(own.lower, likelier.upper);
  },
  "calibration to a risk undoes the risk": async (ask, description, { falsePositive, count }) => {
    const found = movable(description);
    if (!found) return undefined;
    const measure = [
      { measure: "posterior", prior: PRIOR, exceptions: falsePositive },
      { measure: "event-posterior", prior: PRIOR, exceptions: falsePositive },
      { measure: "predictive-value", prior: PRIOR, falsePositive },
      { measure: "reconstruction", guess: falsePositive },
      { measure: "advantage" },
      { measure: "bayes-error", prior: 0.2 },
    ][count % 6];
    const isLess = measure.measure === "bayes-error";
    const own = await ask({ ask: "risk", description, ...measure });
    const limit = isLess ? own.lower : own.upper;
    const most = isLess ? 0.2 - 1e-9 : 1 - 1e-9;
    const least = isLess ? 0 : (measure.prior ?? measure.guess ?? 0) * (1 + 1e-9) + 1e-12;
    if (!(limit > least && limit < most)) return undefined;
    const {
      value,
      insufficient,
      description: there,
      risk,
    } = await ask({
      ask: "calibrateRisk",
      description,
      parameter: found.path,
      limit,
      ...measure,
    });
    const again = await ask({ ask: "risk", description: there, ...measure });
    const keeps = isLess
      ? atMost(limit, again.lower) && atMost(limit, risk.lower)
      : atMost(again.upper, limit) && atMost(risk.upper, limit);
    const isBeyond = keepsBefore(found, insufficient, description);
    return keeps && isBeyond && value >= 0;
  },
  "calibration undoes delta": async (ask, description, { epsilon }) => {
    const found = movable(description);
    if (!found) return undefined;
    const own = await ask({ ask: "delta", description, epsilon });
    if (!(own.upper > 1e-200 && own.upper < 0.999)) return undefined;
    const { insufficient, description: there } = await ask({
      ask: "calibrate",
      description,
      parameter: found.path,
      epsilon,
      delta: own.upper,
    });
    const again = await ask({ ask: "delta", description: there, epsilon });
    const isBeyond = keepsBefore(found, insufficient, description);
    return atMost(again.upper, own.upper) && isBeyond;
  },
  "an effective Gaussian has the same delta": async (ask, description, { epsilon }) => {
    const own = await ask({ ask: "delta", description, epsilon });
    if (!(own.upper < 0.999 && own.lower > 1e-200)) return undefined;
    const { lower, upper } = await ask({ ask: "effectiveMu", description, epsilon });
    const gaussian = (mu) => ask({ ask: "delta", description: { kind: "gdp", mu }, epsilon });
    const [low, high] = [await gaussian(lower), await gaussian(upper)];
    return atMost(own.lower * (1 - 1e-9), high.upper) && atMost(low.lower, own.upper * (1 + 1e-9));
  },
  "a plan in a ledger is a composition": async (ask, description, { delta, count }) => {
    const all = entries(description, count);
    const ledger = await plan(ask, delta, all);
    const composed = {
      kind: "composition",
      of: all.map(({ mechanism: { neighbours: _, ...own }, count: runs }) => ({
        mechanism: own,
        count: runs,
      })),
    };
    const about = all.map(({ mechanism }) => mechanism.neighbours).find(Boolean);
    return meet(
      ledger.epsilon,
      await ask({ ask: "epsilon", description: { ...composed, ...(about && { neighbours: about }) }, delta }),
    );
  },
  "a further entry never costs less, in any order": async (ask, description, { delta, count }) => {
    const all = entries(description, count);
    const about = all.map(({ mechanism }) => mechanism.neighbours).find(Boolean);
    const further = {
      mechanism: { kind: "laplace", scale: 3, sensitivity: 1, ...(about && { neighbours: about }) },
      count: 2,
    };
    const [alone, after, before] = await Promise.all([
      plan(ask, delta, all),
      plan(ask, delta, [...all, further]),
      plan(ask, delta, [further, ...all]),
    ]);
    return atMost(alone.epsilon.lower, after.epsilon.upper) && meet(after.epsilon, before.epsilon);
  },
  "a ledger that was saved says the same": async (ask, description, { delta, count }) => {
    const ledger = { rule: "plan", entries: entries(description, count) };
    const saved = JSON.parse(JSON.stringify({ format: "epsilometer-ledger-1", delta, ...ledger }));
    return same(await ask({ ask: "ledger", ledger, delta }), await ask({ ask: "ledger", ledger: saved }));
  },
  "a Gaussian filter costs no less than a plan": filtered("gdp"),
  "a concentrated filter costs no less than a plan": filtered("zcdp"),
  "a Rényi filter costs no less than a plan": filtered("renyi"),
  "a menu costs no less than a plan": async (ask, description, { delta, count }) => {
    const all = entries(description, 1 + (count % 3));
    const rounds = all.reduce((sum, { count: own }) => sum + own, 0);
    const menu = { rounds, menu: all.map(({ mechanism }) => mechanism) };
    const game = await ask({ ask: "ledger", ledger: { rule: "menu", budget: menu, entries: all }, delta });
    const fixed = await plan(ask, delta, all);
    return atMost(fixed.epsilon.lower, game.epsilon.upper);
  },
};
