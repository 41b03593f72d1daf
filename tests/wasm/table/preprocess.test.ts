/** Bounded rows out of cells, in the declared order, and coefficients back in original units. */
import { describe, expect, test } from "vitest";
import { checkTable, type TableRequest } from "../../../wasm/table/declaration.ts";
import { featureMap, toTableUnits } from "../../../wasm/table/features.ts";
import { preprocess } from "../../../wasm/table/preprocess.ts";
import type { Source } from "../../../wasm/table/source.ts";
import { CSV, refused, stream } from "./support.ts";

const declared = (changes: object = {}): TableRequest =>
  checkTable({
    unit: { protects: "row", rows: 1 },
    columns: [
      { name: "age", use: "numeric", range: [20, 60], missing: { constant: 30 } },
      { name: "sex", use: "categorical", levels: ["f", "m"], missing: { constant: "m" } },
      { name: "dose", use: "numeric", range: [-1, 3], missing: "drop" },
    ],
    label: { name: "y", use: "numeric", range: [0, 10], missing: "drop" },
    rowNorm: 1,
    ...changes,
  });

async function rows(source: Source, request = declared(), format = CSV) {
  const { dimension } = featureMap(request);
  const features: number[][] = [];
  const labels: number[] = [];
  await preprocess(source, format, request, (some, their) => {
    expect(some.length).toBe(their.length * dimension);
    for (let i = 0; i < their.length; i++)
      features.push([...some.subarray(i * dimension, (i + 1) * dimension)]);
    labels.push(...their);
  });
  return { features, labels };
}

/** A row without its scale of 1/√3, before the clipping at a norm that is a few ulps below the declared one. */
const s = 1 / Math.sqrt(3);
const close = (found: readonly number[] | undefined, expected: readonly number[]) => {
  expect(found?.length).toBe(expected.length);
  expected.forEach((value, i) => {
    expect(Math.abs((found?.[i] as number) - value), `feature ${i} of ${found}`).toBeLessThanOrEqual(1e-14);
  });
};

