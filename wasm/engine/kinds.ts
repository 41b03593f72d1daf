/** The kinds by what is inside them, which the types of their parameters tell: nothing, one mechanism, a list of them. */
import {
  type Around,
  type ChoiceParameter,
  type Description,
  type Inside,
  KINDS,
  type Kind,
  type KindEntry,
  type Neighbours,
  type Parameter,
  type Way,
} from "./catalogue.ts";

type ParameterTypes<K extends Kind> =
  (typeof KINDS)[K]["parameters"][keyof (typeof KINDS)[K]["parameters"]] extends infer P
    ? P extends { readonly type: infer T }
      ? T
      : never
    : never;
type KindsWith<T> = { [K in Kind]: T extends ParameterTypes<K> ? K : never }[Kind];

/** A mechanism around another one. */
export type WrapperKind = KindsWith<"description">;
/** Several mechanisms, each as often as its count says. */
export type ListKind = KindsWith<"parts">;
/** A mechanism with nothing inside. */
export type LeafKind = Exclude<Kind, WrapperKind | ListKind>;

/** The entry of a kind, seen by its general shape. */
export const entryOf = (kind: Kind): KindEntry => KINDS[kind];

export const isKind = (value: unknown): value is Kind =>
  typeof value === "string" && Object.hasOwn(KINDS, value);

/** What is found for a kind, looked for once: a composition asks it of every part, several times. */
function once<T>(find: (kind: Kind) => T): (kind: Kind) => T {
  const known = new Map<Kind, T>();
  return (kind) => {
    if (!known.has(kind)) known.set(kind, find(kind));
    return known.get(kind) as T;
  };
}

/** The parameter that holds what is inside, if there is any. */
export const innerOf = once((kind) =>
  Object.entries(entryOf(kind).parameters).find(([, { type }]) => type === "description" || type === "parts"),
);

export const isWrapper = (kind: Kind): kind is WrapperKind => innerOf(kind)?.[1].type === "description";
export const isList = (kind: Kind): kind is ListKind => innerOf(kind)?.[1].type === "parts";
export const isLeaf = (kind: Kind): kind is LeafKind => innerOf(kind) === undefined;

const KIND_NAMES = Object.keys(KINDS) as Kind[];
export const LEAF_KINDS = KIND_NAMES.filter(isLeaf);
export const WRAPPER_KINDS = KIND_NAMES.filter(isWrapper);
export const LIST_KIND = KIND_NAMES.find(isList) as ListKind;

/** A description of a mechanism around another one. */
export type Wrapped = Extract<Description, { kind: WrapperKind }>;
export const isWrapped = (description: Description): description is Wrapped => isWrapper(description.kind);

/** How a mechanism around another one is said. */
export const aroundOf = (kind: WrapperKind): Around => KINDS[kind].around;

/** The choice of a kind that decides which tables count as neighbours, if it has one. */
export const decidingOf = once((kind): [name: string, choice: ChoiceParameter] | undefined =>
  Object.entries(entryOf(kind).parameters).find(
    (entry): entry is [string, ChoiceParameter] => entry[1].type === "choice" && !!entry[1].neighbours,
  ),
);

/** What a mechanism inside must be about, for a relation of the whole and its chosen option, if not the same. */
export function insideOf(kind: Kind, option: unknown, neighbours: Neighbours): Inside | undefined {
  const [, choice] = decidingOf(kind) ?? [];
  return choice?.inside?.[String(option)]?.[neighbours];
}

/** The option of that choice that is meant where only the relation is said. */
export function optionFor(kind: Kind, neighbours: Neighbours): string | undefined {
  const [, choice] = decidingOf(kind) ?? [];
  const first = choice?.options.find((one) => choice.neighbours?.[one]?.includes(neighbours));
  return choice?.meant?.[neighbours] ?? first ?? choice?.default;
}

/** Whether the relation alone decides an option: no two answer for the same one. */
export function isDecided({ neighbours }: ChoiceParameter): boolean {
  const all = Object.values(neighbours ?? {}).flat();
  return neighbours !== undefined && new Set(all).size === all.length;
}

/** Whether it is a parameter of a description at all, given the options chosen there. */
export const belongs = ({ when = {} }: Parameter, chosen: (choice: string) => unknown): boolean =>
  Object.entries(when).every(([choice, options]) => options.some((one) => one === chosen(choice)));

/** The parameters of a kind with a value each, of those that it has with the options among these values. */
export function withValues(
  kind: Kind,
  value: (parameter: Parameter, name: string) => unknown,
): Readonly<Record<string, unknown>> {
  const { parameters } = entryOf(kind);
  const chosen = (choice: string) => value(parameters[choice] as Parameter, choice);
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, parameter]) =>
      belongs(parameter, chosen) ? [[name, value(parameter, name)]] : [],
    ),
  );
}

/** With which options it is one, in words; nothing where with all. */
export const whenWords = ({ when = {} }: Parameter): string =>
  Object.entries(when)
    .map(([choice, options]) => `where ${choice} is ${options.join(" or ")}`)
    .join(" and ");

/** The way of an option; the only one where there is no choice. */
export const wayFor = (kind: WrapperKind, option: unknown): Way => {
  const { ways } = aroundOf(kind);
  return ways.find((way) => way.option === option) ?? ways[0];
};

/** The way in which a wrapper is around its mechanism, where only the relation is said. */
export const wayOf = (kind: WrapperKind, neighbours: Neighbours): Way =>
  wayFor(kind, optionFor(kind, neighbours));

/** The same of one that was described. */
export function wayOfDescription(description: Wrapped): Way {
  const [name = ""] = decidingOf(description.kind) ?? [];
  return wayFor(description.kind, (description as Readonly<Record<string, unknown>>)[name]);
}

/** What somebody must know to whom an answer about it is shown. */
export function toldOf(description: Wrapped, neighbours: Neighbours): string[] {
  const { told, toldFor } = wayOfDescription(description);
  const values = description as Readonly<Record<string, unknown>>;
  return [told, toldFor?.[neighbours]].flatMap((text) =>
    text === undefined ? [] : [filled(text, (name) => String(values[name])).join("")],
  );
}

/** What follows the name of a way: its parameters. */
export const measuredBy = (kind: WrapperKind, way: Way): string => way.measured ?? aroundOf(kind).measured;

/** A text with what stands for each parameter in braces, piece by piece. */
export const filled = <T>(text: string, value: (name: string) => T): (string | T)[] =>
  text.split(/\{(\w+)\}/).map((piece, i) => (i % 2 === 0 ? piece : value(piece)));

/** What stands in its braces. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
