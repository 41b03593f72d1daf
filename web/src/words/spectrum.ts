/** The words about the largest eigenvalue of a random symmetric matrix. */
import type { Estimate } from "../../../wasm/contract.ts";
import { format, precise } from "./numbers.ts";

export interface QuantileCard {
  readonly shown: string;
  readonly level: string;
  readonly ends: readonly string[];
  readonly copied: string;
  readonly source: string;
}

interface Level {
  readonly dimension: number;
  readonly upperTail: number;
  readonly normalisation: "one" | "half";
}

const VARIANCE = { one: "1", half: "½" } as const;

const levelWords = ({ dimension, upperTail, normalisation }: Level) =>
  `exceeded with probability ${format(upperTail, 6, "up")} at d\u00a0=\u00a0${dimension}, variance ${VARIANCE[normalisation]} off the diagonal`;

export const describeQuantile = (asked: Level, found: Estimate, digits: number): QuantileCard => ({
  shown: format(found.upper, digits, "up"),
  level: levelWords(asked),
  ends: [found.lower, found.upper].map(precise),
  copied: precise(found.upper),
  source: found.source,
});

export const quantileLine = (asked: Level, found: Estimate, digits: number): string =>
  `τ = ${format(found.upper, digits, "up")}, ${levelWords(asked)}`;

/** How far the limit law is off, with the sign that matters: a bound that is too small fails. */
export function limitSentence(limit: number, tau: number): string {
  const off = limit / tau - 1;
  const side = off < 0 ? "too small" : "too large";
  return `The Tracy–Widom limit would say ${format(limit, 5)}, ${format(100 * Math.abs(off), 2)}\u00a0% ${side}.`;
}
