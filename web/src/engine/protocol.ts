/** What the page and the worker say to each other. */
import type { Calculator, Goe } from "../../../wasm/contract.ts";
import { Refusal, type RefusalKind } from "../../../wasm/refusal.ts";

export type GoeMethod = keyof Goe;
export type OwnMethod = Exclude<keyof Calculator, "goe">;
export type Method = OwnMethod | `goe.${GoeMethod}`;

export type ToWorker =
  | { readonly id: number; readonly method: Method; readonly args: readonly unknown[] }
  | { readonly id: number; readonly probe: string };

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

function call(engine: Calculator, name: Method, args: readonly unknown[]): unknown {
  const room = name.startsWith("goe.") ? engine.goe : engine;
  const method = room[name.slice(name.indexOf(".") + 1) as never] as (...args: readonly unknown[]) => unknown;
  return method.apply(room, [...args]);
}

/** One question put to the engine, whichever thread it runs on; failures become messages too. */
export async function answer(engine: Promise<Calculator>, message: ToWorker): Promise<FromWorker> {
  const { id } = message;
  try {
    if ("probe" in message) return { id, result: await probe(message.probe) };
    const ready = await engine;
    return { id, result: call(ready, message.method, message.args) };
  } catch (error) {
    if (error instanceof Refusal) return { id, refusal: error.toJSON() };
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Tries to send a request that nobody may send. `refused` only when the browser itself reports that the
 * page's policy forbade it; a request that merely fails proves nothing.
 */
export interface ProbeResult {
  readonly refused: boolean;
  readonly detail: string;
}

export async function probe(address: string): Promise<ProbeResult> {
  let directive = "";
  const note = (event: Event) => {
    if (event instanceof SecurityPolicyViolationEvent) directive = event.effectiveDirective;
  };
  addEventListener("securitypolicyviolation", note);
  try {
    await fetch(address, { mode: "no-cors", cache: "no-store" });
    return { refused: false, detail: "the request was sent" };
  } catch (error) {
    // The report of the violation arrives as an event, after the refusal.
    await new Promise((resolve) => setTimeout(resolve, 50));
    const reason = error instanceof Error ? error.message : String(error);
    return directive
      ? { refused: true, detail: `${directive}: ${reason}` }
      : { refused: false, detail: reason };
  } finally {
    removeEventListener("securitypolicyviolation", note);
  }
}
