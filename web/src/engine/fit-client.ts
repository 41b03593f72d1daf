/** The fit page's client of its worker: many questions may be under way at once, and cancelling ends them all. */
import type { FitJob, FitJobs, Progress } from "./fit-protocol.ts";
import FitWorker from "./fit-worker.ts?worker&inline";
import type { FromWorker } from "./protocol.ts";
import { type Ears, type Wire, WorkerClient } from "./worker-client.ts";

type Args<J extends FitJob> = Parameters<FitJobs[J]>;
type WithoutTold<A extends readonly unknown[]> = A extends readonly [
  ...infer Rest,
  (progress: Progress) => void,
]
  ? Rest
  : A;

function open({ hear, broken }: Ears): Wire {
  const worker = new FitWorker();
  worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => hear(data));
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    broken(event.message || "the engine stopped");
  });
  return { send: (message) => worker.postMessage(message), stop: () => worker.terminate() };
}

export class FitClient {
  readonly #client = new WorkerClient({
    atOnce: Number.POSITIVE_INFINITY,
    open,
    failure: (why) => new Error(why),
    // A file that cannot be read is no fault of the engine.
    endsOnFailure: false,
  });

  /** The worker is started before it is needed, because that takes longer than most questions. */
  start(): void {
    this.#client.start();
  }

  ask<J extends FitJob>(
    job: J,
    args: WithoutTold<Args<J>>,
    told: (progress: Progress) => void = () => {},
  ): Promise<Awaited<ReturnType<FitJobs[J]>>> {
    return this.#client.ask(this, { job, args }, (progress) => told(progress as Progress));
  }

  /** Ends what is under way, unless it is done in a moment: its answer is of no use any more. */
  supersede(): void {
    this.#client.supersede(this);
  }

  /** Ends whatever is under way. */
  cancel(): void {
    this.#client.cancel();
  }
}
