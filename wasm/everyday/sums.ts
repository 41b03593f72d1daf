/**
 * Everyday numbers from sums that a database computed: each part counts the rows of its groups, of which a histogram has one
 * for each cell and moments have one alone, and sums columns and products over each.
 */
import type { EverydayGrid } from "../contract.ts";
import { fingerprintOf } from "../engine/fingerprint.ts";
import { Refusal } from "../engine/refusal.ts";
import { list, record, text } from "../engine/shape.ts";
import { answersIn, type Halves, halves, MOST_ROWS, must, whole } from "../table/statistics.ts";
import type { EverydayRequest } from "./everyday-request.ts";
import type { AskedPart, Planned } from "./parts.ts";
import type { Parameters } from "./released.ts";

const UNSUMMED: readonly string[] = ["quantiles", "found-groups"];

/** Where every part is a sum. */
export function gridsOf({ parts }: Planned, of: Parameters): readonly EverydayGrid[] | undefined {
  if (parts.some(({ asked }) => UNSUMMED.includes(asked.of))) return undefined;
  // A cell counts rows, and nothing else.
  return parts.map(({ asked }, i) =>
    asked.of === "cells" ? { step: 1, row: 1 } : { step: of(i, "step"), row: of(i, "row") },
  );
}

/** Refuses by name what needs the rows themselves. */
export function refuseUnsummed({ releases }: EverydayRequest): void {
  releases.forEach(({ of }, i) => {
    if (UNSUMMED.includes(of))
      throw new Refusal(
        "unsupported",
        `releases.${i}.of`,
        of,
        "needs the rows themselves: no sums are enough",
      );
  });
}

/** By which sums and request know each other. */
export const sumsFingerprint = ({ table, releases }: EverydayRequest, grids: readonly EverydayGrid[]) =>
  fingerprintOf(JSON.stringify([table, releases, grids]));

export const groupsIn = ({ of, cells = 0 }: AskedPart) => (of === "moments" ? 1 : cells);

/** The sums of a group besides its rows: columns, after the numbers the levels of each category, and the lower triangle of their products by rows. */
export const summedIn = ({
  columns = 0,
  levels = [],
  products,
}: AskedPart): readonly (readonly number[])[] => {
  const length = levels.reduce((sum, one) => sum + one, columns);
  const all = Array.from({ length }, (_, i) => i);
  return [
    ...all.map((i) => [i]),
    ...(products ? all.flatMap((i) => all.slice(0, i + 1).map((j) => [i, j])) : []),
  ];
};

/** What rows of numbers between -1 and 1 and of indicators have in common, and so have their sums. Returns how many there are at least. */
function checkPossible(
  field: string,
  { parts }: Planned,
  grids: readonly EverydayGrid[],
  sums: readonly bigint[],
): bigint {
  let next = 0;
  let most = 0n;
  let ofCells: bigint | undefined;
  parts.forEach(({ asked }, i) => {
    const { step } = grids[i] as EverydayGrid;
    const summed = summedIn(asked);
    const largest = BigInt(Math.ceil(Math.SQRT2 / step));
    let total = 0n;
    for (let group = groupsIn(asked); group > 0; group--) {
      const rows = sums[next] as bigint;
      must(
        rows >= 0n && rows <= MOST_ROWS,
        `${field}.sums.${next++}`,
        rows,
        `must be from 0 to ${MOST_ROWS}`,
      );
      total += rows;
      for (const [one, other] of summed) {
        const sum = sums[next] as bigint;
        const limit = rows * largest;
        const areIndicators = Math.min(one as number, other ?? (one as number)) >= (asked.columns ?? 0);
        const least = one === other || areIndicators ? 0n : -limit;
        must(
          sum >= least && sum <= limit,
          `${field}.sums.${next++}`,
          sum,
          `must be from ${least} to ${limit}`,
        );
      }
    }
    most = total > most ? total : most;
    if (asked.of !== "cells") return;
    ofCells ??= total;
    must(
      total === ofCells,
      `${field}.sums.${next - 1}`,
      total,
      `rows in all cells must be ${ofCells}, as before`,
    );
  });
  return most;
}

/** The sums of all answers, each as the core takes them: in steps of the grids. */
export function checkSums(
  request: EverydayRequest,
  planned: Planned,
  value: unknown,
  of: Parameters,
): readonly Halves[] {
  refuseUnsummed(request);
  const grids = gridsOf(planned, of) as readonly EverydayGrid[];
  const steps = planned.parts.flatMap(({ asked }, i) => {
    const group = [BigInt((grids[i] as EverydayGrid).row), ...summedIn(asked).map(() => 1n)];
    return Array.from({ length: groupsIn(asked) }, () => group).flat();
  });
  const shape = record({ declared: text(16, 16), sums: list(whole, steps.length, steps.length) });
  const rowsOf = (field: string, { sums }: { readonly sums: readonly bigint[] }) =>
    checkPossible(field, planned, grids, sums);
  const answers = answersIn(request.table, sumsFingerprint(request, grids), shape, rowsOf, value);
  return answers.map(({ sums }) => halves(sums.map((sum, i) => sum * (steps[i] as bigint))));
}
