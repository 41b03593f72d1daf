/** Private models end to end: a table of text and a request go in, a priced release comes out. */

import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import create from "../../build/wasm/full.mjs";
import type { OriginalModel } from "../../wasm/contract.ts";
import { neighboursOf } from "../../wasm/engine/description.ts";
import { type Engine, type ModelRelease, open } from "../../wasm/engine.ts";
import { ALGORITHMS, LOSSES, rowOf } from "../../wasm/release/algorithms.ts";
import { fitModel } from "./model.ts";
import { categorical, numeric, refused, shared } from "./table/support.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await open();
});

const ROWS = 731;

/** A table with a slope: y is about 2 x, and the class is its sign. No number in it is random. */
function csv(rows = ROWS): string {
  const lines = Array.from({ length: rows }, (_, i) => {
    const x = Math.sin(i * 12.9898) * 10;
    const y = 2 * x + Math.cos(i * 78.233);
    return `${x},${i % 3 === 0 ? "a" : "b"},${y},${y > 0 ? "yes" : "no"},${Math.max(0, Math.round(y))}`;
  });
  return `x,group,y,class,count\n${lines.join("\n")}\n`;
}

const LABELS = {
  numeric: { name: "y", use: "numeric", range: [-25, 25], missing: "drop" },
  classes: { name: "class", use: "classes", levels: ["no", "yes"], missing: "drop" },
  count: { name: "count", use: "count", range: [0, 25], missing: "drop" },
};

const declared = (label: keyof typeof LABELS, unit: object = { protects: "row", rows: 1 }) => ({
  unit,
  columns: [numeric("x", [-10, 10]), categorical("group", ["a", "b"])],
  label: LABELS[label],
  rowNorm: 1,
});

const request = (algorithm: object, label: keyof typeof LABELS = "numeric", more: object = {}) => ({
  table: declared(label),
  algorithm,
  budget: { epsilon: 1, delta: 1e-5 },
  seed: 20,
  ...more,
});

const AMP = { name: "approximate-minima-perturbation", loss: "logistic" };
const SSP = { name: "ada-ssp" };

/**
 * The noise that is looked for ends within 2⁻³² of the least and the price within 1e-7 of itself. What is printed was
 * made for looser bounds, and is here worth half of its budget or more, but for a hundredth.
 */
const least = ({ algorithm }: { algorithm: object }) => ("accounting" in algorithm ? 0.49 : 1 - 1e-6);

const slope = ({ coefficients }: ModelRelease) => coefficients.terms[0]?.coefficient as number;

const REQUESTS = {
  "output perturbation": request(
    { name: "output-perturbation", loss: "logistic", lambda: 20, neighbours: "replace" },
    "classes",
  ),
  "approximate minima, logistic": request(AMP, "classes"),
  "approximate minima, huber": request({ ...AMP, loss: "huber", threshold: 0.5 }),
  "approximate minima, rows as they are": request({ ...AMP, whiten: 0 }, "classes"),
  "approximate minima, squared": request({ ...AMP, loss: "squared" }),
  "approximate minima, poisson": request({ ...AMP, loss: "poisson", gradientBound: 5 }, "count"),
  "noisy descent": request(
    { name: "dp-sgd", loss: "logistic", rows: 700, steps: 20, rate: 0.1, learningRate: 4 },
    "classes",
  ),
  "noisy Newton steps": request({ name: "noisy-newton", loss: "logistic" }, "classes"),
  "noisy Newton steps, squared": request({ name: "noisy-newton", loss: "squared", neighbours: "replace" }),
  "noisy descent without a word": request({ name: "dp-sgd", loss: "logistic", rows: 700 }, "classes"),
  "adaptive statistics": request(SSP),
  "adaptive statistics as printed": request({ ...SSP, accounting: "paper" }),
  "Laplace covariance": request({ name: "covariance-laplace" }),
  "linear mixing": request({ name: "linear-mixing" }),
  "linear mixing with its eigenvalue": request({ name: "linear-mixing", eigenvalue: "released" }),
  "Gaussian mixing": request({ name: "gaussian-mixing" }),
  "Johnson-Lindenstrauss projection": request({ name: "johnson-lindenstrauss" }),
  "logistic mixing": request({ name: "logistic-mixing" }, "classes"),
  "output perturbation of ridge": request({ name: "output-perturbation-ridge", lambda: 50, rows: 1000 }),
  "adaptive posterior sample": request({ name: "adaptive-posterior-sampling" }),
  "posterior sample": request({ name: "posterior-sampling", lambda: 500, rows: 1000 }),
};

