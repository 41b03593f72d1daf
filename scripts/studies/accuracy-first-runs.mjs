/** Accuracy first: made-up tables, noise that is taken back by the engine, doubling by a script, and what theorems ask for. */
import { halfUnit } from "./compared.mjs";
import { dot, gram, norm, plus } from "./linear.mjs";
import { minimum } from "./logistic.mjs";
import { stream } from "./random.mjs";
import { deviation, mean } from "./summary.mjs";

const [ROWS, LAMBDA, FAILURE, LEVELS] = [100_000, 0.005, 0.1, 1000];
/** Lambert's W at 1/e. */
const LAMBERT = 0.278464542761;

/** Rows of l1 norm 1: signed weights on three columns at random. */
function sparseTable(rows, dimension, seed, isLogistic) {
  const random = stream(seed);
  const truth = random.normals(dimension);
  const features = Array.from({ length: rows }, () => {
    const x = new Float64Array(dimension);
    const weights = Array.from({ length: 3 }, () => -Math.log(random.uniform()));
    const sum = weights.reduce((a, b) => a + b);
    for (const weight of weights) {
      let at = Math.floor(random.uniform() * dimension);
      while (x[at] !== 0) at = Math.floor(random.uniform() * dimension);
      x[at] = (random.uniform() < 0.5 ? -1 : 1) * (weight / sum);
    }
    return x;
  });
  const labels = features.map((x) => {
    const u = dot(x, truth);
    if (isLogistic) return random.uniform() < 1 / (1 + Math.exp(-4 * u)) ? 1 : -1;
    return Math.max(-1, Math.min(1, u + 0.1 * (2 * random.uniform() - 1)));
  });
  return { features, labels };
}

const LABELS = { 1: "yes", "-1": "no" };

const csv = ({ features, labels }, isLogistic) =>
  [
    [...features[0].keys()]
      .map((i) => `x${i}`)
      .concat("y")
      .join(","),
    ...features.map((x, i) => [...x, isLogistic ? LABELS[labels[i]] : labels[i]].join(",")),
  ].join("\n");

/**
 * The engine divides each of d columns by √d: rows within that bound, and λ / d, are the very same problem.
 */
function request({ name, dimension, isLogistic }, alpha, seed) {
  return {
    table: {
      unit: { protects: "row", rows: 1 },
      columns: Array.from({ length: dimension }, (_, i) => ({
        name: `x${i}`,
        use: "numeric",
        range: [-1, 1],
        missing: "drop",
      })),
      label: isLogistic
        ? { name: "y", use: "classes", levels: ["no", "yes"], missing: "drop" }
        : { name: "y", use: "numeric", range: [-1, 1], missing: "drop" },
      rowNorm: 1 / Math.sqrt(dimension),
      intercept: 0,
    },
    algorithm: {
      name,
      excessRisk: alpha,
      lambda: (LAMBDA * ROWS) / dimension,
      rows: ROWS,
      failure: FAILURE,
      levels: LEVELS,
      ...(!isLogistic && { norm: "l1" }),
    },
    budget: { delta: 0 },
    seed,
  };
}

const laplace = (random, scale) => {
  const u = random.uniform() - 0.5;
  return -scale * Math.sign(u) * Math.log(1 - 2 * Math.abs(u));
};

function shortened(x, radius) {
  const length = norm(x);
  return length <= radius ? x : x.map((one) => (one * radius) / length);
}

/** The least of a noisy quadratic on a ball, by projected gradients: a script needs no more digits. */
function onBall(matrix, vector, radius) {
  const d = vector.length;
  const rows = Array.from(vector, (_, i) => matrix.subarray(i * d, i * d + d));
  const size = Math.max(...rows.map((row) => row.reduce((a, b) => a + Math.abs(b), 0)));
  let x = new Float64Array(d);
  for (let step = 0; step < 400; step++) {
    const slope = x.map((_, i) => dot(rows[i], x) - vector[i]);
    x = shortened(plus(x, slope, -1 / size), radius);
  }
  return x;
}

/**
 * What noise at ε makes of the coefficients, how large they may be, and the mean loss. A row moves mirrored entries of XᵀX alike:
 * half the noise hides both; the source draws noise for `each` of d² entries, of which the quadratic form has the means.
 */
