/**
 * Puts small faults into the code, one at a time, and tells which of them no test notices: `npm run mutants`, or with
 * words that select by list, file or name. `--jobs 1`, `--seconds 5` leaves out slower tests of the core, `--audits` takes
 * the audits as well. The lists are in tests/mutants.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { placeOf, readLists, switched } from "../tests/mutants/lists.mjs";

const BUILD = "build/mutants";
const TREE = `${BUILD}/tree`;

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: "string", default: String(availableParallelism()) },
    seconds: { type: "string", default: "Infinity" },
    audits: { type: "boolean", default: false },
  },
});
const environment = { ...process.env, ...(values.audits ? { MUTANTS_WITH_AUDITS: "1" } : {}) };

const all = readLists("tests/mutants");
const isAsked = ({ room, file, name }) =>
  words.length === 0 || words.some((word) => room === word || name === word || file.includes(word));
const asked = all.filter(isAsked);
const isCore = ({ file }) => file.startsWith("core/");
/** What no longer fits the code is named, all of it, before anything is tried. */
const stale = all.flatMap((mutant) => {
  try {
    placeOf(mutant, readFileSync(mutant.file, "utf8"));
    return [];
  } catch (error) {
    return [error.message];
  }
});
if (stale.length > 0) {
  console.error(stale.join("\n"));
  process.exit(1);
}

/** Written only where it differs, so that little is compiled again. */
function keep(path, text) {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function filesIn(folder) {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries.filter((one) => one.isFile()).map((one) => `${one.parentPath}/${one.name}`);
}

/** A copy of the core and its tests in which every mutant is a switch. */
function writeTree() {
  const hash = createHash("sha256");
  for (const path of [
    "CMakeLists.txt",
    ...filesIn("core"),
    ...["core", "audit", "parity", "bench", "mutants"].flatMap((one) => filesIn(`tests/${one}`)),
    "tests/CMakeLists.txt",
  ]) {
    const here = all.filter(({ file }) => file === path);
    let text = readFileSync(path, "utf8");
    if (here.length > 0) text = switched(text, here);
    // A changed place may leave something unused.
    if (path === "core/CMakeLists.txt") text = text.replace(" -Werror", "");
    if (path === "tests/CMakeLists.txt") text = text.replaceAll("core/main.cpp", "mutants/main.cpp");
    keep(`${TREE}/${path}`, text);
    hash.update(text);
  }
  rmSync(`${TREE}/tests/reference`, { recursive: true, force: true });
  cpSync("tests/reference", `${TREE}/tests/reference`, { recursive: true });
  return hash.digest("hex");
}

function build() {
  const header = `${process.cwd()}/${TREE}/tests/mutants/mutant.h`;
  const flags = [
    "-G",
    "Ninja",
    "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG",
    `-DCMAKE_CXX_FLAGS=-include ${header}`,
  ];
  execFileSync("cmake", ["-S", TREE, "-B", `${BUILD}/native`, ...flags], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const target = ["--build", `${BUILD}/native`, "--target", "core_tests", "--", "-j", values.jobs];
  execFileSync("cmake", target, { stdio: ["ignore", "inherit", "inherit"] });
}

const program = `${BUILD}/native/tests/core_tests`;

const tell = (tried, of) => process.stderr.write(`\r${tried} of ${of} tried${tried === of ? "\n" : ""}`);

/** What each test costs and passes, without a mutant; asked once for each state of the code. */
function measured(state) {
  const path = `${BUILD}/tests-${values.seconds}-${values.audits ? "audits-" : ""}${state.slice(0, 16)}.txt`;
  if (!existsSync(path)) {
    const { stdout, status } = spawnSync(program, ["measure", values.jobs, values.seconds], {
      env: environment,
      encoding: "utf8",
      maxBuffer: 1e9,
    });
    if (status !== 0) throw new Error("the tests could not be measured");
    writeFileSync(path, stdout);
  }
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const [index, seconds, file, reached, name] = line.split("\t");
      if (Number(seconds) < 0) throw new Error(`without a mutant this test fails: ${name}`);
      return {
        index,
        seconds: Number(seconds),
        file,
        reached: new Set(reached.trim().split(" ").map(Number)),
        name,
      };
    })
    .sort((a, b) => a.seconds - b.seconds);
}

