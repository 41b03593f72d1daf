/**
 * Sizes and times beside their budgets. Every time is the median of several runs and is also printed as a ratio to a
 * yardstick measured in the same run, one Fourier transform of 2^20 real numbers in WebAssembly (yardstick.cpp), because
 * machines differ. A question is asked about another description in between, since the last one is remembered. Nothing
 * here passes or fails.
 */
import { spawnSync } from "node:child_process";
import { build, buildBenches } from "../../scripts/build.mjs";
import { serve } from "../../scripts/serve.mjs";
import { sizes } from "../../scripts/sizes.mjs";
import { browse, measured, median } from "./programs.mjs";

const gaussian = { kind: "gaussian", sigma: 1, sensitivity: 1 };

/** Milliseconds of one call, the median of nine rounds of many. */
function time(action, calls = 1) {
  for (let i = 0; i < calls; ++i) action();
  const rounds = Array.from({ length: 9 }, () => {
    const start = performance.now();
    for (let i = 0; i < calls; ++i) action();
    return (performance.now() - start) / calls;
  });
  return median(rounds);
}

build();
buildBenches();
const { open } = await import("../../dist/node/engine.js");
const yardstick = Number(measured("wasm", "yardstick"));
if (!(yardstick > 0)) throw new Error(`the yardstick gave no time: ${measured.stderr}`);

function row(what, value, unit, budget) {
  const ratio = unit === "ms" ? `${(value / yardstick).toPrecision(3)} yardsticks` : "";
  console.log(
    `${what.padEnd(58)} ${value.toPrecision(3).padStart(8)} ${unit.padEnd(3)} ${budget.padEnd(16)} ${ratio}`,
  );
}

console.log(`yardstick, a real transform of 2^20 numbers: ${yardstick.toPrecision(3)} ms\n`);
for (const { what, kilobytes, budget } of sizes()) row(what, kilobytes, "KB", `(budget ${budget})`);

const engine = await open();
const points = Float64Array.from({ length: 400 }, (_, i) => i / 40);
const laplace = { kind: "laplace", scale: 1, sensitivity: 1 };
const table = { kind: "rdp", orders: [2, 4, 8, 16, 32, 64], epsilons: [0.1, 0.2, 0.4, 0.9, 2.1, 5] };
row(
  "profile of 400 points, Gaussian",
  time(() => engine.profile(gaussian, points), 20),
  "ms",
  "(budget 2)",
);
row(
  "profile of 400 points, Laplace",
  time(() => engine.profile(laplace, points), 20),
  "ms",
  "(budget 2)",
);
row(
  "profile of 400 points, zCDP",
  time(() => engine.profile({ kind: "zcdp", rho: 0.5 }, points), 5),
  "ms",
  "(budget 2)",
);
row(
  "profile of 400 points, six Rényi orders",
  time(() => engine.profile(table, points)),
  "ms",
  "(budget 2)",
);
row(
  "one ε, Gaussian",
  time(() => engine.epsilon(gaussian, 1e-10), 500),
  "ms",
  "",
);
row(
  "one calibrated σ, Gaussian",
  time(() => engine.calibrate(gaussian, "sigma", { epsilon: 1, delta: 1e-5 }), 200),
  "ms",
  "",
);

const other = { kind: "composition", of: [{ mechanism: laplace, count: 2 }] };
/** An answer that cannot be taken from what is known of the same description. */
const afresh = (ask) => () => {
  engine.epsilon(other, 0.5);
  return ask();
};
const sampled = { kind: "subsampled", sampling: "poisson", rate: 0.01, of: gaussian };
const steps = (count, mechanism = sampled) => ({ kind: "composition", of: [{ mechanism, count }] });
const rare = { kind: "subsampled", sampling: "poisson", rate: 0.001, of: { ...gaussian, sigma: 0.8 } };
const mixed = {
  kind: "composition",
  of: [
    { mechanism: { ...gaussian, sigma: 20 }, count: 100 },
    { mechanism: { ...laplace, scale: 30 }, count: 200 },
    { mechanism: { ...sampled, of: { ...gaussian, sigma: 1.2 } }, count: 500 },
  ],
};
row(
  "ε of 1000 sampled Gaussians, gap 1e-4",
  time(afresh(() => engine.epsilon(steps(1000), 1e-5))),
  "ms",
  "(asked 15)",
);
row(
  "ε of 100 000 rarely sampled Gaussians",
  time(afresh(() => engine.epsilon(steps(1e5, rare), 1e-5))),
  "ms",
  "(asked 100)",
);
row("ε of 800 releases of three kinds", time(afresh(() => engine.epsilon(mixed, 1e-6))), "ms", "(asked 15)");
const sigma = "of.0.mechanism.of.sigma";
const solve = () => engine.calibrate(steps(2000), sigma, { epsilon: 1, delta: 1e-6 });
row("σ of 2000 sampled Gaussians", time(solve), "ms", "(asked 100)");
row(
  "1000 δ of one composition",
  time(() => {
    for (let i = 0; i < 1000; ++i) engine.delta(steps(1000), 1 + i / 1000);
  }),
  "ms",
  "",
);

