/** What this session has released, what belongs together, and by which rule that adds up. Kept in memory only. */
import type { Description, EverydayPlan, ExPostLoss, Plan, ReportOffer } from "../../../wasm/contract.ts";
import { json, toJson } from "../../../wasm/engine/json.ts";
import { Refusal } from "../../../wasm/engine/refusal.ts";
import {
  budgetFields,
  checkLedgerFile,
  FORMAT,
  hasBudget,
  type LedgerFile,
  type RuleName,
} from "../../../wasm/release/ledger-question.ts";
import { understand } from "../question/expression.ts";
import { type Given, sampleIn } from "./loaded.ts";
import { SAMPLES, type SampleName } from "./samples.ts";

/** What was paid, whatever came of it. */
export type Paid = Plan | EverydayPlan;

export interface Entry<Kind extends Paid = Paid> {
  /** The releases of one pool are added up: those of a sample, or of all files, which may hold the same people. */
  readonly pool: string;
  readonly title: string;
  /** What was released, where that is no result of the algorithm. */
  readonly what?: string | undefined;
  readonly release: Kind;
  /** Whose budget was shared with what is published beside the model. */
  readonly offer?: ReportOffer | undefined;
  /** For the release, and for what is published beside it. */
  readonly paid: Paid;
  /** There is no release, and it is paid all the same. */
  readonly isRefused: boolean;
}

/** What a release costs together with what is published beside it, whether or not that is ever made. */
export const paidWith = (release: Paid, offer: ReportOffer | undefined): Paid =>
  offer
    ? {
        ...release,
        description: offer.description,
        epsilon: { ...release.epsilon, ...offer.epsilon, kind: "bound" },
      }
    : release;

/** The pool of all that is not made up. */
export const FILES = "files";

export const poolOf = (given: Given) => sampleIn(given) ?? FILES;

/** What a release cost by what came out; nothing where the price is all there is, or nothing came out. */
const exPostOf = ({ release, isRefused }: Entry): ExPostLoss | undefined =>
  isRefused || !("exPost" in release) ? undefined : (release.exPost as ExPostLoss | undefined);

/** What a file holds of a release. */
export type Kept = LedgerFile["entries"][number];

export interface Line {
  readonly id: number;
  readonly pool: string;
  readonly kept: Kept;
  /** Demonstrations are not: they cost nothing, because they protect nobody. */
  readonly counted: boolean;
  /** What it costs at its own δ; of a file, whose reader computes it again, unknown. */
  readonly upper: number | undefined;
}

const LONGEST_TITLE = 1000;

const freshId = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** What ran. Its relation is said, so that nothing is added to it that is about another. */
export const keptMechanism = ({ description, epsilon }: Paid): Description => ({
  ...description,
  neighbours: epsilon.neighbours,
});

/** What is kept of a release. */
export function keptOf(entry: Entry, title: string): Kept {
  const { delta, request } = entry.paid;
  return {
    mechanism: keptMechanism(entry.paid),
    count: 1,
    delta,
    rows: request.table.unit.rows,
    exPost: exPostOf(entry)?.epsilon,
    title: title.slice(0, LONGEST_TITLE),
    id: undefined,
  };
}

/** A rule, with its budget as typed. */
export interface Rule {
  readonly name: RuleName;
  readonly budget: Readonly<Record<string, string>>;
}

export const PLAN: Rule = { name: "plan", budget: {} };

/** As numbers, and a menu as the text of a file has it; nothing where the rule has none. What may be left out may be empty. */
function budgetOf({ name, budget }: Rule): Readonly<Record<string, unknown>> | undefined {
  const fields = budgetFields(name);
  if (fields.length === 0) return undefined;
  const typed = fields.filter(({ key, needed }) => needed || (budget[key] ?? "").trim() !== "");
  const value = (key: string, text: string) =>
    key === "menu" ? json("budget.menu", text || "[]") : understand(text, `budget.${key}`).value;
  return Object.fromEntries(typed.map(({ key }) => [key, value(key, budget[key] ?? "")]));
}

/** At which δ a rule has a price, where nobody says another: its budget's own, or one with room for what may fail. */
export function levelOf(rule: Rule, usual: number): number {
  const delta = Number(budgetOf(rule)?.delta ?? 0);
  return rule.name === "approximate" ? delta : Math.min(1, Math.max(usual, 2 * delta));
}

/** A ledger as a question, and as a file. */
export function asked(pool: string, rule: Rule, kept: readonly Kept[], delta?: number) {
  const budget = budgetOf(rule);
  const about = { ...(pool !== FILES && { sample: pool }), ...(delta !== undefined && { delta }) };
  return { format: FORMAT, rule: rule.name, ...(budget && { budget }), ...about, entries: kept };
}

/** Whether a saved file seems to be a ledger, of whatever version. */
export function isLedger(text: string): boolean {
  try {
    const { format } = Object(json("ledger", text)) as { readonly format?: unknown };
    return typeof format === "string" && format.startsWith("epsilometer-ledger-");
  } catch {
    return false;
  }
}

const isSample = (name: string): name is SampleName => Object.hasOwn(SAMPLES, name);

function poolIn({ sample }: LedgerFile): string {
  if (sample === undefined || isSample(sample)) return sample ?? FILES;
  const rule = `must be one of ${Object.keys(SAMPLES).join(", ")}, or be left out`;
  throw new Refusal("unknown", "sample", sample, rule);
}

