/** What a row of a printed table says is true at the place that it prints: the engine is asked there. */
import type { TemplateResult } from "lit";
import { expect, test } from "vitest";
import { type Calculator, open } from "../../wasm/engine.ts";
import { curveTable } from "../../web/src/elements/curve-table.ts";
import type { RemoteEngine } from "../../web/src/engine/client.ts";
import { plot } from "../../web/src/engine/curves.ts";
import { ask } from "../../web/src/engine/questions.ts";
import { quantile, tailPlot } from "../../web/src/engine/spectrum.ts";
import { fromKeyValues } from "../../web/src/question/key-values.ts";
import { CURVES, type CurveName, type Plot } from "../../web/src/question/outcome.ts";
import { isHeavy } from "../../web/src/question/question.ts";
import { read } from "../../web/src/question/read.ts";

const engine: Calculator = await open();
const remote = (answering: object): RemoteEngine =>
  new Proxy(answering, {
    get: (target, method) =>
      method === "goe"
        ? remote(engine.goe)
        : async (...args: unknown[]) => Reflect.apply(Reflect.get(target, method), target, args),
  }) as unknown as RemoteEngine;

/** A template as the text that it becomes. */
const markup = (part: unknown): string => {
  if (Array.isArray(part)) return part.map(markup).join("");
  if (typeof part !== "object" || part === null) return String(part);
  const { strings, values } = part as TemplateResult;
  return strings.map((text, i) => text + (i < values.length ? markup(values[i]) : "")).join("");
};

const printed = (shown: Plot) =>
  [...markup(curveTable(shown)).matchAll(/<tr>\s*<th scope="row">(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    row
      .split(/<[^>]*>\s*/)
      .filter(Boolean)
      .map((cell) => Number(cell.replace("−", "-").replace("∞", "Infinity"))),
  );

/** The interval of a composition depends on what is asked beside it: both hold the truth, and have it in common. */
function holdsThere(
  shown: Plot,
  there: (place: number) => { lower: number; upper: number },
  composed = false,
) {
  const rows = printed(shown);
  expect(rows.length).toBeGreaterThan(8);
  for (const [place = Number.NaN, lower = Number.NaN, upper = Number.NaN] of rows) {
    const truth = there(place);
    expect(lower, `from ${lower} at ${place}`).toBeLessThanOrEqual(composed ? truth.upper : truth.lower);
    expect(upper, `to ${upper} at ${place}`).toBeGreaterThanOrEqual(composed ? truth.lower : truth.upper);
    // In no more room than a number has beside it.
    expect(String(place).length, String(place)).toBeLessThanOrEqual(10);
  }
}

const ASKED = [
  "kind=gaussian;sigma=1.37;sensitivity=1;delta=3e-5",
  "kind=gaussian;sigma=3.1e4;sensitivity=1;delta=3e-5",
  "kind=laplace;scale=0.73;delta=1e-7",
  "kind=gaussian;sigma=1.7;count=3;rate=0.013;delta=1e-6",
];

const at: Readonly<Record<CurveName, (text: string, place: number) => { lower: number; upper: number }>> = {
  profile: (text, place) => engine.delta(described(text), place),
  renyi: (text, place) => {
    const [value = Number.NaN] = engine.renyi(described(text), [place]);
    return { lower: value, upper: value };
  },
  "trade-off": (text, place) => {
    const { lower, upper } = engine.tradeOff(described(text), [place]);
    return { lower: lower[0] ?? Number.NaN, upper: upper[0] ?? Number.NaN };
  },
};

const question = (text: string) =>
  fromKeyValues(new Map(text.split(";").map((one) => one.split("=") as [string, string]))).question;

function described(text: string) {
  const { description } = read(question(text));
  if (!description) throw new Error("no description");
  return description;
}

test.each(CURVES.flatMap((name) => ASKED.map((text) => [name, text] as const)))(
  "%s of %s",
  async (name, text) => {
    const asked = question(text);
    const shown = await plot(remote(engine), name, await ask(remote(engine), asked, read(asked)), () => {});
    holdsThere(shown, (place) => at[name](text, place), isHeavy(asked));
  },
);

test.each([2, 117, 12_345])("the tail of an eigenvalue in dimension %i", async (dimension) => {
  const asked = { dimension, upperTail: 3e-5, normalisation: "one" } as const;
  const { upper } = await quantile(remote(engine), asked);
  const shown = await tailPlot(remote(engine), asked, upper);
  holdsThere(shown, (place) => engine.goe.survival(dimension, place));
});
