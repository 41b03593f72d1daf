/** Bundles the engine and the command line for Node: two files, the WebAssembly inside. */
import { defineConfig } from "vite";

export default defineConfig({
  build: {
    ssr: true,
    outDir: "dist/node",
    emptyOutDir: true,
    target: "node20",
    rollupOptions: {
      input: { engine: "wasm/engine.ts", "command-line": "wasm/command-line.ts" },
      output: { entryFileNames: "[name].js", chunkFileNames: "[name].js" },
    },
  },
});
