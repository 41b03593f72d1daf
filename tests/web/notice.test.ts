/** Whoever's work is shipped is named, with the licence. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = new URL("../..", import.meta.url).pathname;
const notice = readFileSync(join(root, "NOTICE"), "utf8");

/** The folders of headers that are not of the C++ standard, and how NOTICE calls them. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  boost: ["Boost.Math", "Boost Software License 1.0"],
  eigen3: ["Eigen", "Mozilla Public License 2.0", "source code can be had"],
  emscripten: ["Emscripten", "MIT"],
  kissfft: ["KissFFT", "BSD 3-Clause"],
  nlohmann: ["nlohmann/json", "MIT"],
};

test("every library whose headers go into the WebAssembly", () => {
  const included = new Set<string>();
  for (const folder of ["core", "wasm"]) {
    for (const name of readdirSync(join(root, folder), { recursive: true }).map(String)) {
      if (!/\.(h|cpp)$/.test(name)) continue;
      const text = readFileSync(join(root, folder, name), "utf8");
      for (const [, library = ""] of text.matchAll(/#include <([^/>]+)\//g)) included.add(library);
    }
  }
  expect([...included].sort()).toEqual(Object.keys(NAMES));
  for (const words of Object.values(NAMES).flat()) expect(notice).toContain(words);
});

test("every package that the page, the widgets or the Node package contain, in its version", () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    devDependencies: Record<string, string>;
  };
  const imported = new Set<string>();
  for (const folder of ["wasm", "web/src"]) {
    for (const name of readdirSync(join(root, folder), { recursive: true }).map(String)) {
      if (!name.endsWith(".ts") || name.endsWith("config.ts")) continue;
      const text = readFileSync(join(root, folder, name), "utf8");
      for (const [, library = ""] of text.matchAll(/(?:from|import) "((?:@[\w-]+\/)?[\w-]+)(?:\/[^"]*)?"/g))
        imported.add(library);
    }
  }
  expect(imported).toContain("lit");
  expect(imported.size).toBeGreaterThanOrEqual(3);
  const written = notice.toLowerCase();
  for (const name of imported) expect(written).toContain(`${name} ${devDependencies[name]}`);
});
