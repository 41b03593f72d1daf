/** Logistic regression by a Gaussian sketch and a parabola, beside objective perturbation and noisy steps. */
import { compared } from "./compared.mjs";
import {
  COLUMNS,
  HELD_OUT,
  logLoss,
  METHODS,
  made,
  ofRanges,
  RANGES,
  ROWS,
  shareRight,
  withoutPrivacy,
} from "./sketched-class-rows.mjs";
import { deviation, mean } from "./summary.mjs";

const SEEDS = 8;
const EPSILONS = [0.1, 0.3, 1, 3, 10];

const parabolas = (engine) =>
  compared({
    title: "The parabola nearest to log(1 + e⁻ˢ) for |s| ≤ Q",
    keys: ["Q"],
    columns: [
      { head: "curvature b₂", by: "engine" },
      { head: "largest error", by: "engine" },
      { head: "b₂ through Chebyshev nodes, as in the source’s reference", by: "engine" },
      { head: "1 / (4 b₂)", by: "engine" },
    ],
    lines: `
      1  .1201145 .000591390 .1212786 2.081347
      2  .1084452 .007368132 .1119267 2.305312
      4  –        –          –        –
      6  .0641480 .151548    .0707575 3.897237
      8  .0516748 .262278    .0577486 4.837947
      10 –        –          –        –`,
    ours: (range) => {
      const { curvature, error, interpolatedCurvature, factor } = engine.mechanismNumbers({
        about: "logistic-parabola",
        range,
      });
      return [curvature, error, interpolatedCurvature, factor].map(({ upper }) => upper);
    },
  });

const factor = (engine, range) => engine.mechanismNumbers({ about: "logistic-parabola", range }).factor.upper;

/** Of models that differ in Q alone: that they say the same, and that they are multiples of each other as the parabolas say. */
function claimsOfRanges(engine, found) {
  return [
    {
      says: `Models with Q = ${RANGES.slice(0, -1).join(", ")} and ${RANGES.at(-1)} give the same class to every row that is held out, at every ε and seed.`,
      holds: found.every(({ models, table }) =>
        models.every((model) => shareRight(table, model, models[0]) === 1),
      ),
    },
    {
      says: "They are multiples of one another, as 1/(4 b₂) is: the parabola b₀ − s/2 + b₂s² has its least sum at 1/(4 b₂) times the least squares for labels −1 and 1, and b₂ is nowhere else, not in the noise either.",
      holds: found.every(({ models }) =>
        models.every((model, i) =>
          model.every((one, j) => {
            const expected = (models[0][j] * factor(engine, RANGES[i])) / factor(engine, RANGES[0]);
            return Math.abs(one - expected) <= 1e-9 * Math.abs(expected);
          }),
        ),
      ),
    },
  ];
}

const percent = (values) =>
  `${(100 * mean(values)).toFixed(2)} ± ${((100 * deviation(values)) / Math.sqrt(values.length)).toFixed(2)}`;

