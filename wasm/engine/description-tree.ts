/**
 * What is inside a description, and where: the one grammar of paths such as `sigma`, `of.sigma` and
 * `of.0.mechanism.of.sigma`. Which parameter holds something comes from the catalogue, so no kind is named here.
 */
import { COUNT, type Description, type Neighbours, type NumberParameter, type Part } from "./catalogue.ts";
import { entryOf, innerOf, isList, LIST_KIND } from "./kinds.ts";

type Plain = Readonly<Record<string, unknown>>;

/** A mechanism directly inside another. */
export interface Child {
  readonly mechanism: Description;
  readonly count: number;
  /** Its path, from the description around it. */
  readonly path: string;
  /** The path of how often it runs, where that can be said. */
  readonly countPath?: string;
}

export function childrenOf(description: Description): readonly Child[] {
  const [name, inner] = innerOf(description.kind) ?? [];
  if (name === undefined) return [];
  const value = (description as Plain)[name];
  if (inner?.type === "description") return [{ mechanism: value as Description, count: 1, path: name }];
  return (value as readonly Part[]).map(({ mechanism, count }, i) => ({
    mechanism,
    count,
    path: `${name}.${i}.mechanism`,
    countPath: `${name}.${i}.count`,
  }));
}

/** What runs one after the other on the same table; of anything but a list, that itself, once and at no path. */
export const partsOf = (description: Description): readonly Child[] =>
  isList(description.kind) ? childrenOf(description) : [{ mechanism: description, count: 1, path: "" }];

/** Mechanisms that run on the same table, as one; not checked. */
export const together = (parts: readonly unknown[], neighbours?: Neighbours): Plain => ({
  kind: LIST_KIND,
  ...(neighbours && { neighbours }),
  [innerOf(LIST_KIND)?.[0] as string]: parts,
});

/** A list, such as a ledger, is all of its mechanisms together; not checked. */
export const listed = (mechanisms: readonly unknown[]): Plain =>
  together(Array.from({ length: mechanisms.length }, (_, i) => ({ mechanism: mechanisms[i], count: 1 })));

const INDEX = /^(0|[1-9]\d*)$/;

/** A number of a description, as the catalogue and as the core have it. */
export interface Place {
  readonly parameter: NumberParameter;
  /** Which part to enter, from the outermost description on; what is not in a list is part 0. */
  readonly parts: readonly number[];
  /** Its name in what is reached so; empty for how often the last of these parts runs. */
  readonly number: string;
}

/** With its effect beside the choices that were made. */
function inForce(parameter: NumberParameter, choices: Plain): NumberParameter {
  const made = Object.entries(parameter.unsteady ?? {});
  const isUnsteady = made.some(([choice, options]) => options.some((option) => option === choices[choice]));
  return isUnsteady ? { ...parameter, effect: "none" } : parameter;
}

/** Where the number at a path stands, if there is one. */
export function placeAt(description: Description, path: string): Place | undefined {
  const [name = "", ...rest] = path.split(".");
  const { parameters } = entryOf(description.kind);
  const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  const value = (description as Plain)[name];
  if (parameter?.type === "real" || parameter?.type === "integer")
    return rest.length === 0 && value !== undefined
      ? { parameter: inForce(parameter, description as Plain), parts: [], number: name }
      : undefined;
  const within = (part: number, mechanism: Description, inner: readonly string[]) => {
    const found = placeAt(mechanism, inner.join("."));
    return found && { ...found, parts: [part, ...found.parts] };
  };
  if (parameter?.type === "description") return within(0, value as Description, rest);
  if (parameter?.type !== "parts") return undefined;
  const [index = "", key, ...inner] = rest;
  const at = Number(index);
  const part = INDEX.test(index) ? (value as readonly Part[])[at] : undefined;
  if (part && key === "count" && inner.length === 0) return { parameter: COUNT, parts: [at], number: "" };
  return part && key === "mechanism" ? within(at, part.mechanism, inner) : undefined;
}

/** The catalogue's entry of the number at a path, if there is one. */
export const parameterAt = (description: Description, path: string): NumberParameter | undefined =>
  placeAt(description, path)?.parameter;

/** The paths of all numbers of a description, of the first `most` mechanisms of each list. */
export function numbersOf(description: Description, most: number): string[] {
  const own = Object.keys(entryOf(description.kind).parameters).filter((name) =>
    parameterAt(description, name),
  );
  const inner = childrenOf(description)
    .slice(0, most)
    .flatMap(({ mechanism, path, countPath }) => [
      ...(countPath === undefined ? [] : [countPath]),
      ...numbersOf(mechanism, most).map((one) => `${path}.${one}`),
    ]);
  return [...own, ...inner];
}

/** The same description with another number at a path that leads to one. */
export function withNumber(description: Description, path: string, value: number): Description {
  const copy = structuredClone(description);
  const steps = path.split(".");
  const last = steps.pop() as string;
  // biome-ignore lint/suspicious/noExplicitAny: the path was checked against the catalogue
  const holder = steps.reduce((inside: any, step) => inside[step], copy);
  holder[last] = value;
  return copy;
}

/** As the core has it: whatever is inside is a list of parts, which run once where nothing else is said. */
export interface CoreDescription {
  readonly kind: Description["kind"];
  readonly of?: readonly { readonly mechanism: CoreDescription; readonly count: number }[];
}

/** What the core says that it runs, spelled as everywhere else; not checked. */
export function fromCore({ of = [], ...numbers }: CoreDescription): Plain {
  const [name, inner] = innerOf(numbers.kind) ?? [];
  if (name === undefined) return numbers;
  const parts = of.map(({ mechanism, count }) => ({ mechanism: fromCore(mechanism), count }));
  return { ...numbers, [name]: inner?.type === "parts" ? parts : parts[0]?.mechanism };
}