describe("a row", () => {
  test.each<[string, string, readonly number[] | undefined, number?]>([
    ["in the middle", "40,f,1,5", [0, s, 0, 0, 1], 0],
    ["at its ends", "20,m,3,10", [-s, 0, s, s, 1], 1],
    ["beyond its ranges is clamped", "1e308,f,-1e400,-3", [s, s, 0, -s, 1], -1],
    ["with blanks around its cells", " 40 ,\tf,1\r,5 ", [0, s, 0, 0, 1], 0],
    ["of an unlisted level", "40,x,1,5", [0, 0, 0, 0, 1], 0],
    ["with a missing number that has a constant", ",f,1,5", [-0.5 * s, s, 0, 0, 1], 0],
    ["with a mark for missing", "?,NA,1,5", [-0.5 * s, 0, s, 0, 1], 0],
    ["with a text for a number", "forty,f,1,5", [-0.5 * s, s, 0, 0, 1], 0],
    ["with a formula", "=20+20,f,1,5", [-0.5 * s, s, 0, 0, 1], 0],
    ["with a number that is none", "NaN,f,1,5", [-0.5 * s, s, 0, 0, 1], 0],
    ["with an infinity in words", "Infinity,f,1,5", [-0.5 * s, s, 0, 0, 1], 0],
    ["with hexadecimal", "0x28,f,1,5", [-0.5 * s, s, 0, 0, 1], 0],
    ["that lacks a number without a constant", "40,f,,5", undefined],
    ["that lacks its label", "40,f,1,?", undefined],
    ["that is ragged", "40,f,1", undefined],
  ])("%s", async (_, row, expected, label) => {
    const { features, labels } = await rows(`age,sex,dose,y\n${row}\n`);
    if (expected === undefined) return void expect(features).toEqual([]);
    close(features[0], expected);
    close(labels, [label as number]);
  });

  test("is the same wherever its columns stand and whatever else there is", async () => {
    const { features } = await rows("y,x,dose,sex,age\n5,<b>,1,f,40\n");
    close(features[0], [0, s, 0, 0, 1]);
  });

  test("is read with decimal commas when they are said to be decimal", async () => {
    const { features } = await rows("age;sex;dose;y\n40,0;f;2,0;5\n40.0;f;1;5\n", undefined, {
      ...CSV,
      delimiter: ";",
      decimal: ",",
    });
    close(features[0], [0, s, 0, 0.5 * s, 1]);
    close(features[1], [-0.5 * s, s, 0, 0, 1]);
  });

  test("of a declared level is not missing, even if the level looks so", async () => {
    const levels = { name: "sex", use: "categorical", levels: ["NA", "f"], missing: "drop" };
    const request = declared({ columns: [levels], missingMarks: ["NA", "none"] });
    expect((await rows("sex,y\nNA,5\nnone,5\n,5\n", request)).features).toEqual([
      [expect.closeTo(1, 12), 0, 1],
    ]);
  });

  test("has the labels of its model", async () => {
    const classes = { name: "y", use: "classes", levels: ["no", "yes"], missing: "drop" };
    const text = "age,sex,dose,y\n40,f,1,no\n40,f,1,yes\n40,f,1,maybe\n";
    expect((await rows(text, declared({ label: classes }))).labels).toEqual([-1, 1]);
    const counts = declared({ label: { name: "y", use: "count", range: [0, 7], missing: "drop" } });
    expect((await rows("age,sex,dose,y\n40,f,1,3\n40,f,1,9\n40,f,1,-2\n", counts)).labels).toEqual([3, 7, 0]);
    expect(featureMap(counts).labelBound).toBe(7);
  });

  test("is never longer than declared, in exact arithmetic", async () => {
    // The squares of doubles are summed exactly as integers, in units of 2^-2148.
    const exact = (value: number) => {
      const bits = new DataView(new Float64Array([value]).buffer).getBigUint64(0, true);
      const exponent = (bits >> 52n) & 0x7ffn;
      const fraction = bits & ((1n << 52n) - 1n);
      return (exponent === 0n ? fraction : fraction | (1n << 52n)) << (exponent === 0n ? 0n : exponent - 1n);
    };
    const columns = Array.from({ length: 40 }, (_, i) => ({
      name: `c${i}`,
      use: "numeric",
      range: [-1 - i / 7, 1 + i / 3],
      missing: "drop",
    }));
    let state = 1;
    const random = () => {
      state = (state * 48271) % 2147483647;
      return state / 2147483647;
    };
    const lines = Array.from({ length: 500 }, () =>
      [...columns.map((_, i) => (random() * 2 - 1) * (2 + i / 2) * 10), 1].join(","),
    );
    for (const rowNorm of [1, 0.7, 0.1, 0.001]) {
      const request = declared({ columns, rowNorm, intercept: 0 });
      const { features } = await rows(
        `${columns.map(({ name }) => name).join(",")},y\n${lines.join("\n")}`,
        request,
      );
      expect(features.length).toBe(500);
      const bound = exact(rowNorm) ** 2n;
      let longest = 0;
      for (const row of features) {
        expect(row.reduce((sum, value) => sum + exact(value) ** 2n, 0n) <= bound).toBe(true);
        longest = Math.max(longest, Math.hypot(...row));
      }
      // Shortened rows lose next to nothing.
      if (rowNorm < 0.7) expect(longest).toBeGreaterThan(rowNorm * (1 - 1e-12));
      const withIntercept = featureMap(declared({ columns, rowNorm, intercept: 3 })).featureNorm;
      expect(exact(withIntercept) ** 2n >= bound + exact(3) ** 2n).toBe(true);
      expect(withIntercept).toBeLessThan(Math.hypot(rowNorm, 3) * (1 + 1e-14));
    }
  });
});

describe("who is protected", () => {
  const request = (rows: number, draw = "once") =>
    declared({ unit: { protects: "patient", rows, column: "id", draw }, columns: [], rowNorm: 1 });
  const text = "id,y\na,1\nb,2\n a,3\na,4\n,5\nb,6\n";
  const label = (y: number) => y / 5 - 1;
  /** The labels of the rows that are kept, in the units of the file. */
  const kept = async (source: Source, most: number, draw?: string) =>
    (await rows(source, request(most, draw))).labels.map((one) => Math.round(5 * (one + 1)));

  test("keeps no more than the declared rows of each, and none that belong to nobody", async () => {
    const counts = (found: readonly number[]) =>
      [[1, 3, 4], [2, 6], [5]].map((of) => found.filter((y) => of.includes(y)).length);
    expect(counts(await kept(text, 1))).toEqual([1, 1, 0]);
    expect(counts(await kept(text, 2))).toEqual([2, 2, 0]);
    expect(await kept(text, 3)).toEqual([1, 2, 3, 4, 6]);
    for (const most of [1, 2, 3])
      expect(
        await kept(
          stream(2, (i) => (i === 0 ? text.slice(0, 9) : text.slice(9))),
          most,
        ),
      ).toEqual(await kept(text, most));
  });

  test("takes a mark of a missing value for nobody's id, as it is declared", async () => {
    const marked = "id,y\nNA,1\n ? ,2\nnone,3\na,4\n";
    close((await rows(marked, request(9))).labels, [3, 4].map(label));
    const own = declared({
      unit: { protects: "patient", rows: 9, column: "id" },
      columns: [],
      rowNorm: 1,
      missingMarks: ["none"],
    });
    close((await rows(marked, own)).labels, [1, 2, 4].map(label));
  });

  test("does not lose rows to those that are left out", async () => {
    close((await rows("id,y\na,?\na,1\n", request(1))).labels, [-0.8]);
  });
});

