/**
 * Which algorithm errs least, before there is a table: all of them are fitted to the same made-up tables, of two sorts, as
 * guessed and badly scaled, and held against fresh rows. The same tables for all, so that what one is better by is known
 * better than how good it is. A simulation, as right as its guesses; no table is touched, so it costs no privacy.
 */
import type { AlgorithmRanking, FitOptions, Plan, RankedAlgorithm } from "../contract.ts";
import { Refusal } from "../engine/refusal.ts";
import { applicable, withNoise } from "./applicable.ts";
import type { FitRequest } from "./fit-request.ts";
import { BADLY_SCALED, RANKING_GUESSES, type RankingGuesses } from "./guesses.ts";
import { mean } from "./synthetic-tables.ts";
import { checkTrial, type Fit, measureOf, summary, Trial, turn } from "./trial.ts";

/** On the first tables everything that must be tried is; the best of it goes on. */
const HEAT = 3;

/** Of a difference: within so many standard errors of 0 two algorithms are tied. */
const TIED = 2;

interface Candidate {
  readonly request: FitRequest;
  /** With its noise, found once. */
  readonly planned: FitRequest;
  /** For each sort of tables, of each table. */
  readonly errors: readonly [number[], number[]];
}

type Planned = (request: FitRequest) => Plan;

/** As guessed, and as badly scaled as it may be. */
const corners = (guesses: RankingGuesses): readonly [RankingGuesses, RankingGuesses] => [
  guesses,
  {
    ...guesses,
    offCentre: Math.max(guesses.offCentre, BADLY_SCALED.offCentre),
    conditioning: Math.max(guesses.conditioning, BADLY_SCALED.conditioning),
  },
];

function checked(request: FitRequest, value: unknown): RankingGuesses {
  const guesses = RANKING_GUESSES.check("guesses", value);
  checkTrial(request, guesses);
  if (request.budget.epsilon === undefined)
    throw new Refusal(
      "missing",
      "budget.epsilon",
      undefined,
      "must be given: algorithms keep the same budget",
    );
  if (request.tune)
    throw new Refusal("unsupported", "tune", "given", "must be left out where algorithms are compared", {
      shown: true,
    });
  return guesses;
}

/** Those that keep the same promise, and why the others are left out. `waited` before each is looked at. */
async function candidates(plan: Planned, request: FitRequest, rows: number, waited: () => Promise<void>) {
  const { neighbours } = plan(request).epsilon;
  const kept: Candidate[] = [];
  const leftOut: { name: string; why: string }[] = [];
  for (const [name, algorithms] of applicable(request, rows)) {
    for (const algorithm of algorithms) {
      const asked = { ...request, algorithm };
      await waited();
      try {
        const found = plan(asked);
        if (found.epsilon.neighbours !== neighbours)
          throw new Error(`it is for neighbours by ${found.epsilon.neighbours}, not by ${neighbours}`);
        kept.push({ request: asked, planned: withNoise(asked, found), errors: [[], []] });
      } catch (error) {
        const why = (error as Error).message;
        if (leftOut.at(-1)?.name !== name) leftOut.push({ name, why });
      }
    }
  }
  return { kept, leftOut: leftOut.filter(({ name }) => !kept.some((one) => nameOf(one) === name)) };
}

const nameOf = ({ request }: Candidate) => request.algorithm.name;

interface Levels {
  /** What could be gained by any model over the same answer for all, at most. */
  readonly gain: number;
  readonly least: number;
}

/** How much of that is lost beside the least wrong one, at the worse corner. */
const lost = ({ errors }: Pick<Candidate, "errors">, levels: readonly Levels[]) =>
  Math.max(...errors.map((of, i) => (mean(of) - (levels[i] as Levels).least) / (levels[i] as Levels).gain));

function levelsOf(all: readonly Candidate[], edges: readonly { constant: number[]; best: number[] }[]) {
  return edges.map(({ constant, best }, i): Levels => {
    const gain = mean(constant) - mean(best);
    const least = Math.min(...all.map(({ errors }) => mean(errors[i] as number[])));
    return { gain: gain > 0 ? gain : 1, least };
  });
}

/** Of several ways in which one algorithm is asked, the one that loses least so far. */
function bestWays(all: readonly Candidate[], levels: readonly Levels[]): readonly Candidate[] {
  const sorted = [...all].sort((a, b) => lost(a, levels) - lost(b, levels));
  return all.filter((one) => sorted.find((other) => nameOf(other) === nameOf(one)) === one);
}

/** What one errs more than the least wrong one, on the same tables. */
export function behind(errors: readonly number[], least: readonly number[]) {
  const { error, standardError } = summary(errors.map((one, i) => one - (least[i] as number)));
  return { error, standardError, isTied: error <= TIED * standardError || error === 0 };
}

function ranked(all: readonly Candidate[], levels: readonly Levels[]): readonly RankedAlgorithm[] {
  const sorted = [...all].sort((a, b) => lost(a, levels) - lost(b, levels));
  const least = levels.map((_, i) =>
    all.reduce((a, b) => (mean(b.errors[i] as number[]) < mean(a.errors[i] as number[]) ? b : a)),
  );
  return sorted.map((one) => ({
    algorithm: one.request.algorithm,
    lost: lost(one, levels),
    corners: levels.map((_, i) => ({
      ...summary(one.errors[i] as number[]),
      behind: behind(one.errors[i] as number[], least[i]?.errors[i] as number[]),
    })),
  }));
}

export async function rank(
  fit: Fit,
  plan: Planned,
  request: FitRequest,
  value: unknown,
  { signal, onProgress }: FitOptions,
): Promise<AlgorithmRanking> {
  const guesses = checked(request, value);
  const { kept, leftOut } = await candidates(plan, request, guesses.rows, () => {
    onProgress?.({ phase: "fitting", share: undefined });
    return turn(signal);
  });
  const sorts = corners(guesses);
  const edges = sorts.map(() => ({ constant: [] as number[], best: [] as number[] }));
  let running: readonly Candidate[] = kept;
  for (let table = 0; table < guesses.tables; table++) {
    for (const [i, sort] of sorts.entries()) {
      const trial = new Trial(request, sort, table);
      edges[i]?.best.push(trial.best);
      edges[i]?.constant.push(trial.constant);
      for (const [k, candidate] of running.entries()) {
        const part = (i + k / running.length) / sorts.length;
        onProgress?.({ phase: "fitting", share: (table + part) / guesses.tables });
        await turn(signal);
        const seed = guesses.seed + table;
        candidate.errors[i]?.push(trial.error(fit, { ...candidate.planned, seed }));
      }
    }
    if (table + 1 === HEAT) running = bestWays(running, levelsOf(running, edges));
  }
  return {
    kind: "simulation",
    measure: measureOf(request),
    budget: request.budget as AlgorithmRanking["budget"],
    algorithms: ranked(running, levelsOf(running, edges)),
    corners: sorts.map(({ offCentre, conditioning }, i) => ({
      offCentre,
      conditioning,
      constant: summary(edges[i]?.constant as number[]),
      best: summary(edges[i]?.best as number[]),
    })),
    leftOut,
    guesses,
  };
}
