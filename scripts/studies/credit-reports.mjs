/** How to divide a budget between a model and what its rows are told about it. */
import { allBut, beside, deviationsOff } from "./expected.mjs";
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
import { deviation, mean, median, most } from "./summary.mjs";
import { creditTable, normalTable } from "./tables.mjs";
import { noiseOf } from "./worst-report.mjs";

const [ROWS, DIMENSION, DELTA, FAILURE] = [30_000, 21, 1e-6, 1e-6];
/** For the model, the noisy Hessian, the noisy gradient. */
const DIVIDED = [
  [0.2, 0.7, 0.1],
  [0.4, 0.5, 0.1],
  [0.5, 0.25, 0.25],
  [0.8, 0.1, 0.1],
];

/**
 * Medians and mosts of one table of another program, of all that it told: where all is for the model, and for each of DIVIDED. Its
 * second ε is that of the gradient and the third that of the Hessian, as what its sums cost shows.
 */
const EXPECTED = [
  {
    realised: ["0.0242", "0.261"],
    printed: ["0.818", "0.930"],
    sharper: ["0.580", "0.667"],
    ratios: ["30", "21"],
  },
  {
    realised: ["0.0052", "0.0536"],
    sharper: ["0.126", "0.146"],
    told: ["0.0459", "0.0878"],
    ratios: ["7.7"],
    overhead: ["0.281", "0.676"],
  },
  { ratios: ["13.7"] },
  { ratios: ["9.1"] },
  { told: ["0.313", "0.481"], ratios: ["13.0"], overhead: ["0.105", "0.114"] },
];
const WHAT = {
  realised: "realised",
  printed: "printed report",
  sharper: "sharper report",
  told: "with noisy sums",
  ratios: "median ratio",
  overhead: "what the sums cost",
};
/** With so much chance in their labels, reports on rows of normal numbers are as large as expected. */
const [OTHER_TABLES, CHANCE] = [8, 1.25];

/** The losses of all rows, by whom: each source is one more row of the table; ratios are of the first. */
const BY_SCRIPT = ["script", realisedLosses];
const SOURCES = [BY_SCRIPT, ...realisedByCore()];

function released(table, epsilon, random, sources) {
  const release = { sigma: kiferSigma(epsilon, DELTA, 1), lambda: 0.5 / epsilon };
  const noise = random.normals(DIMENSION).map((value) => release.sigma * value);
  const here = minimum(table, release.lambda, noise);
  const losses = sources.map(([by, of]) => [by, of(table, release, here)]);
  return { release, here, losses, own: losses[0][1] };
}

const ratio = (told, own) => median(told.map((report, i) => report / own[i]));

function independent(table, random, sources = SOURCES) {
  const { release, here, losses, own } = released(table, 1, random, sources);
  const reports = independentReports(table, release, here, FAILURE);
  const printed = reports.map((report) => report.printed);
  const sharp = reports.map((report) => report.sharp);
  return { losses, printed, sharp, own, ratios: [ratio(printed, own), ratio(sharp, own)] };
}

function divided(engine, table, [first, hessian, gradient], random, sources = SOURCES) {
  const { release, here, losses, own } = released(table, first, random, sources);
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
      beside(both(own), expectedPair(by, 0, "realised")),
      beside(both(alone.printed), expectedPair(by, 0, "printed")),
      beside(both(alone.sharp), expectedPair(by, 0, "sharper")),
      beside(alone.ratios.map((value) => value.toFixed(1)).join(" / "), expectedPair(by, 0, "ratios")),
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
    rows: all.flatMap((one, i) =>
      one.losses.map(([by, own]) => [
        one.budget,
        by,
        beside(both(own), expectedPair(by, i + 1, "realised")),
        beside(both(one.sharp), expectedPair(by, i + 1, "sharper")),
        beside(both(one.told), expectedPair(by, i + 1, "told")),
        beside(one.ratio.toFixed(1), expectedPair(by, i + 1, "ratios")),
        beside(both(one.overhead), expectedPair(by, i + 1, "overhead")),
      ]),
    ),
  },
];

