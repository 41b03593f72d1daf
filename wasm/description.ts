/**
 * Makes a description of an unknown value, by the catalogue; every refusal names the path of the field. Each field
 * is read once and copied, so that a getter cannot be one thing when it is checked and another when it is asked.
 */
import {
  COUNT,
  type Description,
  KINDS,
  type Kind,
  type KindEntry,
  NEIGHBOURS,
  type Neighbours,
  type NumberParameter,
  type NumbersParameter,
  type Parameter,
  type Part,
} from "./catalogue.ts";
import { Refusal } from "./refusal.ts";

export const DEEPEST = 16;
export const MOST_PARTS = 100_000;
export const LONGEST_LIST = 1000;
/** Lists inside parts multiply: what is small enough one by one may be too much to compute with together. */
const MOST_ITEMS = 200_000;

type Plain = Readonly<Record<string, unknown>>;

/** Where the check is, and what it has come across so far. */
interface Walk {
  readonly depth: number;
  readonly total: { items: number };
}

/** The fields of an object, each read once. */
function fieldsOf(value: unknown, field: string, rule: string): Plain {
  if (typeof value !== "object" || value === null) throw new Refusal("type", field, value, rule);
  try {
    if (!Array.isArray(value) && !ArrayBuffer.isView(value)) return { ...value };
  } catch {
    throw new Refusal("malformed", field, "an object", "has a field that cannot be read", { shown: true });
  }
  throw new Refusal("type", field, value, rule);
}

/** The items of a list, each read once; a hole is an item that is missing. */
function itemsOf(value: unknown, field: string, most: number, what: string, { total }: Walk): unknown[] {
  const { length } = value as unknown[];
  if (length === 0 || length > most) {
    throw new Refusal("range", field, `${length} ${what}`, `must hold 1 to ${most} ${what}`, { shown: true });
  }
  total.items += length;
  if (total.items > MOST_ITEMS) {
    const rule = `the lists of a description must hold at most ${MOST_ITEMS} items together`;
    throw new Refusal("range", field, `${length} ${what}`, rule, { shown: true });
  }
  try {
    return Array.from({ length }, (_, i) => (value as unknown[])[i]);
  } catch {
    throw new Refusal("malformed", field, value, "has an item that cannot be read");
  }
}

const isKind = (value: unknown): value is Kind => typeof value === "string" && Object.hasOwn(KINDS, value);

/** The entry of a kind, seen by its general shape. */
export const entryOf = (kind: Kind): KindEntry => KINDS[kind];

/** The range of a number in words. */
export function rule({
  type,
  minimum,
  maximum,
}: Pick<NumberParameter, "minimum" | "maximum"> & { type: string }): string {
  const range = `from ${minimum} to ${maximum}`;
  if (type === "integer") return `must be a whole number ${range}`;
  return minimum > 0 && minimum < 1e-50 ? `must be a positive number ${range}` : `must be a number ${range}`;
}

/** A finite number within the parameter's range. */
export function checkNumber(
  field: string,
  value: unknown,
  parameter: Pick<NumberParameter, "minimum" | "maximum"> & { type: string },
): number {
  if (typeof value !== "number") throw new Refusal("type", field, value, rule(parameter));
  const whole = parameter.type !== "integer" || Number.isInteger(value);
  if (whole && value >= parameter.minimum && value <= parameter.maximum) return value;
  throw new Refusal("range", field, value, rule(parameter));
}

function checkNumbers(field: string, value: unknown, parameter: NumbersParameter, walk: Walk): number[] {
  if (!Array.isArray(value)) throw new Refusal("type", field, value, "must be a list of numbers");
  const numbers: number[] = [];
  for (const item of itemsOf(value, field, LONGEST_LIST, "numbers", walk)) {
    const path = `${field}.${numbers.length}`;
    const number = checkNumber(path, item, parameter);
    const last = numbers.at(-1);
    if (parameter.increasing && last !== undefined && number <= last) {
      throw new Refusal("range", path, item, `must be above the number before it, ${last}`);
    }
    numbers.push(number);
  }
  return numbers;
}

/** Lists that belong together must be equally long. */
function checkPairs(entry: KindEntry, checked: Plain, prefix: string): void {
  for (const [name, parameter] of Object.entries(entry.parameters)) {
    if (parameter.type !== "reals") continue;
    const { length } = checked[name] as number[];
    const sibling = checked[parameter.pairedWith] as number[];
    if (length === sibling.length) continue;
    const rule = `must be as many as ${parameter.pairedWith}: ${sibling.length}`;
    throw new Refusal("range", prefix + name, `${length} numbers`, rule, { shown: true });
  }
}

function checkParts(field: string, value: unknown, walk: Walk): Part[] {
  if (!Array.isArray(value))
    throw new Refusal("type", field, value, "must be a list of { mechanism, count }");
  return itemsOf(value, field, MOST_PARTS, "parts", walk).map((item, i) => {
    const path = `${field}.${i}`;
    const part = fieldsOf(item, path, "must be { mechanism, count }");
    refuseOthers(part, ["mechanism", "count"], `${path}.`);
    const mechanism = checkDescription(part.mechanism, `${path}.mechanism`, {
      ...walk,
      depth: walk.depth + 1,
    });
    return { mechanism, count: checkNumber(`${path}.count`, part.count, COUNT) };
  });
}

function checkChoice(field: string, value: unknown, options: readonly string[]): string {
  const choice = options.find((option) => option === value);
  if (choice !== undefined) return choice;
  throw new Refusal("unknown", field, value, `must be one of ${options.join(", ")}`);
}

