/** What the page tells of released statistics: every kind has a sentence, a table and a line of CSV, and says no more than was released. */
import { expect, test } from "vitest";
import type { EverydayResult } from "../../wasm/contract.ts";
import { open } from "../../wasm/engine.ts";
import { PAPER } from "../../web/src/charts/figure.ts";
import { heatMap } from "../../web/src/charts/heat-map.ts";
import { histogramFigure } from "../../web/src/charts/histogram-figure.ts";
import { quantilesFigure } from "../../web/src/charts/quantiles-figure.ts";
import { STATISTICS } from "../../web/src/fit/statistics.ts";
import { statisticsCsv } from "../../web/src/share/statistics-csv.ts";
import { expected } from "../../web/src/words/statistic-plan.ts";
import {
  endsWords,
  labelsOf,
  resultTitle,
  sentencesOf,
  TOO_FEW,
  valueIn,
} from "../../web/src/words/statistic-results.ts";

const engine = await open();

const HOSTILE = 'a "<b>&,';
const numeric = (name: string) => ({ name, use: "numeric", range: [0, 10], missing: "drop" }) as const;
const request = {
  table: {
    unit: { protects: "person", rows: 1 },
    columns: [
      numeric("x"),
      numeric("y"),
      { name: HOSTILE, use: "categorical", levels: ["p", "q"], missing: "drop" } as const,
    ],
  },
  releases: [
    { of: "count" },
    ...(["sums", "means", "variances", "covariance", "correlation"] as const).map((of) => ({
      of,
      columns: ["x", "y"],
    })),
    { of: "means", columns: [HOSTILE] },
    { of: "correlation", columns: [HOSTILE, "x"] },
    { of: "histogram", column: "x", bins: 4 },
    { of: "histogram", column: HOSTILE },
    { of: "contingency", columns: [{ column: "x", bins: 2 }, { column: HOSTILE }] },
    { of: "quantiles", column: "x", probabilities: [0.25, 0.5] },
    { of: "bounds", column: "x" },
    { of: "groups", by: HOSTILE, columns: ["y"] },
    { of: "found-groups", by: "place", columns: ["y"] },
  ],
  budget: { epsilon: 2, delta: 1e-6 },
  seed: 7,
} as never;
const table = (rows: number) =>
  `x,y,"${HOSTILE.replaceAll('"', '""')}",place\n${Array.from({ length: rows }, (_, i) => `${i % 10},${(i % 10) / 2},${i % 3 ? "p" : "q"},${i % 2 ? "here" : "there"}`).join("\n")}\n`;
const many = (await engine.fit(table(4000), request)) as unknown as {
  readonly results: readonly EverydayResult[];
  readonly entries: Parameters<typeof expected>[0][];
};
const few = (await engine.fit(table(3), request)) as unknown as typeof many;

test("every kind that the form has is told, before and after", () => {
  expect(new Set(many.results.map(({ of }) => of))).toEqual(new Set(STATISTICS));
  for (const planned of many.entries) {
    for (const rows of [undefined, 4000]) {
      const lines = expected(planned, rows);
      expect(lines.length).toBeGreaterThan(0);
      for (const { off } of lines) expect(off).not.toMatch(/NaN|undefined|∞/);
    }
  }
  for (const result of [...many.results, ...few.results]) {
    expect(resultTitle(result)).not.toMatch(/undefined|object/);
    for (const sentence of sentencesOf(result)) expect(sentence).not.toMatch(/NaN|undefined|null|\?$/);
  }
});

test("where too few rows are known, nothing is told but that", () => {
  const divided = few.results.filter(({ of }) =>
    ["means", "variances", "covariance", "correlation"].includes(of),
  );
  expect(divided.map(sentencesOf)).toEqual(divided.map(() => [TOO_FEW]));
  expect(statisticsCsv(few)).toContain("\nmeans,x,,,,\n");
});