describe.each(Object.entries(REQUESTS))("%s", (_, asked) => {
  test("keeps its budget, and says what it did", async () => {
    const release = await fitModel(engine, csv(), asked);
    expect(release.coefficients.terms.map(({ column, level }) => [column, level])).toEqual([
      ["x", undefined],
      ["group", "a"],
      ["group", "b"],
    ]);
    for (const { coefficient } of release.coefficients.terms) expect(coefficient).toSatisfy(Number.isFinite);
    expect(release.coefficients.intercept).toSatisfy(Number.isFinite);
    expect(release.epsilon.upper).toBeLessThanOrEqual(1);
    expect(release.epsilon.upper).toBeGreaterThanOrEqual(least(asked));
    expect(release.private).toBe(false);
    // The price is that of the description alone, as anybody can ask again.
    const { lower, upper } = engine.epsilon(release.description, 1e-5);
    expect(lower).toBeLessThanOrEqual(release.epsilon.upper);
    expect(upper).toBeGreaterThanOrEqual(release.epsilon.lower);
    expect(upper).toBeLessThan(release.epsilon.upper * 1.001);
  });

  test("says what each output is, and about which neighbours the price is", async () => {
    const release = await engine.fit(csv(40), asked);
    const { result, outputs, released, epsilon, description } = release;
    expect(outputs.find(({ name }) => name === result.name)).toMatchObject(result);
    expect(result).toEqual({ name: "coefficients", kind: "coefficients", shape: [4] });
    const others = outputs.filter(({ kind }) => kind !== "coefficients");
    expect(Object.fromEntries(others.map(({ name, values }) => [name, values]))).toEqual(released);
    // What the core says, and what anybody reads off the description.
    expect(epsilon.neighbours).toBe(neighboursOf(description));
  });

  test.each([0.1, 0.7, 3])("uses up ε = %d and no more when that is asked", (epsilon) => {
    const { upper } = engine.plan({ ...asked, budget: { epsilon, delta: 1e-6 } }).epsilon;
    expect(upper).toBeLessThanOrEqual(epsilon);
    expect(upper).toBeGreaterThanOrEqual(least(asked) * epsilon);
  });

  test("is planned without a table as it is run on one", async () => {
    const release = await fitModel(engine, csv(40), asked);
    const { coefficients: _, intervals: __, released: ___, outputs: ____, ...told } = release;
    expect(engine.plan(asked)).toEqual(told);
  });
});

describe.each(Object.keys(ALGORITHMS) as (keyof typeof ALGORITHMS)[])("the row of %s", (name) => {
  const { asks, noise, loss, labels, unlabelled } = rowOf(name);

  test("asks for its noise, and knows its labels", () => {
    expect(Object.keys(asks)).toContain(noise);
    const isKnown = "loss" in asks || loss !== undefined || labels !== undefined;
    expect(isKnown).toBe(!unlabelled);
    if ("loss" in asks) expect(loss).toBeUndefined();
    // What a loss needs may be asked wherever that loss may be.
    const losses = (asks.loss?.schema as { enum?: (keyof typeof LOSSES)[] })?.enum ?? [];
    for (const one of losses) for (const key of LOSSES[one].needs) expect(asks).toHaveProperty(key);
  });
});

