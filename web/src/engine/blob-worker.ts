/** Starts a worker from a blob, on pages that may forbid it. */
import type { Said } from "./protocol.ts";
import { NO_TRUST, NO_WORKER } from "./unavailable.ts";
import type { Ears, Wire } from "./worker-client.ts";

/** `without` says what there is instead where the page forbids it: another wire, or why there is none. */
export function blobWorker<Instead extends Wire | string>(
  make: () => Worker,
  ears: Ears,
  without: (why: string) => Instead,
): Wire | Instead {
  let heard = false;
  let worker: Worker;
  try {
    worker = make();
  } catch (error) {
    // Of the two reasons for which browsers throw here, only a missing trust in the address is an error of type.
    return without(error instanceof TypeError ? NO_TRUST : NO_WORKER);
  }
  worker.addEventListener("message", ({ data }: MessageEvent<Said>) => {
    heard = true;
    ears.hear(data);
  });
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    worker.terminate();
    if (heard) {
      ears.broken("the engine stopped");
      return;
    }
    // A host page that forbids blob workers says so here, before the first word.
    const instead = without(NO_WORKER);
    if (typeof instead === "string") ears.broken(instead);
    else ears.again(instead);
  });
  return { send: (message) => worker.postMessage(message), stop: () => worker.terminate() };
}
