/** Everyday numbers of a table under one budget: asked of the core, priced, told in the units of the table. */
import type { Planned as CorePlan, FullDoor, Released } from "../../build/wasm/full.mjs";
import type { EverydayPlan, EverydayRelease, FitOptions, Statistics } from "../contract.ts";
import { unwrap } from "../engine/core-answer.ts";
import { byAskedNames } from "../release/asked-names.ts";
import { isStatistics } from "../release/fit.ts";
import { priced } from "../release/priced.ts";
import { TableSession } from "../release/table-session.ts";
import { withDraw } from "../table/quota.ts";
import type { Source } from "../table/source.ts";
import { checkWatching } from "../table/watching.ts";
import { checkEveryday, type EverydayRequest } from "./everyday-request.ts";
import { type Planned, partsOf } from "./parts.ts";
import type { Outputs, Parameters } from "./released.ts";
import { type EverydayReader, rowReader } from "./rows.ts";
import { checkSums, gridsOf } from "./sums.ts";
import { plannedOf, resultsOf } from "./told.ts";

/** Prices of several quantiles together take long to be found finely. */
const COARSE = 1e-3;

function question({ budget, noise, neighbours, table }: EverydayRequest, { parts }: Planned) {
  const { epsilon, delta } = budget;
  return {
    name: "everyday-statistics",
    dimension: parts.reduce((sum, { features }) => sum + features, 0),
    neighbours,
    ...(noise === undefined ? { epsilon: epsilon as number, delta, unitRows: table.unit.rows } : { noise }),
    statistics: parts.map(({ asked }) => asked),
  };
}

const parametersIn =
  ({ parameters }: CorePlan): Parameters =>
  (part, name) =>
    parameters[`${part}.${name}`] as number;

const outputsIn =
  ({ outputs }: Released): Outputs =>
  (part, name) =>
    outputs.find((output) => output.name === `${part}.${name}`)?.values as Float64Array;

export class EverydayEngine {
  readonly #core: FullDoor;

  constructor(core: FullDoor) {
    this.#core = core;
  }

  plan(request: unknown): EverydayPlan {
    const asked = checkEveryday(request);
    const parts = partsOf(asked);
    return this.#priced(asked, parts, this.#planned(asked, parts));
  }

  #planned(asked: EverydayRequest, parts: Planned): CorePlan {
    const { rows } = asked.table.unit;
    return byAskedNames(() => unwrap(this.#core.plan(question(asked, parts), asked.seed ?? null, rows)));
  }

  async release(
    table: Source | Statistics,
    request: unknown,
    watched?: FitOptions,
  ): Promise<EverydayRelease> {
    const options = checkWatching(watched);
    const checked = checkEveryday(request);
    // A database draws by itself.
    const asked = isStatistics(table) ? checked : withDraw(checked);
    const parts = partsOf(asked);
    const begun = () => unwrap(this.#core.beginFit(question(asked, parts), true));
    const { session: number } = byAskedNames(begun);
    const session = new TableSession(this.#core, number);
    let reader: EverydayReader | undefined;
    try {
      if (isStatistics(table)) {
        const of = parametersIn(this.#planned(asked, parts));
        for (const { high, low } of checkSums(asked, parts, table.statistics, of))
          unwrap(this.#core.addSums(number, high, low, 0));
      } else
        await session.read(asked, table, options, session.add, {
          of: (names) => {
            reader = rowReader(asked, parts.parts, names, asked.format);
            return reader;
          },
          named: parts.parts.flatMap(({ keys }) => (keys ? [keys.column] : [])),
        });
      const run = byAskedNames(() => session.run(asked.seed, asked.table.unit.rows, options));
      const plan = this.#priced(asked, parts, run);
      const keysOf = (column: string) => reader?.keysOf(column) ?? [];
      return { ...plan, results: resultsOf(asked, parts, parametersIn(run), outputsIn(run), keysOf) };
    } finally {
      session.end();
    }
  }

  #priced(request: EverydayRequest, parts: Planned, planned: CorePlan): EverydayPlan {
    const { budget, table, releases } = request;
    const promised = { budget, rows: table.unit.rows };
    const grids = gridsOf(parts, parametersIn(planned));
    const isGame = releases.some(({ of }) => of === "quantiles");
    return {
      ...byAskedNames(() => priced(this.#core, planned, isGame ? { ...promised, gap: COARSE } : promised)),
      noise: planned.parameters.noise as number,
      entries: plannedOf(request, parts, parametersIn(planned)),
      ...(grids && { grids }),
      request,
    };
  }
}
