/** Ledgers on a menu: what the game over several rounds costs, what fits it, and what is refused. */
import { describe, expect, test } from "vitest";
import { answer } from "../../wasm/batch.ts";
import { type Description, type Ledger, open } from "../../wasm/engine.ts";
import { holds, lines } from "./in-numbers.ts";
import { refused } from "./refused.ts";

const engine = await open();

const ask = (budget: object, delta: number, entries: readonly object[] = [], more: object = {}) =>
  answer(engine, { ask: "ledger", ledger: { rule: "menu", budget, entries }, delta, ...more }) as Ledger;

const normal = { kind: "gaussian", sigma: 2, sensitivity: 1 } as const;
const laplace = { kind: "laplace", scale: 2, sensitivity: 1 } as const;
const menu = [normal, laplace];

/** The same choice every time. */
const planned = (mechanism: Description, rounds: number, delta: number) =>
  engine.epsilon({ kind: "composition", of: [{ mechanism, count: rounds }] }, delta);

test.each(lines("menus"))("the truth is held: %j", ({ budget, delta, epsilon }) => {
  const found = ask(budget, Number(delta)).epsilon;
  expect(found.kind).toBe("certified");
  holds(found, epsilon, 2e-3);
});

test("the game is worth more than the best plan, where choices are worth something", () => {
  const dearer = lines("menus").filter(({ budget, delta, epsilon }) =>
    budget.menu.every(
      (one: Description) => planned(one, budget.rounds, Number(delta)).upper < epsilon * (1 - 1e-6),
    ),
  );
  expect(dearer.length).toBeGreaterThanOrEqual(3);
});

test("a menu of one is that many runs of it, and more rounds and choices cost no less", () => {
  const { lower, upper } = planned(normal, 4, 1e-6);
  const four = ask({ rounds: 4, menu: [normal] }, 1e-6).epsilon;
  expect(four.lower).toBeLessThanOrEqual(upper);
  expect(four.upper).toBeGreaterThanOrEqual(lower);
  expect(four.upper - four.lower).toBeLessThan(1e-3 * upper);
  const both = ask({ rounds: 4, menu }, 1e-6).epsilon;
  expect(both.upper).toBeGreaterThanOrEqual(four.lower);
  expect(ask({ rounds: 5, menu }, 1e-6).epsilon.lower).toBeGreaterThan(both.upper);
  expect(ask({ rounds: 4, menu }, 1e-7).epsilon.lower).toBeGreaterThan(both.upper);
});

test("without δ only the largest losses count, and classes have the price of a plan below them", () => {
  const sure = ask({ rounds: 5, menu: [{ kind: "pure", epsilon: 0.5 }, laplace] }, 0).epsilon;
  holds(sure, "2.5", 1e-12);
  expect(ask({ rounds: 5, menu }, 0).epsilon.upper).toBe(Number.POSITIVE_INFINITY);
  const range = { kind: "exponential", epsilon: 0.5 } as const;
  const found = ask({ rounds: 5, menu: [range, normal] }, 1e-6).epsilon;
  expect(found.kind).toBe("bound");
  expect(found.lower).toBeGreaterThanOrEqual(planned(normal, 5, 1e-6).lower);
  expect(found.upper).toBeGreaterThanOrEqual(found.lower);
});

test("rounds are counted, and what is on no menu is not run", () => {
  const entries = [{ mechanism: laplace, count: 2 }, { mechanism: normal, count: 2 }, { mechanism: normal }];
  const found = ask({ rounds: 3, menu }, 1e-6, entries);
  expect(found.entries?.map(({ fits }) => fits)).toEqual([true, false, true]);
  expect(found.spent).toEqual({ rounds: 3, delta: 0 });
  expect(found.left).toEqual({ rounds: 0, delta: 0 });
  const stated = { sensitivity: 1, kind: "laplace", scale: 2, neighbours: "add-remove" };
  expect(ask({ rounds: 3, menu }, 1e-6, [{ mechanism: stated }]).left).toEqual({ rounds: 2, delta: 0 });
});

describe("what is refused, by name", () => {
  const replaced = { ...normal, neighbours: "replace" };
  test.each<[string, object, readonly object[], object?]>([
    ["unsupported entries.0.mechanism", { rounds: 3, menu }, [{ mechanism: { ...normal, sigma: 1.9 } }]],
    ["unsupported budget.menu.1", { rounds: 3, menu: [normal, { kind: "zcdp", rho: 0.1 }] }, []],
    ["range budget.menu", { rounds: 3, menu: [] }, []],
    ["range budget.rounds", { rounds: 1001, menu }, []],
    ["missing budget.menu", { rounds: 3 }, []],
    ["unknown budget.delta", { rounds: 3, menu, delta: 1e-9 }, []],
    ["range budget.menu.0.sigma", { rounds: 3, menu: [{ ...normal, sigma: -1 }] }, []],
    [
      "unsupported budget.menu.1.neighbours",
      { rounds: 3, menu: [{ ...normal, neighbours: "zero-out" }, replaced] },
      [],
    ],
    [
      "unsupported entries.0.mechanism.neighbours",
      { rounds: 3, menu: [replaced] },
      [{ mechanism: { ...normal, neighbours: "zero-out" } }],
    ],
    ["unsupported entries.0.rows", { rounds: 3, menu }, [{ mechanism: normal, rows: 2 }]],
    ["unsupported group", { rounds: 3, menu }, [], { group: 2 }],
    ["range gap", { rounds: 3, menu }, [], { gap: 2 }],
  ])("%s", (told, budget, entries, more = {}) => {
    expect(refused(() => ask(budget, 1e-6, entries, more))).toBe(told);
  });
});
