/** The words of ledgers: what each rule says, what a release takes of a budget, what is left of it. */
import type { Ledger, LedgerSum } from "../../../wasm/contract.ts";
import type { Refusal } from "../../../wasm/engine/refusal.ts";
import { budgetFields, type RuleName } from "../../../wasm/release/ledger-question.ts";
import { type Entry, FILES, type Rule } from "../fit/ledger.ts";
import { SAMPLES, type SampleName } from "../fit/samples.ts";
import { algorithmWords, countWords, subjectWords, type Words } from "./fit.ts";
import { format, type Side } from "./numbers.ts";
import { refusalSentence, upright } from "./sentences.ts";
import { requestWords } from "./statistic-plan.ts";

const WITHIN =
  "Each release may be chosen by the answers before it, as long as it fits what is left. All of them together cost what the whole budget costs, even if little of it is spent.";

const RULES: Readonly<Record<RuleName, Words>> = {
  plan: {
    title: "a fixed plan",
    help: "All noise is fixed before the first answer; what is asked of the tables may depend on answers. All releases together cost what their composition costs.",
  },
  "ex-post": {
    title: "a fixed plan, with losses after the fact",
    help: "The same, and beside it what came out told: a guarantee of another kind, which adds up for releases that never fail.",
  },
  gdp: { title: "a budget of μ (Gaussian privacy)", help: WITHIN },
  zcdp: { title: "a budget of ρ (zero-concentrated privacy)", help: WITHIN },
  renyi: { title: "a budget of the Rényi divergence of one order", help: WITHIN },
  approximate: { title: "a budget of ε and δ", help: WITHIN },
  menu: {
    title: "a menu and a number of rounds",
    help: "In every round one mechanism of the menu runs, or none, chosen by the answers before it. All of them together cost what the dearest way to choose costs.",
  },
};

export const ruleWords = (name: RuleName): Words => RULES[name];

const SYMBOLS: Readonly<Record<string, string>> = {
  mu: "μ",
  rho: "ρ",
  epsilon: "ε",
  delta: "δ",
  order: "α",
  rounds: "rounds",
};

const FIELDS: Readonly<Record<string, string>> = {
  mu: "budget of μ",
  rho: "budget of ρ",
  order: "order",
  epsilon: "budget of ε",
  delta: "budget of δ for what may fail",
  rounds: "number of rounds",
  menu: "menu",
};

/** That of one order is no ε. */
const DIVERGENCE = { symbol: "Rényi divergence", title: "budget of the divergence" };

export function budgetWords(name: RuleName, key: string) {
  if (name === "renyi" && key === "epsilon") return DIVERGENCE;
  return { symbol: SYMBOLS[key] ?? key, title: FIELDS[key] ?? key };
}

/** What a field of a ledger is called where it is refused. */
function fieldTitle(field: string): string {
  const [first = "", second = "", ...rest] = field.split(".");
  if (first === "entries" && second !== "") return ["release", Number(second) + 1, ...rest].join(" ");
  if (first === "budget" && second !== "") return FIELDS[second] ?? field;
  return first === "delta" ? "δ" : field;
}

export const ledgerRefusal = (error: Refusal) => refusalSentence(error, fieldTitle(error.field));

/** `μ = 0.5`, and δ beside it where there is one; rounds are counted. */
export function sumWords(name: RuleName, sum: LedgerSum, side: Side): string {
  if (sum.rounds !== undefined) return countWords(sum.rounds, "round");
  const parts = Object.entries(sum).filter(([key, value]) => key !== "delta" || value > 0);
  return parts
    .map(([key, value]) => `${budgetWords(name, key).symbol} = ${format(value, 6, side)}`)
    .join(", ");
}

/** What is left of a budget, as the end of a sentence. */
export const leftWords = (name: RuleName, left: LedgerSum) =>
  `${sumWords(name, left, "down")} ${left.rounds === undefined || left.rounds === 1 ? "is" : "are"} left`;

/** A budget as it was typed. */
export const typedBudget = ({ name, budget }: Rule) =>
  budgetFields(name)
    .filter(({ key }) => key !== "menu")
    .filter(({ key }) => (budget[key] ?? "").trim() !== "" && (key !== "delta" || Number(budget[key]) !== 0))
    .map(({ key }) => `${budgetWords(name, key).symbol} = ${budget[key]?.trim()}`)
    .join(", ");

/** How often something of a menu may run, as it was typed. */
function roundsWords({ budget }: Rule): string {
  const typed = (budget.rounds ?? "").trim();
  return typed === "1" ? "1 round" : `${typed || "?"} rounds`;
}

/** By which rule a ledger adds up. */
export const ruleSentence = (rule: Rule) => {
  const budget = typedBudget(rule);
  if (rule.name === "menu") return `at most ${roundsWords(rule)} of a menu, fixed before the first answer`;
  return budget === "" ? RULES[rule.name].title : `a budget of ${budget}, fixed before the first answer`;
};

export const poolWords = (pool: string) =>
  pool === FILES
    ? "all files, as if they held the same people"
    : `“${SAMPLES[pool as SampleName].title}” (sample)`;

/** What was released of what, and how. */
const whatWords = (request: Entry["paid"]["request"], what: string | undefined) =>
  "releases" in request
    ? requestWords(request)
    : `${subjectWords(request.table)}, ${what ?? algorithmWords(request.algorithm.name).title}`;

/** What was run, as a line of the ledger. */
export function entryWords({ title, what, offer, paid, isRefused }: Entry): string {
  const { request } = paid;
  const shared = offer ? ", with what is published beside it" : "";
  const outcome = isRefused ? "; refused, and paid all the same" : "";
  return upright(`${title}: ${whatWords(request, what)}${shared}${outcome}`);
}

/** How many entries a budget does not hold. */
export const beyond = ({ entries = [] }: Ledger) => entries.filter(({ fits }) => !fits).length;

/** Why a budget's price is not that of the releases; empty where it is. */
export function brokenWords(ledger: Ledger): string {
  const many = beyond(ledger);
  if (many === 0) return "";
  return `No price: ${countWords(many, "release")} ${many === 1 ? "does" : "do"} not fit the budget, and what does not fit must not be run.`;
}

/** What is told before a run, and whether it may be begun. */
export interface Foretold {
  readonly words: string;
  readonly fits: boolean;
}

/** The last entry is the one to come. */
export function foretoldWords(ledger: Ledger, count: number): Foretold {
  const price = `ε ≤ ${format(ledger.epsilon.upper, 6, "up")}`;
  const { rule, entries, left } = ledger;
  const next = entries?.at(-1);
  if (!next || !left)
    return {
      words: `Together with ${countWords(count, "earlier release")} of this session it comes to ${price}.`,
      fits: true,
    };
  const takes = sumWords(rule, next.cost, "up");
  if (!next.fits)
    return {
      words: `It takes ${takes} of the ledger’s budget, of which ${leftWords(rule, left)}: it must not be run.`,
      fits: false,
    };
  if (beyond(ledger) > 0) return { words: brokenWords(ledger), fits: false };
  const rest = sumWords(rule, left, "down");
  return {
    words: `It takes ${takes} of the ledger’s budget, and leaves ${rest}. All that fits the budget comes to ${price} at δ = ${format(ledger.delta, 6, "up")}.`,
    fits: true,
  };
}
