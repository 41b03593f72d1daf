/** Rows out of bytes: whatever the pieces, whatever the line ends, in bounded memory, and stopped at once. */

import { describe, expect, test } from "vitest";
import { open } from "../../../wasm/engine.ts";
import { parse } from "../../../wasm/table/parse.ts";
import { peek } from "../../../wasm/table/source.ts";
import { fitModel } from "../model.ts";
import { CSV, numeric, refused, stream, table } from "./support.ts";

describe("rows", () => {
  const text = '\uFEFFid,"na""me", note \r\n1,"Ж, x","two\r\nlines"\r\n\r\n2,é𝄞,""\n3,"",last';
  const rows = [["1", "Ж, x", "two\r\nlines"], undefined, ["2", "é𝄞", ""], ["3", "", "last"]];

  test("are the same however the bytes arrive", async () => {
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 2, 3, 7, 1000]) {
      const pieces = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let i = 0; i < bytes.length; i += size) controller.enqueue(bytes.slice(i, i + size));
          controller.close();
        },
      });
      const found = await table(pieces, { ...CSV, multiline: true });
      expect(found.names).toEqual(["id", 'na"me', "note"]);
      expect(found.rows.map((row) => row?.map((cell) => cell.replace(/\r$/, "")))).toEqual(rows);
      expect(found.problems.found).toEqual([]);
    }
  });

  test("are the same in every encoding", async () => {
    const plain = "a,b\né,1\n€,2\n";
    const expected = await table(plain);
    const wide = Buffer.from(`\uFEFF${plain}`, "utf16le");
    const narrow = Uint8Array.from(plain, (letter) => (letter === "€" ? 0x80 : letter.charCodeAt(0)));
    for (const [encoding, bytes] of [
      ["utf-16le", Buffer.from(wide)],
      ["utf-16be", Buffer.from(wide).swap16()],
      ["windows-1252", narrow],
    ] as const) {
      expect((await table(new Blob([bytes]), { ...CSV, encoding })).rows).toEqual(expected.rows);
    }
    // Text that is pasted has been decoded before.
    expect((await table(plain, { ...CSV, encoding: "windows-1252" })).rows).toEqual(expected.rows);
  });

  test("have numbers for names when there is no header", async () => {
    const { names, rows } = await table("1,2\n3,4\n", { ...CSV, header: false });
    expect(names).toEqual(["column 1", "column 2"]);
    expect(rows).toEqual([
      ["1", "2"],
      ["3", "4"],
    ]);
  });

  test("are no blank lines, in a table of one column either", async () => {
    for (const text of ["x\n0.5\n\n \t\n0.7\n\n", "x,y\n0.5,\n\n \t\n0.7,\n\n", 'x\n"0.5"\n""\n\r\n0.7']) {
      const { rows, problems } = await table(text, CSV);
      expect(rows.map((row) => row?.[0])).toEqual(
        ["0.5", undefined, undefined, "0.7", undefined].slice(0, rows.length),
      );
      expect(problems.found).toEqual([]);
    }
  });

  test("keep their quotation marks where there is no quoting", async () => {
    expect((await table('a,b\n"x,5"\n', { ...CSV, quote: "" })).rows).toEqual([['"x', '5"']]);
  });

  test("come again from a stream that was looked at", async () => {
    const lines = stream(5000, (i) => (i === 0 ? "a,b\n" : `${i},some text to fill it\n`));
    const { beginning, source } = await peek(lines);
    expect(beginning.length).toBe(64 * 1024);
    expect((await table(source)).rows.length).toBe(4999);
  });
});

