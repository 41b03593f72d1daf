/** Where the bytes of a table come from, and how they become text without ever being in memory together. */
import { Refusal } from "../engine/refusal.ts";
import type { Format } from "./format.ts";

/** A file, pasted text, or a stream of bytes such as standard input. */
export type Source = Blob | string | ReadableStream<Uint8Array>;

/** What is looked at before anything is read. */
export const BEGINNING = 64 * 1024;

const PIECE = 256 * 1024;

/** How long the work may hold its thread before others, such as whoever cancels, get their turn; in ms. */
const TURN = 40;

/** Lets others have their turn when it is time, and throws the signal's reason when one of them aborted it. */
export class Turns {
  readonly #signal: AbortSignal | undefined;
  #since = performance.now();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  async take(): Promise<void> {
    if (performance.now() - this.#since <= TURN) return;
    await new Promise((resolve) => setTimeout(resolve));
    this.#signal?.throwIfAborted();
    this.#since = performance.now();
  }
}

export interface Reading {
  readonly signal?: AbortSignal | undefined;
  /** Bytes read so far, and how many there are where that is known. */
  readonly onProgress?: ((done: number, total: number | undefined) => void) | undefined;
}

/** The bytes of what is a table, or a refusal of what is none. */
export function streamed(source: unknown): Blob | ReadableStream<Uint8Array> {
  if (typeof source === "string") return new Blob([source]);
  const isStream = source instanceof ReadableStream && !source.locked;
  if (source instanceof Blob || isStream) return source;
  const rule = "must be a file, its text, or a stream of its bytes that nothing else reads";
  throw new Refusal(source === undefined ? "missing" : "type", "table", source, rule);
}

/** The first bytes, and a source that still has them: a stream can be read only once. */
export async function peek(source: Source): Promise<{ beginning: Uint8Array; source: Source }> {
  const bytes = streamed(source);
  if (bytes instanceof Blob) {
    return { beginning: new Uint8Array(await bytes.slice(0, BEGINNING).arrayBuffer()), source: bytes };
  }
  const reader = bytes.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < BEGINNING) {
    const { done, value } = await reader.read().catch((error) => {
      throw unreadable(error);
    });
    if (done) break;
    chunks.push(value);
    length += value.length;
  }
  const first = new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
  const again = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(first),
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { beginning: first.subarray(0, BEGINNING), source: again };
}

/** What the system says about bytes that it cannot give. */
export function unreadable(error: unknown): Refusal {
  const rule = `cannot be read: ${String((error as Error)?.message ?? error).slice(0, 120)}`;
  return new Refusal("malformed", "file", "its bytes", rule, { shown: true });
}

async function* chunks(source: Source, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const bytes = streamed(source);
  const reader = (bytes instanceof Blob ? bytes.stream() : bytes).getReader();
  // A read that waits for a slow source ends at once when the source is told to stop.
  const stop = () => void reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener("abort", stop);
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error) => {
        signal?.throwIfAborted();
        throw unreadable(error);
      });
      signal?.throwIfAborted();
      if (done) return;
      for (let from = 0; from < value.length; from += PIECE) yield value.subarray(from, from + PIECE);
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    stop();
  }
}

/** The same, to be read as often as is needed: a stream comes once, and is kept in memory. */
export async function rereadable(source: Source, signal: AbortSignal | undefined): Promise<Source> {
  if (!(source instanceof ReadableStream)) return source;
  const kept: Uint8Array[] = [];
  for await (const chunk of chunks(source, signal)) kept.push(chunk);
  return new Blob(kept as BlobPart[]);
}

/** Pasted text has no bytes of its own: those that it is given here are UTF-8. */
export const encodingOf = (source: Source, declared: Format["encoding"]): Format["encoding"] =>
  typeof source === "string" ? "utf-8" : declared;

const MARK = [0xef, 0xbb, 0xbf] as const;

const isMark = (bytes: readonly number[]) => MARK.every((byte, i) => bytes[i] === byte);

/** The bytes, chunk by chunk, without the byte-order mark of UTF-8. Throws the signal's reason when it is aborted. */
export async function* bytesOf(
  source: Source,
  encoding: Format["encoding"],
  { signal, onProgress }: Reading = {},
): AsyncGenerator<Uint8Array> {
  signal?.throwIfAborted();
  const total = source instanceof Blob ? source.size : undefined;
  const turns = new Turns(signal);
  let done = 0;
  /** Until it is known whether there is a mark. */
  let first: number[] | undefined = encoding === "utf-8" ? [] : undefined;
  for await (const chunk of chunks(source, signal)) {
    let rest = chunk;
    if (first) {
      const wanted = MARK.length - first.length;
      first.push(...chunk.subarray(0, wanted));
      rest = chunk.subarray(wanted);
      if (first.length === MARK.length) {
        if (!isMark(first)) yield Uint8Array.from(first);
        first = undefined;
      }
    }
    yield rest;
    done += chunk.length;
    onProgress?.(done, total);
    await turns.take();
  }
  if (first && first.length > 0) yield Uint8Array.from(first);
}

/** The text, piece by piece. Throws the signal's reason when it is aborted. */
export async function* pieces(
  source: Source,
  encoding: Format["encoding"],
  reading: Reading = {},
): AsyncGenerator<string> {
  const known = encodingOf(source, encoding);
  const decoder = new TextDecoder(known, { ignoreBOM: known === "utf-8" });
  for await (const chunk of bytesOf(source, known, reading)) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
