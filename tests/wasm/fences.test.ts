/** The catalogue's ranges and the core's own checks are two fences around the same ground: they must agree. */
import { expect, test } from "vitest";
import create from "../../build/wasm/epsilometer.mjs";
import { KINDS, type Kind } from "../../wasm/catalogue.ts";

const core = await create();

const numeric = (Object.keys(KINDS) as Kind[]).flatMap((kind) =>
  Object.entries(KINDS[kind].parameters)
    .filter(([, parameter]) => parameter.type === "real" || parameter.type === "integer")
    .map(([name]) => ({ kind, name })),
);

/** The field that the core refuses, unchecked by the engine. */
function refused(description: object): string | undefined {
  const answer = core.delta(description, 0.5, { group: 1, gap: 1e-4 });
  return "refusal" in answer ? answer.refusal.field : undefined;
}

test.each(numeric)("$kind $name ends where the core says", ({ kind, name }) => {
  const parameters: Record<string, { default: unknown; minimum?: number; maximum?: number; type: string }> = {
    ...KINDS[kind].parameters,
  } as never;
  // A mechanism inside has no default.
  const defaults = Object.fromEntries(
    Object.entries(parameters).map(([key, entry]) => [key, entry.default ?? { kind: "gdp", mu: 1 }]),
  );
  const {
    minimum = Number.NaN,
    maximum = Number.NaN,
    type,
  } = parameters[name] as (typeof parameters)[string];
  const at = (value: number) => refused({ kind, ...defaults, [name]: value });
  expect(at(minimum)).toBeUndefined();
  expect(at(maximum)).toBeUndefined();
  expect(at(type === "integer" ? minimum - 1 : below(minimum))).toBe(name);
  expect(at(type === "integer" ? maximum + 1 : maximum * (1 + Number.EPSILON))).toBe(name);
  expect(at(Number.NaN)).toBe(name);
});

/** The next double towards minus infinity. */
function below(value: number): number {
  return value === 0 ? -Number.MIN_VALUE : value * (1 - Number.EPSILON / 2);
}
