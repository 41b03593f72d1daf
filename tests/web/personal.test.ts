/** What a report says to one person: nothing is rounded in the release's favour, and what was not paid for is not claimed. */
import { describe, expect, test } from "vitest";
import type { Answer, PersonalLoss } from "../../wasm/contract.ts";
import { Refusal } from "../../wasm/engine/refusal.ts";
import { checkTable } from "../../wasm/table/declaration.ts";
import { singleRow } from "../../wasm/table/single-row.ts";
import { fieldView } from "../../web/src/elements/report-view.ts";
import {
  clampedWords,
  ownFields,
  ownRow,
  personalWords,
  TO_HER,
  TO_HOLDER,
  type Told,
} from "../../web/src/words/personal.ts";

const answer = (upper: number): Answer => ({
  lower: 0,
  upper,
  kind: "bound",
  neighbours: "add-remove",
  source: "",
});

const REALISED = {
  lower: -0.3,
  upper: 0.61,
  size: 0.91005,
  leverage: 0.110001,
  misfit: 0.5,
  material: 0.30005,
  failure: 1.00000001e-6,
};

const loss = (more: Partial<PersonalLoss> = {}): PersonalLoss => ({
  private: true,
  whatever: answer(0.84621),
  promised: answer(1),
  delta: 1e-6,
  realised: REALISED,
  ...more,
});

const told: Told = {
  label: "income",
  hasMaterial: false,
  voice: TO_HER,
  promise: { failure: 1e-6, audience: "one", rows: undefined },
};

describe("her loss in words", () => {
  test("every number is at least what it stands for", () => {
    let random = 1;
    for (let i = 0; i < 500; i++) {
      random = (random * 48271) % 2147483647;
      const value = 10 ** ((random / 2147483647) * 8 - 5);
      const realised = {
        ...REALISED,
        size: value,
        leverage: value,
        misfit: 0,
        material: 0,
        failure: value / 1e4,
      };
      const words = personalWords(loss({ whatever: answer(value), promised: answer(value), realised }), told);
      for (const shown of [words.own, words.promised, words.realised?.size, words.realised?.causes[0]]) {
        const number = Number(/\d[\d.e+-]*/.exec(shown ?? "")?.[0]);
        expect(number).toBeGreaterThanOrEqual(value);
        expect(number).toBeLessThanOrEqual(value * 1.0011);
      }
      const rarely = Number(/probability ([\d.e-]+)/.exec(words.realised?.meaning ?? "")?.[1]);
      expect(rarely).toBeGreaterThanOrEqual(value / 1e4);
    }
  });

  test("the largest cause comes first, and what is no cause is not named", () => {
    expect(personalWords(loss(), told).realised?.causes).toEqual([
      "0.5 because of how far the model misses your “income” (misfit)",
      "0.3001 because of what was published beside the model",
      "0.1101 because your features are unusual (leverage)",
    ]);
    const none = { ...REALISED, leverage: 0, misfit: 0, material: 0 };
    expect(personalWords(loss({ realised: { ...none, failure: 0 } }), told).realised?.causes).toEqual([
      "It follows from the table and from the noise that was drawn, exactly.",
    ]);
    // So rarely the rounding of a posterior sample is not as small as it should be.
    const sample = personalWords(loss({ realised: { ...none, failure: 2.9e-42 } }), told).realised;
    expect(sample?.causes).toEqual(["It follows from the table and from the noise that was drawn, exactly."]);
    expect(sample?.meaning).toContain("2.9e-42");
    expect(personalWords(loss({ realised: { ...none, failure: 0 } }), told).realised?.holds).toMatch(
      /everybody/,
    );
    expect(personalWords(loss({ realised: { ...none, failure: 0 } }), told).realised?.meaning).not.toContain(
      "probability",
    );
    expect(personalWords(loss({ realised: none }), told).realised?.causes).toEqual([
      expect.stringContaining("size of your values alone"),
    ]);
  });

  test("the holder of the table is told about somebody, never about her own values", () => {
    const { realised, ...words } = personalWords(loss(), { ...told, voice: TO_HOLDER });
    const all = JSON.stringify([words, realised, Object.values(TO_HOLDER), TO_HOLDER.label("income")]);
    expect(all).toContain("this person");
    expect(all).not.toMatch(/\byour?\b|\bI am\b/i);
    expect(JSON.stringify(personalWords(loss(), told))).not.toContain("this person");
  });

  test("where material is published, the promise is said to be of all of it", () => {
    expect(personalWords(loss(), told).ownTitle).toBe("It costs you, whatever came out,");
    expect(personalWords(loss(), { ...told, hasMaterial: true }).promisedTitle).toContain(
      "all that was published",
    );
  });

  test("for whom it holds, and what is no number", () => {
    const rows: Told = { ...told, promise: { failure: 1e-6, audience: "rows", rows: 5_000_000 } };
    expect(personalWords(loss(), told).realised?.holds).toContain("one person");
    expect(personalWords(loss(), rows).realised?.holds).toMatch(
      /everybody in a table of at most 5\D000\D000 rows/,
    );
    expect(personalWords(loss({ realised: undefined }), told).realised).toBeUndefined();
    const endless = { ...REALISED, size: Number.POSITIVE_INFINITY };
    const words = personalWords(
      loss({ whatever: answer(Number.POSITIVE_INFINITY), realised: endless }),
      told,
    );
    expect(words.own).toBe("ε ≤ ∞");
    expect(words.meaning).toContain("No finite ε");
    expect(words.realised?.meaning).toContain("no bound");
    expect(personalWords(loss({ delta: 0 }), told).meaning).not.toContain("plus");
  });
});