describe("without privacy", () => {
  const exactly = async (asked: object, table: string | Blob = csv()) =>
    ((await engine.fitWithoutPrivacy(table, asked)) as OriginalModel).terms[0]?.coefficient as number;

  test.each(Object.entries(REQUESTS))("%s: the slope is that of the table", async (_, asked) => {
    const found = await exactly(asked);
    const isLinear = asked.table.label.use === "numeric";
    // Half of all counts are zero; classes are nearly separated.
    expect(found).toBeGreaterThan(isLinear ? 1.99 : 0.1);
    expect(found).toBeLessThan(isLinear ? 2.01 : 30);
  });

  test("nothing but the table and the loss matters", async () => {
    const found = await exactly(request(SSP));
    expect(await exactly(request(SSP, "numeric", { seed: 3, budget: { epsilon: 9, delta: 1e-9 } }))).toBe(
      found,
    );
    const other = request({ ...AMP, loss: "squared", gradientBound: 2 });
    expect(await exactly(other, new Blob([csv()]))).toBe(found);
    expect(await exactly(request(SSP), csv(700))).not.toBe(found);
  });

  test("ample budgets come near to it", async () => {
    const asked = request(SSP, "numeric", { budget: { epsilon: 1000, delta: 1e-5 } });
    expect(slope(await fitModel(engine, csv(), asked))).toBeCloseTo(await exactly(asked), 2);
  });

  test("bad requests and cancelling are told as ever", async () => {
    const wrong = { ...request(SSP), budget: { epsilon: -1, delta: 1e-5 } };
    const told = await engine.fitWithoutPrivacy(csv(), wrong).catch((error: unknown) => error);
    expect(String(told)).toContain("budget.epsilon");
    const stop = new AbortController();
    stop.abort(new Error("enough"));
    const stopped = engine.fitWithoutPrivacy(csv(), request(AMP, "classes"), { signal: stop.signal });
    await expect(stopped).rejects.toThrow("enough");
  });
});

