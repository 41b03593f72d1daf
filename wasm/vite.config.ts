/** Bundles the engine, the calculator and the command line for Node, the WebAssembly inside. */
import { defineConfig } from "vite";

export default defineConfig({
  build: {
    ssr: true,
    outDir: "dist/node",
    emptyOutDir: true,
    target: "node20",
    rollupOptions: {
      input: {
        engine: "wasm/engine.ts",
        calculator: "wasm/calculator.ts",
        "command-line": "wasm/command-line/command-line.ts",
      },
      output: { entryFileNames: "[name].js", chunkFileNames: "[name].js" },
    },
  },
});
