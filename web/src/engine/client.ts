/**
 * The only module that talks to the calculator's worker. One worker serves the whole document; it starts with the first
 * question.
 */
import type { Method } from "../../../wasm/asks.ts";
import type { Calculator, Goe } from "../../../wasm/contract.ts";
import { blobWorker } from "./blob-worker.ts";
import { METHODS } from "./calculator-jobs.ts";
import { mainThread } from "./on-page.ts";
import type { ProbeResult, Way } from "./probe.ts";
import { obstacle, unavailable } from "./unavailable.ts";
import EngineWorker from "./worker.ts?worker&inline";
import { type Ears, type Wire, WorkerClient } from "./worker-client.ts";

type Remote<Room> = {
  [M in keyof Room]: Room[M] extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : never;
};
export type RemoteEngine = Remote<Omit<Calculator, "goe">> & { readonly goe: Remote<Goe> };

/** Why the page allows no worker, once that is known. */
let workerForbidden = "";

const client = new WorkerClient({ atOnce: 1, open: openWire, failure: unavailable, endsOnFailure: true });

function openWire(ears: Ears): Wire | string {
  const why = obstacle();
  if (why) return why;
  return workerForbidden
    ? onPage(workerForbidden, ears)
    : blobWorker(
        () => new EngineWorker(),
        ears,
        (forbidden) => withoutWorker(forbidden, ears),
      );
}

function withoutWorker(why: string, ears: Ears): Wire {
  workerForbidden = why;
  return onPage(why, ears);
}

const onPage = (why: string, { hear, unable }: Ears) => mainThread(hear, () => unable(why));

/** The engine for one asker, which is any object; it may drop its own questions and nobody else's. */
export function engineFor(owner: object): RemoteEngine {
  const call =
    (method: Method) =>
    (...args: unknown[]) =>
      client.ask(owner, { job: method, args });
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
export const supersede = (owner: object): void => client.supersede(owner);

/** Stops everything that waits or runs. */
export const cancel = (): void => client.cancel();

/** Whether the browser refuses to send in that way from the worker; null where the engine runs in the page. */
export async function probeWorker(way: Way, address: string): Promise<ProbeResult | null> {
  const result: ProbeResult = await client.ask({}, { job: "probe", args: [way, address] });
  return workerForbidden ? null : result;
}
