/** Private models of tables: declared, read row by row, fitted by the core, priced by the engine, said in original units. */
import type { FullDoor, Planned } from "../build/wasm/full.mjs";
import type { FitOptions, Plan, Release, Simulation, Statistics } from "./contract.ts";
import { unwrap } from "./core-answer.ts";
import { validate } from "./description.ts";
import { fromCore } from "./description-tree.ts";
import { asked, askedWithoutPrivacy, checkRequest, type FitRequest } from "./fit-request.ts";
import { intervals } from "./intervals.ts";
import { simulate } from "./planning.ts";
import { provenance } from "./provenance.ts";
import { type OriginalModel, undone } from "./table/prepared.ts";
import { preprocess } from "./table/preprocess.ts";
import { refuseOtherFiles } from "./table/sniff.ts";
import { peek, type Source } from "./table/source.ts";
import { checkStatistics } from "./table/statistics.ts";

const isStatistics = (table: Source | Statistics): table is Statistics =>
  typeof table === "object" && "statistics" in table;

/** A fit in the core that waits for its table. It must be ended, whatever happens. */
class Fitting {
  readonly #core: FullDoor;
  readonly #session: number;

  /** Whatever can be refused without the table is refused here, before it is touched. */
  constructor(core: FullDoor, request: FitRequest, isPrivate = true) {
    this.#core = core;
    const question = isPrivate ? asked(request) : askedWithoutPrivacy(request);
    this.#session = unwrap(core.beginFit(question, isPrivate)).session;
  }

  readonly add = (features: Float64Array, labels: Float64Array): void => {
    unwrap(this.#core.addRows(this.#session, features, labels));
  };

  /**
   * Nothing is guessed, and no row can have the table refused. A file of another kind is, in words of its own, by what
   * stands where its header should.
   */
  async read(
    { table, format }: FitRequest,
    source: Source,
    { signal, onProgress }: FitOptions,
  ): Promise<void> {
    const peeked = await peek(source);
    if (format.header) refuseOtherFiles(peeked.beginning);
    await preprocess(peeked.source, format, table, this.add, {
      signal,
      onProgress: (done, total) =>
        onProgress?.({ phase: "reading", share: total === undefined ? undefined : done / total }),
    });
  }

  take({ table }: FitRequest, statistics: unknown): void {
    for (const { high, low, count } of checkStatistics(table, statistics)) {
      unwrap(this.#core.addSums(this.#session, high, low, count));
    }
  }

  run({ seed }: Pick<FitRequest, "seed">, options: FitOptions) {
    const watch = new Watch(options);
    const answer = this.#core.runFit(this.#session, secretBytes, seed ?? null, watch.goesOn);
    watch.rethrow();
    return unwrap(answer);
  }

  end(): void {
    this.#core.endFit(this.#session);
  }
}

/** The platform's secure source; false when it fails. */
function secretBytes(key: Uint8Array): boolean {
  try {
    crypto.getRandomValues(key as Uint8Array<ArrayBuffer>);
    return true;
  } catch {
    return false;
  }
}

/** Tells how far the core is and asks whether to go on; what is thrown on the way must wait until the core is left. */
class Watch {
  readonly #options: FitOptions;
  #thrown: { readonly error: unknown } | undefined;

  constructor(options: FitOptions) {
    this.#options = options;
  }

  readonly goesOn = (share: number): boolean => {
    try {
      this.#options.onProgress?.({ phase: "fitting", share });
      this.#options.signal?.throwIfAborted();
      return true;
    } catch (error) {
      this.#thrown = { error };
      return false;
    }
  };

  rethrow(): void {
    if (this.#thrown) throw this.#thrown.error;
  }
}

export class FitEngine {
  readonly #core: FullDoor;

  constructor(core: FullDoor) {
    this.#core = core;
  }

  plan(request: unknown): Plan {
    const checked = checkRequest(request);
    return this.#priced(checked, unwrap(this.#core.plan(asked(checked))));
  }

  async fitWithoutPrivacy(table: Source, request: unknown, options: FitOptions = {}): Promise<OriginalModel> {
    const checked = checkRequest(request);
    const fitting = new Fitting(this.#core, checked, false);
    try {
      await fitting.read(checked, table, options);
      return undone(checked.table, fitting.run({ seed: 0 }, options).coefficients);
    } finally {
      fitting.end();
    }
  }

  async fit(table: Source | Statistics, request: unknown, options: FitOptions = {}): Promise<Release> {
    const checked = checkRequest(request);
    const fitting = new Fitting(this.#core, checked);
    try {
      if (isStatistics(table)) fitting.take(checked, table.statistics);
      else await fitting.read(checked, table, options);
      const found = fitting.run(checked, options);
      return {
        coefficients: undone(checked.table, found.coefficients),
        intervals: intervals(checked.table, found.spread),
        released: Object.fromEntries(
          Object.entries(found.released).map(([name, values]) => [name, [...values]]),
        ),
        ...this.#priced(checked, found),
        private: found.private,
      };
    } finally {
      fitting.end();
    }
  }

  simulate(request: unknown, guesses: unknown, options: FitOptions = {}): Promise<Simulation> {
    const fit = (asked: FitRequest, features: Float64Array, labels: Float64Array) => {
      const fitting = new Fitting(this.#core, checkRequest(asked));
      try {
        fitting.add(features, labels);
        return fitting.run(asked, { signal: options.signal }).coefficients;
      } finally {
        fitting.end();
      }
    };
    return simulate(fit, checkRequest(request), guesses, options);
  }

  #priced(request: FitRequest, { description: run, parameters }: Planned): Plan {
    const { budget, table } = request;
    const description = validate(fromCore(run));
    const { rows } = table.unit;
    const promise = { epsilon: budget.epsilon ?? null, delta: budget.delta, rows };
    const ends = unwrap(this.#core.price(run, promise));
    return {
      private: request.seed === undefined,
      description,
      epsilon: { ...ends, ...provenance(description, ends.kind, { group: rows }) },
      delta: budget.delta,
      parameters,
      request,
    };
  }
}
