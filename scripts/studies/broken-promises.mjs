/** Formulas that were printed, and one table each that they do not protect. */
import { compared } from "./compared.mjs";
import { logSum, rootOfFalling, upperTail } from "./special.mjs";

/** How often a table at distance 0 is released from, if D + Lap(1/ε) > log(1/δ)/ε is where it is refused. */
const releasedFrom = (delta, epsilon) => 1 - Math.exp(-epsilon * (Math.log(1 / delta) / epsilon)) / 2;

/** A Gaussian test that a table without the guarantee passes where N(0, 1) exceeds a threshold, its neighbour more rarely. */
function renyiOfTest(mu, threshold, order, bad, good) {
  const t = order - 1;
  const [p, q] = [upperTail(threshold), upperTail(threshold + mu)];
  const claimed = (order * mu ** 2) / 2 + logSum(Math.log(p) + t * bad, Math.log1p(-p) + t * good) / t;
  const passed = order * Math.log(p) - t * Math.log(q) + t * bad;
  const refused = order * Math.log1p(-p) - t * Math.log1p(-q);
  return [claimed, logSum(passed, refused) / t];
}

/** One posterior sample of n rows (1, 1) at λ = 1, its precision by the printed bound, and a row (1, −1) that joins. */
function posteriorDelta(engine, rows, epsilon, delta) {
  const whole = rows + 1;
  const residual = 1 + rows / whole;
  const size = Math.log(2 / delta);
  const bound = (precision) =>
    Math.sqrt((precision * residual ** 2 * size) / whole) +
    (precision * residual ** 2) / (2 * (whole + 1)) +
    (1 + size) / (2 * whole);
  const precision = rootOfFalling((x) => epsilon - bound(x), 0, 1e9);
  const description = {
    kind: "posterior-sampling",
    leverage: 1 / whole,
    residual: Math.sqrt(precision) * residual,
  };
  return engine.delta(description, epsilon).lower;
}

/** The text's ε of Gaussian mixing without its condition on δ, and what it is. */
const mixing = (engine, size, gamma, delta) => [
  size / (2 * gamma ** 2) + Math.sqrt(2 * size * Math.log(1 / delta)) / gamma,
  engine.epsilon({ kind: "gaussian-mixing", sketchSize: size, gamma }, delta).lower,
];

export const study = {
  name: "broken-promises",
  title: "Formulas that promise too much",
  asked: `Redberg 2023 (Chapter 3 and Theorem B.2.5) and Lev et al. 2025, page 6: tables that a printed formula does not protect,
each one evaluation of a closed form.`,
  by: "the engine where a column says so.",
  run(engine) {
    const [claimed, real] = [
      { head: "as printed", by: "script" },
      { head: "really", by: "script" },
    ];
    const tables = [
      compared({
        title:
          "Rényi divergence of a test and a release behind it (Gaussian test; the guarantee is good ε = 0.1 or bad)",
        keys: ["order", "μ", "threshold", "bad ε"],
        columns: [claimed, real],
        lines: `
          10 .5 4.75 5 4.72 6.06
          2  1  3    6 1.50 3.19`,
        ours: (order, mu, threshold, bad) => renyiOfTest(mu, threshold, order, bad, 0.1),
      }),
      compared({
        title:
          "δ of one posterior sample (λ = 1, rows (1, 1), one row (1, −1) more), its precision by Theorem 3.6.1",
        keys: ["rows", "ε", "δ as printed"],
        columns: [{ head: "at least", by: "engine" }],
        lines: `
          1000 1 1e-6  3.90e-6
          1000 1 1e-10 2.04e-8`,
        ours: (rows, epsilon, delta) => [posteriorDelta(engine, rows, epsilon, delta)],
      }),
      compared({
        title: "ε of Gaussian mixing at δ = 1e-6",
        keys: ["k", "γ"],
        columns: [claimed, { head: "at least", by: "engine" }],
        lines: `
          1  3 1.81 5.24
          10 5 3.52 4.30`,
        ours: (size, gamma) => mixing(engine, size, gamma, 1e-6),
      }),
    ];
    const broken = tables.slice(0, 1).concat(tables.slice(2));
    return {
      tables,
      claims: [
        {
          says: "The test of classic propose-test-release, printed with its two answers exchanged (§3.5), releases at distance 0 with probability 0.9999995.",
          holds: Math.abs(releasedFrom(1e-6, 1) - 0.9999995) < 1e-12,
        },
        {
          says: "What is printed is less than what is true in every row.",
          holds:
            broken.every(({ rows }) => rows.every(({ cells: [one, other] }) => one.ours < other.ours)) &&
            tables[1].rows.every(({ keys, cells }) => cells[0].ours > Number(keys[2])),
        },
      ],
    };
  },
};
