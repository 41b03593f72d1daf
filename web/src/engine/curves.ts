/** The curves beneath an answer: privacy profile, Rényi curve, trade-off. What takes a while gets fewer points. */
import { Refusal } from "../../../wasm/engine/refusal.ts";
import type { CurveName, Outcome, Plot } from "../question/outcome.ts";
import { isHeavy, paceOf } from "../question/question.ts";
import { adapt, type Drawn, grid, type Points } from "./adaptive.ts";
import type { RemoteEngine } from "./client.ts";

/** The first grid, and how often each stretch of it may be halved. */
const POINTS = { light: 61, heavy: 31, slow: 17 } as const;
const ORDERS = { light: 31, heavy: 9, slow: 9, from: 1.1, to: 64 } as const;
const RATES = { light: 41, heavy: 17, slow: 9 } as const;
const ROUNDS = { light: 12, heavy: 6, slow: 4 } as const;

/** The size of a wide drawing; where fewer pixels are there is less to be seen. */
const [WIDE, HIGH] = [964, 346];
/** A drawing of divergences spans two decades and more, mostly. */
const DECADE = HIGH / 2;

const SMALLEST_FLOOR = 1e-290;

/** `sketched` is told of a first drawing of what takes a while. */
export const plot = (
  engine: RemoteEngine,
  name: CurveName,
  outcome: Outcome,
  sketched: (plot: Plot) => void,
): Promise<Plot> => ({ profile, renyi, "trade-off": tradeOff })[name](engine, outcome, sketched);

type Asked = Pick<Outcome, "description" | "epsilon" | "delta" | "group" | "question">;

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
  const drawn = ({ at, ends, steps }: Points): Plot => {
    return { name: "profile", at, ...ends, steps, floor, ceiling: 1, mark };
  };
  const height = HIGH / Math.log(1 / floor);
  const shape: Drawn = {
    across: (x) => (WIDE * x) / widest,
    up: (y) => height * Math.log(Math.max(y, floor / 100)),
    between: (from, to) => (from + to) / 2,
  };
  const pace = paceOf(question);
  const at = grid(POINTS[pace], (share) => widest * share);
  const ask = (places: Float64Array) => engine.profile(description, places, { group });
  const told = (early: Points) => isHeavy(question) && sketched(drawn(early));
  return drawn(await adapt(ask, at, ROUNDS[pace], shape, told));
}

/** The Rényi divergence over its orders; the engine rounds it up, so both ends are the same line. */
async function renyi(engine: RemoteEngine, { description, group, question }: Asked): Promise<Plot> {
  if (group > 1) throw new Refusal("unsupported", "group", group, "the Rényi curve is about one row only");
  const pace = paceOf(question);
  const orders = grid(ORDERS[pace], (share) => ORDERS.from * (ORDERS.to / ORDERS.from) ** share);
  const ask = async (places: Float64Array) => {
    const values = await engine.renyi(description, places);
    return { lower: values, upper: values, kind: "bound" } as const;
  };
  const shape: Drawn = {
    across: (x) => (WIDE * Math.log(x)) / Math.log(ORDERS.to / ORDERS.from),
    up: (y) => DECADE * Math.log10(Math.min(1e300, Math.max(1e-300, y))),
    between: (from, to) => Math.sqrt(from * to),
  };
  const { at, ends, steps } = await adapt(ask, orders, ROUNDS[pace], shape);
  const { upper } = ends;
  const drawn = upper.filter((one) => Number.isFinite(one) && one > 0);
  const decade = (value: number, round: (x: number) => number) => 10 ** round(Math.log10(value));
  const ceiling = drawn.length === 0 ? 1 : decade(Math.max(...drawn) * 1.001, Math.ceil);
  const floor = drawn.length === 0 ? 0.1 : Math.min(ceiling / 10, decade(Math.min(...drawn), Math.floor));
  return { name: "renyi", at, ...ends, steps, floor, ceiling, mark: null };
}

/** The best attacker; he gains most, by δ(0), where his curve is farthest above the diagonal. */
async function tradeOff(
  engine: RemoteEngine,
  { description, group, question }: Asked,
  sketched: (plot: Plot) => void,
): Promise<Plot> {
  const advantage = (await engine.advantage(description, { group })).upper;
  const ask = (at: Float64Array) => engine.tradeOff(description, at, { group });
  const drawn = ({ at, ends, steps }: Points): Plot => {
    const gains = ends.upper.map((power, i) => power - (at[i] ?? 0));
    const best = gains.indexOf(Math.max(...gains));
    const mark = { x: at[best] ?? 0, y: ends.upper[best] ?? 0 };
    return { name: "trade-off", at, ...ends, steps, floor: 0, ceiling: 1, mark, advantage };
  };
  const shape: Drawn = {
    across: (x) => WIDE * x,
    up: (y) => HIGH * y,
    between: (from, to) => (from + to) / 2,
  };
  const pace = paceOf(question);
  const told = (early: Points) => isHeavy(question) && sketched(drawn(early));
  return drawn(
    await adapt(
      ask,
      grid(RATES[pace], (share) => share),
      ROUNDS[pace],
      shape,
      told,
    ),
  );
}
