/** Which parameters of an algorithm to try, and how the one that is released is chosen: all runs are paid for. */
import { Refusal } from "../engine/refusal.ts";
import {
  type Checked,
  choice,
  fieldsOf,
  inside,
  isOptional,
  list,
  optional,
  real,
  record,
  type Shape,
  whole,
} from "../engine/shape.ts";
import {
  ALGORITHM,
  type Algorithm,
  FREE_ASKS,
  idleIn,
  type LabelUse,
  LOSSES,
  lossOf,
  rowOf,
  TUNED_ALGORITHM,
} from "./algorithms.ts";

/** Parameters of the algorithm that a candidate has otherwise than the request says. */
export type Candidate = Readonly<Record<string, number | string>>;

/** What values a parameter may have is the algorithm's matter, and checked with the whole of it. */
const CANDIDATE: Shape<Candidate> = {
  schema: { anyOf: Object.values(FREE_ASKS).map((asks) => record(asks).schema) },
  check(field, value) {
    const fields = fieldsOf(field, value, "must be an object with parameters of the algorithm");
    for (const [key, one] of Object.entries(fields)) {
      if (typeof one === "number" || typeof one === "string") continue;
      throw new Refusal("type", inside(field, key), one, "must be a number or a text");
    }
    return fields as Candidate;
  },
};

/** A model of classes is judged by how many rows it misclassifies, others by their squared errors. */
const SCORES = { misclassified: ["classes", "multiclass"], "squared-error": ["numeric", "count"] } as const;

export const TUNE = record({
  /** Of which each run draws one, all as likely. */
  candidates: list(CANDIDATE, 1, 1000, "candidates"),
  /** How many runs there are on average: three for each candidate when left out. */
  expectedRuns: optional(whole(1, 1e6), undefined),
  /** By which the best run is chosen, with noise of its own; by the label when left out. */
  score: optional(choice("misclassified", "squared-error"), undefined),
  /** The share of a run's privacy that its score has, as the square of Gaussian noise counts it. */
  scoreShare: optional(real(0.001, 0.9), 0.1),
});

export type Tune = Checked<typeof TUNE>;

const NEEDED: readonly string[] = Object.values(LOSSES).flatMap(({ needs }) => needs as readonly string[]);

/** What decides nothing, whichever candidate is run; of a candidate what decides nothing in it. */
function refuseIdle(
  algorithm: Checked<typeof TUNED_ALGORITHM>,
  candidates: readonly Candidate[],
  isPriced: boolean,
): void {
  const idleBeside = (others: object) => idleIn(algorithm.name, { ...algorithm, ...others }, isPriced);
  const runs = candidates.length > 0 ? candidates.map(idleBeside) : [idleBeside({})];
  const refuse = (field: string, asked: object, key: string, why: string) => {
    const value: unknown = Reflect.get(asked, key);
    // A guess of how many rows there are is welcome wherever it once was.
    if (value === undefined || key === "rows") return;
    const rule = `must be left out where ${why}: it decides nothing there`;
    throw new Refusal("unsupported", inside(field, key), value, rule);
  };
  for (const [key, why] of runs[0] as ReadonlyMap<string, string>)
    if (runs.every((idle) => idle.has(key))) refuse("algorithm", algorithm, key, why);
  for (const [i, candidate] of candidates.entries())
    for (const [key, why] of runs[i] as ReadonlyMap<string, string>)
      refuse(`tune.candidates.${i}`, candidate, key, why);
}

/**
 * The algorithm, with what it or its loss must be asked: where every candidate gives that, it need not be said once more, and
 * is as the first one has it. Refuses candidates that the algorithm has no place for.
 */
export function checkAlgorithm(
  algorithm: Checked<typeof TUNED_ALGORITHM>,
  candidates: readonly Candidate[],
  isPriced: boolean,
): Algorithm {
  const loss = lossOf(algorithm as Algorithm);
  const needs: readonly string[] = loss ? LOSSES[loss].needs : [];
  // What only another loss is asked does nothing.
  const refuseOthers = (field: string, asked: object) => {
    for (const [key, value] of Object.entries(asked))
      if (value !== undefined && loss && NEEDED.includes(key) && !needs.includes(key))
        throw new Refusal("unsupported", inside(field, key), value, `the ${loss} loss has none`);
  };
  refuseOthers("algorithm", algorithm);
  for (const [i, candidate] of candidates.entries()) {
    const field = `tune.candidates.${i}`;
    if ("name" in candidate)
      throw new Refusal(
        "unsupported",
        `${field}.name`,
        candidate.name,
        "must be the same for all candidates",
      );
    TUNED_ALGORITHM.check(field, { ...algorithm, ...candidate });
    // The core refuses a loss of its own.
    if (!("loss" in candidate)) refuseOthers(field, candidate);
  }
  refuseIdle(algorithm, candidates, isPriced);
  const { asks } = rowOf(algorithm.name);
  const isNeeded = (key: string) => needs.includes(key) || (asks[key] && !isOptional(asks[key]));
  const given = Object.entries(candidates[0] ?? {}).filter(
    ([key]) =>
      isNeeded(key) &&
      Reflect.get(algorithm, key) === undefined &&
      candidates.every((candidate) => key in candidate),
  );
  return ALGORITHM.check("algorithm", { ...algorithm, ...Object.fromEntries(given) });
}

/** With what was left out put in. */
export function checkTune(tune: Tune, use: LabelUse): Tune {
  const isScored = (score: keyof typeof SCORES) => (SCORES[score] as readonly LabelUse[]).includes(use);
  const score = tune.score ?? (isScored("misclassified") ? "misclassified" : "squared-error");
  if (!isScored(score)) {
    const rule = `is for labels whose use is ${SCORES[score].join(" or ")}`;
    throw new Refusal("unsupported", "tune.score", score, rule);
  }
  return { ...tune, score, expectedRuns: tune.expectedRuns ?? 3 * tune.candidates.length };
}
