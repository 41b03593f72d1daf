/** Accuracy first: what it costs to reach a stated excess risk by noise that is taken back, and by doubling ε. */
import { measured, PROBLEMS, planned, sharper, sourceTests, THEOREMS } from "./accuracy-first-runs.mjs";
import { compared } from "./compared.mjs";
import { stream } from "./random.mjs";
import { deviation, most, quantile } from "./summary.mjs";

/** ε of all tests, as printed and tight, by another program. */
const TESTS = {
  ridge: "\n 0.02 18.17 1.699\n 0.05 7.27 .680\n 0.1 3.63 .340",
  logistic: "\n 0.05 1.055 .156\n 0.1 .528 .078\n 0.2 .264 .039",
};

const testsTable = (engine) =>
  PROBLEMS.map((one) =>
    compared({
      title: `What all tests cost, ${one.title}`,
      keys: ["excess risk"],
      columns: [
        { head: "as printed", by: "script" },
        { head: "tight", by: "engine" },
      ],
      lines: TESTS[one.title],
      ours: (alpha) => [sourceTests(one, alpha), planned(engine, one, alpha).testingEpsilon],
    }),
  );

const theoremsTable = (engine) =>
  PROBLEMS.map((one) => {
    const { expected, printed } = THEOREMS[one.title];
    return compared({
      title: `What a theorem of utility asks for without tests, ${one.title}`,
      keys: ["excess risk"],
      columns: [
        { head: "mean, as printed", by: "script" },
        { head: "mean, sharper", by: "script" },
        { head: "mean, sharper", by: "engine" },
        { head: "in nine of ten runs", by: "script" },
      ],
      lines: expected,
      ours(alpha) {
        const { inTheMean, inNineOfTen } = sharper(one, alpha);
        return [
          printed(alpha, one.dimension),
          inTheMean,
          planned(engine, one, alpha).theoremEpsilon,
          inNineOfTen,
        ];
      },
    });
  });

/** As printed, noise reduction is no better: both pay for their tests alone. */
const bars = ({ title, found }) => ({
  title: `${title}; as printed, both cost alike: their tests`,
  x: { type: "names", names: found.map(({ alpha }) => `α = ${alpha}`) },
  y: { type: "log", from: 0.01, to: 30, label: "ε, ex post" },
  dots: [
    ["doubling, as printed", "muted", ({ means }) => means[4].centre],
    ["noise reduction, tests as printed", "amber", ({ means }) => means[3].centre],
    ["doubling", "warning", ({ doubled }) => doubled],
    ["noise reduction", "accent", ({ total }) => total],
    ["of which tests", "violet", ({ tests }) => tests],
  ].map(([name, colour, height]) => ({
    name,
    colour,
    points: found.map((one, i) => [i + 1, height(one)]),
    radius: () => 4,
  })),
});

/** Figure 2: what models err by, against what was asked for. */
const accuracies = ({ title, found }) => {
  const most = 1.1 * found.at(-1).alpha;
  const along = (height) => found.map(({ alpha, excess }) => [alpha, alpha * height(excess)]);
  return {
    title: `${title}, excess risk of released models`,
    x: { type: "linear", from: 0, to: most, label: "excess risk asked for" },
    y: { type: "linear", from: 0, to: most, label: "excess risk" },
    curves: [
      {
        name: "as asked for",
        colour: "muted",
        dash: "4 4",
        points: [
          [0, 0],
          [most, most],
        ],
      },
      { name: "nine of ten are below", colour: "amber", points: along((excess) => quantile(excess, 0.9)) },
      { name: "median", colour: "green", points: along((excess) => quantile(excess, 0.5)) },
    ],
  };
};

const WAYS = [
  "noise reduction",
  "doubling",
  "doubling, noise of the source",
  "noise reduction, tests as printed",
  "doubling, as printed",
];
const digits = (value) => Number(value.toPrecision(4));
const cellOf = ({ centre, error, expected }) =>
  `${digits(centre)} ± ${Number(error.toPrecision(1))}${expected === undefined ? "" : ` (${expected.replace(/^\./, "0.")})`}`;

const totals = (all) => ({
  title: "Ex-post losses",
  heads: ["model", "excess risk", ...WAYS, "doubling / noise reduction"],
  rows: all.flatMap(({ title, found }) =>
    found.map(({ alpha, means, total, doubled }) => [title, alpha, ...means.map(cellOf), doubled / total]),
  ),
});