describe("what comes out", () => {
  test("the slope is found when the budget is ample", async () => {
    const budget = { epsilon: 50, delta: 1e-5 };
    const linear = await fitModel(engine, csv(), request(SSP, "numeric", { budget }));
    expect(slope(linear)).toBeGreaterThan(1.9);
    expect(slope(linear)).toBeLessThan(2.1);
    const logistic = await fitModel(engine, csv(), request({ ...AMP, lambda: 1 }, "classes", { budget }));
    expect(slope(logistic)).toBeGreaterThan(0.2);
  });

  test("a seed repeats the noise; another seed, or none, does not", async () => {
    const asked = request(SSP);
    const first = await fitModel(engine, csv(), asked);
    expect(await fitModel(engine, new Blob([csv()]), asked)).toEqual(first);
    expect(slope(await fitModel(engine, csv(), { ...asked, seed: 21 }))).not.toBe(slope(first));
    const { seed: _, ...unseeded } = asked;
    const [one, other] = [await fitModel(engine, csv(), unseeded), await fitModel(engine, csv(), unseeded)];
    expect(one.private).toBe(true);
    expect(slope(one)).not.toBe(slope(other));
  });

  test("nothing but what is released depends on the table", async () => {
    const asked = request(AMP, "classes");
    const [ofFew, ofMany] = [await fitModel(engine, csv(100), asked), await fitModel(engine, csv(), asked)];
    const {
      coefficients: few,
      outputs: _,
      released: { gram },
      ...others
    } = ofFew;
    const { coefficients: many, outputs: __, released: ___, ...othersOfMany } = ofMany;
    expect(others).toEqual(othersOfMany);
    expect(gram).toHaveLength(10);
    expect(few).not.toEqual(many);
  });

  test("all rows of a person are priced together", async () => {
    const unit = { protects: "person", rows: 3 };
    const table = declared("numeric", unit);
    const noise = { table, algorithm: { ...SSP, sigma: 20 }, budget: { delta: 1e-5 } };
    const release = await fitModel(engine, csv(), noise);
    const group = engine.epsilon(release.description, 1e-5, { group: 3 }).upper;
    expect(Math.abs(release.epsilon.upper / group - 1)).toBeLessThan(1e-4);
    expect(release.epsilon.upper).toBeGreaterThan(2 * engine.epsilon(release.description, 1e-5).upper);
  });

  test.each([
    ["adaptive statistics", SSP, "numeric"],
    ["Laplace covariance", { name: "covariance-laplace" }, "numeric"],
    ["linear mixing", { name: "linear-mixing" }, "numeric"],
    ["approximate minima", AMP, "classes"],
  ] as const)("%s keeps a budget for all rows of a person", async (_, algorithm, label) => {
    const table = declared(label, { protects: "person", rows: 3 });
    const release = await fitModel(engine, csv(), { ...request(algorithm, label), table });
    expect(release.epsilon.upper).toBeLessThanOrEqual(1);
    const one = engine.epsilon(release.description, 1e-5);
    expect(one.upper).toBeLessThan(0.5);
    expect(one.upper).toBeGreaterThan(0.1);
    expect(release.epsilon.lower).toBeGreaterThanOrEqual(one.lower * (1 - 1e-6));
  });

  test("progress is told, and whoever hears it can cancel", async () => {
    const asked = request(AMP, "classes");
    const phases = new Set<string>();
    await fitModel(engine, csv(), asked, { onProgress: ({ phase }) => phases.add(phase) });
    expect([...phases]).toEqual(["reading", "fitting"]);
    const stop = new AbortController();
    const onProgress = ({ phase }: { phase: string }) => phase === "fitting" && stop.abort("enough");
    await expect(fitModel(engine, csv(), asked, { onProgress, signal: stop.signal })).rejects.toBe("enough");
  });

  test("reading stops when it is told, however many products a row has", async () => {
    const levels = Array.from({ length: 2000 }, (_, i) => `l${i}`);
    const rows = Array.from({ length: 5000 }, (_, i) => `l${i % 2000},${i % 20}`);
    const table = { ...declared("numeric"), columns: [categorical("g", levels)] };
    const stop = new AbortController();
    // The first chance that anybody else gets: 5000 rows of two million products each are not read by then.
    setTimeout(() => stop.abort("enough"));
    const shares: number[] = [];
    const onProgress = ({ share = 1 }: { readonly share: number | undefined }) => void shares.push(share);
    const options = { signal: stop.signal, onProgress };
    const fit = fitModel(engine, `g,y\n${rows.join("\n")}\n`, { ...request(SSP), table }, options);
    await expect(fit).rejects.toBe("enough");
    expect(Math.max(0, ...shares)).toBeLessThan(0.5);
  });
});

describe("a part of the budget is for whitening where nothing is said of it", () => {
  const whitened = (algorithm: object, more: object = {}) =>
    engine.plan(request({ ...AMP, ...algorithm }, "classes", more)).parameters.whiten;

  test("and where nothing speaks against it", () => {
    expect(whitened({})).toBe(0.15);
    expect(whitened({ loss: "squared" }, { table: declared("numeric") })).toBe(0.15);
    expect(whitened({ accounting: "tight" })).toBe(0.15);
    expect(whitened({ predictorScale: 2, gradientBound: 1 })).toBe(0.15);
    expect(whitened({ whiten: 0 })).toBeUndefined();
    expect(whitened({ whiten: 0.3 })).toBe(0.3);
    for (const named of [{ lambda: 9 }, { noiseRatio: 1.3 }, { accounting: "paper" }])
      expect(whitened(named), JSON.stringify(named)).toBeUndefined();
    expect(whitened({ sigma: 9, lambda: 9 }, { budget: { delta: 1e-5 } })).toBeUndefined();
    const tune = { candidates: [{ lambda: 9 }, { lambda: 90 }], expectedRuns: 2 };
    expect(whitened({}, { tune })).toBeUndefined();
  });

  test.each([
    [511, 0.15],
    [512, undefined],
  ])("with %d features and an intercept: %d", (features, share) => {
    const columns = Array.from({ length: features }, (_, i) => ({
      name: `x${i}`,
      use: "numeric",
      range: [0, 1],
      missing: "drop",
    }));
    expect(whitened({}, { table: { ...declared("classes"), columns } })).toBe(share);
  });

  test("the release says so, and asked again without it, it is another one", async () => {
    const asked = request(AMP, "classes");
    const release = await fitModel(engine, csv(), asked);
    expect(release.request.algorithm).toEqual({ ...AMP, whiten: 0.15 });
    expect(await fitModel(engine, csv(), release.request)).toEqual(release);
    const plain = await fitModel(engine, csv(), request({ ...AMP, whiten: 0 }, "classes"));
    expect(plain.released).toEqual({});
    // One that was made when there was no such part, and names none.
    const old = { ...plain, request: { ...plain.request, algorithm: AMP } } as typeof plain;
    const people = await engine.personalLosses(old, csv());
    expect(people).toEqual(await engine.personalLosses(plain, csv()));
  });
});

