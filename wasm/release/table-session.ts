/** A table on its way into the core: read row by row, waited for, and worked on with progress and a way out. */
import type { Refused } from "../../build/wasm/calculator.mjs";
import type { FullDoor, Released } from "../../build/wasm/full.mjs";
import type { FitOptions } from "../contract.ts";
import { unwrap } from "../engine/core-answer.ts";
import { preprocess, type Readers, type Sink } from "../table/preprocess.ts";
import { refuseOtherFiles } from "../table/sniff.ts";
import { peek, type Source } from "../table/source.ts";
import type { FitRequest } from "./fit-request.ts";

/** What waits in the core for a table. It must be ended, whatever happens. */
export class TableSession {
  protected readonly core: FullDoor;
  readonly session: number;

  constructor(core: FullDoor, session: number) {
    this.core = core;
    this.session = session;
  }

  readonly add = (features: Float64Array, labels: Float64Array): void => {
    unwrap(this.core.addRows(this.session, features, labels));
  };

  /**
   * Nothing is guessed, and no row can have the table refused. A file of another kind is, in words of its own, by what
   * stands where its header should.
   */
  async read(
    { table, format }: Pick<FitRequest, "table" | "format">,
    source: Source,
    { signal, onProgress }: FitOptions,
    sink: Sink = this.add,
    readers?: Readers,
  ): Promise<void> {
    const peeked = await peek(source);
    if (format.header) refuseOtherFiles(peeked.beginning);
    const told = (done: number, total?: number) =>
      onProgress?.({ phase: "reading", share: total === undefined ? undefined : done / total });
    await preprocess(peeked.source, format, table, sink, { signal, onProgress: told }, readers);
  }

  /** What the core makes of the table. With a seed it is a demonstration; `rows`: of each of those who are protected. */
  run(seed: number | undefined, rows: number, options: FitOptions): Released {
    return watched(options, (goesOn) =>
      this.core.runFit(this.session, secretBytes, seed ?? null, rows, goesOn),
    );
  }

  end(): void {
    this.core.endSession(this.session);
  }
}

/** The platform's secure source; false when it fails. */
export function secretBytes(key: Uint8Array): boolean {
  try {
    crypto.getRandomValues(key as Uint8Array<ArrayBuffer>);
    return true;
  } catch {
    return false;
  }
}

/**
 * What the core answers when it is told how far it is, and asks whether to go on. What is thrown on the way waits until the
 * core is left.
 */
export function watched<T extends object>(
  { onProgress, signal }: FitOptions,
  run: (goesOn: (share: number) => boolean) => T | Refused,
): Exclude<T, Refused> {
  let thrown: { readonly error: unknown } | undefined;
  const answer = run((share) => {
    try {
      onProgress?.({ phase: "fitting", share: share < 0 ? undefined : share });
      signal?.throwIfAborted();
      return true;
    } catch (error) {
      thrown = { error };
      return false;
    }
  });
  if (thrown) throw thrown.error;
  return unwrap(answer);
}
