/**
 * What Clang says of the C++ that changed: clang-tidy's few checks of .clang-tidy for the core, and whether tests compile.
 * What a file and all that it includes were found to be is kept in build/clang.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { changed } from "./quick.mjs";
import { finished, must, root } from "./tools.mjs";

const KEPT = join(root, "build", "clang");
const FLAGS = [
  "-std=c++20",
  "-I.",
  "-isystem",
  "build/release/headers",
  "-DBOOST_MATH_PROMOTE_DOUBLE_POLICY=false",
  '-DTABLES_FOLDER=""',
];

/** The file and whatever of this tree it includes, once each. */
function closure(file, known = new Set()) {
  if (known.has(file) || !existsSync(join(root, file))) return known;
  known.add(file);
  for (const [, used] of readFileSync(join(root, file), "utf8").matchAll(/^#include "(.+)"/gm))
    closure(used, known);
  return known;
}

function keyOf(file) {
  const hash = createHash("sha256").update(readFileSync(join(root, ".clang-tidy")));
  for (const one of closure(file)) hash.update(one).update(readFileSync(join(root, one)));
  return join(KEPT, hash.digest("hex"));
}

/** Lines of complaint, none where all is well. */
async function judged(file) {
  const kept = keyOf(file);
  if (existsSync(kept)) return [];
  const [command, words] = file.startsWith("core/")
    ? ["clang-tidy", ["--quiet", file, "--", ...FLAGS]]
    : ["clang++", ["-fsyntax-only", ...FLAGS, file]];
  const { stdout, stderr, status } = await finished(command, words, "pipe");
  if (status !== 0) return [`${file}:`, ...`${stdout}${stderr}`.split("\n")];
  writeFileSync(kept, "");
  return [];
}

/** A changed source, or the one of a changed header. */
function sourceOf(file) {
  const source = file.replace(/\.h$/, ".cpp");
  return /^(core|tests)\/.+\.cpp$/.test(source) && existsSync(join(root, source)) ? [source] : [];
}

const every = () =>
  ["core", "tests"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith(".cpp"))
      .map((name) => join(folder, name)),
  );

/** All sources, or those that changed. */
export async function clangFaults(isAll) {
  mkdirSync(KEPT, { recursive: true });
  must("cmake", "--preset", "release", "--log-level=WARNING");
  const waiting = [...new Set((isAll ? every() : changed()).flatMap(sourceOf))].values();
  const found = [];
  const work = async () => {
    for (const file of waiting) found.push(...(await judged(file)));
  };
  await Promise.all([work(), work()]);
  return found;
}
