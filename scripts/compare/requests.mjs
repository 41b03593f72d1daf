/** Random requests for private models by a build's own JSON Schema: every algorithm with any of its choices. */
import { inRange } from "./dice.mjs";

/** Any value of a part of the schema that the request's algorithm, budget and table use. */
function ofSchema(random, schema) {
  if (schema.enum) return random.pick(schema.enum);
  if (schema.oneOf) return ofSchema(random, random.pick(schema.oneOf));
  if (schema.type === "object") return ofRecord(random, schema);
  if (schema.type === "boolean") return random.chance(0.5);
  return inRange(random, schema);
}

function ofRecord(random, { properties, required = [] }) {
  const chosen = Object.keys(properties).filter((name) => required.includes(name) || random.chance(0.15));
  return Object.fromEntries(chosen.map((name) => [name, ofSchema(random, properties[name])]));
}

function range(random) {
  const low = random.weighted([
    [2, () => 0],
    [1, () => random.between(-100, 100)],
  ]);
  return [low, low + random.logUniform(1e-3, 1e5)];
}

const levels = (count) => Array.from({ length: count }, (_, i) => `level ${i}`);

function column(random, name) {
  return random.weighted([
    [6, () => ({ name, use: "numeric", range: range(random), missing: "drop" })],
    [3, () => ({ name, use: "categorical", levels: levels(random.whole(1, 12)), missing: "drop" })],
    [1, () => ({ name, use: "ignored" })],
  ]);
}

/** Mostly a label that the loss is for. */
function label(random, loss) {
  const numeric = () => ({ name: "label", use: "numeric", range: range(random), missing: "drop" });
  const classes = () => ({ name: "label", use: "classes", levels: levels(2), missing: "drop" });
  const count = () => ({ name: "label", use: "count", range: [0, random.whole(1, 100)], missing: "drop" });
  if (random.chance(0.05)) return random.pick([numeric, classes, count])();
  if (loss === "logistic") return classes();
  return loss === "poisson" ? count() : numeric();
}

function table(random, loss) {
  return {
    unit: { protects: "person", rows: random.chance(0.8) ? 1 : random.whole(2, 50) },
    columns: Array.from({ length: random.whole(1, 6) }, (_, i) => column(random, `column ${i}`)),
    label: label(random, loss),
    rowNorm: random.chance(0.7) ? 1 : random.logUniform(1e-3, 1),
    ...(random.chance(0.3) && { intercept: random.pick([0, 1, random.logUniform(1e-2, 100)]) }),
  };
}

/** One of the algorithms in turn. */
export function request(random, schema, turn) {
  const variants = schema.properties.algorithm.oneOf;
  const algorithm = ofRecord(random, variants[turn % variants.length]);
  // Most of those that take a threshold need it.
  if (algorithm.loss === "huber" && random.chance(0.9)) algorithm.threshold ??= random.logUniform(1e-2, 10);
  const own = algorithm.name.startsWith("logistic") ? "logistic" : "squared";
  const budget = {
    delta: random.chance(0.1) ? 0 : random.logUniform(1e-12, 1e-3),
    ...(random.chance(0.9) && { epsilon: random.logUniform(1e-2, 20) }),
  };
  return { table: table(random, algorithm.loss ?? own), algorithm, budget };
}

/** What is guessed of a table: few rows, so that the models are made soon. */
export function guesses(random) {
  return {
    rows: random.whole(10, 500),
    epsilons: [random.logUniform(1e-2, 20)],
    tables: 2,
    seed: random.whole(0, 2 ** 31),
    ...(random.chance(0.3) && { correlation: random.between(0, 0.99) }),
    ...(random.chance(0.3) && { explained: random.between(0, 0.999) }),
  };
}
