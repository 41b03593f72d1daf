/** Hostile tables through a whole fit: each is refused in its own sentence, or fitted as what it says. */

import { beforeAll, describe, expect, test } from "vitest";
import { type Engine, open } from "../../wasm/engine.ts";
import type { Source } from "../../wasm/table/source.ts";
import { fitModel } from "./model.ts";
import { numeric, refused } from "./table/support.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await open();
});

const ALGORITHMS = {
  "by sums": { name: "ada-ssp" },
  "row by row": { name: "approximate-minima-perturbation", loss: "squared", gradientBound: 2 },
};

const HTML = "<img src=x onerror=alert(1)>";

const asked = (algorithm: object, name = "x") => ({
  table: {
    unit: { protects: "row", rows: 1 },
    columns: [numeric(name, [-10, 10])],
    label: { name: "y", use: "numeric", range: [-20, 20], missing: "drop" },
    rowNorm: 1,
  },
  algorithm,
  budget: { epsilon: 1, delta: 1e-5 },
  seed: 20,
});

const table = (...rows: string[]) => `x,y\n${rows.map((row) => `${row}\n`).join("")}`;
const good = table(...Array.from({ length: 200 }, (_, i) => `${(i % 21) - 10},${2 * ((i % 21) - 10)}`));
const wide = Array.from({ length: 100_000 }, (_, i) => `c${i}`).join(",");

const REFUSED: readonly (readonly [string, Source, string])[] = [
  [
    "binary",
    new Blob([Uint8Array.from({ length: 2000 }, (_, i) => (i * 37) % 256)]),
    'table.columns.0.name = "x": no such column in the file',
  ],
  ["0 bytes", new Blob([]), "file = no cell: holds no table: every line is blank"],
  [
    "a workbook",
    "PK\x03\x04",
    "file = its first bytes: is a ZIP archive, such as an .xlsx workbook: save the sheet as CSV first",
  ],
  ["one column", "x\n1\n2\n", 'table.label.name = "y": no such column in the file; there are "x"'],
  [
    "100 000 columns",
    `${wide}\n${wide}\n`,
    "file = 100000 columns: a table may have at most 10000 columns; is the delimiter right?",
  ],
  [
    "an open quotation mark in the header",
    'x,"y\n1,2\n',
    "file = row 1: opens a quotation mark that is not closed on its line",
  ],
];

/** Beside each, the name of its first column, and a plain table that says the same. */
const FITTED: readonly (readonly [string, Source, string, string])[] = [
  ["one row", "x,y\r\n1,2", "x", table("1,2")],
  ["no value anywhere", table("?,NA", ",", "NaN,null"), "x", table()],
  ["a constant column", table("5,1", "5,2", "5.0,3"), "x", table("5,1", "5,2", "5,3")],
  ["NaN in a cell", `${good}NaN,3\n4,NaN\n`, "x", good],
  ["1e308 in a cell", `${good}1e308,1e308\n-1e999,-1e999\n`, "x", `${good}10,20\n-10,-20\n`],
  ["a formula in a cell", `${good}=1+1,3\n"=HYPERLINK(""http://a"")",3\n4,@SUM(A1)\n`, "x", good],
  ["an open quotation mark", `${good}3,"4\n`, "x", good],
  ["bytes that are no text", `${good}3,4\x00\n`, "x", good],
  ["HTML in a header", good.replace("x", HTML), HTML, good],
];

describe.each(Object.entries(ALGORITHMS))("%s", (_, algorithm) => {
  /** All that is released, without the names of columns. */
  async function fitted(source: Source, name = "x") {
    const { request: _, coefficients, ...released } = await fitModel(engine, source, asked(algorithm, name));
    const { terms, intercept } = coefficients;
    expect(terms.map(({ column }) => column)).toEqual([name]);
    const numbers = [...terms.map(({ coefficient }) => coefficient), intercept];
    for (const number of numbers) expect(number).toSatisfy(Number.isFinite);
    return { ...released, numbers };
  }

  let before: object;
  beforeAll(async () => {
    before = await fitted(good);
  });

  test.each(REFUSED)("%s: refused, and the next table is fitted as ever", async (_, source, sentence) => {
    expect(await refused(() => fitted(source))).toContain(sentence);
    expect(await fitted(good)).toEqual(before);
  });

  test.each(FITTED)(
    "%s: fitted as what it says, and the next table is fitted as ever",
    async (_, source, name, plain) => {
      expect(await fitted(source, name)).toEqual(await fitted(plain));
      expect(await fitted(good)).toEqual(before);
    },
  );
});
