/** What the benches run: programs that measure natively and in WebAssembly, and a browser. */
import { spawnSync } from "node:child_process";
import { chromium } from "playwright-core";

const PROGRAMS = {
  native: (name) => [`build/release/tests/${name}`],
  wasm: (name) => [process.execPath, `build/wasm/tests/${name}.cjs`],
};

/** What such a program prints as JSON; undefined where it is missing or failed. */
export function measured(where, name, words = []) {
  const [program, ...before] = PROGRAMS[where](name);
  const { stdout } = spawnSync(program, [...before, ...words.map(String)], { encoding: "utf8" });
  return stdout ? JSON.parse(stdout) : undefined;
}

export const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

export const browse = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
  });
