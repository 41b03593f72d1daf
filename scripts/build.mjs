/** Builds the WebAssembly, the engine for Node, the page and the widgets into dist/. */
import { chmodSync } from "node:fs";
import { must, prepare } from "./tools.mjs";

export function build() {
  prepare("build");
  must("cmake", "--preset", "wasm");
  must("cmake", "--build", "--preset", "wasm", "--target", "calculator", "full");
  must("npx", "vite", "build", "--config", "wasm/vite.config.ts", "--logLevel", "warn");
  // A command that is built anew has to be made one anew.
  chmodSync("dist/node/command-line.js", 0o755);
  must("npx", "vite", "build", "--config", "web/vite.config.ts", "--logLevel", "warn");
}

if (import.meta.filename === process.argv[1]) build();
