/** The ledgers of the session on the page: what is entered, kept in files, and told before a run. */
import { Refusal } from "../../../../wasm/engine/refusal.ts";
import { checkLedgerFile, hasBudget } from "../../../../wasm/release/ledger-question.ts";
import { say } from "../../elements/status.ts";
import type { FitJobs } from "../../engine/fit-protocol.ts";
import { Cancelled } from "../../engine/worker-client.ts";
import {
  asked,
  type Entry,
  FILES,
  keptOf,
  Ledgers,
  levelOf,
  type Paid,
  type Rule,
} from "../../fit/ledger.ts";
import { countWords } from "../../words/fit.ts";
import { entryWords, type Foretold, foretoldWords, ledgerRefusal, poolWords } from "../../words/ledger.ts";
import { find } from "../find.ts";
import { ledger, rulePart, runPart } from "./parts.ts";

export class Spent {
  readonly #ledgers = new Ledgers();
  readonly #ask: FitJobs["ledger"];
  readonly #pool: () => string;

  /** `pool`: to which the table at hand belongs. */
  constructor(pool: () => string, ask: FitJobs["ledger"]) {
    this.#pool = pool;
    this.#ask = ask;
    Object.assign(ledger, { ledgers: this.#ledgers, ask });
    rulePart.ask = ask;
    rulePart.addEventListener("save", () => this.#saveRule());
    ledger.addEventListener("remove", (event) => {
      this.#ledgers.remove((event as CustomEvent<number>).detail);
      this.show();
    });
    rulePart.addEventListener("rule", (event) => {
      this.#ledgers.choose(this.#pool(), (event as CustomEvent<Rule>).detail);
      this.show();
    });
    rulePart.addEventListener("ledger", (event) => this.open((event as CustomEvent<File>).detail));
    runPart.foretell = (plan) => this.#foretell(plan);
  }

  /** Lines about people, which are missed when the page is closed. */
  get isMissed(): boolean {
    return this.#ledgers.lines.some(({ pool }) => pool === FILES);
  }

  show(): void {
    const pool = this.#pool();
    const { lines } = this.#ledgers;
    ledger.lines = lines;
    const rule = this.#ledgers.ruleOf(pool);
    Object.assign(rulePart, { pool, rule, stands: this.#ledgers.stands(pool) });
    // Each of them is another answer to what a release would come to.
    if (this.#shown.lines !== lines || this.#shown.rule !== rule) this.#shown = { lines, rule };
    runPart.spent = this.#shown;
    if (lines.length > 0) find<HTMLElement>("#released").hidden = false;
  }
  #shown: { readonly lines: unknown; readonly rule: unknown } = { lines: undefined, rule: undefined };

  add(entry: Entry): void {
    this.#ledgers.add({
      pool: entry.pool,
      kept: keptOf(entry, entryWords(entry)),
      counted: entry.release.private,
      upper: entry.paid.epsilon.upper,
    });
    this.show();
  }

  /** A ledger that was kept; what it lacks or has too much is told by name. */
  async open(file: File): Promise<void> {
    try {
      const { pool, count, known, delta } = this.#ledgers.open(await file.text());
      if (delta !== undefined) ledger.delta = String(delta);
      const what = count === 0 ? "a rule" : countWords(count, "release");
      const once = known === 0 ? "" : ` Already there, and counted once: ${known}.`;
      const words = `${file.name} is opened: ${what} ${count === 0 ? "for" : "of"} ${poolWords(pool)}.${once}`;
      Object.assign(rulePart, { taken: words, trouble: "" });
      say(words);
      this.show();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      Object.assign(rulePart, {
        taken: "",
        trouble: `${file.name} is not opened. ${ledgerRefusal(error)}`,
      });
    }
  }

  /** Before the first release; what could not be opened again is not kept. */
  #saveRule(): void {
    const pool = this.#pool();
    try {
      checkLedgerFile(this.#ledgers.save(pool, undefined));
      rulePart.trouble = "";
      ledger.save(pool);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      Object.assign(rulePart, { taken: "", trouble: `The rule is not saved. ${ledgerRefusal(error)}` });
    }
  }

  /** Why such a release must not be run by the rule of its ledger; empty where it may. */
  async fault(entry: Entry): Promise<string> {
    if (!entry.release.private || !hasBudget(this.#ledgers.ruleOf(entry.pool).name)) return "";
    const told = await this.#told(entry);
    return told.fits ? "" : told.words;
  }

  async #foretell(plan: Paid): Promise<Foretold | undefined> {
    const pool = this.#pool();
    const entry = { pool, title: "", release: plan, paid: plan, isRefused: false };
    if (!plan.private) return undefined;
    if (hasBudget(this.#ledgers.ruleOf(pool).name)) return this.#told(entry);
    if (!this.#ledgers.stands(pool)) return undefined;
    const told = await this.#told(entry);
    // Why there is no total is told by the ledger.
    return told.fits ? told : undefined;
  }

  async #told(entry: Entry): Promise<Foretold> {
    const { pool, paid } = entry;
    const all = this.#ledgers.with(pool, keptOf(entry, "the next"));
    const rule = this.#ledgers.ruleOf(pool);
    try {
      const question = asked(pool, rule, all);
      return foretoldWords(await this.#ask(question, levelOf(rule, paid.delta)), all.length - 1);
    } catch (error) {
      if (error instanceof Cancelled) return this.#told(entry);
      if (error instanceof Refusal)
        return {
          words: `By the rule of the ledger it must not be run. ${ledgerRefusal(error)}`,
          fits: false,
        };
      throw error;
    }
  }
}
