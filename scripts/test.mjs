/** Builds natively and for WebAssembly, runs every test, and ends with one line: N passed, N failed. */
import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { build } from "./build.mjs";
import { finished, must, prepare, root } from "./tools.mjs";

const totals = { passed: 0, failed: 0, skipped: 0 };
/** What each failed test said. It is shown at the end too: a log that is cut in its middle still tells it. */
const failures = [];

function count(passed, failed, skipped = 0) {
  totals.passed += passed;
  totals.failed += failed;
  totals.skipped += skipped;
}

/** Shows what a command printed, below a title that says how long it took: where the minutes of a whole run went. */
async function shown(title, command, words) {
  const begun = performance.now();
  const { stdout, status } = await finished(command, words);
  console.log(`\n== ${title} (${Math.round((performance.now() - begun) / 1000)} s)\n${stdout}`);
  return { stdout, status };
}

/**
 * Memory that is freed is kept for the next array rather than given back to the system, and the sanitizer notes the last
 * callers only of who asked for it: that was a quarter of the time of long cases, and a tenth of that of sanitized ones.
 */
const MEMORY = [
  "MALLOC_TRIM_THRESHOLD_=1000000000",
  "MALLOC_MMAP_THRESHOLD_=1000000000",
  "ASAN_OPTIONS=malloc_context_size=5",
];

/** A doctest program; one that ends without its own summary counts as a failure. */
async function doctest(title, command, ...words) {
  const { stdout, status } = await shown(title, "env", [...MEMORY, command, ...words, "--no-colors"]);
  const summary = /test cases:\s*(\d+) \|\s*(\d+) passed \|\s*(\d+) failed/.exec(stdout);
  if (summary) count(Number(summary[2]), Number(summary[3]));
  if (!summary || (status !== 0 && summary[3] === "0")) count(0, 1);
  const said = stdout.split(/^={20,}$/m).filter((part) => part.includes("ERROR:"));
  failures.push(...said.map((part) => `${title}${part}`));
  if (!summary)
    failures.push(`${title}: ended without a summary, with status ${status}\n${stdout.slice(-2000)}`);
}

async function vitest(title, project) {
  const report = join(root, "build", `${project}.json`);
  const words = ["vitest", "run", `--project=${project}`, "--reporter=default", "--reporter=json"];
  const { status } = await shown(title, "npx", [...words, `--outputFile.json=${report}`]);
  const summary = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : undefined;
  if (summary) count(summary.numPassedTests, summary.numFailedTests, summary.numPendingTests);
  // A file that cannot be loaded fails without failing a test.
  if (!summary || (status !== 0 && summary.numFailedTests === 0)) count(0, 1);
  for (const { name, message, assertionResults } of summary?.testResults ?? []) {
    if (message) failures.push(`${name}\n${message}`);
    for (const { status: ended, fullName, failureMessages } of assertionResults)
      if (ended === "failed") failures.push(`${name}\n${fullName}\n${failureMessages.join("\n")}`);
  }
}

async function compile(preset, ...targets) {
  const words = ["--build", "--preset", preset, "--target", ...targets];
  const { status } = await shown(`${targets.join(", ")} of ${preset} compiled`, "cmake", words);
  if (status !== 0) process.exit(1);
}

/** One more at once than there are cores, because browsers often wait; starts the next one when one ends. */
async function besideEachOther(jobs) {
  const waiting = jobs.values();
  const work = async () => {
    for (const job of waiting) await job();
  };
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));
}

prepare("test");
for (const preset of ["release", "sanitize"]) must("cmake", "--preset", preset);
// All at once: linking for WebAssembly and bundling keep only one core busy.
const natively = [compile("release", "long_tests", "benches"), compile("sanitize", "core_tests")];
build();
await Promise.all(natively);
// Its programs are linked while the first tests run already.
const underNode = compile("wasm", "all");
// Long cases ask one piece of code for very many numbers: sanitizers and WebAssembly have nothing to add to that. All
// others run with sanitizers, which is natively, and those that ask numbers, laws, noise or compositions in WebAssembly too.
const short = "--test-suite-exclude=long";
const native = "build/release/tests/long_tests";
const sanitized = (title, ...words) =>
  doctest(
    `core, natively, address and undefined-behaviour sanitizers, ${title}, without long cases`,
    "build/sanitize/tests/core_tests",
    short,
    ...words,
  );
const reports = "*/*report*_test.cpp";
await besideEachOther([
  // The longest first, and the shortest last, so that no core waits long for another.
  () => doctest("core, natively, long cases", native, "--test-suite=long"),
  // Two files at once.
  () => vitest("page, Chromium, Firefox", "browser"),
  () => sanitized("without reports", `--source-file-exclude=${reports}`),
  // Parity asks the tests' program under Node.
  () => underNode.then(() => vitest("engine, command line, parity, parts of the page", "without-browser")),
  () => doctest("core, natively, other audits", native, short, "--source-file=*/audit/*"),
  () =>
    underNode.then(() =>
      doctest(
        "numbers, laws, noise and compositions, in WebAssembly, without long cases",
        "node",
        "build/wasm/tests/core_tests.cjs",
        short,
      ),
    ),
  () => sanitized("reports", `--source-file=${reports}`),
]);
for (const failure of failures) console.log(`\n== failed: ${failure.slice(0, 3000)}`);
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : "";
console.log(`\n${totals.passed} passed, ${totals.failed} failed${skipped}`);
process.exitCode = totals.failed > 0 ? 1 : 0;
