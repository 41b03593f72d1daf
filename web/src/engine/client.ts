/**
 * The only module that talks to the worker. One worker serves the whole document; it starts with the first
 * question. Questions wait here, not in the worker, so that a newer one can drop those it supersedes.
 */
import type { Method } from "../../../wasm/asks.ts";
import type { Calculator, Goe } from "../../../wasm/contract.ts";
import { METHODS } from "./calculator-jobs.ts";
import { mainThread } from "./on-page.ts";
import type { ProbeResult, Way } from "./probe.ts";
import { revived, type Said, type ToWorker } from "./protocol.ts";
import { NO_TRUST, NO_WORKER, obstacle, Unavailable } from "./unavailable.ts";
import EngineWorker from "./worker.ts?worker&inline";

type Remote<Room> = {
  [M in keyof Room]: Room[M] extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : never;
};
export type RemoteEngine = Remote<Omit<Calculator, "goe">> & { readonly goe: Remote<Goe> };

/** The question was overtaken by a newer one of the same asker; there is nothing to show. */
export class Superseded extends Error {}

/** The reader did not want to wait. */
export class Cancelled extends Error {}

interface Job {
  readonly owner: object;
  readonly message: ToWorker;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: Error) => void;
}

export interface Wire {
  send(message: ToWorker): void;
  stop(): void;
}

/** A running question that is overtaken gets this long before the worker is replaced. */
const PATIENCE = 200;

let wire: Wire | null = null;
let running: Job | null = null;
let started = 0;
let waiting: Job[] = [];
let lastId = 0;
/** Why the page allows no worker, once that is known. */
let workerForbidden = "";

/** The engine for one asker, which is any object; it may drop its own questions and nobody else's. */
export function engineFor(owner: object): RemoteEngine {
  const call =
    (method: Method) =>
    (...args: unknown[]) =>
      enqueue(owner, { job: method, args });
  // Each method is typed by the contract; the wire itself carries any of them.
  const named = METHODS.map((method) => [method.slice(method.indexOf(".") + 1), method] as const);
  const room = (inner: boolean) =>
    Object.fromEntries(
      named
        .filter(([, method]) => method.startsWith("goe.") === inner)
        .map(([name, method]) => [name, call(method)]),
    );
  return { ...room(false), goe: room(true) } as unknown as RemoteEngine;
}

/** Drops what this asker still waits for; a calculation that runs long is stopped by replacing the worker. */
export function supersede(owner: object): void {
  const dropped = waiting.filter((job) => job.owner === owner);
  waiting = waiting.filter((job) => job.owner !== owner);
  for (const job of dropped) job.reject(new Superseded());
  const job = running;
  if (job?.owner !== owner) return;
  // A short one may finish by itself, which is cheaper than a new worker.
  const left = PATIENCE - (performance.now() - started);
  setTimeout(() => running === job && replace(new Superseded()), Math.max(0, left));
}

/** Stops everything that waits or runs; the next question gets a fresh worker. */
export function cancel(): void {
  const dropped = waiting;
  waiting = [];
  replace(new Cancelled());
  for (const job of dropped) job.reject(new Cancelled());
}

function replace(reason: Error): void {
  const stopped = running;
  running = null;
  if (stopped) {
    wire?.stop();
    wire = null;
  }
  stopped?.reject(reason);
  next();
}

/** Whether the browser refuses to send in that way from the worker; null where the engine runs in the page. */
export async function probeWorker(way: Way, address: string): Promise<ProbeResult | null> {
  const result = (await enqueue({}, { job: "probe", args: [way, address] })) as ProbeResult;
  return workerForbidden ? null : result;
}

function enqueue(owner: object, asked: Omit<ToWorker, "id">): Promise<never> {
  return new Promise((resolve, reject) => {
    const message = { id: ++lastId, ...asked };
    waiting.push({ owner, message, resolve: resolve as (value: unknown) => void, reject });
    next();
  });
}

function next(): void {
  if (running || waiting.length === 0) return;
  running = waiting.shift() ?? null;
  if (!running) return;
  started = performance.now();
  const why = wire ? undefined : obstacle();
  if (why) {
    fail(why);
    return;
  }
  wire ??= workerForbidden ? onPage(workerForbidden) : startWorker();
  wire.send(running.message);
}

function receive(said: Said): void {
  if (said.id !== running?.message.id) return;
  if ("failure" in said) {
    // Whatever it was, what is left of the engine is not to be trusted.
    wire?.stop();
    wire = null;
    fail(`the engine stopped (${said.failure})`);
    return;
  }
  const job = running;
  running = null;
  if ("result" in said) job.resolve(said.result);
  else job.reject(revived(said.refusal));
  next();
}

function startWorker(): Wire {
  let heard = false;
  let worker: Worker;
  try {
    worker = new EngineWorker();
  } catch (error) {
    // Of the two reasons for which browsers throw here, only a missing trust in the address is an error of type.
    return withoutWorker(error instanceof TypeError ? NO_TRUST : NO_WORKER);
  }
  worker.addEventListener("message", ({ data }: MessageEvent<Said>) => {
    heard = true;
    receive(data);
  });
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    worker.terminate();
    // A host page that forbids blob workers says so here, before the first word.
    if (!heard && running) {
      wire = withoutWorker(NO_WORKER);
      wire.send(running.message);
    } else {
      wire = null;
      fail("the engine stopped");
    }
  });
  return { send: (message) => worker.postMessage(message), stop: () => worker.terminate() };
}

function withoutWorker(why: string): Wire {
  workerForbidden = why;
  return onPage(why);
}

const onPage = (why: string) => mainThread(receive, () => fail(why));

const told = new Set<string>();

/** The question that runs cannot be answered on this page. Its asker is told why, and the console once for all. */
function fail(why: string): void {
  if (!told.has(why)) console.error(`Epsilometer: ${why}.`);
  told.add(why);
  const job = running;
  running = null;
  job?.reject(new Unavailable(why));
  next();
}