export const study = {
  name: "sketched-classes",
  title: "Classes by a private sketch",
  slow: true,
  asked: `Lev et al. 2025, Section 5.2 and Figures 3 and 5, whose pictures are replaced by two normal classes: ${ROWS} rows in ${COLUMNS} columns, ±1.5 along a direction at random plus standard
normal numbers, clamped to [−3, 3]; ${HELD_OUT} rows held out; δ = 1e-5. The source replaces the logistic loss by a parabola that is near to it for scores of
−Q to Q, and does linear regression by a sketch on labels −1 and 1. What does Q change, and how good are such models beside objective perturbation?`,
  by: `the engine’s fits, with seeds (nothing private), ${SEEDS} of each; *rows of length 1* by a script, in the units of the source, with the engine’s γ and sizes of sketches. ± is the standard error over the noise on one table.`,
  async quick(engine) {
    const table = made(61, 400);
    const found = [{ table, models: await ofRanges(engine, table, 1, 1) }];
    return { tables: [parabolas(engine)], claims: claimsOfRanges(engine, found) };
  },
  async run(engine) {
    const table = made(51, ROWS);
    const ranges = [];
    const rows = [];
    for (const epsilon of EPSILONS) {
      const shares = METHODS.map(() => []);
      for (let seed = 1; seed <= SEEDS; seed++) {
        ranges.push({ epsilon, table, models: await ofRanges(engine, table, epsilon, seed) });
        for (const [i, method] of METHODS.entries())
          shares[i].push(shareRight(table, await method.made(engine, table, epsilon, seed)));
      }
      rows.push({ epsilon, shares });
    }
    const losses = EPSILONS.map((epsilon) => [
      epsilon,
      ...RANGES.map((_, i) =>
        mean(ranges.filter((one) => one.epsilon === epsilon).map(({ models }) => logLoss(table, models[i]))),
      ),
    ]);
    const [squares, logistic] = withoutPrivacy(table);
    const centre = (i) => rows.map(({ shares }) => mean(shares[i]));
    return {
      figures: [
        {
          label:
            "Accuracy over epsilon of six private classifiers, and the loss of a sketch’s by the parabola",
          panels: [
            {
              title: "Accuracy on held-out rows, percent",
              x: { type: "log", from: 0.08, to: 12, label: "ε" },
              y: { type: "linear", from: 84, to: 94, label: "percent" },
              curves: METHODS.map(({ name, colour, dash }, i) => ({
                name,
                colour,
                dash,
                points: rows.map(({ epsilon }, j) => [epsilon, 100 * centre(i)[j]]),
              })),
            },
            {
              title: "Mean logistic loss of the sketch’s models",
              x: { type: "log", from: 0.08, to: 12, label: "ε" },
              y: { type: "linear", from: 0.15, to: 0.45, label: "loss on held-out rows" },
              curves: [
                ...RANGES.map((range, i) => ({
                  name: `Q = ${range}`,
                  colour: ["amber", "green", "violet"][i],
                  points: losses.map((one) => [one[0], one[i + 1]]),
                })),
                {
                  name: "without privacy",
                  colour: "muted",
                  dash: "2 4",
                  points: EPSILONS.map((epsilon) => [epsilon, logLoss(table, logistic)]),
                },
              ],
            },
          ],
        },
      ],
      tables: [
        parabolas(engine),
        {
          title: `Accuracy, percent; without privacy ${(100 * shareRight(table, squares)).toFixed(2)} by least squares and ${(100 * shareRight(table, logistic)).toFixed(2)} by the logistic loss`,
          heads: ["ε", ...METHODS.map(({ name }) => name)],
          rows: rows.map(({ epsilon, shares }) => [epsilon, ...shares.map(percent)]),
        },
        {
          title: `Mean logistic loss on held-out rows of the sketch’s models; without privacy ${logLoss(table, logistic).toPrecision(3)}`,
          heads: ["ε", ...RANGES.map((range) => `Q = ${range}`)],
          rows: losses,
        },
      ],
      claims: [
        ...claimsOfRanges(engine, ranges),
        {
          says: "What Q changes is how sure a model says it is. Here Q = 10 is the best at every ε: of such classes the log odds are 2 (1 + 1.5²) = 6.5 times the least squares for labels −1 and 1, and 1/(4 b₂) is nearest to that at 10; and the noise of a sketch draws coefficients towards 0 besides, as a ridge does.",
          holds:
            losses.every(([, four, six, ten]) => ten < six && six < four) &&
            RANGES.every(
              (range) => Math.abs(factor(engine, range) - 6.5) >= Math.abs(factor(engine, 10) - 6.5),
            ),
        },
        {
          says: "Without privacy the parabola costs less than 0.1 points: least squares on labels is Fisher’s discriminant, and for normal classes of one covariance there is none better.",
          holds: Math.abs(shareRight(table, squares) - shareRight(table, logistic)) < 1e-3,
        },
        {
          says: "At ε = 0.1 every sketch is better than objective perturbation of the source, as the source finds on its pictures; from ε = 0.3 on the printed sketch is worse.",
          holds: rows.every((_, j) =>
            j === 0
              ? Math.min(centre(0)[j], centre(1)[j], centre(2)[j]) > centre(3)[j]
              : centre(0)[j] < centre(3)[j],
          ),
        },
        {
          says: "That lead is over the noise of Kifer et al. 2012 only: with the least noise that the same budget needs, objective perturbation is better than every sketch at every ε, and so are noisy Newton steps.",
          holds: rows.every((_, j) =>
            [0, 1, 2].every((i) => centre(i)[j] < Math.min(centre(4)[j], centre(5)[j])),
          ),
        },
      ],
      notes: [
        "The source’s own figures need models of pictures that are trained privately, and are not made again. Its baseline, Algorithm 6, is the objective perturbation that is here `paper` of `approximate-minima-perturbation`; the engine divides columns so that no row is longer than 1, which leaves most of these rows at a third of that, but not labels: a sketch’s noise is for both together, so that it is better where rows are nearly as long as labels (rows of length 1).",
      ],
    };
  },
};
