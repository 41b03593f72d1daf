/**
 * What a small change needs before the next one: the types, and only those tests that what changed can reach. Without
 * long cases, audits, sanitizers and WebAssembly of the tests, for which there is `npm test`.
 *
 * What changed is told by git: everything that is not committed, or what the branch has beside the main one.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { must, prepare, root, run } from "./tools.mjs";

const git = (...words) =>
  execFileSync("git", words, { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);

/** The last commit that is also on the main branch, or the last one of all where there is no other branch. */
function base() {
  for (const main of ["origin/HEAD", "main", "master"]) {
    const { status, stdout } = run("git", ["merge-base", "HEAD", main], { stdio: "pipe", encoding: "utf8" });
    if (status === 0) return stdout.trim();
  }
  return "HEAD";
}

/** Files that were changed, added or are not in git yet; when nothing waits to be committed, those of the branch. */
export function changed() {
  const since = (commit) => git("diff", "--name-only", "--diff-filter=d", commit);
  const waiting = [...since("HEAD"), ...git("ls-files", "--others", "--exclude-standard")];
  return waiting.length > 0 ? waiting : since(base());
}

/** Which steps these files ask for. */
export function steps(files) {
  const any = (pattern) => files.some((file) => pattern.test(file));
  const isCore = any(/^core\//);
  const isNative = isCore || any(/^tests\/(core|reference)\/|CMake/);
  const coreTests = files.filter((file) => /^tests\/core\/\w+_test\.cpp$/.test(file));
  return {
    isNative,
    /** Only these, where nothing else that they are built of was touched. */
    only: isNative && !isCore && !any(/^tests\/(core\/(?!\w+_test\.cpp$)|reference)|CMake/) ? coreTests : [],
    isBuilt: isCore || any(/^(wasm|web)\//),
    typed: files.filter((file) => /^(wasm|web|tests)\/.*\.ts$/.test(file)),
    isPage: any(/^web\//),
  };
}

function native(only) {
  must("cmake", "--preset", "release");
  must("cmake", "--build", "--preset", "release", "--target", "core_tests");
  const chosen = only.map((file) => `*/${file}`).join(",");
  const words = ["--test-suite-exclude=long", "--source-file-exclude=*/audit/*", "--minimal"];
  must("build/release/tests/core_tests", ...words, ...(chosen ? [`--source-file=${chosen}`] : []));
}

function quick() {
  const files = changed().filter((file) => existsSync(join(root, file)));
  if (files.length === 0) return console.log("nothing has changed");
  const { isNative, only, isBuilt, typed, isPage } = steps(files);
  console.log(`changed:\n${files.map((file) => `  ${file}`).join("\n")}`);
  prepare(isPage ? "test" : "build");
  if (isNative) native(only);
  if (isBuilt || (typed.length > 0 && !existsSync(join(root, "dist/node/engine.js")))) build();
  if (isBuilt || typed.length > 0) must("npx", "tsc", "--noEmit");
  if (typed.length > 0)
    must("npx", "vitest", "related", "--run", "--project=without-browser", "--passWithNoTests", ...typed);
  if (isPage) must("npx", "vitest", "run", "--project=browser", "tests/e2e/size.test.ts");
}

if (import.meta.filename === process.argv[1]) quick();
