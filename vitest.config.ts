import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // For tests that never end; sanitizers and compilers may run beside them.
    testTimeout: 300_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 90_000 } },
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
