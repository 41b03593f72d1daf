/** Reports that may be published, and what a release cost each row: through the public door. */
import { describe, expect, test } from "vitest";
import type { PersonalLoss } from "../../wasm/contract.ts";
import { toJson } from "../../wasm/engine/json.ts";
import { type Engine, open, Refusal, type Release } from "../../wasm/engine.ts";
import { sealed } from "../../wasm/report/document.ts";

const engine: Engine = await open();

const table = {
  unit: { protects: "person", rows: 1 },
  columns: [
    { name: "age", use: "numeric", range: [18, 70], missing: "drop" },
    { name: "sex", use: "categorical", levels: ["f", "m"], missing: "drop" },
  ],
  rowNorm: 1,
};
const classes = { name: "high", use: "classes", levels: ["no", "yes"], missing: "drop" };
const pay = { name: "pay", use: "numeric", range: [0, 100], missing: "drop" };

const rows = Array.from({ length: 300 }, (_, i) => {
  const age = 18 + ((i * 37) % 520) / 10;
  return { age, sex: i % 3 === 0 ? "f" : "m", high: age > 44 ? "yes" : "no", pay: Math.round(age) };
});
const csv = (names: readonly ("age" | "sex" | "high" | "pay")[]) =>
  `${names.join(",")}\n${rows.map((row) => names.map((name) => row[name]).join(",")).join("\n")}\n`;

const LOGISTIC = {
  table: { ...table, label: classes },
  algorithm: { name: "approximate-minima-perturbation", loss: "logistic", whiten: 0 },
  budget: { epsilon: 1, delta: 1e-5 },
  seed: 7,
};
const logisticTable = csv(["age", "sex", "high"]);
const linear = (algorithm: object, delta = 1e-5) => ({
  table: { ...table, label: pay },
  algorithm,
  budget: { epsilon: 1, delta },
  seed: 7,
});
const linearTable = csv(["age", "sex", "pay"]);

const LINEAR = [
  linear({ name: "ada-ssp" }),
  linear({ name: "covariance-laplace" }, 0),
  linear({ name: "posterior-sampling", lambda: 20, rows: 300 }),
  linear({ name: "output-perturbation-ridge", lambda: 50, rows: 300 }),
  linear({ name: "linear-mixing" }),
  linear({ name: "gaussian-mixing" }),
];

