import { Refusal } from "../../wasm/engine/refusal.ts";

/** The kind and the field of the refusal, which must come as a refusal. */
export function refused(ask: () => unknown): string {
  try {
    ask();
  } catch (error) {
    if (error instanceof Refusal) return `${error.kind} ${error.field}`;
    throw error;
  }
  throw new Error("was answered");
}
