/**
 * What a ledger is asked, and the file that keeps one: releases that were planned, or chosen one after the other within a
 * budget. A file says the same as a question, and that it is one.
 */
import { ORDER, PROBABILITY } from "../engine/calculator-engine.ts";
import { COUNT, GROUP } from "../engine/catalogue.ts";
import { DESCRIPTION, freshLimits, numberShape } from "../engine/description.ts";
import { Refusal } from "../engine/refusal.ts";
import {
  type Checked,
  constant,
  fieldsOf,
  list,
  type Optional,
  optional,
  real,
  record,
  type Shape,
  tagged,
  text,
  whole,
} from "../engine/shape.ts";

export const FORMAT = "epsilometer-ledger-1";

const MOST_ENTRIES = 1000;
const [MOST_ROUNDS, MOST_CHOICES] = [1000, 20];
const AMOUNT = real(0, 1e100);

const ENTRY = record({
  mechanism: DESCRIPTION,
  count: optional(numberShape(COUNT), COUNT.default),
  /** At which its own ε is told. What the rule `approximate` takes is that ε, and this. */
  delta: optional(PROBABILITY, undefined),
  /** The most rows that one of those has who are protected. */
  rows: optional(numberShape(GROUP), GROUP.default),
  /** What it told after the fact, for all those rows: a loss that the rule `ex-post` alone reads. */
  exPost: optional(AMOUNT, undefined),
  /** What it was, in the words of whoever keeps the ledger. */
  title: optional(text(1, 1000), undefined),
  /** Which release it is, so that one that stands in several files counts once where they are opened together. */
  id: optional(text(1, 100), undefined),
});

/** What fails beside the budget. */
const beside = { delta: optional(PROBABILITY, 0) };

const RULES = {
  plan: {},
  "ex-post": {},
  gdp: { budget: record({ mu: AMOUNT, ...beside }) },
  zcdp: { budget: record({ rho: AMOUNT, ...beside }) },
  renyi: { budget: record({ order: ORDER, epsilon: AMOUNT, ...beside }) },
  approximate: { budget: record({ epsilon: AMOUNT, ...beside }) },
  menu: {
    budget: record({
      rounds: whole(1, MOST_ROUNDS),
      menu: list(DESCRIPTION, 1, MOST_CHOICES, "mechanisms"),
    }),
  },
} as const;

export type RuleName = keyof typeof RULES;
export const RULE_NAMES = Object.keys(RULES) as readonly RuleName[];

const shared = {
  /** The made-up table that all entries are about; left out where they are about people. */
  sample: optional(text(1, 80), undefined),
  /** At which the price of all of them is asked for. */
  delta: optional(PROBABILITY, undefined),
  entries: list(ENTRY, 0, MOST_ENTRIES, "entries"),
};
const format: Optional<typeof FORMAT | undefined> = optional(constant(FORMAT), undefined);

export const LEDGER = tagged("rule", { format, ...shared }, RULES);
const FILE = tagged("rule", { format: constant(FORMAT), ...shared }, RULES);

const NO_BUDGET =
  "this rule has none: to compose what was chosen by earlier answers is no filter; rules with a budget are gdp, zcdp, renyi, approximate and menu";

/** What a budget consists of; nothing where the rule has none. */
export function budgetFields(rule: RuleName): readonly { readonly key: string; readonly needed: boolean }[] {
  const of = RULES[rule];
  if (!("budget" in of)) return [];
  const { properties, required } = of.budget.schema as {
    readonly properties: object;
    readonly required: readonly string[];
  };
  return Object.keys(properties).map((key) => ({ key, needed: required.includes(key) }));
}

export const hasBudget = (rule: RuleName) => budgetFields(rule).length > 0;

/** A ledger of that shape, or a refusal that names the field at fault. */
function checkedBy<T extends Asked>(shape: Shape<T>, value: unknown): T {
  const { rule, budget } = fieldsOf("ledger", value, "must be an object with rule, budget and entries");
  const isKnown = RULE_NAMES.some((name) => name === rule);
  if (isKnown && !hasBudget(rule as RuleName) && budget !== undefined)
    throw new Refusal("unknown", "budget", budget, NO_BUDGET);
  const asked = shape.check("", value, freshLimits());
  const ids = asked.entries.map(({ id }) => id);
  const again = ids.findIndex((id, i) => id !== undefined && ids.indexOf(id) < i);
  if (again >= 0)
    throw new Refusal(
      "unsupported",
      `entries.${again}.id`,
      ids[again],
      `is that of entries.${ids.indexOf(ids[again])} already: the same release counts once`,
    );
  const at = asked.entries.findIndex(({ count, exPost }) => count !== 1 && exPost !== undefined);
  if (at < 0) return asked;
  const once = "must be 1 where exPost is given: of several runs each told something of its own";
  throw new Refusal("range", `entries.${at}.count`, asked.entries[at]?.count, once);
}

export const checkLedger = (value: unknown): Asked => checkedBy(LEDGER, value);

/** Of a file: what another program wrote is refused by the first field that is not there, or is another. */
export function checkLedgerFile(value: unknown): LedgerFile {
  const { format: stated } = fieldsOf("ledger", value, "must be an object, as an export of a ledger is");
  constant(FORMAT).check("format", stated);
  return checkedBy(FILE, value);
}

/** The counts of entries may be left out, and so may what fails beside a budget. */
type Stated<Q> = Q extends { readonly entries: readonly (infer E)[] }
  ? Pick<Q, "rule" & keyof Q> &
      Partial<Omit<Q, "rule" | "entries" | "budget">> & {
        readonly entries: readonly (Pick<E, "mechanism" & keyof E> & Partial<E>)[];
      } & (Q extends { readonly budget: infer B }
        ? {
            readonly budget: B extends { readonly delta: number }
              ? Omit<B, "delta"> & { readonly delta?: number }
              : B;
          }
        : unknown)
  : never;
/** With everything that may be left out. */
export type Asked = Checked<typeof LEDGER>;
export type LedgerFile = Checked<typeof FILE>;
export type LedgerQuestion = Stated<Asked>;
export type Budgeted = Exclude<Extract<Asked, { readonly budget: unknown }>, { readonly rule: "menu" }>;
export type OnMenu = Extract<Asked, { readonly rule: "menu" }>;
export type Entries = Asked["entries"];

export const ledgerSchema = {
  title: "A ledger: releases about the same people, and the rule by which they add up",
  ...FILE.schema,
};
