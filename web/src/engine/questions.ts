/** What one question asks of the engine: its answer, the odds beside it, and the curve beneath it. */
import type { Comparison, Description } from "../../../wasm/contract.ts";
import type { Outcome, Profile } from "../question/outcome.ts";
import type { Question } from "../question/question.ts";
import type { Reading } from "../question/read.ts";
import { oddsEpsilon } from "../words/odds.ts";
import type { RemoteEngine } from "./client.ts";

const known = (reading: Reading, field: string) => reading.values.get(field)?.value ?? Number.NaN;

/** `reading` must be free of refusals. */
export async function ask(engine: RemoteEngine, question: Question, reading: Reading): Promise<Outcome> {
  if (!reading.description) throw new Error("a question with errors was asked");
  const level = await find(engine, question, reading, reading.description);
  const prior = known(reading, "prior") / 100;
  const belief = (await engine.delta(level.description, oddsEpsilon(prior))).upper;
  return { question, ...level, prior, belief };
}

async function find(engine: RemoteEngine, question: Question, reading: Reading, description: Description) {
  const epsilon = known(reading, "epsilon");
  const delta = known(reading, "delta");
  if (question.ask === "epsilon") {
    const answer = await engine.epsilon(description, delta);
    return { description, found: { ask: "epsilon", answer } as const, epsilon: answer.upper, delta };
  }
  if (question.ask === "delta") {
    const answer = await engine.delta(description, epsilon);
    return { description, found: { ask: "delta", answer } as const, epsilon, delta: answer.upper };
  }
  const path = reading.parameter ?? question.ask;
  const target = { epsilon, delta };
  const calibration = await engine.calibrate(description, path, target);
  const found = { ask: "parameter", calibration, path, target } as const;
  return { description: calibration.description, found, epsilon: calibration.epsilon.upper, delta };
}

/** Every accountant on the same question. A parameter that was solved for is solved for by each of them. */
export function compare(engine: RemoteEngine, { description, found, delta }: Outcome): Promise<Comparison[]> {
  if (found.ask !== "parameter") return engine.compare(description, { delta });
  return engine.compare(description, { ...found.target, parameter: found.path });
}

const POINTS = 241;
const SMALLEST_FLOOR = 1e-290;

/** The profile from ε = 0 to beyond the mark, or to where δ has become negligible. */
export async function profile(
  engine: RemoteEngine,
  description: Description,
  mark: { epsilon: number; delta: number },
): Promise<Profile> {
  const least = mark.delta > 0 ? mark.delta : 1e-6;
  const floor = Math.max(SMALLEST_FLOOR, 10 ** Math.floor(Math.log10(least) - 2));
  const reach = (await engine.epsilon(description, floor)).upper;
  const inMark = Number.isFinite(mark.epsilon) ? Math.max(0, mark.epsilon) : 0;
  const widest = Math.max(Number.isFinite(reach) ? 1.04 * reach : 0, 1.25 * inMark) || 2;
  const even = Float64Array.from({ length: POINTS }, (_, i) => (widest * i) / (POINTS - 1));
  const coarse = await engine.profile(description, even);
  const more = await cliff(engine, description, even, coarse.upper, floor);
  const epsilons = more.length === 0 ? even : Float64Array.from([...even, ...more]).sort();
  const curve = more.length === 0 ? coarse : await engine.profile(description, epsilons);
  const shown = Number.isFinite(mark.epsilon) && mark.epsilon >= 0;
  return { epsilons, curve, floor, mark: shown ? mark : null };
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
