/** Something that is computed when it is wanted: how far it is, what came of it, and a way out. */
import { html, nothing, type TemplateResult } from "lit";
import type { Progress } from "../../engine/fit-protocol.ts";
import { Cancelled } from "../../engine/worker-client.ts";
import { whyNot } from "../../words/fit.ts";
import { progressBar } from "./run.ts";

export type Asking<Found> =
  | { readonly state: "unwanted" }
  | { readonly state: "asked"; readonly progress: Progress | undefined }
  | { readonly state: "found"; readonly found: Found }
  | { readonly state: "failed"; readonly fault: string };

export const UNWANTED = { state: "unwanted" } as const;

/** Computes it by such a function, told of its progress; nothing where it is not there yet. */
export type Ask<Found> = ((told: (progress: Progress) => void) => Promise<Found>) | undefined;

/** `set` is told every state that it goes through. What was cancelled is no longer wanted. */
export async function asking<Found>(ask: Ask<Found>, set: (state: Asking<Found>) => void): Promise<void> {
  if (!ask) return set(UNWANTED);
  set({ state: "asked", progress: undefined });
  try {
    set({ state: "found", found: await ask((progress) => set({ state: "asked", progress })) });
  } catch (error) {
    if (error instanceof Cancelled) set(UNWANTED);
    else set({ state: "failed", fault: whyNot(error) });
  }
}

/** What stands in its place until it is found. `failed` begins the sentence that says why it is not to be had. */
export function askingView(
  asked: Asking<unknown>,
  failed: string,
  cancel: (() => void) | undefined,
): TemplateResult | typeof nothing {
  if (asked.state === "asked") return progressBar(asked.progress, () => cancel?.());
  return asked.state === "failed"
    ? html`<p class="error" role="alert">${failed}. ${asked.fault}</p>`
    : nothing;
}