describe("her values", () => {
  const table = checkTable({
    unit: { protects: "person", rows: 1 },
    columns: [
      { name: "age", use: "numeric", range: [18, 70], missing: "drop" },
      { name: "id", use: "ignored" },
      { name: "town", use: "categorical", levels: ["none of these", "a"], missing: { constant: "a" } },
    ],
    label: { name: "pay", use: "numeric", range: [0, 100], missing: "drop" },
    rowNorm: 1,
  });
  const fields = ownFields(table);

  test("there is one field for each used column and the label", () => {
    expect(fields.map(({ name }) => name)).toEqual(["age", "town", "pay"]);
    expect(fields[0]).toMatchObject({ hint: "from 18 to 70", optional: false });
    expect(fields[1]?.options?.map(([, words]) => words)).toEqual(["none of these", "a", "none of these"]);
  });

  test("every choice is read as it is meant: a level, and none of them", () => {
    const features = (town: string) => [
      ...singleRow({ table, format: { decimal: "." } }, { age: "44", town, pay: "50" }).features,
    ];
    const [first, second, none] = (fields[1]?.options ?? []).map(([value]) => features(value).slice(1, 3));
    expect(first?.[0]).toBeGreaterThan(0);
    expect(second?.[1]).toBeGreaterThan(0);
    expect(none).toEqual([0, 0]);
    expect(features("").slice(1, 3)).toEqual(second);
  });

  test("a row is asked about as soon as nothing is missing that must be there", () => {
    const row = (...entries: [string, string][]) => ownRow(fields, new Map(entries));
    expect(row()).toBeUndefined();
    expect(row(["age", "30"])).toBeUndefined();
    expect(row(["town", "a"])).toBeUndefined();
    expect(row(["age", "0"], ["pay", "0"])).toEqual({ age: 0, town: "", pay: 0 });
    expect(ownRow([{ name: "town", hint: "", optional: true }], new Map())).toBeUndefined();
  });

  test("a text is read as a cell of its table, with its decimal mark, and a number as what it is", () => {
    const age = (decimal: "." | ",", value: string | number) =>
      singleRow({ table, format: { decimal } }, { age: value, town: "a", pay: 1 }).features[0];
    expect(age(",", "44,5")).toBe(age(".", "44.5"));
    for (const decimal of [".", ","] as const) expect(age(decimal, 44.5)).toBe(age(".", "44.5"));
    for (const [decimal, other] of [
      [",", "44.5"],
      [".", "44,5"],
    ] as const)
      expect(() => age(decimal, other)).toThrow(/no value of this column/);
  });

  test("a number beyond its range counts as the nearer end", () => {
    const [age] = fields;
    if (!age) throw new Error("no field");
    for (const [typed, counts] of [
      ["71", 70],
      ["-1e3", 18],
    ] as const) {
      expect(clampedWords(age, typed)).toContain(`counts as ${counts},`);
      const read = (value: string) => [
        ...singleRow({ table, format: { decimal: "." } }, { age: value, town: "a", pay: "1" }).features,
      ];
      expect(read(typed)).toEqual(read(String(counts)));
    }
    for (const typed of ["18", "70", "", "44.5", "NA", "1e999", "-1e999"])
      expect(clampedWords(age, typed)).toBe("");
  });

  test("of what is refused nothing is said but that", () => {
    const [age] = fields;
    if (!age) throw new Error("no field");
    for (const typed of ["NA", "?", "1e999", "-1e999", "Infinity"]) {
      const row = { age: typed === "NA" || typed === "?" ? typed : Number(typed), town: "a", pay: 1 };
      expect(() => singleRow({ table, format: { decimal: "." } }, row), typed).toThrow(Refusal);
      expect(clampedWords(age, typed), typed).toBe("");
    }
    // Read as a number by JavaScript alone.
    for (const [text, fault, told] of [
      ["0x7f", "This is no number.", false],
      ["71", "", true],
    ] as const) {
      const { values } = fieldView(age, "1", { text, fault }, () => {});
      expect(values.some((value) => String(value).includes("counts as"))).toBe(told);
    }
  });
});
