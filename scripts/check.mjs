/**
 * Everything that a reviewer should not have to say: format, lint, types, arrows, sizes. With --all Clang reads all of
 * the C++ instead of what changed.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { arrows } from "./arrows.mjs";
import { build } from "./build.mjs";
import { clangFaults } from "./clang.mjs";
import { mapFaults } from "./map.mjs";
import { overBudget, sizes } from "./sizes.mjs";
import { prepare, root, run } from "./tools.mjs";

let failed = false;

function report(title, wrong) {
  console.log(`${wrong.length === 0 ? "ok    " : "FAILED"} ${title}`);
  for (const line of wrong) console.log(`       ${line}`);
  failed ||= wrong.length > 0;
}

function tool(title, command, ...words) {
  const { status, stdout, stderr } = run(command, words, { stdio: "pipe", encoding: "utf8" });
  report(title, status === 0 ? [] : `${stdout}${stderr}`.split("\n"));
}

/** Not every registry answers this; then it is said, and nothing is claimed. */
function audit() {
  const { stdout } = run("npm", ["audit", "--omit=dev", "--json"], { stdio: "pipe", encoding: "utf8" });
  const found = JSON.parse(stdout).metadata?.vulnerabilities;
  if (found) report("no known faults in what is shipped (npm audit)", found.total > 0 ? [stdout] : []);
  else console.log("?      npm audit: this registry has no answer");
}

prepare("check");
build();
const sources = ["core", "tests", "wasm"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => /\.(h|cpp)$/.test(name))
    .map((name) => join(folder, name)),
);
tool("format of C++ (clang-format)", "clang-format", "--dry-run", "-Werror", ...sources);
const isAll = process.argv.includes("--all");
report(`what Clang says of ${isAll ? "all" : "changed"} C++`, await clangFaults(isAll));
// Fetched when needed, at this version: a lock file cannot hold it where a registry lacks one of its platforms.
tool("format and lint of TypeScript (Biome)", "npx", "--yes", "@biomejs/biome@2.6.8", "check");
tool("types (TypeScript)", "npx", "tsc", "--noEmit");
report("arrows between the rooms", arrows());
report("map of the rooms in README.md", mapFaults());
report("sizes within their budgets", overBudget(sizes()));
audit();
process.exitCode = failed ? 1 : 0;