const quantile = (dimension) => () => engine.goe.quantile(dimension, { upperTail: 4.2325e-6 });
row("quantile of the largest eigenvalue, dimension 50", time(quantile(50), 50), "ms", "(asked 0.15)");
row("quantile of the largest eigenvalue, dimension 500", time(quantile(500), 5), "ms", "(budget 2)");
row("quantile of the largest eigenvalue, dimension 1000", time(quantile(1000), 3), "ms", "");

const batch = Array.from({ length: 1000 }, (_, i) =>
  JSON.stringify({
    ask: "epsilon",
    description: { ...gaussian, sigma: 0.5 + i / 100 },
    delta: 10 ** -(1 + (i % 60)),
  }),
).join("\n");
const whole = (words, input) => {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, words, { input });
  if (status !== 0) throw new Error(`${words.join(" ")} ended with status ${status}`);
  return performance.now() - start;
};
const repeat = (action) => median(Array.from({ length: 7 }, action));
row(
  "batch of 1000 questions, start-up included",
  repeat(() => whole(["dist/node/command-line.js", "batch"], batch)),
  "ms",
  "(asked < 1000)",
);
row(
  "an empty Node process, for comparison",
  repeat(() => whole(["-e", ""])),
  "ms",
  "",
);

/** Millions of draws a second. */
for (const [where, words, asked] of [
  ["native", "native", 5],
  ["wasm", "WebAssembly", 2.5],
]) {
  const draws = measured(where, "noise_bench");
  row(`discrete Gaussian draws a second, ${words}`, draws.gaussian, "M", `(asked ${asked})`);
  row(`discrete Laplace draws a second, ${words}`, draws.laplace, "M", "");
}
await page();

/** Cold loads of the calculator in Chromium, until the first number is on the page. */
async function page() {
  const { address, close } = await serve();
  const browser = await browse();
  const times = [];
  for (let i = 0; i < 5; ++i) {
    const context = await browser.newContext();
    const tab = await context.newPage();
    await tab.goto(`${address}/`);
    await tab.waitForFunction(() => performance.getEntriesByName("epsilometer:first-answer").length > 0);
    times.push(
      await tab.evaluate(() => performance.getEntriesByName("epsilometer:first-answer")[0].startTime),
    );
    await context.close();
  }
  const gap = await typing(browser, address);
  await browser.close();
  close();
  row("page: longest time between two pictures while somebody types", gap, "ms", "(asked < 100)");
  row("page: first number, worker started, from a cold load", median(times), "ms", "(budget 1000)");
}

/** A composition asked anew at every fourth picture: how long the page stands still at most. */
async function typing(browser, address) {
  const tab = await browser.newPage();
  await tab.goto(`${address}/#v1;kind=gaussian;sigma=1;sensitivity=1;count=1000;rate=0.01;delta=1e-5`);
  await tab.waitForFunction(() => performance.getEntriesByName("epsilometer:first-answer").length > 0);
  const gap = await tab.locator("#field-count").evaluate(async (one) => {
    const picture = () => new Promise(requestAnimationFrame);
    let longest = 0;
    let before = await picture();
    for (const text of ["2", "20", "200", "2000", "20001", "2000", "200", "20"]) {
      one.value = text;
      one.dispatchEvent(new Event("input", { bubbles: true }));
      for (let i = 0; i < 4; ++i) {
        const now = await picture();
        longest = Math.max(longest, now - before);
        before = now;
      }
    }
    return longest;
  });
  await tab.close();
  return gap;
}
