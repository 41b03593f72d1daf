/**
 * Programs of Node that tests start. Node may wait for itself for ever when it ends (nodejs/node 54918): one that takes too long is
 * stopped, and asked once more.
 */
import { type SpawnSyncOptionsWithBufferEncoding, spawnSync } from "node:child_process";

/** In milliseconds. */
const LIMIT = 60_000;

/** The options are made anew for each time, so that a file which is standard input is read from its beginning. */
export function bytes(
  program: string,
  words: readonly string[],
  options: () => SpawnSyncOptionsWithBufferEncoding,
) {
  const once = () =>
    spawnSync(program, words, { timeout: LIMIT, killSignal: "SIGKILL", maxBuffer: 1 << 26, ...options() });
  const first = once();
  return (first.error as NodeJS.ErrnoException | undefined)?.code === "ETIMEDOUT" ? once() : first;
}

export function run(
  program: string,
  words: readonly string[],
  options: () => SpawnSyncOptionsWithBufferEncoding = () => ({}),
) {
  const { status, stdout, stderr } = bytes(program, words, options);
  return { status, stdout: String(stdout), stderr: String(stderr) };
}

/** What a program that must succeed prints. */
export function printed(
  program: string,
  words: readonly string[],
  options?: () => SpawnSyncOptionsWithBufferEncoding,
) {
  const { status, stdout, stderr } = run(program, words, options);
  if (status !== 0) throw new Error(`${program} ${words.join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}

/** The command line, by its built file. */
export const PROGRAM = "dist/node/command-line.js";

export const command = (words: readonly string[], input = "") =>
  run(process.execPath, [PROGRAM, ...words], () => ({ input }));

export const answer = (...words: string[]) => JSON.parse(printed(process.execPath, [PROGRAM, ...words]));