const pair = (values) => [median(values), most(values)];

/** All that is told of one table with the second ε for the gradient, in the order and by the names of EXPECTED. */
function toldOf(engine, seed) {
  const table = normalTable(ROWS, DIMENSION, CHANCE, seed);
  const random = stream(seed + 1);
  const alone = independent(table, random, [BY_SCRIPT]);
  const all = DIVIDED.map(([model, gradient, hessian]) =>
    divided(engine, table, [model, hessian, gradient], random, [BY_SCRIPT]),
  );
  return [{ ...alone, ratios: alone.ratios }, ...all.map((one) => ({ ...one, ratios: [one.ratio] }))].map(
    ({ own, printed, sharp, told, overhead, ratios }) => ({
      realised: pair(own),
      ...(printed && { printed: pair(printed) }),
      sharper: pair(sharp),
      ...(told && { told: pair(told) }),
      ratios,
      ...(overhead && { overhead: pair(overhead) }),
    }),
  );
}

/** What was expected, beside tables of rows as it seems to have had. */
function others(engine) {
  const tables = Array.from({ length: OTHER_TABLES }, (_, i) => toldOf(engine, 100 + 10 * i));
  const budgets = ["1", ...DIVIDED.map((budget) => budget.join(", "))];
  const valuesOf = (i, key, j) => tables.map((table) => table[i][key][j]);
  const cell = (i, key) =>
    (tables[0][i][key] ?? [])
      .map((_, j) => {
        const values = valuesOf(i, key, j);
        const [centre, spread] = [mean(values), deviation(values)];
        const isSame = spread < 1e-4 * centre;
        const ours = `${centre.toPrecision(3)}${isSame ? "" : ` ± ${spread.toPrecision(1)}`}`;
        return beside(ours, EXPECTED[i][key]?.[j]);
      })
      .join(" / ");
  const found = EXPECTED.flatMap((expected, i) =>
    Object.entries(expected).flatMap(([key, texts]) =>
      texts.map((text, j) => ({
        name: `${WHAT[key]}${texts.length > 1 ? `, ${key === "ratios" ? ["printed", "sharper"][j] : ["median", "most"][j]}` : ""}, at ${budgets[i]}`,
        off: deviationsOff(valuesOf(i, key, j), text),
      })),
    ),
  );
  return {
    table: {
      title: "Rows of normal numbers without a constant, the second ε for the gradient: median / most",
      heads: ["ε of model, gradient, Hessian", ...Object.values(WHAT)],
      rows: budgets.map((budget, i) => [budget, ...Object.keys(WHAT).map((key) => cell(i, key))]),
    },
    allBut: allBut(found),
  };
}

/** Said once, beside the script's numbers. */
const expectedPair = (by, i, key) => (by === BY_SCRIPT[0] ? EXPECTED[i][key]?.join(" / ") : undefined);

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
    const other = others(engine);
    return {
      figures: [
        {
          label: "Reported over realised losses",
          panels: panelsOf(alone, all),
        },
      ],
      tables: [...tablesOf(alone, all), other.table],
      claims: claimsOf(alone, all),
      notes: [
        `In brackets what was expected, of one other table and draw. How its rows and labels were made is not known beyond size and share of positive ones, and reports follow from how sure the model is of each row: on our rows it is surer, so that half of the sharper reports are below ${median(alone.sharp).toPrecision(3)} where 0.580 was expected. And its second ε is for the gradient: a noisy gradient for 0.7 and a noisy Hessian for 0.1 cost 0.281 in the median there, where the other way round is 0.327 here. The last table has both otherwise: mean ± standard deviation of ${OTHER_TABLES} tables of normal numbers, brought to length 1, whose labels are ${CHANCE} times as much chance as a plane, by which reports are as large as expected. Within three standard deviations of it are ${other.allBut}; why these are not is not known.`,
      ],
    };
  },
};
