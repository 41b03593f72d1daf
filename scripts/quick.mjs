/**
 * What a small change needs before the next one: the types, and only those tests that what changed can reach. Without
 * long cases, audits, sanitizers and WebAssembly of the tests, for which there is `npm test`.
 *
 * What changed is told by git: everything that is not committed, or what the branch has beside the main one.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { done, must, prepare, root, run } from "./tools.mjs";

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

/** Short cases of these files of tests, in two programs for two cores. */
async function native(only) {
  await done("cmake", "--preset", "release");
  await done("cmake", "--build", "--preset", "release", "--target", "core_tests");
  const all = readdirSync(join(root, "tests/core")).filter((name) => name.endsWith("_test.cpp"));
  const chosen = only.length > 0 ? only.map((file) => basename(file)) : all;
  const half = (rest) => chosen.filter((_, i) => i % 2 === rest);
  const words = ["--test-suite-exclude=long", "--minimal"];
  await Promise.all(
    [half(0), half(1)]
      .filter((files) => files.length > 0)
      .map((files) => `--source-file=${files.map((name) => `*/core/${name}`).join(",")}`)
      .map((files) => done("build/release/tests/core_tests", ...words, files)),
  );
}

async function quick() {
  const files = changed().filter((file) => existsSync(join(root, file)));
  if (files.length === 0) return console.log("nothing has changed");
  const { isNative, only, isBuilt, typed, isPage } = steps(files);
  console.log(`changed:\n${files.map((file) => `  ${file}`).join("\n")}`);
  prepare(isPage ? "test" : "build");
  const needsBuild = isBuilt || (typed.length > 0 && !existsSync(join(root, "dist/node/engine.js")));
  // Beside each other: linking for WebAssembly keeps only one core busy.
  await Promise.all([isNative && native(only), needsBuild && done("node", "scripts/build.mjs")]);
  if (isBuilt || typed.length > 0) must("npx", "tsc", "--noEmit");
  if (typed.length > 0)
    must("npx", "vitest", "related", "--run", "--project=without-browser", "--passWithNoTests", ...typed);
  if (isPage) must("npx", "vitest", "run", "--project=browser", "tests/e2e/size.test.ts");
}

if (import.meta.filename === process.argv[1]) await quick();
