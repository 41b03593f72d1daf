/** Values that are not what they seem: holes, getters, proxies, functions, and too much of everything. */
import { describe, expect, test } from "vitest";
import { KINDS, NEIGHBOURS, open, validate } from "../../wasm/engine.ts";
import { refused } from "./refused.ts";

const engine = await open();
const gaussian = { kind: "gaussian", sigma: 1, sensitivity: 1 } as const;

// biome-ignore lint/suspicious/noExplicitAny: the types forbid what a caller without types can do
const wild = engine as any;
const revoked = Proxy.revocable({}, {});
revoked.revoke();

describe("descriptions", () => {
  test.each<[string, unknown, string]>([
    // biome-ignore lint/suspicious/noSparseArray: it is the point
    ["a hole among parts", { kind: "composition", of: [, { mechanism: gaussian, count: 1 }] }, "type of.0"],
    // biome-ignore lint/suspicious/noSparseArray: it is the point
    ["a hole among numbers", { kind: "rdp", orders: [2, , 4], epsilons: [1, 1, 1] }, "type orders.1"],
    ["nothing but holes", { kind: "rdp", orders: [2], epsilons: new Array(1) }, "type epsilons.0"],
    ["a function for a number", { ...gaussian, sigma: () => 1 }, "type sigma"],
    ["a symbol for a number", { ...gaussian, sigma: Symbol("1") }, "type sigma"],
    ["a function for a mechanism", () => gaussian, "type description"],
    ["an inherited mechanism", Object.create(gaussian), "unknown kind"],
    ["a revoked proxy", revoked.proxy, "malformed description"],
    [
      "a getter that throws",
      {
        ...gaussian,
        get sigma() {
          throw new Error("no");
        },
      },
      "malformed description",
    ],
  ])("%s is refused", (_, description, reason) => {
    expect(refused(() => validate(description))).toBe(reason);
    expect(refused(() => wild.delta(description, 1))).toBe(reason);
  });

  test("what was checked is what is asked", () => {
    let reads = 0;
    const moving = {
      ...gaussian,
      get sigma() {
        return ++reads === 1 ? 1 : -1;
      },
    };
    const parts = new Proxy([{ mechanism: moving, count: 2 }], {});
    expect(engine.delta({ kind: "composition", of: parts }, 1)).toEqual(
      engine.delta({ kind: "composition", of: [{ mechanism: gaussian, count: 2 }] }, 1),
    );
    expect(reads).toBe(1);
    const checked = validate(gaussian);
    expect(checked).toEqual(gaussian);
    expect(checked).not.toBe(gaussian);
  });

  test("the lists are limited one by one and together", () => {
    const orders = Array.from({ length: 1000 }, (_, i) => 2 + i);
    const table = { kind: "rdp", orders, epsilons: orders };
    const parts = (length: number) => ({
      kind: "composition",
      of: Array.from({ length }, () => ({ mechanism: table, count: 1 })),
    });
    expect(refused(() => validate(parts(30_000)))).toMatch(/^range of\.\d+\.mechanism\.epsilons$|orders$/);
    expect(validate(parts(99)).kind).toBe("composition");
    const longer = [...orders, 2000];
    expect(refused(() => validate({ kind: "rdp", orders: longer, epsilons: longer }))).toBe("range orders");
  });

  test("the catalogue cannot be changed by whoever asks for it", () => {
    const { sigma } = engine.catalogue().gaussian.parameters;
    expect(() => Object.assign(sigma as object, { minimum: -1 })).toThrow(TypeError);
    expect(Object.isFrozen(KINDS) && Object.isFrozen(KINDS.rdp.parameters.orders.default)).toBe(true);
    expect(Object.isFrozen(NEIGHBOURS)).toBe(true);
    expect(refused(() => validate({ ...gaussian, sigma: -1 }))).toBe("range sigma");
  });
});

describe("arguments", () => {
  test("compare says what it needs", () => {
    for (const nothing of [undefined, null, "x", 7])
      expect(refused(() => wild.compare(gaussian, nothing))).toBe("type question");
    expect(refused(() => wild.compare(gaussian, {}))).toBe("type delta");
    expect(refused(() => wild.compare(gaussian, { parameter: undefined }))).toBe("type parameter");
  });

  test("lists are anything with a length and numbers", () => {
    const expected = engine.profile(gaussian, [0, 0.5]);
    for (const list of [Float32Array.of(0, 0.5), Float64Array.of(0, 0.5), { length: 2, 0: 0, 1: 0.5 }])
      expect(engine.profile(gaussian, list)).toEqual(expected);
    expect(engine.renyi(gaussian, Uint8Array.of(2, 3))).toEqual(engine.renyi(gaussian, [2, 3]));
    for (const wrong of ["12", {}, null, { length: -1 }, { length: 0.5 }, { length: "2" }, () => 1])
      expect(refused(() => wild.profile(gaussian, wrong))).toBe("type epsilons");
    expect(refused(() => wild.profile(gaussian, { length: 1e9 }))).toBe("range epsilons");
    expect(refused(() => wild.profile(gaussian, { length: 2, 0: 1 }))).toBe("type epsilons.1");
    expect(refused(() => wild.profile(gaussian, BigInt64Array.of(1n)))).toBe("type epsilons.0");
  });

  test("a part has one name", () => {
    const parts = { kind: "composition", of: [{ mechanism: gaussian, count: 2 }] };
    const target = { epsilon: 1, delta: 1e-5 };
    expect(refused(() => wild.calibrate(parts, "of.00.mechanism.sigma", target))).toBe("unknown parameter");
  });
});
