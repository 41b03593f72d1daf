/** What the page and the worker say to each other. */
import { call, type Method } from "../../../wasm/asks.ts";
import type { Calculator } from "../../../wasm/contract.ts";
import { Refusal, type RefusalKind } from "../../../wasm/refusal.ts";

export type ToWorker =
  | { readonly id: number; readonly method: Method; readonly args: readonly unknown[] }
  | { readonly id: number; readonly probe: Way; readonly address: string };

export interface RefusalFields {
  readonly kind: RefusalKind;
  readonly field: string;
  readonly value: string;
  readonly rule: string;
}

export type FromWorker =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly refusal: RefusalFields }
  | { readonly id: number; readonly failure: string };

/** One question put to the engine, whichever thread it runs on; failures become messages too. */
export async function answer(engine: Promise<Calculator>, message: ToWorker): Promise<FromWorker> {
  const { id } = message;
  try {
    if ("probe" in message) return { id, result: await probe(message.probe, message.address) };
    const ready = await engine;
    return { id, result: call(ready, message.method, message.args) };
  } catch (error) {
    if (error instanceof Refusal) return { id, refusal: error.toJSON() };
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}

/** Ways of sending that the page and its worker can be made to try; a worker has not all of them. */
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
