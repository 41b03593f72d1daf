/** The engine without private fits, which is all that a calculator needs, and half the size. */
import create from "../build/wasm/calculator.mjs";
import { CalculatorEngine } from "./calculator-engine.ts";
import type { Calculator } from "./contract.ts";

/** Starts it: compiles the WebAssembly that is part of this file. */
export async function openCalculator(): Promise<Calculator> {
  return new CalculatorEngine(await create());
}
