/**
 * Makes docs/real-losses.md and its figure: what releases really told about the rows of two public tables, beside what reports
 * say, and what every row has paid of the worst case. npm run real-losses -- folder, where the folder holds adult.csv and
 * communities.csv (docs/private-models.md says where to get them). Every noise has a seed.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { open } from "../../dist/node/engine.js";
import { figure } from "../studies/figure.mjs";
import { root } from "../tools.mjs";
import { page, panels } from "./page.mjs";
import { paid } from "./paid.mjs";
import { load, TABLES } from "./tables.mjs";
import { told } from "./told.mjs";

const EPSILONS = [0.1, 1];

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("must be given: the folder that holds adult.csv and communities.csv");
const engine = await open();
const found = [];
for (const task of TABLES.map((one) => load(folder, one)))
  found.push({
    task,
    all: await told(engine, task, EPSILONS),
    paid: await paid(engine, task, EPSILONS),
  });
const label = "Shares of rows about which so much was told, and of what reports say";
writeFileSync(join(root, "docs", "studies", "real-losses.svg"), figure({ label, panels: panels(found) }));
writeFileSync(join(root, "docs", "real-losses.md"), page(found));
