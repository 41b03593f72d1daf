/** Questions and answers as JSON values: the language of the batch, of the command line and of the tables. */
import type { Description, Engine, Options } from "./engine.ts";
import { Refusal } from "./refusal.ts";

/** Which fields a question of each kind needs beside `ask`. */
export const ASKS = {
  delta: ["description", "epsilon"],
  epsilon: ["description", "delta"],
  profile: ["description", "epsilons"],
  renyi: ["description", "orders"],
  tradeOff: ["description", "falsePositives"],
  advantage: ["description"],
  posterior: ["description", "prior", "exceptions"],
  calibrate: ["description", "parameter", "epsilon", "delta"],
  compare: ["description", "delta"],
  goeCdf: ["dimension", "x"],
  goeSurvival: ["dimension", "x"],
  goeLogSurvival: ["dimension", "x"],
  goeDensity: ["dimension", "x"],
  goeQuantile: ["dimension"],
} as const satisfies Record<string, readonly string[]>;

export type Ask = keyof typeof ASKS;

/** Fields that a question may have besides: all of them or none. */
const TOGETHER: { readonly [A in Ask]?: readonly string[] } = { compare: ["parameter", "epsilon"] };

/** Fields that a question may have besides, each by itself. */
const OPTIONS: { readonly [A in Ask]?: readonly string[] } = {
  delta: ["group", "gap"],
  epsilon: ["group", "gap"],
  profile: ["group", "gap"],
  tradeOff: ["group", "gap"],
  advantage: ["group", "gap"],
  posterior: ["group", "gap"],
  goeCdf: ["normalisation"],
  goeSurvival: ["normalisation"],
  goeLogSurvival: ["normalisation"],
  goeDensity: ["normalisation"],
  goeQuantile: ["upperTail", "lowerTail", "normalisation"],
};

/** A question whose fields are those that its `ask` needs; their values are still unchecked. */
interface Question extends Options {
  readonly ask: Ask;
  readonly description: Description;
  readonly epsilon: number;
  readonly delta: number;
  readonly parameter: string;
  readonly prior: number;
  readonly exceptions: number;
  readonly epsilons: readonly number[];
  readonly orders: readonly number[];
  readonly falsePositives: readonly number[];
  readonly dimension: number;
  readonly x: number;
  readonly upperTail: number;
  readonly lowerTail: number;
  readonly normalisation?: "one" | "half";
}

function checkQuestion(value: unknown): asserts value is Question {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Refusal("type", "question", value, "must be an object with ask and its fields");
  }
  const ask: unknown = "ask" in value ? value.ask : undefined;
  if (typeof ask !== "string" || !Object.hasOwn(ASKS, ask)) {
    throw new Refusal("unknown", "ask", ask, `must be one of ${Object.keys(ASKS).join(", ")}`);
  }
  const together = TOGETHER[ask as Ask] ?? [];
  const needed = ["ask", ...ASKS[ask as Ask]];
  const whole = [...needed, ...together];
  const known = [...whole, ...(OPTIONS[ask as Ask] ?? [])];
  for (const [key, entry] of Object.entries(value)) {
    if (!known.includes(key))
      throw new Refusal("unknown", key.slice(0, 80), entry, `no such key; there are ${known.join(", ")}`);
  }
  const extended = together.some((field) => Object.hasOwn(value, field));
  for (const field of extended ? whole : needed) {
    if (!Object.hasOwn(value, field)) throw new Refusal("missing", field, undefined, "must be given");
  }
}

/** The engine's answer to a question. Its arguments are checked by the engine. */
export function answer(engine: Engine, question: unknown): object {
  checkQuestion(question);
  const { ask, description, epsilon, delta, parameter, epsilons, falsePositives } = question;
  const { group, gap, dimension, x } = question;
  const options = { ...(group !== undefined && { group }), ...(gap !== undefined && { gap }) };
  switch (ask) {
    case "delta":
      return engine.delta(description, epsilon, options);
    case "epsilon":
      return engine.epsilon(description, delta, options);
    case "profile":
      return { epsilons, ...engine.profile(description, epsilons, options) };
    case "renyi":
      return { orders: question.orders, epsilons: engine.renyi(description, question.orders) };
    case "tradeOff":
      return { falsePositives, ...engine.tradeOff(description, falsePositives, options) };
    case "advantage":
      return engine.advantage(description, options);
    case "posterior":
      return engine.posterior(description, question, options);
    case "calibrate":
      return engine.calibrate(description, parameter, { epsilon, delta });
    case "compare":
      return engine.compare(
        description,
        Object.hasOwn(question, "parameter") ? { parameter, epsilon, delta } : { delta },
      );
    case "goeCdf":
      return engine.goe.cdf(dimension, x, question);
    case "goeSurvival":
      return engine.goe.survival(dimension, x, question);
    case "goeLogSurvival":
      return engine.goe.logSurvival(dimension, x, question);
    case "goeDensity":
      return engine.goe.density(dimension, x, question);
    case "goeQuantile":
      return engine.goe.quantile(dimension, question, question);
  }
}

/** JSON, with or without the byte-order mark that some editors put in front. */
export function json(field: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new Refusal("malformed", field, text, `must be JSON: ${(error as Error).message.slice(0, 120)}`);
  }
}

/** JSON with typed arrays as lists and infinity, which JSON lacks, as the text "Infinity". */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, entry) => {
    if (entry instanceof Float64Array) return Array.from(entry);
    return typeof entry === "number" && !Number.isFinite(entry) ? String(entry) : entry;
  });
}
