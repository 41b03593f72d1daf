import { describe, expect, test } from "vitest";
import type { Description } from "../../wasm/contract.ts";
import type { RemoteEngine } from "../../web/src/engine/client.ts";
import { profile as draw } from "../../web/src/engine/curves.ts";
import { withKind } from "../../web/src/question/question.ts";

const pure: Description = { kind: "pure", epsilon: 1 };
const named = { kind: "exact", neighbours: "add-remove", source: "" } as const;

const question = withKind("pure");
const profile = (engine: RemoteEngine, description: Description, level: { epsilon: number; delta: number }) =>
  draw(engine, { description, question, group: 1, ...level });

/** An engine that knows one curve. */
function knows(delta: (epsilon: number) => number, epsilon: (delta: number) => number): RemoteEngine {
  const ends = (value: number) => ({ lower: value, upper: value, ...named });
  const many = (epsilons: ArrayLike<number>) => Float64Array.from(epsilons, delta);
  const engine: Pick<RemoteEngine, "delta" | "epsilon" | "profile"> = {
    delta: async (_, at) => ends(delta(at)),
    epsilon: async (_, at) => ends(epsilon(at)),
    profile: async (_, at) => ({ lower: many(at), upper: many(at), ...named }),
  };
  return engine as RemoteEngine;
}

const laplace = knows(
  (epsilon) => (epsilon >= 1 ? 0 : 1 - Math.exp((epsilon - 1) / 2)),
  (delta) => 1 + 2 * Math.log1p(-delta),
);

describe("the drawn part of a profile", () => {
  test("reaches beyond the mark and the floor lies below it", async () => {
    const shown = await profile(laplace, pure, { epsilon: 0.8, delta: 1e-3 });
    expect(shown.at[0]).toBe(0);
    expect(shown.at.at(-1)).toBeGreaterThan(1);
    expect(shown.floor).toBeLessThanOrEqual(1e-5);
    expect(shown.mark).toEqual({ x: 0.8, y: 1e-3 });
  });

  test("closes in on a fall to zero, in increasing order", async () => {
    const { at: epsilons, upper } = await profile(laplace, pure, { epsilon: 1, delta: 0 });
    expect([...epsilons]).toEqual([...epsilons].sort((a, b) => a - b));
    const last = epsilons[upper.indexOf(0) - 1] ?? 0;
    const first = epsilons[upper.indexOf(0)] ?? 0;
    expect(last).toBeLessThan(1);
    expect(first - last).toBeLessThan(1e-4);
  });

  test("a constant profile has no mark at infinity and a finite width", async () => {
    const constant = knows(
      () => 0.3,
      (delta) => (delta < 0.3 ? Number.POSITIVE_INFINITY : 0),
    );
    const shown = await profile(constant, pure, { epsilon: Number.POSITIVE_INFINITY, delta: 1e-5 });
    expect(shown.mark).toBeNull();
    expect(shown.at.at(-1)).toBe(2);
  });

  test("a release without any loss", async () => {
    const nothing = knows(
      () => 0,
      () => 0,
    );
    const shown = await profile(nothing, pure, { epsilon: 0, delta: 1e-5 });
    expect(shown.at.every(Number.isFinite)).toBe(true);
  });
});
