/** The engine on the page's own thread: which questions it takes, and in how small pieces. */
import { afterAll, describe, expect, test, vi } from "vitest";
import type { Method } from "../../wasm/asks.ts";
import { openCalculator } from "../../wasm/calculator.ts";
import type { Description } from "../../wasm/contract.ts";
import { CalculatorEngine } from "../../wasm/engine/calculator-engine.ts";
import { KINDS, type Kind } from "../../wasm/engine/catalogue.ts";
import { calculatorJobs } from "../../web/src/engine/calculator-jobs.ts";
import { isQuick, joined, mainThread, pieces } from "../../web/src/engine/on-page.ts";
import { answer, type Said, type ToWorker } from "../../web/src/engine/protocol.ts";
import { SENTENCE_KINDS } from "../../web/src/question/question.ts";
import { read } from "../../web/src/question/read.ts";
import { changed, EVERY } from "./changed.ts";

/** The moments at which the engine computed, counted in turns of the event loop. */
const calls = { turn: 0, at: [] as number[] };
for (const name of ["profile", "epsilon"] as const) {
  const method: (...args: never[]) => unknown = CalculatorEngine.prototype[name];
  vi.spyOn(CalculatorEngine.prototype, name as "epsilon").mockImplementation(function (
    this: CalculatorEngine,
    ...args
  ) {
    calls.at.push(calls.turn);
    return Reflect.apply(method, this, args);
  });
}
afterAll(() => vi.restoreAllMocks());

const jobs = calculatorJobs(openCalculator());

const message = (method: Method, ...args: unknown[]): ToWorker => ({ id: 1, job: method, args });
const CLOSED: readonly Kind[] = [
  "gaussian",
  "laplace",
  "discrete-laplace",
  "randomized-response",
  "exponential",
  "pure",
  "approximate",
  "gdp",
];
const POINTS = Float64Array.from({ length: 33 }, (_, i) => i / 33);
const LISTS = [
  ["profile", POINTS],
  ["tradeOff", POINTS],
  ["renyi", POINTS.map((x) => 1.5 + 9 * x)],
] as const;

const single = (kind: (typeof SENTENCE_KINDS)[number]) => read(changed(kind)).description as Description;

test("only closed forms of single releases, and what stays one of them, are computed on the page", () => {
  let quick = 0;
  for (const question of EVERY) {
    const { description, values } = read(question);
    if (!description) continue;
    const group = values.get("group")?.value;
    const parts = description.kind === "composition" ? description.of.map(({ mechanism }) => mechanism) : [];
    const closed =
      parts.length > 0
        ? parts.every(({ kind }) => kind === "gaussian" || kind === "gdp")
        : CLOSED.includes(description.kind);
    const expected = closed && group === 1;
    if (expected) quick++;
    for (const method of ["delta", "epsilon", "profile", "tradeOff"] as const)
      expect(isQuick(message(method, description, POINTS, { group }))).toBe(expected);
    expect(isQuick(message("advantage", description, { group }))).toBe(expected);
    expect(isQuick(message("compare", description, { delta: 1e-5 }))).toBe(false);
  }
  expect(quick).toBeGreaterThan(50);
  // Every kind is decided on: a new one is not computed on the page until somebody says so.
  const of: Description[] = [];
  expect(Object.keys(KINDS).filter((kind) => isQuick(message("delta", { kind, of }, 1)))).toEqual([
    ...CLOSED,
    "composition",
  ]);
});

test("a large matrix is not", () => {
  expect(isQuick(message("goe.quantile", 50, { upperTail: 1e-6 }))).toBe(true);
  expect(isQuick(message("goe.quantile", 100_000, { upperTail: 1e-6 }))).toBe(false);
});

describe.each(SENTENCE_KINDS.filter((kind) => CLOSED.includes(kind)))("%s", (kind) => {
  test.each(LISTS)("%s in pieces is the same as at once", async (method, points) => {
    const asked = message(method, single(kind), points);
    const parts = pieces(asked);
    expect(parts.length).toBe(5);
    const results = await Promise.all(parts.map((part) => answer(jobs, part)));
    const together = joined(results.map((said) => "result" in said && said.result));
    expect({ id: 1, result: together }).toEqual(await answer(jobs, asked));
  });
});

describe("on the page's thread", () => {
  const send = (asked: ToWorker) =>
    new Promise<Said | string>((resolve) => mainThread(resolve, () => resolve("refused")).send(asked));

  test("every call of the engine has a task of its own, and the reader one between", async () => {
    let watching = true;
    const tick = () => {
      calls.turn++;
      if (watching) setImmediate(tick);
    };
    tick();
    calls.at.length = 0;
    const said = await send(message("profile", single("laplace"), POINTS));
    watching = false;
    expect(said).toHaveProperty("result");
    expect(calls.at).toHaveLength(5);
    calls.at.forEach((turn, i) => {
      if (i > 0) expect(turn).toBeGreaterThan(calls.at[i - 1] ?? 0);
    });
  });

  test("what may take long is refused, and the engine is not asked", async () => {
    calls.at.length = 0;
    const long = { kind: "composition", of: [{ mechanism: single("laplace"), count: 1000 }] };
    expect(await send(message("epsilon", long, 1e-5, { group: 1 }))).toBe("refused");
    expect(calls.at).toEqual([]);
  });
});
