/** Private models of tables: declared, read row by row, fitted by the core, priced by the engine, said in original units. */
import type { FullDoor, Output, Planned, Released } from "../../build/wasm/full.mjs";
import type {
  AlgorithmRanking,
  FitOptions,
  Odometer,
  Plan,
  Release,
  Simulation,
  Statistics,
  VisibleModel,
} from "../contract.ts";
import { type Description, GROUP, NEIGHBOURS, type Neighbours } from "../engine/catalogue.ts";
import { unwrap } from "../engine/core-answer.ts";
import { numberShape, validate } from "../engine/description.ts";
import { Refusal } from "../engine/refusal.ts";
import { choice, list, real, type Shape } from "../engine/shape.ts";
import { classModels, classNames, toLabelUnits, toTableUnits } from "../table/features.ts";
import { withDraw } from "../table/quota.ts";
import type { Source } from "../table/source.ts";
import { checkStatistics } from "../table/statistics.ts";
import { votesOf } from "../table/votes.ts";
import { checkWatching } from "../table/watching.ts";
import { withNoise } from "./applicable.ts";
import { byRequestNames, byTypedNames } from "./asked-names.ts";
import { asked, askedWithoutPrivacy, checkRequest, type FitRequest, requestToRun } from "./fit-request.ts";
import { withFoundNoise } from "./found-noise.ts";
import { intervals } from "./intervals.ts";
import { priced, promisedBy } from "./priced.ts";
import { rank } from "./rank.ts";
import { releaseIn } from "./release-in.ts";
import { simulate } from "./simulate.ts";
import { TableSession } from "./table-session.ts";
import type { Fit } from "./trial.ts";

export const isStatistics = (table: Source | Statistics): table is Statistics =>
  typeof table === "object" && table !== null && "statistics" in table;

/** A fit in the core that waits for its table. It must be ended, whatever happens. */
class FitSession extends TableSession {
  readonly #request: FitRequest;

  /** Whatever can be refused without the table is refused here, before it is touched. */
  constructor(core: FullDoor, request: FitRequest, isPrivate = true) {
    const question = isPrivate ? asked(request) : askedWithoutPrivacy(request);
    super(core, byTypedNames(() => unwrap(core.beginFit(question, isPrivate)), request).session);
    this.#request = request;
  }

  override run(seed: number | undefined, rows: number, options: FitOptions): Released {
    return byRequestNames(() => super.run(seed, rows, options), this.#request);
  }

  take({ table }: FitRequest, statistics: unknown): void {
    for (const { high, low, count } of checkStatistics(table, statistics)) {
      unwrap(this.core.addSums(this.session, high, low, count));
    }
  }
}

interface Run {
  readonly release: Release;
  readonly field: string;
  readonly description: Description;
  readonly neighbours: Neighbours;
  readonly rows: number;
  readonly spent: number | null;
}

/** What an odometer reads of a release, or of a plan. */
const RUN: Shape<Run> = {
  schema: {},
  check(field, value) {
    const release = releaseIn(value, field);
    const { private: isPrivate, description, epsilon, request, exPost } = release;
    if (isPrivate === false || request.seed !== undefined) {
      const rule = "is a demonstration: its noise can be taken off, and no number bounds what it told";
      throw new Refusal("unsupported", `${field}.private`, isPrivate, rule);
    }
    return {
      release,
      field,
      description: validate(description, `${field}.description`),
      neighbours: choice(...NEIGHBOURS).check(`${field}.epsilon.neighbours`, epsilon?.neighbours),
      rows: numberShape(GROUP).check(`${field}.request.table.unit.rows`, request.table?.unit?.rows),
      spent: exPost ? AMOUNT.check(`${field}.exPost.epsilon`, exPost.epsilon) : null,
    };
  },
};
const AMOUNT = real(0, Number.MAX_VALUE);
const RUNS = list(RUN, 1, 100_000, "releases");

const EX_POST_SOURCE = "Ligett, Neel, Roth, Waggoner and Wu 2017, Section 3";

const hasCoefficients = ({ kind }: Output) => kind === "coefficients";

/** Of a model on made-up or visible rows, of several classes one after the other for each feature; refuses what fits none. */
function coefficientsIn({ algorithm }: FitRequest, { outputs }: Released): Float64Array {
  const found = outputs.find(({ kind }) => kind === "coefficients" || kind === "class-coefficients");
  if (found) return found.values;
  throw new Refusal("unsupported", "algorithm.name", algorithm.name, "has no coefficients to predict with");
}

/** What was released, in the words of the contract. */
function told(
  { table }: FitRequest,
  { outputs, outcome, spread, exPost, neighbours }: Released,
): Omit<Release, keyof Plan> {
  const model = outputs.find(hasCoefficients);
  const ofClasses = outputs.find(({ kind }) => kind === "class-coefficients");
  const others = outputs.filter((output) => output !== model && output !== ofClasses);
  const votes = votesOf(table);
  return {
    ...(outcome && { outcome }),
    ...(model && { coefficients: toTableUnits(table, model.values) }),
    ...(ofClasses && { classes: classModels(table, ofClasses.values) }),
    ...((model || ofClasses) && { intervals: intervals(table, spread) }),
    ...(exPost && {
      exPost: {
        kind: "ex-post",
        epsilon: exPost.total,
        testing: exPost.testing,
        model: exPost.model,
        neighbours,
        source: EX_POST_SOURCE,
      },
    }),
    released: Object.fromEntries(others.map(({ name, values }) => [name, [...values]])),
    outputs: outputs.map(({ values, edges, ...type }) => ({
      ...type,
      values: [...values],
      ...(edges && { edges: toLabelUnits(table, edges) }),
      ...(type.kind === "class-coefficients" && { levels: classNames(table) }),
      ...(type.kind === "labels" && { levels: votes?.classes, questions: votes?.questions }),
    })),
  };
}

export class FitEngine {
  readonly #core: FullDoor;

