/** What this session has spent: a line for each release, and by their rule the total of those about the same people. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Ledger } from "../../../../wasm/contract.ts";
import { hasBudget } from "../../../../wasm/release/ledger-question.ts";
import type { FitJobs } from "../../engine/fit-protocol.ts";
import {
  afterTheFact,
  asked,
  type Ledgers,
  type Line,
  levelOf,
  PLAN,
  pools,
  type Rule,
} from "../../fit/ledger.ts";
import { understand } from "../../question/expression.ts";
import { download } from "../../share/download.ts";
import { plainJson } from "../../share/json.ts";
import { countWords } from "../../words/fit.ts";
import { brokenWords, leftWords, poolWords, ruleSentence, ruleWords, sumWords } from "../../words/ledger.ts";
import { EVERY_DIGIT, format } from "../../words/numbers.ts";
import { LightElement } from "../light-element.ts";
import { allTold, ledgerIn, type Told } from "./told.ts";

/** Before anything says at which δ. */
const USUAL_DELTA = "1e-6";
const AFTER_THE_FACT: Rule = { name: "ex-post", budget: {} };

export class FitLedger extends LightElement {
  static override properties = {
    lines: { attribute: false },
    totals: { state: true },
    exPost: { state: true },
    prices: { state: true },
    delta: { attribute: false },
    leaving: { state: true },
  };

  declare lines: readonly Line[] | undefined;
  /** What the lines belong to. */
  ledgers: Ledgers | undefined;
  ask: FitJobs["ledger"] | undefined;
  declare private totals: ReadonlyMap<string, Told>;
  declare private exPost: ReadonlyMap<string, Told>;
  /** Of lines that were in a file. */
  declare private prices: ReadonlyMap<number, Told>;
  /** At which δ the totals are told, as typed; that of the last release until it is typed. */
  declare delta: string | undefined;
  /** The line about which it was asked whether to remove it. */
  declare private leaving: number | undefined;
  private turn = 0;

  constructor() {
    super();
    this.totals = new Map();
    this.exPost = new Map();
    this.prices = new Map();
  }

