/** Builds the WebAssembly, the engine for Node with its types and schemas, the page and the widgets into dist/. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { must, prepare } from "./tools.mjs";

export function build() {
  prepare("build");
  must("cmake", "--preset", "wasm");
  must("cmake", "--build", "--preset", "wasm", "--target", "calculator", "full");
  must("npx", "vite", "build", "--config", "wasm/vite.config.ts", "--logLevel", "warn");
  // A command that is built anew has to be made one anew.
  chmodSync("dist/node/command-line.js", 0o755);
  must("npx", "tsc", "-p", "wasm/tsconfig.types.json");
  must("npx", "vite", "build", "--config", "web/vite.config.ts", "--logLevel", "warn");
  mkdirSync("dist/schema", { recursive: true });
  for (const name of [
    "request",
    "everyday",
    "description",
    "evaluation",
    "ask",
    "ledger",
    "report",
    "report-request",
  ])
    writeFileSync(
      `dist/schema/${name}.json`,
      execFileSync(process.execPath, ["dist/node/command-line.js", "schema", name]),
    );
}

/** The programs that measure, natively and in WebAssembly. */
export function buildBenches() {
  prepare("test");
  for (const preset of ["release", "wasm"]) {
    must("cmake", "--preset", preset);
    must("cmake", "--build", "--preset", preset, "--target", "benches");
  }
}

if (import.meta.filename === process.argv[1]) build();
