/**
 * Whether there is a release must not depend on the rows: every algorithm, everyday numbers of every kind and evaluations, over
 * neighbouring files that differ by one line, ordinary or hostile. All of them are answered alike: the set of outcomes is the same.
 */

import { describe, expect, test } from "vitest";
import type { EverydayRelease, EverydayResult, Release, Statistics } from "../../wasm/contract.ts";
import { Refusal } from "../../wasm/engine/refusal.ts";
import type { Shape } from "../../wasm/engine/shape.ts";
import { type Engine, open } from "../../wasm/engine.ts";
import {
  ALGORITHMS,
  type AlgorithmName,
  type LabelUse,
  labelsOf,
  rowOf,
} from "../../wasm/release/algorithms.ts";
import { withNoise } from "../../wasm/release/applicable.ts";
import { type FitRequest, PLAIN } from "../../wasm/release/fit-request.ts";
import { grids } from "../../wasm/table/statistics.ts";
import { NAMES, request } from "./every-algorithm.ts";
import { categorical, integerSums, numeric } from "./table/support.ts";

const engine: Engine = await open();

type Algorithm = FitRequest["algorithm"];

/** A label of each use, of the values that the rows have. */
const LABEL: Readonly<Record<LabelUse, object>> = {
  numeric: { use: "numeric", range: [-1, 1] },
  count: { use: "count", range: [0, 2] },
  classes: { use: "classes", levels: ["0.5", "1"] },
  multiclass: { use: "multiclass", levels: ["0", "0.5", "1"] },
  choice: { use: "choice", levels: ["0.5", "1"] },
  question: { use: "question", levels: ["0.5", "1"] },
};

/** What a choice asks for besides. */
const NEEDED: Readonly<Record<string, object>> = {
  "loss huber": { threshold: 1 },
  "eigenvalue released": { failure: 1e-9 },
};

/** What is asked besides without being a choice: rows as they are, where whitened ones are usual. */
const ALSO: Partial<Record<AlgorithmName, object>> = {
  "approximate-minima-perturbation": { whiten: 0 },
  "ada-ssp": { releases: 3 },
};

/** Every algorithm that there is, as it is usually asked and with each choice that it has. */
const CASES = NAMES.flatMap((name) => {
  const { algorithm } = request(name);
  const asks: Readonly<Record<string, Shape<unknown>>> = ALGORITHMS[name].asks;
  const chosen = Object.entries(asks).flatMap(([key, { schema }]) =>
    key === "accounting" ? [] : ((schema.enum ?? []) as readonly string[]).map((one) => ({ [key]: one })),
  );
  return [{}, ...chosen, ALSO[name] ?? []].flat().map((more) => {
    const words = Object.entries(more).map(([key, value]) => `${key} ${value}`);
    const needed = words.map((one) => NEEDED[one]);
    return [[name, ...words].join(", "), Object.assign({}, algorithm, more, ...needed) as Algorithm] as const;
  });
});

/** An ignored column, one of numbers, one of levels, and the label where there is one; of votes the label alone. */
const table = (label: object | undefined, format: object = {}, missing: unknown = "drop") => {
  const isPlain = !("header" in format) || (format as { header: boolean }).header;
  const names = isPlain ? ["note", "x", "town", "y"] : ["column 1", "column 2", "column 3", "column 4"];
  const level = missing === "drop" ? "drop" : { constant: "a" };
  const used = [
    numeric(names[1] as string, [-1, 1], missing),
    categorical(names[2] as string, ["a", "b"], level),
  ];
  return {
    table: {
      unit: { protects: "row", rows: 1 },
      columns: [{ name: names[0], use: "ignored" }, ...(label === LABEL.choice ? [] : used)],
      label: label && { name: names[3], missing, ...label },
      rowNorm: 1,
    },
    format: { ...PLAIN, ...format },
    seed: 3,
  };
};

/** With the noise that its budget finds, found once: what the tables are answered does not depend on that. */
const asked = (algorithm: Algorithm, format: object = {}, missing: unknown = "drop") => {
  const { unlabelled } = rowOf(algorithm.name);
  const label = unlabelled ? undefined : LABEL[labelsOf(algorithm).uses[0] as LabelUse];
  const budget = rowOf(algorithm.name).noise in algorithm ? { delta: 1e-5 } : { epsilon: 2, delta: 1e-5 };
  const plan = engine.plan({ ...table(label, format, missing), algorithm, budget });
  return withNoise(plan.request as FitRequest, plan);
};

const RIDGE = { name: "ada-ssp", sigma: 5 } as Algorithm;

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

/** What is released of a table. */
type Ask = (table: Blob | Statistics) => Promise<object>;

const fitted =
  (request: object): Ask =>
  async (table) => {
    const { coefficients, released } = await engine.fit(table, request);
    return { coefficients, released };
  };

const holdsNumbers = (value: unknown): boolean =>
  typeof value === "number"
    ? Number.isFinite(value)
    : typeof value !== "object" || value === null || Object.values(value).every(holdsNumbers);

