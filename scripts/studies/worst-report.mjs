/** The largest realised loss of a table, and the largest of what its rows can be told about it. */
import { allBut, beside, eachOff } from "./expected.mjs";
import { minimum } from "./logistic.mjs";
import { kiferSigma } from "./objective.mjs";
import { agreed, realisedByCore } from "./own-losses.mjs";
import { shown } from "./page.mjs";
import { stream } from "./random.mjs";
import { dependentReports, independentReports, noisySums, realisedLosses } from "./realised.mjs";
import { mean, most } from "./summary.mjs";
import { separableTable } from "./tables.mjs";

const [DELTA, FAILURE, DRAWS] = [1e-6, 1e-6, 8];
/** Logistic regression of rows no longer than 1, by the recipe of Kifer et al. at ε = 1. */
const RELEASE = { sigma: kiferSigma(1, DELTA, 1), lambda: 0.5 };
const SMOOTHNESS = 0.25;
const ROWS = [100, 300, 1000, 3000, 10000];
const DIMENSIONS = [1, 2, 5, 10, 20, 40, 60];

/** Of tables and draws of another program: realised, by the printed report, the sharper one, and that with noisy sums. */
const EXPECTED_BY_ROWS = [
  ["0.380", "0.925", "0.665", "0.524"],
  ["0.334", "0.929", "0.667", "0.539"],
  ["0.264", "0.930", "0.667", "0.593"],
  ["0.290", "0.930", "0.667", "0.653"],
  ["0.253", "0.930", "0.667", "0.666"],
];
const EXPECTED_BY_DIMENSION = [
  ["0.0001", "0.012", "0.012", "0.010"],
  ["0.054", "0.926", "0.648", "0.373"],
  ["0.106", "0.930", "0.667", "0.588"],
  ["0.156", "0.930", "0.667", "0.606"],
  ["0.246", "0.930", "0.667", "0.630"],
  ["0.266", "0.930", "0.667", "0.603"],
  ["0.258", "0.930", "0.667", "0.587"],
];
const OTHER_TABLES = 6;

/** The losses of all rows, by whom: each source is one more column. */
const BY_SCRIPT = ["realised, script", realisedLosses];
const SOURCES = [BY_SCRIPT, ...realisedByCore("realised, core")];

/** Noise on gradient and Hessian for ε = 1 each. */
export function noiseOf(engine, dimension, [gradientEpsilon, hessianEpsilon]) {
  const sigma = (epsilon) =>
    engine.calibrate({ kind: "gaussian", sigma: 1, sensitivity: 1 }, "sigma", { epsilon, delta: DELTA })
      .value;
  return {
    gradientSigma: sigma(gradientEpsilon),
    // A row moves the Hessian by β xx': by β/√2 in units of noise with variance 1 off and 2 on the diagonal.
    hessianSigma: (SMOOTHNESS / Math.SQRT2) * sigma(hessianEpsilon),
    tau: engine.goe.quantile(dimension, { upperTail: FAILURE / 2 }).upper,
  };
}

function oneDraw(table, noise, random, sources) {
  const d = table.features[0].length;
  const shift = random.normals(d).map((value) => RELEASE.sigma * value);
  const here = minimum(table, RELEASE.lambda, shift);
  const sums = { model: here.model, noisy: noisySums(here, noise, random), noise };
  const independent = independentReports(table, RELEASE, here, FAILURE);
  const own = sources.map(([, losses]) => losses(table, RELEASE, here));
  const told = dependentReports(table, RELEASE, sums, FAILURE);
  return {
    largest: [
      ...own.map(most),
      most(independent.map(({ printed }) => printed)),
      most(independent.map(({ sharp }) => sharp)),
      most(told),
    ],
    agreed: sources.length > 1 ? agreed([own.map((losses, i) => [sources[i][0], losses])]) : [],
    covered: own[0].every((loss, i) => loss <= told[i] && loss <= independent[i].sharp),
  };
}

function meansOf(engine, rows, dimension, other = 0, sources = SOURCES) {
  const table = separableTable(rows, dimension, 7 * rows + dimension + other);
  const noise = noiseOf(engine, dimension, [1, 1]);
  const random = stream(rows + dimension + other);
  const draws = Array.from({ length: DRAWS }, () => oneDraw(table, noise, random, sources));
  return {
    means: draws[0].largest.map((_, i) => mean(draws.map(({ largest }) => largest[i]))),
    agreed: draws.flatMap(({ agreed: found }) => found),
    covered: draws.every(({ covered }) => covered),
  };
}

const HEADS = [...SOURCES.map(([by]) => by), "printed report", "sharper report", "report with noisy sums"];
const COLOURS = [...SOURCES.map(() => "accent"), "amber", "green", "violet"];

/** Without what only the core says. */
const withoutCore = (means) => [means[0], ...means.slice(-3)];

