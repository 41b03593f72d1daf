/** What this session has spent: a line for each release, the total of those that are about the same people. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Answer, Odometer } from "../../../../wasm/contract.ts";
import { Refusal } from "../../../../wasm/engine/refusal.ts";
import type { FitJobs } from "../../engine/fit-protocol.ts";
import { Cancelled } from "../../engine/worker-client.ts";
import {
  afterTheFact,
  composed,
  type Entry,
  exPostOf,
  type Paid,
  pools,
  poolTitle,
} from "../../fit/ledger.ts";
import { understand } from "../../question/expression.ts";
import { algorithmWords, countWords, subjectWords } from "../../words/fit.ts";
import { format } from "../../words/numbers.ts";
import { refusalSentence } from "../../words/sentences.ts";
import { LightElement } from "../light-element.ts";

/** A pool's price, or why it has none. */
type Total = { readonly upper: number } | { readonly sentence: string };

export class FitLedger extends LightElement {
  static override properties = {
    entries: { attribute: false },
    totals: { state: true },
    exPost: { state: true },
    delta: { state: true },
    leaving: { state: true },
  };

  declare entries: readonly Entry[] | undefined;
  /** What several releases cost together. */
  compose: ((...asked: Parameters<FitJobs["compose"]>) => Promise<Answer>) | undefined;
  /** What they cost together after the fact. */
  odometer: ((releases: readonly Paid[]) => Promise<Odometer>) | undefined;
  declare private totals: ReadonlyMap<string, Total>;
  declare private exPost: ReadonlyMap<string, Total>;
  /** At which δ the totals are told, as typed; that of the last release until it is typed. */
  declare private delta: string | undefined;
  /** The entry about which it was asked whether to remove it. */
  declare private leaving: number | undefined;
  private asked = 0;

  constructor() {
    super();
    this.totals = new Map();
    this.exPost = new Map();
  }

  private get lastDelta(): string {
    const last = this.entries?.at(-1)?.paid.delta;
    return last === undefined ? "" : format(last, 17);
  }

  private get shownDelta(): string {
    return this.delta ?? this.lastDelta;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("entries") || changed.has("delta")) this.add();
  }

  /** The pools in which there is something to add: one release has its price already. */
  private several(): ReadonlyMap<string, readonly Entry[]> {
    return new Map([...pools(this.entries ?? [])].filter(([, entries]) => entries.length > 1));
  }

  private async add(): Promise<void> {
    const asked = ++this.asked;
    const found = new Map<string, Total>();
    for (const [pool, entries] of this.several()) {
      const total = await this.total(entries.map(({ paid }) => paid));
      if (asked !== this.asked) return;
      found.set(pool, total);
    }
    this.totals = found;
    const after = new Map<string, Total>();
    for (const [pool, entries] of afterTheFact(this.entries ?? [])) {
      after.set(pool, await this.afterwards(entries.map(({ release }) => release)));
      if (asked !== this.asked) return;
    }
    this.exPost = after;
  }

  private afterwards(paid: readonly Paid[]): Promise<Total> {
    return this.told(async () => {
      const found = await this.odometer?.(paid);
      return found ? { upper: found.spent } : { sentence: "" };
    });
  }

  private total(paid: readonly Paid[]): Promise<Total> {
    return this.told(async () => {
      const delta = understand(this.shownDelta, "delta").value;
      const { descriptions, group } = composed(paid);
      return (await this.compose?.(descriptions, delta, group)) ?? { sentence: "" };
    });
  }

  private async told(ask: () => Promise<Total>): Promise<Total> {
    try {
      return await ask();
    } catch (error) {
      // The worker was ended for another reason, and owes an answer.
      if (error instanceof Cancelled) return this.told(ask);
      if (error instanceof Refusal) return { sentence: refusalSentence(error, error.field) };
      return { sentence: `No total: ${(error as Error).message}.` };
    }
  }

  private drop(id: number): void {
    this.leaving = undefined;
    this.dispatchEvent(new CustomEvent<number>("remove", { detail: id }));
  }

  protected override render(): TemplateResult | typeof nothing {
    const { entries = [] } = this;
    if (entries.length === 0) return nothing;
    const counted = this.several();
    return html`<h2>Spent in this session</h2>
      <ol class="ledger">${entries.map((entry) => this.line(entry))}</ol>
      ${counted.size > 0 ? this.sum(counted) : nothing}${this.sumAfter()}
      <p class="aside">Kept in this page only: closing or reloading it forgets the list, and what was spent stays spent.</p>`;
  }

  private line(entry: Entry): TemplateResult {
    const { id, title, what, release, offer, paid, isRefused } = entry;
    const { epsilon, delta, request } = paid;
    const exPost = exPostOf(entry);
    const price = !release.private
      ? "demonstration, not counted"
      : exPost
        ? `ex post ε ≤ ${format(exPost.epsilon, 6, "up")}; before, ε ≤ ${format(epsilon.upper, 6, "up")}`
        : `ε ≤ ${format(epsilon.upper, 6, "up")} at δ = ${format(delta, 6, "up")}`;
    const shared = offer ? ", with what is published beside it" : "";
    const outcome = isRefused ? "; refused, and paid all the same" : "";
    const words = `${title}: ${subjectWords(request.table)}, ${what ?? algorithmWords(request.algorithm.name).title}${shared}${outcome}`;
    return html`<li><span class="what">${words}</span> <strong>${price}</strong>
      ${
        this.leaving === id
          ? html`<span class="warned">Removing the line does not give the budget back.
              <button type="button" @click=${() => this.drop(id)}>Remove it all the same</button>
              <button type="button" @click=${() => {
                this.leaving = undefined;
              }}>Keep it</button></span>`
          : html`<button type="button" class="link" aria-label="Remove ${words}" @click=${() => {
              this.leaving = id;
            }}>remove</button>`
      }</li>`;
  }

  /** Apart from the total, because it is another guarantee. */
  private sumAfter(): TemplateResult | typeof nothing {
    const counted = afterTheFact(this.entries ?? []);
    if (counted.size === 0) return nothing;
    return html`<p class="rule">Together <em>ex post</em>: losses after the fact add up, with those of other releases that never fail</p>
      <dl class="totals after">${[...counted].map((pool) => totalOf(pool, this.exPost))}</dl>`;
  }

  private sum(counted: ReadonlyMap<string, readonly Entry[]>): TemplateResult {
    const typed = (event: Event) => {
      this.delta = (event.target as HTMLInputElement).value;
    };
    return html`<p class="rule">Together, composed by the engine, at <span class="slot"><i>δ</i> = <input class="text" id="fit-total-delta" type="text" size="6" autocomplete="off"
        aria-label="δ of the total" .value=${this.shownDelta} @input=${typed} /></span></p>
      <dl class="totals">${[...counted].map((pool) => totalOf(pool, this.totals))}</dl>`;
  }
}

function totalOf(
  [pool, entries]: [string, readonly Entry[]],
  totals: ReadonlyMap<string, Total>,
): TemplateResult {
  const known = totals.get(pool);
  const words = !known ? "…" : "upper" in known ? `ε ≤ ${format(known.upper, 6, "up")}` : known.sentence;
  return html`<dt>${poolTitle(pool, entries)}</dt><dd><strong>${words}</strong>, ${countWords(entries.length, "release")}</dd>`;
}
