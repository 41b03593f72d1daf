/** Checks that an unknown value is a description, by the catalogue; every refusal names the path of the field. */
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

const DEEPEST = 16;
const MOST_PARTS = 100_000;
const LONGEST_LIST = 10_000;

type Plain = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

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

function checkNumbers(field: string, value: unknown, parameter: NumbersParameter, sibling: unknown): void {
  if (!Array.isArray(value)) throw new Refusal("type", field, value, "must be a list of numbers");
  if (value.length === 0 || value.length > LONGEST_LIST) {
    throw new Refusal("range", field, `${value.length} numbers`, `must hold 1 to ${LONGEST_LIST} numbers`);
  }
  value.forEach((item, i) => {
    checkNumber(`${field}.${i}`, item, parameter);
    if (parameter.increasing && i > 0 && !(item > value[i - 1])) {
      throw new Refusal(
        "range",
        `${field}.${i}`,
        item,
        `must be above the number before it, ${value[i - 1]}`,
      );
    }
  });
  if (Array.isArray(sibling) && sibling.length !== value.length) {
    throw new Refusal(
      "range",
      field,
      `${value.length} numbers`,
      `must be as many as ${parameter.pairedWith}: ${sibling.length}`,
    );
  }
}

function checkParts(field: string, value: unknown, depth: number): void {
  if (!Array.isArray(value))
    throw new Refusal("type", field, value, "must be a list of { mechanism, count }");
  if (value.length === 0 || value.length > MOST_PARTS) {
    throw new Refusal("range", field, `${value.length} parts`, `must hold 1 to ${MOST_PARTS} parts`);
  }
  value.forEach((part, i) => {
    const path = `${field}.${i}`;
    if (!isPlain(part)) throw new Refusal("type", path, part, "must be { mechanism, count }");
    refuseOthers(part, ["mechanism", "count"], `${path}.`);
    checkDescription(part.mechanism, `${path}.mechanism`, depth + 1);
    checkNumber(`${path}.count`, part.count, COUNT);
  });
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

function checkDescription(value: unknown, path: string, depth: number): asserts value is Description {
  const prefix = path === "" ? "" : `${path}.`;
  if (!isPlain(value))
    throw new Refusal("type", path || "description", value, "must be an object with a kind");
  if (depth > DEEPEST) throw new Refusal("range", path, value, `must not be nested deeper than ${DEEPEST}`);
  if (!isKind(value.kind)) {
    throw new Refusal(
      "unknown",
      `${prefix}kind`,
      value.kind,
      `must be one of ${Object.keys(KINDS).join(", ")}`,
    );
  }
  const entry = entryOf(value.kind);
  refuseOthers(value, ["kind", "neighbours", ...Object.keys(entry.parameters)], prefix);
  for (const [name, parameter] of Object.entries(entry.parameters)) {
    const field = prefix + name;
    if (parameter.type === "parts") checkParts(field, value[name], depth);
    else if (parameter.type === "reals")
      checkNumbers(field, value[name], parameter, value[parameter.pairedWith]);
    else checkNumber(field, value[name], parameter);
  }
  checkNeighbours(value.kind, value.neighbours, `${prefix}neighbours`);
}

function checkNeighbours(kind: Kind, value: unknown, field: string): void {
  if (value === undefined) return;
  if (!NEIGHBOURS.some((known) => known === value)) {
    throw new Refusal("unknown", field, value, `must be one of ${NEIGHBOURS.join(", ")}`);
  }
  const { neighbours } = entryOf(kind);
  if (!neighbours.some((known) => known === value)) {
    throw new Refusal("unsupported", field, value, `${kind} answers for ${neighbours.join(", ")} only`);
  }
}

/** The value as a description, or a refusal. Checks everything that needs no mathematics. */
export function validate(value: unknown): Description {
  checkDescription(value, "", 0);
  checkAgreement(value, neighboursOf(value), "");
  return value;
}

/** The relation that the answer is about: the stated one, or the only possible one, or the kind's default. */
export function neighboursOf(description: Description): Neighbours {
  return requiredNeighbours(description) ?? (entryOf(description.kind).neighbours[0] as Neighbours);
}

function requiredNeighbours(description: Description): Neighbours | undefined {
  if (description.neighbours) return description.neighbours;
  if (description.kind === "composition") {
    return description.of
      .map((part) => requiredNeighbours(part.mechanism))
      .find((relation) => relation !== undefined);
  }
  const { neighbours } = entryOf(description.kind);
  return neighbours.length === 1 ? neighbours[0] : undefined;
}

/** All parts of a composition must be about the same neighbours. */
function checkAgreement(description: Description, common: Neighbours, prefix: string): void {
  if (description.kind !== "composition") return;
  description.of.forEach(({ mechanism }: Part, i) => {
    const path = `${prefix}of.${i}.mechanism.`;
    const required = requiredNeighbours(mechanism);
    if (required && required !== common) {
      const rule = `all parts of a composition must be about the same neighbours, here ${common}`;
      throw new Refusal("unsupported", `${path}neighbours`, required, rule);
    }
    checkAgreement(mechanism, common, path);
  });
}

/** The catalogue's entry of the number at a path such as `sigma` or `of.0.mechanism.sigma`. */
export function parameterAt(description: Description, path: string): NumberParameter {
  const step = /^of\.(\d+)\.(count$|mechanism\.)/.exec(path);
  const part: Part | undefined =
    step && description.kind === "composition" ? description.of[Number(step[1])] : undefined;
  if (step && part)
    return step[2] === "count" ? COUNT : parameterAt(part.mechanism, path.slice(step[0].length));
  const { parameters } = entryOf(description.kind);
  const parameter: Parameter | undefined = Object.hasOwn(parameters, path) ? parameters[path] : undefined;
  if (parameter?.type === "real" || parameter?.type === "integer") return parameter;
  const rule = "must be the path of a number of the description, such as sigma or of.0.mechanism.sigma";
  throw new Refusal("unknown", "parameter", path, rule);
}
