/** How to divide a budget between a model and what its rows are told about it. */
import { gaussianEpsilon } from "./gaussian.mjs";
import { minimum } from "./logistic.mjs";
import { kiferSigma } from "./objective.mjs";
import { agreed, realisedByCore } from "./own-losses.mjs";
import { stream } from "./random.mjs";
import {
  dependentReports,
  independentReports,
  noisySums,
  overheadShifts,
  realisedLosses,
} from "./realised.mjs";
import { median, most } from "./summary.mjs";
import { creditTable } from "./tables.mjs";
import { noiseOf } from "./worst-report.mjs";

const [ROWS, DIMENSION, DELTA, FAILURE] = [30_000, 21, 1e-6, 1e-6];
/** For the model, the noisy Hessian, the noisy gradient. */
const DIVIDED = [
  [0.2, 0.7, 0.1],
  [0.4, 0.5, 0.1],
  [0.5, 0.25, 0.25],
  [0.8, 0.1, 0.1],
];

/** The losses of all rows, by whom: each source is one more row of the table; ratios are of the first. */
const SOURCES = [["script", realisedLosses], ...realisedByCore()];

function released(table, epsilon, random) {
  const release = { sigma: kiferSigma(epsilon, DELTA, 1), lambda: 0.5 / epsilon };
  const noise = random.normals(DIMENSION).map((value) => release.sigma * value);
  const here = minimum(table, release.lambda, noise);
  const losses = SOURCES.map(([by, of]) => [by, of(table, release, here)]);
  return { release, here, losses, own: losses[0][1] };
}

const ratio = (told, own) => median(told.map((report, i) => report / own[i]));

function independent(table, random) {
  const { release, here, losses, own } = released(table, 1, random);
  const reports = independentReports(table, release, here, FAILURE);
  const printed = reports.map((report) => report.printed);
  const sharp = reports.map((report) => report.sharp);
  return { losses, printed, sharp, own, ratios: [ratio(printed, own), ratio(sharp, own)] };
}

function divided(engine, table, [first, hessian, gradient], random) {
  const { release, here, losses, own } = released(table, first, random);
  const noise = noiseOf(engine, DIMENSION, [gradient, hessian]);
  const sums = { model: here.model, noisy: noisySums(here, noise, random), noise };
  const told = dependentReports(table, release, sums, FAILURE);
  const overhead = overheadShifts(table, here, noise).map((shift) => gaussianEpsilon(shift, DELTA));
  const sharp = independentReports(table, release, here, FAILURE).map((report) => report.sharp);
  return {
    budget: [first, hessian, gradient].join(", "),
    losses,
    own,
    sharp,
    told,
    overhead,
    ratio: ratio(told, own),
  };
}

const dotsOf = (name, colour, values, own) => ({
  name,
  colour,
  // Every 60th row is enough to see where they lie.
  points: values.flatMap((value, i) => (i % 60 === 0 ? [[own[i], value]] : [])),
  radius: () => 1.8,
});

function panelOf(title, dots) {
  const axis = (label) => ({ type: "log", from: 1e-4, to: 2, label });
  const line = { name: "as much as was lost", colour: "muted", dash: "4 4" };
  const points = [
    [1e-4, 1e-4],
    [2, 2],
  ];
  return { title, x: axis("realised loss"), y: axis("reported"), dots, curves: [{ ...line, points }] };
}

const both = (values) => `${median(values).toPrecision(3)} / ${most(values).toPrecision(3)}`;

const panelsOf = (alone, all) => [
  panelOf("ε = 1 for the model", [
    dotsOf("printed report", "amber", alone.printed, alone.own),
    dotsOf("sharper report", "green", alone.sharp, alone.own),
  ]),
  panelOf("ε = 0.2, 0.7, 0.1", [
    dotsOf("sharper report", "green", all[0].sharp, all[0].own),
    dotsOf("report with noisy sums", "violet", all[0].told, all[0].own),
  ]),
];

const tablesOf = (alone, all) => [
  {
    title: "All of ε for the model: median / most",
    heads: ["by", "realised", "printed report", "sharper report", "median ratios"],
    rows: alone.losses.map(([by, own]) => [
      by,
      both(own),
      both(alone.printed),
      both(alone.sharp),
      alone.ratios.map((value) => value.toFixed(1)).join(" / "),
    ]),
  },
  {
    title: "Divided: median / most",
    heads: [
      "ε of model, Hessian, gradient",
      "by",
      "realised",
      "sharper report",
      "with noisy sums",
      "median ratio",
      "what the sums cost",
    ],
    rows: all.flatMap((one) =>
      one.losses.map(([by, own]) => [
        one.budget,
        by,
        both(own),
        both(one.sharp),
        both(one.told),
        one.ratio.toFixed(1),
        both(one.overhead),
      ]),
    ),
  },
];

function claimsOf(alone, all) {
  const covered = (told, own) => own.every((loss, i) => loss <= told[i]);
  const ratios = all.map((one) => one.ratio);
  const withSums = all.map(({ told, overhead, own }) =>
    ratio(
      told.map((report, i) => report + overhead[i]),
      own,
    ),
  );
  return [
    ...agreed([alone, ...all].map(({ losses }) => losses)),
    {
      says: "Every one of the 30 000 rows is covered by each of its reports.",
      holds:
        covered(alone.printed, alone.own) &&
        covered(alone.sharp, alone.own) &&
        all.every((one) => covered(one.told, one.own) && covered(one.sharp, one.own)),
    },
    {
      says: `Little for the model and much for the Hessian gives the closest reports: ${ratios[0].toFixed(0)} times the realised loss in the median,
  where those from the model alone say ${alone.ratios[0].toFixed(0)} (printed) and ${alone.ratios[1].toFixed(0)} times (sharper).`,
      holds: ratios[0] === Math.min(...ratios) && ratios[0] < alone.ratios[1] / 1.5,
    },
    {
      says: "At the same model, the report from noisy sums is below the one without them, in the median.",
      holds: all.every(({ told, sharp }) => median(told) < median(sharp)),
    },
    {
      says: `But the sums cost too: with what they cost the row, the report is ${withSums.map((value) => value.toFixed(0)).join(", ")} times the realised loss,
  and dividing the budget has gained nothing.`,
      holds: withSums.every((value) => value > alone.ratios[1]),
    },
  ];
}

export const study = {
  name: "credit-reports",
  title: "A budget divided between a model and its reports",
  slow: true,
  asked: `Redberg 2023, Figures 2.2, A.3 and A.4, on a made-up table like one of credits (n = 30 000, d = 21, one row in four positive, total ε = 1,
δ and failure 1e-6; the public tables of the source are not shipped here): how close are reports to what rows have really lost? Either all
of ε is for the model, or it is divided between model, noisy Hessian and noisy gradient.`,
  by: "a script, but for the noise of the sums and the quantile of the largest eigenvalue, which are the engine’s; *core*: the core’s own certified losses.",
  run(engine) {
    const table = creditTable(ROWS, DIMENSION, 8);
    const random = stream(9);
    const alone = independent(table, random);
    const all = DIVIDED.map((budget) => divided(engine, table, budget, random));
    return {
      figures: [
        {
          label: "Reported over realised losses",
          panels: panelsOf(alone, all),
        },
      ],
      tables: tablesOf(alone, all),
      claims: claimsOf(alone, all),
    };
  },
};
