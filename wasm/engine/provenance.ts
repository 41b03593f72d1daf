/** What every answer says beside its numbers: what they are worth, which neighbours they are about, whose theorem gave them. */

import type { Options, Provenance } from "../contract.ts";
import type { Description, Neighbours } from "./catalogue.ts";
import { neighboursOf } from "./description.ts";
import { childrenOf } from "./description-tree.ts";
import { entryOf, isList, isWrapped, toldOf } from "./kinds.ts";

/** Of parts whose product of pairs no mechanism attains. */
const LEAST_BOUND =
  "The least of the product of the parts' dominating pairs, Zhu, Dong and Wang 2022, Theorem 10, and of their Rényi divergences together, Mironov 2017, Proposition 1, converted by Canonne, Kamath and Steinke 2020, Proposition 12";

/** How groups of records follow from single ones. */
const GROUP_RULE =
  "Dong, Roth and Su 2019, Section 2.5; of sampled Gaussians Choquette-Choo, Ganesh, Steinke and Thakurta 2024; of zero-concentrated privacy Bun and Steinke 2016, Proposition 1.9";

/** What all of a list have in common. */
function common<T>(values: readonly (T | undefined)[]): T | undefined {
  return values.every((value) => value === values[0]) ? values[0] : undefined;
}

/** The theorem that gave the answer: a list in closed form rests on its parts' own rule. */
function sourceOf(description: Description, kind: Provenance["kind"]): string {
  const { source } = entryOf(description.kind);
  const parts = isList(description.kind) ? childrenOf(description) : [];
  const [first, ...others] = parts;
  if (!first) return source;
  if (others.length === 0 && first.count === 1) return sourceOf(first.mechanism, kind);
  const entries = parts.map(({ mechanism }) => entryOf(mechanism.kind));
  if (kind === "certified") return common(entries.map(({ adaptive }) => adaptive)) ?? source;
  const rule = entries[0]?.composition;
  const closed = kind === "exact" || common(entries.map(({ composition }) => composition)) !== undefined;
  if (!closed) return LEAST_BOUND;
  return rule ? `${rule}; ${sourceOf(first.mechanism, kind)}` : sourceOf(first.mechanism, kind);
}

/** Of everything inside, too. */
const notesOf = (description: Description, neighbours: Neighbours): string[] => [
  ...(isWrapped(description) ? toldOf(description, description.neighbours ?? neighbours) : []),
  ...childrenOf(description).flatMap(({ mechanism }) => notesOf(mechanism, neighbours)),
];

export function provenance(
  description: Description,
  kind: Provenance["kind"],
  options?: Options,
): Provenance {
  const chained = (options?.group ?? 1) > 1 ? `; groups by ${GROUP_RULE}` : "";
  const neighbours = neighboursOf(description);
  const notes = [...new Set(notesOf(description, neighbours))];
  const source = sourceOf(description, kind) + chained;
  return { kind, neighbours, source, ...(notes.length > 0 && { notes }) };
}
