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
const hasOwnPrice = ({ release, paid }: Run<unknown>) =>
  paid.description === release.description && release.persons.rows;

/** Which rows of a person are drawn differs from release to release of the same table. */
function declarationOf({ request: { table } }: Release): string {
  const { draw: _, ...unit } = table.unit;
  return JSON.stringify({ ...table, unit });
}

/** By the last of these runs, and by those before it of the same table, declared alike, about the same neighbours. Demonstrations cost nothing. */
export async function knownOver<Table>(runs: readonly Run<Table>[], asks: Asks<Table>): Promise<KnownHere> {
  const last = runs.at(-1) as Run<Table>;
  const declared = declarationOf(last.release);
  const known = await asks.known(last.release, last.table);
  const same = runs.filter(
    ({ release, table, paid }) =>
      release.private &&
      table === last.table &&
      paid.epsilon.neighbours === last.paid.epsilon.neighbours &&
      declarationOf(release) === declared,
  );
  if (!last.release.private || same.length < 2) return known;
  const prices: Description[] = [];
  for (const run of same) {
    if (!hasOwnPrice(run)) prices.push(keptMechanism(run.paid));
    else prices.push((run === last ? known : await asks.known(run.release, run.table)).description);
  }
  const total = async (mechanisms: readonly Description[]) => {
    const entries = mechanisms.map((mechanism) => ({ mechanism }));
    return (await asks.ledger({ rule: "plan", entries }, known.delta)).epsilon.upper;
  };
  const promised = await total(same.map(({ paid }) => keptMechanism(paid)));
  const own = Math.min(promised, await total(prices));
  return { ...known, together: { models: same.length, own, promised } };
}
