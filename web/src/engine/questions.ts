/** What one question asks of the engine: its answer, the odds beside it, every accountant's view of it. */
import type { Answer, Comparison, Description, Posterior } from "../../../wasm/contract.ts";
import type { Outcome } from "../question/outcome.ts";
import { isHeavy, isLimited, type Question } from "../question/question.ts";
import type { Reading } from "../question/read.ts";
import type { RemoteEngine } from "./client.ts";

const known = (reading: Reading, field: string) => reading.values.get(field)?.value ?? Number.NaN;

/** `reading` must be free of refusals. */
export async function ask(engine: RemoteEngine, question: Question, reading: Reading): Promise<Outcome> {
  if (!reading.description) throw new Error("a question with errors was asked");
  const level = await find(engine, question, reading, reading.description);
  const prior = known(reading, "prior") / 100;
  const falsePositives = known(reading, "false-positives") / 100;
  const group = known(reading, "group");
  const exceptions = known(reading, "exceptions");
  const outcome = { question, reading, ...level, group, prior, exceptions, falsePositives, posterior: null };
  // The number comes first; what takes a while is asked for by those who show it, and what is wrong by nobody.
  return isHeavy(question) || !isSuspected(outcome)
    ? outcome
    : { ...outcome, posterior: await suspect(engine, outcome) };
}

/** Whether it is known what an attacker suspects. */
export const isSuspected = ({ reading }: Outcome) =>
  reading.values.has("prior") && reading.values.has("exceptions");

/** What the attacker's suspicion can become. */
export const suspect = (
  engine: RemoteEngine,
  { description, prior, exceptions, group }: Outcome,
): Promise<Posterior> => engine.posterior(description, { prior, exceptions }, { group });

/** What he reaches at the watched rate, and the most that he gains anywhere. */
export async function attack(
  engine: RemoteEngine,
  { description, falsePositives, group }: Outcome,
): Promise<{ power: Answer; advantage: Answer }> {
  const curve = await engine.tradeOff(description, [falsePositives], { group });
  const [lower = 0] = curve.lower;
  const [upper = 1] = curve.upper;
  return { power: { ...curve, lower, upper }, advantage: await engine.advantage(description, { group }) };
}

async function find(engine: RemoteEngine, question: Question, reading: Reading, description: Description) {
  const epsilon = known(reading, "epsilon");
  const group = known(reading, "group");
  const delta = known(reading, "delta");
  if (question.ask === "epsilon") {
    const answer = await engine.epsilon(description, delta, { group });
    return { description, found: { ask: "epsilon", answer } as const, epsilon: answer.upper, delta };
  }
  if (question.ask === "delta") {
    const answer = await engine.delta(description, epsilon, { group });
    return { description, found: { ask: "delta", answer } as const, epsilon, delta: answer.upper };
  }
  const path = reading.parameter ?? question.ask;
  if (isLimited(question)) return limited(engine, reading, description, path);
  const target = { epsilon, delta };
  const calibration = await engine.calibrate(description, path, target);
  const found = { ask: "parameter", calibration, path, target } as const;
  return { description: calibration.description, found, epsilon: calibration.epsilon.upper, delta };
}

/** Right or wrong, a suspicion keeps its limit where one that is right does. */
async function limited(engine: RemoteEngine, reading: Reading, description: Description, path: string) {
  const target = {
    measure: "posterior",
    prior: known(reading, "prior") / 100,
    exceptions: known(reading, "exceptions"),
    limit: known(reading, "limit") / 100,
  } as const;
  const delta = known(reading, "delta");
  const calibration = await engine.calibrateRisk(description, path, target);
  const { upper } = await engine.epsilon(calibration.description, delta);
  const found = { ask: "limit", calibration, path, target } as const;
  return { description: calibration.description, found, epsilon: upper, delta };
}

/** Every accountant on the same question. A parameter that was solved for is solved for by each of them. */
export function compare(engine: RemoteEngine, { description, found, delta }: Outcome): Promise<Comparison[]> {
  if (found.ask !== "parameter") return engine.compare(description, { delta });
  return engine.compare(description, { ...found.target, parameter: found.path });
}
