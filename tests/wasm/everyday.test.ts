/** Everyday numbers of a table by one request: what is told with hardly any noise, what it costs, what is refused. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answer } from "../../wasm/batch.ts";
import { SeededRandom } from "../../wasm/engine/seeded-random.ts";
import {
  type Engine,
  type EverydayPlan,
  type EverydayRelease,
  type EverydayResult,
  open,
  Refusal,
} from "../../wasm/engine.ts";
import { PLAIN } from "../../wasm/release/fit-request.ts";
import { statisticsCsv } from "../../web/src/share/statistics-csv.ts";
import { answer as printed } from "./run.ts";
import { categorical, numeric } from "./table/support.ts";

const engine: Engine = await open();

const AGES = Array.from({ length: 600 }, (_, i) => 20 + ((i * 37) % 50));
const INCOMES = AGES.map((age, i) => 1000 * age + 20_000 * Math.sin(i));
const TOWNS = AGES.map((_, i) => ["Aalen", "Bonn", "Celle"][i % 3] as string);
const csv = `age,income,town\n${AGES.map((age, i) => `${age},${INCOMES[i]},${TOWNS[i]}`).join("\n")}\nnobody,5,Bonn\n30,7,\n`;

const table = (rows = 1) => ({
  unit: { protects: "person", rows },
  columns: [
    numeric("age", [0, 100]),
    numeric("income", [-50_000, 150_000]),
    categorical("town", ["Aalen", "Bonn"]),
  ],
});

const request = (releases: readonly object[], more: object = { budget: { epsilon: 1, delta: 1e-6 } }) => ({
  table: table(),
  releases,
  ...more,
});

/** Hardly any noise: 1/μ for all of them together. */
const loud = { noise: 1e-5, budget: { delta: 1e-6 }, seed: 3 };

