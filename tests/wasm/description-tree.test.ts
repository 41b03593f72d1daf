/** The one grammar of paths, and the catalogue's data about what is inside what. */
import { expect, test } from "vitest";
import { type Description, KINDS, type Kind, type Parameter } from "../../wasm/engine/catalogue.ts";
import { validate } from "../../wasm/engine/description.ts";
import {
  childrenOf,
  fromCore,
  numbersOf,
  parameterAt,
  partsOf,
  placeAt,
  withNumber,
} from "../../wasm/engine/description-tree.ts";
import {
  aroundOf,
  belongs,
  decidingOf,
  entryOf,
  innerOf,
  isKind,
  LEAF_KINDS,
  measuredBy,
  namesIn,
  WRAPPER_KINDS,
  withValues,
} from "../../wasm/engine/kinds.ts";

const leaf = { kind: "laplace", scale: 2, sensitivity: 1 } as const;
const value = (parameter: Parameter): unknown => {
  if (parameter.type === "description") return leaf;
  if (parameter.type === "parts")
    return [leaf, { kind: "gdp", mu: 1 }].map((mechanism, i) => ({ mechanism, count: i + 1 }));
  return parameter.default;
};
const examples = (Object.keys(KINDS) as Kind[]).map((kind) => validate({ kind, ...withValues(kind, value) }));
const nested = examples.flatMap((one) => {
  const wraps = WRAPPER_KINDS.map((kind) => {
    const [inner = ""] = innerOf(kind) ?? [];
    return { ...(examples.find((other) => other.kind === kind) as Description), [inner]: one } as Description;
  });
  return [one, ...wraps];
});

/** What stands at a path of a plain value. */
const at = (description: Description, path: string): unknown =>
  path.split(".").reduce((inside, step) => Reflect.get(inside as object, step), description as unknown);

/** What the core reaches there: part by part, and then the name. */
function reached(description: Description, path: string): unknown {
  const { parts = [], number = "" } = placeAt(description, path) ?? {};
  let one = { mechanism: description, count: Number.NaN };
  for (const part of parts) one = childrenOf(one.mechanism)[part] as typeof one;
  return number === "" ? one.count : at(one.mechanism, number);
}

test.each(nested.map((one) => [JSON.stringify(one).slice(0, 90), one] as const))(
  "every number of %s has a path of its own",
  (_, description) => {
    const paths = numbersOf(description, 100);
    const count = JSON.stringify(description).match(/:-?\d/g)?.length ?? 0;
    expect(paths.length).toBe(count);
    for (const path of paths) {
      expect(typeof at(description, path), path).toBe("number");
      expect(parameterAt(description, path)?.minimum, path).toBeTypeOf("number");
      const changed = withNumber(description, path, 7.25);
      expect(at(changed, path)).toBe(7.25);
      expect(reached(changed, path), path).toBe(7.25);
      expect(withNumber(changed, path, at(description, path) as number)).toEqual(description);
    }
    for (const path of [
      "",
      "kind",
      "of",
      "of.",
      "of.0",
      "of.00.count",
      "constructor",
      "of.0.mechanism",
      ...paths.map((one) => `${one}.x`),
    ])
      expect(parameterAt(description, path), path).toBeUndefined();
  },
);

test("what the core says that it runs is spelled as everywhere", () => {
  type Core = Parameters<typeof fromCore>[0];
  const asCore = (description: Description): Core => {
    const [name = ""] = innerOf(description.kind) ?? [];
    const { [name]: _, ...rest } = description as unknown as Record<string, unknown>;
    const of = childrenOf(description).map(({ mechanism, count }) => ({
      mechanism: asCore(mechanism),
      count,
    }));
    return { ...(rest as unknown as Core), ...(of.length > 0 && { of }) };
  };
  for (const one of nested) expect(fromCore(asCore(one))).toEqual(one);
});

test("what is not a list is its own only part", () => {
  for (const one of nested.filter(({ kind }) => innerOf(kind)?.[1].type !== "parts"))
    expect(partsOf(one)).toEqual([{ mechanism: one, count: 1, path: "" }]);
});

test.each(WRAPPER_KINDS)("%s is said with every parameter, in every way", (kind) => {
  const { ways } = aroundOf(kind);
  const [decided, choice] = decidingOf(kind) ?? [];
  const [inner] = innerOf(kind) ?? [];
  const names = Object.keys(entryOf(kind).parameters).filter((name) => name !== decided && name !== inner);
  for (const way of ways) {
    // Those that depend on another choice are left out where that has none.
    const own = names.filter((name) => {
      const parameter = entryOf(kind).parameters[name] as Parameter;
      return belongs(parameter, (one) => (one === decided ? way.option : parameter.when?.[one]?.[0]));
    });
    expect(namesIn(measuredBy(kind, way)).sort()).toEqual(own.sort());
  }
  // A link tells that it is there by one of them.
  expect(names.length).toBeGreaterThan(0);
  expect(ways.map(({ option }) => option)).toEqual(choice ? choice.options : [undefined]);
  for (const { dpEvent } of ways) {
    if (!dpEvent) continue;
    expect(dpEvent.of.filter((one) => !isKind(one))).toEqual([]);
    for (const name of namesIn(dpEvent.text)) expect([...names, inner]).toContain(name);
  }
});

test("there are leaves, and something around them", () => {
  expect(LEAF_KINDS.length).toBeGreaterThan(10);
  expect(WRAPPER_KINDS.length).toBeGreaterThan(0);
});
