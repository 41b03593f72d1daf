/**
 * Makes docs/studies.md and its figures: npm run studies. With names of studies it only says what comes out
 * otherwise than it should, and writes their figures.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { open } from "../../dist/node/engine.js";
import { root } from "../tools.mjs";
import { surprises } from "./compared.mjs";
import { figure } from "./figure.mjs";
import { studies } from "./list.mjs";
import { INTRODUCTION, section } from "./page.mjs";

const named = process.argv.slice(2);
const folder = join(root, "docs", "studies");
mkdirSync(folder, { recursive: true });
const engine = await open();
const sections = [];
for (const [i, study] of studies.entries()) {
  if (named.length > 0 && !named.includes(study.name)) continue;
  const started = performance.now();
  const found = await study.run(engine);
  for (const spec of found.figures ?? [])
    writeFileSync(join(folder, `${study.name}${spec.suffix ?? ""}.svg`), figure(spec));
  sections.push(section(study, found, i + 1));
  console.log(`${study.name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  for (const surprise of surprises(found)) {
    console.error(`  ${surprise}`);
    process.exitCode = 1;
  }
}
if (named.length > 0) console.log(sections.join("\n\n"));
else writeFileSync(join(root, "docs", "studies.md"), `${[INTRODUCTION, ...sections].join("\n\n")}\n`);