describe("the released XᵀX is worth what the docs say of it", () => {
  /** The eigenvalues of a lower triangle of two rows. */
  const ends = (triangle: readonly number[] | undefined) => {
    const [a, b, c] = triangle as unknown as [number, number, number];
    const off = Math.hypot((a - c) / 2, b);
    return [(a + c) / 2 + off, (a + c) / 2 - off];
  };
  const table = { ...declared("classes"), columns: [numeric("x", [-10, 10])] };
  const asked = (algorithm: object, more: object) => request(algorithm, "classes", { table, ...more });
  const newton = { name: "noisy-newton", loss: "logistic" };
  const exact = async () => {
    const quiet = asked({ ...newton, sigma: 1e-4 }, { budget: { delta: 1e-5 } });
    return (await fitModel(engine, csv(), quiet)).released.gram as readonly number[];
  };

  test("with an intercept it holds the number of rows, and sums", async () => {
    const found = await exact();
    const values = Array.from({ length: ROWS }, (_, i) => Math.sin(i * 12.9898));
    const sums = [values.reduce((sum, x) => sum + x * x, 0), values.reduce((sum, x) => sum + x, 0), ROWS];
    sums.forEach((sum, i) => {
      expect(found[i]).toBeCloseTo(sum, 1);
    });
  });

  test.each([AMP, newton])(
    "its eigenvalues are as near to those without noise as is said: $name",
    async (algorithm) => {
      const truth = ends(await exact());
      const { upper: quantile } = engine.goe.quantile(2, { upperTail: 0.025 });
      const RUNS = 300;
      let held = 0;
      for (let seed = 1; seed <= RUNS; seed++) {
        const { released, parameters } = await engine.fit(csv(), asked(algorithm, { seed }));
        const { gramSigma, sigma, gramShare } = parameters;
        const width = gramSigma ?? ((sigma as number) * 2) / Math.sqrt(2 * (gramShare as number));
        if (
          ends(released.gram).every((value, k) => Math.abs(value - (truth[k] as number)) <= width * quantile)
        )
          held++;
      }
      expect(held / RUNS).toBeGreaterThan(0.95 - 4 * Math.sqrt((0.95 * 0.05) / RUNS));
    },
  );

  test("any solver has the coefficients of ada-ssp from what it releases", async () => {
    const numbers = { ...table, label: { ...LABELS.numeric, range: [-1, 1] } };
    const { released, coefficients } = await fitModel(
      engine,
      csv(),
      request({ ...SSP, sigma: 5 }, "numeric", { table: numbers, budget: { delta: 1e-5 } }),
    );
    const [a, b, c] = released.gram as unknown as [number, number, number];
    const [first, last] = released.cross as unknown as [number, number];
    const [ridge] = released.ridge as unknown as [number];
    const determinant = (a + ridge) * (c + ridge) - b * b;
    expect(10 * (coefficients.terms[0]?.coefficient as number)).toBeCloseTo(
      ((c + ridge) * first - b * last) / determinant,
      9,
    );
    expect(coefficients.intercept).toBeCloseTo(((a + ridge) * last - b * first) / determinant, 9);
  });
});

