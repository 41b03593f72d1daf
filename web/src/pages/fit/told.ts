/** What the engine says of ledgers, or why it says nothing. */
import type { Ledger } from "../../../../wasm/contract.ts";
import { Refusal } from "../../../../wasm/engine/refusal.ts";
import { Cancelled } from "../../engine/worker-client.ts";
import { ledgerRefusal } from "../../words/ledger.ts";

export type Told = { readonly ledger: Ledger } | { readonly sentence: string };

export const ledgerIn = (told: Told | undefined) => (told && "ledger" in told ? told.ledger : undefined);

type Ask = () => Promise<Ledger | undefined> | undefined;

async function told(ask: Ask): Promise<Told> {
  try {
    const ledger = await ask();
    return ledger ? { ledger } : { sentence: "" };
  } catch (error) {
    // The worker was ended for another reason, and owes an answer.
    if (error instanceof Cancelled) return told(ask);
    if (error instanceof Refusal) return { sentence: ledgerRefusal(error) };
    return { sentence: `No total: ${(error as Error).message}.` };
  }
}

/** One after the other; nothing once the answers are no longer wanted. */
export async function allTold<Key>(
  questions: readonly (readonly [Key, Ask])[],
  isWanted: () => boolean,
): Promise<ReadonlyMap<Key, Told> | undefined> {
  const found = new Map<Key, Told>();
  for (const [key, ask] of questions) {
    found.set(key, await told(ask));
    if (!isWanted()) return undefined;
  }
  return found;
}
