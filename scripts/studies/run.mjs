/**
 * Makes docs/studies.md and its figures: npm run studies. With names of studies, npm run studies -- ridge-output, only
 * theirs are made again. What comes out otherwise than it should is told, and the exit status is then 1.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { open } from "../../dist/node/engine.js";
import { root } from "../tools.mjs";
import { surprises } from "./compared.mjs";
import { figure } from "./figure.mjs";
import { studies } from "./list.mjs";
import { isBuilt } from "./own-losses.mjs";
import { INTRODUCTION, section } from "./page.mjs";

const page = join(root, "docs", "studies.md");
const folder = join(root, "docs", "studies");
const begin = (name) => `<!-- ${name}, made by npm run studies -->`;

/** The part of the page that a study has, or nothing. */
function written(text, name) {
  const from = text.indexOf(begin(name));
  if (from < 0) return [];
  const to = text.indexOf("<!-- ", from + 1);
  return [text.slice(from, to < 0 ? undefined : to).trim()];
}

async function made(engine, study, index) {
  const started = performance.now();
  const found = await study.run(engine);
  for (const spec of found.figures ?? [])
    writeFileSync(join(folder, `${study.name}${spec.suffix ?? ""}.svg`), figure(spec));
  console.log(`${study.name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  for (const surprise of surprises(found)) {
    console.error(`  ${surprise}`);
    process.exitCode = 1;
  }
  return `${begin(study.name)}\n\n${section(study, found, index)}`;
}

if (!isBuilt())
  throw new Error("first build the core natively: cmake --preset release && cmake --build --preset release");
const named = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const engine = await open();
const fresh = new Map();
for (const [i, study] of studies.entries()) {
  if (named.length === 0 || named.includes(study.name))
    fresh.set(study.name, await made(engine, study, i + 1));
}
const last = existsSync(page) ? readFileSync(page, "utf8") : "";
const parts = studies.flatMap(({ name }) => fresh.get(name) ?? written(last, name));
writeFileSync(page, `${[INTRODUCTION, ...parts].join("\n\n")}\n`);
