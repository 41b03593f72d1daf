/** What a page and its worker say to each other, whatever the worker does. */
import { Refusal, type RefusalKind } from "../../../wasm/engine/refusal.ts";

export interface ToWorker {
  readonly id: number;
  readonly job: string;
  readonly args: readonly unknown[];
}

export interface RefusalFields {
  readonly kind: RefusalKind;
  readonly field: string;
  readonly value: string;
  readonly rule: string;
  readonly spent?: boolean;
}

/** The last word about a question. */
export type Said = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly refusal: RefusalFields }
  | { readonly failure: string }
);

export type FromWorker = Said | { readonly id: number; readonly progress: unknown };

/** What may be asked, by name. The last argument hears how far the job is. */
type Job = (args: readonly unknown[], told: (progress: unknown) => void) => unknown;
export type Jobs = Readonly<Record<string, Job>>;

/** One question answered, on whichever thread; failures become messages too. */
export async function answer(
  jobs: Jobs,
  { id, job, args }: ToWorker,
  told: (progress: unknown) => void = () => {},
): Promise<Said> {
  try {
    return { id, result: await (jobs[job] as Job)(args, told) };
  } catch (error) {
    if (error instanceof Refusal) return { id, refusal: error.toJSON() };
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}

/** Jobs that take each argument by itself, and last whom to tell how far they are. */
export const byArguments = (jobs: object): Jobs =>
  Object.fromEntries(
    Object.entries(jobs).map(
      ([name, job]) => [name, (args, told) => job(...args, told)] satisfies [string, Job],
    ),
  );

/** The worker's end of the wire. */
export function serve(jobs: Jobs): void {
  addEventListener("message", async ({ data }: MessageEvent<ToWorker>) => {
    const told = (progress: unknown) => postMessage({ id: data.id, progress } satisfies FromWorker);
    postMessage(await answer(jobs, data, told));
  });
}

/** The refusal that a message tells of. */
export const revived = ({ kind, field, value, rule, spent }: RefusalFields) =>
  new Refusal(kind, field, value, rule, { shown: true, spent });