function ridgeProblem(table, dimension) {
  const matrix = Float64Array.from(gram(table.features, 0));
  const vector = new Float64Array(dimension);
  table.features.forEach((x, i) => {
    x.forEach((one, j) => {
      vector[j] += one * table.labels[i];
    });
  });
  const radius = 1 / (2 * Math.sqrt(LAMBDA));
  const withLambda = (noisy) => noisy.map((one, i) => one + (i % (dimension + 1) === 0 ? LAMBDA * ROWS : 0));
  const whole = withLambda(matrix);
  const value = (x) =>
    (x.reduce((sum, one, i) => sum + one * dot(whole.slice(i * dimension, (i + 1) * dimension), x), 0) / 2 -
      dot(vector, x)) /
    ROWS;
  const noisy = (epsilon, random, isEach) => {
    const copy = Float64Array.from(matrix);
    const beside = () =>
      isEach
        ? (laplace(random, 4 / epsilon) + laplace(random, 4 / epsilon)) / 2
        : laplace(random, 2 / epsilon);
    for (let i = 0; i < dimension; i++)
      for (let j = 0; j <= i; j++) {
        const noise = i === j ? laplace(random, 4 / epsilon) : beside();
        copy[i * dimension + j] += noise;
        if (i !== j) copy[j * dimension + i] += noise;
      }
    return onBall(
      withLambda(copy),
      vector.map((one) => one + laplace(random, 4 / epsilon)),
      radius,
    );
  };
  const least = onBall(whole, vector, radius);
  return { noisy, value, radius, least, best: value(least), sensitivity: (radius + 1) ** 2 / ROWS };
}

function logisticProblem(table, dimension) {
  const { model } = minimum(table, LAMBDA * ROWS, new Float64Array(dimension));
  const radius = Math.sqrt(LAMBERT / LAMBDA);
  const value = (x) =>
    table.features.reduce((sum, row, i) => sum + Math.log1p(Math.exp(-table.labels[i] * dot(row, x))), 0) /
      ROWS +
    (LAMBDA / 2) * dot(x, x);
  const scale = (2 * Math.sqrt(dimension)) / (ROWS * LAMBDA);
  const noisy = (epsilon, random) =>
    shortened(
      Float64Array.from(model, (one) => one + laplace(random, scale / epsilon)),
      radius,
    );
  return { noisy, value, radius, least: model, best: value(model), sensitivity: (2 * radius) / ROWS };
}

/** ε twice as large each time, with fresh noise, until a noisy test passes: what all rounds cost together. */
function doubling({ noisy, value, best }, { sensitivity, scale, isEach }, alpha, random) {
  for (let round = 1, epsilon = 1 / ROWS; ; round++, epsilon *= 2) {
    if (best - value(noisy(epsilon, random, isEach)) + laplace(random, scale) < -alpha / 2) continue;
    return (round * sensitivity) / scale + (2 ** round - 1) / ROWS;
  }
}

/** What the source's theorems of utility ask for, of a single model without tests, and what follows from sharper ones. */
export const THEOREMS = {
  ridge: {
    expected: "\n 0.02 17.41\n 0.05 6.96\n 0.1 3.48",
    printed: (alpha, d) => (4 * Math.SQRT2 * (2 * Math.sqrt(d / LAMBDA) + d / LAMBDA)) / (ROWS * alpha),
    // The best model of noisy sums on a ball of half the radius; noise off the diagonal has half the scale.
    sharp(alpha, d) {
      const radius = 1 / (2 * Math.sqrt(LAMBDA));
      return (
        (2 * radius * Math.sqrt(2 * d) + radius ** 2 * Math.sqrt((d * (d + 3)) / 2)) * (2 / (ROWS * alpha))
      );
    },
    // By Markov's inequality, where only the mean is known to be proportional to 1 / ε.
    sure: FAILURE,
  },
  logistic: {
    expected: "\n 0.05 2.26\n 0.1 1.13\n 0.2 .566",
    // Losses move by no more than the coefficients do; the mean length of the noise is at most its root mean square.
    printed: (alpha, d) => (2 * Math.SQRT2 * d) / (ROWS * LAMBDA * alpha),
    sharp: (alpha, d) => (2 * Math.sqrt(d)) / (ROWS * LAMBDA) / Math.sqrt(alpha / (1 / 4 + LAMBDA * d)),
    // Here the mean is proportional to 1 / ε².
    sure: Math.sqrt(FAILURE),
  },
};

/** ε by the sharper theorem, for the mean of the excess and for all but a share FAILURE of runs. */
export function sharper({ title, dimension }, alpha) {
  const { sharp, sure } = THEOREMS[title];
  const inTheMean = sharp(alpha, dimension);
  return { inTheMean, inNineOfTen: inTheMean / sure };
}

/** As many rounds as lead to four times what a theorem of utility asks for. */
const rounds = (one, alpha) =>
  Math.ceil(Math.log2(4 * ROWS * THEOREMS[one.title].printed(alpha, one.dimension)));

