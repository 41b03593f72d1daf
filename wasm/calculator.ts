/** The engine without private fits, which is all that a calculator needs, and half the size. */
import create from "../build/wasm/calculator.mjs";
import type { Calculator } from "./contract.ts";
import { CalculatorEngine } from "./engine/calculator-engine.ts";

/** Starts it: compiles the WebAssembly that is part of this file. */
export async function openCalculator(): Promise<Calculator> {
  return new CalculatorEngine(await create());
}