async function outcome(ask: Ask, given: Blob | Statistics): Promise<string> {
  try {
    return holdsNumbers(await ask(given)) ? "released" : "not finite";
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

/** What comes of a table with and without each line, before others and behind them, and alone. */
async function outcomes(ask: Ask, many: string, header = HEADER): Promise<Set<string>> {
  const found = new Set<string>();
  for (const parts of Object.values(LINES)) {
    found.add(await outcome(ask, new Blob([header, ...parts])));
    found.add(await outcome(ask, new Blob([header, ...parts, many])));
    found.add(await outcome(ask, new Blob([header, many, ...parts])));
  }
  for (const rest of ["", usual(1), many]) found.add(await outcome(ask, new Blob([header, rest])));
  return found;
}

const RELEASED = new Set(["released"]);
const far = usual(5000);

test.each(CASES)("%s: something is released of every table", async (_, algorithm) => {
  const request = asked(algorithm);
  expect(await outcomes(fitted(request), usual(30))).toEqual(RELEASED);
  expect(await outcome(fitted(request), new Blob([HEADER, usual(3000)]))).toBe("released");
});

/** Least squares on sums of products in the l2 norm, which a database may have made. */
const isOfSums = (algorithm: Algorithm) => {
  const { loss, accuracyFirst } = rowOf(algorithm.name);
  return loss === "squared" && !accuracyFirst && !("norm" in algorithm && algorithm.norm === "l1");
};

test.each(CASES.filter(([, algorithm]) => isOfSums(algorithm)))(
  "%s: also from sums, of more rows than any file has",
  async (_, algorithm) => {
    const request = asked(algorithm);
    const found = new Set<string>();
    for (const rows of [usual(30), usual(31)]) {
      const one = await integerSums(HEADER + rows, request.table, { sql: "", ...grids(request.table) });
      for (const factor of [1n, 1n << 42n]) {
        const times = (text: string) => String(BigInt(text) * factor);
        const statistics = {
          ...one,
          record_count: times(one.record_count),
          gram: one.gram.map(times),
          moments: one.moments.map(times),
          label_square: times(one.label_square),
        };
        found.add(await outcome(fitted(request), { statistics }));
      }
    }
    expect(found).toEqual(RELEASED);
  },
);

/** Of everyday numbers every kind. */
const EVERYDAY: Readonly<Record<EverydayResult["of"], object>> = {
  count: {},
  sums: { columns: ["x"] },
  means: { columns: ["x"] },
  variances: { columns: ["x"] },
  covariance: { columns: ["x"] },
  correlation: { columns: ["x"] },
  histogram: { column: "town" },
  contingency: { columns: [{ column: "town" }, { column: "x", bins: 3 }] },
  quantiles: { column: "x", probabilities: [0.1, 0.5] },
  bounds: { column: "x" },
  groups: { by: "town", columns: ["x"] },
  "found-groups": { by: "y", columns: ["x"] },
};

test("everyday numbers of every kind are told of every table", async () => {
  const releases = Object.entries(EVERYDAY).map(([of, entry]) => ({ of, ...entry }));
  const request = { ...table(undefined), releases, budget: { epsilon: 1, delta: 1e-6 } };
  const ask: Ask = async (given) => {
    const { results } = (await engine.fit(given, request as never)) as unknown as EverydayRelease;
    return results;
  };
  for (const many of [usual(30), far]) expect(await outcomes(ask, many)).toEqual(RELEASED);
});

test.each<[LabelUse, object]>([
  ["numeric", RIDGE],
  ["classes", { name: "noisy-newton", loss: "logistic", sigma: 1 }],
  ["multiclass", { name: "noisy-newton", loss: "softmax", sigma: 1 }],
])("an evaluation of %s is told of every table", async (use, algorithm) => {
  const asked = { ...table(LABEL[use]), algorithm, budget: { delta: 1e-6 } };
  const release = (await engine.fit(new Blob([HEADER, usual(30)]), asked)) as Release;
  const ask: Ask = async (given) => {
    const budget = { epsilon: 1, delta: 1e-6 };
    const { measures } = await engine.evaluate(release, given as Blob, { budget, seed: 1 });
    // The least threshold is below all scores, and the largest one above them: they are infinite.
    return "thresholds" in measures
      ? { ...measures, thresholds: measures.thresholds.slice(1, -1) }
      : measures;
  };
  expect(await outcomes(ask, usual(30))).toEqual(RELEASED);
});

test.each([RIDGE, { name: "noisy-newton", loss: "squared", sigma: 3, neighbours: "replace" } as Algorithm])(
  "$name: also without a header, with constants for what is missing, and with quoted line ends",
  async (algorithm) => {
    for (const format of [{ header: false }, { multiline: true }]) {
      const request = asked(algorithm, format, { constant: 0 });
      expect(await outcomes(fitted(request), usual(3), "header" in format ? "" : HEADER)).toEqual(RELEASED);
    }
  },
);

test("a line beyond the first 64 KB is read as one within them", async () => {
  expect(far.length).toBeGreaterThan(70_000);
  const request = asked(RIDGE);
  expect(await outcomes(fitted(request), far)).toEqual(RELEASED);
});

describe("a line that cannot be read", () => {
  const sums = async (...parts: BlobPart[]) => {
    // Hardly any noise: the sums themselves.
    const request = asked({ ...RIDGE, sigma: 1e-6 } as Algorithm);
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
  const request = asked(RIDGE);
  for (const header of ["", "\n", "note,x,y\n", 'note,"x,town,y\n', "PK\x03\x04\n"]) {
    const said = new Set<string>();
    for (const rest of ["", "1,2,3,4\n"]) {
      const table = new Blob([header === "" ? "a,b\n" : header, rest]);
      said.add(await outcome(fitted(request), table));
    }
    if (header !== "\n") expect(said.size).toBe(1);
    expect(said).not.toContain("released");
  }
});