  constructor(core: FullDoor) {
    this.#core = core;
  }

  plan(request: unknown): Plan {
    const checked = requestToRun(checkRequest(request));
    const { seed, table } = checked;
    const planned = () => unwrap(this.#core.plan(asked(checked), seed ?? null, table.unit.rows));
    return this.#priced(checked, byTypedNames(planned, checked));
  }

  async fitWithoutPrivacy(table: Source, request: unknown, watched?: FitOptions): Promise<VisibleModel> {
    const options = checkWatching(watched);
    const checked = withDraw(checkRequest(request));
    const session = new FitSession(this.#core, checked, false);
    try {
      await session.read(checked, table, options);
      const found = coefficientsIn(checked, session.run(0, checked.table.unit.rows, options));
      const ofClasses = classNames(checked.table).length > 0;
      return (ofClasses ? classModels : toTableUnits)(checked.table, found);
    } finally {
      session.end();
    }
  }

  async fit(table: Source | Statistics, request: unknown, watched?: FitOptions): Promise<Release> {
    const options = checkWatching(watched);
    const asked = requestToRun(checkRequest(request));
    // A database draws by itself.
    const checked = isStatistics(table) ? asked : withDraw(asked);
    const session = new FitSession(this.#core, checked);
    try {
      if (isStatistics(table)) session.take(checked, table.statistics);
      else await session.read(checked, table, options);
      const found = session.run(checked.seed, checked.table.unit.rows, options);
      return { ...told(checked, found), ...this.#priced(checked, found) };
    } finally {
      session.end();
    }
  }

  simulate(request: unknown, guesses: unknown, watched?: FitOptions): Promise<Simulation> {
    const options = checkWatching(watched);
    const planned = (asked: FitRequest) => {
      const plan = this.plan(asked);
      return withNoise(plan.request, plan);
    };
    return simulate(this.#fitting(options), planned, checkRequest(request), guesses, options);
  }

  rankAlgorithms(request: unknown, guesses: unknown, watched?: FitOptions): Promise<AlgorithmRanking> {
    const options = checkWatching(watched);
    return rank(this.#fitting(options), (asked) => this.plan(asked), checkRequest(request), guesses, options);
  }

  /** Of rows as a model sees them. */
  #fitting({ signal }: FitOptions): Fit {
    return (asked, features, labels) => {
      const session = new FitSession(this.#core, asked);
      try {
        session.add(features, labels);
        const found = session.run(asked.seed, asked.table.unit.rows, { signal });
        // What a test refuses predicts nothing.
        if (found.outcome) return new Float64Array(features.length / labels.length);
        return coefficientsIn(asked, found);
      } finally {
        session.end();
      }
    };
  }

  odometer(releases: unknown): Odometer {
    const runs = RUNS.check("releases", releases);
    for (const { release, field } of runs) withFoundNoise(this.#core, release, field);
    const [first] = runs as [Run];
    return { kind: "ex-post", ...unwrap(this.#core.odometer(runs, 1)), neighbours: first.neighbours };
  }

  #priced(request: FitRequest, planned: Planned): Plan {
    const { guarantee, parameters, result, needs, persons } = planned;
    return {
      ...byTypedNames(() => priced(this.#core, planned, promisedBy(request)), request),
      parameters,
      result,
      needs,
      request,
      persons,
      ...(guarantee === "ex-post" && { guarantee }),
    };
  }
}
