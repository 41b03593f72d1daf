/** Why a page lets no engine run, and what its owner can do about it. */

/** No engine can run here, or not for this question, because of the page that the widget is on. */
export class Unavailable extends Error {}

const told = new Set<string>();

/** Whoever asked is told why there is no answer on this page, and the console once for all. */
export function unavailable(why: string): Error {
  if (!told.has(why)) console.error(`Epsilometer: ${why}.`);
  told.add(why);
  return new Unavailable(why);
}

/** An empty module: the signature and the version. */
const EMPTY = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

/** What forbids WebAssembly, if anything does; workers made here are bound by the same policy. */
export function obstacle(): string | undefined {
  if (typeof WebAssembly === "undefined") return "this browser runs no WebAssembly";
  try {
    new WebAssembly.Module(EMPTY);
    return undefined;
  } catch {
    return "the Content-Security-Policy of this page forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src";
  }
}

export const NO_WORKER =
  "the Content-Security-Policy of this page forbids the worker that computes: add worker-src blob: to it";

export const NO_TRUST =
  "the Content-Security-Policy of this page forbids the worker that computes: its require-trusted-types-for lets no script start one";
