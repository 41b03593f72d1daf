/** Random descriptions by a build's own catalogue: every kind and range, samples in samples, compositions of them. */
import { inRange, nearDefault } from "./dice.mjs";

const MOST_DEEP = 3;

/** Kinds that hold other descriptions. */
const holders = (catalogue) =>
  Object.keys(catalogue).filter((kind) =>
    Object.values(catalogue[kind].parameters).some(({ type }) => type === "parts" || type === "description"),
  );

/** One of these counts of runs; few are so large that only closed forms can follow. */
function count({ random }) {
  const maximum = random.chance(0.05) ? 1e15 : 1e4;
  return inRange(random, { type: "integer", minimum: 1, maximum, default: 5 });
}

function drawn(walk, parameter, depth) {
  const { random, neighbours, number } = walk;
  switch (parameter.type) {
    case "parts":
      return Array.from({ length: random.whole(1, 4) }, () => ({
        mechanism: inner(walk, depth + 1),
        count: count(walk),
      }));
    case "description":
      // Half of all are Gaussian, of which the most is known.
      return random.chance(0.5) ? ofKind(walk, "gaussian", depth + 1) : inner(walk, depth + 1);
    case "choice": {
      const able = parameter.options.filter(
        (option) => parameter.neighbours?.[option]?.includes(neighbours) ?? true,
      );
      return random.pick(able.length > 0 ? able : parameter.options);
    }
    case "reals":
      return Array.from({ length: random.whole(1, 6) }, () => number(random, { ...parameter, default: 2 }));
    default:
      return number(random, parameter);
  }
}

/** Lists that belong together are cut to one length, put in order where they must be, and add up to 1 where they must. */
function pairLists(parameters, description) {
  const lists = Object.keys(parameters).filter(
    (name) => Array.isArray(description[name]) && parameters[name].type === "reals",
  );
  for (const name of lists.filter((one) => parameters[one].increasing))
    description[name] = [...new Set(description[name])].sort((one, other) => one - other);
  const shortest = Math.min(...lists.map((name) => description[name].length));
  for (const name of lists) description[name] = description[name].slice(0, shortest);
  for (const name of lists.filter((one) => parameters[one].maximum === 1))
    description[name] = shares(description[name], 1 - (description.infinite ?? 0));
}

/** Of a whole, in steps of 2^-40, so that they add up without rounding. */
function shares(list, whole) {
  const total = list.reduce((sum, one) => sum + one, 0);
  if (!(total > 0)) return list;
  const result = list.map((one) => Math.floor((one / total) * 2 ** 40) / 2 ** 40);
  result[0] += whole - result.reduce((sum, one) => sum + one, 0);
  return result;
}

/** What a mechanism inside must say that it is about, where that is not the relation of the whole. */
function insideOf(parameters, description, neighbours) {
  for (const [name, { inside }] of Object.entries(parameters)) {
    const found = inside?.[description[name]]?.[neighbours];
    if (found) return found.neighbours[0];
  }
  return undefined;
}

/** `walk` holds the dice, the catalogue, the neighbours that all parts answer for, and how numbers are drawn. */
function ofKind(walk, kind, depth) {
  const description = { kind };
  const { parameters } = walk.catalogue[kind];
  for (const [name, parameter] of Object.entries(parameters)) {
    const choices = Object.entries(parameter.when ?? {});
    if (!choices.every(([choice, options]) => options.includes(description[choice]))) continue;
    if (parameter.optional && walk.random.chance(0.5)) continue;
    const inside = parameter.type === "description" && insideOf(parameters, description, walk.neighbours);
    description[name] = drawn(inside ? { ...walk, neighbours: inside } : walk, parameter, depth);
    if (inside) description[name].neighbours = inside;
  }
  if (description.infinite !== undefined) description.infinite = Math.floor(description.infinite * 64) / 256;
  pairLists(parameters, description);
  return description;
}

function inner(walk, depth) {
  const { random, catalogue, neighbours } = walk;
  const deep = depth < MOST_DEEP ? [] : holders(catalogue);
  const able = Object.keys(catalogue).filter(
    (kind) => catalogue[kind].neighbours.includes(neighbours) && !deep.includes(kind),
  );
  return ofKind(walk, random.pick(able), depth);
}

/** One of the kinds in turn, so that none is left out, or one that holds others; sometimes a list, as a ledger is. */
export function describe(random, catalogue, turn, kinds = Object.keys(catalogue)) {
  const kind = random.chance(0.3) ? random.pick(holders(catalogue)) : kinds[turn % kinds.length];
  const neighbours = random.pick(catalogue[kind].neighbours);
  const walk = { random, catalogue, neighbours, number: random.chance(0.5) ? nearDefault : inRange };
  const description = ofKind(walk, kind, 1);
  if (random.chance(0.5)) description.neighbours = neighbours;
  return random.chance(0.03) ? [description, inner(walk, 2)] : description;
}

/** The paths of all numbers of a description: what calibration may be asked to move. */
export function pathsOf(value, path = "") {
  if (typeof value === "number") return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => pathsOf(part, path === "" ? key : `${path}.${key}`));
}
