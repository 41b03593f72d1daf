/** What is guessed from the beginning of a file. */
import { describe, expect, test } from "vitest";
import { FORMAT } from "../../../wasm/table/format.ts";
import { sniff } from "../../../wasm/table/sniff.ts";
import { BEGINNING } from "../../../wasm/table/source.ts";
import { CSV, refused, sniffed } from "./support.ts";

describe("the spelling of a table", () => {
  test.each<[string, string, object]>([
    ["commas", "a,b\n1,2\n3,4\n", {}],
    ["tabs", "a\tb\n1,5\t2,5\n3,5\t4,5\n", { delimiter: "\t", decimal: "," }],
    ["semicolons with decimal commas", "a;b\n1,5;2,5\n3,5;4,25\n", { delimiter: ";", decimal: "," }],
    [
      "semicolons with decimal commas and no header",
      "1,5;2,5\n3,5;4\n",
      { delimiter: ";", decimal: ",", header: false },
    ],
    ["bars", "a|b\n1|2\n", { delimiter: "|" }],
    ["quoted decimal commas", 'a,b\n"1,5","2,5"\n"3,5","4,5"\n', { decimal: "," }],
    ["semicolons inside quoted text", 'a,b\n"x;y",1\n"z;w",2\n', {}],
    ["single quotation marks", "'a','b, c'\n'x','y, z'\n'x','y, z'\n", { quote: "'" }],
    ["an apostrophe and an inch", "a,b\n'tis,5\n6\" nail,7\n", {}],
    ["no header", "1,2\n3,4\n", { header: false }],
    ["carriage returns alone", "a,b\r1,2\r3,4\r", { newline: "\r" }],
    ["carriage returns and line feeds", "a,b\r\n1,2\r\n3,4\r\n", {}],
    ["a quoted line break", 'a,b\n"x\ny",1\n"z\nw",2\n', { multiline: true }],
    ["a header that is all there is", "a,b", {}],
    ["blank lines first", "\n\na;b\n1;2\n", { delimiter: ";" }],
    ["one column", "a\n1\n2\n", {}],
  ])("%s", async (_, text, expected) => {
    const format = await sniffed(text);
    expect(format).toEqual({ ...CSV, ...expected });
    expect(FORMAT.check("format", format)).toEqual(format);
  });

  test("encodings", async () => {
    const utf16 = (text: string, little: boolean) => {
      const bytes = Buffer.from(`\uFEFF${text}`, "utf16le");
      return new Blob([little ? bytes : bytes.swap16()]);
    };
    expect((await sniffed(new Blob(["\uFEFFé,b\n1,2\n"]))).encoding).toBe("utf-8");
    expect(await sniffed(utf16("é;b\n1;2\n", true))).toEqual({
      ...CSV,
      encoding: "utf-16le",
      delimiter: ";",
    });
    expect(await sniffed(utf16("é;b\n1;2\n", false))).toEqual({
      ...CSV,
      encoding: "utf-16be",
      delimiter: ";",
    });
    expect((await sniffed(new Blob([Uint8Array.of(0xe9, 44, 98, 10, 49, 44, 50)]))).encoding).toBe(
      "windows-1252",
    );
  });

  test("a character that the end of the beginning cuts in two is no reason to doubt UTF-8", () => {
    const text = `a,b\n${"1,2\n".repeat(BEGINNING / 4)}`;
    const bytes = new TextEncoder().encode(text).slice(0, BEGINNING);
    bytes[BEGINNING - 1] = 0xc3;
    expect(sniff(bytes).encoding).toBe("utf-8");
  });
});

describe("what is no table is said to be what it is", () => {
  test.each<[string, BlobPart, string]>([
    ["0 bytes", "", "is empty"],
    ["blanks", " \r\n\n\t ", "nothing but blanks"],
    ["a workbook", "PK\x03\x04 and so on", "save the sheet as CSV"],
    ["gzip", Uint8Array.of(0x1f, 0x8b, 8, 0), "unpack it first"],
    ["Parquet", "PAR1", "is a Parquet file"],
    ["a document", "%PDF-1.7", "is a PDF document"],
    ["a database", "SQLite format 3\0", "is an SQLite database"],
    ["binary", Uint8Array.of(7, 0, 1, 2, 255, 254), "is binary"],
    ["UTF-16 without a mark", Buffer.from("a,b\n1,2\n", "utf16le"), "byte-order mark"],
  ])("%s", async (_, content, words) => {
    expect(await refused(() => sniffed(new Blob([content])))).toContain(words);
  });
});
