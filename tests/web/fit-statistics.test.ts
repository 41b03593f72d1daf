/** Everyday statistics in the form: what they are about at first, how texts become a request, where refusals stand. */
import { describe, expect, test } from "vitest";
import { checkEveryday } from "../../wasm/everyday/everyday-request.ts";
import { PLAIN } from "../../wasm/release/fit-request.ts";
import { EMPTY, type Form, filled, forColumns, withColumn } from "../../web/src/fit/form.ts";
import { fieldOf, read } from "../../web/src/fit/read.ts";
import { formOf, lost, savedRequest } from "../../web/src/fit/saved.ts";
import {
  oneOf,
  STATISTICS,
  someFrom,
  statistic,
  statisticsOf,
  subjectOf,
  withLess,
  withMore,
  withStatistic,
  withWanted,
} from "../../web/src/fit/statistics.ts";
import { fieldTitle } from "../../web/src/words/fit.ts";
import { STATISTIC_WORDS } from "../../web/src/words/statistics.ts";

const COLUMNS = [
  { name: "age", numeric: true },
  { name: "sector", numeric: false },
  { name: "pay", numeric: true },
];

const freshOf = (columns: typeof COLUMNS) =>
  withWanted(
    { ...forColumns(EMPTY, columns), unit: { protects: "person", rows: "1", column: "" } },
    "statistics",
  );
const fresh = freshOf(COLUMNS);

const answeredOf = (form: Form): Form => ({
  ...filled(form, {
    columns: {
      age: { used: true, low: "18", high: "67" },
      sector: { used: true, use: "categorical", levels: "private\npublic" },
      pay: { used: true, low: "0", high: "1e4" },
    },
    label: {},
  }),
  wanted: "statistics",
});
const answered = answeredOf(fresh);

/** With a column that is not used. */
const MORE = [...COLUMNS, { name: "place", numeric: false }];
const roomy = answeredOf(freshOf(MORE));

const request = (form: Form) => checkEveryday(read(form, PLAIN).request);

describe("what is there at first", () => {
  test("the numbers of a small table, their means and the histogram of one", () => {
    expect(fresh.columns.map(({ used }) => used)).toEqual([true, false, true]);
    const { releases } = request(answered);
    expect(releases.map(({ of }) => of)).toEqual(["means", "histogram"]);
    expect(releases[0]).toMatchObject({ columns: ["age", "pay"] });
    expect(releases[1]).toMatchObject({ column: "age", bins: 10 });
  });

  test("moments are of numbers until categories are chosen too, and of categories where there are no numbers", () => {
    for (const of of ["means", "sums", "variances", "covariance", "correlation"] as const) {
      const form = withMore(answered, of);
      expect(someFrom(form, { ...statistic(of) })).toEqual(["age", "sector", "pay"]);
      expect(request(form).releases[2]).toMatchObject({ columns: ["age", "pay"] });
      const chosen = withStatistic(form, 2, { columns: ["sector", "age"] });
      expect(request(chosen).releases[2]).toMatchObject({ columns: ["sector", "age"] });
    }
    const words = {
      ...answered,
      columns: answered.columns.map((c) => ({ ...c, used: c.use === "categorical" })),
    };
    expect(request(withMore(words, "means")).releases.at(-1)).toMatchObject({ columns: ["sector"] });
  });

  test("nothing is ticked of a wide table, nor beside what was ticked already", () => {
    const many = Array.from({ length: 9 }, (_, i) => ({ name: `x${i}`, numeric: true }));
    const wide = withWanted(forColumns(EMPTY, many), "statistics");
    expect(wide.columns.some(({ used }) => used)).toBe(false);
    const ticked = withWanted(withColumn(forColumns(EMPTY, COLUMNS), 1, { used: true }), "statistics");
    expect(ticked.columns.map(({ used }) => used)).toEqual([false, true, false]);
    expect(statisticsOf(ticked).map(({ of }) => of)).toEqual(["histogram"]);
  });

  test("they follow the columns until they are chosen, and what was chosen stays while a column is not used", () => {
    const without = withColumn(answered, 0, { used: false });
    expect(request(without).releases[0]).toMatchObject({ columns: ["pay"] });
    const chosen = withStatistic(answered, 1, { column: "pay" });
    expect(request(chosen).releases[1]).toMatchObject({ column: "pay" });
    const away = withColumn(chosen, 2, { used: false });
    expect(request(away).releases[1]).toMatchObject({ column: "age" });
    expect(request(withColumn(away, 2, { used: true })).releases[1]).toMatchObject({ column: "pay" });
  });

  test("going to a model and back loses nothing, and a model is asked for as before", () => {
    const back = withWanted(withWanted(answered, "model"), "statistics");
    expect(request(back)).toEqual(request(answered));
    expect(read({ ...answered, wanted: "model" }, PLAIN).missing).toContain("table.label.name");
  });
});

