/**
 * Descriptions, checked by the catalogue: one shape each kind, which makes a description of an unknown value or refuses it
 * with the path of the field, and says the same as JSON Schema.
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
  type Parameter,
} from "./catalogue.ts";
import { childrenOf, listed } from "./description-tree.ts";
import { belongs, decidingOf, entryOf, innerOf, insideOf, isKind, whenWords } from "./kinds.ts";
import { nested, refined, within } from "./nested.ts";
import { Refusal } from "./refusal.ts";
import {
  choice,
  constant,
  fieldsOf,
  inside,
  type JsonSchema,
  list,
  optional,
  real,
  record,
  type Shape,
  whole,
} from "./shape.ts";

const DEEPEST = 16;
const MOST_PARTS = 100_000;
const LONGEST_LIST = 1000;
/** Lists inside parts multiply: what is small enough one by one may be too much to compute with together. */
const MOST_ITEMS = 200_000;

type Plain = Readonly<Record<string, unknown>>;
type Range = Pick<NumberParameter, "minimum" | "maximum"> & { readonly type: string };

/** Finite numbers within the parameter's range. */
export const numberShape = ({ type, minimum, maximum }: Range): Shape<number> =>
  type === "integer" ? whole(minimum, maximum) : real(minimum, maximum);

const inner = nested("description", () => DESCRIPTION);
const part = record({ mechanism: inner, count: numberShape(COUNT) });

function checkIncreasing(field: string, numbers: readonly number[]): void {
  const at = numbers.findIndex((number, i) => i > 0 && number <= (numbers[i - 1] as number));
  if (at < 0) return;
  const rule = `must be above the number before it, ${numbers[at - 1]}`;
  throw new Refusal("range", inside(field, at), numbers[at], rule);
}

function shapeOf(parameter: Parameter): Shape<unknown> {
  switch (parameter.type) {
    case "parts":
      return list(part, 1, MOST_PARTS, "parts");
    case "description":
      return inner;
    case "choice": {
      const shape = choice(...parameter.options);
      return parameter.optional ? optional(shape, parameter.default) : shape;
    }
    case "reals": {
      const numbers = list(real(parameter.minimum, parameter.maximum), 1, LONGEST_LIST, "numbers");
      return parameter.increasing ? refined(numbers, checkIncreasing) : numbers;
    }
    default:
      return numberShape(parameter);
  }
}

/** Lists that belong together must be equally long. */
function checkPairs({ parameters }: KindEntry, field: string, checked: Plain): void {
  for (const [name, parameter] of Object.entries(parameters)) {
    if (parameter.type !== "reals" || !parameter.pairedWith) continue;
    const { length } = checked[name] as number[];
    const sibling = checked[parameter.pairedWith] as number[];
    if (length === sibling.length) continue;
    const rule = `must be as many as ${parameter.pairedWith}: ${sibling.length}`;
    throw new Refusal("range", inside(field, name), `${length} numbers`, rule, { shown: true });
  }
}

/** What some options of a choice have must be there with them, and with no others. */
function checkBelonging({ parameters }: KindEntry, field: string, checked: Plain): void {
  for (const [name, parameter] of Object.entries(parameters)) {
    if (!parameter.when) continue;
    const value = checked[name];
    const expected = belongs(parameter, (choice) => checked[choice]);
    if (expected === (value !== undefined)) continue;
    const at = inside(field, name);
    if (expected) throw new Refusal("missing", at, undefined, "must be given");
    throw new Refusal("unknown", at, value, `is a parameter only ${whenWords(parameter)}`);
  }
}

/** The same as JSON Schema. */
const belonging = ([name, parameter]: [string, Parameter]): JsonSchema[] =>
  Object.entries(parameter.when ?? {}).map(([choice, options]) => ({
    // Of a choice that is left out, nothing has to be given.
    if: { properties: { [choice]: { enum: options } }, required: [choice] },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    then: { required: [name] },
    else: { properties: { [name]: false } },
  }));

