/**
 * The engine on the page's own thread, for pages that forbid workers. A reader must be able to scroll meanwhile, and a
 * call of the core cannot be interrupted: so only closed forms are computed, a few points in each task.
 */

import type { Calculator, Description } from "../../../wasm/contract.ts";
import type { Kind } from "../../../wasm/engine/catalogue.ts";
import { childrenOf } from "../../../wasm/engine/description-tree.ts";
import { isList } from "../../../wasm/engine/kinds.ts";
import { calculatorJobs } from "./calculator-jobs.ts";
import { answer, type Jobs, type Said, type ToWorker } from "./protocol.ts";
import type { Wire } from "./worker-client.ts";

/** Their profiles are formulas: a point takes microseconds, whatever the parameters. */
const CLOSED_FORMS: readonly Kind[] = [
  "gaussian",
  "laplace",
  "discrete-laplace",
  "randomized-response",
  "exponential",
  "pure",
  "approximate",
  "gdp",
];
/** Any number of these together is one of them. */
const CLOSED_UNDER_COMPOSITION: readonly Kind[] = ["gaussian", "gdp"];
const MOST_PARTS = 100;
/** The time for a quantile grows with the dimension. */
const LARGEST_MATRIX = 1000;

/** Lists of points are asked for in pieces, each in a task of its own. */
const LISTS: readonly string[] = ["profile", "renyi", "tradeOff"];
const PIECE = 8;

/** Whether the call is known to take much less than a reader notices. */
export function isQuick({ job, args }: ToWorker): boolean {
  if (job === "probe" || job === "catalogue") return true;
  // Computed from large matrices, whatever is asked.
  if (job === "goe.limitQuantile") return false;
  if (job.startsWith("goe.")) return Number(args[0]) <= LARGEST_MATRIX;
  if (job === "compare") return false;
  return !args.some(isOfGroup) && isClosed(args[0] as Description);
}

/** A group asks once for every record. */
const isOfGroup = (argument: unknown) =>
  typeof argument === "object" && argument !== null && "group" in argument && argument.group !== 1;

function isClosed(description: Description): boolean {
  if (!isList(description.kind)) return CLOSED_FORMS.includes(description.kind);
  const parts = childrenOf(description);
  return (
    parts.length <= MOST_PARTS &&
    parts.every(({ mechanism }) => CLOSED_UNDER_COMPOSITION.includes(mechanism.kind))
  );
}

/** The pieces of a call, in order. */
export function pieces(message: ToWorker): ToWorker[] {
  if (!LISTS.includes(message.job)) return [message];
  const [description, list, ...rest] = message.args;
  const points = Float64Array.from(list as ArrayLike<number>);
  const count = Math.max(1, Math.ceil(points.length / PIECE));
  return Array.from({ length: count }, (_, i) => {
    const part = points.subarray(i * PIECE, (i + 1) * PIECE);
    return { ...message, args: [description, part, ...rest] };
  });
}

/** The results of the pieces as one: lists one after the other, everything else is the same in all. */
export function joined(results: readonly unknown[]): unknown {
  const [first] = results;
  if (first instanceof Float64Array)
    return Float64Array.from(results.flatMap((one) => [...(one as Float64Array)]));
  if (typeof first !== "object" || first === null) return first;
  const at = (key: string) => results.map((one) => (one as Record<string, unknown>)[key]);
  return Object.fromEntries(Object.keys(first).map((key) => [key, joined(at(key))]));
}

/** The reader's turn. */
const pause = () => new Promise((resolve) => setTimeout(resolve));

async function inPieces(jobs: Jobs, message: ToWorker): Promise<Said> {
  const results: unknown[] = [];
  for (const piece of pieces(message)) {
    await pause();
    const said = await answer(jobs, piece);
    if (!("result" in said)) return said;
    results.push(said.result);
  }
  return { id: message.id, result: joined(results) };
}

/** `refuse` ends the question that runs, which has no answer here. */
export function mainThread(receive: (said: Said) => void, refuse: () => void): Wire {
  let stopped = false;
  let engine: Promise<Calculator> | undefined;
  const send = async (message: ToWorker) => {
    // Before the second file is asked for, which a policy may forbid as well.
    if (!isQuick(message)) {
      refuse();
      return;
    }
    engine ??= import("../../../wasm/calculator.ts").then(({ openCalculator }) => openCalculator());
    try {
      await engine;
    } catch {
      if (!stopped) refuse();
      return;
    }
    const said = await inPieces(calculatorJobs(engine), message);
    if (!stopped) receive(said);
  };
  const stop = () => {
    stopped = true;
  };
  return { send, stop };
}
