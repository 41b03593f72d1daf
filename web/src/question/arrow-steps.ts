/** Arrow keys walk 1, 2, 5, 10, …; with Shift a whole decade at a time. */

const LADDER = [1, 2, 5, 10] as const;

export function step(value: number, direction: 1 | -1, decade: boolean, whole: boolean): number {
  if (!Number.isFinite(value) || value < 0) return value;
  if (value === 0) return direction < 0 ? 0 : whole ? 1 : 0.1;
  const next = decade ? tidy(value, direction) : rung(value, direction);
  return whole ? Math.max(1, Math.round(next)) : next;
}

const tidy = (value: number, direction: 1 | -1) => Number((value * 10 ** direction).toPrecision(12));

/** The next rung above or below, even for a value between two rungs. */
function rung(value: number, direction: 1 | -1): number {
  const exponent = Math.floor(Math.log10(value));
  const rungs = [exponent - 1, exponent, exponent + 1].flatMap((power) =>
    LADDER.map((digit) => Number(`${digit}e${power}`)),
  );
  const near = 1e-9 * value;
  const reachable = rungs.filter((one) => (direction > 0 ? one > value + near : one < value - near));
  return direction > 0 ? Math.min(...reachable) : Math.max(...reachable);
}
