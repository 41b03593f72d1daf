/**
 * The page's end of the wire to a worker. Questions wait here, not in the worker, beyond as many as it is given at once:
 * so a newer one can drop those it supersedes. A calculation cannot be interrupted: stopping it costs the worker, and the
 * next question gets a fresh one.
 */
import { type FromWorker, revived, type ToWorker } from "./protocol.ts";

/** The question was overtaken by a newer one of the same asker; there is nothing to show. */
export class Superseded extends Error {}

/** The reader did not want to wait. */
export class Cancelled extends Error {}

export interface Wire {
  send(message: ToWorker): void;
  stop(): void;
}

/** Where a wire leads to. */
export interface Ears {
  hear(said: FromWorker): void;
  /** What runs has no answer here; others may have one. */
  unable(why: string): void;
  /** Nothing more will come of this wire. */
  broken(why: string): void;
  /** Another wire takes over, with all that runs. */
  again(wire: Wire): void;
}

export interface Policy {
  /** How many questions the worker is given at once. */
  readonly atOnce: number;
  /** Starts a worker; text is why there can be none. */
  open(ears: Ears): Wire | string;
  /** What the asker is told who gets no answer. */
  failure(why: string): Error;
  /** Whatever made a job fail, what is left of the engine is not to be trusted. */
  readonly endsOnFailure: boolean;
}

interface Job {
  readonly owner: object;
  readonly message: ToWorker;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: Error) => void;
  readonly told: (progress: unknown) => void;
}

/** A running question that is overtaken gets this long before the worker is replaced. */
const PATIENCE = 200;

export class WorkerClient {
  readonly #policy: Policy;
  #wire: Wire | null = null;
  readonly #running = new Map<number, { readonly job: Job; readonly started: number }>();
  #waiting: Job[] = [];
  #lastId = 0;

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  /** The worker may be started before it is needed, because that takes longer than most questions. */
  start(): string | undefined {
    if (this.#wire) return undefined;
    const opened = this.#policy.open(this.#ears());
    if (typeof opened === "string") return opened;
    this.#wire = opened;
    return undefined;
  }

  /** `owner` may drop its own questions and nobody else's. */
  ask(
    owner: object,
    asked: Omit<ToWorker, "id">,
    told: (progress: unknown) => void = () => {},
  ): Promise<never> {
    return new Promise((resolve, reject) => {
      const message = { id: ++this.#lastId, ...asked };
      this.#waiting.push({ owner, message, resolve: resolve as (value: unknown) => void, reject, told });
      this.#next();
    });
  }

  /** Drops what this asker still waits for; a calculation that runs long is stopped by replacing the worker. */
  supersede(owner: object): void {
    const dropped = this.#waiting.filter((job) => job.owner === owner);
    this.#waiting = this.#waiting.filter((job) => job.owner !== owner);
    for (const job of dropped) job.reject(new Superseded());
    for (const [id, { job, started }] of this.#running) {
      if (job.owner !== owner) continue;
      // A short one may finish by itself, which is cheaper than a new worker.
      const left = PATIENCE - (performance.now() - started);
      setTimeout(() => this.#running.has(id) && this.#replace(new Superseded()), Math.max(0, left));
    }
  }

  /** Stops everything that waits or runs. */
  cancel(): void {
    const dropped = this.#waiting;
    this.#waiting = [];
    this.#replace(new Cancelled());
    for (const job of dropped) job.reject(new Cancelled());
  }

  /** Ends what runs, and the worker with it. */
  #replace(reason: Error): void {
    if (this.#running.size > 0) {
      this.#wire?.stop();
      this.#wire = null;
    }
    this.#reject(reason);
  }

  #reject(reason: Error): void {
    const stopped = [...this.#running.values()];
    this.#running.clear();
    for (const { job } of stopped) job.reject(reason);
    this.#next();
  }

  #next(): void {
    while (this.#running.size < this.#policy.atOnce) {
      const job = this.#waiting.shift();
      if (!job) return;
      this.#running.set(job.message.id, { job, started: performance.now() });
      const why = this.start();
      if (why === undefined) this.#wire?.send(job.message);
      else this.#reject(this.#policy.failure(why));
    }
  }

  #ears(): Ears {
    return {
      hear: (said) => this.#hear(said),
      unable: (why) => this.#reject(this.#policy.failure(why)),
      broken: (why) => {
        this.#wire = null;
        this.#reject(this.#policy.failure(why));
      },
      again: (wire) => {
        this.#wire = wire;
        for (const { job } of this.#running.values()) wire.send(job.message);
      },
    };
  }

  #hear(said: FromWorker): void {
    const job = this.#running.get(said.id)?.job;
    if (!job) return;
    if ("progress" in said) {
      job.told(said.progress);
      return;
    }
    if ("failure" in said && this.#policy.endsOnFailure) {
      this.#replace(this.#policy.failure(`the engine stopped (${said.failure})`));
      return;
    }
    this.#running.delete(said.id);
    if ("result" in said) job.resolve(said.result);
    else if ("refusal" in said) job.reject(revived(said.refusal));
    else job.reject(new Error(said.failure));
    this.#next();
  }
}