/** Figures 2 and 3: what models err by, as a share of what was asked for, and what their tests are of the loss. */
const shares = (all) => ({
  title:
    "Excess risk of released models, as a share of what was asked for; and the share of tests in the loss",
  heads: ["model", "excess risk", "median", "nine of ten are below", "largest", "tests"],
  rows: all.flatMap(({ title, found, expectedShares: [excess, tested] }) =>
    found.map(({ alpha, excess: values, tests, total }) => [
      title,
      alpha,
      quantile(values, 0.5),
      `${quantile(values, 0.9).toPrecision(2)} (${excess})`,
      most(values),
      `${((100 * tests) / total).toFixed(0)} % (${tested})`,
    ]),
  ),
});

/** The standard deviation that nine of ten of so few runs have of their own, by drawing runs again. */
function deviationOfNineOfTen(values) {
  const random = stream(5);
  const again = () => values.map(() => values[Math.floor(random.uniform() * values.length)]);
  return deviation(Array.from({ length: 1000 }, () => quantile(again(), 0.9)));
}

/** Which shares are not as expected, and how well so few runs tell them. */
function beyondShares(all) {
  const isIn = (text, value) => {
    const [low, high] = text.split(" to ").map(Number);
    return value >= low && value <= high;
  };
  const found = all.flatMap(({ title, found: list, expectedShares: [excess, tested] }) =>
    list.flatMap(({ alpha, excess: values, tests, total, means }) => {
      const nine = Number(quantile(values, 0.9).toPrecision(2));
      const share = Math.round((100 * tests) / total);
      const [low, high] = [1, -1].map((sign) => Math.round((100 * tests) / (total + sign * means[0].error)));
      return [
        ...(isIn(excess, nine)
          ? []
          : [`${title} at ${alpha}, nine of ten: ${nine} ± ${deviationOfNineOfTen(values).toPrecision(1)}`]),
        ...(isIn(tested, share) ? [] : [`${title} at ${alpha}, tests: ${share} % (${low} to ${high})`]),
      ];
    }),
  );
  return `Shares outside of what was expected: ${found.join("; ")}. ± is what nine of ten of so few runs have of their own, by drawing runs again; in brackets is the share if the mean loss, which is as expected within three standard deviations, is one standard error larger or smaller. What was expected is a range over all three excess risks, of ${PROBLEMS.map(({ expectedTrials }) => expectedTrials).join(" and ")} runs.`;
}

/** Figure 4: what tests count with, and what coefficients there are. */
const radii = (engine) =>
  compared({
    title: "Bounds of the length of coefficients, ridge regression of 30 columns and logistic of 20",
    keys: ["columns"],
    columns: [
      { head: "sharp", by: "engine" },
      { head: "as printed", by: "script" },
    ],
    lines: `
      30 7.07107 14.1421
      20 7.46277 16.6511`,
    ours: (dimension) => {
      const one = PROBLEMS.find((problem) => problem.dimension === dimension);
      // In the engine's units columns are divided, and so coefficients multiplied, by √d.
      const { radius } = planned(engine, one, one.alphas[0]);
      return [radius / Math.sqrt(dimension), one.printedRadius];
    },
  });

const lengths = (all) => ({
  title: "Lengths of coefficients",
  heads: ["model", "with the least loss", "released, mean at each excess risk"],
  rows: all.map(({ title, length, found, expectedLength }) => [
    title,
    `${length.toPrecision(3)}${expectedLength === undefined ? "" : ` (${expectedLength})`}`,
    found.map((one) => one.length.toPrecision(3)).join(", "),
  ]),
});

/** Which means are those of the other program, within three standard deviations. */
function comparison(all) {
  const far = all.flatMap(({ title, found }) =>
    found.flatMap(({ alpha, means }) =>
      means.flatMap(({ away }, i) =>
        away > 3 ? [`${WAYS[i]}, ${title} at ${alpha} (${away.toFixed(1)})`] : [],
      ),
    ),
  );
  return far.length === 0
    ? "All means are within three standard deviations of those of the other program."
    : `Within three standard deviations of the other program’s means are all but: ${far.join("; ")}.`;
}

