/** The file that keeps a ledger: what its schema says is what is taken, and the command line answers what a program does. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, describe, expect, test } from "vitest";
import { toJson } from "../../wasm/engine/json.ts";
import { checkLedgerFile, type Ledger, type LedgerQuestion, open, Refusal } from "../../wasm/engine.ts";
import { FORMAT, hasBudget, RULE_NAMES } from "../../wasm/release/ledger-question.ts";
import { schemas } from "../../wasm/schemas.ts";
import { refused } from "./refused.ts";
import { command as run } from "./run.ts";

const engine = await open();
const accepts = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false }).compile(
  schemas.ledger,
);

const normal = { kind: "gaussian", sigma: 2, sensitivity: 1, neighbours: "replace" } as const;
const pure = { kind: "pure", epsilon: 0.5, neighbours: "replace" } as const;
const BUDGETS = {
  gdp: { mu: 1 },
  zcdp: { rho: 0.5, delta: 1e-9 },
  renyi: { order: 8, epsilon: 3 },
  approximate: { epsilon: 10, delta: 1e-6 },
  menu: { rounds: 3, menu: [normal, pure] },
} as const;
const file = {
  format: FORMAT,
  rule: "zcdp",
  budget: BUDGETS.zcdp,
  delta: 1e-6,
  sample: "wages",
  entries: [
    { mechanism: normal, count: 2, delta: 1e-7, title: "visits.csv: <b>pay</b>" },
    { mechanism: pure, exPost: 0.25, rows: 1, id: "b4c1" },
  ],
};

const rulesOf = () =>
  RULE_NAMES.map((rule) => {
    const { budget: _, ...without } = file;
    return { ...without, rule, ...(hasBudget(rule) && { budget: BUDGETS[rule as keyof typeof BUDGETS] }) };
  });

const isTaken = (value: unknown) => {
  try {
    checkLedgerFile(value);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return false;
  }
};

test("what was kept is there again, of every rule", () => {
  for (const one of rulesOf()) {
    expect(accepts(one), JSON.stringify(accepts.errors)).toBe(true);
    const kept = checkLedgerFile(JSON.parse(toJson(one)));
    expect(kept).toMatchObject(one);
    expect(toJson(checkLedgerFile(JSON.parse(toJson(kept))))).toBe(toJson(kept));
  }
});

test("is described as it is checked", () => {
  const hostile = [null, "1", -1, 0, 0.5, 1e300, [], {}, [1], true, "plan", "x".repeat(2000)];
  let refusals = 0;
  const compare = (changed: unknown) => {
    const taken = isTaken(changed);
    refusals += taken ? 0 : 1;
    expect(accepts(changed), JSON.stringify(changed).slice(0, 300)).toBe(taken);
  };
  const without = (value: object, key: string) =>
    Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  for (const one of rulesOf())
    for (const key of [...Object.keys(one), "budget", "extra", "__proto__"])
      for (const value of hostile) {
        compare(without(one, key));
        compare(
          JSON.parse(
            `{${JSON.stringify(key)}:${JSON.stringify(value)},${toJson(without(one, key)).slice(1)}`,
          ),
        );
      }
  const [first, second] = file.entries as [object, object];
  for (const key of ["mechanism", "delta", "rows", "title", "id", "extra"])
    for (const value of hostile) compare({ ...file, entries: [{ ...first, [key]: value }, second] });
  for (const key of ["rho", "delta", "mu"])
    for (const value of hostile) compare({ ...file, budget: { ...file.budget, [key]: value } });
  expect(refusals).toBeGreaterThan(300);
});

describe("what is no such file, by the name of the field", () => {
  test.each([
    ["type ledger", [file]],
    ["type ledger", null],
    ["missing format", {}],
    ["missing format", { ...file, format: undefined }],
    ["unknown format", { ...file, format: "epsilometer-ledger-2" }],
    ["unknown format", { format: "epsilometer-privacy-report-1", private: true }],
    ["missing rule", { format: FORMAT, entries: [] }],
    ["unknown budget", { ...file, rule: "ex-post" }],
    ["unknown people", { ...file, people: "all" }],
    [
      "unknown entries.1.epsilon",
      { ...file, entries: [{ mechanism: pure }, { mechanism: pure, epsilon: 0.1 }] },
    ],
    ["range entries.0.rows", { ...file, entries: [{ mechanism: pure, rows: 1001 }] }],
    ["range entries.0.exPost", { ...file, entries: [{ mechanism: pure, exPost: -1 }] }],
    ["range entries.0.count", { ...file, entries: [{ mechanism: pure, exPost: 0.1, count: 2 }] }],
    ["unknown entries.0.mechanism.kind", { ...file, entries: [{ mechanism: { kind: "toString" } }] }],
    ["range entries", { ...file, entries: Array(1001).fill({ mechanism: pure }) }],
  ])("%s", (told, value) => {
    expect(refused(() => checkLedgerFile(value))).toBe(told);
  });
});

describe("what never adds up", () => {
  const ask = (value: object, delta?: number) => engine.ledger(value as LedgerQuestion, delta);
  const entries = (...all: object[]) => ({ rule: "ex-post", entries: all });

  test("losses after the fact have a rule of their own, and change no other price", () => {
    const { exPost, epsilon } = ask(entries({ mechanism: pure, exPost: 0.25 }, { mechanism: pure }), 1e-6);
    expect(exPost).toMatchObject({ kind: "ex-post", neighbours: "replace" });
    expect(exPost?.spent).toBeGreaterThanOrEqual(0.75);
    expect(exPost?.spent).toBeLessThanOrEqual(0.75 * (1 + 1e-12));
    expect(exPost?.worst).toBeGreaterThanOrEqual(1);
    // Whoever has three rows in one of them is protected in all, by either way of saying so.
    const threefold = entries(
      { mechanism: pure, exPost: 0.25 },
      { mechanism: pure, rows: 3 },
      { mechanism: pure, exPost: 0.5, rows: 2 },
    );
    const of = ({ exPost: told, epsilon: price }: Ledger) => [told?.spent, told?.worst, price.upper];
    const found = of(ask(threefold, 0));
    for (const [i, sum] of [3 * 0.25 + 1.5 + 2 * 0.5, 4.5, 4.5].entries())
      expect(found[i]).toBeCloseTo(sum, 12);
    const alike = entries({ mechanism: pure, exPost: 0.25 }, { mechanism: pure });
    expect(of(engine.ledger(alike as LedgerQuestion, 0, { group: 3 }))[0]).toBeCloseTo(3 * 0.75, 12);
    const planned = ask(
      { rule: "plan", entries: [{ mechanism: pure, exPost: 0 }, { mechanism: pure }] },
      1e-6,
    );
    expect(planned.exPost).toBeUndefined();
    expect(planned.epsilon).toEqual(epsilon);
    expect(epsilon).toEqual(engine.epsilon([pure, pure] as never, 1e-6));
    const filtered = ask(
      { rule: "zcdp", budget: { rho: 1 }, entries: [{ mechanism: pure, exPost: 0 }] },
      1e-6,
    );
    expect(filtered.spent?.rho).toBe(0.125);
  });

  test("nor do they add to what may fail, or exceed what was promised, or mix relations", () => {
    const told = (...all: object[]) => refused(() => ask(entries(...all), 1e-6));
    expect(told({ mechanism: pure, exPost: 0.1 }, { mechanism: normal })).toBe(
      "unsupported entries.1.mechanism",
    );
    expect(told({ mechanism: pure }, { mechanism: pure, exPost: 0.6 })).toBe("range entries.1.exPost");
    const added = { ...pure, neighbours: "add-remove" };
    expect(told({ mechanism: pure, exPost: 0.1 }, { mechanism: added })).toBe(
      "unsupported entries.1.mechanism.neighbours",
    );
    for (const one of rulesOf())
      expect(refused(() => ask({ ...one, entries: [{ mechanism: normal }, { mechanism: added }] }))).toBe(
        "unsupported entries.1.mechanism.neighbours",
      );
  });

  test("whoever has the most rows is protected; a budget with a delta beside it is for one row", () => {
    const rows = (...all: number[]) => ({
      rule: "gdp",
      budget: BUDGETS.gdp,
      entries: all.map((one) => ({ mechanism: normal, rows: one })),
    });
    const three = engine.epsilon({ kind: "gdp", mu: 1 }, 1e-6, { group: 3 });
    expect(ask(rows(1, 3), 1e-6).epsilon.upper).toBe(three.upper);
    expect(engine.ledger(rows(1, 2) as LedgerQuestion, 1e-6, { group: 3 }).epsilon.upper).toBe(three.upper);
    expect(
      refused(() => ask({ ...file, entries: [{ mechanism: pure }, { mechanism: pure, rows: 2 }] })),
    ).toBe("unsupported entries.1.rows");
    expect(refused(() => ask({ rule: "plan", entries: [{ mechanism: pure }] }))).toBe("missing delta");
  });
});

describe("on the command line", () => {
  const folder = mkdtempSync(join(tmpdir(), "ledger-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "ledger.json");
  writeFileSync(path, `\uFEFF${toJson(file, 2)}`);
  const plain = (ledger: Ledger) => JSON.parse(toJson(ledger));

  test("the file is answered as a program answers its content", () => {
    const value = file as unknown as LedgerQuestion;
    expect(JSON.parse(run(["ledger", path]).stdout)).toEqual(plain(engine.ledger(value)));
    expect(JSON.parse(run(["ledger", path, "--delta", "1e-5"]).stdout)).toEqual(
      plain(engine.ledger(value, 1e-5)),
    );
    expect(JSON.parse(run(["ledger", "-"], toJson(file)).stdout)).toEqual(plain(engine.ledger(value)));
    expect(JSON.parse(run(["ledger", "--ledger", toJson(file)]).stdout)).toEqual(plain(engine.ledger(value)));
    expect(JSON.parse(run(["schema", "ledger"]).stdout)).toEqual(JSON.parse(toJson(schemas.ledger)));
  });

  test("what it cannot read is refused by name", () => {
    const refusal = (...words: string[]) => {
      const { status, stderr } = run(words);
      expect(status).toBe(2);
      return JSON.parse(stderr).refusal;
    };
    const other = join(folder, "other.json");
    writeFileSync(other, toJson({ ...file, format: undefined }));
    expect(refusal("ledger", other)).toMatchObject({ kind: "missing", field: "format" });
    writeFileSync(other, "{");
    expect(refusal("ledger", other)).toMatchObject({ kind: "malformed", field: "ledger" });
    expect(refusal("ledger", join(folder, "none.json"))).toMatchObject({
      kind: "malformed",
      field: "ledger",
    });
    expect(refusal("ledger", path, "more")).toMatchObject({ kind: "unknown", field: "option" });
    expect(refusal("ledger", path, "--ledger", "{}")).toMatchObject({ field: "ledger" });
    expect(refusal("ledger", "--delta", "1e-6")).toMatchObject({ kind: "missing", field: "ledger" });
  });
});