describe("problems are listed by row and column", () => {
  test("in the header, in ragged rows, in quoting and in bytes", async () => {
    const text = 'a,,a,b\n1,2,3,4\n1,2\n\n1,2,3,4,5\n1,2,3,4,, \n"x"y",2,3,4\n1,\uFFFD,3,4\n';
    const { rows, problems } = await table(text);
    expect(problems.found.map(({ kind, row, column }) => [kind, row, column])).toEqual([
      ["header-empty", 1, 2],
      ["header-repeated", 1, 3],
      ["ragged", 3, undefined],
      ["ragged", 5, undefined],
      ["quotes", 7, undefined],
      ["encoding", 8, 2],
    ]);
    expect(rows.map((row) => row?.length)).toEqual([4, 4, undefined, 4, 4, 4, 4]);
    for (const i of [1, 3]) expect(rows[i]).toEqual(["", "", "", ""]);
    expect(rows[5]).toEqual(["", "2", "3", "4"]);
  });

  test("but no more than can be read", async () => {
    const { problems } = await table(`a,b\n${"1\n".repeat(1000)}`);
    expect(problems.found.length).toBe(20);
    expect(problems.capped).toEqual(["ragged"]);
  });
});

describe("reading", () => {
  const line = "0.123456,some text,-17.5,1e-3,more text to make the line longer\n";

  test("tells how far it is", async () => {
    const blob = new Blob(["a,b,c,d,e\n", line.repeat(20_000)]);
    const seen: number[] = [];
    const onProgress = (done: number, total: number | undefined) => {
      expect(total).toBe(blob.size);
      seen.push(done);
    };
    for await (const _ of parse(blob, CSV, { onProgress }));
    expect(seen.at(-1)).toBe(blob.size);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });

  test("stops as soon as it is told, whether bytes come or not", async () => {
    const texts = [line.repeat(1000), `1,2,3,4,"${"x".repeat(60_000)}"\n`, undefined];
    for (const text of texts) {
      const controller = new AbortController();
      const stop = () => controller.abort(new Error("enough"));
      let made = 0;
      let madeBefore = Number.POSITIVE_INFINITY;
      // Told by another task, which gets its turn only when reading lets it; without end it would read all of them.
      setTimeout(() => {
        madeBefore = made;
        stop();
      });
      const source = text
        ? stream(5000, (i) => {
            made++;
            return i === 0 ? "a,b,c,d,e\n" : text;
          })
        : new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });
      const reading = (async () => {
        for await (const _ of parse(source, CSV, { signal: controller.signal }));
      })();
      await expect(reading).rejects.toThrow("enough");
      // What a stream has asked for already may still come: one chunk.
      expect(made - madeBefore).toBeLessThanOrEqual(1);
    }
  });

  test("is not begun when it was told before", async () => {
    const reading = table(stream(1, () => "a\n"));
    await expect(reading).resolves.toBeDefined();
    const signal = AbortSignal.abort(new Error("never"));
    await expect(parse("a,b\n", CSV, { signal }).next()).rejects.toThrow("never");
  });

  test("says when the bytes cannot be had", async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error("unplugged")),
    });
    expect(await refused(() => table(broken))).toContain("cannot be read: unplugged");
  });

  test("and a linear model need no more memory for a longer file", async () => {
    const engine = await open();
    const request = {
      table: {
        unit: { protects: "row", rows: 1 },
        columns: [numeric("a", [0, 1])],
        label: numeric("c", [0, 20]),
        rowNorm: 1,
      },
      algorithm: { name: "ada-ssp" },
      budget: { epsilon: 1, delta: 1e-5 },
      seed: 20,
    };
    const chunk = Array.from({ length: 1000 }, (_, i) =>
      line.replace("0.123456", `${i / 1000}`).replace("-17.5", `${i / 50}`),
    ).join("");
    const peak = async (megabytes: number) => {
      const chunks = Math.ceil((megabytes * 1e6) / chunk.length);
      let most = 0;
      let read = 0;
      const source = stream(chunks, (i) => {
        most = Math.max(most, process.memoryUsage().rss);
        read++;
        return i === 0 ? `a,b,c,d,e\n${chunk}` : chunk;
      });
      const { coefficients } = await fitModel(engine, source, request);
      expect(read).toBe(chunks);
      expect(coefficients.terms[0]?.coefficient).toBeCloseTo(20, 1);
      return most;
    };
    const small = await peak(10);
    const large = await peak(200);
    expect(large - small).toBeLessThan(100e6);
  });
});
