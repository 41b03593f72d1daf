/** The compressed sizes of what is shipped, beside their budgets. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "./tools.mjs";

const KILOBYTE = 1000;

/** Compressed bytes of a file of dist/, or of everything that a page of it loads. */
function compressed(...names) {
  const total = names.reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(root, name)), { level: 9 }).length,
    0,
  );
  return total / KILOBYTE;
}

/**
 * A page and every file of assets/ that it names, directly or through another. The engine is part of the page's own
 * script; calculator-*.js is the same again for hosts that forbid workers, and loaded only there.
 */
function page(name) {
  const assets = readdirSync(join(root, "dist/assets")).filter(
    (file) => statSync(join(root, "dist/assets", file)).isFile() && !file.startsWith("calculator-"),
  );
  const loaded = [`dist/${name}`];
  for (const file of loaded) {
    const text = readFileSync(join(root, file), "utf8");
    for (const asset of assets) {
      const path = `dist/assets/${asset}`;
      if (text.includes(asset) && !loaded.includes(path)) loaded.push(path);
    }
  }
  return compressed(...loaded);
}

export function sizes() {
  return [
    {
      what: "WebAssembly of the calculator, with its glue",
      kilobytes: compressed("build/wasm/calculator.mjs"),
      budget: 210,
    },
    {
      what: "WebAssembly with fits, with its glue",
      kilobytes: compressed("build/wasm/full.mjs"),
      budget: 396,
    },
    { what: "calculator page, everything included", kilobytes: page("index.html"), budget: 322 },
    // What exports a model is part of it: the page promises that nothing is asked for once it is loaded.
    { what: "fit page, everything included", kilobytes: page("fit.html"), budget: 599 },
    { what: "widget script, engine included", kilobytes: compressed("dist/epsilometer.js"), budget: 292 },
    {
      what: "report script, engine included",
      kilobytes: compressed("dist/epsilometer-report.js"),
      budget: 483,
    },
  ];
}

export function overBudget(measured) {
  return measured
    .filter(({ kilobytes, budget }) => kilobytes > budget)
    .map(({ what, kilobytes, budget }) => `${what}: ${kilobytes.toFixed(1)} KB, budget ${budget} KB`);
}