const refusalOf = (action: () => unknown): Refusal => {
  try {
    action();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("was not refused");
};

const logistic: Release = await engine.fit(logisticTable, LOGISTIC);
const report = await engine.report(logistic, undefined, {});

describe("what a release cost each row", () => {
  test.each(LINEAR)("never more than was promised: $algorithm.name", async (request) => {
    const release = await engine.fit(linearTable, request);
    const people = await engine.personalLosses(release, linearTable);
    expect(people.losses).toHaveLength(rows.length);
    expect(people.confidential).toBe(true);
    expect(Math.min(...people.losses)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...people.losses)).toBeLessThanOrEqual(people.promised);
    // That is what the release itself says, to the last bit, where a budget was kept.
    expect(people.promised).toBe(release.epsilon.upper);
    expect(people.median).toBeLessThanOrEqual(people.ninetieth);
    expect(people.ninetieth).toBeLessThanOrEqual(people.largest);
    expect(people.moments[0]).toBe(people.mean);
    expect(people.moments[1]).toBeCloseTo(
      people.losses.reduce((sum, one) => sum + one ** 2, 0) / rows.length,
    );
    // What the model makes of each row is told beside each loss, whatever the loss depends on.
    const { leverages, leveragesWithout, misfits, gradients } = people.causes;
    for (const column of [leverages, leveragesWithout, misfits, gradients])
      expect(column).toHaveLength(rows.length);
    expect(leverages.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(4);
    for (const [i, leverage] of leverages.entries())
      expect(leveragesWithout[i]).toBeCloseTo(leverage / (1 - leverage), 9);
    // What everybody may say of herself without the table is never below what it was in the very table.
    const made = await engine.report(release, undefined, {});
    const own = engine.personalLoss(made, { age: rows[5]?.age, sex: rows[5]?.sex, pay: rows[5]?.pay });
    expect(own.whatever.upper).toBeLessThanOrEqual(own.promised.upper);
    expect(people.losses[5] as number).toBeLessThanOrEqual(own.whatever.upper * 1.07);
  });

  test("Rényi divergences come with an order, and orders that none has are refused", async () => {
    const release = await engine.fit(linearTable, linear({ name: "ada-ssp" }));
    const { renyi, ...others } = await engine.personalLosses(release, linearTable, { order: 3 });
    expect(await engine.personalLosses(release, linearTable)).toEqual(others);
    const { divergences, moments, promised, largest, order, failure } = renyi ?? expect.fail("nothing told");
    expect(divergences).toHaveLength(rows.length);
    expect(order).toBe(3);
    expect(failure).toBe(0);
    expect(largest).toBe(Math.max(...divergences));
    expect(largest).toBeLessThanOrEqual(promised);
    for (let power = 1; power <= 4; ++power) {
      const mean = divergences.reduce((sum, value) => sum + value ** power, 0) / rows.length;
      expect((moments[power - 1] as number) / mean).toBeCloseTo(1, 12);
    }
    // Its count of the rows may be too small.
    const failing = await engine.fit(
      linearTable,
      linear({ name: "posterior-sampling", lambda: 20, rows: 300 }),
    );
    const told =
      (await engine.personalLosses(failing, linearTable, { order: 3 })).renyi ?? expect.fail("nothing told");
    expect(told.failure).toBeGreaterThan(0);
    expect(told.failure).toBeLessThan(1e-15);
    expect(told.moments.every(Number.isFinite)).toBe(true);
    for (const bad of [1, 0, -2, 1e7, Number.NaN])
      await expect(engine.personalLosses(release, linearTable, { order: bad })).rejects.toThrow("order");
  });

  test("what came out told of each row comes with a failure, and is what is told of it alone", async () => {
    const fits = [
      { release: logistic, data: logisticTable, wrong: 1e-3 },
      // What noise on sums told is known.
      { release: await engine.fit(linearTable, linear({ name: "ada-ssp" })), data: linearTable, wrong: 0 },
      {
        release: await engine.fit(linearTable, linear({ name: "covariance-laplace" }, 0)),
        data: linearTable,
        wrong: 0,
      },
    ];
    for (const { release, data, wrong } of fits) {
      const { realised, ...others } = await engine.personalLosses(release, data, { failure: 1e-3 });
      expect(await engine.personalLosses(release, data)).toEqual(others);
      const { lower, upper, failure, median, ninetieth, largest } = realised ?? expect.fail("nothing told");
      expect(failure).toBe(wrong);
      if (wrong === 0) for (const [i, least] of lower.entries()) expect(upper[i]).toBeCloseTo(least, 6);
      const sizes = lower.map((least, i) => Math.max(Math.abs(least), Math.abs(upper[i] as number)));
      expect(sizes).toHaveLength(rows.length);
      expect(largest).toBe(Math.max(...sizes));
      const sorted = sizes.slice().sort();
      expect(ninetieth).toBe(sorted[269]);
      expect(median).toBe(sorted[149]);
      for (const i of [0, 5, 299]) {
        const { high, pay: paid, ...features } = rows[i] as (typeof rows)[number];
        const own = data === logisticTable ? { ...features, high } : { ...features, pay: paid };
        const known = await engine.knownLoss(release, data, own, { failure: 1e-3 });
        expect(known.realised).toMatchObject({ lower: lower[i], upper: upper[i], failure: wrong });
      }
      const rarer = await engine.personalLosses(release, data, { failure: 1e-9 });
      const rarest = rarer.realised?.largest;
      if (wrong > 0) expect(rarest).toBeGreaterThan(largest);
      else expect(rarest).toBe(largest);
      for (const bad of [0, 0.6, -1, 1, Number.NaN, "0.1"])
        await expect(engine.personalLosses(release, data, { failure: bad as number })).rejects.toMatchObject({
          field: "failure",
        });
    }
    // No law is known of what came out.
    const sketch = await engine.fit(linearTable, linear({ name: "linear-mixing" }));
    expect(await engine.personalLosses(sketch, linearTable, { failure: 1e-3 })).toEqual(
      await engine.personalLosses(sketch, linearTable),
    );
  });

  test("one row's own loss is that of all rows told exactly, and never below what joining it costs by refits", async () => {
    for (const request of LINEAR) {
      const release = await engine.fit(linearTable, request);
      const { losses, promised } = await engine.personalLosses(release, linearTable);
      for (const i of [0, 5, 299]) {
        const { high: _, ...row } = rows[i] as (typeof rows)[number];
        const own = await engine.knownLoss(release, linearTable, row);
        expect(own.confidential).toBe(true);
        expect(own.realised).toBeUndefined();
        expect(own.promised.upper).toBe(promised);
        expect(own.whatever.upper).toBeLessThanOrEqual((losses[i] as number) * (1 + 1e-6));
        expect(own.whatever.upper).toBeGreaterThanOrEqual((losses[i] as number) / 1.07);
        expect(engine.epsilon(own.description, own.delta).upper / own.whatever.upper).toBeCloseTo(1, 4);
        // Whoever leaves and comes back pays the same.
        const others = linearTable.split("\n").filter((_, line) => line !== i + 1);
        const back = await engine.knownLoss(release, others.join("\n"), row, { member: false });
        expect(back.whatever.upper / own.whatever.upper).toBeCloseTo(1, 4);
      }
    }
  });

  test("every row's own loss is that of all rows where the minimum is perturbed, whatever the loss and λ", async () => {
    const cases = [
      { loss: "logistic", lambda: 1 },
      { loss: "logistic", lambda: 20 },
      { loss: "logistic", lambda: 200 },
      { loss: "huber", lambda: 5, threshold: 10 },
      { loss: "squared", lambda: 5 },
    ];
    for (const { loss, lambda, ...more } of cases) {
      const isLogistic = loss === "logistic";
      const algorithm = { name: "output-perturbation", loss, lambda, ...more };
      const request = isLogistic ? { ...LOGISTIC, algorithm } : linear(algorithm);
      const data = isLogistic ? logisticTable : linearTable;
      const release = await engine.fit(data, request);
      const { losses, promised } = await engine.personalLosses(release, data);
      expect(Math.max(...losses)).toBeLessThanOrEqual(promised);
      for (let i = 0; i < rows.length; i += 23) {
        const { high, pay: paid, ...row } = rows[i] as (typeof rows)[number];
        const own = await engine.knownLoss(
          release,
          data,
          isLogistic ? { ...row, high } : { ...row, pay: paid },
        );
        expect(losses[i] as number).toBeGreaterThanOrEqual(own.whatever.upper * (1 - 1e-6));
        // A level is at most 2^(1/16) above, the move a 64th.
        const { sensitivity = 0 } = own.description as { readonly sensitivity?: number };
        const grown = { ...own.description, sensitivity: sensitivity * 2 ** (1 / 16) * (1 + 1 / 64) };
        expect(losses[i] as number).toBeLessThanOrEqual(engine.epsilon(grown, own.delta).upper * (1 + 1e-9));
      }
    }
  });

  test("what came out told about somebody is told by the table closer than by a report, in both directions", async () => {
    const row = { age: 18.3, sex: "f", high: "yes" };
    const joining = await engine.knownLoss(logistic, logisticTable, row, { member: false, failure: 1e-6 });
    const { age, sex, high } = rows[7] as (typeof rows)[number];
    const leaving = await engine.knownLoss(logistic, logisticTable, { age, sex, high }, { failure: 1e-6 });
    for (const [known, told] of [
      [joining, engine.personalLoss(report, row, false)],
      [leaving, engine.personalLoss(report, { age, sex, high })],
    ] as const) {
      const { lower, upper, failure } = known.realised ?? expect.fail("nothing told");
      expect(failure).toBe(1e-6);
      expect(upper - lower).toBeLessThan(0.01);
      expect(lower).toBeGreaterThan(told.realised?.lower as number);
      expect(upper).toBeLessThan(told.realised?.upper as number);
      expect(known.whatever.upper).toBeLessThanOrEqual(told.whatever.upper);
    }
    await expect(engine.knownLoss(logistic, logisticTable, row)).rejects.toMatchObject({ field: "row" });
    for (const failure of [0, 0.7, Number.NaN])
      await expect(
        engine.knownLoss(logistic, logisticTable, row, { member: false, failure }),
      ).rejects.toMatchObject({ field: "failure" });
  });

  test("a person's several rows cost more than each, and no more than the price for so many", async () => {
    const own = async (name: string, picked: readonly number[], more: object = {}) => {
      const request = linear({ name, ...more });
      const several = { ...request, table: { ...request.table, unit: { protects: "person", rows: 2 } } };
      const release = await engine.fit(linearTable, several);
      const given = picked.map((i) => rows[i] as (typeof rows)[number]);
      return engine.knownLoss(
        release,
        linearTable,
        given.map(({ age, sex, pay }) => ({ age, sex, pay })),
      );
    };
    for (const name of ["ada-ssp", "covariance-laplace"]) {
      const both = await own(name, [0, 5]);
      for (const i of [0, 5]) expect((await own(name, [i])).whatever.upper).toBeLessThan(both.whatever.upper);
      expect(both.whatever.upper).toBeLessThanOrEqual(both.promised.upper);
      await expect(own(name, [0, 5, 7])).rejects.toMatchObject({ field: "row" });
      await expect(own(name, [])).rejects.toMatchObject({ field: "row" });
    }
    // Where they do not add up.
    await expect(own("posterior-sampling", [0, 5], { lambda: 20, rows: 300 })).rejects.toBeInstanceOf(
      Refusal,
    );
  });

  test("every row of persons with several is refused by name", async () => {
    const request = linear({ name: "ada-ssp" });
    const several = { ...request, table: { ...request.table, unit: { protects: "person", rows: 2 } } };
    const release = await engine.fit(linearTable, several);
    await expect(engine.personalLosses(release, linearTable)).rejects.toThrow("table.unit.rows");
    await expect(engine.report(release, undefined, {})).rejects.toThrow("table.unit.rows");
  });
});

describe("the report", () => {
  const row = { age: 70, sex: "f", high: "no" };

  test("says of the worst record what it costs, and what came out told at most, in both directions", () => {
    const inside = engine.personalLoss(report, row);
    const outside = engine.personalLoss(report, row, false);
    expect(inside.private).toBe(false);
    expect(inside.whatever.upper).toBeLessThanOrEqual(inside.promised.upper);
    expect(inside.realised?.failure).toBe(1e-6);
    for (const told of [inside, outside]) {
      const { lower, upper, size, leverage, misfit } = told.realised ?? expect.fail("nothing told");
      expect(lower).toBeLessThan(upper);
      expect(size).toBeCloseTo(Math.max(-lower, upper), 12);
      expect(leverage).toBeGreaterThan(0);
      expect(misfit).toBeGreaterThan(0);
    }
  });

  describe("holds nothing of any row", () => {
    const RELEASED = /^(coefficients|whitening\.gram)\.\d+$|^whitening\.rows$|^fingerprint$/;
    const perturbed = {
      ...LOGISTIC,
      algorithm: { name: "output-perturbation", loss: "logistic", lambda: 5 },
    };
    const whitened = { ...LOGISTIC, algorithm: { ...LOGISTIC.algorithm, whiten: 0.3 } };
    const requests = [LOGISTIC, perturbed, whitened, ...LINEAR];

    /** The paths at which two values differ. */
    const differing = (a: unknown, b: unknown, path = ""): string[] => {
      if (typeof a !== "object" || typeof b !== "object" || !a || !b) return Object.is(a, b) ? [] : [path];
      const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
      return [...keys].flatMap((key) =>
        differing(Reflect.get(a, key), Reflect.get(b, key), path === "" ? key : `${path}.${key}`),
      );
    };
    /** Every number in it. */
    const numbersIn = (value: unknown): number[] =>
      typeof value === "number"
        ? [value]
        : typeof value === "object" && value !== null
          ? (ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : Object.values(value)).flatMap(
              numbersIn,
            )
          : [];
    /** Numbers of the report that are no number of the release. */
    const foreign = (made: object, release: Release) => {
      const { coefficients: _, ...told } = release;
      const known = new Set(numbersIn([told, { failure: 1e-6 }]));
      return numbersIn(made).filter((number) => !known.has(number));
    };

    test.each(requests)("in neighbouring tables, by $algorithm", async (request) => {
      const table = request.table.label === pay ? linearTable : logisticTable;
      const without = table.split("\n").filter((_, line) => line !== 6);
      const other = [...without.slice(0, 6), table.split("\n")[200], ...without.slice(6)];
      const [first, ...neighbours] = await Promise.all(
        [table, without.join("\n"), other.join("\n")].map(async (text) => {
          const release = await engine.fit(text, request);
          return { text, release, report: await engine.report(release, undefined, {}) };
        }),
      );
      if (!first) throw new Error("nothing made");
      expect(foreign(first.report, first.release)).toEqual([]);
      for (const { release, report } of neighbours) {
        const paths = differing(first.report, report);
        expect(paths.filter((path) => !RELEASED.test(path))).toEqual([]);
        // There is something to find: the tables are not the same.
        expect(paths.some((path) => path.startsWith("coefficients"))).toBe(true);
        expect(foreign(report, release)).toEqual([]);
      }
    });

    test("a report that told anything of the table would be noticed", async () => {
      const fewer = logisticTable
        .split("\n")
        .filter((_, line) => line !== 6)
        .join("\n");
      const other = await engine.fit(fewer, LOGISTIC);
      const leaking = async (release: Release, text: string) => {
        const made = await engine.report(release, undefined, {});
        const rows = text.trim().split("\n").length - 1;
        return { ...made, price: { ...made.price, epsilon: made.price.epsilon * (1 + 1e-9 * rows) }, rows };
      };
      const [one, two] = [await leaking(logistic, logisticTable), await leaking(other, fewer)];
      expect(differing(one, two).filter((path) => !RELEASED.test(path))).toEqual(["price.epsilon", "rows"]);
      expect(foreign(one, logistic)).toEqual([one.price.epsilon, 300]);
    });
  });

  test("holds the noise that was found, where it is the same plan; parameters that were changed are not believed", async () => {
    expect(logistic.request.budget.epsilon).toBe(1);
    expect(report.request.budget).toEqual({ epsilon: undefined, delta: 1e-5 });
    expect(report.request.algorithm).toMatchObject({
      sigma: logistic.parameters.sigma,
      lambda: logistic.parameters.lambda,
    });
    expect(engine.plan({ ...report.request }).description).toEqual(logistic.description);
    const changed = { ...logistic, parameters: { ...logistic.parameters, sigma: 100 } };
    const slow = await engine.report(changed, undefined, {});
    expect(slow.request).toEqual(logistic.request);
    expect(engine.personalLoss(slow, row)).toEqual(engine.personalLoss(report, row));
  });

  test("a promise for all rows of a table is one for each with her share of the failure", async () => {
    const output = { name: "output-perturbation", loss: "logistic", lambda: 5 };
    const payer = { age: rows[5]?.age, sex: rows[5]?.sex, pay: rows[5]?.pay };
    const fits = [
      { release: logistic, of: row },
      { release: await engine.fit(linearTable, linear({ name: "ada-ssp" })), of: payer },
      { release: await engine.fit(logisticTable, { ...LOGISTIC, algorithm: output }), of: row },
    ];
    for (const { release, of } of fits) {
      const sizeOf = async (promise: object) =>
        engine.personalLoss(await engine.report(release, undefined, promise), of).realised?.size;
      const all = await sizeOf({ failure: 1e-3, audience: "rows", rows: 10_000 });
      expect((all as number) / ((await sizeOf({ failure: 1e-7 })) as number)).toBeCloseTo(1, 9);
      expect(all).toBeGreaterThan((await sizeOf({ failure: 1e-3 })) as number);
    }
  });

  test("what holds for anybody, chosen afterwards too, is larger; of a hidden minimum it is refused", async () => {
    const output = { name: "output-perturbation", loss: "logistic", lambda: 5 };
    const payer = { age: rows[5]?.age, sex: rows[5]?.sex, pay: rows[5]?.pay };
    const fits = [
      // Sums of 10 products and 4 of features and label; 4 coefficients.
      { release: await engine.fit(linearTable, linear({ name: "ada-ssp" })), of: payer, numbers: 14 },
      { release: await engine.fit(logisticTable, { ...LOGISTIC, algorithm: output }), of: row, numbers: 4 },
    ];
    for (const { release, of, numbers } of fits) {
      const read = async (promise: object) =>
        engine.personalLoss(await engine.report(release, undefined, promise), of);
      const [all, one] = [await read({ audience: "anybody" }), await read({})];
      expect(all.whatever).toEqual(one.whatever);
      const size = ({ realised }: PersonalLoss) => realised?.size ?? expect.fail("nothing told");
      // Of one person 4.89 deviations of the noise in one direction, of anybody its length.
      const ratio = (Math.sqrt(numbers) + 4.7535) / 4.8917;
      expect(size(all)).toBeGreaterThan(size(one));
      expect(size(all)).toBeLessThan(size(one) * ratio * 1.001);
    }
    const refused = await engine.report(logistic, undefined, { audience: "anybody" }).catch((error) => error);
    expect(refused).toBeInstanceOf(Refusal);
    expect(refused).toMatchObject({ kind: "unsupported", field: "audience", value: "anybody" });
  });

  test.each([
    ["no report", {}, "format"],
    ["another version", { ...report, format: "epsilometer-privacy-report-2" }, "format"],
    [
      "other coefficients",
      { ...report, coefficients: report.coefficients.map((one) => one / 2) },
      "fingerprint",
    ],
    ["another price", { ...report, price: { ...report.price, epsilon: 0.5 } }, "fingerprint"],
    ["another failure", { ...report, promise: { ...report.promise, failure: 0.4 } }, "fingerprint"],
    ["a key more", { ...report, extra: 1 }, "extra"],
    ["NaN", { ...report, coefficients: [Number.NaN] }, "coefficients.0"],
    ["a text", "report", "format"],
    ["nothing", null, "format"],
  ])("is refused by name: %s", (_, changed, field) => {
    expect(refusalOf(() => engine.personalLoss(changed, row)).field).toBe(field);
  });

  test.each([
    ["a value too few", { age: 30, sex: "f" }, "row.high"],
    ["a value too many", { ...row, name: "x" }, "row.name"],
    ["no number", { ...row, age: "old" }, "row.age"],
    ["neither class", { ...row, high: "maybe" }, "row.high"],
    ["an object", { ...row, age: {} }, "row.age"],
    ["NaN", { ...row, age: Number.NaN }, "row.age"],
    ["a list", [30, "f", "no"], "row"],
  ])("refuses a row by the name of the column: %s", (_, given, field) => {
    expect(refusalOf(() => engine.personalLoss(report, given)).field).toBe(field);
  });

  test.each([
    ["no coefficients", { coefficients: [] }, "coefficients"],
    ["coefficients of another table", { coefficients: [1, 2] }, "coefficients"],
    ["noise without what it hides", { noise: { gradient: 1, hessian: 1 } }, "gradient"],
    [
      "a triangle of another size",
      { noise: { gradient: 1, hessian: 1 }, material: { gradient: [1, 2, 3, 4], hessian: [1] } },
      "hessian",
    ],
  ])("what does not fit together is refused by name, though sealed: %s", async (_, change, field) => {
    const { fingerprint, ...rest } = report;
    expect(fingerprint).toHaveLength(16);
    const changed = sealed({ ...rest, ...change } as typeof rest);
    expect(refusalOf(() => engine.personalLoss(changed, row)).field).toBe(field);
  });

  const { request, price, promise } = report;
  const algorithm = (changed: object) => ({
    request: { ...request, algorithm: { ...request.algorithm, ...changed } },
  });
  const sigma = "sigma" in request.algorithm ? Number(request.algorithm.sigma) : Number.NaN;
  test.each([
    ["a lower price", { price: { ...price, epsilon: 0.1 } }, "price.epsilon"],
    ["a hardly lower price", { price: { ...price, epsilon: 0.999 * price.epsilon } }, "price.epsilon"],
    ["a higher price", { price: { ...price, epsilon: 1.001 * price.epsilon } }, "price.epsilon"],
    ["more noise than was paid for", algorithm({ sigma: 1.01 * sigma }), "price.epsilon"],
    ["shorter rows", { request: { ...request, table: { ...request.table, rowNorm: 0.5 } } }, "price.epsilon"],
    ["a price at another δ", { price: { ...price, delta: 1e-9 } }, "price.delta"],
    ["another δ", { request: { ...request, budget: { delta: 1e-3 } } }, "price.delta"],
    ["a price for replaced rows", { price: { ...price, neighbours: "replace" } }, "price.neighbours"],
    ["a demonstration as if it were private", { private: true }, "private"],
    ["all rows, and not how many", { promise: { ...promise, audience: "rows" } }, "promise.rows"],
    ["rows beside one person", { promise: { ...promise, rows: 5 } }, "promise.rows"],
  ])(
    "what was changed in one place and stands in another, sealed again, is refused: %s",
    (_, change, field) => {
      const { fingerprint, ...rest } = report;
      expect(engine.personalLoss(sealed(rest), row)).toEqual(engine.personalLoss(report, row));
      const changed = sealed({ ...rest, ...change } as typeof rest);
      expect(refusalOf(() => engine.personalLoss(changed, row)).field).toBe(field);
      expect(changed.fingerprint).not.toBe(fingerprint);
    },
  );

  test("the price of another version, whose interval is a little wider, is taken", () => {
    const { fingerprint: _, ...rest } = report;
    const wider = sealed({ ...rest, price: { ...price, epsilon: price.epsilon * (1 + 5e-5) } });
    expect(engine.personalLoss(wider, row)).toEqual(engine.personalLoss(report, row));
  });

  test.each([
    ["rows without the audience", { rows: 5 }, "rows"],
    ["the audience without rows", { audience: "rows" }, "rows"],
    ["certainty", { failure: 0 }, "failure"],
    ["noise without a table", { noise: { gradient: 1, hessian: 1 } }, "table"],
  ])("a request is refused by name: %s", async (_, request, field) => {
    const refused = await engine.report(logistic, undefined, request).catch((error) => error);
    expect(refused).toBeInstanceOf(Refusal);
    expect(refused.field).toBe(field);
  });
});

describe("noise that no grid has room for is refused as it was asked", () => {
  const usual = { gradient: 3, hessian: 3, eigenvalue: 3 };

  test.each(["gradient", "hessian", "eigenvalue"])("%s", async (name) => {
    const made = (width: number) =>
      engine.report(logistic, logisticTable, { noise: { ...usual, [name]: width }, seed: 1 });
    for (const width of [1e90, 1e15, 1e-9, 1e-90]) {
      const refused = await made(width).catch((error) => error);
      expect(refused).toBeInstanceOf(Refusal);
      expect([refused.kind, refused.field, Number(refused.value)]).toEqual(["range", `noise.${name}`, width]);
    }
    for (const width of [1e12, 1e-6]) expect((await made(width)).noise).toMatchObject({ [name]: width });
  });

  test("and so is a share that would need it", () => {
    const budgeted = { ...LOGISTIC, budget: { epsilon: 1, delta: 1e-5 } };
    const offered = (share: number) =>
      engine.shareReport(budgeted, { share, person: { rows: 10, wrong: 0.3 }, eigenvalue: true });
    for (const share of [1e-300, 1e-100, 1e-30]) {
      const refused = refusalOf(() => offered(share));
      expect([refused.kind, refused.field, Number(refused.value)]).toEqual(["range", "share", share]);
      // What it says would do, does.
      const least = Number(/at least (\S+) /.exec(refused.rule)?.[1]);
      expect(offered(least).share).toBe(least);
    }
    expect(offered(0).report).toHaveProperty("noise", {});
  });
});

describe("the report on a whitened fit", async () => {
  const algorithm = { name: "approximate-minima-perturbation", loss: "logistic", whiten: 0.3 };
  const whitened = await engine.fit(logisticTable, { ...LOGISTIC, algorithm });
  const made = await engine.report(whitened, undefined, { failure: 1e-3 });
  const person = { age: 70, sex: "f", high: "no" };
  const { whitening, fingerprint: _, ...rest } = made;
  if (!whitening) throw new Error("holds no matrix");

  test("holds the matrix as it was released, and nothing else of any row", () => {
    expect(whitening.gram).toEqual([...(whitened.outputs.find(({ name }) => name === "gram")?.values ?? [])]);
    expect(whitening.gramSigma).toBe(whitened.parameters.gramSigma);
    expect(Object.keys(made).filter((key) => !(key in report) || key === "whitening")).toEqual(["whitening"]);
    expect(report).toHaveProperty("whitening", undefined);
  });

  test("says what came out told, in both directions, after it was written and read, and to whoever has the table", async () => {
    const again = JSON.parse(toJson(made));
    for (const isMember of [true, false]) {
      const told = engine.personalLoss(again, person, isMember);
      const { lower, upper, size, leverage, misfit, material } = told.realised ?? expect.fail("nothing told");
      expect(told).toEqual(engine.personalLoss(made, person, isMember));
      expect(size).toBe(Math.max(-lower, upper));
      expect(leverage + misfit + material).toBeCloseTo(size, 12);
      for (const part of [leverage, misfit, material]) expect(part).toBeGreaterThan(0);
      expect(size).toBeLessThan(5);
    }
    const known = await engine.knownLoss(whitened, logisticTable, person, { member: false, failure: 1e-3 });
    expect(known.realised).toEqual(engine.personalLoss(made, person, false).realised);
  });

  test("takes a gradient and a Hessian of the whitened rows, and tells more by them", async () => {
    const noise = { gradient: 0.02, hessian: 0.02, eigenvalue: 0.02 };
    const closer = await engine.report(whitened, logisticTable, { failure: 1e-3, noise, seed: 3 });
    expect(closer.whitening).toEqual(whitening);
    expect(closer.material.gradient).toHaveLength(4);
    expect(closer.material.hessian).toHaveLength(10);
    expect(closer.price.epsilon).toBeGreaterThan(made.price.epsilon);
    const [free, told] = [made, JSON.parse(toJson(closer))].map((one) => engine.personalLoss(one, person));
    expect(told?.promised.upper).toBeCloseTo(closer.price.epsilon, 12);
    expect(told?.whatever.upper).toBeGreaterThan(free?.whatever.upper as number);
    const { material, leverage, misfit } = told?.realised ?? expect.fail("nothing told");
    expect(leverage + misfit).toBeLessThan(
      (free?.realised?.leverage as number) + (free?.realised?.misfit as number),
    );
    expect(material).toBeGreaterThan(free?.realised?.material as number);
  });

  test("a promise for all rows is one for each with her share of the failure, matrix included", async () => {
    const all = await engine.report(whitened, undefined, { failure: 1e-3, audience: "rows", rows: 10_000 });
    const each = await engine.report(whitened, undefined, { failure: 1e-7 });
    const [together, alone] = [all, each].map((one) => engine.personalLoss(one, person).realised?.size);
    expect((together as number) / (alone as number)).toBeCloseTo(1, 9);
    expect(together).toBeGreaterThan(engine.personalLoss(made, person).realised?.size as number);
  });

  test.each([
    [
      "another matrix, not sealed again",
      { whitening: { ...whitening, gram: whitening.gram.map((g) => 2 * g) } },
      false,
      "fingerprint",
    ],
    ["a triangle of another size", { whitening: { ...whitening, gram: [1, 2, 3] } }, true, "whitening.gram"],
    [
      "entries that no matrix has",
      { whitening: { ...whitening, gram: whitening.gram.map(() => 1e200) } },
      true,
      "whitening.gram",
    ],
    ["no row at all", { whitening: { ...whitening, rows: 0 } }, true, "whitening.rows"],
    [
      "less noise of the model",
      { whitening: { ...whitening, sigma: 0.8 * whitening.sigma } },
      true,
      "whitening.sigma",
    ],
    [
      "less noise of the matrix",
      { whitening: { ...whitening, gramSigma: 0.8 * whitening.gramSigma } },
      true,
      "whitening.gramSigma",
    ],
    [
      "another lambda",
      { whitening: { ...whitening, lambda: 0.8 * whitening.lambda } },
      true,
      "whitening.lambda",
    ],
    ["a text", { whitening: "none" }, true, "whitening"],
    ["a key more", { whitening: { ...whitening, row: 1 } }, true, "whitening.row"],
    [
      "a gradient of another size",
      { noise: { gradient: 1, hessian: 1 }, material: { gradient: [1], hessian: Array(10).fill(1) } },
      true,
      "gradient",
    ],
  ])("what was tampered with is refused by name: %s", (_, change, isSealed, field) => {
    const changed = { ...rest, whitening, ...change } as Parameters<typeof sealed>[0];
    const value = isSealed ? sealed(changed) : { ...made, ...change };
    expect(refusalOf(() => engine.personalLoss(value, person)).field).toBe(field);
  });

  test("a matrix beside rows as they are is refused, and a report without one tells one's own price only", () => {
    const { fingerprint: _, ...plain } = report;
    const foreign = sealed({ ...plain, whitening });
    expect(refusalOf(() => engine.personalLoss(foreign, person)).field).toBe("whitening");
    const early = engine.personalLoss(sealed({ ...rest, whitening: undefined }), person);
    expect(early.realised).toBeUndefined();
    expect(early.whatever).toEqual(engine.personalLoss(made, person).whatever);
  });

  test("a release without its matrix, or with other noise than its request plans, gets no report", async () => {
    const without = whitened.outputs.filter(({ name }) => name !== "gram");
    const refused = async (release: Release) => engine.report(release, undefined, {}).catch((error) => error);
    expect((await refused({ ...whitened, outputs: without })).field).toBe("release.gram");
    const parameters = { ...whitened.parameters, gramSigma: 2 };
    expect((await refused({ ...whitened, parameters })).field).toBe("whitening.gramSigma");
  });
});

test("where only the last of many steps is published, nothing is said of what came out", async () => {
  const request = { ...LOGISTIC, algorithm: { name: "dp-sgd", loss: "logistic", rows: 300 } };
  const release = await engine.fit(logisticTable, request);
  const told = engine.personalLoss(await engine.report(release, undefined, {}), {
    age: 70,
    sex: "f",
    high: "no",
  });
  expect(told.realised).toBeUndefined();
  expect(told.whatever.upper).toBeLessThanOrEqual(told.promised.upper);
});

describe("the path of a descent", () => {
  const along = (more: object) => {
    const algorithm = { name: "dp-sgd", loss: "logistic", rows: 300, steps: 20, noiseMultiplier: 9, ...more };
    return { ...LOGISTIC, algorithm, budget: { delta: 1e-5 } };
  };

  test.each([{ rate: 1 }, { rate: 0.25 }])("with it each row is told what it paid: %j", async (more) => {
    const release = await engine.fit(logisticTable, along({ ...more, path: "released" }));
    expect(release.persons.rows).toBe(true);
    const path = release.outputs.find(({ kind }) => kind === "path");
    expect(path?.shape).toEqual([20, 4]);
    const { losses, promised } = await engine.personalLosses(release, logisticTable);
    expect(losses).toHaveLength(300);
    expect(Math.min(...losses)).toBeGreaterThan(0);
    expect(Math.min(...losses)).toBeLessThan(0.9 * promised);
    expect(Math.max(...losses)).toBeLessThanOrEqual(promised);
  });

  test("without it nobody is", async () => {
    const release = await engine.fit(logisticTable, along({}));
    expect(release.persons.rows).toBe(false);
    const refused = await engine.personalLosses(release, logisticTable).catch((error: unknown) => error);
    expect(refused).toMatchObject({ kind: "unsupported", field: "path", value: "hidden" });
  });
});

test("what one row cost is refused by the algorithm's name where it has no rule", async () => {
  const algorithm = { name: "output-perturbation-by-curvature", lambda: 30 };
  const release = await engine.fit(logisticTable, { ...LOGISTIC, algorithm });
  const refused = await engine.personalLosses(release, logisticTable).catch((error: unknown) => error);
  expect(refused).toMatchObject({ field: "algorithm", value: algorithm.name });
  const printed = { ...LOGISTIC, algorithm: { ...algorithm, accounting: "paper" } };
  expect(refusalOf(() => engine.plan(printed)).field).toBe("algorithm.accounting");
});

test("what is published beside a model has its price, within the budget of both, and buys a tighter model's part", async () => {
  const offer = engine.shareReport(LOGISTIC, { share: 0.3, person: { rows: 300, wrong: 0.3 } });
  expect(offer.epsilon.upper).toBeLessThanOrEqual(1);
  const release = await engine.fit(logisticTable, offer.request);
  const made = await engine.report(release, logisticTable, { ...(offer.report as object), seed: 3 });
  expect(made.price.epsilon).toBeLessThanOrEqual(1);
  expect(made.price.epsilon).toBeGreaterThan(release.epsilon.upper);
  expect(made.material.gradient).toHaveLength(made.coefficients.length);
  const row = { age: 30, sex: "f", high: "no" };
  const told = engine.personalLoss(made, row);
  expect(told.realised?.material).toBeGreaterThan(0);
  // What is published besides costs her too.
  const free = engine.personalLoss(await engine.report(release, undefined, {}), row);
  expect(told.whatever.upper).toBeGreaterThan(free.whatever.upper * 1.05);
  expect(told.whatever.upper).toBeLessThanOrEqual(told.promised.upper);
  const again = await engine.report(release, logisticTable, { ...(offer.report as object), seed: 4 });
  expect(again.material.gradient).not.toEqual(made.material.gradient);
});

test("a report of which nothing could state a price is refused before it is made", async () => {
  const algorithm = {
    name: "johnson-lindenstrauss",
    sigma: 10,
    sketchSize: 30,
    failure: 1e-6,
    eigenvalueNoise: 20,
  };
  const release = await engine.fit(linearTable, { ...linear(algorithm), budget: { delta: 1e-6 } });
  // The test of the sketch may fail with all of that probability.
  expect(release.epsilon.upper).toBe(Number.POSITIVE_INFINITY);
  await expect(engine.report(release, undefined, { failure: 1e-3 })).rejects.toMatchObject({
    kind: "range",
    field: "release.request.budget.delta",
  });
});

describe("whatever report is made can be read, and what nobody could read is refused before the table is touched", () => {
  const NOISES = [{}, { gradient: 3 }, { hessian: 3 }, { gradient: 3, hessian: 3 }, { eigenvalue: 3 }];
  const minima = (algorithm: object, values = logisticTable, label: object = classes) =>
    [{ whiten: 0 }, { whiten: 0.15 }].map(
      (whiten) =>
        [
          values,
          {
            ...LOGISTIC,
            table: { ...table, label },
            algorithm: { ...LOGISTIC.algorithm, ...algorithm, ...whiten },
          },
        ] as const,
    );
  const cases = [
    ...minima({}),
    ...minima({ gradientBound: 0.5 }),
    ...minima({ loss: "huber", threshold: 0.5 }, linearTable, pay),
    ...minima({ loss: "squared", gradientBound: 0.5 }, linearTable, pay),
    [
      logisticTable,
      { ...LOGISTIC, algorithm: { name: "output-perturbation", loss: "logistic", lambda: 30 } },
    ] as const,
    ...LINEAR.map((request) => [linearTable, request] as const),
  ].map(([values, request]) => ({ values, request, algorithm: JSON.stringify(request.algorithm) }));
  test.each(cases)("$algorithm", async ({ values, request }) => {
    const release = await engine.fit(values, request);
    for (const noise of NOISES)
      for (const audience of ["one", "anybody"] as const) {
        const isFree = Object.keys(noise).length === 0;
        const asked = { noise, audience, ...(isFree ? {} : { seed: 3 }) };
        const made = await engine
          .report(release, isFree ? undefined : values, asked)
          .catch((error: unknown) => {
            if (error instanceof Refusal) return undefined;
            throw error;
          });
        if (!made) continue;
        const label = values === logisticTable ? { high: "no" } : { pay: 30 };
        expect(engine.personalLoss(made, { age: 30, sex: "f", ...label }).promised.upper).toBeLessThan(
          Number.POSITIVE_INFINITY,
        );
      }
  });
});
