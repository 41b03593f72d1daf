/** The curves beneath an answer: privacy profile, Rényi curve, trade-off. What takes a while gets fewer points. */
import type { Description } from "../../../wasm/contract.ts";
import { Refusal } from "../../../wasm/refusal.ts";
import type { CurveName, Outcome, Plot } from "../question/outcome.ts";
import { isHeavy, paceOf } from "../question/question.ts";
import type { RemoteEngine } from "./client.ts";

const POINTS = { light: 241, heavy: 61, slow: 33 } as const;
const ORDERS = { light: 61, heavy: 17, slow: 17, from: 1.1, to: 64 } as const;
const RATES = { light: 201, heavy: 61, slow: 33 } as const;
const SMALLEST_FLOOR = 1e-290;

/** `sketched` is told of a first drawing of what takes a while. */
export const plot = (
  engine: RemoteEngine,
  name: CurveName,
  outcome: Outcome,
  sketched: (plot: Plot) => void,
): Promise<Plot> => ({ profile, renyi, "trade-off": tradeOff })[name](engine, outcome, sketched);

type Ends = Pick<Plot, "lower" | "upper" | "kind">;

/** Every fourth point first, then the others; both ends of the grid belong to the sketch. */
async function inSteps(
  at: Float64Array,
  ask: (at: Float64Array) => Promise<Ends>,
  sketched: (at: Float64Array, ends: Ends) => void,
): Promise<Ends> {
  const early = (_: number, i: number) => i % STRIDE === 0;
  const first = at.filter(early);
  const coarse = await ask(first);
  sketched(first, coarse);
  const rest = await ask(at.filter((one, i) => !early(one, i)));
  const merge = (a: Float64Array, b: Float64Array) =>
    at.map((one, i) => (early(one, i) ? a[i / STRIDE] : b[i - Math.ceil(i / STRIDE)]) ?? 0);
  return {
    lower: merge(coarse.lower, rest.lower),
    upper: merge(coarse.upper, rest.upper),
    kind: coarse.kind,
  };
}

const STRIDE = 4;

type Asked = Pick<Outcome, "description" | "epsilon" | "delta" | "group" | "question">;

const grid = (points: number, at: (share: number) => number) =>
  Float64Array.from({ length: points }, (_, i) => at(i / (points - 1)));

/** From ε = 0 to beyond the mark, or to where δ has become negligible. */
export async function profile(
  engine: RemoteEngine,
  asked: Asked,
  sketched: (plot: Plot) => void = () => {},
): Promise<Plot> {
  const { description, epsilon, delta, group, question } = asked;
  const least = delta > 0 ? delta : 1e-6;
  const floor = Math.max(SMALLEST_FLOOR, 10 ** Math.floor(Math.log10(least) - 2));
  const reach = (await engine.epsilon(description, floor, { group })).upper;
  const inMark = Number.isFinite(epsilon) ? Math.max(0, epsilon) : 0;
  const widest = Math.max(Number.isFinite(reach) ? 1.04 * reach : 0, 1.25 * inMark) || 2;
  const mark = Number.isFinite(epsilon) && epsilon >= 0 ? { x: epsilon, y: delta } : null;
  const drawn = (at: Float64Array, { lower, upper, kind }: Ends): Plot => {
    return { name: "profile", at, lower, upper, kind, floor, ceiling: 1, mark };
  };
  const ask = (at: Float64Array) => engine.profile(description, at, { group });
  if (isHeavy(question)) {
    const at = grid(POINTS[paceOf(question)], (share) => widest * share);
    return drawn(at, await inSteps(at, ask, (first, ends) => sketched(drawn(first, ends))));
  }
  const even = grid(POINTS.light, (share) => widest * share);
  const coarse = await ask(even);
  const more = await cliff(engine, description, even, coarse.upper, floor);
  const at = more.length === 0 ? even : Float64Array.from([...even, ...more]).sort();
  return drawn(at, more.length === 0 ? coarse : await ask(at));
}

/** The Rényi divergence over its orders; the engine rounds it up, so both ends are the same line. */
async function renyi(engine: RemoteEngine, { description, group, question }: Asked): Promise<Plot> {
  if (group > 1) throw new Refusal("unsupported", "group", group, "the Rényi curve is about one row only");
  const at = grid(ORDERS[paceOf(question)], (share) => ORDERS.from * (ORDERS.to / ORDERS.from) ** share);
  const upper = await engine.renyi(description, at);
  const drawn = upper.filter((one) => Number.isFinite(one) && one > 0);
  const decade = (value: number, round: (x: number) => number) => 10 ** round(Math.log10(value));
  const ceiling = drawn.length === 0 ? 1 : decade(Math.max(...drawn) * 1.001, Math.ceil);
  const floor = drawn.length === 0 ? 0.1 : Math.min(ceiling / 10, decade(Math.min(...drawn), Math.floor));
  return { name: "renyi", at, lower: upper, upper, kind: "bound", floor, ceiling, mark: null };
}

/** The best attacker; he gains most, by δ(0), where his curve is farthest above the diagonal. */
async function tradeOff(
  engine: RemoteEngine,
  { description, group, question }: Asked,
  sketched: (plot: Plot) => void,
): Promise<Plot> {
  const advantage = (await engine.advantage(description, { group })).upper;
  const ask = (at: Float64Array) => engine.tradeOff(description, at, { group });
  const drawn = (at: Float64Array, { lower, upper, kind }: Ends): Plot => {
    const gains = upper.map((power, i) => power - (at[i] ?? 0));
    const best = gains.indexOf(Math.max(...gains));
    const mark = { x: at[best] ?? 0, y: upper[best] ?? 0 };
    return { name: "trade-off", at, lower, upper, kind, floor: 0, ceiling: 1, mark, advantage };
  };
  const at = grid(RATES[paceOf(question)], (share) => share);
  if (!isHeavy(question)) return drawn(at, await ask(at));
  return drawn(at, await inSteps(at, ask, (first, ends) => sketched(drawn(first, ends))));
}

const STEEP = 1.5;
const HALVINGS = 9;

/** Where a profile falls by more than a step of the grid can show, points that close in on the fall. */
async function cliff(
  engine: RemoteEngine,
  description: Description,
  epsilons: Float64Array,
  upper: Float64Array,
  floor: number,
): Promise<number[]> {
  const height = (delta: number) => Math.log10(Math.max(delta, floor));
  const falls = Array.from(upper.subarray(1), (delta, i) => height(upper[i] ?? 0) - height(delta));
  const steepest = Math.max(...falls);
  if (steepest < STEEP) return [];
  const at = falls.indexOf(steepest);
  let [from = 0, to = 0] = epsilons.subarray(at, at + 2);
  const edge = height(upper[at] ?? 0) - steepest / 2;
  const found: number[] = [];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (from + to) / 2;
    found.push(middle);
    if (height((await engine.delta(description, middle)).upper) > edge) from = middle;
    else to = middle;
  }
  return found;
}
