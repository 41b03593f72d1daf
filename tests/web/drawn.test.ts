/**
 * The line of a curve that says "at most" is nowhere below the engine's own answer by more than its width: every kind,
 * every curve, between the points too.
 */
import { describe, expect, test } from "vitest";
import { type Calculator, open, Refusal } from "../../wasm/engine.ts";
import { scales } from "../../web/src/charts/axes.ts";
import { corners } from "../../web/src/charts/figure.ts";
import type { RemoteEngine } from "../../web/src/engine/client.ts";
import { plot } from "../../web/src/engine/curves.ts";
import { ask } from "../../web/src/engine/questions.ts";
import { fromKeyValues } from "../../web/src/question/key-values.ts";
import { CURVES, type CurveName, type Plot } from "../../web/src/question/outcome.ts";
import { isHeavy, type Question, SENTENCE_KINDS, withKind } from "../../web/src/question/question.ts";
import { read } from "../../web/src/question/read.ts";

const engine: Calculator = await open();
const remote = new Proxy(engine, {
  get:
    (target, method) =>
    async (...args: unknown[]) =>
      Reflect.apply(Reflect.get(target, method), target, args),
}) as unknown as RemoteEngine;

const VIEW = { width: 1040, height: 416 };
/** Half of the line that is drawn. */
const WIDTH = 2.25 / 2;
const DENSE = { closed: 400, composed: 50 };

const dense = (name: CurveName, question: Question, at: Float64Array) => {
  const { description } = read(question);
  if (!description) throw new Error("no description");
  if (name === "renyi") return engine.renyi(description, at);
  return name === "profile" ? engine.profile(description, at).upper : engine.tradeOff(description, at).upper;
};

/** How far below the engine's answer the line is at worst, in pixels, over places between the ends of the curve. */
function understated(shown: Plot, values: Float64Array, places: Float64Array): number {
  const { x, y } = scales(shown, VIEW);
  const line = corners(shown).map(
    ([place, upper]) => [x(shown.at[place] ?? 0), y(shown.upper[upper] ?? 0)] as const,
  );
  let worst = 0;
  let segment = 0;
  places.forEach((place, i) => {
    const px = x(place);
    while (segment < line.length - 2 && (line[segment + 1]?.[0] ?? 0) < px) segment++;
    const [[fromX, fromY], [toX, toY]] = [line[segment] ?? [0, 0], line[segment + 1] ?? [0, 0]];
    const share = toX > fromX ? (px - fromX) / (toX - fromX) : 1;
    // Downwards on the screen is less; what is outside of the frame is not seen.
    const bottom = VIEW.height;
    const clip = (at: number) => Math.min(bottom, Math.max(0, at));
    const drawn = share === 1 ? Math.min(fromY, toY) : (1 - share) * fromY + share * toY;
    worst = Math.max(worst, clip(drawn) - clip(y(values[i] ?? 0)));
  });
  return worst;
}

async function worstOf(name: CurveName, question: Question): Promise<number | null> {
  let shown: Plot;
  try {
    shown = await plot(remote, name, await ask(remote, question, read(question)), () => {});
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
  const [from, to] = [shown.at[0] ?? 0, shown.at.at(-1) ?? 1];
  const place = (share: number) =>
    name === "renyi" ? from * (to / from) ** share : from + (to - from) * share;
  // Not at the points of the curve: irrational shares.
  const many = isHeavy(question) ? DENSE.composed : DENSE.closed;
  const places = Float64Array.from({ length: many }, (_, i) => place((i + Math.SQRT1_2) / (many + 1)));
  return understated(shown, dense(name, question, places), places);
}

const question = (text: string) =>
  fromKeyValues(new Map(text.split(";").map((one) => one.split("=") as [string, string]))).question;

const COMPOSED = [
  "kind=gaussian;sigma=1;count=1000;rate=0.01;delta=1e-5",
  "kind=gaussian;sigma=20;rate=0.001;count=10;delta=1e-6",
  "kind=laplace;scale=2;count=4;2.kind=gaussian;2.sigma=3;delta=1e-6",
  "kind=gaussian;sigma=2;group=3;delta=1e-6",
  "kind=laplace;scale=0.1;delta=0.2",
  "kind=gaussian;sigma=0.05;delta=1e-5",
];

describe.each(CURVES)("%s", (name) => {
  test.each([...SENTENCE_KINDS])("of %s", async (kind) => {
    const worst = await worstOf(name, withKind(kind));
    if (worst !== null) expect(worst).toBeLessThan(WIDTH);
    else expect(name).toBe("renyi");
  });
  // Hundreds of trade-off points of unlike parts take a minute.
  const asked = name === "trade-off" ? COMPOSED.filter((text) => !text.includes("2.kind")) : COMPOSED;
  test.each(asked)("of %s", async (text) => {
    const worst = await worstOf(name, question(text));
    if (worst !== null) expect(worst).toBeLessThan(WIDTH);
    else expect(text).toContain("group");
  });
});
