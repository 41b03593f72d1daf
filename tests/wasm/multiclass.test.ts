/** Models of several classes through the engine: what is released, what it costs, what is refused by name, and that no table is. */
import { beforeAll, describe, expect, test } from "vitest";
import { Refusal } from "../../wasm/engine/refusal.ts";
import { SeededRandom } from "../../wasm/engine/seeded-random.ts";
import { type ClassModel, type Description, type Engine, open, type Release } from "../../wasm/engine.ts";
import { predict } from "../../wasm/model/predict.ts";
import { checkRequest } from "../../wasm/release/fit-request.ts";
import { syntheticTable } from "../../wasm/release/synthetic-tables.ts";
import { statisticsQuery } from "../../wasm/table/sql.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await open();
});

const LEVELS = ["red", "green", "blue"];

const asked = (changes: { label?: object; algorithm?: object; [key: string]: unknown } = {}) => {
  const { label, algorithm, ...rest } = changes;
  const named =
    algorithm && "name" in algorithm ? algorithm : { name: "noisy-newton", loss: "softmax", ...algorithm };
  return {
    table: {
      unit: { protects: "row", rows: 1 },
      columns: [
        { name: "x", use: "numeric", range: [-1, 1], missing: "drop" },
        { name: "town", use: "categorical", levels: ["a", "b"], missing: "drop" },
      ],
      label: { name: "y", use: "multiclass", levels: LEVELS, missing: "drop", ...label },
    },
    algorithm: named,
    budget: { epsilon: 8, delta: 1e-5 },
    seed: 5,
    ...rest,
  };
};

/** The class follows from the columns. */
const table = (count: number) => {
  const lines = Array.from({ length: count }, (_, i) => {
    const x = ((i * 37) % 200) / 100 - 1;
    const town = i % 3 === 0 ? "a" : "b";
    return `${x},${town},${town === "a" ? "blue" : x > 0 ? "red" : "green"}`;
  });
  return `x,town,y\n${lines.join("\n")}\n`;
};

