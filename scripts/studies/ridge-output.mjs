/** Ridge regression with noise on its coefficients: worst case, this table's worst case, and every row's own. */
import { compared } from "./compared.mjs";
import { agreed, ridgeByCore } from "./own-losses.mjs";
import { influences, largestMove, outputLoss, ridge, worstMove } from "./ridge.mjs";
import { five, mean } from "./summary.mjs";
import { linearTable } from "./tables.mjs";

const [SIGMA, LAMBDA, DELTA] = [4, 1, 1e-6];
const SIZES = [
  [50, 5],
  [200, 10],
  [1000, 10],
  [1000, 50],
];

/** Who computes the losses of all rows: each is one more row of the table, and of what is drawn only the first. */
const SOURCES = [
  [
    "script",
    (table) => influences(table, ridge(table, LAMBDA)).map(({ move }) => outputLoss(move, SIGMA, DELTA)),
  ],
  ...ridgeByCore(LAMBDA, SIGMA, DELTA),
];

const price = (move) => outputLoss(move, SIGMA, DELTA);

function measured(rows, dimension) {
  const table = linearTable(rows, dimension, 100 * rows + dimension);
  const { found, bound } = largestMove(table, ridge(table, LAMBDA));
  return {
    rows,
    dimension,
    worst: price(worstMove(rows).attained),
    added: [price(found), price(bound)],
    losses: SOURCES.map(([by, losses]) => [by, losses(table)]),
  };
}

const WORST = `
  50   2.589 1.944
  200  4.936 3.638
  1000 11.68 8.391`;

const worstTable = () =>
  compared({
    title: "ε for every table with n rows",
    keys: ["n"],
    columns: [
      { head: "certified", by: "script" },
      { head: "rows that all say the same", by: "script", allowed: 2e-4, because: "search" },
    ],
    lines: WORST,
    ours: (rows) => [price(worstMove(rows).bound), price(worstMove(rows).attained)],
  });

const figureOf = (all) => ({
  title: "ε at δ = 10⁻⁶, noise N(0, 16 I)",
  x: {
    type: "names",
    names: all.map(({ rows, dimension }) => `${rows} × ${dimension}`),
    label: "rows × columns",
  },
  y: { type: "log", from: 1e-5, to: 30, label: "ε" },
  boxes: all.map(({ losses: [[, own]] }, i) => ({
    at: i + 1,
    five: five(own),
    colour: "accent",
    name: "rows of the table",
  })),
  dots: [
    {
      name: "worst table found",
      colour: "warning",
      points: all.map(({ worst }, i) => [i + 1, worst]),
      radius: () => 4,
    },
    {
      name: "any row, this table",
      colour: "amber",
      points: all.map(({ added: [found] }, i) => [i + 1, found]),
      radius: () => 4,
    },
  ],
});

const rowsOf = ({ rows, dimension, worst, added, losses }) =>
  losses.map(([by, own]) => [`${rows}, ${dimension}`, by, worst, ...added, ...five(own)]);

function claimsOf(all) {
  const boxes = all.map(({ worst, added, losses: [[, own]] }) => [worst, added[0], five(own)]);
  const [, , thousand] = all;
  const [, moments] = thousand.losses[0];
  const squares = mean(moments.map((value) => value * value));
  return [
    ...agreed(all.map(({ losses }) => losses)),
    {
      says: "The worst table ≫ any row of this table > the worst row that is in it > the median one: the first by a factor of 10 to 1000, growing with n.",
      holds: boxes.every(([worst, any]) => worst / any > 8 && worst / any < 1500),
    },
    {
      says: "Any row at all costs 1.2 to 5 times the worst row that is there, and that 2 to 12 times the median row.",
      holds: boxes.every(
        ([, any, [, , middle, , top]]) =>
          any / top > 1.2 && any / top < 5 && top / middle > 2 && top / middle < 12,
      ),
    },
    {
      says: `With n = 1000 and d = 10 the mean loss is ${mean(moments).toPrecision(3)} and the mean square ${squares.toPrecision(3)} (expected of another seed: 0.00163 and 4.32e-6).`,
      holds: mean(moments) > 0.0008 && mean(moments) < 0.0035 && squares > 1e-6 && squares < 2e-5,
    },
  ];
}

export const study = {
  name: "ridge-output",
  title: "One price for all tables, for this table, for this row: ridge regression",
  asked: `Wang 2019, Figure 1: coefficients of a ridge regression (λ = 1) are released with noise N(0, 16 I). What does that cost at
δ = 1e-6 in every table with n rows, in this table for any row at all that is in it or might be added, and for the rows that are in it? Rows are directions
at random, labels x'θ + 0.3 N cut to [−1, 1]; seeds are ours, so that only orders of magnitude can come out as in the source.`,
  by: "a script: leverages and residuals of Wang 2019, Lemma 13, and the exact profile of a Gaussian; *core*: the same profile at how far the core says that a row moves the coefficients.",
  run() {
    const all = SIZES.map(([rows, dimension]) => measured(rows, dimension));
    return {
      figures: [{ label: "Losses of rows under DP and per-instance DP", panels: [figureOf(all)] }],
      tables: [
        worstTable(),
        {
          title: "ε",
          heads: [
            "n, d",
            "by",
            "worst table found",
            "any row, found",
            "any row, at most",
            "least",
            "quartile",
            "median",
            "quartile",
            "most",
          ],
          rows: all.flatMap(rowsOf),
        },
      ],
      claims: claimsOf(all),
    };
  },
};
