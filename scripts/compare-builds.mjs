/**
 * Asks random questions of two builds and prints every difference:
 *   node scripts/compare-builds.mjs OLD_DIST NEW_DIST [--count N] [--seed S] [--seconds N] [--processes N]
 * The questions are made from the old build's catalogue and schemas. A question that the old build does not answer in
 * time is not put to the new one; the new one has three times as long, since other programs may run beside it.
 */
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { Batch, knowledge, SLOW } from "./compare/batch.mjs";
import { questions } from "./compare/questions.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "2000" },
    seed: { type: "string", default: "1" },
    seconds: { type: "string", default: "10" },
    processes: { type: "string", default: String(availableParallelism()) },
  },
});
if (positionals.length !== 2) {
  console.error("two folders are needed: that of the old build, and that of the new one");
  process.exit(2);
}

const [oldDist, newDist] = positionals.map((folder) => resolve(folder));
const asked = questions(await knowledge(oldDist), Number(values.count), Number(values.seed));
const totals = { same: 0, refused: 0, different: 0, slow: 0 };
const byAsk = new Map();
const seconds = Number(values.seconds);

function judge(question, before, after) {
  const { ask } = JSON.parse(question);
  const row = byAsk.get(ask) ?? { same: 0, refused: 0, different: 0, slow: 0 };
  byAsk.set(ask, row);
  const count = (name) => {
    totals[name] += 1;
    row[name] += 1;
  };
  if (before === SLOW) return count("slow");
  if (before !== after) {
    count("different");
    return console.log(`different: ${question}\n  old: ${before}\n  new: ${after}`);
  }
  count("same");
  if (before.startsWith('{"refusal"')) count("refused");
}

async function work(waiting) {
  const [before, after] = [new Batch(oldDist), new Batch(newDist)];
  for (const [, question] of waiting) {
    const line = JSON.stringify(question);
    const old = await before.ask(line, seconds);
    judge(line, old, old === SLOW ? SLOW : await after.ask(line, 3 * seconds));
  }
  before.stop();
  after.stop();
}

const waiting = asked.entries();
await Promise.all(Array.from({ length: Number(values.processes) }, () => work(waiting)));
for (const [ask, { same, refused, different, slow }] of [...byAsk].sort())
  console.log(`${ask}: ${same} same (${refused} refused), ${different} different, ${slow} too slow`);
console.log(
  `${totals.same} of ${asked.length} the same byte for byte (${totals.refused} refused), ` +
    `${totals.different} different, ${totals.slow} too slow for the old build in ${seconds} s`,
);
process.exitCode = totals.different > 0 ? 1 : 0;
