/** A small request for every algorithm there is, and rows that it is about. */
import {
  ALGORITHMS,
  type AlgorithmName,
  labelsOf,
  rowOf,
  withoutIdle,
} from "../../wasm/release/algorithms.ts";
import { numeric } from "./table/support.ts";

export const NAMES = Object.keys(ALGORITHMS) as AlgorithmName[];

const LABELS = {
  numeric: { name: "y", use: "numeric", range: [-1, 1], missing: "drop" },
  classes: { name: "class", use: "classes", levels: ["no", "yes"], missing: "drop" },
  choice: { name: "class", use: "choice", levels: ["no", "yes"], missing: "drop" },
} as const;

export const csv = `x,y,class\n${Array.from({ length: 400 }, (_, i) => {
  const x = Math.sin(i * 12.9898);
  return `${x},${x / 2},${x > 0 ? "yes" : "no"}`;
}).join("\n")}\n`;

/** What must be given, where the table of algorithms asks for it. */
const NEEDED = { loss: "logistic", lambda: 300, rows: 400, excessRisk: 0.2, components: 1 };
/** Noise is typed where looking for it takes seconds. */
const SKETCH = { sigma: 20, sketchSize: 50 };
const SAMPLE = { sigma: 20, sampleEpsilon: 1, sampleDelta: 1e-6, failure: 1e-6 };
const GIVEN: Partial<Record<AlgorithmName, object>> = {
  "dp-sgd": { steps: 3 },
  "linear-mixing": SKETCH,
  "gaussian-mixing": SKETCH,
  "logistic-mixing": SKETCH,
  "johnson-lindenstrauss": { ...SKETCH, failure: 1e-6, eigenvalueNoise: 20 },
  "output-perturbation-ridge": { sigma: 1 },
  "posterior-sampling": { sigma: 20 },
  "ops-ptr": SAMPLE,
  "adaptive-posterior-sampling": SAMPLE,
};

export function request(name: AlgorithmName, more: object = {}, rows = 1) {
  const { asks } = ALGORITHMS[name];
  const { accuracyFirst, unlabelled } = rowOf(name);
  const given = Object.entries(NEEDED).filter(([key]) => key in asks);
  const typed: object = { name, ...Object.fromEntries(given), ...GIVEN[name] };
  const algorithm = withoutIdle(typed as { name: AlgorithmName }, "sigma" in typed);
  const use = unlabelled ? undefined : labelsOf(algorithm as Parameters<typeof labelsOf>[0]).uses[0];
  const isVote = use === "choice";
  return {
    table: {
      unit: { protects: "row", rows },
      columns: isVote ? [] : [numeric("x", [-1, 1]), numeric("y", [-1, 1])].slice(0, unlabelled ? 2 : 1),
      label: use && LABELS[use as keyof typeof LABELS],
      rowNorm: 1,
    },
    algorithm,
    budget: accuracyFirst
      ? { delta: 0 }
      : "sigma" in algorithm
        ? { delta: 1e-5 }
        : { epsilon: 2, delta: 1e-5 },
    seed: 3,
    ...more,
  };
}
