/** Ridge regression by one posterior sample, tested and adapted, beside noisy sums and noisy coefficients. */
import { compared } from "./compared.mjs";
import { largestPrecision, printedPrecision, sampleDelta } from "./posterior-noise.mjs";
import { upperTail } from "./special.mjs";
import { deviation, mean } from "./summary.mjs";
import {
  byOnePoint,
  DELTA,
  DIMENSION,
  EPSILONS,
  METHODS,
  MOST_RUNS,
  measured,
  ROWS,
  RUNS,
} from "./tested-samples.mjs";

const TRIALS = 16;

/** Of as many trials as `EXPECTED_TRIALS` says for each method. */
const EXPECTED = {
  0.5: [0.0124, 0.0409, 0.055, 0.0698, 0.0313, 0.0236, 0.0376, 0.0678],
  1: [0.0106, 0.0227, 0.0443, 0.0595, 0.0245, 0.0179, 0.0187, 0.0622],
  2: [0.0101, 0.0124, 0.029, 0.047, 0.0181, 0.0142, 0.0122, 0.0453],
  4: [0.01, 0.0104, 0.016, 0.0307, 0.0159, 0.0121, 0.0104, 0.0306],
  8: [0.01, 0.0101, 0.011, 0.0166, 0.0135, 0.0116, 0.0101, 0.0158],
};
const EXPECTED_TRIALS = [8, 24, 8, 8, 8, 8, 24, 8];

function summary(values, expected, trials) {
  const centre = mean(values);
  const spread = deviation(values);
  // Both are means of draws of the same law; half a unit of the last digit besides.
  const deviations =
    Math.max(0, Math.abs(centre - expected) - 5e-5) / (spread * Math.sqrt(1 / TRIALS + 1 / trials));
  return { centre, error: spread / Math.sqrt(TRIALS), expected, deviations };
}

const cellOf = ({ centre, error: off, expected }) => `${centre.toFixed(4)} ± ${off.toFixed(4)} (${expected})`;

function claimsOf(rows, others) {
  const every = (holds) => rows.every(([, cells]) => holds(cells.map(({ centre }) => centre)));
  return [
    {
      says: "Noisy sums (AdaSSP) have the least error at every ε.",
      holds: every(([sums, ...rest]) => sums <= Math.min(...rest) + 5e-5),
    },
    {
      says: "Choosing λ inside, from the released eigenvalue (AdaOPS), is better than selecting the best of tested samples at every ε: what the thesis ranks first is last here but for Liu and Talwar’s account of it.",
      holds: every(([, inside, ours, theirs]) => inside < ours && ours < theirs),
    },
    {
      says: "Paying for the selection by profiles divides the error of Liu and Talwar’s account by more than 1.2 for ε from 1 to 4.",
      holds: rows.every(
        ([epsilon, cells]) => epsilon < 1 || epsilon > 4 || cells[3].centre > 1.2 * cells[2].centre,
      ),
    },
    {
      says: "As printed, which is not private, tested samples have more error than AdaOPS as published at every ε, on both kinds of rows, and that more than noisy sums: the order is the same, so that the published one (tested samples first) does not come of too little noise.",
      holds:
        every(([sums, , , , , , adapted, printed]) => sums < adapted && adapted < printed) &&
        others.every(([, [, adapted, printed]]) => adapted.centre < printed.centre),
    },
    {
      says: "What is left out of the noise as printed is worth less than a tenth of AdaOPS’ error from ε = 4 on.",
      holds: rows.every(([epsilon, cells]) => epsilon < 4 || cells[6].centre > 0.9 * cells[1].centre),
    },
  ];
}

/** Numbers that no draw moves: the precisions at which a table of 1000 equal rows keeps ε = 1, and says that it does. */
const precisions = (engine) =>
  compared({
    title: "Precision γ of one sample, λ = 1, no eigenvalue below l, no residual above 2",
    keys: ["ε", "l", "δ"],
    columns: [
      {
        head: "γ",
        by: "engine",
        allowed: 1 / 1002 + 2e-5,
        because: "residuals √(1 + M) as large, which smaller leverages need",
      },
      { head: "γ as printed, Theorem 3.6.1", by: "script" },
      { head: "δ of that", by: "engine" },
    ],
    lines: `
      1 1000 1e-6  13.7931 15.9124 3.90322e-6
      1 1000 1e-10 7.03093 9.88461 2.03600e-8`,
    ours: (epsilon, floor, delta) => {
      const asked = { epsilon, delta, lambda: 1, floor, size: 2 };
      const printed = printedPrecision(asked);
      return [largestPrecision(engine, asked), printed, sampleDelta(engine, asked, printed)];
    },
  });

/** Why two columns are not private: of δ = 1e-6, and of what Liu and Talwar leave to each run. */
const claimsOfPrinted = (engine) => [
  {
    says: "AdaOPS as published lets its bound of the eigenvalue fail with probability 3.9e-5, which is 39 times δ; in the printed test it fails with 3.6e-8.",
    holds:
      Math.abs(upperTail(Math.sqrt(Math.log(6 / DELTA))) - 3.9e-5) < 1e-6 &&
      Math.abs(upperTail(Math.sqrt(2 * Math.log(2 / DELTA))) - 3.6e-8) < 1e-9,
  },
  {
    says: "The smaller δ is, the more the printed precision breaks it: at what Liu and Talwar leave to each sample, and the bounds of the table above, by a factor of more than a million.",
    holds: EPSILONS.every((epsilon) => {
      const { epsilon: each, delta } = byOnePoint({ epsilon });
      const asked = { epsilon: each / 2, delta: delta / 3, lambda: 1, floor: 1000, size: 2 };
      const printed = printedPrecision(asked);
      return printed === 0 || sampleDelta(engine, asked, printed) > 1e6 * asked.delta;
    }),
  },
];

