/** Groups, gaps, lists of descriptions, sampling without replacement: at the door, where words become questions. */
import { describe, expect, test } from "vitest";
import { answer } from "../../wasm/batch.ts";
import { validate } from "../../wasm/engine/description.ts";
import { type Description, type Options, open, Refusal } from "../../wasm/engine.ts";

const engine = await open();
const gaussian: Description = { kind: "gaussian", sigma: 2, sensitivity: 1 };
const sampled = (sampling: "poisson" | "without-replacement", neighbours?: "replace" | "add-remove") =>
  ({
    kind: "subsampled",
    sampling,
    rate: 0.01,
    of: gaussian,
    ...(neighbours && { neighbours }),
  }) as Description;

const refusal = (ask: () => unknown) => {
  try {
    ask();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("not refused");
};

describe("options", () => {
  test("a group of Gaussians is a Gaussian as much further off", () => {
    const group = engine.epsilon(gaussian, 1e-6, { group: 4 });
    expect(group.kind).toBe("exact");
    expect(group.upper).toBeCloseTo(engine.epsilon({ ...gaussian, sensitivity: 4 }, 1e-6).upper, 12);
    expect(group.source).toContain("Dong, Roth and Su");
  });

  test("every ask that takes options takes them, and one record is the default", () => {
    const one = { description: gaussian, group: 1, gap: 1e-4 };
    expect(answer(engine, { ask: "delta", epsilon: 1, ...one })).toEqual(engine.delta(gaussian, 1));
    expect(answer(engine, { ask: "profile", epsilons: [1], ...one })).toMatchObject({
      upper: engine.profile(gaussian, [1]).upper,
    });
    expect(answer(engine, { ask: "tradeOff", falsePositives: [0.1], ...one })).toMatchObject({
      upper: engine.tradeOff(gaussian, [0.1]).upper,
    });
    expect(answer(engine, { ask: "advantage", description: gaussian, group: 2 })).toEqual(
      engine.delta(gaussian, 0, { group: 2 }),
    );
  });

  test("a narrower gap is kept", () => {
    const many: Description = { kind: "composition", of: [{ mechanism: sampled("poisson"), count: 300 }] };
    for (const gap of [1e-2, 1e-3, 1e-4, 1e-5]) {
      const { lower, upper } = engine.epsilon(many, 1e-7, { gap });
      expect((upper - lower) / upper).toBeLessThanOrEqual(gap);
    }
  });

  test.each([
    [{ group: 0 }, "group"],
    [{ group: 1.5 }, "group"],
    [{ group: 1001 }, "group"],
    [{ group: Number.NaN }, "group"],
    [{ group: "3" }, "group"],
    [{ gap: 0 }, "gap"],
    [{ gap: 1 }, "gap"],
    [{ width: 1 }, "width"],
    [null, "options"],
    [3, "options"],
  ])("%j is refused by name", (options, field) => {
    expect(refusal(() => engine.delta(gaussian, 1, options as Options)).field).toBe(field);
  });

  test("no option is taken where it means nothing", () => {
    const asked = { ask: "renyi", description: gaussian, orders: [2], group: 2 };
    expect(refusal(() => answer(engine, asked)).field).toBe("group");
  });
});

describe("a list of descriptions", () => {
  test("is their composition", () => {
    const ledger = [gaussian, gaussian, gaussian] as unknown as Description;
    const together: Description = { kind: "composition", of: [{ mechanism: gaussian, count: 3 }] };
    expect(engine.epsilon(ledger, 1e-6)).toEqual(engine.epsilon(together, 1e-6));
  });

  test("that is empty, or holds what is no mechanism, is refused by place", () => {
    expect(refusal(() => engine.delta([] as unknown as Description, 1)).field).toBe("of");
    expect(refusal(() => engine.delta([gaussian, 7] as unknown as Description, 1)).field).toBe(
      "of.1.mechanism",
    );
  });
});

describe("sampling", () => {
  test("each way has its own neighbours where none are said", () => {
    expect(engine.delta(sampled("poisson"), 0.1).neighbours).toBe("add-remove");
    expect(engine.delta(sampled("without-replacement"), 0.1).neighbours).toBe("replace");
  });

  test("a sensitivity that would be another number is asked for by name", () => {
    const about = (neighbours: string) => ({ ...gaussian, neighbours });
    const replaced = sampled("poisson", "replace"),
      added = sampled("without-replacement", "add-remove");
    for (const wrong of [
      replaced,
      { ...replaced, of: about("replace") },
      { ...added, of: about("add-remove") },
    ])
      expect(refusal(() => engine.delta(wrong as Description, 0.1)).field).toBe("of.neighbours");
    expect(refusal(() => engine.delta(replaced, 0.1)).rule).toContain("must be add-remove");
    const inside = { kind: "composition", of: [{ mechanism: replaced, count: 3 }] } as Description;
    expect(refusal(() => engine.delta(inside, 0.1)).field).toBe("of.0.mechanism.of.neighbours");
    for (const right of [{ ...replaced, of: about("add-remove") }, added, { ...added, of: about("replace") }])
      expect(engine.delta(right as Description, 0.1)).toMatchObject({
        kind: "exact",
        neighbours: right.neighbours,
      });
  });

  test("a relation that changes the price is said by the sample itself, and not by what is around it", () => {
    const part = { mechanism: sampled("without-replacement"), count: 5 };
    const whole = { kind: "composition", neighbours: "add-remove", of: [part] } as Description;
    expect(refusal(() => engine.epsilon(whole, 1e-6)).field).toBe("of.0.mechanism.neighbours");
    const said = { ...part, mechanism: sampled("without-replacement", "add-remove") };
    expect(engine.epsilon({ ...whole, of: [said] } as Description, 1e-6).kind).toBe("certified");
    const poisson = { ...part, mechanism: sampled("poisson") };
    const zeroed = { ...whole, neighbours: "zero-out", of: [poisson] } as Description;
    expect(engine.epsilon(zeroed, 1e-6).neighbours).toBe("zero-out");
  });

  test("an answer says of which programs it is true", () => {
    const told = (asked: Description) => engine.epsilon(asked, 1e-6).notes?.join(" ");
    expect(told({ kind: "composition", of: [{ mechanism: sampled("poisson"), count: 3 }] })).toContain(
      "shuffles",
    );
    const order = { kind: "subsampled", sampling: "fixed-order", epochs: 2, of: gaussian } as const;
    expect(told(order)).toContain("does not cover Poisson sampling");
    expect(told(gaussian)).toBeUndefined();
  });

  test("what another way of sampling is measured by is refused by name, and what is missing", () => {
    const order = { kind: "subsampled", sampling: "fixed-order", epochs: 20, of: gaussian };
    const asked = (change: object) => refusal(() => validate({ ...order, ...change }));
    expect(asked({ rate: 0.1 })).toMatchObject({ kind: "unknown", field: "rate" });
    expect(asked({ rate: 0.1 }).rule).toContain("sampling is poisson or without-replacement");
    expect(asked({ epochs: undefined })).toMatchObject({ kind: "missing", field: "epochs" });
    expect(asked({ sampling: "poisson" })).toMatchObject({ field: "rate", kind: "missing" });
    const inside = { kind: "composition", of: [{ mechanism: { ...order, rate: 0.1 }, count: 2 }] };
    expect(refusal(() => validate(inside)).field).toBe("of.0.mechanism.rate");
    const calibrated = () => engine.calibrate(validate(order), "rate", { epsilon: 1, delta: 1e-6 });
    expect(refusal(calibrated).field).toBe("parameter");
  });

  test("a fixed order costs as much as that many runs", () => {
    const order: Description = { kind: "subsampled", sampling: "fixed-order", epochs: 20, of: gaussian };
    const runs: Description = { kind: "composition", of: [{ mechanism: gaussian, count: 20 }] };
    const { lower, upper, kind, neighbours } = engine.epsilon(order, 1e-5);
    expect(engine.epsilon(runs, 1e-5)).toMatchObject({ lower, upper, kind });
    expect([kind, neighbours]).toEqual(["exact", "zero-out"]);
    const { value } = engine.calibrate(order, "epochs", { epsilon: upper, delta: 1e-5 });
    expect(value).toBe(20);
  });

  test("the two are never composed with each other", () => {
    const both = [sampled("poisson"), sampled("without-replacement")] as unknown as Description;
    expect(refusal(() => engine.epsilon(both, 1e-6)).field).toMatch(/neighbours$/);
  });

  test("their compositions differ by as much as their neighbours do", () => {
    const cost = (of: Description) =>
      engine.epsilon({ kind: "composition", of: [{ mechanism: of, count: 500 }] }, 1e-6);
    const fixed = cost(sampled("without-replacement")),
      poisson = cost(sampled("poisson"));
    // No pair of tables is the worst at every level of a sample of fixed size, so that its composition is a bound.
    expect([fixed.kind, poisson.kind]).toEqual(["bound", "certified"]);
    expect(fixed.upper).toBeGreaterThan(poisson.upper);
  });
});
