/** What the other scripts share: running commands, and installing what is missing. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Emscripten's own passes need acorn, which Debian keeps where only its own Node looks. It is a program for Debian's Python:
 * another that comes first in PATH may be too new for it, or start slowly, and it starts once for every file.
 */
const environment = {
  ...process.env,
  NODE_PATH: "/usr/share/nodejs",
  EMSDK_PYTHON: "/usr/bin/python3",
  npm_config_fund: "false",
};

export function run(command, words, options = {}) {
  return spawnSync(command, words, { cwd: root, env: environment, stdio: "inherit", ...options });
}

/** Runs a command beside others: what it printed, and its status. Errors are shown, unless they are to be told too. */
export function finished(command, words, errors = "inherit") {
  return new Promise((resolve) => {
    const child = spawn(command, words, {
      cwd: root,
      env: environment,
      stdio: ["ignore", "pipe", errors],
    });
    let [stdout, stderr] = ["", ""];
    child.stderr?.on("data", (text) => {
      stderr += text;
    });
    child.stdout.on("data", (text) => {
      stdout += text;
    });
    child.on("error", ({ message }) => resolve({ stdout: message, stderr, status: 1 }));
    child.on("close", (status) => resolve({ stdout, stderr, status }));
  });
}

/** Runs a command that must succeed. */
export function must(command, ...words) {
  const { status, error } = run(command, words);
  if (status === 0) return;
  console.error(`failed: ${command} ${words.join(" ")}${error ? ` (${error.message})` : ""}`);
  process.exit(status || 1);
}

/** The same beside others; what it printed comes when it has ended. */
export async function done(command, ...words) {
  const { stdout, status } = await finished(command, words);
  process.stdout.write(stdout);
  if (status === 0) return;
  console.error(`failed: ${command} ${words.join(" ")}`);
  process.exit(status || 1);
}

/** The Debian package of each thing that a build or a test needs, and the file that shows that it is there. */
const build = {
  emscripten: "/usr/bin/emcc",
  cmake: "/usr/bin/cmake",
  "ninja-build": "/usr/bin/ninja",
  clang: "/usr/bin/clang++",
  "libboost-math-dev": "/usr/include/boost/math/tools/toms748_solve.hpp",
  "libkissfft-dev": "/usr/include/kissfft/kissfft.hh",
  "libeigen3-dev": "/usr/include/eigen3/Eigen/Eigenvalues",
  "doctest-dev": "/usr/include/doctest/doctest.h",
  "nlohmann-json3-dev": "/usr/include/nlohmann/json.hpp",
};
const test = {
  ...build,
  "libclang-rt-dev": "/usr/share/doc/libclang-rt-dev",
  chromium: "/usr/bin/chromium",
  "chromium-headless-shell": "/usr/bin/chromium-headless-shell",
  "firefox-esr": "/usr/bin/firefox-esr",
  "python3-sklearn": "/usr/lib/python3/dist-packages/sklearn/__init__.py",
};
const check = {
  ...build,
  "clang-format": "/usr/bin/clang-format",
  "clang-tidy": "/usr/bin/clang-tidy",
};
const needs = { build, test, check };

/** Installs what is missing: Debian packages when we may, otherwise one line says how; then npm's packages. */
export function prepare(purpose) {
  const missing = Object.entries(needs[purpose]).filter(([, file]) => !existsSync(file));
  if (missing.length > 0) {
    const install = `apt-get install -y --no-install-recommends ${missing.map(([name]) => name).join(" ")}`;
    if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
      console.error(
        `These packages are missing. On Debian this line installs them; then run the command again:\n`,
      );
      console.error(`  sudo sh -c 'apt-get update && ${install}'\n`);
      process.exit(1);
    }
    console.log(`Installing ${missing.map(([name]) => name).join(", ")} …`);
    process.env.DEBIAN_FRONTEND = "noninteractive";
    must("sh", "-c", `apt-get update -qq && DEBIAN_FRONTEND=noninteractive ${install}`);
  }
  if (!hasPackages()) must("npm", "ci");
}

/** Whether every package of npm's that is asked for is there, such as one that was added since the last time. */
function hasPackages() {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  return Object.keys({ ...dependencies, ...devDependencies }).every((name) =>
    existsSync(`${root}node_modules/${name}`),
  );
}
