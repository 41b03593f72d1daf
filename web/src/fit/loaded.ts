/** The table that the page works with, as far as the page knows it: a handle, a spelling, what the survey said. */
import type { Format } from "../../../wasm/table/format.ts";
import type { Survey } from "../../../wasm/table/inspect.ts";
import { SAMPLES, type SampleName } from "./samples.ts";

/** A file is handed over as the handle that it is: its bytes are read by the worker only. */
export type Table = { readonly file: Blob } | { readonly sample: SampleName };

export interface Given {
  readonly table: Table;
  readonly title: string;
  /** In bytes; unknown where the table is made by the worker. */
  readonly size: number | undefined;
}

export interface Loaded extends Given {
  readonly format: Format | undefined;
  readonly survey: Survey | undefined;
  /** Why it cannot be used; empty where it can. */
  readonly fault: string;
  /** It was wanted no more before all of it was read: nothing is wrong with it. */
  readonly isCancelled?: boolean;
}

export const sampleIn = ({ table }: Pick<Given, "table">): SampleName | undefined =>
  "sample" in table ? table.sample : undefined;

export const givenFile = (file: File): Given => ({ table: { file }, title: file.name, size: file.size });

/** Pasted text becomes bytes at once, and is read like a file from then on. */
export function givenText(text: string): Given {
  const file = new Blob([text]);
  return { table: { file }, title: "pasted table", size: file.size };
}

export const givenSample = (sample: SampleName): Given => ({
  table: { sample },
  title: `“${SAMPLES[sample].title}” (sample)`,
  size: undefined,
});