async function told<Of extends EverydayResult["of"]>(
  of: Of,
  entry: object,
  others: readonly object[] = [],
): Promise<Extract<EverydayResult, { of: Of }>> {
  const release = (await engine.fit(
    csv,
    request([{ of, ...entry }, ...others], loud) as never,
  )) as EverydayRelease;
  return release.results[0] as Extract<EverydayResult, { of: Of }>;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const covariance = (one: readonly number[], other: readonly number[]) =>
  mean(one.map((value, i) => (value - mean(one)) * ((other[i] as number) - mean(other))));

/** The last row, which has no town, counts where only numbers are asked for. */
const ages = [...AGES, 30];
const incomes = [...INCOMES, 7];

test.each([
  [{ of: "count" }],
  [{ of: "means", columns: ["age"] }],
  [{ of: "histogram", column: "age", bins: 5 }],
])("noise is found for budgets as small as it suffices for: %j", (entry) => {
  for (const delta of [1e-4, 1e-6, 1e-9])
    for (const epsilon of [1e-3, 1e-4, 3e-5]) {
      const plan = engine.plan(request([entry], { budget: { epsilon, delta } }) as never) as EverydayPlan;
      expect(plan.epsilon.upper).toBeLessThanOrEqual(epsilon);
      expect(plan.epsilon.upper).toBeGreaterThan(epsilon * (1 - 1e-6));
    }
});

test("moments are those of the rows that have every value, in the units of the table", async () => {
  const both = { columns: ["age", "income"] };
  const means = await told("means", both);
  expect(means.columns.map(({ column }) => column)).toEqual(["age", "income"]);
  expect(means.columns[0]?.value).toBeCloseTo(mean(ages), 2);
  expect((means.columns[1]?.value as number) / mean(incomes)).toBeCloseTo(1, 3);
  const sums = await told("sums", both);
  expect((sums.columns[1]?.value as number) / (601 * mean(incomes))).toBeCloseTo(1, 3);
  const variances = await told("variances", both);
  expect((variances.columns[1]?.value as number) / covariance(incomes, incomes)).toBeCloseTo(1, 3);
  const { matrix, eigenvalues } = await told("covariance", both);
  expect((matrix?.[0]?.[1] as number) / covariance(ages, incomes)).toBeCloseTo(1, 3);
  expect(matrix?.[1]?.[0]).toBe(matrix?.[0]?.[1]);
  const scaled = covariance(ages, ages) / 50 ** 2 + covariance(incomes, incomes) / 100_000 ** 2;
  expect(eigenvalues?.values.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(scaled, 3);
  const correlation = await told("correlation", both);
  const truth = covariance(ages, incomes) / Math.sqrt(covariance(ages, ages) * covariance(incomes, incomes));
  expect(correlation.matrix?.[1]?.[0]).toBeCloseTo(truth, 3);
  expect(correlation.matrix?.[0]?.[0]).toBe(1);
  const { value } = await told("count", {}, [{ of: "means", columns: ["age"] }]);
  expect(value).toBeCloseTo(601, 1);
  expect((await told("count", {})).value).toBeCloseTo(602, 1);
});

test("each number lies in its interval, and so do eigenvalues of the columns that an entry names", async () => {
  const release = (await engine.fit(
    csv,
    request(
      [
        { of: "means", columns: ["age"] },
        { of: "covariance", columns: ["income"] },
        { of: "correlation", columns: ["income", "age"] },
      ],
      loud,
    ) as never,
  )) as EverydayRelease;
  const [means, second, third] = release.results;
  if (means?.of !== "means" || second?.of !== "covariance" || third?.of !== "correlation")
    throw new Error("other results were asked for");
  const [{ value, interval }] = means.columns as [(typeof means.columns)[number]];
  expect(interval?.lower).toBeLessThan(value as number);
  expect(interval?.upper).toBeGreaterThan(value as number);
  expect(interval).toMatchObject({ covers: "table", level: 0.95 });
  const [alone] = second.eigenvalues?.values ?? [];
  expect((alone?.value as number) / (covariance(incomes, incomes) / 100_000 ** 2)).toBeCloseTo(1, 3);
  const truth = covariance(ages, incomes) / Math.sqrt(covariance(ages, ages) * covariance(incomes, incomes));
  const [largest, least] = third.eigenvalues?.values ?? [];
  expect(third.eigenvalues).toMatchObject({ covers: "table", level: 0.95 });
  expect([largest?.value, least?.value].map((one) => one?.toFixed(3))).toEqual([
    (1 + truth).toFixed(3),
    (1 - truth).toFixed(3),
  ]);
  for (const one of [alone, largest, least]) {
    expect(one?.lower).toBeLessThanOrEqual(one?.value as number);
    expect(one?.upper).toBeGreaterThanOrEqual(one?.value as number);
  }
});

test("levels of a category are 0 or 1 among numbers: shares, counts, how they go with each other", async () => {
  // The last row has no town, and counts in none of them; Celle is none of the levels.
  const is = (town: string) => TOWNS.map((one) => Number(one === town));
  const columns = ["town", "age"];
  const means = await told("means", { columns });
  expect(means.columns.map(({ column, level }) => [column, level])).toEqual([
    ["town", "Aalen"],
    ["town", "Bonn"],
    ["age", undefined],
  ]);
  expect(means.columns.map(({ value }) => Math.round(1e3 * (value as number)))).toEqual(
    [mean(is("Aalen")), mean([...is("Bonn")]), mean(AGES)].map((one) => Math.round(1e3 * one)),
  );
  expect(means.columns[1]?.interval).toMatchObject({ covers: "table", level: 0.95 });
  const sums = await told("sums", { columns: ["town"] });
  expect(sums.columns.map(({ value }) => Math.round(value))).toEqual([200, 201]);
  const variances = await told("variances", { columns: ["town"] });
  expect(variances.columns[0]?.value).toBeCloseTo(covariance(is("Aalen"), is("Aalen")), 3);
  const { matrix, columns: names, levels, eigenvalues } = await told("covariance", { columns });
  expect([names, levels]).toEqual([
    ["town", "town", "age"],
    ["Aalen", "Bonn", null],
  ]);
  expect(matrix?.[0]?.[1]).toBeCloseTo(covariance(is("Aalen"), is("Bonn")), 3);
  expect(matrix?.[2]?.[1]).toBeCloseTo(covariance(AGES, is("Bonn")), 1);
  expect(eigenvalues?.values).toHaveLength(3);
  const correlation = await told("correlation", { columns });
  expect(correlation.matrix?.[1]?.[0]).toBeCloseTo(-0.5, 1);
  expect(await told("correlation", { columns: ["age", "income"] })).not.toHaveProperty("levels");
});

/** What is said of a row of so many numbers and categories, each of which has so many levels. */
function planned(
  numbers: number,
  levels: readonly number[],
  releases: (names: readonly string[]) => readonly object[],
  budget: object,
) {
  const columns = [
    ...Array.from({ length: numbers }, (_, i) => numeric(`x${i}`, [-1, 1])),
    ...levels.map((count, i) =>
      categorical(
        `c${i}`,
        Array.from({ length: count }, (_, k) => `l${k}`),
      ),
    ),
  ];
  const asked = {
    table: { unit: { protects: "person", rows: 1 }, columns },
    releases: releases(columns.map(({ name }) => name)),
    budget,
  };
  return (engine.plan(asked as never) as unknown as EverydayPlan).entries;
}

// Adult: 5 numbers and 8 categories are 107 columns. Each alone is moved by 1 at most, as a plain count is.
test.each([
  ["Adult", 5, [8, 16, 7, 14, 6, 5, 5, 41], 5886, [21_302, 286, 50, 36]],
  ["ten numbers", 10, [], 66, [239, 30, 39, 28]],
] as const)(
  "what one joint release is worth beside separate ones, of %s",
  (_, numbers, levels, entries, said) => {
    const width = numbers + levels.reduce((sum, one) => sum + one, 0);
    expect(1 + width + (width * (width + 1)) / 2).toBe(entries);
    const budget = { epsilon: 1, delta: 1e-5 };
    const alone = (share: object) => {
      const [count] = planned(1, [], () => [{ of: "count" }], share);
      return count?.of === "count" ? count.deviation : Number.NaN;
    };
    const split = alone({ epsilon: 1 / entries, delta: 1e-5 / entries });
    // As many Gaussians together have one mu, which falls as the root of their number.
    const composed = Math.sqrt(entries) * alone(budget);
    const [joint] = planned(numbers, levels, (columns) => [{ of: "covariance", columns }], budget);
    if (joint?.of !== "covariance") throw new Error("another result was asked for");
    const [square, product] = [joint.deviationTimesRows[0]?.[0], joint.deviationTimesRows[0]?.[1]];
    expect([split, composed, square, product].map((one) => Math.round(one as number))).toEqual(said);
  },
);

test("moments of so many levels that nobody has the memory are refused by name", () => {
  const wide = (levels: number) =>
    planned(1, [levels], (columns) => [{ of: "means", columns }], { epsilon: 1, delta: 1e-5 });
  expect(wide(299)).toHaveLength(1);
  expect(() => wide(300)).toThrow(expect.objectContaining({ field: "releases" }));
});

test("whatever a plan says the level of, it says what that covers", () => {
  const entries = [
    ...(engine.plan(request(EVERY_KIND) as never) as unknown as EverydayPlan).entries,
    ...(engine.plan({ ...request(found()), table: numbersOnly() } as never) as unknown as EverydayPlan)
      .entries,
  ];
  expect(new Set(entries.map(({ of }) => of)).size).toBe(EVERY_KIND.length + 1);
  const levels = entries.filter((entry) => "level" in entry);
  expect(levels.map(({ of }) => of)).toEqual(["quantiles"]);
  for (const one of levels) expect(one).toMatchObject({ covers: "table", level: 0.95 });
});

/** Every kind there is, over the table above. */
const EVERY_KIND: readonly object[] = [
  ...["count", "sums", "means", "variances", "covariance", "correlation"].map((of) => ({
    of,
    ...(of !== "count" && { columns: ["age", "income"] }),
  })),
  { of: "histogram", column: "age", bins: 3 },
  { of: "contingency", columns: [{ column: "town" }, { column: "age", bins: 2 }] },
  { of: "quantiles", column: "age", probabilities: [0.5] },
  { of: "bounds", column: "age" },
  { of: "groups", by: "town", columns: ["age"] },
];

test("whatever is told within ends says what those cover", async () => {
  const alone = { ...request(found({ delta: 1e-7 }), loud), table: numbersOnly() };
  const releases = [request(EVERY_KIND, loud), alone];
  const results = [];
  for (const one of releases)
    results.push(...((await engine.fit(csv, one as never)) as EverydayRelease).results);
  const ended = new Set<string>();
  const look = (value: unknown, isNamed: boolean, of: string): void => {
    if (typeof value !== "object" || value === null) return;
    const covers = isNamed || ("covers" in value && value.covers === "table" && "level" in value);
    for (const [key, inner] of Object.entries(value)) {
      look(inner, covers, of);
      if (!["lower", "margin", "rankError"].includes(key)) continue;
      expect([of, key, covers]).toEqual([of, key, true]);
      ended.add(of);
    }
  };
  for (const result of results) look(result, false, result.of);
  expect(results.map(({ of }) => of).filter((of) => !ended.has(of))).toEqual(["bounds"]);
});

test("cells are declared, and what is in none of them has cells of its own", async () => {
  const towns = await told("histogram", { column: "town" });
  expect(towns.cells.map(({ label, kind }) => `${label} ${kind}`)).toEqual([
    "Aalen level",
    "Bonn level",
    "other other",
    "malformed malformed",
  ]);
  expect(towns.cells.map(({ value }) => Math.round(value))).toEqual([200, 201, 200, 1]);
  const bins = await told("histogram", { column: "age", bins: 4 });
  expect(bins.cells.map(({ value }) => Math.round(value))).toEqual([
    ages.filter((age) => age < 25).length,
    ages.filter((age) => age >= 25 && age < 50).length,
    ages.filter((age) => age >= 50 && age < 75).length,
    0,
    1,
  ]);
  const edges = await told("histogram", { column: "age", edges: [30, 40, 60] });
  expect(edges.cells.map(({ value }) => Math.round(value))).toEqual([
    ages.filter((age) => age >= 30 && age < 40).length,
    ages.filter((age) => age >= 40 && age <= 60).length,
    ages.filter((age) => age < 30 || age > 60).length,
    1,
  ]);
  const crossed = await told("contingency", { columns: [{ column: "town" }, { column: "age", bins: 2 }] });
  expect(crossed.labels.map(({ length }) => length)).toEqual([4, 3]);
  const [low, high] = [false, true].map(
    (isHigh) => AGES.filter((age, i) => TOWNS[i] === "Aalen" && age >= 50 === isHigh).length,
  );
  expect(crossed.values.slice(0, 3).map(Math.round)).toEqual([low, high, 0]);
  expect(crossed.values.map(Math.round).reduce((sum, value) => sum + value, 0)).toBe(602);
});

test("groups have counts, sums and means of their own", async () => {
  const { keys } = await told("groups", { by: "town", columns: ["age"] });
  const bonn = AGES.filter((_, i) => TOWNS[i] === "Bonn");
  const [, found, , last] = keys;
  expect(found?.key).toBe("Bonn");
  expect(found?.count.value).toBeCloseTo(bonn.length, 1);
  expect(found?.columns[0]?.mean.value).toBeCloseTo(mean(bonn), 2);
  expect((found?.columns[0]?.sum.value as number) / (bonn.length * mean(bonn))).toBeCloseTo(1, 3);
  expect(last).toMatchObject({ key: "malformed", kind: "malformed" });
});

const numbersOnly = () => ({ ...table(), columns: table().columns.filter(({ name }) => name !== "town") });
const found = (more: object = {}) => [{ of: "found-groups", by: "town", columns: ["age"], ...more }];

test("groups that are found are told in the order of their names, and no key that a row has alone", async () => {
  const alone = `${csv}40,5,Zyx\n41,5, \n42,5,NA\n43,5,"${"y".repeat(5000)}"\n`;
  const asked = {
    ...request(found({ delta: 1e-7 }), { ...loud, noise: 1e-3 }),
    table: numbersOnly(),
  };
  const release = (await engine.fit(alone, asked as never)) as EverydayRelease;
  const [result] = release.results;
  if (result?.of !== "found-groups") throw new Error("another result was asked for");
  expect(result.keys.map(({ key }) => key)).toEqual(["Aalen", "Bonn", "Celle"]);
  const bonn = AGES.filter((_, i) => TOWNS[i] === "Bonn");
  expect(result.keys[1]?.count.value).toBeCloseTo(bonn.length, 1);
  expect(result.keys[1]?.columns[0]?.mean.value).toBeCloseTo(mean(bonn), 1);
  expect(result.threshold).toBeGreaterThan(1);
  // Their order among the rows is nobody's to know.
  const [head, ...lines] = csv.trim().split("\n");
  const turned = (await engine.fit([head, ...lines.reverse()].join("\n"), asked as never)) as EverydayRelease;
  const [again] = turned.results;
  expect(again?.of === "found-groups" && again.keys.map(({ key }) => key)).toEqual([
    "Aalen",
    "Bonn",
    "Celle",
  ]);
});

const ofPersons = (rows: number) => ({ ...table(rows).unit, column: "id" });

test("a part of δ is for groups that are found, and the budget is kept with all rows of a person", () => {
  for (const rows of [1, 3]) {
    const asked = {
      ...request([...found(), ...found({ columns: [] })]),
      table: { ...numbersOnly(), unit: ofPersons(rows) },
    };
    const plan = engine.plan(asked as never) as unknown as EverydayRelease;
    expect(plan.epsilon.upper).toBeLessThanOrEqual(1);
    const deltas = plan.entries.map((entry) => (entry.of === "found-groups" ? entry.delta : Number.NaN));
    expect(deltas[0]).toBe(deltas[1]);
    if (rows === 1) expect(deltas[0]).toBeCloseTo(5e-8, 12);
  }
  const only = { ...request([{ of: "found-groups", by: "town" }]), table: { ...table(), columns: [] } };
  expect((engine.plan(only as never) as unknown as EverydayRelease).entries).toHaveLength(1);
});

// Aalen: ten persons with nine rows each; Bonn: one with ninety; Celle: fifty with one.
test("groups that are found count persons, and are told of many of them, not of many rows", async () => {
  const rows = [
    ...Array.from({ length: 90 }, (_, i) => `40,Aalen,a${i % 10}`),
    ...Array.from({ length: 90 }, () => "30,Bonn,b"),
    ...Array.from({ length: 50 }, (_, i) => `50,Celle,c${i}`),
    // Without an age nothing of it counts, its person neither.
    ...Array.from({ length: 9 }, (_, i) => `,Celle,d${i}`),
  ];
  const asked = {
    ...request(found({ delta: 1e-7 }), { ...loud, noise: 1e-3 }),
    table: {
      unit: { protects: "person", rows: 100, column: "id" },
      columns: [numeric("age", [0, 100])],
    },
  };
  const release = (await engine.fit(`age,town,id\n${rows.join("\n")}\n`, asked as never)) as EverydayRelease;
  const [result] = release.results;
  if (result?.of !== "found-groups") throw new Error("another result was asked for");
  expect(result.counted).toBe("persons");
  expect(
    result.keys.map(({ key, count, rows, columns }) => [
      key,
      ...[count.value, rows?.value as number, columns[0]?.mean.value as number].map(Math.round),
    ]),
  ).toEqual([
    ["Aalen", 10, 90, 40],
    ["Celle", 50, 50, 50],
  ]);
  const counted = { ...asked, releases: found({ delta: 1e-7, columns: [] }) };
  const alone = (await engine.fit(`age,town,id\n${rows.join("\n")}\n`, counted as never)) as EverydayRelease;
  const [counts] = alone.results;
  expect(
    counts?.of === "found-groups" && counts.keys.map(({ key, count }) => [key, Math.round(count.value)]),
  ).toEqual([
    ["Aalen", 10],
    ["Celle", 59],
  ]);
  expect(statisticsCsv(alone)).toContain("\npersons,town,Aalen,");
});

test("groups of rows of which nobody knows whose they are cannot be found where a person has several", async () => {
  const wrong = { ...request(found()), table: { ...numbersOnly(), unit: table(2).unit } };
  const refusal = { kind: "missing", field: "table.unit.column" };
  expect(() => engine.plan(wrong as never)).toThrow(expect.objectContaining(refusal));
  await expect(engine.fit(csv, wrong as never)).rejects.toMatchObject(refusal);
});

test.each<[string, object, object, string]>([
  ["groups that are declared", { by: "age" }, {}, "releases.0.by"],
  ["no column", { by: undefined }, {}, "releases.0.by"],
  ["a column of words", { columns: ["town"] }, {}, "releases.0.columns.0"],
  ["more than the budget's δ", { delta: 1e-6 }, {}, "releases.0.delta"],
  ["noise without a δ", {}, { noise: 1, budget: { delta: 1e-6 } }, "releases.0.delta"],
  ["rows that are replaced", {}, { neighbours: "replace" }, "neighbours"],
])("groups to be found: %s is refused by name", async (_, entry, more, field) => {
  const wrong = { ...request(found(entry)), ...more, table: numbersOnly() };
  expect(() => engine.plan(wrong as never)).toThrow(expect.objectContaining({ field }));
  await expect(engine.fit(csv, wrong as never)).rejects.toMatchObject({ field });
});

test("groups are found in a column of a table without a header, though nothing is said of that column", async () => {
  const body = csv.slice(csv.indexOf("\n") + 1);
  const asked = {
    ...request([{ of: "found-groups", by: "column 3", delta: 1e-7 }], { ...loud, noise: 1e-3 }),
    table: { ...table(), columns: [numeric("column 1", [0, 100])] },
    format: { ...PLAIN, header: false },
  };
  const { results } = (await engine.fit(body, asked as never)) as EverydayRelease;
  const [result] = results;
  expect(result?.of === "found-groups" && result.keys.map(({ key }) => key)).toEqual([
    "Aalen",
    "Bonn",
    "Celle",
  ]);
});

test("several groups to be found may not ask for all of the budget's δ together", () => {
  const wrong = { ...request([...found({ delta: 6e-7 }), ...found({ delta: 6e-7 })]), table: numbersOnly() };
  const refusal = expect.objectContaining({ field: "releases.0.delta", value: "6e-7" });
  expect(() => engine.plan(wrong as never)).toThrow(refusal);
});

test("a file without the column of groups is refused by name", async () => {
  const wrong = { ...request(found({ by: "village" })), table: numbersOnly() };
  const field = "releases.0.by";
  await expect(engine.fit(csv, wrong as never)).rejects.toMatchObject({ field, value: '"village"' });
});

test("quantiles are near those of the table, and bounds enclose what is there", async () => {
  const { quantiles } = await told("quantiles", {
    column: "age",
    probabilities: [0.9, 0.5],
    candidates: 101,
  });
  const sorted = [...ages].sort((one, other) => one - other);
  expect(quantiles.map(({ probability }) => probability)).toEqual([0.5, 0.9]);
  expect(quantiles[0]?.value).toBeCloseTo(sorted[300] as number, 6);
  expect(quantiles[1]?.value).toBeCloseTo(sorted[540] as number, 6);
  expect(await told("bounds", { column: "age" })).toMatchObject({ found: true, range: [16, 100] });
  // Where there is nothing, one release in twenty takes its noise for rows: 5 of these hundred are expected, more than 15 of
  // any hundred are so with a probability of 4e-5.
  const nothing = [];
  for (let seed = 1; seed <= 100; seed++)
    nothing.push(
      (await engine.fit(
        "age,income,town\n",
        request([{ of: "bounds", column: "age" }], { ...loud, seed }) as never,
      )) as EverydayRelease,
    );
  const missed = nothing.filter(({ results: [bounds] }) => bounds?.of === "bounds" && !bounds.found);
  expect(missed.length).toBeGreaterThanOrEqual(85);
  expect(missed[0]?.results[0]).toMatchObject({ found: false, range: [0, 100] });
});

// What finer candidates could gain is little beside the noise: 0.04 and 0.3 % with the finest ones.
test.each([
  [1, 0.0014],
  [0.1, 0.0035],
])(
  "deciles of a long tail are nearly right where nothing is said of candidates: ε = %s",
  async (epsilon, most) => {
    const random = new SeededRandom(20261129);
    const values = Array.from({ length: 20_000 }, () => Math.min(50, Math.exp(random.normal())));
    const sorted = Float64Array.from(values).sort();
    const deciles = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    const asked = {
      table: { unit: { protects: "row", rows: 1 }, columns: [numeric("x", [0, 50])] },
      releases: [{ of: "quantiles", column: "x", probabilities: deciles.map((one) => one / 10) }],
      budget: { epsilon, delta: 1e-5 },
    };
    let off = 0;
    for (let seed = 1; seed <= 10; seed++) {
      const release = await engine.fit(`x\n${values.join("\n")}\n`, { ...asked, seed } as never);
      const [found] = (release as unknown as EverydayRelease).results;
      if (found?.of !== "quantiles") throw new Error("another result was asked for");
      found.quantiles.forEach(({ probability, value }) => {
        const rank = sorted.findIndex((one) => one >= value);
        off += Math.abs(rank / sorted.length - probability);
      });
    }
    expect(off / 90).toBeLessThan(most);
  },
);

// The audit of what is said of each: what 2 000 runs allow. Means, covariances, correlations, eigenvalues and ranks are counted
// in tests/core/everyday_statistics_test.cpp.
test("intervals of counts, sums, cells and groups hold the table's own numbers as often as they say", async () => {
  const RUNS = 2000;
  const keys = ["Aalen", "Aalen", "Bonn", "", "Celle"];
  const rows = Array.from(
    { length: 120 },
    (_, i) => `${20 + ((i * 37) % 50)},${keys[i % 5]},${i < 4 ? "few" : "many"}`,
  );
  const releases = [
    { of: "count" },
    { of: "sums", columns: ["age"] },
    { of: "histogram", column: "town" },
    { of: "contingency", columns: [{ column: "town" }, { column: "age", bins: 2 }] },
    { of: "groups", by: "town", columns: ["age"] },
    { of: "found-groups", by: "size", columns: ["age"], delta: 0.1 },
  ];
  const declared = {
    ...table(),
    columns: [numeric("age", [0, 100]), categorical("town", ["Aalen", "Bonn"])],
  };
  const lines = async (noise: number, seed: number) => {
    const asked = { table: declared, releases, noise, budget: { delta: 0.2 }, seed };
    const release = await engine.fit(`age,town,size\n${rows.join("\n")}\n`, asked as never);
    const { results } = release as unknown as EverydayRelease;
    return results.flatMap((result) =>
      statisticsCsv({ results: [result] })
        .trimEnd()
        .split("\n")
        .slice(1)
        .map((line) => {
          const [upper, lower, value, ...about] = line.split(",").reverse();
          return { key: `${result.of} ${about.reverse()}`, value: Number(value), lower, upper };
        }),
    );
  };
  const truth = new Map((await lines(1e-6, 1)).map(({ key, value }) => [key, value]));
  const missed = new Map([...truth.keys()].map((key) => [key, 0]));
  for (let seed = 1; seed <= RUNS; seed++)
    for (const { key, lower, upper } of await lines(0.3, seed)) {
      const own = truth.get(key) as number;
      if (lower !== "" && !(Number(lower) <= own && own <= Number(upper)))
        missed.set(key, (missed.get(key) as number) + 1);
    }
  // Four standard deviations of a binomial number. A group near the threshold is told in some of the runs only.
  const [often, off] = [RUNS * 0.05, 4 * Math.sqrt(RUNS * 0.05 * 0.95)];
  expect(missed.size).toBe(36);
  for (const [key, times] of missed) {
    expect([key, times <= often + off]).toEqual([key, true]);
    if (!key.endsWith("few")) expect([key, times >= often - off]).toEqual([key, true]);
  }
});

// Every value is between the bounds of its own cell, of whatever size it is.
test.each([1e-300, 1e-25, 2 ** -65, 2 ** -64, 0.3, 1, 2 ** 63, 2 ** 64, 1e25, 1e99])(
  "bounds enclose %s and its negative",
  async (value) => {
    for (const one of [value, -value]) {
      const declared = {
        unit: { protects: "person", rows: 1 },
        columns: [numeric("x", [-1e100, 1e100])],
      };
      const asked = { table: declared, releases: [{ of: "bounds", column: "x" }], ...loud, seed: 3 };
      const release = (await engine.fit(`x\n${`${one}\n`.repeat(500)}`, asked as never)) as EverydayRelease;
      const [bounds] = release.results as readonly [Extract<EverydayResult, { of: "bounds" }>];
      expect(bounds.found).toBe(true);
      const [low, high] = bounds.range;
      expect(low).toBeLessThanOrEqual(one);
      expect(high).toBeGreaterThanOrEqual(one);
      expect(low >= 0).toBe(one > 0);
    }
  },
);

test("a plan keeps its budget and says what each number will be worth", () => {
  const plan = engine.plan(
    request([
      { of: "count" },
      { of: "means", columns: ["age", "income"] },
      { of: "histogram", column: "town" },
      { of: "quantiles", column: "age", probabilities: [0.5] },
    ]) as never,
  ) as unknown as EverydayRelease;
  expect(plan.private).toBe(true);
  expect(plan.epsilon.upper).toBeLessThanOrEqual(1);
  expect(plan.epsilon.upper).toBeGreaterThan(0.99);
  expect(plan.entries.map(({ of }) => of)).toEqual(["count", "means", "histogram", "quantiles"]);
  const shares = [plan.entries[1], plan.entries[2], plan.entries[3]].map((entry) => entry?.share as number);
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
  expect(plan.request.releases[3]).toMatchObject({ candidates: 10_001, weight: 1 });
});

// By hand: of one Gaussian release m rows cost what one does with an m-th of the noise.
test("all rows of a person are paid for, and rows that are replaced", () => {
  const noise = (rows: number, more: object) =>
    (
      engine.plan({
        ...request([{ of: "histogram", column: "town" }]),
        table: table(rows),
        ...more,
      } as never) as unknown as EverydayRelease
    ).noise;
  expect(noise(4, {}) / noise(1, {})).toBeCloseTo(4, 6);
  const deviation = (more: object) => {
    const plan = engine.plan({
      ...request([{ of: "histogram", column: "town" }]),
      ...more,
    } as never) as unknown as EverydayRelease;
    const [entry] = plan.entries;
    expect(plan.epsilon.neighbours).toBe(Reflect.get(more, "neighbours") ?? "add-remove");
    return entry?.of === "histogram" ? entry.deviation : Number.NaN;
  };
  expect(deviation({ neighbours: "replace" }) / deviation({})).toBeCloseTo(Math.SQRT2, 6);
});

test.each<[string, readonly object[], object, string]>([
  ["no releases", [], {}, "releases"],
  ["a minimum", [{ of: "minimum", column: "age" }], {}, "releases.0.of"],
  ["an unknown kind", [{ of: "mode", column: "age" }], {}, "releases.0.of"],
  ["an unknown column", [{ of: "means", columns: ["age", "height"] }], {}, "releases.0.columns.1"],
  ["a column twice, of levels", [{ of: "means", columns: ["town", "town"] }], {}, "releases.0.columns.1"],
  ["a column twice", [{ of: "sums", columns: ["age", "age"] }], {}, "releases.0.columns.1"],
  ["bins of levels", [{ of: "histogram", column: "town", bins: 3 }], {}, "releases.0.bins"],
  ["no bins", [{ of: "histogram", column: "age" }], {}, "releases.0.bins"],
  ["bins and edges", [{ of: "histogram", column: "age", bins: 2, edges: [0, 9] }], {}, "releases.0.bins"],
  ["edges that fall", [{ of: "histogram", column: "age", edges: [1, 3, 2] }], {}, "releases.0.edges.2"],
  [
    "too many cells",
    [
      {
        of: "contingency",
        columns: [
          { column: "age", bins: 10_000 },
          { column: "income", bins: 10_000 },
        ],
      },
    ],
    {},
    "releases.0.columns",
  ],
  [
    "a probability of 1",
    [{ of: "quantiles", column: "age", probabilities: [1] }],
    {},
    "releases.0.probabilities.0",
  ],
  ["a third", [{ of: "quantiles", column: "age", probabilities: [1 / 3] }], {}, "releases.0.probabilities.0"],
  ["groups by numbers", [{ of: "groups", by: "age" }], {}, "releases.0.by"],
  ["no budget", [{ of: "count" }], { budget: { delta: 1e-6 } }, "budget.epsilon"],
  ["budget and noise", [{ of: "count" }], { noise: 1 }, "noise"],
  ["δ = 0", [{ of: "count" }], { budget: { epsilon: 1, delta: 0 } }, "budget.delta"],
  ["no weight", [{ of: "count", weight: 0 }], {}, "releases.0.weight"],
  ["an algorithm beside them", [{ of: "count" }], { algorithm: { name: "ada-ssp" } }, "algorithm"],
])("%s is refused by name", async (_, releases, more, field) => {
  const wrong = { ...request(releases), ...more };
  expect(() => engine.plan(wrong as never)).toThrow(expect.objectContaining({ field }));
  await expect(engine.fit(csv, wrong as never)).rejects.toMatchObject({ field });
});

test("a label, and sums that a database made, are refused", async () => {
  const label = { name: "y", use: "numeric", range: [0, 1], missing: "drop" };
  const labelled = { ...request([{ of: "count" }]), table: { ...table(), label } };
  expect(() => engine.plan(labelled as never)).toThrow(expect.objectContaining({ field: "table.label" }));
  const sums = { statistics: [] } as never;
  await expect(engine.fit(sums, request([{ of: "count" }]) as never)).rejects.toBeInstanceOf(Refusal);
});

test("quantiles alone keep a budget without δ", () => {
  const plan = engine.plan(
    request([{ of: "quantiles", column: "age", probabilities: [0.5] }], {
      budget: { epsilon: 1, delta: 0 },
    }) as never,
  ) as unknown as EverydayRelease;
  expect(plan.epsilon.upper).toBeLessThanOrEqual(1);
});

// Whether there is one must not depend on the rows.
test("whatever the rows are, there is a release", async () => {
  const all = request([
    { of: "count" },
    { of: "correlation", columns: ["age", "income"] },
    { of: "covariance", columns: ["age", "income"] },
    { of: "histogram", column: "age", bins: 3 },
    { of: "groups", by: "town", columns: ["income"] },
    { of: "quantiles", column: "income", probabilities: [0.1, 0.5] },
    { of: "bounds", column: "income" },
    { of: "found-groups", by: "village", columns: ["age"] },
  ]);
  const lines = [
    "",
    "1,2,Bonn",
    '1,2,"Bonn',
    "1e308,-1e308,Aalen",
    "NaN,Infinity,\u0000",
    "1,2,Bonn,4,5,6",
    "1",
    "x".repeat(100_000),
  ];
  for (const line of lines) {
    const release = (await engine.fit(`age,income,town,village\n${line}\n`, all as never)) as EverydayRelease;
    expect(release.results).toHaveLength(8);
  }
});

test("the command line and the batch answer alike", async () => {
  const folder = mkdtempSync(join(tmpdir(), "everyday-"));
  try {
    const asked = request([{ of: "means", columns: ["age"] }], {
      budget: { epsilon: 1, delta: 1e-6 },
      seed: 4,
    });
    const path = join(folder, "request.json");
    const data = join(folder, "data.csv");
    writeFileSync(path, JSON.stringify(asked));
    writeFileSync(data, csv);
    const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
    const release = await engine.fit(csv, asked as never);
    expect(printed("fit", data, "--request", path)).toEqual(plain(release));
    expect(printed("plan", "--request", path)).toEqual(plain(engine.plan(asked as never)));
    expect(plain(await answer(engine, { ask: "fit", table: csv, request: asked }))).toEqual(plain(release));
    expect(printed("schema", "everyday").title).toBe("A request for everyday numbers of a table");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
