/** What this session has released, and what belongs together. Kept in memory only. */
import type { Description, ExPostLoss, Plan, ReportOffer } from "../../../wasm/contract.ts";
import { type Given, sampleIn } from "./loaded.ts";

/** What was paid, whatever came of it. */
export type Paid = Plan;

export interface Entry<Kind extends Paid = Paid> {
  readonly id: number;
  /** The releases of one pool are composed: those of a sample, or of all files, which may hold the same people. */
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

export const poolTitle = (pool: string, entries: readonly Entry[]) =>
  pool === FILES ? "all files, as if they held the same people" : (entries[0]?.title ?? pool);

/** What is composed with what: demonstrations cost nothing, because they protect nobody. */
export function pools(entries: readonly Entry[]): ReadonlyMap<string, readonly Entry[]> {
  const found = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (!entry.release.private) continue;
    const pool = found.get(entry.pool);
    if (pool) pool.push(entry);
    else found.set(entry.pool, [entry]);
  }
  return found;
}

/** What a release cost by what came out; nothing where the price is all there is, or nothing came out. */
export const exPostOf = ({ release, isRefused }: Entry): ExPostLoss | undefined =>
  isRefused || !("exPost" in release) ? undefined : (release.exPost as ExPostLoss | undefined);

/** Pools with several releases, some of which have a guarantee after the fact: what is told of them follows its own rule. */
export const afterTheFact = (entries: readonly Entry[]): ReadonlyMap<string, readonly Entry[]> =>
  new Map([...pools(entries)].filter(([, pool]) => pool.length > 1 && pool.some(exPostOf)));

/** The question that tells the total of several: whoever has the most rows is the one to protect. */
export const composed = (plans: readonly Plan[]) => ({
  descriptions: plans.map(({ description }): Description => description),
  group: Math.max(...plans.map(({ request }) => request.table.unit.rows)),
});
