/** Random questions of every ask of a build, by its schema of asks, its catalogue and its schema of requests. */
import { describe, pathsOf } from "./descriptions.mjs";
import { dice, inRange, nearDefault } from "./dice.mjs";
import { guesses, request } from "./requests.mjs";

/** How many of 100 questions; asks that are not named here get one. */
const WEIGHTS = {
  delta: 14,
  epsilon: 16,
  profile: 8,
  renyi: 10,
  tradeOff: 7,
  advantage: 5,
  posterior: 6,
  calibrate: 10,
  compare: 5,
  plan: 10,
};

const list = (random, make) => Array.from({ length: random.whole(1, 5) }, make);

const probability = (random) =>
  random.weighted([
    [6, () => random.logUniform(1e-12, 0.1)],
    [2, () => random.logUniform(1e-300, 1)],
    [1, () => random.share()],
    [1, () => random.pick([0, 1])],
  ]);

const LEVELS = { minimum: 0, maximum: 1e100, default: 1 };
const level = (random) => (random.chance(0.7) ? nearDefault : inRange)(random, LEVELS);

/** What may stand in a field, by its name; `asked` is the question so far, `turn` its number. */
const FIELDS = {
  description: (random, { catalogue }, turn) => describe(random, catalogue, turn),
  request: (random, { schema }, turn) => request(random, schema, turn),
  guesses: (random) => guesses(random),
  parameter: (random, _, __, { description }) => random.pick(pathsOf(description)) ?? "sigma",
  normalisation: (random) => random.pick(["one", "half"]),
  epsilons: (random) => list(random, () => level(random)),
  orders: (random) => list(random, () => 1 + random.logUniform(1e-6, 1e4)),
  falsePositives: (random) => list(random, () => probability(random)),
  epsilon: level,
  delta: probability,
  group: (random) => inRange(random, { type: "integer", minimum: 1, maximum: 1000, default: 2 }),
  gap: (random) => random.logUniform(1e-6, 0.1),
  prior: probability,
  exceptions: probability,
  dimension: (random) => Math.round(random.logUniform(1, random.chance(0.1) ? 1e5 : 1e3)),
  x: (random, _, __, { dimension }) => 2 * Math.sqrt(dimension) + random.between(-6, 10),
  upperTail: probability,
  lowerTail: probability,
};

/** The fields of one question: those that it needs, each of the others now and then, and what belongs together. */
function fieldsOf(random, { required, properties, dependentRequired = {} }) {
  const free = Object.keys(properties).filter((name) => !required.includes(name));
  const tails = free.filter((name) => name.endsWith("Tail"));
  const chosen = tails.length > 0 ? [random.pick(tails)] : [];
  const others = free.filter((name) => !tails.includes(name) && random.chance(0.2));
  const together = others.flatMap((name) => dependentRequired[name] ?? []);
  return [...new Set([...required, ...chosen, ...others, ...together])].filter((name) => name !== "ask");
}

/** `count` questions. A field that this program does not know holds 1, so that a new one is asked about too. */
export function questions(known, count, seed) {
  const random = dice(seed);
  const turns = new Map();
  const weights = known.asks.map((ask) => [WEIGHTS[ask.properties.ask.const] ?? 1, () => ask]);
  return Array.from({ length: count }, () => {
    const ask = random.weighted(weights);
    const name = ask.properties.ask.const;
    const turn = turns.get(name) ?? 0;
    turns.set(name, turn + 1);
    const asked = { ask: name };
    for (const field of fieldsOf(random, ask))
      asked[field] = FIELDS[field]?.(random, known, turn, asked) ?? 1;
    return asked;
  });
}
