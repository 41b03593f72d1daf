/** What was packed is unpacked, whatever it is: bytes that need every kind of step of LZMA. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { unlzma } from "../../wasm/packing/unlzma.mjs";

const decoder = readFileSync(new URL("../../build/wasm/unlzma.wasm", import.meta.url), "base64");

function packed(input: Uint8Array, lc: number, pb: number): Buffer {
  const form = `{"id": lzma.FILTER_LZMA1, "preset": 6, "lc": ${lc}, "lp": 0, "pb": ${pb}}`;
  const read = "sys.stdin.buffer.read()";
  const pack = `lzma.compress(${read}, format=lzma.FORMAT_RAW, filters=[${form}])`;
  const run = `import lzma, sys; sys.stdout.buffer.write(${pack})`;
  return execFileSync("python3", ["-c", run], { input, maxBuffer: 1e8 });
}

/** Noise, runs, and copies from near and far, of lengths from 1 to a few hundred. */
function mixed(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let seed = 1;
  const below = (limit: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor((seed / 2 ** 32) * limit);
  };
  for (let at = 0; at < size; ) {
    const length = Math.min(size - at, 1 + below(below(4) === 0 ? 400 : 12));
    const back = at > 0 ? 1 + below(below(2) === 0 ? Math.min(at, 40) : at) : 0;
    const kind = below(3);
    for (const end = at + length; at < end; at++)
      bytes[at] =
        back > 0 && kind > 0 ? (bytes[at - back] ?? 0) + (kind === 2 && at === end - 1 ? 1 : 0) : below(256);
  }
  return bytes;
}

const inputs: [string, Uint8Array][] = [
  ["one byte", Uint8Array.of(7)],
  ["zeros", new Uint8Array(100_000)],
  ["a text", new TextEncoder().encode("all work and no play makes a dull text ".repeat(300))],
  ["a mixture", mixed(300_000)],
];

test.each(inputs)("%s comes back", (_, input) => {
  for (const [lc, pb] of [
    [0, 0],
    [3, 2],
    [4, 1],
  ] as const) {
    const back = unlzma(decoder, packed(input, lc, pb).toString("base64"), input.length, lc, pb);
    expect(Buffer.compare(back, input)).toBe(0);
  }
});
