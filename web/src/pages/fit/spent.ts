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
  type Kept,
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

/** What the rule of a ledger does not allow; the message says why. */
export class Unfit extends Error {}

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
      if (this.#ledgers.running.length > 0)
        throw new Refusal("unsupported", "ledger", file.name, "can be opened when no release is being made");
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

  /**
   * Makes a release, where the rule of its ledger allows it. It counts from before the rule is asked until it has ended, so
   * that of two which are begun at once neither is overlooked, and that the rule stands.
   */
  async during<Made>(
    entry: Entry,
    release: () => Promise<Made>,
    entered: (made: Made) => Entry,
  ): Promise<Made> {
    const { pool } = entry;
    const kept = keptOf(entry, "the next");
    const end = entry.release.private ? this.#ledgers.begin(pool, kept) : () => {};
    this.show();
    try {
      if (entry.release.private && hasBudget(this.#ledgers.ruleOf(pool).name)) {
        const told = await this.#told(entry, kept);
        if (!told.fits) throw new Unfit(told.words);
      }
      const made = await release();
      this.add(entered(made));
      return made;
    } catch (error) {
      if (error instanceof Refusal && error.spent) this.add({ ...entry, isRefused: true });
      throw error;
    } finally {
      end();
      // What would be left was told with this one.
      this.#shown = { lines: undefined, rule: undefined };
      this.show();
    }
  }

  async #foretell(plan: Paid): Promise<Foretold | undefined> {
    const pool = this.#pool();
    const entry = { pool, title: "", release: plan, paid: plan, isRefused: false };
    const isBudget = hasBudget(this.#ledgers.ruleOf(pool).name);
    if (!plan.private || !(isBudget || this.#ledgers.stands(pool))) return undefined;
    try {
      const told = await this.#told(entry, keptOf(entry, "the next"));
      // Why there is no total is told by the ledger.
      return isBudget || told.fits ? told : undefined;
    } catch (error) {
      // What was cancelled is something else.
      if (error instanceof Cancelled) return this.#foretell(plan);
      throw error;
    }
  }

  async #told({ pool, paid }: Entry, kept: Kept): Promise<Foretold> {
    const all = this.#ledgers.with(pool, kept);
    const rule = this.#ledgers.ruleOf(pool);
    try {
      const question = asked(pool, rule, all);
      return foretoldWords(await this.#ask(question, levelOf(rule, paid.delta)), all.length - 1);
    } catch (error) {
      if (error instanceof Refusal)
        return {
          words: `By the rule of the ledger it must not be run. ${ledgerRefusal(error)}`,
          fits: false,
        };
      throw error;
    }
  }
}
