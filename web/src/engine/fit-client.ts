/**
 * The fit page's client of its worker. Many questions may be under way at once; cancelling ends the worker, and all of
 * them with it: the next question gets a fresh one.
 */
import type { FitJob, FitJobs, Progress } from "./fit-protocol.ts";
import FitWorker from "./fit-worker.ts?worker&inline";
import { type FromWorker, revived, type ToWorker } from "./protocol.ts";

/** The reader did not want to wait. */
export class Cancelled extends Error {}

type Args<J extends FitJob> = Parameters<FitJobs[J]>;
type WithoutTold<A extends readonly unknown[]> = A extends readonly [
  ...infer Rest,
  (progress: Progress) => void,
]
  ? Rest
  : A;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: Error) => void;
  readonly told: (progress: Progress) => void;
}

export class FitClient {
  #worker: Worker | null = null;
  #lastId = 0;
  readonly #waiting = new Map<number, Waiting>();

  /** The worker is started before it is needed, because that takes longer than most questions. */
  start(): void {
    this.#worker ??= this.#open();
  }

  ask<J extends FitJob>(
    job: J,
    args: WithoutTold<Args<J>>,
    told: (progress: Progress) => void = () => {},
  ): Promise<Awaited<ReturnType<FitJobs[J]>>> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, told });
      this.start();
      this.#worker?.postMessage({ id, job, args } satisfies ToWorker);
    });
  }

  /** Ends whatever is under way. */
  cancel(): void {
    this.#end(new Cancelled());
  }

  #end(reason: Error): void {
    this.#worker?.terminate();
    this.#worker = null;
    const stopped = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of stopped) reject(reason);
  }

  #open(): Worker {
    const worker = new FitWorker();
    worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => this.#hear(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#end(new Error(event.message || "the engine stopped"));
    });
    return worker;
  }

  #hear(said: FromWorker): void {
    const waiting = this.#waiting.get(said.id);
    if (!waiting) return;
    if ("progress" in said) {
      waiting.told(said.progress as Progress);
      return;
    }
    this.#waiting.delete(said.id);
    if ("result" in said) waiting.resolve(said.result);
    else if ("refusal" in said) waiting.reject(revived(said.refusal));
    else waiting.reject(new Error(said.failure));
  }
}