test.each(["add-remove", "replace"])(
  "it keeps its budget among neighbours by %s, and learns",
  async (neighbours) => {
    const release = await engine.fit(table(3000), asked({ algorithm: { neighbours } }));
    expect(release.epsilon.neighbours).toBe(neighbours);
    expect(release.epsilon.upper).toBeLessThanOrEqual(8);
    expect(release.epsilon.upper).toBeGreaterThan(7.99);
    expect(engine.epsilon(release.description, 1e-5).upper).toBe(release.epsilon.upper);
    expect(release.result).toEqual({ name: "coefficients", kind: "class-coefficients", shape: [4, 3] });
    expect([release.coefficients, release.intervals]).toEqual([
      undefined,
      { level: 0.95, unknown: "not-told" },
    ]);
    expect(release.persons).toEqual({ rows: false, report: false, votes: false });
    const output = release.outputs.find(({ name }) => name === "coefficients");
    expect([output?.levels, output?.values.length]).toEqual([LEVELS, 12]);
    expect(Object.keys(release.released)).toEqual(["gram", "rows"]);
    const classes = release.classes ?? [];
    expect(classes.map((one) => one.class)).toEqual(LEVELS);
    expect(classes[0]?.terms.map(({ column, level }) => [column, level])).toEqual([
      ["x", undefined],
      ["town", "a"],
      ["town", "b"],
    ]);
    // They add up to nothing, in the units of the table too.
    const sum = classes.reduce((all, one) => all + (one.terms[0]?.coefficient ?? 0), 0);
    expect(Math.abs(sum)).toBeLessThan(1e-9);
    const said = await predict(release, "x,town\n0.9,b\n-0.9,b\n0.9,a\n,a\n");
    const rows = Array.from({ length: 4 }, (_, i) => [...said.values.subarray(3 * i, 3 * i + 3)]);
    expect(rows.slice(0, 3).map((row) => LEVELS[row.indexOf(Math.max(...row))])).toEqual(LEVELS);
    expect(rows[3]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    for (const row of rows.slice(0, 3)) expect(row.reduce((all, one) => all + one, 0)).toBeCloseTo(1, 12);
  },
);

type Part = { readonly mechanism: Description; readonly count: number };
const partsOf = (description: Description) => (description as unknown as { of: readonly Part[] }).of;

/** Each class against the rest. */
const AMP = { name: "approximate-minima-perturbation", loss: "softmax" } as const;

describe("approximate minima of each class against the rest", () => {
  test.each([0, 0.15])("keep one budget for all of them, and learn: whiten %d", async (whiten) => {
    const request = asked({ algorithm: { ...AMP, whiten } });
    const release = await engine.fit(table(3000), request);
    expect(release.epsilon.upper).toBeLessThanOrEqual(8);
    expect(release.epsilon.upper).toBeGreaterThan(7.99);
    const parts = partsOf(release.description);
    expect(parts.map(({ count }) => count)).toEqual(whiten > 0 ? [1, 3] : [3]);
    expect(engine.epsilon(release.description, 1e-5).upper).toBe(release.epsilon.upper);
    // Each asked for by itself costs the same, and one that is not paid for would be seen.
    const minimum = { ...(parts.at(-1) as Part), count: 1 };
    const each = (count: number) => {
      const of = [...parts.slice(0, -1), ...Array.from({ length: count }, () => minimum)];
      return { kind: "composition", of } as Description;
    };
    expect(engine.epsilon(each(3), 1e-5).upper).toBeCloseTo(release.epsilon.upper, 6);
    expect(engine.epsilon(each(2), 1e-5).upper).toBeLessThan(7);
    expect(release.result).toEqual({ name: "coefficients", kind: "class-coefficients", shape: [4, 3] });
    expect(release.intervals).toEqual({ level: 0.95, unknown: "not-told" });
    expect(release.persons).toEqual({ rows: true, report: false, votes: false });
    const classes = release.classes ?? [];
    expect(classes.map((one) => one.class)).toEqual(LEVELS);
    const sum = classes.reduce((all, one) => all + (one.terms[0]?.coefficient ?? 0), 0);
    expect(Math.abs(sum)).toBeLessThan(1e-9);
    const said = await predict(release, "x,town\n0.9,b\n-0.9,b\n0.9,a\n");
    const rows = Array.from({ length: 3 }, (_, i) => [...said.values.subarray(3 * i, 3 * i + 3)]);
    expect(rows.map((row) => LEVELS[row.indexOf(Math.max(...row))])).toEqual(LEVELS);
  });

  test("of two classes are the one that there was", () => {
    const label = { use: "classes", levels: ["a", "b"] };
    const logistic = asked({ label, algorithm: { ...AMP, loss: "logistic", whiten: 0.15 } });
    const { result, description } = engine.plan(logistic);
    expect(result.kind).toBe("coefficients");
    expect(partsOf(description).map(({ count }) => count)).toEqual([1, 1]);
  });

  test.each([0, 0.15])(
    "cost each row at most what they promise, all of them together: whiten %d",
    async (whiten) => {
      const request = asked({ algorithm: { ...AMP, whiten }, budget: { epsilon: 1, delta: 1e-5 } });
      const csv = "x,town,y\n0,a,red\n1,b,green\n-1,a,blue\n0.1,b,red\n";
      const release = await engine.fit(csv, request);
      const { losses } = await engine.personalLosses(release, csv);
      expect(losses).toHaveLength(4);
      for (const loss of losses) {
        expect(loss).toBeGreaterThan(0.1);
        expect(loss).toBeLessThanOrEqual(release.epsilon.upper * (1 + 1e-9));
      }
      const row = { x: 0, town: "a", y: "red" };
      const known = await engine.knownLoss(release, csv, row, { failure: 0.05 });
      expect(known.whatever.upper).toBeLessThanOrEqual(release.epsilon.upper * (1 + 1e-9));
      expect(known.realised).toBeUndefined();
      await expect(engine.report(release, csv)).rejects.toMatchObject({
        field: "release.request.table.label",
      });
    },
  );

  test("are evaluated, tuned and simulated as other models of several classes", async () => {
    const release = await engine.fit(table(1000), asked({ algorithm: { ...AMP, whiten: 0.15 } }));
    const evaluation = { sigma: 1e-3, budget: { delta: 1e-6 }, seed: 1 };
    const { measures } = await engine.evaluate(release, table(1000), evaluation);
    expect(measures.measured === "confusion" && measures.accuracy?.value).toBeGreaterThan(0.8);
    const tune = { candidates: [{ whiten: 0.15 }, { predictorScale: 1 }] };
    const tuned = await engine.fit(table(1000), asked({ algorithm: AMP, tune, seed: 3 }));
    expect(tuned.epsilon.upper).toBeLessThanOrEqual(8);
    expect(tuned.classes?.map((one) => one.class)).toEqual(LEVELS);
    const { points } = await engine.simulate(asked({ algorithm: { ...AMP, whiten: 0.15 } }), {
      rows: 1000,
      tables: 2,
      epsilons: [0.1, 8],
    });
    expect(points[1]?.error).toBeLessThan(points[0]?.error as number);
  });
});

test("the defaults are those of several classes, and the price is that of one Gaussian release", () => {
  const { parameters, epsilon } = engine.plan(asked({ budget: { delta: 1e-5 }, algorithm: { sigma: 2 } }));
  expect([parameters.steps, parameters.gramShare]).toEqual([20, 0.5]);
  const gaussian = engine.epsilon({ kind: "gaussian", sigma: 2, sensitivity: 1 }, 1e-5);
  // Widths are rounded up to whole steps, of which there are 2^20 and more.
  expect(Math.abs(epsilon.upper / gaussian.upper - 1)).toBeLessThan(2 ** -16);
});

describe("an evaluation", () => {
  /** What is said of the rows of `table`, beside what they are. */
  async function pairs(release: Release, csv: string) {
    const { values } = await engine.predict(release, csv);
    const lines = csv.trimEnd().split("\n").slice(1);
    return lines.map((line, i) => {
      const row = [...values.subarray(3 * i, 3 * i + 3)];
      return [LEVELS.indexOf(line.split(",")[2] as string), row.indexOf(Math.max(...row))] as const;
    });
  }

  test("with hardly any noise tells how many rows of each class are taken for each", async () => {
    const release = await engine.fit(table(1000), asked({ budget: { epsilon: 0.5, delta: 1e-5 } }));
    const evaluation = { sigma: 1e-3, budget: { delta: 1e-6 }, seed: 1 };
    const { measures } = await engine.evaluate(release, table(1000), evaluation);
    if (measures.measured !== "confusion") throw new Error("several classes were asked for");
    const all = await pairs(release, table(1000));
    const rowsOf = (wanted: (is: number, said: number) => boolean) =>
      all.filter(([is, said]) => wanted(is, said)).length;
    expect(measures.classes).toEqual(LEVELS);
    for (const [k, row] of measures.counts.entries()) {
      for (const [l, count] of row.entries())
        expect(Math.abs(count - rowsOf((is, said) => is === k && said === l))).toBeLessThan(0.1);
      const right = rowsOf((is, said) => is === k && said === k);
      expect(measures.recalls[k]?.value).toBeCloseTo(right / rowsOf((is) => is === k), 3);
      const taken = rowsOf((_, said) => said === k);
      if (taken > 0) expect(measures.precisions[k]?.value).toBeCloseTo(right / taken, 3);
      else expect(measures.precisions[k]).toBeNull();
    }
    expect(measures.accuracy?.value).toBeCloseTo(rowsOf((is, said) => is === said) / 1000, 3);
    // Not a model that is always right, of which a table that is turned would tell the same.
    expect(measures.accuracy?.value).toBeLessThan(0.99);
  });

  test.each(["add-remove", "replace"])("keeps its budget among neighbours by %s", async (neighbours) => {
    const { seed: _, ...request } = asked({ algorithm: { neighbours } });
    const release = await engine.fit(table(300), request);
    const evaluation = { budget: { epsilon: 0.5, delta: 1e-6 } };
    const plan = engine.planEvaluation(release, evaluation);
    expect([plan.epsilon.neighbours, plan.private, plan.request]).toEqual([neighbours, true, evaluation]);
    expect(plan.epsilon.upper).toBeLessThanOrEqual(0.5);
    expect(plan.epsilon.upper).toBeGreaterThan(0.499);
    const moved = neighbours === "replace" ? Math.SQRT2 : 1;
    const gaussian = engine.epsilon({ kind: "gaussian", sigma: plan.sigma, sensitivity: moved }, 1e-6);
    expect(Math.abs(plan.epsilon.upper / gaussian.upper - 1)).toBeLessThan(1e-4);
    expect(plan.together.epsilon.upper).toBeGreaterThan(plan.epsilon.upper);
    expect((await engine.evaluate(release, table(300), evaluation)).description).toEqual(plan.description);
  });

  test("says that there are too few rows, and covers what the rows have in 95 % of releases", async () => {
    const release = await engine.fit(table(1000), asked({ budget: { epsilon: 0.5, delta: 1e-5 } }));
    const none = await engine.evaluate(release, "x,town,y\n", { budget: { epsilon: 1, delta: 1e-6 } });
    expect(none.measures).toMatchObject({ accuracy: null, recalls: [null, null, null] });
    const all = await pairs(release, table(1000));
    const truth = all.filter(([is, said]) => is === said).length / all.length;
    let held = 0;
    for (let seed = 0; seed < 200; seed++) {
      const { measures } = await engine.evaluate(release, table(1000), {
        sigma: 8,
        budget: { delta: 1e-6 },
        seed,
      });
      const { accuracy } = measures as Extract<typeof measures, { measured: "confusion" }>;
      if (accuracy && accuracy.table.lower <= truth && truth <= accuracy.table.upper) held++;
    }
    // Four standard deviations of a binomial number, 3.1, below 190, and above.
    expect(held).toBeGreaterThanOrEqual(178);
    expect(held).toBeLessThan(200);
  });
});

describe("how often the probability of the likeliest class comes true", () => {
  const SURE = { sigma: 1e-3, budget: { delta: 1e-6 }, seed: 1, bins: 4 };

  test("is told in bins from that of a guess to 1, beside the same confusion", async () => {
    const release = await engine.fit(table(1000), asked({ budget: { epsilon: 0.5, delta: 1e-5 } }));
    const { measures } = await engine.evaluate(release, table(1000), SURE);
    if (measures.measured !== "confusion") throw new Error("several classes were asked for");
    const { edges = [], calibration = [] } = measures;
    edges.forEach((edge, i) => {
      expect(edge).toBeCloseTo(1 / 3 + i / 6, 12);
    });
    const { values } = await engine.predict(release, table(1000));
    const lines = table(1000).trimEnd().split("\n").slice(1);
    const [right, all] = [new Array(4).fill(0), new Array(4).fill(0)];
    lines.forEach((line, i) => {
      const row = [...values.subarray(3 * i, 3 * i + 3)];
      const sure = Math.max(...row);
      const bin = edges.filter((edge) => edge <= sure).length - 1;
      all[bin]++;
      if (LEVELS[row.indexOf(sure)] === line.split(",")[2]) right[bin]++;
    });
    expect(all.filter((count) => count > 0).length).toBeGreaterThan(1);
    for (const [bin, count] of all.entries()) {
      if (count === 0) expect(calibration[bin]).toBeNull();
      else expect(calibration[bin]?.value).toBeCloseTo(right[bin] / count, 3);
    }
    const { bins: _, ...without } = SURE;
    const { measures: alone } = await engine.evaluate(release, table(1000), without);
    if (alone.measured !== "confusion") throw new Error("several classes were asked for");
    expect([alone.edges, alone.calibration]).toEqual([undefined, undefined]);
    expect(measures.accuracy?.value).toBeCloseTo(alone.accuracy?.value as number, 3);
  });

  test.each([
    ["add-remove", Math.SQRT2],
    ["replace", 2],
  ])("is paid for: a row moves both histograms, among neighbours by %s", async (neighbours, moved) => {
    const release = await engine.fit(table(300), asked({ algorithm: { neighbours } }));
    const plan = engine.planEvaluation(release, { budget: { epsilon: 0.5, delta: 1e-6 }, bins: 10 });
    expect(plan.epsilon.upper).toBeLessThanOrEqual(0.5);
    const gaussian = (sensitivity: number) =>
      engine.epsilon({ kind: "gaussian", sigma: plan.sigma, sensitivity }, 1e-6).upper;
    expect(Math.abs(plan.epsilon.upper / gaussian(moved) - 1)).toBeLessThan(1e-4);
    // As if only one of them moved, it would be said to cost less.
    expect(gaussian(moved / Math.SQRT2)).toBeLessThan(0.4);
  });
});

describe("tuning", () => {
  const tune = { candidates: [{ steps: 20 }, { gramShare: 0.01, steps: 1 }] };

  test("is by the wrong classes, keeps the budget of all runs, and releases the winner", async () => {
    const request = asked({ tune, seed: 3 });
    const release = await engine.fit(table(3000), request);
    expect(release.epsilon.upper).toBeLessThanOrEqual(8);
    expect(release.epsilon.upper).toBeGreaterThan(7.99);
    expect(release.description.kind).toBe("private-selection");
    expect(release.request.tune).toMatchObject({ score: "misclassified", expectedRuns: 6 });
    expect(release.classes?.map((one) => one.class)).toEqual(LEVELS);
    const { values } = await engine.predict(release, table(3000));
    const lines = table(3000).trimEnd().split("\n").slice(1);
    const wrong = lines.filter((line, i) => {
      const row = [...values.subarray(3 * i, 3 * i + 3)];
      return LEVELS[row.indexOf(Math.max(...row))] !== line.split(",")[2];
    }).length;
    // Five standard deviations of its noise.
    const [score] = release.released.score as [number];
    expect(Math.abs(score - wrong)).toBeLessThan(5 * (release.parameters.scoreNoise as number));
    expect([0, 1]).toContain(release.released.candidate?.[0]);
  });

  test("and can be simulated", async () => {
    const request = asked({ tune, budget: { epsilon: 4, delta: 1e-5 } });
    const { points } = await engine.simulate(request, { rows: 2000, tables: 2, epsilons: [0.1, 8] });
    expect(points[1]?.error).toBeLessThan(points[0]?.error as number);
  });
});

test("without privacy every class has a predictor, at the minimum of the loss", async () => {
  // Not to be told apart: a tenth of the labels is another one.
  const lines = table(1000)
    .trimEnd()
    .split("\n")
    .map((line, i) => (i % 10 === 5 ? line.replace(/[a-z]+$/, LEVELS[i % 3] as string) : line));
  const csv = `${lines.join("\n")}\n`;
  const found = (await engine.fitWithoutPrivacy(csv, asked())) as readonly ClassModel[];
  expect(found.map((one) => one.class)).toEqual(LEVELS);
  const slopeAt = (moved: number) => {
    let slope = 0;
    for (const line of lines.slice(1)) {
      const [x, town, label] = line.split(",") as [string, string, string];
      const weights = found.map(({ intercept, terms }) =>
        Math.exp(
          intercept +
            Number(x) * (terms[0]?.coefficient as number) +
            (terms[town === "a" ? 1 : 2]?.coefficient as number),
        ),
      );
      weights[0] = (weights[0] as number) * Math.exp(moved * Number(x));
      const all = weights.reduce((sum, weight) => sum + weight, 0);
      slope += Number(x) * ((weights[0] as number) / all - Number(label === LEVELS[0]));
    }
    return slope / 1000;
  };
  // Hardly regularised: a ten-thousandth of a row.
  expect(Math.abs(slopeAt(0))).toBeLessThan(2e-6);
  expect(slopeAt(0.01)).toBeGreaterThan(1e-5);
});

describe("a simulation", () => {
  const request = asked({ budget: { epsilon: 1, delta: 1e-5 } });
  const wellScaled = { offCentre: 0, conditioning: 1, spread: 0.3, correlation: 0.2, positives: 0.5 };

  test("draws classes as its model says, which is right as often as it says", () => {
    const guesses = { ...wellScaled, rows: 1, explained: 0.7 };
    const made = syntheticTable(checkRequest(request), guesses, 20_000, new SeededRandom(7));
    const rows = Array.from(made.labels, (label, i) => {
      const weights = Array.from(made.truth.subarray(3 * i, 3 * i + 3), Math.exp);
      const sum = weights.reduce((all, one) => all + one, 0);
      return { label, shares: weights.map((weight) => weight / sum) };
    });
    expect(new Set(made.labels)).toEqual(new Set([0, 1, 2]));
    for (const k of [0, 1, 2]) {
      // Of each class, and of those among whose rows it is likely: five standard deviations.
      for (const least of [0, 0.5]) {
        const some = rows.filter(({ shares }) => (shares[k] as number) >= least);
        const off = some.reduce(
          (sum, { label, shares }) => sum + Number(label === k) - (shares[k] as number),
          0,
        );
        const variance = some.reduce(
          (sum, { shares }) => sum + (shares[k] as number) * (1 - (shares[k] as number)),
          0,
        );
        expect(Math.abs(off)).toBeLessThan(5 * Math.sqrt(variance));
      }
    }
    // A logit has 0.7 of the variance of itself with its noise, π²/6.
    const square = made.truth.reduce((sum, logit) => sum + logit ** 2, 0) / made.truth.length;
    expect(square / (square + Math.PI ** 2 / 6)).toBeCloseTo(0.7, 9);
  });

  test("falls from the share of the commonest class to that of the model that made them", async () => {
    const guesses = {
      rows: 20_000,
      tables: 4,
      epsilons: [1e-3, 1, 1000],
      explained: 0.7,
      offCentre: 0,
      conditioning: 1,
    };
    const { measure, points, constant, best } = await engine.simulate(request, guesses);
    expect(measure).toBe("share of wrong classes");
    const [first, middle, last] = points.map(({ error }) => error) as [number, number, number];
    expect(constant.error).toBeGreaterThan(0.45);
    expect(constant.error).toBeLessThan(2 / 3);
    expect(first).toBeGreaterThan(middle);
    expect(middle).toBeLessThan(constant.error);
    expect(last).toBeGreaterThan(best.error - 0.01);
    expect(last).toBeLessThan(best.error + 0.02);
  });

  test("ranks the algorithms of several classes", async () => {
    const { algorithms, measure } = await engine.rankAlgorithms(request, { rows: 500 });
    expect(measure).toBe("share of wrong classes");
    const names = algorithms.map(({ algorithm }) => algorithm.name);
    expect(names.sort()).toEqual([AMP.name, "noisy-newton"]);
    expect(algorithms[0]?.corners.every(({ error }) => error > 0.1 && error < 0.9)).toBe(true);
  });
});

describe("what is not for several classes is refused by name", () => {
  const levels = (count: number) => Array.from({ length: count }, (_, i) => `${i}`);
  const two = { use: "classes", levels: ["a", "b"] };
  const amp = { name: "approximate-minima-perturbation" };
  const dpSgd = { name: "dp-sgd", rows: 9 };
  test.each([
    ["table.label.levels", { label: { levels: levels(2) } }],
    ["table.label.levels", { label: { levels: levels(101) } }],
    ["table.label.levels.2", { label: { levels: ["a", "b", "a"] } }],
    ["table.label.missing.constant", { label: { missing: { constant: "black" } } }],
    ["table.label.use", { label: two }],
    ["table.label.use", { algorithm: { loss: "logistic" } }],
    ["table.label.use", { algorithm: { name: "ada-ssp" } }],
    ["table.label.use", { algorithm: { ...amp, loss: "logistic" } }],
    ["algorithm.loss", { algorithm: { ...dpSgd, loss: "softmax" } }],
    ["table.label.use", { label: two, algorithm: AMP }],
    ["algorithm.accounting", { algorithm: { ...AMP, accounting: "paper" } }],
    ["algorithm.whiten", { algorithm: { ...AMP, whiten: 0.15, lambda: 1 } }],
    ["algorithm.steps", { algorithm: { steps: 101 } }],
    ["tune.score", { tune: { candidates: [{ steps: 5 }], score: "squared-error" } }],
    ["tune.candidates.0.loss", { tune: { candidates: [{ loss: "logistic" }] } }],
    ["tune.candidates.1.steps", { tune: { candidates: [{ steps: 5 }, { steps: 0 }] } }],
  ])("%s", (field, changes) => {
    expect(fieldOf(() => engine.plan(asked(changes)))).toBe(field);
  });

  test("by questions about a model", async () => {
    const refused = async (ask: () => Promise<unknown>) => {
      try {
        await ask();
      } catch (error) {
        if (error instanceof Refusal) return error.field;
        throw error;
      }
      return undefined;
    };
    const release = await engine.fit(table(9), asked());
    const evaluation = { budget: { epsilon: 1, delta: 1e-6 } };
    for (const [detail, value] of [
      ["bins", 1],
      ["errorBound", 2],
    ] as const)
      expect(
        await refused(() => engine.evaluate(release, table(9), { ...evaluation, [detail]: value })),
      ).toBe(`evaluation.${detail}`);
    expect(await refused(() => engine.personalLosses(release, table(9)))).toBeDefined();
    expect(await refused(() => engine.report(release, table(9)))).toBeDefined();
    expect(fieldOf(() => statisticsQuery(asked().table as never, ["t"], "duckdb"))).toBe("table.label.use");
  });
});

function fieldOf(ask: () => unknown): string | undefined {
  try {
    ask();
  } catch (error) {
    if (error instanceof Refusal) return error.field;
    throw error;
  }
  return undefined;
}

/** One line each, to be put among others. */
const LINES = [
  "0.5,a,red\n",
  "0.5,a,black\n",
  "0.5,a,\n",
  "0.5,a,?\n",
  "0.5,a,1\n",
  "0.5,a,\x01\n",
  '0.5,a,"red\n',
  "1e999,c,red\n",
  "red\n",
  `${"red,".repeat(30)}\n`,
  " \n",
];

test.each([
  ["drop", { loss: "softmax" }],
  [{ constant: "green" }, { loss: "softmax" }],
  ["drop", { ...AMP, whiten: 0.15 }],
  ["drop", { ...AMP, whiten: 0 }],
])(
  "whether there is a model does not depend on a line: missing labels by %j, %j",
  async (missing, algorithm) => {
    const budget = { epsilon: 1, delta: 1e-5 };
    const { seed: _, ...rest } = asked({ label: { missing }, algorithm, budget });
    const usual = table(40).slice("x,town,y\n".length);
    for (const line of LINES)
      for (const body of ["", line, line + usual, usual + line]) {
        const { classes } = await engine.fit(`x,town,y\n${body}`, rest);
        expect(classes?.flatMap(({ intercept }) => intercept).every(Number.isFinite)).toBe(true);
      }
  },
);