const ALL = METHODS.map((_, i) => i);
/** AdaOPS, as it is and as published, and tested samples as printed: what is told of rows around (1, …, 1) too. */
const OTHER_ROWS = [1, 6, 7];

/** By ε, the means of the methods that these numbers name. */
const summaries = (found, which) =>
  [...found].map(([epsilon, cells]) => [
    epsilon,
    cells.map((values, i) => summary(values, EXPECTED[epsilon][which[i]], EXPECTED_TRIALS[which[i]])),
  ]);

/** What is further than three standard deviations from what was expected, in words. */
function farFrom(rows, which) {
  const far = rows.flatMap(([epsilon, cells]) =>
    cells.flatMap(({ deviations }, i) =>
      deviations > 3 ? [`${METHODS[which[i]][0]} at ε = ${epsilon} (${deviations.toFixed(1)})`] : [],
    ),
  );
  return far.length === 0 ? "all" : `all but: ${far.join("; ")}`;
}

const tableOf = (title, rows, which) => ({
  title,
  heads: ["ε", ...which.map((i) => METHODS[i][0])],
  rows: rows.map(([epsilon, cells]) => [epsilon, ...cells.map(cellOf)]),
});

export const study = {
  name: "tested-ridge",
  title: "One posterior sample, tested or adapted",
  slow: true,
  asked: `Redberg 2023, Figure 3.1, on made-up rows: ${ROWS} of length 1 in ${DIMENSION} columns, labels x·θ + 0.1 N clamped to [−1, 1], |θ| = 1; 60 % to fit, 10 % public
to choose by, 30 % held out; δ = 1e-6. Mean squared error of one posterior sample behind a test of λ, the best of a geometric number (mean ${RUNS}) of runs with λ at
random among 30 from 2.5 to 2.5¹⁰; of AdaOPS, which chooses λ from what it released; of noisy sums; of two choices of λ that nobody paid for; and of AdaOPS and tested samples
as their sources print them, which is not as private as they say.`,
  by: `AdaSSP, AdaOPS and the noise of coefficients by the engine; samples are a script’s, with the engine’s exact pairs for their noise, and so is all that is as printed or published. ${TRIALS} seeded tables; ± is
the standard error. At most ${MOST_RUNS} runs of a selection are made, to save time: a little pessimistic. In brackets what was expected, of 8 tables (AdaOPS 24).`,
  quick: (engine) => ({ tables: [precisions(engine)], claims: claimsOfPrinted(engine) }),
  async run(engine) {
    const rows = summaries(await measured(engine, TRIALS), ALL);
    const methods = OTHER_ROWS.map((i) => METHODS[i]);
    const others = summaries(await measured(engine, TRIALS, { methods, around: 1 }), OTHER_ROWS);
    const panel = {
      title: "Mean squared error; as printed, not private, in the same order",
      x: { type: "log", from: 0.45, to: 9, label: "ε" },
      y: { type: "log", from: 0.008, to: 0.1, label: "error; 0.01 is the labels’ own" },
      curves: METHODS.map(([name, colour, , dash], i) => ({
        name,
        colour,
        dash,
        points: rows.map(([epsilon, cells]) => [epsilon, cells[i].centre]),
      })),
    };
    return {
      figures: [
        {
          label: "Error over epsilon of six private ridge regressions, and of two as printed",
          panels: [panel],
        },
      ],
      tables: [
        tableOf("Mean squared error", rows, ALL),
        tableOf("Mean squared error, rows around (1, …, 1)", others, OTHER_ROWS),
        precisions(engine),
      ],
      claims: [...claimsOf(rows, others), ...claimsOfPrinted(engine)],
      notes: [
        `Within three standard deviations of what was expected are ${farFrom(rows, ALL)}. All of these need the smallest eigenvalue of XᵀX, and how rows were made is known of the expected numbers by their length only. Here every direction is as likely, and that eigenvalue is about 334. A second program, which shares nothing with the engine (tests/reference/tested_ridge.py, 10 tables), finds for such rows what is found here; and for normal rows around (1, …, 1), whose smallest eigenvalue is 178, what was expected, within three standard deviations, of AdaOPS and of tested samples selected by profiles at every ε. Of six kinds of rows that were tried, these alone fit everywhere: other rows can explain the difference, and so may another public guess of the residual, which was 2 here. In the table of such rows, within three standard deviations are ${farFrom(others, OTHER_ROWS)}. What else was chosen otherwise in what was expected of the two as printed is not known.`,
        "The figure of the source does not stand: its samples’ noise is too small (a square root of 2), and its selection is charged by one point of a profile. With both put right the test and the selection cost so much of ε that adapting λ inside, or noisy sums, do better.",
      ],
    };
  },
};
