/** Ledgers: what a budget costs, what entries take of it, and what is refused. */
import { describe, expect, test } from "vitest";
import { answer } from "../../wasm/batch.ts";
import { type Ledger, type LedgerQuestion, open } from "../../wasm/engine.ts";
import { lines } from "./in-numbers.ts";
import { refused } from "./refused.ts";

const engine = await open();

const ask = (ledger: unknown, delta: number, group?: number) =>
  answer(engine, { ask: "ledger", ledger, delta, ...(group && { group }) }) as Ledger;
const pure = (epsilon: number) => ({ mechanism: { kind: "pure", epsilon } as const });
const normal = { kind: "gaussian", sigma: 2, sensitivity: 1 } as const;

/**
 * Rounded up. The probability beyond a corner is rounded twice by 64 units, each way, which moves its quantile by at most
 * 128 √(π/2) units (Mills), and μ by twice that, 3.6e-14, however small it is.
 */
function isAbove(found: number | undefined, truth: string) {
  expect(found).toBeGreaterThanOrEqual(Number(truth) * (1 - 2 ** -53));
  expect(found).toBeLessThanOrEqual(Number(truth) * (1 + 1e-12) + 4e-14);
}

type Line = {
  ledger: { epsilons?: number[]; mu: number; delta: number };
  truth: { costs: string[]; spent: string; epsilon: string };
};

test.each(lines("ledgers") as unknown as Line[])("the truth is held: %j", ({ ledger, truth }) => {
  const { epsilons, mu, delta } = ledger;
  if (!epsilons)
    return isAbove(ask({ rule: "gdp", budget: { mu }, entries: [] }, delta).epsilon.upper, truth.epsilon);
  const found = ask({ rule: "gdp", budget: { mu: 1000 }, entries: epsilons.map(pure) }, 1e-6);
  truth.costs.forEach((cost, i) => {
    isAbove(found.entries?.[i]?.cost.mu, cost);
  });
  isAbove(found.spent?.mu, truth.spent);
});

test("the price is the budget's, whatever is in it, and what does not fit takes nothing", () => {
  const entries = [{ mechanism: normal, count: 3 }, pure(0.9), { mechanism: normal }, { mechanism: normal }];
  const found = ask({ rule: "gdp", budget: { mu: 1 }, entries }, 1e-6);
  expect(found.entries?.map(({ fits }) => fits)).toEqual([true, false, true, false]);
  expect(found.spent).toEqual({ mu: 1, delta: 0 });
  expect(found.left).toEqual({ mu: 0, delta: 0 });
  const { lower, upper } = engine.epsilon({ kind: "gdp", mu: 1 }, 1e-6);
  expect(found.epsilon).toMatchObject({ lower, upper, kind: "exact" });
});

test("what fails beside a budget is taken from delta, once", () => {
  const budget = { rho: 0.5, delta: 1e-7 };
  const open = { mechanism: { kind: "approximate", epsilon: 0.5, delta: 6e-8 } as const };
  const found = ask({ rule: "zcdp", budget, entries: [open, open] }, 1e-6);
  expect(found.entries?.map(({ fits }) => fits)).toEqual([true, false]);
  const zcdp = { kind: "zcdp", rho: 0.5 } as const;
  expect(found.epsilon.upper).toBeGreaterThan(engine.epsilon(zcdp, 9.01e-7).upper);
  expect(found.epsilon.upper).toBeLessThan(engine.epsilon(zcdp, 8.99e-7).upper);
});

test("(epsilon, delta) adds up at the delta of each entry, of all its runs together", () => {
  const entries = [{ mechanism: normal, count: 2, delta: 1e-6 }];
  const found = ask({ rule: "approximate", budget: { epsilon: 10, delta: 1e-5 }, entries }, 1e-5);
  const block = engine.epsilon({ kind: "composition", of: [{ mechanism: normal, count: 2 }] }, 1e-6);
  expect(found.spent).toEqual({ epsilon: block.upper, delta: 1e-6 });
  expect(found.epsilon.upper).toBe(10);
});

test("a plan costs what its composition costs", () => {
  const entries = [{ mechanism: normal, count: 2 }, pure(0.5)];
  const { epsilon } = ask({ rule: "plan", entries }, 1e-6);
  const of = entries.map((entry) => ({ count: 1, ...entry }));
  expect(epsilon).toEqual(engine.epsilon({ kind: "composition", of }, 1e-6));
});

test("a group pays for the budget", () => {
  const { epsilon } = ask({ rule: "gdp", budget: { mu: 0.5 }, entries: [] }, 1e-6, 2);
  expect(epsilon.upper).toBe(engine.epsilon({ kind: "gdp", mu: 0.5 }, 1e-6, { group: 2 }).upper);
});

describe("what is refused, by name", () => {
  const gdp = { rule: "gdp", budget: { mu: 1 }, entries: [{ mechanism: normal }] };
  test.each([
    ["unknown rule", { ...gdp, rule: "pld" }],
    ["unknown budget", { ...gdp, rule: "plan" }],
    ["missing budget", { rule: "gdp", entries: [] }],
    ["range entries", { rule: "plan", entries: [] }],
    ["unknown budget.rho", { ...gdp, budget: { rho: 1 } }],
    ["range budget.mu", { ...gdp, budget: { mu: -1 } }],
    ["range entries.0.mechanism.sigma", { ...gdp, entries: [{ mechanism: { ...normal, sigma: -1 } }] }],
    ["range entries.0.count", { ...gdp, entries: [{ mechanism: normal, count: 0 }] }],
    ["range entries.0.delta", { ...gdp, entries: [{ mechanism: normal, delta: 2 }] }],
    [
      "unsupported entries.1.mechanism",
      { ...gdp, entries: [...gdp.entries, { mechanism: { kind: "zcdp", rho: 1 } }] },
    ],
    ["range entries.0.delta", { rule: "approximate", budget: { epsilon: 1 }, entries: gdp.entries }],
    [
      "range entries.0.delta",
      {
        rule: "approximate",
        budget: { epsilon: 1, delta: 1e-6 },
        entries: [{ mechanism: { kind: "approximate", epsilon: 0.1, delta: 5e-7 }, delta: 1e-8 }],
      },
    ],
    ["range delta", { ...gdp, budget: { mu: 1, delta: 1e-6 } }],
  ])("%s", (told, ledger) => {
    expect(refused(() => ask(ledger, 1e-6))).toBe(told);
  });

  test("relations that differ, and groups beside a delta", () => {
    const mixed = [
      { mechanism: { ...normal, neighbours: "replace" } },
      { mechanism: { ...normal, neighbours: "zero-out" } },
    ];
    expect(refused(() => ask({ ...gdp, entries: mixed }, 1e-6))).toMatch(
      /^unsupported entries\.\d\.mechanism\.neighbours$/,
    );
    expect(refused(() => ask({ ...gdp, budget: { mu: 1, delta: 1e-9 } }, 1e-6, 2))).toBe("unsupported group");
    expect(refused(() => engine.ledger("gdp" as unknown as LedgerQuestion, 1e-6))).toBe("type ledger");
  });
});
