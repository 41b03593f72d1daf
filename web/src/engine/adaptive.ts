/**
 * Points of a curve, so close that the straight lines between them cannot be told from it: a line below a concave curve,
 * or below a bound, would understate it. All our curves are monotone, so where that cannot be reached (at a jump, or
 * after too many rounds) a step at the less private end is drawn instead, never a line across.
 */
import type { Plot } from "../question/outcome.ts";

export type Ends = Pick<Plot, "lower" | "upper" | "kind">;
type Ask = (at: Float64Array) => Promise<Ends>;

/** Where a value is drawn, in units of the drawing on a wide window. */
export interface Drawn {
  readonly across: (x: number) => number;
  readonly up: (y: number) => number;
  /** The place half-way between two, as drawn. */
  readonly between: (from: number, to: number) => number;
}

/** Less than a quarter of the line's own width. */
const INVISIBLE = 0.4;
/** Nothing between two places this near can be seen. */
const NARROW = 0.05;
/** Of the way to the next place: by so much a place may move to be told in few digits. */
const MOVED = 0.1;

/** The number of fewest digits that is no farther away than that: it can be told as it is. */
function fewestDigits(value: number, within: number): number {
  for (let digits = 1; digits < 17; digits++) {
    const near = Number(value.toPrecision(digits));
    if (Math.abs(near - value) <= within) return near;
  }
  return value;
}

/** Places of a curve, each as short as a table of them would have it. */
export function grid(points: number, at: (share: number) => number): Float64Array {
  const places = Array.from({ length: points }, (_, i) => at(i / (points - 1)));
  return Float64Array.from(places, (x, i) => {
    const next = places[i + 1] ?? places[i - 1] ?? x;
    return fewestDigits(x, MOVED * Math.abs(next - x));
  });
}

export interface Points {
  readonly at: Float64Array;
  readonly ends: Ends;
  /** The stretches, by the index of their left ends, that are drawn as steps. */
  readonly steps: readonly number[];
}

interface Point {
  readonly x: number;
  readonly lower: number;
  readonly upper: number;
}

const pointsOf = (at: Float64Array, { lower, upper }: Ends): Point[] =>
  Array.from(at, (x, i) => ({ x, lower: lower[i] ?? 0, upper: upper[i] ?? 0 }));

/** How far the curve at a point is from the line between its neighbours, as drawn; the worse of both ends. */
function bend(left: Point, middle: Point, right: Point, { across, up }: Drawn): number {
  const [from, to] = [across(left.x), across(right.x)];
  const share = (across(middle.x) - from) / (to - from);
  const apart = (end: "lower" | "upper") =>
    Math.abs(up(middle[end]) - (1 - share) * up(left[end]) - share * up(right[end]));
  return Math.max(apart("lower"), apart("upper"));
}

/**
 * Starts with the points of a grid, of which `sketched` is told, and halves each stretch until nothing is to be seen, or
 * `rounds` times.
 */
export async function adapt(
  ask: Ask,
  places: Float64Array,
  rounds: number,
  drawn: Drawn,
  sketched: (points: Points) => void = () => {},
): Promise<Points> {
  const first = await ask(places);
  sketched({ at: places, ends: first, steps: [] });
  let points = pointsOf(places, first);
  let open = new Set(points.slice(0, -1));
  for (let round = 0; round < rounds && open.size > 0; round++) {
    const pairs = points.flatMap((left, i) => {
      const right = points[i + 1];
      return right && open.has(left) ? [[left, right] as const] : [];
    });
    const middles = Float64Array.from(pairs, ([left, right]) => {
      const middle = drawn.between(left.x, right.x);
      return fewestDigits(middle, MOVED * (middle - left.x));
    });
    const found = pointsOf(middles, await ask(middles));
    const after = new Map(pairs.map(([left], i) => [left, found[i]]));
    const next = new Set<Point>();
    pairs.forEach(([left, right], i) => {
      const middle = found[i];
      if (!middle || bend(left, middle, right, drawn) <= INVISIBLE) return;
      if (drawn.across(right.x) - drawn.across(left.x) <= NARROW) return;
      next.add(left).add(middle);
    });
    points = points.flatMap((left) => [left, ...[after.get(left) ?? []].flat()]);
    open = next;
  }
  const column = (end: keyof Point) => Float64Array.from(points, (point) => point[end]);
  return {
    at: column("x"),
    ends: { lower: column("lower"), upper: column("upper"), kind: first.kind },
    steps: points.flatMap((point, i) => (open.has(point) ? [i] : [])),
  };
}
