/**
 * Every question that is asked in numbers alone, at numbers from the ends of what it takes: an end of an answer is infinite
 * only on the side where that says nothing, and a refusal is of a number that was asked, by its name and value.
 */
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../wasm/engine/shape.ts";
import { type Engine, type Interval, open, Refusal } from "../../wasm/engine.ts";
import { INSTANCE } from "../../wasm/report/instance-question.ts";
import { MECHANISM } from "../../wasm/report/mechanism-question.ts";

const engine: Engine = await open();

interface Field extends JsonSchema {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly enum?: readonly string[];
  readonly items?: Field;
}
interface Variant {
  readonly properties: Readonly<Record<string, Field>>;
  readonly required: readonly string[];
}
const variantsOf = ({ schema }: { readonly schema: JsonSchema }) => schema.oneOf as readonly Variant[];
const aboutOf = ({ properties }: Variant) => properties.about?.enum?.[0] as string;

/** Numbers from 0 to 1 that a seed decides. */
function repeatable(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

class Questions {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = repeatable(seed);
  }

  #one<T>(options: readonly T[]): T {
    return options[Math.floor(this.#random() * options.length)] as T;
  }

  /** Often an end of the range; otherwise of any size within. */
  #number({ type, minimum = 0, maximum = 0 }: Field): number {
    const within = (value: number) => Math.min(maximum, Math.max(minimum, value));
    if (type === "integer") return within(this.#one([minimum, minimum + 1, 3, 20, 1000]));
    if (this.#random() < 0.3) return this.#one([minimum, maximum]);
    if (this.#random() < 0.3) return within(this.#one([0, 0.5, 1, 2, 100]));
    const [least, most] = [Math.log10(Math.max(minimum, 1e-300)), Math.log10(maximum)];
    const size = 10 ** (least + this.#random() * (most - least));
    return within(minimum < 0 && this.#random() < 0.5 ? -size : size);
  }

  #matrix(item: Field, rows: number, columns: number): number[][] {
    return Array.from({ length: rows }, () => Array.from({ length: columns }, () => this.#number(item)));
  }

  #symmetric(item: Field, size: number): number[][] {
    const rows = this.#matrix(item, size, size);
    const entry = (i: number, j: number) => rows[Math.max(i, j)]?.[Math.min(i, j)] as number;
    return rows.map((row, i) => row.map((_, j) => (i === j ? Math.abs(entry(i, i)) : entry(i, j) / 1e3)));
  }

  of({ properties, required }: Variant): Record<string, unknown> {
    const [columns, rows] = [this.#one([1, 2, 3]), this.#one([0, 1, 2, 4])];
    const fieldOf = (name: string, field: Field): unknown => {
      if (field.enum) return this.#one(field.enum);
      if (name === "dimension" && "features" in properties) return columns;
      if (field.type !== "array") return this.#number(field);
      const item = field.items as Field;
      if (item.type === "array")
        return name === "features"
          ? this.#matrix(item.items as Field, rows, columns)
          : this.#symmetric(item.items as Field, columns);
      const isVector = item.minimum === -1e100;
      const length = name === "labels" ? rows : isVector ? columns : this.#one([2, 3, 5]);
      const [row = []] = this.#matrix(item, 1, length);
      return name === "epsilons" ? row.sort((a, b) => a - b) : row;
    };
    // Several releases together are another matter: what takes long is asked elsewhere.
    const names = Object.keys(properties).filter(
      (name) => !["count", "mu"].includes(name) && (required.includes(name) || this.#random() < 0.6),
    );
    return Object.fromEntries(names.map((name) => [name, fieldOf(name, properties[name] as Field)]));
  }
}

function holds(about: string, name: string, { lower, upper }: Interval): void {
  const where = `${about} ${name}`;
  expect([lower, upper].some(Number.isNaN), where).toBe(false);
  expect(lower, where).toBeLessThan(Number.POSITIVE_INFINITY);
  expect(upper, where).toBeGreaterThan(Number.NEGATIVE_INFINITY);
  expect(lower, where).toBeLessThanOrEqual(upper);
}

const isInterval = (value: unknown): value is Interval =>
  typeof value === "object" && "lower" in (value ?? {});

function checkRefusal(refusal: Refusal, question: Readonly<Record<string, unknown>>, variant: Variant): void {
  const { kind, field, value, rule } = refusal;
  const [name = ""] = field.split(".");
  const where = `${question.about}: ${refusal.message}`;
  expect(Object.keys(variant.properties), where).toContain(name);
  expect(rule, where).not.toBe("");
  if (kind === "range" && typeof question[name] === "number")
    expect(Number(value), where).toBe(question[name]);
}

const ASKED = [
  ...variantsOf(INSTANCE).map((variant) => [aboutOf(variant), variant, "perInstance"] as const),
  ...variantsOf(MECHANISM).map((variant) => [aboutOf(variant), variant, "mechanismNumbers"] as const),
];

test.each(ASKED)("%s", (about, variant, method) => {
  const questions = new Questions(7);
  for (let i = 0; i < 40; ++i) {
    const question = { ...questions.of(variant), about };
    let found: Readonly<Record<string, unknown>>;
    try {
      found = engine[method](question as never);
    } catch (error) {
      // Whatever else is thrown is no refusal.
      if (!(error instanceof Refusal)) throw error;
      checkRefusal(error, question, variant);
      continue;
    }
    for (const [name, value] of Object.entries(found))
      for (const one of Array.isArray(value) ? value : [value]) if (isInterval(one)) holds(about, name, one);
  }
});

describe("where numbers end", () => {
  const ask = (question: object) =>
    engine.perInstance(question as never) as Readonly<Record<string, Interval>>;
  const holding = (found: Interval | undefined, truth: number) => {
    const { lower, upper } = found as Interval;
    expect(lower).toBeLessThanOrEqual(truth * (1 + 1e-12));
    expect(upper).toBeGreaterThanOrEqual(truth * (1 - 1e-12));
  };

  test("a mean is known where the sum is more than a double", () => {
    const losses = [709, 709.7];
    const { exponential } = ask({ about: "people", losses });
    holding(exponential, Math.exp(709) / 2 + Math.exp(709.7) / 2);
    expect((exponential as Interval).upper).toBeLessThan(1.25e308);
    const { moments } = ask({ about: "people", losses: [1e308, 1e308] }) as unknown as {
      moments: Interval[];
    };
    holding(moments[0], 1e308);
    expect(moments[0]?.upper).toBeLessThan(1.1e308);
    expect(moments[1]?.lower).toBeGreaterThan(1e307);
  });

  test("derivatives are known up to the largest exponential, and above 0 down to the smallest", () => {
    for (const prediction of [650, 699.9, 700.1, 708, 709.5]) {
      const { first, second, value } = ask({ about: "slope", loss: "poisson", prediction, label: 1 });
      for (const one of [first, second, value]) {
        holding(one, Math.exp(prediction));
        expect((one as Interval).upper).toBeLessThan(Math.exp(prediction) * (1 + 1e-12));
      }
    }
    expect(ask({ about: "slope", loss: "poisson", prediction: 720, label: 1 }).value).toBeUndefined();
    for (const prediction of [-600.5, -700, -740, -750, -1000, -1e100, 650, 750, 1e100])
      for (const loss of prediction < 0 ? ["logistic", "poisson"] : ["logistic"]) {
        const { second } = ask({ about: "slope", loss, prediction, label: 1 });
        holding(second, Math.exp(-Math.abs(prediction)));
        expect((second as Interval).upper).toBeGreaterThan(0);
      }
    // What is linear is.
    expect(ask({ about: "slope", loss: "huber", threshold: 1, prediction: 9, label: 1 }).second).toEqual({
      lower: 0,
      upper: 0,
    });
  });

  test("a record that alone determines a direction costs all there is, and its descriptions are answered", () => {
    const question = {
      about: "ridge",
      features: [
        [1, 0],
        [0, 1],
      ],
      labels: [1, 1],
      record: [0, 1],
      label: 1,
      direction: "remove",
      lambda: 0,
      sigma: 1,
      epsilon: 1,
      sampleSigma: 1,
    };
    const found = engine.perInstance(question as never);
    expect(found.moved).toMatchObject({ upper: Number.POSITIVE_INFINITY });
    expect(engine.delta(found.output as never, 100)).toMatchObject({ upper: 1 });
    expect(engine.epsilon(found.output as never, 1e-6).upper).toBe(Number.POSITIVE_INFINITY);
    expect(Object.keys(found)).not.toContain("objectiveDeltaAdd");
    const far = engine.perInstance({ about: "normal-noise", moved: [1e100], sigma: 1e-100 } as never);
    expect(engine.delta(far.description as never, 100)).toMatchObject({ upper: 1 });
    const sum = engine.perInstance({ about: "laplace-noise", moved: [1e100], scale: 1e-100 } as never);
    expect(engine.delta(sum.description as never, 100)).toMatchObject({ upper: 1 });
  });

  test("the covariance of a law is above 0 where doubles have none left", () => {
    const law = { about: "ridge-law", features: [[1e100]], labels: [1], dimension: 1, lambda: 0 };
    const { covariance } = ask({ ...law, law: "objective", sigma: 1e-18 }) as unknown as {
      covariance: Interval[];
    };
    expect(covariance[0]?.upper).toBeGreaterThan(0);
    expect(covariance[0]?.lower).toBeLessThanOrEqual(0);
  });

  test("an order that is too large for the noise is refused as it was asked", () => {
    const question = { sigma: 1, lambda: 1, lipschitz: 1, smoothness: 0.5, dimension: 3, order: 1e6 };
    const general = () => engine.perInstance({ about: "general-objective", ...question } as never);
    expect(general).toThrow("order = 1000000: (order - 1) lipschitz / sigma must be from");
  });
});