/** Of tests of doubling: noise that lets no wrong model pass in all rounds, and the sharp bound of coefficients. */
const tightTests = (one, { sensitivity }, alpha) => ({
  sensitivity,
  scale: alpha / (2 * Math.log(rounds(one, alpha) / (2 * FAILURE))),
});
const printedTests = (one, alpha) => ({
  sensitivity: one.printed,
  scale: alpha / (2 * Math.log(rounds(one, alpha) / FAILURE)),
  isEach: true,
});

export const PROBLEMS = [
  {
    title: "ridge",
    name: "covariance-noise-reduction",
    dimension: 30,
    isLogistic: false,
    alphas: [0.02, 0.05, 0.1],
    trials: 15,
    doublings: 40,
    // In the order of WAYS; nothing of doubling with half the noise.
    expected: [
      ["1.736", ".706", ".363"],
      undefined,
      ["4.50", "1.70", ".878"],
      ["18.21", "7.30", "3.66"],
      ["17.42", "6.74", "3.30"],
    ],
    expectedTrials: 20,
    expectedShares: ["0.59 to 0.65", "94 to 98"],
    expectedLength: 3.9,
    problem: ridgeProblem,
    printedRadius: 1 / Math.sqrt(LAMBDA),
    printed: (1 + 1 / Math.sqrt(LAMBDA)) ** 2 / ROWS,
  },
  {
    title: "logistic",
    name: "output-noise-reduction",
    dimension: 20,
    isLogistic: true,
    alphas: [0.05, 0.1, 0.2],
    trials: 6,
    doublings: 20,
    expected: [
      [".203", ".104", ".057"],
      undefined,
      [".516", ".293", ".146"],
      ["1.10", ".564", ".283"],
      ["1.15", ".541", ".290"],
    ],
    expectedTrials: 6,
    expectedShares: ["0.59 to 0.74", "68 to 77"],
    problem: logisticProblem,
    printedRadius: Math.sqrt((2 * Math.log(2)) / LAMBDA),
    printed: (2 * Math.sqrt((2 * Math.log(2)) / LAMBDA)) / ROWS,
  },
];

export const sourceTests = ({ printed }, alpha) => (16 * Math.log((2 * LEVELS) / FAILURE) * printed) / alpha;
export const planned = (engine, one, alpha) => engine.plan(request(one, alpha, 1)).parameters;

/**
 * A mean, and how far it is from that of another program’s trials, which are draws of the same law, in standard deviations;
 * besides half a unit of the last digit. `step` is what one round more costs, where all runs may have ended in the same: their
 * spread is taken for no less than if one had ended in the next.
 */
function against(values, expected, trials, step = 0) {
  const centre = mean(values);
  const spread = Math.max(deviation(values), step / Math.sqrt(values.length));
  const error = spread / Math.sqrt(values.length);
  if (expected === undefined) return { centre, error, away: 0 };
  const off = Math.max(0, Math.abs(centre - Number(expected)) - halfUnit(expected));
  return { centre, error, expected, away: off / Math.hypot(error, spread / Math.sqrt(trials)) };
}

export async function measured(engine, one) {
  const table = sparseTable(ROWS, one.dimension, 7, one.isLogistic);
  const text = csv(table, one.isLogistic);
  const problem = one.problem(table, one.dimension);
  const random = stream(11);
  const found = [];
  for (const [i, alpha] of one.alphas.entries()) {
    const runs = [];
    for (let trial = 0; trial < one.trials; trial++) {
      const release = await engine.fit(text, request(one, alpha, trial));
      const model = Float64Array.from(release.coefficients.terms, ({ coefficient }) => coefficient);
      runs.push({ loss: release.exPost, excess: problem.value(model) - problem.best, length: norm(model) });
    }
    const doubled = (tests) => ({
      values: Array.from({ length: one.doublings }, () => doubling(problem, tests, alpha, random)),
      step: tests.sensitivity / tests.scale,
    });
    const totals = runs.map(({ loss }) => loss.epsilon);
    const tests = runs[0].loss.testing;
    const tight = tightTests(one, problem, alpha);
    const means = [
      { values: totals },
      doubled(tight),
      doubled({ ...tight, isEach: true }),
      // Of the same models, found by tests as printed.
      { values: totals.map((total) => total - tests + sourceTests(one, alpha)) },
      doubled(printedTests(one, alpha)),
    ].map(({ values, step }, j) => against(values, one.expected[j]?.[i], one.expectedTrials, step));
    found.push({
      alpha,
      means,
      tests,
      total: means[0].centre,
      doubled: means[1].centre,
      excess: runs.map(({ excess }) => excess / alpha),
      length: mean(runs.map(({ length }) => length)),
    });
  }
  return { ...one, found, length: norm(problem.least), radius: problem.radius };
}
