/**
 * How the time and the memory of private fits grow with the table, in WebAssembly beside the native build;
 * then what a release cost each row, beside one product of the table and a square matrix; then a linear model of a
 * million rows and twenty columns on the command line, beside counting the lines of its file; then a logistic
 * fit of a million rows and fifty columns in Chromium, from the file on, and what it cost each row. Nothing
 * here passes or fails.
 */
import { spawnSync } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, buildBenches } from "../../scripts/build.mjs";
import { serve } from "../../scripts/serve.mjs";
import { browse, measured } from "./programs.mjs";

build();
buildBenches();

const run = (where, task, rows, dimension, name = "fit_bench") =>
  measured(where, name, [task, rows, dimension]);

const cell = (value) => value.toPrecision(3).padStart(9);

console.log("WebAssembly: ms to take the rows, ms to fit, MB held; each as a ratio to the native build");
console.log(`${"".padEnd(26)}  rows ms    ratio   fit ms    ratio       MB    ratio`);
for (const [task, rows, dimension] of [
  ["linear", 1e4, 50],
  ["linear", 1e5, 50],
  ["linear", 1e6, 50],
  ["linear", 1e5, 10],
  ["linear", 1e5, 100],
  ["linear", 1e5, 200],
  ["logistic", 1e4, 50],
  ["logistic", 1e5, 50],
  ["logistic", 32_561, 100],
  ["logistic", 1e6, 50],
]) {
  const native = run("native", task, rows, dimension);
  const wasm = run("wasm", task, rows, dimension);
  const what = `${task} ${rows} x ${dimension}`.padEnd(24);
  if (!native || !wasm) console.log(`${what} not measured: a program is missing or failed`);
  else {
    const pairs = ["reading", "fitting", "megabytes"].map(
      (one) => cell(wasm[one]) + cell(wasm[one] / native[one]),
    );
    console.log(what + pairs.join(""));
  }
}
console.log(
  "\nWhat it cost each row: ms, the rows' part of that in products of the table and a square matrix (budget 4; of a minimum, which is looked for first, 10), and the same with what came out",
);
console.log(`${"".padEnd(44)}native products  told    WebAssembly products  told`);
for (const [task, rows, dimension] of [
  ["approximate-minima-perturbation", 1e5, 50],
  ["output-perturbation", 1e5, 50],
  ["posterior-sampling", 1e5, 50],
  ["output-perturbation-ridge", 1e5, 50],
]) {
  const found = ["native", "wasm"].map((where) => run(where, task, rows, dimension, "persons_bench"));
  const cells = found.map((one) =>
    one ? cell(one.losses) + cell(one.rows / one.product) + cell(one.told / one.product) : " not measured",
  );
  console.log(`${task} ${rows} x ${dimension}`.padEnd(44) + cells.join("    "));
}
onCommandLine(1e6, 20);
await inChromium(1e6, 50);

/** Processor time of this and its children, too: a machine that does other things takes longer by the clock. */
function timed(...words) {
  const start = performance.now();
  const { stderr } = spawnSync("sh", ["-c", 'time -p "$@" > /dev/null', "sh", ...words], {
    encoding: "utf8",
  });
  return { clock: (performance.now() - start) / 1000, processor: Number(/user ([\d.]+)/.exec(stderr)?.[1]) };
}