const ruleIn = (file: LedgerFile): Rule => ({
  name: file.rule,
  budget: Object.fromEntries(
    Object.entries("budget" in file ? file.budget : {}).map(([key, value]) => [
      key,
      typeof value === "number" ? String(value) : toJson(value),
    ]),
  ),
});

/** What is counted, by whom it is about. */
export function pools(lines: readonly Line[]): ReadonlyMap<string, readonly Line[]> {
  const found = new Map<string, Line[]>();
  for (const line of lines) {
    if (!line.counted) continue;
    const pool = found.get(line.pool);
    if (pool) pool.push(line);
    else found.set(line.pool, [line]);
  }
  return found;
}

/** Pools with several releases, some of which have a guarantee after the fact: what is told of them follows its own rule. */
export const afterTheFact = (lines: readonly Line[]): ReadonlyMap<string, readonly Line[]> =>
  new Map(
    [...pools(lines)].filter(
      ([, pool]) => pool.length > 1 && pool.some(({ kept }) => kept.exPost !== undefined),
    ),
  );

/** What a file held: releases of a pool, of which so many were known, and at which δ they are asked. */
export interface Opened {
  readonly pool: string;
  readonly count: number;
  readonly known: number;
  readonly delta: number | undefined;
}

/** All ledgers of a session: one for each pool, whose rule stands from the first release that counts. */
export class Ledgers {
  lines: readonly Line[] = [];
  /** What has begun and not ended. */
  running: readonly { readonly pool: string; readonly kept: Kept }[] = [];
  #rules = new Map<string, { readonly rule: Rule; readonly stands: boolean }>();
  #lastId = 0;

  ruleOf(pool: string): Rule {
    return this.#rules.get(pool)?.rule ?? PLAN;
  }

  /** Removing a line gives nothing back, and no other rule either. */
  stands(pool: string): boolean {
    return (this.#rules.get(pool)?.stands ?? false) || this.running.some((one) => one.pool === pool);
  }

  /** From now on such a release counts in what may be run, until the answer is called. */
  begin(pool: string, kept: Kept): () => void {
    const one = { pool, kept };
    this.running = [...this.running, one];
    return () => {
      this.running = this.running.filter((other) => other !== one);
    };
  }

  /** A budget that is fixed when answers are known is none. */
  choose(pool: string, rule: Rule): void {
    if (!this.stands(pool)) this.#rules.set(pool, { rule, stands: false });
  }

  /** Those about the same people, all that runs, and what would be run next, if it does not run already. */
  with(pool: string, next: Kept): readonly Kept[] {
    const others = this.running.filter((one) => one.pool === pool && one.kept !== next);
    return [...this.#keptOf(pool), ...others.map(({ kept }) => kept), next];
  }

  /** A release, which gets a mark by which a file that holds it is known. */
  add(line: Omit<Line, "id">): void {
    this.#enter({ ...line, kept: { ...line.kept, id: freshId() } });
  }

  #enter(line: Omit<Line, "id">): void {
    this.lines = [...this.lines, { id: ++this.#lastId, ...line }];
    if (line.counted) this.#rules.set(line.pool, { rule: this.ruleOf(line.pool), stands: true });
  }

  /** What a budget has paid for stays in its ledger: without it, what is left would grow again. */
  stays({ pool, counted }: Line): boolean {
    return counted && hasBudget(this.ruleOf(pool).name);
  }

  remove(id: number): void {
    this.lines = this.lines.filter((line) => line.id !== id || this.stays(line));
  }

  /** All that a file holds, or a refusal; then nothing has changed. What is there already counts once. */
  open(text: string): Opened {
    const file = checkLedgerFile(json("ledger", text));
    const pool = poolIn(file);
    const rule = ruleIn(file);
    const there = new Map(this.#written(pool).map((kept) => [kept.id, kept]));
    const added: Kept[] = [];
    for (const [i, kept] of file.entries.entries()) {
      const own = kept.id === undefined ? undefined : there.get(kept.id);
      if (!own) added.push(kept);
      else if (toJson(own) !== toJson(kept))
        throw new Refusal(
          "unsupported",
          `entries.${i}.id`,
          kept.id,
          "is that of another release that is there",
        );
    }
    if (this.stands(pool)) this.#checkSame(pool, rule);
    else this.choose(pool, rule);
    for (const kept of added) this.#enter({ pool, kept, counted: true, upper: undefined });
    return { pool, count: file.entries.length, known: file.entries.length - added.length, delta: file.delta };
  }

  save(pool: string, delta: number | undefined): object {
    return asked(pool, this.ruleOf(pool), this.#keptOf(pool), delta);
  }

  /** As a file would have them. */
  #written(pool: string): readonly Kept[] {
    return checkLedgerFile(json("ledger", toJson(asked(pool, PLAN, this.#keptOf(pool))))).entries;
  }

  #keptOf(pool: string): readonly Kept[] {
    return (pools(this.lines).get(pool) ?? []).map(({ kept }) => kept);
  }

  #checkSame(pool: string, rule: Rule): void {
    const own = this.ruleOf(pool);
    const must = (one: unknown) =>
      `must be that of the releases that are there already, ${JSON.stringify(one)}`;
    if (rule.name !== own.name) throw new Refusal("unsupported", "rule", rule.name, must(own.name));
    const [theirs, ours] = [budgetOf(rule) ?? {}, budgetOf(own) ?? {}];
    for (const { key } of budgetFields(own.name))
      if (toJson(theirs[key] ?? 0) !== toJson(ours[key] ?? 0))
        throw new Refusal("unsupported", `budget.${key}`, theirs[key], must(ours[key] ?? 0));
  }
}