/** Where a choice decides which tables count as neighbours. */
const decided = ([name, parameter]: [string, Parameter]): JsonSchema[] =>
  parameter.type === "choice" && parameter.neighbours
    ? Object.entries(parameter.neighbours).map(([option, neighbours]) => ({
        // A choice that is left out is its default.
        if: {
          properties: { [name]: { const: option } },
          ...(option !== parameter.default && { required: [name] }),
        },
        // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
        then: { properties: { neighbours: { enum: neighbours } } },
      }))
    : [];

/** Where it decides what the mechanism inside must say that it is about. */
const deciding = (kind: Kind, [name, parameter]: [string, Parameter]): JsonSchema[] =>
  Object.entries((parameter.type === "choice" && parameter.inside) || {}).flatMap(([option, relations]) =>
    Object.entries(relations).map(([relation, inner]) => ({
      if: {
        properties: { [name]: { const: option }, neighbours: { const: relation } },
        required: ["neighbours"],
      },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
      then: {
        properties: {
          [innerOf(kind)?.[0] ?? ""]: {
            properties: { neighbours: { enum: inner.neighbours } },
            ...(inner.said && { required: ["neighbours"] }),
          },
        },
      },
    })),
  );

const relation = choice(...NEIGHBOURS);

/** A kind with its parameters; which relations it answers for depends on them. */
function ofKind(kind: Kind): Shape<Description> {
  const entry = entryOf(kind);
  const { title, help, neighbours, parameters } = entry;
  const worded = Object.entries(parameters).map(([name, parameter]) => {
    const shape = parameter.when ? optional(shapeOf(parameter), undefined) : shapeOf(parameter);
    const schema = { ...shape.schema, title: parameter.title, description: parameter.help };
    return [name, { ...shape, schema }] as const;
  });
  const stated = optional({ ...relation, schema: { enum: neighbours } }, undefined);
  const shape = record({ kind: constant(kind), ...Object.fromEntries(worded), neighbours: stated });
  const rules = Object.entries(parameters).flatMap((one) => [
    ...decided(one),
    ...belonging(one),
    ...deciding(kind, one),
  ]);
  return {
    ...shape,
    schema: { title, description: help, ...shape.schema, ...(rules.length > 0 && { allOf: rules }) },
    check(field, value, limits) {
      const checked = shape.check(field, value, limits);
      checkBelonging(entry, field, checked);
      checkPairs(entry, field, checked);
      checkNeighbours(checked as Description, checked.neighbours, inside(field, "neighbours"));
      return inOrder(entry, checked, value as Plain) as Description;
    },
  };
}

/** What was left out and is implied first, then everything in the order in which it was said. */
function inOrder({ parameters }: KindEntry, checked: Plain, stated: Plain): Plain {
  const implied = Object.entries(parameters).flatMap(([name, parameter]) =>
    parameter.type === "choice" && parameter.optional ? [name] : [],
  );
  return Object.fromEntries([...implied, ...Object.keys(stated)].map((name) => [name, checked[name]]));
}

const shapes = new Map<Kind, Shape<Description>>();

/** The shape of a kind, made when it is first asked for. */
export function kindShape(kind: Kind): Shape<Description> {
  const known = shapes.get(kind) ?? ofKind(kind);
  shapes.set(kind, known);
  return known;
}

/** One mechanism of any kind. What parts must agree about, `validate` checks. */
export const DESCRIPTION: Shape<Description> = {
  schema: { $ref: "#/$defs/description", $comment: `Nested at most ${DEEPEST} deep.` },
  check(field, value, limits) {
    const stated = fieldsOf(field || "description", value, "must be an object with a kind");
    return shapeOfKind(field, stated.kind).check(field, stated, limits);
  },
  parts(field, value) {
    const { kind } = value as Plain;
    return isKind(kind) ? (kindShape(kind).parts?.(field, value) ?? []) : [];
  },
};

function shapeOfKind(field: string, kind: unknown): Shape<Description> {
  if (isKind(kind)) return kindShape(kind);
  const rule = `must be one of ${Object.keys(KINDS).join(", ")}`;
  throw new Refusal("unknown", inside(field, "kind"), kind, rule);
}