/** From the file to the model; the same file, of which nothing but the ends of its lines is looked for, is the yardstick. */
function onCommandLine(rows, columns) {
  const folder = mkdtempSync(join(tmpdir(), "epsilometer-"));
  try {
    const [path, request] = [join(folder, "million.csv"), join(folder, "request.json")];
    const numeric = table(path, rows, columns).map((name) => ({
      name,
      use: "numeric",
      range: [-1, 1],
      missing: "drop",
    }));
    const label = { name: "class", use: "classes", levels: ["no", "yes"], missing: "drop" };
    const declared = { unit: { protects: "person", rows: 1 }, columns: numeric, label };
    const asked = { table: declared, algorithm: { name: "ada-ssp" }, budget: { epsilon: 1, delta: 1e-6 } };
    writeFileSync(request, JSON.stringify(asked));
    const fitted = timed("node", "dist/node/command-line.js", "fit", path, "--request", request);
    const count = `let n = 0; for (const byte of require("fs").readFileSync(${JSON.stringify(path)})) if (byte === 10) n++;`;
    const counted = timed("node", "-e", count);
    const megabytes = statSync(path).size / 2 ** 20;
    console.log(
      `\nCommand line, ada-ssp ${rows} x ${columns}, ${megabytes.toFixed(0)} MB of text: ${fitted.clock.toFixed(1)} s, ${fitted.processor.toFixed(1)} s of a processor, ` +
        `${(fitted.processor / counted.processor).toFixed(1)} times as much as counting its lines`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A file of that many rows, a label of two classes that leans on the first column. */
function table(path, rows, columns) {
  const file = openSync(path, "w");
  const names = Array.from({ length: columns }, (_, j) => `x${j + 1}`);
  writeSync(file, `${names.join(",")},class\n`);
  let state = 1;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  for (let i = 0; i < rows; i += 1000) {
    let lines = "";
    for (let k = 0; k < 1000; ++k) {
      const row = names.map(() => next().toFixed(3));
      lines += `${row.join(",")},${Number(row[0]) > next() ? "yes" : "no"}\n`;
    }
    writeSync(file, lines);
  }
  closeSync(file);
  return names;
}

/** The page is handed the file and the whole request; what is measured begins with the press of the button. */
async function inChromium(rows, columns) {
  const folder = mkdtempSync(join(tmpdir(), "epsilometer-"));
  const path = join(folder, "million.csv");
  const names = table(path, rows, columns);
  const server = await serve();
  const browser = await browse();
  try {
    const page = await browser.newPage();
    await page.goto(`${server.address}/fit.html`);
    await page.setInputFiles("#fit-file", path);
    await page.locator("#step-2[open]").waitFor({ timeout: 600_000 });
    const entry = (field) => page.locator(`#fit-${field.replaceAll(".", "-")}`);
    await entry("table.unit.protects").fill("person");
    await entry("table.unit.rows").fill("1");
    await page.locator("#step-3 summary").first().click();
    await entry("table.label.name").selectOption("class");
    await entry("task").selectOption("logistic");
    await entry("table.label.levels.0").fill("no");
    await entry("table.label.levels.1").fill("yes");
    for (const [j, name] of names.entries()) {
      await page.getByRole("checkbox", { name, exact: true }).check();
      await entry(`table.columns.${j}.range.0`).fill("-1");
      await entry(`table.columns.${j}.range.1`).fill("1");
    }
    await entry("missing").selectOption("drop");
    await entry("algorithm.name").selectOption("approximate-minima-perturbation");
    await entry("budget.epsilon").fill("1");
    await entry("budget.delta").fill("1e-6");
    await page.locator("fit-price .headline").waitFor();
    const peaks = await memory(browser);
    const start = performance.now();
    let shown = 0;
    await page.exposeFunction("progressed", () => (shown += 1));
    await page.evaluate(() =>
      new MutationObserver(() => window.progressed()).observe(document.querySelector("#step-4"), {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      }),
    );
    await page.locator("#step-4 > summary").click();
    await page.locator("#fit-run").click();
    await page.locator("fit-release h2").waitFor({ timeout: 600_000 });
    const seconds = (performance.now() - start) / 1000;
    const megabytes = statSync(path).size / 2 ** 20;
    const fitted = peaks.take();
    console.log(
      `\nChromium, logistic ${rows} x ${columns}, ${megabytes.toFixed(0)} MB of text: ${seconds.toFixed(1)} s from the button to the model, ${shown} changes of the progress shown, at most ${fitted} MB`,
    );
    await losses(page, peaks);
  } finally {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true });
  }
}

/** The most memory that the page's process held since it was asked last, its worker included; of Linux. */
async function memory(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const pids = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
  const most = (pid) =>
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  const take = () => {
    const megabytes = Math.max(...pids.map(most));
    for (const pid of pids) writeFileSync(`/proc/${pid}/clear_refs`, "5");
    return megabytes.toFixed(0);
  };
  take();
  return { take };
}

/** What the fit cost each row, from the tick to the figure. */
async function losses(page, peaks) {
  const start = performance.now();
  await page.evaluate(() => {
    window.told = 0;
    new MutationObserver(() => {
      window.told += 1;
    }).observe(document.querySelector("fit-persons"), { subtree: true, childList: true, attributes: true });
  });
  await page.getByLabel("Show what it cost each row").check();
  await page.locator("fit-persons > figure").waitFor({ timeout: 600_000 });
  const seconds = (performance.now() - start) / 1000;
  const told = await page.evaluate(() => window.told);
  console.log(
    `What it cost each of its rows: ${seconds.toFixed(1)} s from the tick to the figure, ${told} changes of the progress shown, at most ${peaks.take()} MB`,
  );
}
