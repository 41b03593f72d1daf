import { defineConfig } from "vitest/config";
import { PATIENCE } from "./tests/e2e/patience.ts";

export default defineConfig({
  test: {
    // For tests that never end; sanitizers and compilers may run beside them.
    testTimeout: 300_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: PATIENCE } },
    // The WebAssembly is unpacked and compiled once in a process, not once in every file; no file changes a module for others.
    isolate: false,
    // No test asks how long anything took, so that files may run beside each other.
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: "browser", include: ["tests/e2e/**/*.test.ts"] } },
      {
        extends: true,
        test: { name: "without-browser", include: ["tests/{wasm,web,parity}/**/*.test.ts"] },
      },
    ],
  },
});
