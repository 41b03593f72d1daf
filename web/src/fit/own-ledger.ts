/** What all models of one table on this page cost one person together: what the releases cost her add up, as those of a plan. */
import type { Description, KnownLoss, Ledger, Release } from "../../../wasm/contract.ts";
import { keptMechanism, type Paid } from "./ledger.ts";

export interface Run<Table> {
  readonly release: Release;
  readonly table: Table;
  /** With what is published beside it. */
  readonly paid: Paid;
}

export interface Asks<Table> {
  known(release: Release, table: Table): Promise<KnownLoss>;
  ledger(question: object, delta: number): Promise<Ledger>;
}

/** What several models cost at the δ of the last one: her, and whoever is in whatever table. */
export interface Together {
  readonly models: number;
  readonly own: number;
  readonly promised: number;
}

export type KnownHere = KnownLoss & { readonly together?: Together };

/** Her own price is told of the model alone: with what else is published, and where it is not known, she counts as everybody does. */
async function priceOf<Table>({ release, table, paid }: Run<Table>, asks: Asks<Table>): Promise<Description> {
  const isAlone = paid.description === release.description;
  return isAlone && release.persons.rows
    ? (await asks.known(release, table)).description
    : keptMechanism(paid);
}

/** By the last of these runs, and by those before it of the same table, declared alike. Demonstrations cost nothing. */
export async function knownOver<Table>(runs: readonly Run<Table>[], asks: Asks<Table>): Promise<KnownHere> {
  const last = runs.at(-1) as Run<Table>;
  const declared = JSON.stringify(last.release.request.table);
  const known = await asks.known(last.release, last.table);
  const same = runs.filter(
    ({ release, table }) =>
      release.private && table === last.table && JSON.stringify(release.request.table) === declared,
  );
  if (!last.release.private || same.length < 2) return known;
  const prices: Description[] = [];
  for (const run of same)
    prices.push(await priceOf(run, { ...asks, known: run === last ? async () => known : asks.known }));
  const total = async (mechanisms: readonly Description[]) => {
    const entries = mechanisms.map((mechanism) => ({ mechanism }));
    return (await asks.ledger({ rule: "plan", entries }, known.delta)).epsilon.upper;
  };
  const promised = await total(same.map(({ paid }) => keptMechanism(paid)));
  const own = Math.min(promised, await total(prices));
  return { ...known, together: { models: same.length, own, promised } };
}
