/** A request's skeleton is made of a header alone: what stands behind it is not even read. */

import {
  closeSync,
  mkdtempSync,
  openAsBlob,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { checkRequest } from "../../wasm/release/fit-request.ts";
import { type SkeletonOptions, skeleton } from "../../wasm/release/skeleton.ts";
import { command, PROGRAM, run } from "./run.ts";
import { refused } from "./table/support.ts";

const folder = mkdtempSync(join(tmpdir(), "epsilometer-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Filled {
  readonly table: { readonly columns: readonly { readonly name: string }[] };
  readonly format?: object;
}

const requestOf = async (...asked: Parameters<typeof skeleton>) =>
  (await skeleton(...asked)).request as Filled;
const names = async (...asked: Parameters<typeof skeleton>) =>
  (await requestOf(...asked)).table.columns.map(({ name }) => name);

/** Bytes that tell how many of them were read, and fail behind the header. */
function watched(content: Uint8Array, most: number) {
  const told = { read: 0 };
  const stream = new ReadableStream({
    type: "bytes",
    pull(controller) {
      const view = controller.byobRequest?.view as Uint8Array;
      const end = told.read + view.byteLength;
      if (end > most) throw new Error(`byte ${end} was read, the header has ${most}`);
      view.set(content.subarray(told.read, end));
      told.read = end;
      controller.byobRequest?.respond(view.byteLength);
    },
  });
  return { told, stream };
}

const utf16 = (text: string, isLittle: boolean) =>
  Uint8Array.from(
    [..."\ufeff", ...text].flatMap((one) => {
      const code = one.charCodeAt(0);
      return isLittle ? [code & 255, code >> 8] : [code >> 8, code & 255];
    }),
  );

const HEADERS: readonly (readonly [string, SkeletonOptions["format"], readonly string[]])[] = [
  ["age,sex,pay\n", undefined, ["age", "sex", "pay"]],
  ['\ufeffage, sex ,"a ""b"""\r\n', undefined, ["age", "sex", 'a "b"']],
  ["\n  \nage;sex, years\n", { delimiter: ";" }, ["age", "sex, years"]],
  ["age\tsex\r", { delimiter: "\t", newline: "\r" }, ["age", "sex"]],
  ['age,"in\nyears"\n', { multiline: true }, ["age", "in\nyears"]],
  ["größe,łódź\n", undefined, ["größe", "łódź"]],
];

test.each(HEADERS)("the header %j is all that is read", async (header, format, expected) => {
  const bytes = new TextEncoder().encode(header);
  const whole = new TextEncoder().encode(`${header}31,f,2900\n`);
  const { told, stream } = watched(whole, bytes.length);
  expect(await names(stream, { format })).toEqual(expected);
  expect(told.read).toBe(bytes.length);
  expect(await names(new Blob([whole]), { format })).toEqual(expected);
  expect(await names(`${header}31,f,2900\n`, { format })).toEqual(expected);
});

test.each(["utf-16le", "utf-16be"] as const)(
  "in %s a line ends with both bytes of its end",
  async (encoding) => {
    const isLittle = encoding === "utf-16le";
    // Ċ has a byte 10, and no line ends there.
    const header = utf16("ageĊ,ਠ\n", isLittle);
    const { told, stream } = watched(Uint8Array.from([...header, 51, 0]), header.length);
    expect(await names(stream, { format: { encoding } })).toEqual(["ageĊ", "ਠ"]);
    expect(told.read).toBe(header.length);
  },
);

test.each(["age,sex", "age", "", "\n", "\n \n", '"age'])(
  "a file that ends within its header is read to its end, however it comes: %j",
  async (content) => {
    const bytes = new TextEncoder().encode(content);
    const path = join(folder, "short.csv");
    writeFileSync(path, bytes);
    const told = (source: Parameters<typeof skeleton>[0]) =>
      names(source).catch((error) => (error as Error).message);
    const expected = await told(content);
    expect(await told(new Blob([bytes]))).toEqual(expected);
    expect(await told(new Blob([bytes]).stream())).toEqual(expected);
    expect(await told(await openAsBlob(path))).toEqual(expected);
    const chunks = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes);
        controller.close();
      },
    });
    expect(await told(chunks)).toEqual(expected);
    const { status, stdout, stderr } = command(["skeleton", path]);
    if (typeof expected === "string") expect(stderr).toContain(expected.split(": ").at(-1));
    expect(status === 0).toBe(Array.isArray(expected));
    if (status === 0)
      expect(JSON.parse(stdout).table.columns.map(({ name }: { name: string }) => name)).toEqual(expected);
  },
);

test("what cannot be read, or is not asked for, is refused by name", async () => {
  const failing = new ReadableStream({
    type: "bytes",
    pull() {
      throw new Error("the disk is gone");
    },
  });
  expect(await refused(() => skeleton(failing))).toContain("file = its bytes: cannot be read: the disk");
  expect(command(["skeleton", folder]).stderr).toContain("cannot be read");
  expect(await refused(() => skeleton("a\n", { fromat: {} } as SkeletonOptions))).toContain("options.fromat");
  // Pasted text is no bytes in the encoding of a file.
  expect(await names("age,sex\n1,f\n", { format: { encoding: "utf-16le" } })).toEqual(["age", "sex"]);
  const long = "x".repeat(1001);
  expect((await skeleton(`age,${long}\n`)).unusable).toEqual([long]);
});

test("of a stream in chunks no further one is asked for, and the rest can still be read", async () => {
  let asked = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        asked++;
        controller.enqueue(new TextEncoder().encode(["age,", "sex\n", "31,f\n"][asked - 1]));
        if (asked === 3) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  expect(await names(stream)).toEqual(["age", "sex"]);
  expect(asked).toBe(2);
  const { value } = await stream.getReader().read();
  expect(new TextDecoder().decode(value)).toBe("31,f\n");
});

