/** The name that was probably meant by one that does not exist. */

const bare = (name: string) => name.toLowerCase().replaceAll(/[-_]/g, "");

const singular = (name: string) => name.replace(/ies$/, "y").replace(/s$/, "");

const SHORTEST_START = 3;
const MOST_SLIPS = 2;

/** The same letters with other case and hyphens, a beginning, or at most two slips of the finger. */
export function meant(name: string, known: readonly string[]): string | undefined {
  const asked = bare(name);
  const same = known.find((one) => bare(one) === asked);
  if (same !== undefined) return same;
  const begun = known.filter((one) => asked.length >= SHORTEST_START && bare(one).startsWith(asked));
  // One name and its plural are one.
  if (new Set(begun.map(singular)).size === 1) return begun.sort((a, b) => a.length - b.length)[0];
  const slips = known.map((one) => distance(asked, bare(one)));
  const fewest = Math.min(...slips);
  return fewest <= Math.min(MOST_SLIPS, asked.length / 2) ? known[slips.indexOf(fewest)] : undefined;
}

/** “; did you mean …?” or nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  const found = meant(name, known);
  return found === undefined ? "" : `; did you mean ${found}?`;
}

/** How many letters must be put in, left out or replaced (Levenshtein 1966). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (letter === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