/** The relations for which a checked description can answer; the first is the default. */
export function relationsOf(description: Description): readonly Neighbours[] {
  const [name = "", choice] = decidingOf(description.kind) ?? [];
  if (choice) return choice.neighbours?.[String((description as Plain)[name])] ?? [];
  return entryOf(description.kind).neighbours;
}

function checkNeighbours(description: Description, value: unknown, field: string): void {
  if (value === undefined) return;
  const relations = relationsOf(description);
  if (relations.some((known) => known === value)) return;
  const rule = `this ${description.kind} answers for ${relations.join(", ")} only`;
  throw new Refusal("unsupported", field, value, rule);
}

/** A list, such as a ledger, is the composition of its mechanisms. */
function asOne(value: unknown): unknown {
  try {
    return Array.isArray(value) ? listed(value) : value;
  } catch {
    throw new Refusal("malformed", "description", "a list", "cannot be read", { shown: true });
  }
}

/** How large what is asked about may be, counted from the start. */
export const freshLimits = () => within(DEEPEST, MOST_ITEMS);

/**
 * A description with what the value held when it was read, or a refusal. Checks everything that needs no mathematics.
 * `field` is where it stands, when it is a part of something else.
 */
export function validate(value: unknown, field = ""): Description {
  const description = DESCRIPTION.check(field, asOne(value), freshLimits());
  const common = neighboursOf(description);
  checkNeighbours(description, common, inside(field, "neighbours"));
  agree(description, common, field);
  return description;
}

/**
 * The relation that the answer is about: the stated one, or the only possible one, or the kind's default; of several
 * parts one that all of them have, if possible the default of a part.
 */
export function neighboursOf(description: Description): Neighbours {
  const required = requiredNeighbours(description);
  if (required) return required;
  const relations = relationsOf(description);
  const shared = relations.filter((relation) => answersFor(description, relation));
  const own = childrenOf(description).map(({ mechanism }) => neighboursOf(mechanism));
  return shared.find((one) => own.includes(one)) ?? shared[0] ?? (relations[0] as Neighbours);
}

/** Whether everything in a description that states no relation can be about this one. */
function answersFor(description: Description, relation: Neighbours): boolean {
  const [choice = ""] = decidingOf(description.kind) ?? [];
  const { neighbours = [relation] } =
    insideOf(description.kind, (description as Plain)[choice], relation) ?? {};
  return (
    relationsOf(description).includes(relation) &&
    childrenOf(description).every(({ mechanism }) => neighbours.some((own) => answersFor(mechanism, own)))
  );
}

function requiredNeighbours(description: Description): Neighbours | undefined {
  if (description.neighbours) return description.neighbours;
  const relations = relationsOf(description);
  const [name = "", choice] = decidingOf(description.kind) ?? [];
  // Another relation is another price, and is said: it does not follow from what stands around or inside.
  const isOpen = !choice?.inside || choice.alike?.[String((description as Plain)[name])];
  if (relations.length === 1 || !isOpen) return relations[0];
  return childrenOf(description)
    .map(({ mechanism }) => requiredNeighbours(mechanism))
    .find((relation) => relation !== undefined);
}

/** What a mechanism in such a description is about, or a refusal: the same neighbours, but for what the catalogue says. */
function relationInside(around: Description, mechanism: Description, common: Neighbours, field: string) {
  const required = requiredNeighbours(mechanism);
  const [choice = ""] = decidingOf(around.kind) ?? [];
  const other = insideOf(around.kind, (around as Plain)[choice], common);
  const allowed = other?.neighbours ?? [common];
  const rule = other?.rule ?? `all parts must be about the same neighbours, here ${common}`;
  const own = required ?? (other?.said ? undefined : allowed[0]);
  const able = relationsOf(mechanism).some((relation) => relation === (own ?? allowed[0]));
  if (own && able && allowed.includes(own)) return own;
  throw new Refusal("unsupported", field, required ?? (able ? undefined : mechanism.kind), rule);
}

/** Everything inside a description must agree about neighbours. */
function agree(description: Description, common: Neighbours, field: string): void {
  for (const { mechanism, path } of childrenOf(description)) {
    const part = inside(field, path);
    agree(mechanism, relationInside(description, mechanism, common, inside(part, "neighbours")), part);
  }
}