/** Each mutant with the name of the test that noticed it, or nothing. */
async function tryCore(mutants) {
  if (mutants.length === 0) return [];
  const state = writeTree();
  build();
  const tests = measured(state);
  const child = spawn(program, ["try", values.jobs, values.seconds], {
    env: environment,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const results = [];
  let heard = "";
  child.stdout.on("data", (data) => {
    heard += data;
    tell(heard.split("\n").length - 1, mutants.length);
  });
  for (const { number } of mutants) {
    const useful = tests.filter((one) => one.reached.has(number) && one.seconds <= Number(values.seconds));
    const most = 10 + 3 * useful.reduce((sum, { seconds }) => sum + seconds, 0);
    child.stdin.write(`${[number, most, ...useful.map(({ index }) => index)].join(" ")}\n`);
  }
  child.stdin.end();
  await new Promise((resolve) => child.on("close", resolve));
  const answers = new Map(
    heard.split("\n").map((line) => {
      const [number, said = ""] = line.split("\t");
      return [Number(number), said.trim().split(" ").at(-1)];
    }),
  );
  for (const mutant of mutants) {
    const last = answers.get(mutant.number);
    const test = tests.find(({ index }) => index === last);
    const reached = tests.some((one) => one.reached.has(mutant.number));
    results.push({ ...mutant, noticed: last === "-1" || !test ? undefined : test.name, reached });
  }
  return results;
}

/** Each mutant of page and door, put in while its file is loaded, with the tests that import that file. */
async function tryPage(mutants) {
  if (mutants.length === 0) return [];
  const { createVitest } = await import("vitest/node");
  let active;
  const plugin = {
    name: "mutant",
    enforce: "pre",
    transform(source, id) {
      if (!id.split("?")[0].endsWith(`/${active?.file}`)) return;
      const { start, end } = placeOf(active, source);
      return { code: `${source.slice(0, start)}(${active.to})${source.slice(end)}`, map: null };
    },
  };
  const include = ["tests/web/**/*.test.ts", "tests/wasm/**/*.test.ts"];
  const options = {
    watch: false,
    config: false,
    include,
    bail: 1,
    reporters: [{}],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  };
  const vitest = await createVitest("test", options, { plugins: [plugin] });
  const run = async (files) => {
    const paths = files.map((file) => resolve(file));
    for (const path of paths) vitest.invalidateFile(path);
    vitest.config.related = paths;
    const specifications = await vitest.getRelevantTestSpecifications();
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    for (const path of paths) vitest.invalidateFile(path);
    const failed = testModules.find((one) => !one.ok());
    return {
      noticed: failed?.relativeModuleId ?? unhandledErrors[0]?.message,
      reached: testModules.length > 0,
    };
  };
  const { noticed } = await run([...new Set(mutants.map(({ file }) => file))]);
  if (noticed) throw new Error(`without a mutant these tests fail: ${noticed}`);
  const results = [];
  for (const mutant of mutants) {
    active = mutant;
    results.push({ ...mutant, ...(await run([mutant.file])) });
    tell(results.length, mutants.length);
  }
  await vitest.close();
  return results;
}

const results = [
  ...(await tryCore(asked.filter(isCore))),
  ...(await tryPage(asked.filter((one) => !isCore(one)))),
];
const survivors = results.filter(({ noticed }) => noticed === undefined);
const lines = results.map(({ room, name, noticed }) => `${room}\t${name}\t${noticed ?? "-"}`);
mkdirSync(BUILD, { recursive: true });
writeFileSync(`${BUILD}/results.txt`, `${lines.join("\n")}\n`);
for (const { room, name, file, why, reached } of survivors)
  console.log(`not noticed: ${room}/${name} (${file})${reached ? "" : ", no test passes it"}: ${why}`);
for (const room of [...new Set(results.map((one) => one.room))]) {
  const here = results.filter((one) => one.room === room);
  console.log(
    `${room}: ${here.filter(({ noticed }) => noticed !== undefined).length} of ${here.length} noticed`,
  );
}
console.log(`${results.length - survivors.length} of ${results.length} mutants are noticed`);
