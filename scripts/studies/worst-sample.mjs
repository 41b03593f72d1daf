/** One posterior sample of a ridge regression: what it can cost in the worst table with so many rows. */
import { compared } from "./compared.mjs";
import { sampleLoss } from "./ridge.mjs";
import { evenly } from "./special.mjs";

export const [ROWS, LAMBDA, DELTA] = [1000, 1, 1e-6];
const LONGEST = 1 + Math.sqrt(ROWS / LAMBDA) / 2;
const pairLoss = (gamma, residual) => sampleLoss({ leverage: 1 / LAMBDA, residual }, gamma, DELTA);

/** With the largest leverage and residual, and what dominates every row of such leverage and residual. */
export const worstSample = (gamma) => ({
  worst: pairLoss(gamma, LONGEST),
  certified: pairLoss(gamma, LONGEST * Math.SQRT2),
});

/** The pair that the engine prices by itself; residuals count in standard deviations of a label. */
const engineWorst = (engine, gamma) =>
  engine.epsilon(
    { kind: "posterior-sampling", leverage: 1 / LAMBDA, residual: Math.sqrt(gamma) * LONGEST },
    DELTA,
  ).upper;

/** Whether no smaller leverage with that residual costs more, on a grid. */
export const isWorst = (gamma) => {
  const most = pairLoss(gamma, LONGEST);
  return evenly(0.05, 1, 20).every(
    (leverage) => sampleLoss({ leverage, residual: LONGEST }, gamma, DELTA) <= most * (1 + 1e-9),
  );
};

export const extremeTable = (engine) =>
  compared({
    title: "ε of the largest leverage with the largest residual, n = 1000",
    keys: ["γ"],
    columns: [
      { head: "ε", by: "script" },
      { head: "ε", by: "engine", allowed: 1e-4, because: "its certified interval" },
    ],
    lines: `
      0.1 42.5 42.5
      1   161  161
      10  969  969
      100 7875 7875`,
    ours: (gamma) => [pairLoss(gamma, LONGEST), engineWorst(engine, gamma)],
  });