test("a table without a header is not touched, and its columns are numbered", async () => {
  const { told, stream } = watched(new Uint8Array(8), 0);
  expect(await names(stream, { format: { header: false }, columns: 2 })).toEqual(["column 1", "column 2"]);
  expect(told.read).toBe(0);
  expect(await requestOf(undefined, { format: { header: false }, columns: 2 })).toMatchObject({
    format: { header: false, delimiter: "," },
  });
});

test("every blank is refused by name until it is filled in, and nothing is decided for anybody", async () => {
  const { request, blanks, unusable } = await skeleton("age,,sex,pay,sex\n");
  expect(unusable).toEqual(["", "sex"]);
  const filled = JSON.parse(JSON.stringify(request));
  expect(filled.table.columns).toEqual([
    { name: "age", use: "ignored", range: [], missing: "" },
    { name: "pay", use: "ignored", range: [], missing: "" },
  ]);
  const { table, algorithm, budget } = filled;
  const [age] = table.columns;
  // In the order in which they are refused, each with the answer that ends it.
  const answers: readonly (readonly [field: string, object: object, key: string, answer: unknown])[] = [
    ["table.unit.protects", table.unit, "protects", "person"],
    ["table.unit.rows", table.unit, "rows", 1],
    ["table.label.use", table.label, "use", "numeric"],
    ["table.label.name", table.label, "name", "pay"],
    ["table.label.range", table.label, "range", [0, 10_000]],
    ["table.label.missing", table.label, "missing", "drop"],
    ["algorithm.name", algorithm, "name", "ada-ssp"],
    ["budget.epsilon", budget, "epsilon", 1],
    ["budget.delta", budget, "delta", 1e-6],
    ["table.label.name", table.columns, "length", 1],
    ["table.columns.0.range", age, "range", [18, 70]],
    ["table.columns.0.missing", age, "missing", "drop"],
  ];
  for (const [field, object, key, answer] of answers) {
    expect(await refused(() => checkRequest(filled))).toMatch(`${field} = `);
    expect(blanks.some((blank) => blank.includes(field.split(".").slice(0, 2).join(".")))).toBe(true);
    Reflect.set(object, key, answer);
    // A table of which no column is used is one as well.
    if (key === "length") age.use = "numeric";
  }
  expect(checkRequest(filled).table.columns).toEqual([
    { name: "age", use: "numeric", range: [18, 70], missing: "drop" },
  ]);
});

test("blanks of an ignored column are not kept, and what is filled in there is refused", async () => {
  const request = (ignored: object) => ({
    table: {
      unit: { protects: "person", rows: 1 },
      columns: [
        { name: "age", use: "numeric", range: [0, 1], missing: "drop" },
        { name: "other", use: "ignored", ...ignored },
      ],
      label: { name: "pay", use: "numeric", range: [0, 1], missing: "drop" },
    },
    algorithm: { name: "ada-ssp" },
    budget: { epsilon: 1, delta: 1e-6 },
  });
  const [plain, blank] = [request({}), request({ range: [], missing: "" })];
  expect(JSON.stringify(checkRequest(blank))).toBe(JSON.stringify(checkRequest(plain)));
  for (const [key, value] of Object.entries({ range: [0, 1], missing: "drop", levels: [] }))
    expect(await refused(() => checkRequest(request({ [key]: value })))).toMatch(`table.columns.1.${key}`);
});

test("what is no table, or names no columns, is refused", async () => {
  expect(await refused(() => skeleton("PK\u0003\u0004…\n"))).toContain("ZIP");
  expect(await refused(() => skeleton('age,"sex\n31,f\n'))).toContain("quotation mark");
  expect(await refused(() => skeleton(" \n\n"))).toContain("every line is blank");
  expect(await refused(() => skeleton("a,b\n", { columns: 2 }))).toMatch(/^columns = 2/);
  expect(await refused(() => skeleton("a,b\n", { format: { header: false } }))).toMatch(/^columns = nothing/);
  expect(await refused(() => skeleton(undefined))).toMatch(/^table = nothing/);
  expect(await refused(() => skeleton("a\n", { format: { delimiter: "x" as "," } }))).toMatch(
    /^format.delimiter/,
  );
});

test("the command leaves all behind the header to whoever reads standard input next", () => {
  const table = join(folder, "data.csv");
  const rows = "31,f,2900\n45,m,3100\n";
  writeFileSync(table, `age,sex,pay\n${rows}`);
  let file = 0;
  const { stdout, stderr, status } = run(process.execPath, [PROGRAM, "skeleton", "-"], () => {
    file = openSync(table, "r");
    return { stdio: [file, "pipe", "pipe"] };
  });
  // The file is the same for both, and so is the place up to which it was read.
  const rest = Buffer.alloc(100);
  const length = readSync(file, rest, 0, 100, null);
  closeSync(file);
  expect([status, rest.toString("utf8", 0, length)]).toEqual([0, rows]);
  expect(stderr).toContain("table.unit.rows");
  expect(command(["skeleton", table]).stdout).toBe(stdout);
  expect(JSON.parse(stdout).table.columns).toHaveLength(3);
  const format = join(folder, "format.json");
  writeFileSync(format, '{"delimiter": ";"}');
  const other = command(["skeleton", "--columns", "2", "--format", format]);
  expect(JSON.parse(other.stdout).format).toMatchObject({ delimiter: ";", header: false });
  expect(readFileSync(table, "utf8")).toContain(rows);
});
