/**
 * Rows are read from bytes where they stand, or from decoded text: whatever a file holds, both say the same. UTF-16 is
 * always decoded, and numbers in it are read by the platform.
 */
import { expect, test } from "vitest";
import { SeededRandom } from "../../../wasm/engine/seeded-random.ts";
import { checkTable } from "../../../wasm/table/declaration.ts";
import type { Format } from "../../../wasm/table/format.ts";
import { parse } from "../../../wasm/table/parse.ts";
import { preprocess } from "../../../wasm/table/preprocess.ts";
import type { Source } from "../../../wasm/table/source.ts";
import { CSV } from "./support.ts";

const PARTS = [
  ..."0123456789.-+eE,;\"' \t\r\n\u0000\u0007",
  ..."\n\n,,;;",
  "1.5",
  "-0",
  "NA",
  "x",
  "é",
  "𝄞",
  "\uFEFF",
  '""',
];

const textOf = (random: SeededRandom, length: number) =>
  Array.from({ length }, () => PARTS[Math.floor(random.uniform() * PARTS.length)]).join("");

function cut(bytes: Uint8Array, size: number): Source {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (let i = 0; i < bytes.length; i += size) controller.enqueue(bytes.slice(i, i + size));
      controller.close();
    },
  });
}

const request = checkTable({
  unit: { protects: "row", rows: 1 },
  columns: [
    { name: "column 1", use: "numeric", range: [-10, 10], missing: { constant: 0.5 } },
    { name: "column 2", use: "categorical", levels: ["x", "NA", "1.5"], missing: { constant: "x" } },
  ],
  label: { name: "column 3", use: "numeric", range: [-100, 100], missing: { constant: 1 } },
});

/** All that is read of it, as rows of cells and as numbers, or why nothing is. */
async function read(source: () => Source, format: Format, table = request): Promise<unknown> {
  const rows: unknown[] = [];
  const numbers: number[][] = [];
  try {
    for await (const batch of parse(source(), format)) rows.push(...batch.rows);
    await preprocess(source(), format, table, (...parts) => {
      numbers.push(...parts.map((part) => [...part]));
    });
  } catch (error) {
    return [rows, (error as Error).message];
  }
  return [rows, numbers];
}

const twice = async (text: string, format: Format, size: number, table = request) => {
  const bytes = new TextEncoder().encode(text);
  const wide = Uint8Array.from(Buffer.from(text, "utf16le"));
  return [
    await read(() => cut(bytes, size), format, table),
    await read(() => new Blob([wide]), { ...format, encoding: "utf-16le" }, table),
  ];
};

test("the rows and the numbers of a file do not depend on how its bytes are read", async () => {
  const random = new SeededRandom(11);
  let rows = 0;
  for (let i = 0; i < 200; i++) {
    const format: Format = {
      ...CSV,
      header: false,
      delimiter: random.uniform() < 0.5 ? "," : ";",
      quote: (['"', "'", ""] as const)[Math.floor(3 * random.uniform())] as Format["quote"],
      decimal: random.uniform() < 0.5 ? "." : ",",
      newline: random.uniform() < 0.8 ? "\n" : "\r",
      multiline: random.uniform() < 0.3,
    };
    const [one, other] = await twice(textOf(random, 120), format, 1 + Math.floor(40 * random.uniform()));
    expect(one, JSON.stringify(format)).toEqual(other);
    rows += ((one as unknown[])[0] as unknown[]).length;
  }
  expect(rows).toBeGreaterThan(1000);
});

test("a short number is the one that the platform reads, to the last bit", async () => {
  const random = new SeededRandom(5);
  const digits = (count: number) =>
    Array.from({ length: count }, () => Math.floor(10 * random.uniform())).join("");
  const cells = Array.from({ length: 3000 }, () => {
    const [before, after] = [Math.floor(18 * random.uniform()), Math.floor(18 * random.uniform())];
    const sign = ["", "-", "+"][Math.floor(3 * random.uniform())];
    const point = random.uniform() < 0.8 ? "." : "";
    const exponent = random.uniform() < 0.1 ? "e-3" : "";
    return `${sign}${digits(before)}${point}${digits(after)}${exponent}`;
  });
  cells.push("-0", "0.", ".", "-.5", "+", "", "999999999999999", "9999999999999999", "0.000000000000001");
  const text = cells.map((cell) => `${cell};x;1\n`).join("");
  const wide = checkTable({
    ...request,
    columns: [
      { name: "column 1", use: "numeric", range: [-1e99, 1e99], missing: { constant: 7 } },
      request.columns[1],
    ],
  });
  const format: Format = { ...CSV, header: false, delimiter: ";" };
  const [one, other] = (await twice(text, format, 1000, wide)) as [unknown[][], unknown[][]];
  expect(one[1]?.[0]).toHaveLength(5 * cells.length);
  expect(one).toEqual(other);
});

test("a line that is too long is one spoilt row, and the next is read", async () => {
  const long = "1".repeat(4 * 1024 * 1024 + 1);
  for (const line of [long, "é".repeat(4 * 1024 * 1024)]) {
    const text = `0,x,1\n${line},x,2\n1,x,3\n`;
    const [one, other] = await twice(text, { ...CSV, header: false }, 500_000);
    expect(one).toEqual(other);
  }
});
