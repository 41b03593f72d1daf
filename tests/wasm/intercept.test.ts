/** Whoever says nothing of an intercept is not refused for one: of every algorithm there is. */
import { expect, test } from "vitest";
import { open } from "../../wasm/engine.ts";
import { rowOf } from "../../wasm/release/algorithms.ts";
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