describe("coefficients in original units", () => {
  test("say of every row what the model of its features says", async () => {
    const columns = [
      { name: "a", use: "numeric", range: [1900, 2030], missing: "drop" },
      { name: "b", use: "numeric", range: [-0.003, 0.001], missing: "drop" },
      { name: "c", use: "categorical", levels: ["x", "y", "z"], missing: "drop" },
    ];
    const values = [
      [1950.5, -0.002, "x", 77],
      [2029, 0.0005, "z", -20],
      [1900, 0.001, "w", 300],
    ] as const;
    const text = `a,b,c,y\n${values.map((row) => row.join(",")).join("\n")}\n`;
    for (const intercept of [0, 1, 2.5]) {
      const label = { name: "y", use: "numeric", range: [-50, 300], missing: "drop" };
      const request = declared({ columns, label, intercept });
      const coefficients = [0.7, -1.3, 2.1, -0.4, 0.9, 1.7].slice(0, featureMap(request).dimension);
      const model = toTableUnits(request, coefficients);
      const coefficient = (column: string, level?: string) =>
        model.terms.find((term) => term.column === column && term.level === level)?.coefficient ?? 0;
      const { features, labels } = await rows(text, request);
      values.forEach(([a, b, c, y], i) => {
        const fitted = (features[i] as number[]).reduce(
          (sum, x, j) => sum + x * (coefficients[j] as number),
          0,
        );
        const inUnits = -50 + 350 * ((fitted + 1) / 2);
        const said = model.intercept + a * coefficient("a") + b * coefficient("b") + coefficient("c", c);
        expect(Math.abs(said / inUnits - 1)).toBeLessThan(1e-12);
        expect(Math.abs(-50 + 350 * (((labels[i] as number) + 1) / 2) - y)).toBeLessThan(1e-12 * 350);
      });
    }
  });

  test("are exact where all numbers are", () => {
    const columns = [{ name: "a", use: "numeric", range: [1, 3], missing: "drop" }];
    const label = { name: "y", use: "classes", levels: ["0", "1"], missing: "drop" };
    expect(toTableUnits(declared({ columns, label }), [2, 0.5])).toEqual({
      intercept: 0.5 - 4,
      terms: [{ column: "a", coefficient: 2 }],
    });
  });
});

describe("columns that the file lacks, or has twice, are refused", () => {
  test.each<[string, object, string]>([
    [
      "age,dose,y",
      {},
      'table.columns.1.name = "sex": no such column in the file; there are "age", "dose", "y"',
    ],
    ["age,sex,dose,sex,y", {}, 'table.columns.1.name = "sex": is the name of several columns of the file'],
    ["age,sex,dose", {}, 'table.label.name = "y"'],
    ["age,sex,dose,y", { unit: { protects: "p", rows: 1, column: "id" } }, 'table.unit.column = "id"'],
  ])("%s", async (header, changes, words) => {
    expect(await refused(() => rows(`${header}\n1,f,1,1\n`, declared(changes)))).toContain(words);
  });
});

test("rows come in chunks of bounded size, none lost between them", async () => {
  // Five rows, so that the chunks do not begin alike.
  const pattern = "40,f,1,10\n20,m,1,0\n?,x,1,5\n40,f,1,10\n40,f,1,10\n";
  let most = 0;
  let labels = 0;
  let sum = 0;
  const source = stream(200, (i) => (i === 0 ? "age,sex,dose,y\n" : pattern.repeat(300)));
  await preprocess(source, CSV, declared(), (features, some) => {
    most = Math.max(most, features.length);
    labels += some.length;
    // The indicator of the second level, which is not set by rows before.
    for (let i = 2; i < features.length; i += 5) sum += features[i] as number;
  });
  expect(labels).toBe(199 * 1500);
  expect(most).toBeLessThanOrEqual(1 << 18);
  expect(sum / (199 * 300 * s)).toBeCloseTo(1, 9);
});

describe("a file without a header", () => {
  const request = declared({
    columns: [{ name: "column 1", use: "numeric", range: [20, 60], missing: "drop" }],
    label: { name: "column 3", use: "numeric", range: [0, 10], missing: "drop" },
  });
  const format = { ...CSV, header: false };
  const without = "40,a,5\n60,b,10\n";

  // Whatever record comes first, it changes its own row and no other.
  test.each(["40,a,5,6,7\n", "40\n", "\n", " \n", "40,a,5\n"])(
    "is not cut by its first row, %j",
    async (first) => {
      const { labels } = await rows(first + without, request, format);
      expect(labels.slice(-2)).toEqual([0, 1]);
      expect(labels.length).toBe(first.startsWith("40,") ? 3 : 2);
    },
  );

  test("may have no row, as one with a header", async () => {
    expect(await rows("", request, format)).toEqual({ features: [], labels: [] });
    expect(await rows("\n\n", request, format)).toEqual({ features: [], labels: [] });
  });
});