function refuseOthers(value: Plain, known: readonly string[], prefix: string): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) {
      throw new Refusal(
        "unknown",
        prefix + key.slice(0, 80),
        value[key],
        `no such key; there are ${known.join(", ")}`,
      );
    }
  }
  for (const key of known) {
    if (!Object.hasOwn(value, key) && key !== "neighbours") {
      throw new Refusal("missing", prefix + key, undefined, "must be given");
    }
  }
}

function checkParameter(field: string, value: unknown, parameter: Parameter, walk: Walk): unknown {
  switch (parameter.type) {
    case "parts":
      return checkParts(field, value, walk);
    case "description":
      return checkDescription(value, field, { ...walk, depth: walk.depth + 1 });
    case "choice":
      return checkChoice(field, value, parameter.options);
    case "reals":
      return checkNumbers(field, value, parameter, walk);
    default:
      return checkNumber(field, value, parameter);
  }
}

/** What is meant by the parameters about which nothing need be said. */
function impliedBy(entry: KindEntry): Plain {
  const optional = Object.entries(entry.parameters).flatMap(([name, parameter]) =>
    parameter.type === "choice" && parameter.optional ? [[name, parameter.default]] : [],
  );
  return Object.fromEntries(optional);
}

function checkDescription(value: unknown, path: string, walk: Walk): Description {
  const prefix = path === "" ? "" : `${path}.`;
  if (walk.depth > DEEPEST)
    throw new Refusal("range", path, value, `must not be nested deeper than ${DEEPEST}`);
  const stated = fieldsOf(value, path || "description", "must be an object with a kind");
  const { kind } = stated;
  if (!isKind(kind)) {
    const rule = `must be one of ${Object.keys(KINDS).join(", ")}`;
    throw new Refusal("unknown", `${prefix}kind`, kind, rule);
  }
  const entry = entryOf(kind);
  const fields = { ...impliedBy(entry), ...stated };
  refuseOthers(fields, ["kind", "neighbours", ...Object.keys(entry.parameters)], prefix);
  const checked: Record<string, unknown> = { ...fields };
  for (const [name, parameter] of Object.entries(entry.parameters)) {
    checked[name] = checkParameter(prefix + name, fields[name], parameter, walk);
  }
  checkPairs(entry, checked, prefix);
  const description = checked as Description;
  checkNeighbours(description, fields.neighbours, `${prefix}neighbours`);
  return description;
}

/** The relations for which a checked description can answer; the first is the default. */
export function relationsOf(description: Description): readonly Neighbours[] {
  const { neighbours, parameters } = entryOf(description.kind);
  for (const [name, parameter] of Object.entries(parameters)) {
    const chosen = (description as Plain)[name];
    if (parameter.type === "choice" && parameter.neighbours)
      return parameter.neighbours[String(chosen)] ?? [];
  }
  return neighbours;
}

function checkNeighbours(description: Description, value: unknown, field: string): void {
  if (value === undefined) return;
  if (!NEIGHBOURS.some((known) => known === value)) {
    throw new Refusal("unknown", field, value, `must be one of ${NEIGHBOURS.join(", ")}`);
  }
  const relations = relationsOf(description);
  if (!relations.some((known) => known === value)) {
    const rule = `this ${description.kind} answers for ${relations.join(", ")} only`;
    throw new Refusal("unsupported", field, value, rule);
  }
}

/** A list, such as a ledger, is the composition of its mechanisms. */
function together(value: unknown): unknown {
  try {
    if (!Array.isArray(value)) return value;
    const of = Array.from({ length: value.length }, (_, i) => ({ mechanism: value[i], count: 1 }));
    return { kind: "composition", of };
  } catch {
    throw new Refusal("malformed", "description", "a list", "cannot be read", { shown: true });
  }
}

/** A description with what the value held when it was read, or a refusal. Checks everything that needs no mathematics. */
export function validate(value: unknown): Description {
  const description = checkDescription(together(value), "", { depth: 0, total: { items: 0 } });
  const common = neighboursOf(description);
  checkNeighbours(description, common, "neighbours");
  checkAgreement(description, common, "");
  return description;
}

/** The relation that the answer is about: the stated one, or the only possible one, or the kind's default. */
export function neighboursOf(description: Description): Neighbours {
  return requiredNeighbours(description) ?? (relationsOf(description)[0] as Neighbours);
}

/** The mechanisms inside a description, with their paths. */
function inside(description: Description): readonly { mechanism: Description; path: string }[] {
  if (description.kind === "composition") {
    return description.of.map((part: Part, i) => ({ mechanism: part.mechanism, path: `of.${i}.mechanism.` }));
  }
  return description.kind === "subsampled" ? [{ mechanism: description.of, path: "of." }] : [];
}

function requiredNeighbours(description: Description): Neighbours | undefined {
  if (description.neighbours) return description.neighbours;
  const relations = relationsOf(description);
  if (relations.length === 1) return relations[0];
  return inside(description)
    .map(({ mechanism }) => requiredNeighbours(mechanism))
    .find((relation) => relation !== undefined);
}

/** Everything inside a description must be about the same neighbours, and able to answer for them. */
function checkAgreement(description: Description, common: Neighbours, prefix: string): void {
  for (const { mechanism, path } of inside(description)) {
    const required = requiredNeighbours(mechanism);
    const able = relationsOf(mechanism).some((relation) => relation === common);
    if ((required && required !== common) || !able) {
      const rule = `all parts must be about the same neighbours, here ${common}`;
      throw new Refusal("unsupported", `${prefix}${path}neighbours`, required ?? mechanism.kind, rule);
    }
    checkAgreement(mechanism, common, prefix + path);
  }
}