test("CSV has a line for each number, as exact as it was released, and hostile names stay in their cells", () => {
  const csv = statisticsCsv(many);
  const counts: Partial<Record<EverydayResult["of"], number>> = {
    covariance: 3,
    correlation: 3 + 6,
    means: 4,
  };
  const [count] = many.results;
  expect(csv).toContain(`\ncount,,,${count?.of === "count" && count.value},`);
  const lines = csv.trim().split("\n").slice(1);
  for (const [of, number] of Object.entries(counts))
    expect(lines.filter((line) => line.startsWith(`${of},`))).toHaveLength(number);
  // Four bins and one cell for what is no number; two levels, others, no value.
  expect(lines.filter((line) => line.startsWith("histogram,"))).toHaveLength(5 + 4);
  expect(lines.filter((line) => line.startsWith("contingency,"))).toHaveLength(3 * 4);
  const quoted = `"${HOSTILE.replaceAll('"', '""')}"`;
  expect(lines.filter((line) => line.startsWith(`histogram,${quoted},p,`))).toHaveLength(1);
  expect(lines.filter((line) => line.startsWith(`means,${quoted},p,`))).toHaveLength(1);
  const shares = many.results.flatMap((one) => (one.of === "means" ? sentencesOf(one) : []));
  expect(
    shares.filter((one) => one.startsWith(`The share of rows with ${HOSTILE} = p is about `)),
  ).toHaveLength(1);
});

test("CSV keeps found keys as they are, those too that begin as formulas do", () => {
  const keys = ["=1+1", "+1", "-1", "@now"].map((key) => ({
    key,
    count: { value: 9, interval: { lower: 8, upper: 10 } },
    columns: [],
  }));
  const found = { of: "found-groups", by: "town", keys } as unknown as EverydayResult;
  for (const { key } of keys) expect(statisticsCsv({ results: [found] })).toContain(`,town,${key},9,8,10`);
});

test("ends are rounded outwards, and a value has no more digits than its noise leaves", () => {
  for (const [lower, upper] of [
    [41.98765, 42.01234],
    [-0.0123456, 0.0234567],
    [6538.12, 6627.98],
    [-3, -2.999],
    [-32.4, 31.6],
    [0.04, 21],
  ] as const) {
    const [low, high] = endsWords({ lower, upper }).replaceAll("−", "-").split(" to ").map(Number) as [
      number,
      number,
    ];
    expect(low).toBeLessThanOrEqual(lower);
    expect(high).toBeGreaterThanOrEqual(upper);
    // By at most a unit on either side, which is at most a tenth of half of it.
    expect(high - low).toBeLessThan(1.101 * (upper - lower));
  }
  // In one table all end in the same place, 0 included.
  const told = [344.7, 309, 0.13, -5.3].map((value) =>
    valueIn(value, { lower: value - 17.2, upper: value + 17.2 }),
  );
  expect(told).toEqual(["345", "309", "0", "−5"]);
  expect(valueIn(6582.913, { lower: 6538, upper: 6627 })).toBe("6583");
});

test("the last column of a table of counts runs fastest", () => {
  const labels = [
    ["a", "b"],
    ["1", "2", "3"],
  ];
  expect(Array.from({ length: 6 }, (_, i) => labelsOf(labels, i).join(""))).toEqual([
    "a1",
    "a2",
    "a3",
    "b1",
    "b2",
    "b3",
  ]);
});

const VIEW = { width: 350, height: 280 };

test("drawings are of whole numbers, whatever the names and however far below 0 the noise takes a bar", () => {
  const bins = [
    { from: 0, to: 1, value: -20, lower: -30, upper: -10 },
    { from: 1, to: 4, value: 60, lower: 50, upper: 70 },
  ];
  const drawn = [
    histogramFigure(bins, HOSTILE, VIEW, PAPER),
    quantilesFigure([{ probability: 0.5, value: 3 }], HOSTILE, [0, 10], VIEW, PAPER),
    heatMap(
      [HOSTILE, "y"],
      [
        [1, -0.5],
        [-0.5, 1],
      ],
      350,
      PAPER,
      "hatch",
    ),
  ];
  for (const svg of drawn) {
    expect(svg).not.toMatch(/NaN|undefined|Infinity|<b>|="-/);
    expect(svg.includes("&lt;b&gt;&amp;")).toBe(true);
  }
  // Of bins of different widths the areas are told.
  expect(drawn[0]).toContain("rows per unit of");
  expect(histogramFigure([bins[0] as never], "x", VIEW, PAPER)).not.toContain("rows per unit of");
});
