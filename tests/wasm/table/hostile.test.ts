/** Files that are not what they seem: each is answered with its own sentence, and the next one is read as ever. */
import { describe, expect, test } from "vitest";
import { checkTable } from "../../../wasm/table/declaration.ts";
import { inspect, proposeLevels } from "../../../wasm/table/inspect.ts";
import { preprocess } from "../../../wasm/table/preprocess.ts";
import type { Source } from "../../../wasm/table/source.ts";
import { CSV, refused, sniffed, stream, table } from "./support.ts";

const request = checkTable({
  unit: { protects: "row", rows: 1 },
  columns: [{ name: "x", use: "numeric", range: [0, 1], missing: { constant: 0 } }],
  label: { name: "y", use: "numeric", range: [0, 1], missing: "drop" },
  rowNorm: 1,
});

async function fitted(source: Source): Promise<number> {
  let rows = 0;
  await preprocess(source, await sniffed(source), request, (_, labels) => {
    rows += labels.length;
  });
  return rows;
}

const noticed = async (source: Source) =>
  (await inspect(source, await sniffed(source), request)).notices.map(({ kind, column }) =>
    [kind, column].join(" "),
  );

describe("a hostile file", () => {
  test("that is binary, or has no bytes", async () => {
    expect(await refused(() => fitted(new Blob([Uint8Array.of(0, 159, 146, 150)])))).toContain("is binary");
    expect(await refused(() => fitted(""))).toBe("file = 0 bytes: is empty: there is no table in it");
    expect(await refused(() => table("\n \n\n"))).toContain("every line is blank");
  });

  test("that turns out to be binary later is still read as text", async () => {
    const bytes = new Uint8Array(200_000).fill(0x2c);
    const blob = new Blob(["x,y\n1,1\n", "0.5,0.5\n".repeat(10_000), bytes]);
    expect(await fitted(blob)).toBe(10_001);
  });

  test("with one column, one row, no row", async () => {
    expect(await noticed("y\n1\n2\n")).toEqual(["one-column "]);
    expect(await noticed("x,y\n1,1\n")).toEqual(["one-row "]);
    expect(await noticed("x,y\n")).toEqual(["no-rows "]);
    expect(await refused(() => fitted("y\n1\n2\n"))).toContain('table.columns.0.name = "x": no such column');
    expect(await fitted("x,y\n1,1\n")).toBe(1);
    expect(await fitted("x,y\n")).toBe(0);
  });

  test("with nothing but missing values, or the same value everywhere", async () => {
    expect(await noticed("x,y\n?,NA\n,\n")).toEqual(["all-missing x", "all-missing y"]);
    expect(await fitted("x,y\n?,NA\n,\n")).toBe(0);
    expect(await noticed("x,y\n1,1\n1,2\n1,?\n")).toEqual(["constant x", "some-missing y"]);
    expect(await fitted("x,y\n1,1\n1,2\n1,?\n")).toBe(2);
  });

  test("with 100 000 columns", async () => {
    const names = Array.from({ length: 100_000 }, (_, i) => `c${i}`).join(",");
    const many = `${names}\n${names}\n`;
    const words = "file = 100000 columns: a table may have at most 10000 columns; is the delimiter right?";
    expect(await refused(() => fitted(many))).toBe(words);
    expect(await refused(() => table(`${"a,".repeat(99_999)}b`))).toBe(words);
  });

  test("whose quotation marks never close: each spoils its own line", async () => {
    expect(await fitted('x,y\n1,1\n2,"1\n3,1\n4,1\n')).toBe(3);
    const { rows, problems } = await table('x,y\n1,1\n"2,1\n3,1\n');
    expect(rows).toEqual([
      ["1", "1"],
      ["", ""],
      ["3", "1"],
    ]);
    expect(problems.found).toEqual([
      { kind: "quotes", row: 3, rule: "opens a quotation mark that is not closed on its line" },
    ]);
    await expect(refused(() => table('x,"y\n1,1\n'))).resolves.toContain("row 1: opens a quotation mark");
  });

  test("whose quotation marks never close where they may hold line ends: what they hold is one row", async () => {
    const format = { ...CSV, multiline: true };
    const { rows } = await table('x,y\n1,1\n2,"1\n3,1\n', format);
    expect(rows).toEqual([
      ["1", "1"],
      ["", ""],
    ]);
    // Given up after 4 MiB, and the lines from there on are read again.
    const long = stream(101, (i) => (i === 0 ? 'x,y\n1,1\n"' : "1,1\n".repeat(16_000)));
    const found = await table(long, format);
    expect(found.problems.found[0]?.rule).toBe("is longer than 4194304 characters");
    expect(found.rows.filter((row) => row?.[0] === "1").length).toBeGreaterThan(400_000);
  });

  test("with a line that is too long: it counts as a row without values", async () => {
    const lines = stream(100, (i) => (i === 0 ? "x,y\n1,1\n" : i === 99 ? "\n2,2\n" : "1,".repeat(32_000)));
    const { rows, problems } = await table(lines);
    expect(rows).toEqual([
      ["1", "1"],
      ["", ""],
      ["2", "2"],
    ]);
    expect(problems.found[0]?.rule).toBe("is longer than 4194304 characters");
  });

  test("made of quotation marks", async () => {
    const open = "opens a quotation mark that is not closed on its line";
    expect(await refused(() => table('"'.repeat(300_001)))).toBe(`file = row 1: ${open}`);
    const { rows, problems } = await table('x,y\n"a"b"'.repeat(20_000));
    expect([rows.length, problems.found[0]?.rule]).toEqual([
      20_000,
      "has text between a closing quotation mark and the next cell",
    ]);
    expect(await refused(() => table('"x"y"z\n'.repeat(20_000)))).toBe(
      "file = no cell: holds no table: every line is blank",
    );
  });

  test("with NaN, 1e308, a formula and HTML: texts are listed, by row and column, and counted as missing", async () => {
    const text =
      'x,y,<img src=x onerror=alert(1)>\nNaN,1,1\n1e308,1,1\n"=HYPERLINK(""http://a"")",1,1\n$5,1,1\n';
    const found = await inspect(text, CSV, request);
    expect(found.problems).toEqual([
      {
        kind: "text",
        row: 4,
        column: 1,
        rule: 'is not a number: "=HYPERLINK(\\"http://a\\")"; it counts as missing',
      },
      { kind: "text", row: 5, column: 1, rule: 'is not a number: "$5"; it counts as missing' },
    ]);
    // What a page shows, it shows as text: the name is not touched here.
    expect(found.columns.map(({ name }) => name)).toEqual(["x", "y", "<img src=x onerror=alert(1)>"]);
    expect(await fitted(text)).toBe(4);
  });

  test("with columns named like what every object has", async () => {
    const text = "__proto__,constructor,toString\n1,2,3\n0,1,3\n";
    const columns = [{ name: "__proto__", use: "numeric", range: [0, 1], missing: "drop" }];
    const label = { name: "constructor", use: "numeric", range: [0, 4], missing: "drop" };
    const labels: number[] = [];
    await preprocess(text, CSV, checkTable({ ...request, columns, label }), (_, some) =>
      labels.push(...some),
    );
    expect(labels).toEqual([0, -0.5]);
  });
});

describe("levels read off the data", () => {
  test("are proposed with a warning, sorted and without missing values", async () => {
    const { levels, warning } = await proposeLevels("x,y\n b,1\na,1\n?,1\n,1\nb,1\n", CSV, "x");
    expect(levels).toEqual(["a", "b"]);
    expect(warning).toContain("read off the data");
  });

  test("are refused when there are too many", async () => {
    const text = `x,y\n${Array.from({ length: 1001 }, (_, i) => `${i},1`).join("\n")}`;
    expect(await refused(() => proposeLevels(text, CSV, "x"))).toContain("more than 1000 different values");
    expect(await refused(() => proposeLevels("x,y\n", CSV, "z"))).toContain("no such column");
  });
});
