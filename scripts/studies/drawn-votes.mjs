/** Votes that are drawn at random; what they tell by the orders of the sources, and what one noisy test of that says. */
import { stream } from "./random.mjs";
import { geometric, upperTail } from "./special.mjs";
import { deviation, mean } from "./summary.mjs";

export const [QUESTIONS, VOTERS, VOTE_DELTA] = [200, 400, 1e-5];
/** What is spent on the test, for which its noise is 15 smooth sensitivities wide. */
const TEST = 0.5816;
const [TABLES, DRAWS] = [10, 200];
const OTHERS = 9;
const ORDERS = geometric(1.01, 4096, 300);

export const loss = (engine, votes, scale) =>
  engine.voteLoss(votes, { scale, delta: VOTE_DELTA, testEpsilon: TEST });

export const voteTest = (engine) =>
  engine.mechanismNumbers({ about: "vote-test", epsilon: TEST, delta: VOTE_DELTA });

/** Each voter is for the first class with that probability, for the next with another, and else for any of eight. */
function drawn(random, [first, second]) {
  return Array.from({ length: QUESTIONS }, () => {
    const numbers = Array(OTHERS + 1).fill(0);
    for (let voter = 0; voter < VOTERS; voter++) {
      const u = random.uniform();
      const other = 2 + Math.floor(((u - first - second) / (1 - first - second)) * (OTHERS - 1));
      numbers[u < first ? 0 : u < first + second ? 1 : other]++;
    }
    return numbers;
  });
}

/** A bound on the chance that the class with the most votes does not win. */
function upset(numbers, sigma) {
  const [first, ...others] = [...numbers].sort((a, b) => b - a);
  return others.reduce((sum, one) => sum + upperTail((first - one) / (Math.SQRT2 * sigma)), 0);
}

/** Papernot et al. 2018, Theorem 6, and α/σ² where it does not hold or says no less. */
function divergence(q, sigma, order) {
  const all = order / sigma ** 2;
  const second = sigma * Math.sqrt(-Math.log(q));
  const first = second + 1;
  if (!(q < 1 && second > 1 && order <= first)) return all;
  const [e1, e2] = [first / sigma ** 2, second / sigma ** 2];
  const allowed = (second - 1) * e2 - second * (Math.log1p(1 / (first - 1)) + Math.log1p(1 / (second - 1)));
  if (Math.log(q) > allowed) return all;
  const usual = (1 - q) / -Math.expm1(((Math.log(q) + e2) * (second - 1)) / second);
  const rare = Math.exp(e1 - Math.log(q) / (first - 1));
  const t = order - 1;
  return Math.min(all, Math.log((1 - q) * usual ** t + q * rare ** t) / t);
}

/** ε of all questions at the best order, converted as the sources do, by log(1/δ)/(α − 1). */
function told(votes, sigma) {
  const upsets = votes.map((numbers) => upset(numbers, sigma));
  const levels = ORDERS.map((order) => {
    const sum = upsets.reduce((total, q) => total + divergence(q, sigma, order), 0);
    return sum - Math.log(VOTE_DELTA) / (order - 1);
  });
  return Math.min(...levels);
}

/**
 * What a test says once: Redberg 2023, Algorithm 6. The engine's estimate has both normal numbers at 0; one moves the
 * divergence by so many smooth sensitivities, the other the logarithm of their bound.
 */
function tested(engine, { smoothSensitivity, testedEpsilon }, random) {
  const { width, smoothness } = voteTest(engine);
  const unit = width.upper * smoothSensitivity;
  const safe = Math.sqrt(2 * Math.log(4 / VOTE_DELTA));
  const step = width.upper * smoothness.upper;
  const margin = unit * safe * Math.exp(step * safe);
  const draw = () => testedEpsilon + unit * random.normal() + margin * Math.expm1(step * random.normal());
  return Array.from({ length: DRAWS }, draw);
}

/** Shares of the first class and the next, σ, and what was expected: of the votes, their smooth sensitivity, with a test. */
const SETTINGS = [
  ["95.5 %", [0.955, 0.045 / OTHERS], 40, 0.171, 0.09, 9.4],
  ["95.5 %", [0.955, 0.045 / OTHERS], 60, 0.256, undefined, 6.3],
  ["95.5 %", [0.955, 0.045 / OTHERS], 100, 0.98, undefined, 4.8],
  ["50 %, 25 %", [0.5, 0.25], 40, 2.42, undefined, 19],
  ["50 %, 25 %", [0.5, 0.25], 100, 0.98, undefined, 3.1],
];

/** Of every setting: means over drawn tables, their deviations, and those of one test of one table. */
export function measuredVotes(engine) {
  const random = stream(41);
  return SETTINGS.map(([agree, shares, sigma, ...expected]) => {
    const found = Array.from({ length: TABLES }, () => {
      const votes = drawn(random, shares);
      const all = loss(engine, votes, sigma);
      return { all, told: told(votes, sigma), tests: tested(engine, all, random) };
    });
    const lists = [
      found.map(({ told }) => told),
      found.map(({ all }) => all.smoothSensitivity),
      found.flatMap(({ tests }) => tests),
    ];
    return {
      agree,
      sigma,
      plain: found[0].all.plainEpsilon,
      cells: lists.map((values, i) => ({
        centre: mean(values),
        spread: deviation(values),
        expected: expected[i],
      })),
    };
  });
}
