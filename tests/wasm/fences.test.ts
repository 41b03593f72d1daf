/** The catalogue's ranges and the core's own checks are two fences around the same ground: they must agree. */
import { expect, test } from "vitest";
import create from "../../build/wasm/full.mjs";
import { KINDS, type Kind } from "../../wasm/engine/catalogue.ts";
import { entryOf, withValues } from "../../wasm/engine/kinds.ts";
import { asked, checkRequest } from "../../wasm/release/fit-request.ts";

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

/** Where the range of one number follows from others: with which others its whole range is asked. */
const beside: { readonly [field: string]: (value: number) => object } = {
  "distributed-discrete-gaussian sigma": () => ({ clients: 1 }),
  "distributed-discrete-gaussian clients": () => ({ sigma: 10 }),
  "gaussian-mixture sigma": () => ({ sensitivities: [0, 0, 1e-96] }),
  "privacy-loss infinite": (value) => (value === 1 ? { masses: [0, 0, 0] } : {}),
};

test.each(numeric)("$kind $name ends where the core says", ({ kind, name }) => {
  const parameters = entryOf(kind).parameters as Record<
    string,
    { default: unknown; minimum?: number; maximum?: number; type: string; when?: Record<string, string[]> }
  >;
  // With an option of each choice that has this number. A mechanism inside has no default.
  const defaults = withValues(kind, (_, key) => {
    return parameters[name]?.when?.[key]?.[0] ?? parameters[key]?.default ?? { kind: "gdp", mu: 1 };
  });
  const {
    minimum = Number.NaN,
    maximum = Number.NaN,
    type,
  } = parameters[name] as (typeof parameters)[string];
  const at = (value: number) =>
    refused({ kind, ...defaults, ...beside[`${kind} ${name}`]?.(value), [name]: value });
  expect(at(minimum)).toBeUndefined();
  expect(at(maximum)).toBeUndefined();
  expect(at(type === "integer" ? minimum - 1 : below(minimum))).toBe(name);
  expect(at(type === "integer" ? maximum + 1 : maximum * (1 + Number.EPSILON))).toBe(name);
  expect(at(Number.NaN)).toBe(name);
});

/** The next double towards minus infinity. */
function below(value: number): number {
  return value === 0 ? -Number.MIN_VALUE : value - (Math.abs(value) * Number.EPSILON) / 2;
}

test("a fit is known by a number of its own, and by no other", () => {
  const none = new Float64Array();
  const refused = (answer: object) =>
    "refusal" in answer ? (answer.refusal as { field: string }).field : "";
  const request = {
    table: {
      unit: { protects: "row", rows: 1 },
      columns: [{ name: "x", use: "numeric", range: [0, 1], missing: "drop" }],
      label: { name: "y", use: "numeric", range: [0, 1], missing: "drop" },
      rowNorm: 1,
    },
    algorithm: { name: "ada-ssp" },
    budget: { epsilon: 1, delta: 1e-5 },
  };
  const never = (session: number) => [
    core.addRows(session, none, none),
    core.addSums(session, none, none, 1),
    core.runFit(
      session,
      () => true,
      1,
      1,
      () => true,
    ),
  ];
  for (const session of [0, -1, 0.5, 99, Number.NaN, 2 ** 40])
    expect(never(session).map(refused)).toEqual(["session", "session", "session"]);
  core.endSession(99);
  const begin = () => {
    const begun = core.beginFit(asked(checkRequest(request)), true);
    return "session" in begun ? begun.session : JSON.stringify(begun);
  };
  const [first, second] = [Number(begin()), Number(begin())];
  expect(first + second).toBeGreaterThan(0);
  expect(first).not.toBe(second);
  core.endSession(first);
  core.endSession(first);
  expect(never(first).map(refused)).toEqual(["session", "session", "session"]);
  expect(refused(core.addRows(second, none, none))).toBe("");
  core.endSession(second);
  expect(begin()).not.toBe(second);
});
