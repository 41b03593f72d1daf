/**
 * Asks a build about random descriptions of every kind, each in several ways whose answers are related, and prints
 * every pair of answers that contradict each other, every answer that a reference of its own contradicts, and how many
 * answers are wide:
 *   node scripts/attack.mjs DIST [--count N] [--seed S] [--seconds N] [--processes N] [--kinds A,B] [--ways N]
 * Only these kinds stand outermost; of all relations that many, drawn anew for each description, are asked.
 */
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { Batch, knowledge, SLOW } from "./compare/batch.mjs";
import { describe } from "./compare/descriptions.mjs";
import { dice } from "./compare/dice.mjs";
import { meetsOwnValue, ownValue } from "./compare/own-values.mjs";
import { DOUBT, reference } from "./compare/references.mjs";
import { relations as ofPrices } from "./compare/relations.mjs";
import { riskRelations } from "./compare/risk-relations.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    seconds: { type: "string", default: "10" },
    kinds: { type: "string", default: "" },
    ways: { type: "string", default: "100" },
    processes: { type: "string", default: String(availableParallelism()) },
  },
});
if (positionals.length !== 1) {
  console.error("one folder is needed: that of the build");
  process.exit(2);
}

/** An answer that is neither a number nor a contradiction. */
class NoAnswer extends Error {}

/** Relatively, that an interval may be wide; of an answer that says it is a bound on one side, nothing is asked. */
const WIDE = 1e-3;

const relations = riskRelations;
const dist = resolve(positionals[0]);
const { catalogue } = await knowledge(dist);
const kinds = values.kinds === "" ? Object.keys(catalogue) : values.kinds.split(",");
const random = dice(Number(values.seed));
const drawn = Array.from({ length: Number(values.count) }, (_, turn) => ({
  description: describe(random, catalogue, turn, kinds),
  names: random.some(Object.keys(relations), Number(values.ways)),
  numbers: {
    epsilon: random.logUniform(0.01, 20),
    delta: random.logUniform(1e-12, 1e-2),
    falsePositive: random.logUniform(1e-9, 0.5),
    count: random.whole(1, 50),
  },
}));
const totals = {
  described: 0,
  refused: 0,
  held: 0,
  broken: 0,
  slow: 0,
  ended: 0,
  unanswered: 0,
  stated: 0,
  answered: 0,
  wide: 0,
  referred: 0,
  missed: 0,
};

/** By the outermost kind. */
const byKind = {};
function tell(description) {
  const name = Array.isArray(description) ? "ledger" : (description.sampling ?? description.kind);
  byKind[name] ??= { wide: 0, slow: 0 };
  return byKind[name];
}

/** Numbers beyond those of JSON are written as texts. */
const revived = (_, value) => (value === "Infinity" ? Infinity : value === "-Infinity" ? -Infinity : value);

/** Asks one question after the other, also those whose answers nobody waits for any more. */
class Asker {
  #batch = new Batch(dist);
  #last = Promise.resolve();
  #answers = new Map();

  async #once(line) {
    const heard = await this.#batch.ask(line, Number(values.seconds));
    if (heard === SLOW) {
      tell(this.#about).slow += 1;
      console.log(`slow ${line}`);
      throw new NoAnswer("slow");
    }
    if (heard.startsWith("ended")) {
      totals.ended += 1;
      console.log(`${heard} ${line}`);
      throw new NoAnswer("ended");
    }
    const answer = JSON.parse(heard, revived);
    if (answer.refusal) throw new NoAnswer("refused");
    return answer;
  }

  #about;

  /** For another description. */
  turn(description) {
    this.#about = description;
    this.#answers.clear();
  }

  ask = (question) => {
    const line = JSON.stringify(question);
    if (!this.#answers.has(line)) {
      this.#last = this.#last.catch(() => {}).then(() => this.#once(line));
      this.#answers.set(line, this.#last);
    }
    return this.#answers.get(line);
  };

  async stop() {
    await this.#last.catch(() => {});
    this.#batch.stop();
  }
}

async function judge(ask, { description, numbers }, name) {
  try {
    const holds = await relations[name](ask, description, numbers);
    if (holds === undefined) return;
    totals[holds ? "held" : "broken"] += 1;
    if (!holds) console.log(`${name}: ${JSON.stringify({ description, numbers })}`);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    // The question is counted where it ended the program; here, that this relation could not be asked.
    totals[error.message === "ended" ? "unanswered" : error.message] += 1;
  }
}

/** Whether the answer meets that of another program. */
function check({ description, numbers }, lower, upper) {
  const truth = reference(description, numbers.delta);
  if (!truth) return;
  totals.referred += 1;
  const doubt = DOUBT * truth.upper;
  if (truth.lower <= upper + doubt && lower <= truth.upper + doubt) return;
  totals.missed += 1;
  console.log(
    `missed, ${lower} to ${upper} for ${truth.lower} to ${truth.upper}: ${JSON.stringify({ description, numbers })}`,
  );
}

/** Small cases of the same kind, at an ε of any size and at one that δ is near the asked one at. */
async function checkSmall(ask, { description, numbers }) {
  let { epsilon } = numbers;
  for (const isNear of [false, true]) {
    const own = ownValue(description, epsilon);
    if (!own) return;
    const answer = await ask({ ask: "delta", description: own.description, epsilon });
    totals.referred += 1;
    if (!meetsOwnValue(answer, own)) {
      totals.missed += 1;
      console.log(`missed, ${JSON.stringify({ epsilon, answer, own, description })}`);
    }
    if (isNear) return;
    const near = await ask({ ask: "epsilon", description: own.description, delta: numbers.delta });
    epsilon = Math.max(1e-3, near.lower * (1 - 1e-6));
  }
}

async function measure(ask, { description, numbers }) {
  try {
    const { lower, upper, kind } = await ask({ ask: "epsilon", description, delta: numbers.delta });
    totals.described += 1;
    check({ description, numbers }, lower, upper);
    await checkSmall(ask, { description, numbers });
    if (kind === "bound") {
      totals.stated += 1;
      return;
    }
    totals.answered += 1;
    if (lower >= upper * (1 - WIDE) || upper < 1e-9) return;
    totals.wide += 1;
    tell(description).wide += 1;
    console.log(`wide, ${lower} to ${upper}: ${JSON.stringify({ description, numbers })}`);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
  }
}

async function work(waiting) {
  const asker = new Asker();
  for (const one of waiting) {
    asker.turn(one.description);
    await measure(asker.ask, one);
    for (const name of one.names) await judge(asker.ask, one, name);
  }
  await asker.stop();
}

const waiting = drawn.values();
await Promise.all(Array.from({ length: Number(values.processes) }, () => work(waiting)));
console.log(
  `${totals.described} of ${drawn.length} descriptions answered, ${totals.held} relations held, ${totals.broken} broken; ` +
    `${totals.refused} not asked for a refusal, ${totals.slow} too slow in ${values.seconds} s; ` +
    `${totals.ended} questions ended the program, and ${totals.unanswered} relations with them; ` +
    `${totals.missed} of ${totals.referred} references missed; ` +
    `${totals.wide} of ${totals.answered} intervals wider than ${WIDE}; ${totals.stated} stated bounds`,
);
for (const [kind, { wide, slow }] of Object.entries(byKind))
  console.log(`${kind}: ${wide} wide, ${slow} slow`);
process.exitCode = totals.broken + totals.missed + totals.ended > 0 ? 1 : 0;
