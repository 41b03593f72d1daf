/** What a ledger is asked: releases that were planned, or chosen one after the other within a budget. */
import { ORDER, PROBABILITY } from "../engine/calculator-engine.ts";
import { COUNT } from "../engine/catalogue.ts";
import { DESCRIPTION, numberShape } from "../engine/description.ts";
import { type Checked, list, optional, real, record, tagged } from "../engine/shape.ts";

const MOST_ENTRIES = 1000;
const AMOUNT = real(0, 1e100);

const ENTRY = record({
  mechanism: DESCRIPTION,
  count: optional(numberShape(COUNT), COUNT.default),
  delta: optional(PROBABILITY, undefined),
});

/** What fails beside the budget. */
const beside = { delta: optional(PROBABILITY, 0) };

export const LEDGER = tagged(
  "rule",
  { entries: list(ENTRY, 0, MOST_ENTRIES, "entries") },
  {
    plan: {},
    gdp: { budget: record({ mu: AMOUNT, ...beside }) },
    zcdp: { budget: record({ rho: AMOUNT, ...beside }) },
    renyi: { budget: record({ order: ORDER, epsilon: AMOUNT, ...beside }) },
    approximate: { budget: record({ epsilon: AMOUNT, ...beside }) },
  },
);

/** The counts of entries may be left out, and so may what fails beside a budget. */
type Stated<Q> = Q extends { readonly entries: readonly (infer E)[] }
  ? Omit<Q, "entries" | "budget"> & {
      readonly entries: readonly (Pick<E, "mechanism" & keyof E> & Partial<E>)[];
    } & (Q extends { readonly budget: infer B }
        ? { readonly budget: Omit<B, "delta"> & { readonly delta?: number } }
        : unknown)
  : never;
/** With everything that may be left out. */
export type Asked = Checked<typeof LEDGER>;
export type LedgerQuestion = Stated<Asked>;
export type Budgeted = Exclude<Asked, { rule: "plan" }>;
export type Entries = Asked["entries"];
