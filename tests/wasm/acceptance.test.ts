/**
 * Whether there is a model must not depend on the rows: algorithms of each kind, over neighbouring files that differ by one line,
 * ordinary or hostile. All of them are answered alike: the set of outcomes is the same.
 */

import { beforeAll, describe, expect, test } from "vitest";
import type { Statistics } from "../../wasm/contract.ts";
import { Refusal } from "../../wasm/engine/refusal.ts";
import { type Engine, open } from "../../wasm/engine.ts";
import { checkRequest } from "../../wasm/release/fit-request.ts";
import { grids } from "../../wasm/table/statistics.ts";
import { fitModel } from "./model.ts";
import { categorical, integerSums, numeric } from "./table/support.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await open();
});

/** Each with its own noise: what the tables are answered does not depend on how it was found. */
const ALGORITHMS: Readonly<Record<string, object>> = {
  "ada-ssp": { sigma: 5 },
  "covariance-laplace": { scale: 5 },
  "output-perturbation": { loss: "squared", gradientBound: 2, lambda: 1, sigma: 9 },
  "output-perturbation, replace": {
    name: "output-perturbation",
    loss: "huber",
    threshold: 1,
    lambda: 1,
    sigma: 9,
    neighbours: "replace",
  },
  "approximate-minima-perturbation": { loss: "squared", gradientBound: 2, sigma: 9, lambda: 9 },
  "noisy-newton": { loss: "squared", sigma: 3 },
  "noisy-newton, replace": { name: "noisy-newton", loss: "squared", sigma: 3, neighbours: "replace" },
  "dp-sgd": {
    loss: "squared",
    gradientBound: 2,
    rows: 3,
    steps: 3,
    rate: 0.5,
    learningRate: 1,
    noiseMultiplier: 2,
  },
};

/** Those that need sums only, each form with noise of its own, and a guess of 30 rows where there is one. */
const EIGENVALUE = { failure: 1e-9, sigma: 9 };
const LINEAR: Readonly<Record<string, object>> = {
  "ada-ssp, three releases": { name: "ada-ssp", sigma: 5, releases: 3 },
  "linear-mixing": { sigma: 3 },
  "linear-mixing, eigenvalue released": { name: "linear-mixing", eigenvalue: "released", ...EIGENVALUE },
  "gaussian-mixing": { sigma: 3 },
  "johnson-lindenstrauss": EIGENVALUE,
  "output-perturbation-ridge": { lambda: 9, rows: 30, sigma: 2 },
  "posterior-sampling": { lambda: 9, rows: 30, sigma: 2 },
  "adaptive-posterior-sampling": {
    sigma: 3,
    sampleEpsilon: 1,
    sampleDelta: 1e-6,
    failure: 1e-6,
    lambda: 1e-6,
  },
};

/** An ignored column, one of numbers, one of levels, and the label. */
const asked = (algorithm: object, format: object = {}, missing: unknown = "drop") => {
  const isPlain = !("header" in format) || (format as { header: boolean }).header;
  const names = isPlain ? ["note", "x", "town", "y"] : ["column 1", "column 2", "column 3", "column 4"];
  const level = missing === "drop" ? "drop" : { constant: "a" };
  return {
    table: {
      unit: { protects: "row", rows: 1 },
      columns: [
        { name: names[0], use: "ignored" },
        numeric(names[1] as string, [-1, 1], missing),
        categorical(names[2] as string, ["a", "b"], level),
      ],
      label: { name: names[3], use: "numeric", range: [-1, 1], missing },
      rowNorm: 1,
    },
    algorithm,
    budget: { delta: 1e-5 },
    format: {
      encoding: "utf-8",
      delimiter: ",",
      quote: '"',
      newline: "\n",
      decimal: ".",
      header: true,
      ...format,
    },
    seed: 3,
  };
};

const HEADER = "note,x,town,y\n";
const usual = (count: number) =>
  Array.from({ length: count }, (_, i) => `n${i},${((i * 7) % 21) / 10 - 1},${i % 2 ? "a" : "b"},0.5\n`).join(
    "",
  );

const bytes = (...values: number[]) => Uint8Array.from(values);

/** One line each, to be put among others. */
const LINES: Readonly<Record<string, readonly BlobPart[]>> = {
  ordinary: ["n,0.5,a,1\n"],
  "a control character in an ignored column": ["\x01\x00,0.5,a,1\n"],
  "control characters in used columns": ["n,0.5\x02,a\x00,\x071\n"],
  "an open quotation mark": ['n,"0.5,a,1\n'],
  "an open quotation mark in an ignored column": ['"n,0.5,a,1\n'],
  "text behind a quotation mark": ['"n"m,0.5,"a"b,1\n'],
  "nothing but quotation marks": [`${'"'.repeat(999)}\n`],
  "invalid UTF-8 in an ignored column": [bytes(0xff, 0xfe, 0xc3, 0x28), ",0.5,a,1\n"],
  "invalid UTF-8 in used columns": ["n,", bytes(0x80), ",", bytes(0xc3), ",1\n"],
  "too few cells": ["n\n"],
  "too many cells": [`${"n,".repeat(50)}\n`],
  "a blank line": [" \n"],
  "carriage returns": ["n,0.5\r,a,1\r\n"],
  "huge numbers": ["n,1e308,a,-1e999\n"],
  "no number": ["n,NaN,c,=1+1\n"],
  "a signature": ["PK\x03\x04,0.5,a,1\n"],
};