describe("the secure source", () => {
  afterEach(() => vi.restoreAllMocks());
  const { seed: _, ...asked } = request(AMP, "classes");
  const source = () => vi.spyOn(crypto, "getRandomValues");

  test("is asked for whole keys, in memory that is its own, once and again for each release", async () => {
    const asks = source();
    await fitModel(engine, csv(), asked);
    // The generator's key, one for the matrix, one for the linear term, one for the finish.
    expect(asks).toHaveBeenCalledTimes(4);
    for (const [bytes] of asks.mock.calls) {
      expect(bytes?.byteLength).toBe(32);
      expect(bytes?.buffer).toBeInstanceOf(ArrayBuffer);
    }
  });

  test("is not asked for a demonstration", async () => {
    const asks = source();
    await fitModel(engine, csv(), request(AMP, "classes"));
    expect(asks).not.toHaveBeenCalled();
  });

  test.each([1, 2, 3, 4])("releases nothing when it fails, at the key number %d", async (failing) => {
    const genuine = crypto.getRandomValues.bind(crypto);
    let calls = 0;
    source().mockImplementation((bytes) => {
      if (++calls === failing) throw new Error("no entropy");
      return genuine(bytes as Uint8Array<ArrayBuffer>) as typeof bytes;
    });
    expect(await refused(() => fitModel(engine, csv(), asked))).toContain("secure source of randomness");
    expect(calls).toBe(failing);
  });

  test("is not believed when it answers with zeros", async () => {
    source().mockImplementation((bytes) => bytes);
    expect(await refused(() => fitModel(engine, csv(), asked))).toContain("secure source of randomness");
  });
});

describe("refusals", () => {
  const refuses = (asked: unknown, table: string | Blob = csv()) =>
    refused(() => fitModel(engine, table, asked));
  const asked = request(SSP);

  test("what must be declared and is not is named", async () => {
    const { unit: _, ...table } = asked.table;
    expect(await refuses({ ...asked, table })).toContain("table.unit = nothing");
    const columns = [{ name: "x", use: "numeric", missing: "drop" }];
    expect(await refuses({ ...asked, table: { ...asked.table, columns } })).toContain(
      "table.columns.0.range",
    );
    expect(await refuses({ ...asked, budget: undefined })).toContain("budget = nothing");
    expect(await refuses(undefined)).toContain("table, algorithm, budget");
  });

  test("unknown algorithms and keys are named", async () => {
    expect(await refuses(request({ name: "magic" }))).toContain('algorithm.name = "magic": must be one of');
    expect(await refuses(request({ ...SSP, lambda: 1 }))).toContain("algorithm.lambda = 1: no such key");
    expect(await refuses({ ...asked, n: 5 })).toContain("n = 5: no such key");
    // Bounds are those of the declared table, and cannot be given beside it.
    expect(await refuses(request({ ...SSP, labelBound: 0.1 }))).toContain("algorithm.labelBound");
  });

  test("every algorithm of the core is offered, and no other", async () => {
    const answer = (await create()).plan({ name: "none" }, null, 1);
    const all = "refusal" in answer ? answer.refusal.rule.replace("must be one of ", "").split(", ") : [];
    // These have requests of their own.
    const names = all.filter((name) => name !== "everyday-statistics" && name !== "model-evaluation");
    expect(names).toHaveLength(all.length - 2);
    const offered = await refuses(request({ name: "none" }));
    for (const name of names) expect(offered).toContain(`"${name}"`);
    expect(offered.match(/"[a-z-]+"/g)?.length).toBe(names.length + 1);
  });

  test("what the algorithm cannot do is said before the table is read", async () => {
    const unread = new ReadableStream(
      { pull: (stream) => stream.error(new Error("was read")) },
      { highWaterMark: 0 },
    );
    const says = (one: unknown) => refused(() => fitModel(engine, unread, one));
    expect(await says(request({ ...SSP, releases: 2, accounting: "paper" }))).toContain("releases = 2");
    expect(await says(request({ ...SSP, sigma: 3 }))).toContain("cannot both be given");
    expect(await says({ ...asked, budget: { delta: 1e-5 } })).toContain("epsilon");
    expect(await says(request(AMP))).toContain('table.label.use = "numeric"');
    expect(await says(request({ name: "logistic-mixing" }))).toContain('table.label.use = "numeric"');
    const pure = { budget: { epsilon: 1, delta: 0 } };
    expect(await says(request(SSP, "numeric", pure))).toContain("budget.delta = 0");
    const laplace = engine.plan(request({ name: "covariance-laplace" }, "numeric", pure)).epsilon.upper;
    expect(laplace).toBeLessThanOrEqual(1);
    expect(laplace).toBeGreaterThanOrEqual(1 - 1e-6);
    const table = declared("numeric", { protects: "person", rows: 1001 });
    expect(await says({ ...asked, table })).toContain("table.unit.rows = 1001");
  });

  test("files that are no tables are refused in words of their own", async () => {
    expect(await refuses(asked, "")).toContain("holds no table");
    expect(await refuses(asked, "PK\x03\x04 something")).toContain("ZIP");
    expect(await refuses(asked, "x,group\n1,a\n")).toContain("table.label.name");
  });

  test("a table without any usable row is fitted like any other", async () => {
    const release = await fitModel(engine, "x,group,y\n?,a,1\n<b>,a,NaN\n", asked);
    expect(slope(release)).toSatisfy(Number.isFinite);
  });
});

