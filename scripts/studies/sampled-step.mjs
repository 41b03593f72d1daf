/** One release of objective perturbation against one Poisson-sampled Gaussian step. */
import { compared } from "./compared.mjs";
import { described } from "./objective.mjs";
import { closedRenyi, publishedRenyi } from "./objective-renyi.mjs";
import { geometric } from "./special.mjs";

const CASES = [
  {
    sigma: 100,
    rate: 0.1,
    stepSigma: 10,
    lines: `
      2    1.005e-4 1e-4   .1134 8.89e-4
      128  7.298e-3 6.4e-3 .1164 .0758
      512  .3154    .0256  .1323 .1084
      1024 2.815    .0512  .1572 .1389
      4096 18.18    .2048  .3103 .2975`,
  },
  {
    sigma: 40,
    rate: 0.5,
    stepSigma: 20,
    lines: `
      2    6.256e-4 –      .1257 2.49e-3
      256  .0951    –      .1881 .1521
      1024 .669     –      .4260 .4068
      4096 4.427    –      1.386 1.3725`,
  },
];

const COLUMNS = [
  { head: "sampled Gaussian step", by: "engine", colour: "rose" },
  { head: "Gaussian", by: "engine", colour: "ink", dash: "6 4" },
  { head: "Theorem 4.3.2", by: "script", colour: "amber" },
  { head: "supremum", by: "engine", colour: "accent" },
];
const CLOSED = { name: "closed form (script)", colour: "green" };

const releaseOf = (sigma) => ({ sigma, lambda: 10, lipschitz: 1, smoothness: 1 });
const normal = (sigma) => ({ kind: "gaussian", sigma, sensitivity: 1 });

const divergences = (engine, { sigma, rate, stepSigma }, orders) => [
  engine.renyi({ kind: "subsampled", sampling: "poisson", rate, of: normal(stepSigma) }, orders),
  engine.renyi(normal(sigma), orders),
  orders.map((order) => publishedRenyi(order, releaseOf(sigma))),
  engine.renyi(described(releaseOf(sigma)), orders),
];

const titleOf = ({ sigma, rate, stepSigma }) => `σ = ${sigma}; step: σ = ${stepSigma}, q = ${rate}`;

function panel(engine, one) {
  const orders = geometric(2, 8192, 60).map(Math.round);
  const drawn = COLUMNS.map((column) => ({ ...column, name: column.head }));
  const closed = orders.map((order) => closedRenyi(order, releaseOf(one.sigma)));
  const values = [...divergences(engine, one, orders), closed];
  return {
    title: titleOf(one),
    x: { type: "log", from: 2, to: 8192, label: "order α" },
    y: { type: "log", from: 5e-5, to: 50, label: "divergence" },
    curves: values.map((found, i) => ({
      ...[...drawn, CLOSED][i],
      points: orders.map((order, j) => [order, found[j]]),
    })),
  };
}

export const study = {
  name: "sampled-step",
  title: "Objective perturbation beside a sampled Gaussian step",
  asked: `Redberg 2023, Figure C.3: Rényi divergences of one release (L = β = 1; the source does not give λ, here it is 10) and
of one step of noisy gradients on a sample, matched so that both start with the slope of the same Gaussian: σ of the step over q is σ of the release.`,
  by: "the engine where a column says so.",
  run(engine) {
    const tables = CASES.map((one) =>
      compared({
        title: titleOf(one),
        keys: ["α"],
        columns: COLUMNS,
        lines: one.lines,
        ours: (order) => divergences(engine, one, [order]).map(([value]) => value),
      }),
    );
    const values = tables.map(({ rows }) => rows.map(({ cells }) => cells.map(({ ours }) => ours)));
    const starts = ([[sampled, normalOne]]) => sampled / normalOne < 1.011;
    const leaves = (rows) => rows.at(-1)[0] > 15 * rows.at(-1)[1] || rows.at(-1)[0] > 3 * rows.at(-1)[3];
    const merges = (rows) => rows.at(-1)[3] / rows.at(-1)[1] < 1.5;
    const crosses = (rows) => rows[0][0] < rows[0][3] && rows.at(-1)[0] > rows.at(-1)[2];
    return {
      figures: [
        {
          label: "Rényi divergences of objective perturbation and of a sampled step",
          panels: CASES.map((one) => panel(engine, one)),
        },
      ],
      tables,
      claims: [
        {
          says: "The sampled step starts on the Gaussian line, and leaves it at large orders towards the line of the step without sampling.",
          holds: values.every(starts) && values.every(leaves),
        },
        {
          says: "Objective perturbation starts above the Gaussian line and comes to it; so the two mechanisms cross.",
          holds: values.every(merges) && values.every(crosses),
        },
      ],
    };
  },
};
