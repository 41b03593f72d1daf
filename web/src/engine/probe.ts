/** Whether the browser lets a page, or its worker, send anything: it is made to try. */

/** Ways of sending; a worker has not all of them. */
const WAYS = {
  fetch: (address: string) => fetch(address, { mode: "no-cors", cache: "no-store" }),
  XMLHttpRequest(address: string) {
    const request = new XMLHttpRequest();
    request.open("POST", address);
    request.send();
  },
  WebSocket: (address: string) => new WebSocket(address.replace(/^http/, "ws")),
  EventSource: (address: string) => new EventSource(address),
  sendBeacon: (address: string) => navigator.sendBeacon(address),
  image(address: string) {
    new Image().src = address;
  },
} as const;

export type Way = keyof typeof WAYS;
export const PAGE_WAYS = Object.keys(WAYS) as readonly Way[];
/** Firefox refuses an EventSource to a worker too, but does not report it there. */
export const WORKER_WAYS: readonly Way[] = ["fetch", "XMLHttpRequest", "WebSocket"];

/**
 * `refused` only when the browser itself reports that the page's policy forbade it; a request that merely fails proves
 * nothing.
 */
export interface ProbeResult {
  readonly refused: boolean;
  /** The directive that forbade it, or what happened instead. */
  readonly detail: string;
}

/** The report of a violation arrives as an event, after the refusal; no report in this time is none. */
const REPORTED = 400;

/** Tries to send an empty request in that way, to a path of its own below the address: its report names it. */
export async function probe(way: Way, below: string): Promise<ProbeResult> {
  const address = `${below}/${way}`;
  let reason = "no refusal was reported";
  let forget = () => {};
  const report = new Promise<string>((resolve) => {
    const note = (event: Event) => {
      if (event instanceof SecurityPolicyViolationEvent && event.blockedURI.endsWith(`/${way}`))
        resolve(event.effectiveDirective);
    };
    addEventListener("securitypolicyviolation", note);
    forget = () => removeEventListener("securitypolicyviolation", note);
    setTimeout(() => resolve(""), REPORTED);
  });
  try {
    await WAYS[way](address);
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error);
  }
  const directive = await report;
  forget();
  return { refused: directive !== "", detail: directive || reason };
}