function claimsOf(all) {
  const every = all.flatMap(({ found }) => found);
  const [inTheMean, inNineOfTen] = ["inTheMean", "inNineOfTen"].map((promise) =>
    all.map((one) => one.found.map(({ alpha, total }) => sharper(one, alpha)[promise] / total)),
  );
  const [ridge, logistic] = all.map(({ found }) => found.map(({ tests, total }) => tests / total));
  return [
    {
      says: "With tight constants on both sides, noise reduction reaches every excess risk here for less than half of what doubling costs.",
      holds: every.every(({ doubled, total }) => doubled > 2 * total),
    },
    {
      says: "Tests are 94 to 98 % of the price of ridge regression, and 61 to 76 % of that of logistic regression: the source’s Figure 3.",
      holds:
        ridge.every((share) => share > 0.935 && share < 0.985) &&
        logistic.every((share) => share > 0.605 && share < 0.765),
    },
    {
      says: "Nine of ten released models have less than 0.8 of the excess risk that was asked for, as in the source’s Figure 2.",
      holds: every.every(({ excess }) => quantile(excess, 0.9) < 0.8),
    },
    {
      says: "Tests count with longer coefficients than there are, as in the source’s Figure 4: those with the least loss are 0.5 and 0.7 of the sharp bound, and 0.26 and 0.32 of the printed one; noise makes released ones longer, but none is near to the sharp bound in the mean.",
      holds: all.every(({ length, found, printedRadius, radius }, i) => {
        return (
          Math.abs(length / radius - [0.51, 0.71][i]) < 0.01 &&
          Math.abs(length / printedRadius - [0.26, 0.32][i]) < 0.01 &&
          found.every((one) => one.length > length && one.length < 0.95 * radius)
        );
      }),
    },
    {
      says: "Utility theorems as printed ask for 7 to 15 times what noise reduction costs, although they promise the mean of the excess alone.",
      holds: all.every((one) =>
        one.found.every(({ alpha, total }) => {
          const times = THEOREMS[one.title].printed(alpha, one.dimension) / total;
          return times > 7 && times < 15;
        }),
      ),
    },
    {
      says: "Sharper ones ask for less than noise reduction. By Markov’s inequality nine of ten runs take ten times that ε for ridge regression, where noise reduction is far cheaper, and √10 times for logistic regression, where a single model costs about as much, less for the smallest excess risk; and its guarantee is an ordinary one.",
      holds:
        inTheMean.flat().every((times) => times < 1) &&
        inNineOfTen[0].every((times) => times > 5) &&
        inNineOfTen[1].every((times) => times < 1.5) &&
        inNineOfTen[1][0] < 1,
    },
    {
      says: "No released model had a larger excess risk than was asked for.",
      holds: every.every(({ excess }) => most(excess) <= 1),
    },
    {
      says: "Tests as printed cost six to eleven times as much: by a union bound, and by bounds of the coefficients that are twice the sharp ones.",
      holds: all.every((one) =>
        one.found.every(
          ({ alpha, tests }) => sourceTests(one, alpha) / tests > 6 && sourceTests(one, alpha) / tests < 11,
        ),
      ),
    },
  ];
}

export const study = {
  name: "accuracy-first",
  title: "Accuracy first: noise reduction beside doubling",
  asked: `Ligett, Neel, Roth, Waggoner and Wu 2017, Figures 1 to 4 (n = 100 000, λ = 0.005, γ = 0.1, 1000 models; rows of l₁ norm 1; ridge regression of 30
columns, logistic of 20; neighbours replace a row): what does it cost, ex post, to reach an excess risk α?`,
  by: `noise reduction by the engine; doubling and what is printed by a script. Tables are made up anew; noise reduction ${PROBLEMS.map(({ trials }) => trials).join(" and ")} runs for each excess risk,
doubling ${PROBLEMS.map(({ doublings }) => doublings).join(" and ")}, ridge and logistic; ± is the standard error. In brackets what another program found on tables of the same kind, over ${PROBLEMS.map(({ expectedTrials }) => expectedTrials).join(" and ")} runs.`,
  quick: (engine) => ({ tables: [...testsTable(engine), ...theoremsTable(engine), radii(engine)] }),
  async run(engine) {
    const all = [];
    for (const one of PROBLEMS) all.push(await measured(engine, one));
    return {
      figures: [
        {
          label: "Ex-post losses at three excess risks, and what models err by",
          panels: [...all.map(bars), ...all.map(accuracies)],
        },
      ],
      tables: [
        ...testsTable(engine),
        ...theoremsTable(engine),
        totals(all),
        shares(all),
        radii(engine),
        lengths(all),
      ],
      claims: claimsOf(all),
      notes: [
        beyondShares(all),
        "With the printed constants noise reduction does not beat doubling: both then pay for their tests alone. These losses are ex post, and are no ε of differential privacy.",
        `${comparison(all)} Tests as printed are of the models that tight tests let pass, which stop a little sooner. What was expected of doubling is with noise in each of the d² entries of XᵀX, as the source has it, and of noise reduction with half of it. Labels are cut to [−1, 1], and θ is normal with variance 1: coefficients are then about as long as in what was expected.`,
      ],
    };
  },
};