describe("each of them", () => {
  test.each(STATISTICS)("%s is asked for as the engine takes it, and can be taken away again", (of) => {
    const form = withMore(roomy, of);
    const reading = read(form, PLAIN);
    expect([...reading.refusals.keys(), ...reading.missing]).toEqual([]);
    expect(request(form).releases[2]?.of).toBe(of);
    expect(withLess(form, 2).statistics).toEqual(statisticsOf(roomy));
    expect(STATISTIC_WORDS[of].help).not.toBe("");
  });

  test.each(STATISTICS)("%s without a column that fits is still to be answered", (of) => {
    const { one, some, mayBeNone, by } = subjectOf(of);
    const none = {
      ...answered,
      statistics: [],
      columns: answered.columns.map((c) => ({ ...c, used: one === "unused" })),
    };
    const { missing } = read(withMore(none, of), PLAIN);
    const key = by ? "by" : "column";
    expect(missing.includes(`releases.0.${key}`)).toBe(one !== undefined);
    expect(missing.includes("releases.0.columns")).toBe(some !== undefined && !mayBeNone);
  });

  test("none at all is still to be answered", () => {
    expect(read({ ...answered, statistics: [] }, PLAIN).missing).toEqual(["releases"]);
  });

  test("one number says how many bins, several are edges; decimals may have a comma", () => {
    const edges = withStatistic(answered, 1, { bins: { age: "18; 30,5; 67" } });
    expect(request(edges).releases[1]).toMatchObject({ edges: [18, 30.5, 67] });
    expect(request(withStatistic(answered, 1, { bins: { age: " 7 " } })).releases[1]).toMatchObject({
      bins: 7,
    });
    expect(request(withStatistic(answered, 1, { column: "sector" })).releases[1]).toEqual({
      of: "histogram",
      column: "sector",
      weight: 1,
    });
  });

  test("a noise takes the place of ε", () => {
    const priced = { ...answered, keeps: false, noise: "3" };
    expect(request(priced)).toMatchObject({ noise: 3, budget: { delta: 1e-6 } });
    expect(request(priced).budget.epsilon).toBeUndefined();
  });
});

describe("refusals stand beside their fields", () => {
  const cases = [
    [{ bins: { age: "ten" } }, 1, "releases.1.bins"],
    [{ bins: { age: "0" } }, 1, "releases.1.bins"],
    [{ bins: { age: "" } }, 1, "releases.1.bins"],
    [{ weight: "-1" }, 0, "releases.0.weight"],
    [{ of: "quantiles", probabilities: "0.5; 2" }, 0, "releases.0.probabilities"],
    [{ of: "quantiles", candidates: "1" }, 0, "releases.0.candidates"],
    [{ of: "contingency", columns: ["age", "pay"], bins: { pay: "-" } }, 0, "releases.0.columns.1.bins"],
  ] as const;
  test.each(cases)("%o", (patch, index, field) => {
    const form = withStatistic(answered, index, patch);
    const reading = read(form, PLAIN);
    expect([...reading.refusals.keys(), ...reading.missing]).toEqual([field]);
    expect(fieldTitle(field, form)).toMatch(/ of “/);
  });

  test("what only the engine refuses is led to a field too", () => {
    const reading = read(answered, PLAIN);
    expect(fieldOf(reading, "releases.1.edges.3")).toBe("releases.1.bins");
    expect(fieldOf(reading, "releases.0.columns.1")).toBe("releases.0.columns");
    expect(fieldOf(reading, "releases.0")).toBe("releases.0");
    expect(fieldOf(reading, "neighbours")).toBe("neighbours");
    expect(fieldOf(reading, "budget.delta")).toBe("budget.delta");
    expect(fieldOf(reading, "table.columns.2.range")).toBe("table.columns.2.range.0");
  });
});

test("a saved request of every statistic is asked for again, as it is or within a release", () => {
  const all = STATISTICS.reduce(withMore, { ...roomy, statistics: [] });
  const odd = withStatistic(withStatistic(all, 1, { bins: { age: "20; 30; 60" } }), 2, { weight: "2.5" });
  const saved = request({ ...odd, neighbours: "add-remove" });
  for (const text of [JSON.stringify(saved), JSON.stringify({ request: saved, results: [] })]) {
    const found = savedRequest(text);
    expect(found).toEqual(saved);
    const form = forColumns(formOf(found), [...MORE].reverse());
    expect(oneOf(form, statisticsOf(form)[1] as never)).toBe("age");
    expect(lost(found, read(form, PLAIN).request)).toEqual([]);
  }
});