describe("strangers' tables", async () => {
  const [adult, communities] = await Promise.all([shared("adult.csv"), shared("communities.csv")]);

  test.skipIf(!adult)("a logistic model of adult.csv (skipped where the file is absent)", async () => {
    const table = {
      unit: { protects: "person", rows: 1 },
      columns: [
        numeric("age", [17, 90]),
        numeric("education.num", [1, 16]),
        numeric("hours.per.week", [1, 99]),
        categorical("sex", ["Female", "Male"]),
      ],
      label: { name: "income", use: "classes", levels: ["<=50K", ">50K"], missing: "drop" },
      rowNorm: 1,
    };
    const release = await fitModel(engine, adult as Blob, { ...request(AMP), table });
    const terms = new Map(
      release.coefficients.terms.map((term) => [term.level ?? term.column, term.coefficient]),
    );
    expect(release.epsilon.upper).toBeLessThanOrEqual(1);
    expect(release.epsilon.upper).toBeGreaterThanOrEqual(1 - 1e-6);
    // What every census says: years of education and of age count, and men were paid more.
    expect(terms.get("education.num")).toBeGreaterThan(0.1);
    expect(terms.get("age")).toBeGreaterThan(0.01);
    expect(terms.get("Male") as number).toBeGreaterThan(terms.get("Female") as number);
  });

  test.skipIf(!communities)(
    "a linear model of communities.csv (skipped where the file is absent)",
    async () => {
      const table = {
        unit: { protects: "community", rows: 1 },
        columns: ["PctKids2Par", "racePctWhite", "PctIlleg"].map((name) => numeric(name, [0, 1])),
        label: { name: "ViolentCrimesPerPop", use: "numeric", range: [0, 1], missing: "drop" },
        rowNorm: 1,
      };
      const release = await fitModel(engine, communities as Blob, { ...request(SSP), table });
      const [kids, , illegitimate] = release.coefficients.terms.map(({ coefficient }) => coefficient);
      expect(release.epsilon.upper).toBeLessThanOrEqual(1);
      expect(release.epsilon.upper).toBeGreaterThanOrEqual(1 - 1e-6);
      expect(kids).toBeLessThan(0);
      expect(illegitimate).toBeGreaterThan(0);
    },
  );
});