/** What was expected, beside tables of other seeds. */
function comparison(engine) {
  const sizes = [
    ...ROWS.map((rows, i) => [rows, 50, EXPECTED_BY_ROWS[i]]),
    ...DIMENSIONS.map((dimension, i) => [1000, dimension, EXPECTED_BY_DIMENSION[i]]),
  ];
  const heads = withoutCore(HEADS);
  const found = sizes.flatMap(([rows, dimension, expected]) => {
    const all = Array.from({ length: OTHER_TABLES }, (_, i) =>
      withoutCore(meansOf(engine, rows, dimension, 1e6 * (i + 1), [BY_SCRIPT]).means),
    );
    const names = heads.map((head) => `${head} at n = ${rows}, d = ${dimension}`);
    return eachOff(names, all, expected);
  });
  return `In brackets what was expected, of other tables and draws. Of ${OTHER_TABLES} tables of other seeds for each size, within three standard deviations between them are ${allBut(found)}.`;
}

const panelOf = (title, label, at, all) => ({
  title,
  x: { type: "log", from: at[0] * 0.9, to: at.at(-1) * 1.1, label },
  y: { type: "linear", from: 0, to: 1, label: "largest loss" },
  curves: HEADS.map((name, i) => ({
    name,
    colour: COLOURS[i],
    points: all.map(({ means }, j) => [at[j], means[i]]),
  })),
});

const tableOf = (head, at, all, expected) => ({
  title: `Largest over the rows, mean of ${DRAWS} draws`,
  heads: [head, ...HEADS],
  rows: all.map(({ means }, j) => {
    const [own, ...reports] = expected[j];
    const texts = [own, ...SOURCES.slice(1).map(() => undefined), ...reports];
    return [at[j], ...means.map((value, i) => beside(shown(value, 4), texts[i]))];
  }),
});

function claimsOf(byRows, byDimension) {
  const wide = [...byRows, ...byDimension.slice(2)].map(({ means }) => means);
  const [printed, sharp] = [HEADS.indexOf("printed report"), HEADS.indexOf("sharper report")];
  const range = (i) => Math.max(...wide.map((m) => m[i])) / Math.min(...wide.map((m) => m[i]));
  const ratios = wide.map((means) => means[sharp] / means[printed]);
  const held = [...byRows, ...byDimension].flatMap(({ agreed: found }) => found);
  return [
    ...held.slice(0, 1).map(({ says }) => ({ says, holds: held.every(({ holds }) => holds) })),
    {
      says: "Reports that know the model alone hardly depend on the number of rows or columns (from 5 columns on within a few percent).",
      holds: range(printed) < 1.1 && range(sharp) < 1.1,
    },
    {
      says: `The sharper one, log(1 + f''‖x‖²/λ) in place of −log(1 − f''‖x‖²/λ), is about ${mean(ratios).toFixed(2)} of the printed one.`,
      holds: ratios.every((ratio) => ratio > 0.68 && ratio < 0.77),
    },
    {
      says: "The true largest loss is smaller than the sharper report by a factor of 1.5 to 8.",
      holds: wide.every((means) => means[sharp] / means[0] > 1.5 && means[sharp] / means[0] < 8),
    },
    {
      says: "Every row of every draw was covered by its reports.",
      holds: [...byRows, ...byDimension].every(({ covered }) => covered),
    },
  ];
}

export const study = {
  name: "worst-report",
  title: "What can be told about realised losses, over rows and columns",
  slow: true,
  asked: `Redberg 2023, Figures A.1 and A.2: the largest loss that a released logistic regression has caused (ε = 1 by Kifer et al.: σ = 10.96, λ = 0.5),
beside the largest report, from the model alone or with a noisy gradient and Hessian (ε = 1 each, failure 1e-6). n varies with d = 50, d with n = 1000.`,
  by: "a script, but for the noise of the sums and the quantile of the largest eigenvalue, which are the engine’s; *realised, core*: the core’s own certified losses.",
  run(engine) {
    const byRows = ROWS.map((rows) => meansOf(engine, rows, 50));
    const byDimension = DIMENSIONS.map((dimension) => meansOf(engine, 1000, dimension));
    return {
      figures: [
        {
          label: "Largest losses and reports over the number of rows and columns",
          panels: [
            panelOf("d = 50", "rows n", ROWS, byRows),
            panelOf("n = 1000", "columns d", DIMENSIONS, byDimension),
          ],
        },
      ],
      tables: [
        tableOf("n", ROWS, byRows, EXPECTED_BY_ROWS),
        tableOf("d", DIMENSIONS, byDimension, EXPECTED_BY_DIMENSION),
      ],
      claims: claimsOf(byRows, byDimension),
      notes: [comparison(engine)],
    };
  },
};
