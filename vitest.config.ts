import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One browser at a time: the first number is to be there within a second.
    fileParallelism: false,
  },
});