  private get shownDelta(): string {
    const last = this.lines?.flatMap(({ kept }) => kept.delta ?? []).at(-1);
    return this.delta ?? (last === undefined ? USUAL_DELTA : format(last, EVERY_DIGIT));
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("lines") || changed.has("delta")) this.add();
  }

  /** Those in which there is something to add up: by a plan one release has its price already. */
  private counted(): ReadonlyMap<string, readonly Line[]> {
    const all = [...pools(this.lines ?? [])];
    return new Map(all.filter(([pool, { length }]) => length > 1 || hasBudget(this.ruleOf(pool).name)));
  }

  private ruleOf(pool: string) {
    // The lines are there only with what they belong to.
    return (this.ledgers as Ledgers).ruleOf(pool);
  }

  /** What is typed counts for all; where nothing is, a rule may have a δ of its own. */
  private levelOf(pool: string): number {
    const level = understand(this.shownDelta, "delta").value;
    return this.delta === undefined ? levelOf(this.ruleOf(pool), level) : level;
  }

  private async add(): Promise<void> {
    const turn = ++this.turn;
    const isWanted = () => turn === this.turn;
    const lines = this.lines ?? [];
    const ask = (pool: string, rule: Rule, all: readonly Line[], level: number) =>
      this.ask?.(
        asked(
          pool,
          rule,
          all.map(({ kept }) => kept),
        ),
        level,
      );
    const totals = [...this.counted()].map(
      ([pool, all]) => [pool, () => ask(pool, this.ruleOf(pool), all, this.levelOf(pool))] as const,
    );
    const exPost = [...afterTheFact(lines)].map(
      ([pool, all]) => [pool, () => ask(pool, AFTER_THE_FACT, all, 0)] as const,
    );
    const prices = lines
      .filter(({ upper }) => upper === undefined)
      .map((line) => {
        const { id, pool, kept } = line;
        return [id, () => ask(pool, PLAN, [line], kept.delta ?? this.levelOf(pool))] as const;
      });
    this.totals = (await allTold(totals, isWanted)) ?? this.totals;
    if (isWanted()) this.exPost = (await allTold(exPost, isWanted)) ?? this.exPost;
    if (isWanted()) this.prices = (await allTold(prices, isWanted)) ?? this.prices;
  }

  private drop(id: number): void {
    this.leaving = undefined;
    this.dispatchEvent(new CustomEvent<number>("remove", { detail: id }));
    this.updateComplete.then(() => this.querySelector<HTMLElement>("button")?.focus());
  }

  /** As a file, with the rule alone where nothing was released yet. */
  save(pool: string): void {
    let delta: number | undefined;
    try {
      delta = this.levelOf(pool);
    } catch {
      // What is typed is no number, and need not be kept.
    }
    const file = this.ledgers?.save(pool, delta);
    download("ledger.json", "application/json", `${plainJson(file)}\n`);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { lines = [] } = this;
    if (lines.length === 0) return nothing;
    const counted = this.counted();
    const all = [...pools(lines).keys()];
    const name = (pool: string) =>
      all.length > 1 ? `Save the ledger of ${poolWords(pool)}` : "Save the ledger";
    return html`<h2>Spent in this session</h2>
      <ol class="ledger">${lines.map((line) => this.line(line))}</ol>
      ${counted.size > 0 ? this.sum(counted) : nothing}${this.sumAfter()}
      ${all.map((pool) => this.rule(pool, all.length > 1))}
      ${
        all.length === 0
          ? nothing
          : html`<p class="buttons">${all.map((pool) => html`<button type="button" @click=${() => this.save(pool)}>${name(pool)}</button>`)}</p>`
      }
      <p class="aside">Kept in this page only: closing or reloading it forgets the list, and what was spent stays spent. A saved ledger may be opened again in step 4, and holds
        what each release ran, its file and the column that it predicts by name, and no price: whoever opens it computes that again.</p>`;
  }

  private rule(pool: string, several: boolean): TemplateResult {
    const rule = this.ruleOf(pool);
    return html`<p class="aside">${several ? `Rule for ${poolWords(pool)}` : "Rule"}: ${ruleSentence(rule)}. ${ruleWords(rule.name).help}</p>`;
  }

  private line(line: Line): TemplateResult {
    const { id, kept } = line;
    const words = kept.title ?? kept.mechanism.kind;
    return html`<li data-line=${id}><span class="what"><bdi>${words}</bdi>${kept.count === 1 ? nothing : `, ${countWords(kept.count, "time")}`}</span> <strong>${this.price(line)}</strong>
      ${
        this.leaving === id
          ? html`<span class="warned">Removing the line does not give the budget back.
              <button type="button" @click=${() => this.drop(id)}>Remove it all the same</button>
              <button type="button" @click=${() => this.leave(undefined, id)}>Keep it</button></span>`
          : this.ledgers?.stays(line)
            ? nothing
            : html`<button type="button" class="link" aria-label="Remove ${words}" @click=${() => this.leave(id, id)}>remove</button>`
      }</li>`;
  }

  /** The buttons of a line take each other's place, and the focus with it. */
  private leave(leaving: number | undefined, line: number): void {
    this.leaving = leaving;
    this.updateComplete.then(() => this.querySelector<HTMLElement>(`[data-line="${line}"] button`)?.focus());
  }

  private price({ id, kept, counted, upper }: Line): string {
    if (!counted) return "demonstration, not counted";
    const told = this.prices.get(id);
    if (upper === undefined && told && "sentence" in told) return told.sentence;
    const found = ledgerIn(told);
    const known = upper ?? found?.epsilon.upper;
    if (known === undefined) return "…";
    const price = `ε ≤ ${format(known, 6, "up")}`;
    return kept.exPost === undefined
      ? `${price} at δ = ${format(kept.delta ?? found?.delta ?? 0, 6, "up")}`
      : `ex post ε ≤ ${format(kept.exPost, 6, "up")}; before, ${price}`;
  }

  /** Apart from the total, because it is another guarantee. */
  private sumAfter(): TemplateResult | typeof nothing {
    const counted = afterTheFact(this.lines ?? []);
    if (counted.size === 0) return nothing;
    const row = ([pool, lines]: [string, readonly Line[]]) => {
      const spent = (ledger: Ledger) => `ε ≤ ${format(ledger.exPost?.spent ?? 0, 6, "up")}`;
      return totalRow(
        pool,
        this.exPost.get(pool),
        (ledger) => html`<strong>${spent(ledger)}</strong>, ${countWords(lines.length, "release")}`,
      );
    };
    return html`<p class="rule">Together <em>ex post</em>: losses after the fact add up, with those of other releases that never fail</p>
      <dl class="totals after">${[...counted].map(row)}</dl>`;
  }

  private sum(counted: ReadonlyMap<string, readonly Line[]>): TemplateResult {
    const typed = (event: Event) => {
      this.delta = (event.target as HTMLInputElement).value;
    };
    const row = ([pool, lines]: [string, readonly Line[]]) =>
      totalRow(pool, this.totals.get(pool), (ledger) => total(ledger, lines.length));
    return html`<p class="rule">Together, by the rule of the ledger, at <span class="slot"><i>δ</i> = <input class="text" id="fit-total-delta" type="text" size="6" autocomplete="off"
        aria-label="δ of the total" .value=${this.shownDelta} @input=${typed} /></span></p>
      <dl class="totals">${[...counted].map(row)}</dl>`;
  }
}

function totalRow(
  pool: string,
  told: Told | undefined,
  words: (ledger: Ledger) => TemplateResult,
): TemplateResult {
  const ledger = ledgerIn(told);
  const sentence = told && "sentence" in told ? told.sentence : "…";
  const found = ledger ? words(ledger) : html`<strong>${sentence}</strong>`;
  return html`<dt>${poolWords(pool)}</dt><dd>${found}</dd>`;
}

/** The price of a budget is that of all that fits it. */
function total(ledger: Ledger, count: number): TemplateResult {
  const { rule, spent, left } = ledger;
  const price = html`<strong>ε ≤ ${format(ledger.epsilon.upper, 6, "up")}</strong>`;
  const releases = countWords(count, "release");
  if (!spent || !left) return html`${price}, ${releases}`;
  const broken = brokenWords(ledger);
  if (broken !== "") return html`<strong>${broken}</strong>`;
  return html`${price} at δ = ${format(ledger.delta, 6, "up")}, the whole budget; ${releases} took ${sumWords(rule, spent, "up")}, and <span class="left">${leftWords(rule, left)}</span>`;
}
