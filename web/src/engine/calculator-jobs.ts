/** What a calculator's worker can be asked: every method of the table of asks that needs no fit, and the probe. */
import { asks, call, entryOfAsk, type Method } from "../../../wasm/asks.ts";
import type { Calculator } from "../../../wasm/contract.ts";
import { probe, type Way } from "./probe.ts";
import type { Jobs } from "./protocol.ts";

export const METHODS: readonly Method[] = asks
  .map(entryOfAsk)
  .filter(({ fits }) => !fits)
  .map(({ method }) => method);

export const calculatorJobs = (engine: Promise<Calculator>): Jobs => ({
  ...Object.fromEntries(
    METHODS.map((method) => [method, async (args: readonly unknown[]) => call(await engine, method, args)]),
  ),
  probe: ([way, address]) => probe(way as Way, address as string),
});