async function outcome(table: Blob | Statistics, request: object): Promise<string> {
  try {
    const { coefficients } = await fitModel(engine, table, request);
    const all = [coefficients.intercept, ...coefficients.terms.map(({ coefficient }) => coefficient)];
    return all.every(Number.isFinite) ? "released" : "not finite";
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

/** What comes of a table with and without each line, at its beginning, and beyond the first 64 KB. */
async function outcomes(request: ReturnType<typeof asked>, many: string): Promise<Set<string>> {
  const header = request.format.header ? HEADER : "";
  const found = new Set<string>();
  for (const parts of Object.values(LINES)) {
    found.add(await outcome(new Blob([header, ...parts]), request));
    found.add(await outcome(new Blob([header, ...parts, many]), request));
    found.add(await outcome(new Blob([header, many, ...parts]), request));
  }
  for (const rest of ["", usual(1), many]) found.add(await outcome(new Blob([header, rest]), request));
  return found;
}

const far = usual(5000);

describe.each(Object.entries(ALGORITHMS))("%s", (name, given) => {
  const algorithm = { name, ...given };

  test("releases a model of every table, whatever one of its lines is", async () => {
    expect(await outcomes(asked(algorithm), usual(30))).toEqual(new Set(["released"]));
  });

  test("also without a header, with constants for what is missing, and with quoted line ends", async () => {
    for (const format of [{ header: false }, { multiline: true }]) {
      expect(await outcomes(asked(algorithm, format, { constant: 0 }), usual(3))).toEqual(
        new Set(["released"]),
      );
    }
  });
});

describe.each(Object.entries(LINEAR))("%s", (name, given) => {
  const algorithm = { name, ...given };

  test("releases a model of every table, however many rows it has", async () => {
    const request = asked(algorithm);
    const found = new Set<string>();
    // The core asks of many more tables.
    for (const rows of ["", usual(30), usual(31), usual(3000)]) {
      found.add(await outcome(new Blob([HEADER, rows]), request));
    }
    expect(found).toEqual(new Set(["released"]));
  });

  test("also from sums, of more rows than any file has", async () => {
    const request = asked(algorithm);
    const declared = checkRequest(request).table;
    const found = new Set<string>();
    for (const rows of [usual(30), usual(31)]) {
      const one = await integerSums(HEADER + rows, declared, { sql: "", ...grids(declared) });
      for (const factor of [1n, 1n << 42n]) {
        const times = (text: string) => String(BigInt(text) * factor);
        const statistics = {
          ...one,
          record_count: times(one.record_count),
          gram: one.gram.map(times),
          moments: one.moments.map(times),
          label_square: times(one.label_square),
        };
        found.add(await outcome({ statistics }, request));
      }
    }
    expect(found).toEqual(new Set(["released"]));
  });
});

test("a line beyond the first 64 KB is read as one within them", async () => {
  expect(far.length).toBeGreaterThan(70_000);
  expect(await outcomes(asked({ name: "ada-ssp", sigma: 5 }), far)).toEqual(new Set(["released"]));
});

describe("a line that cannot be read", () => {
  const sums = async (...parts: BlobPart[]) => {
    // Hardly any noise: the sums themselves.
    const request = asked({ name: "ada-ssp", sigma: 1e-6 });
    return (await engine.fit(new Blob([HEADER, ...parts]), request)).released.gram;
  };

  test("changes no other line, and what is ignored changes nothing", async () => {
    const without = await sums(usual(30));
    const within = await sums(usual(30), "n,0.5,a,1\n");
    for (const [name, parts] of Object.entries(LINES)) {
      const got = await sums(...parts, usual(30));
      const isKept = /ordinary|ignored column$|carriage|huge|signature/.test(name) && !/open/.test(name);
      expect([name, got]).toEqual([name, isKept && name !== "huge numbers" ? within : got]);
      if (!isKept) expect([name, got]).toEqual([name, without]);
    }
  });
});

test("what the header says is no matter of rows: another one is refused, whatever the rows are", async () => {
  const request = asked({ name: "ada-ssp", sigma: 5 });
  for (const header of ["", "\n", "note,x,y\n", 'note,"x,town,y\n', "PK\x03\x04\n"]) {
    const said = new Set<string>();
    for (const rest of ["", "1,2,3,4\n"]) {
      const table = new Blob([header === "" ? "a,b\n" : header, rest]);
      said.add(await outcome(table, request));
    }
    if (header !== "\n") expect(said.size).toBe(1);
    expect(said).not.toContain("released");
  }
});
