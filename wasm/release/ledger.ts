/** Ledgers: releases that were planned, or chosen one after the other within a budget that was fixed beforehand. */
import type { FullDoor } from "../../build/wasm/full.mjs";
import type { Calculator, Ledger, LedgerSum, Odometer, Options } from "../contract.ts";
import { checkOptions, PROBABILITY } from "../engine/calculator-engine.ts";
import type { Description, Neighbours } from "../engine/catalogue.ts";
import { unwrap } from "../engine/core-answer.ts";
import { neighboursOf, validate } from "../engine/description.ts";
import { together } from "../engine/description-tree.ts";
import { Refusal } from "../engine/refusal.ts";
import { composed, forOneRow } from "./entries.ts";
import {
  type Asked,
  type Budgeted,
  checkLedger,
  type Entries,
  hasBudget,
  type OnMenu,
} from "./ledger-question.ts";
import { onMenu } from "./menu.ts";

/** Each rule, in the order of the core. */
const RULES = {
  gdp: {
    unit: "mu",
    source: "Smith and Thakurta 2022; Koskela, Tobaben and Honkela 2023: a Gaussian filter",
    needs: "Gaussian noise, or a finite largest loss",
  },
  zcdp: {
    unit: "rho",
    source: "Feldman and Zrnic 2021, at every order",
    needs: "a zCDP bound, or a finite largest loss",
  },
  renyi: {
    unit: "epsilon",
    source: "Feldman and Zrnic 2021",
    needs: "a Rényi divergence that is finite at that order, or a finite largest loss",
  },
  approximate: {
    unit: "epsilon",
    source: "Rogers, Roth, Ullman and Vadhan 2016, by sums",
    needs: "a finite ε at its own delta",
  },
} as const;

/** The budget as what everything within it is only known to be. */
function described({ rule, budget }: Budgeted, neighbours: Neighbours | undefined): Description {
  const about = neighbours && { neighbours };
  switch (rule) {
    case "gdp":
      return { kind: "gdp", mu: budget.mu, ...about };
    case "zcdp":
      return { kind: "zcdp", rho: budget.rho, ...about };
    case "renyi":
      return { kind: "rdp", orders: [budget.order], epsilons: [budget.epsilon], ...about };
    default:
      return { kind: "approximate", epsilon: budget.epsilon, delta: budget.delta, ...about };
  }
}

/** What is left of δ for the budget's own curve, rounded down. */
function within({ rule, budget, entries }: Budgeted, delta: number, group: number): number {
  if (rule === "approximate" || budget.delta === 0) return delta;
  forOneRow(entries, group, "where the budget has a delta beside it");
  const rest = (delta - budget.delta) * (1 - Number.EPSILON);
  if (rest >= 1e-300) return rest;
  const above = `must be above the budget's own delta, ${budget.delta}, which stands beside the price`;
  throw new Refusal("range", "delta", delta, above);
}

const hasOwnBudget = (asked: Asked): asked is Budgeted | OnMenu => hasBudget(asked.rule);

/** Whoever has the most rows is the one to protect. */
const groupOf = (entries: Entries, { group }: Required<Options>) =>
  Math.max(group, ...entries.map(({ rows }) => rows));

export class LedgerEngine {
  readonly #calculator: Calculator;
  readonly #core: FullDoor;

  constructor(calculator: Calculator, core: FullDoor) {
    this.#calculator = calculator;
    this.#core = core;
  }

  read(question: unknown, delta: number | undefined, given?: Options): Ledger {
    const options = checkOptions(given);
    const asked = checkLedger(question);
    const stated = delta ?? asked.delta;
    if (stated === undefined) throw new Refusal("missing", "delta", undefined, "must be given");
    const level = PROBABILITY.check("delta", stated);
    const { rule, entries } = asked;
    const group = groupOf(entries, options);
    const protecting = { ...options, group };
    if (!hasOwnBudget(asked)) {
      if (entries.length === 0)
        throw new Refusal("range", "entries", "none", "must be one at least", { shown: true });
      const together = composed(entries);
      const exPost =
        rule === "ex-post" ? this.#afterTheFact(entries, neighboursOf(together), group) : undefined;
      const epsilon = this.#calculator.epsilon(together, level, protecting);
      return { rule, epsilon, delta: level, ...(exPost && { exPost }) };
    }
    if (asked.rule === "menu") return onMenu(this.#core, asked, level, protecting);
    const about = entries.length > 0 ? neighboursOf(composed(entries)) : undefined;
    const inside = within(asked, level, group);
    const price = this.#calculator.epsilon(described(asked, about), inside, protecting);
    const source = `${RULES[asked.rule].source}; ${price.source}`;
    return { rule, epsilon: { ...price, source }, delta: level, ...this.#counted(asked) };
  }

  /** What they told together; by the first of them that is refused, where one is. */
  #afterTheFact(entries: Entries, neighbours: Neighbours, group: number): Odometer {
    const runs = entries.map(({ mechanism, count, rows, exPost }) => ({
      description: count === 1 ? mechanism : validate(together([{ mechanism, count }])),
      neighbours,
      rows,
      spent: exPost ?? null,
    }));
    for (const [i, run] of runs.entries()) this.#refused(i, () => unwrap(this.#core.odometer([run], group)));
    return { kind: "ex-post", ...unwrap(this.#core.odometer(runs, group)), neighbours };
  }

  #refused(place: number, ask: () => unknown): void {
    try {
      ask();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { kind, field, value, rule } = error;
      const at = field === "spent" ? "exPost" : "mechanism";
      throw new Refusal(kind, `entries.${place}.${at}`, value, rule, { shown: true });
    }
  }

  /** What each entry takes of the budget, and what all that fit take. */
  #counted(asked: Budgeted): Pick<Ledger, "entries" | "spent" | "left"> {
    const { rule, budget } = asked;
    const { unit, needs } = RULES[rule];
    const order = asked.rule === "renyi" ? asked.budget.order : 0;
    const amount = (budget as Readonly<Record<string, number>>)[unit] as number;
    const entries = asked.entries.map((entry) => ({ ...entry, delta: entry.delta ?? 0 }));
    const place = Object.keys(RULES).indexOf(rule);
    const found = unwrap(this.#core.filter(place, order, { amount, delta: budget.delta }, entries));
    const lost = found.entries.findIndex((entry) => !Number.isFinite(entry.amount));
    if (lost >= 0 && rule === "approximate") {
      const above = "must be larger: at this delta the mechanism has no finite epsilon";
      throw new Refusal("range", `entries.${lost}.delta`, entries[lost]?.delta, above);
    }
    if (lost >= 0) {
      const kind = asked.entries[lost]?.mechanism.kind;
      throw new Refusal(
        "unsupported",
        `entries.${lost}.mechanism`,
        kind,
        `has no cost by the rule ${rule}, which needs ${needs}`,
      );
    }
    const sum = (charge: { amount: number; delta: number }): LedgerSum => ({
      [unit]: charge.amount,
      delta: charge.delta,
    });
    return {
      entries: found.entries.map((entry) => ({ cost: sum(entry), fits: entry.fits })),
      spent: sum(found.spent),
      left: sum(found.left),
    };
  }
}
