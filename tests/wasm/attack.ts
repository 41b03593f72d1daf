/** What an attacker finds who knows two neighbouring tables and looks at many releases of both, against a stated price. */

/** Of each run log P/Q, or whatever speaks for P: of releases of the one table, and of the other by the same draws. */
export interface Runs {
  readonly p: readonly number[];
  readonly q: readonly number[];
}

/** `loss` of `count` releases of either table, drawn by seeds: the same figures on every machine. */
export async function runs(
  count: number,
  loss: (table: "p" | "q", seed: number) => Promise<number>,
): Promise<Runs> {
  const found = { p: [] as number[], q: [] as number[] };
  for (let seed = 0; seed < count; ++seed) {
    found.p.push(await loss("p", seed));
    found.q.push(await loss("q", seed));
  }
  return found;
}

/** Of telling that it is the other table. */
export const reversed = ({ p, q }: Runs): Runs => ({ p: q.map((one) => -one), q: p.map((one) => -one) });

/**
 * By how much P(E) is above e^ε Q(E) + δ, with its standard error: E is what speaks most for P at that ε. Both tables are
 * released by the same draws, which leaves the mean as it is, and less of the error.
 */
export function excess({ p, q }: Runs, epsilon: number, delta: number) {
  const differences = p.map(
    (one, i) => Number(one > epsilon) - Math.exp(epsilon) * Number((q[i] as number) > epsilon) - delta,
  );
  const mean = differences.reduce((sum, one) => sum + one) / differences.length;
  const squares = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares) / differences.length };
}
