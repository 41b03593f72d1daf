/** What several models of one table cost one person together: of the same table only, and never more than was promised. */
import { expect, test } from "vitest";
import type { Description, KnownLoss, Release } from "../../wasm/contract.ts";
import { open } from "../../wasm/engine.ts";
import { type Asks, knownOver, type Run } from "../../web/src/fit/own-ledger.ts";

const engine = await open();

const table = "x,pay\n0.5,0.2\n-0.3,0.9\n0.1,-0.4\n";
const row = { x: 0.5, pay: 0.2 };
const request = (epsilon: number, more: object = {}) => ({
  table: {
    columns: [{ name: "x", use: "numeric", range: [-1, 1], missing: "drop" }],
    label: { name: "pay", use: "numeric", range: [-1, 1], missing: "drop" },
    unit: { protects: "a row", rows: 1 },
  },
  algorithm: { name: "ada-ssp" },
  budget: { epsilon, delta: 1e-6 },
  ...more,
});
const fitted = (epsilon: number, more: object = {}) =>
  engine.fit(table, request(epsilon, more)) as Promise<Release>;
const asks: Asks<string> = {
  known: (release, csv) => engine.knownLoss(release, csv, row),
  ledger: async (question, delta) => engine.ledger(question as never, delta),
};
const runOf = (release: Release, csv = table, paid: Run<string>["paid"] = release): Run<string> => ({
  release,
  table: csv,
  paid,
});

const composed = (parts: readonly Description[]) =>
  engine.epsilon({ kind: "composition", of: parts.map((mechanism) => ({ mechanism, count: 1 })) }, 1e-6);

const first = await fitted(1);
const second = await fitted(0.5);
const losses: KnownLoss[] = await Promise.all([first, second].map((one) => asks.known(one, table)));

test("two models of one table cost her what both of her own prices compose to", async () => {
  const { together, ...known } = await knownOver([runOf(first), runOf(second)], asks);
  expect(known).toEqual(losses[1]);
  const own = composed(losses.map(({ description }) => description)).upper;
  const promised = composed([first.description, second.description]).upper;
  expect(together).toEqual({ models: 2, own, promised });
  expect(own).toBeLessThan(promised);
  expect(own).toBeGreaterThan(Math.max(...losses.map(({ whatever }) => whatever.upper)));
});

test("what is about other neighbours is not added, and hides nothing", async () => {
  const algorithm = { name: "noisy-newton", loss: "squared", neighbours: "replace" };
  const replaced = await fitted(1, { algorithm });
  expect(replaced.epsilon.neighbours).toBe("replace");
  expect(await knownOver([runOf(replaced), runOf(second)], asks)).toEqual(losses[1]);
  expect((await knownOver([runOf(first), runOf(replaced), runOf(second)], asks)).together?.models).toBe(2);
});

test("models whose rows of a person were drawn anew are of one table", async () => {
  const named = request(1);
  Object.assign(named.table.unit, { column: "id" });
  const withNames = table.split("\n").map((line, i) => line && `${line},${i === 0 ? "id" : i}`);
  const csv = withNames.join("\n");
  const runs = [];
  for (const _ of [1, 2]) runs.push(runOf((await engine.fit(csv, named)) as Release, csv));
  const draws = runs.map(({ release }) => release.request.table.unit.draw);
  expect(draws[0]).not.toBe(draws[1]);
  expect((await knownOver(runs, asks)).together?.models).toBe(2);
});

test("another table, another declaration and demonstrations are not added", async () => {
  const demonstration = await fitted(1, { seed: 1 });
  const other = request(1);
  other.table.label.range = [-1, 2];
  const declared = (await engine.fit(table, other)) as Release;
  for (const one of [runOf(first, `${table}0,0\n`), runOf(declared), runOf(demonstration)])
    expect((await knownOver([one, runOf(second)], asks)).together).toBeUndefined();
  expect((await knownOver([runOf(first), runOf(demonstration)], asks)).together).toBeUndefined();
});

test("where her own price is not known, or more was published, she counts as everybody does", async () => {
  const unknown: Release = { ...first, persons: { ...first.persons, rows: false } };
  const { lower, upper } = composed([first.description, (losses[1] as KnownLoss).description]);
  const told = await knownOver([runOf(unknown), runOf(second)], asks);
  expect(told.together?.own).toBeLessThanOrEqual(upper);
  expect(told.together?.own).toBeGreaterThanOrEqual(lower);
  const paid = { ...second, description: { ...second.description } };
  const shared = await knownOver([runOf(unknown), runOf(second, table, paid)], asks);
  expect(shared.together?.own).toBe(shared.together?.promised);
});
