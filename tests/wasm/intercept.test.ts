/**
 * Whoever says nothing of an intercept is not refused for one: of every algorithm there is. What says how rows become features
 * changes what comes out, or is refused by name; so is what only another loss is asked.
 */
import { expect, test } from "vitest";
import { open } from "../../wasm/engine.ts";
import { ALGORITHMS, LOSSES, lossOf, rowOf } from "../../wasm/release/algorithms.ts";
import { csv, NAMES, request } from "./every-algorithm.ts";
import { refused } from "./refused.ts";

const engine = await open();

test.each(NAMES)(
  "%s takes a table whose intercept is left out, and refuses one by name if at all",
  (name) => {
    const { table, ...asked } = request(name);
    const plan = (intercept: object) => engine.plan({ ...asked, table: { ...table, ...intercept } });
    const usual = rowOf(name).withoutIntercept ? 0 : 1;
    expect(plan({})).toEqual(plan({ intercept: usual }));
    expect(plan({ intercept: 0 }).parameters).toBeDefined();
    if (usual === 1) return;
    for (const intercept of [1, 1e-9])
      expect(refused(() => plan({ intercept }))).toBe("range table.intercept");
  },
);

test("what was left out is told as it was taken", async () => {
  for (const [name, intercept] of [
    ["principal-subspace", 0],
    ["noisy-covariance", 1],
    ["ada-ssp", 1],
  ] as const) {
    const { request: told } = await engine.fit(csv, request(name));
    expect(told.table.intercept).toBe(intercept);
  }
});

/** What a fit came to, without what was asked; or the refusal. */
async function outcome(asked: object): Promise<unknown> {
  try {
    const { request: _, ...release } = (await engine.fit(csv, asked as never)) as object & {
      request: unknown;
    };
    return release;
  } catch (error) {
    return refused(() => {
      throw error;
    });
  }
}

test.each(NAMES)(
  "%s makes something of a row norm and of an intercept, or refuses it by name",
  async (name) => {
    const { table, ...asked } = request(name);
    const usual = await outcome({ ...asked, table });
    for (const [key, value] of [
      ["rowNorm", 0.5],
      ["intercept", 0.5],
    ] as const) {
      const changed = await outcome({ ...asked, table: { ...table, [key]: value } });
      expect(changed).not.toEqual(usual);
      if (typeof changed === "string") expect(changed).toBe(`range table.${key}`);
    }
  },
);

test.each(["count", "sums", "quantiles"])("everyday numbers refuse both by name: %s", (of) => {
  const { table } = request("noisy-covariance");
  const entry = { count: {}, sums: { columns: ["x"] }, quantiles: { column: "x", probabilities: [0.5] } }[of];
  const asked = (more: object) => ({
    table: { ...table, ...more },
    releases: [{ of, ...entry }],
    budget: { epsilon: 1, delta: 1e-5 },
  });
  const plan = (more: object) => engine.plan(asked(more) as never);
  expect(plan({})).toEqual(plan({ rowNorm: 1, intercept: 0 }));
  for (const intercept of [1, 1e-9]) expect(refused(() => plan({ intercept }))).toBe("range table.intercept");
  for (const rowNorm of [0.5, 1e-6]) expect(refused(() => plan({ rowNorm }))).toBe("range table.rowNorm");
});

const ofSomeLoss = NAMES.filter((name) => "loss" in ALGORITHMS[name].asks);

test.each(ofSomeLoss)("%s refuses what only another loss is asked", (name) => {
  const { algorithm, ...asked } = request(name);
  const own: readonly string[] = LOSSES[lossOf(algorithm as never) ?? "logistic"].needs;
  for (const key of Object.values(LOSSES).flatMap(({ needs }) => needs as readonly string[])) {
    if (own.includes(key) || !(key in ALGORITHMS[name].asks)) continue;
    const plan = (more: object) => engine.plan({ ...asked, algorithm: { ...algorithm, ...more } } as never);
    expect(plan({})).toBeDefined();
    expect(refused(() => plan({ [key]: 0.5 }))).toBe(`unsupported algorithm.${key}`);
    if (rowOf(name).untuned || name === "noisy-newton") continue;
    const tune = { candidates: [{}, { [key]: 0.5 }] };
    expect(refused(() => engine.plan({ ...asked, algorithm, tune } as never))).toBe(
      `unsupported tune.candidates.1.${key}`,
    );
  }
});
