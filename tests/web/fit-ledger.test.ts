/** The ledgers of a session: what is counted with what, by which rule, and what a file keeps. */
import { describe, expect, test } from "vitest";
import type { ExPostLoss, LedgerQuestion, Plan } from "../../wasm/contract.ts";
import { type Description, KINDS, type Kind } from "../../wasm/engine/catalogue.ts";
import { toJson } from "../../wasm/engine/json.ts";
import { LEAF_KINDS, withValues } from "../../wasm/engine/kinds.ts";
import { checkLedgerFile, type Engine, open } from "../../wasm/engine.ts";
import {
  afterTheFact,
  asked,
  type Entry,
  FILES,
  isLedger,
  keptOf,
  Ledgers,
  type Line,
  levelOf,
  PLAN,
  poolOf,
  pools,
  type Rule,
} from "../../web/src/fit/ledger.ts";
import { givenSample, givenText } from "../../web/src/fit/loaded.ts";
import { holdsRun, menuIn, withoutChoice, withRun, withTyped } from "../../web/src/fit/menu.ts";
import { brokenWords, foretoldWords, ruleSentence } from "../../web/src/words/ledger.ts";
import { menuChoiceWords } from "../../web/src/words/menu.ts";
import { refused } from "../wasm/refused.ts";

const plan = (rows = 1, neighbours = "add-remove", epsilon = 1) =>
  ({
    description: { kind: "pure", epsilon },
    epsilon: { upper: epsilon, neighbours },
    delta: 1e-6,
    private: true,
    request: { table: { unit: { rows } } },
  }) as unknown as Plan;

const entry = (pool: string, release = plan(), isRefused = false): Entry => ({
  pool,
  title: "a table",
  release,
  paid: release,
  isRefused,
});

const later = (epsilon: number): Plan =>
  ({ ...plan(), exPost: { kind: "ex-post", epsilon } as ExPostLoss }) as Plan;

const enter = (ledgers: Ledgers, one: Entry, counted = true) =>
  ledgers.add({ pool: one.pool, kept: keptOf(one, "what"), counted, upper: 1 });

/** A ledger of so many releases of ε = 1. */
function filled(count: number, rule: Rule = { name: "zcdp", budget: { rho: "2" } }): Ledgers {
  const ledgers = new Ledgers();
  ledgers.choose(FILES, rule);
  for (let i = 0; i < count; i++) enter(ledgers, entry(FILES));
  return ledgers;
}

/** Of that kind, with what the catalogue says where nothing is said. */
const described = (kind: Kind) =>
  ({
    kind,
    ...withValues(kind, (parameter) => ("default" in parameter ? parameter.default : undefined)),
  }) as Description;

const ask = (engine: Engine, ledger: object) => engine.ledger(ledger as LedgerQuestion, 1e-6);

test("what runs counts until it has ended: beside what else is begun, and for the rule", () => {
  const ledgers = filled(0);
  const [one, other] = [1, 2].map((epsilon) => keptOf(entry(FILES, plan(1, "add-remove", epsilon)), "runs"));
  if (!one || !other) throw new Error("nothing is kept");
  const end = ledgers.begin(FILES, one);
  expect(ledgers.with(FILES, one)).toEqual([one]);
  expect(ledgers.with(FILES, other)).toEqual([one, other]);
  expect(ledgers.with("wages", other)).toEqual([other]);
  // The rule by which it was begun.
  expect(ledgers.stands(FILES)).toBe(true);
  ledgers.choose(FILES, { name: "plan", budget: {} });
  expect(ledgers.ruleOf(FILES).name).toBe("zcdp");
  expect(ledgers.save(FILES, undefined)).toMatchObject({ entries: [] });
  end();
  expect(ledgers.with(FILES, other)).toEqual([other]);
  expect(ledgers.stands(FILES)).toBe(false);
});

test("what a budget has paid for stays in its ledger; without a budget a line may be removed", () => {
  const removed = (ledgers: Ledgers) => {
    for (const { id } of ledgers.lines) ledgers.remove(id);
    return ledgers.lines.length;
  };
  expect(removed(filled(2))).toBe(2);
  const planned = new Ledgers();
  enter(planned, entry(FILES));
  expect(removed(planned)).toBe(0);
  expect(planned.stands(FILES)).toBe(true);
  // Demonstrations cost nothing.
  const shown = filled(0);
  enter(shown, entry(FILES), false);
  expect(removed(shown)).toBe(0);
});

test("what was paid is counted by pool, with or without a model to show for it; demonstrations are not", () => {
  const ledgers = new Ledgers();
  enter(ledgers, entry(FILES));
  enter(ledgers, entry("wages"));
  enter(ledgers, entry(FILES), false);
  enter(ledgers, entry(FILES, plan(), true));
  const counted = pools(ledgers.lines);
  expect([...counted.keys()]).toEqual([FILES, "wages"]);
  expect(counted.get(FILES)?.map(({ id }) => id)).toEqual([1, 4]);
});

test("all files may hold the same people, and a sample holds none of them", () => {
  expect(poolOf(givenText("a"))).toBe(FILES);
  expect(poolOf(givenSample("wages"))).toBe("wages");
});

test("what is kept says its relation, the rows of whom it protects, and its loss after the fact", () => {
  expect(keptOf(entry(FILES, plan(3, "replace")), "what")).toEqual({
    mechanism: { kind: "pure", epsilon: 1, neighbours: "replace" },
    count: 1,
    delta: 1e-6,
    rows: 3,
    exPost: undefined,
    title: "what",
  });
  expect(keptOf(entry(FILES, later(0.5)), "what").exPost).toBe(0.5);
  expect(keptOf(entry(FILES, later(0.5), true), "what").exPost).toBeUndefined();
});

test("losses after the fact are told of pools with several releases, one of which has such a loss and came out", () => {
  const found = (...entries: Entry[]) => {
    const ledgers = new Ledgers();
    for (const one of entries) enter(ledgers, one);
    return [...afterTheFact(ledgers.lines)].map(([pool, lines]: [string, readonly Line[]]) => [
      pool,
      lines.length,
    ]);
  };
  const one = entry(FILES, later(0.5));
  expect(found(one)).toEqual([]);
  expect(found(entry(FILES), entry(FILES))).toEqual([]);
  expect(found(entry(FILES, later(0.5), true), entry(FILES))).toEqual([]);
  expect(found(one, entry(FILES), entry("wages", later(1)))).toEqual([[FILES, 2]]);
});

describe("the rule", () => {
  test("stands from the first release that counts, also when its line is removed", () => {
    const ledgers = new Ledgers();
    const budget = { name: "gdp", budget: { mu: "1" } } as const;
    enter(ledgers, entry(FILES), false);
    expect(ledgers.stands(FILES)).toBe(false);
    ledgers.choose(FILES, budget);
    enter(ledgers, entry(FILES));
    ledgers.choose(FILES, { name: "gdp", budget: { mu: "2" } });
    expect(ledgers.ruleOf(FILES)).toBe(budget);
    ledgers.remove(2);
    ledgers.choose(FILES, { name: "plan", budget: {} });
    expect(ledgers.ruleOf(FILES)).toBe(budget);
    expect(ledgers.ruleOf("wages").name).toBe("plan");
  });

  test("asks for what its budget needs, by name", () => {
    const budget = (name: "renyi" | "approximate", typed: Record<string, string>) => () =>
      asked(FILES, { name, budget: typed }, []);
    expect(refused(budget("renyi", { order: "8" }))).toBe("malformed budget.epsilon");
    expect(refused(budget("approximate", { epsilon: "a" }))).toBe("malformed budget.epsilon");
    expect(budget("renyi", { order: "8", epsilon: "1/4", mu: "7" })()).toMatchObject({
      budget: { order: 8, epsilon: 0.25 },
    });
    expect(ruleSentence({ name: "renyi", budget: { order: "8", epsilon: "1/4", delta: "0" } })).toBe(
      "a budget of α = 8, Rényi divergence = 1/4, fixed before the first answer",
    );
  });

  test("has a price at its budget's own δ, or at one with room for what may fail", () => {
    expect(levelOf({ name: "approximate", budget: { epsilon: "1", delta: "1e-4" } }, 1e-6)).toBe(1e-4);
    expect(levelOf({ name: "zcdp", budget: { rho: "1", delta: "1e-4" } }, 1e-6)).toBe(2e-4);
    expect(levelOf({ name: "zcdp", budget: { rho: "1", delta: "1e-9" } }, 1e-6)).toBe(1e-6);
    expect(levelOf({ name: "plan", budget: { delta: "1" } }, 1e-6)).toBe(1e-6);
  });

  test("tells before a run what it takes, and that what does not fit must not be run", async () => {
    const engine = await open();
    const told = (count: number) => {
      const ledgers = filled(count);
      const all = ledgers.with(FILES, keptOf(entry(FILES), "next"));
      return foretoldWords(ask(engine, asked(FILES, ledgers.ruleOf(FILES), all)), count);
    };
    expect(told(3)).toMatchObject({ fits: true });
    expect(told(3).words).toContain("It takes ρ = 0.5 of the ledger’s budget, and leaves ρ = 0.");
    expect(told(4)).toMatchObject({ fits: false });
    expect(told(4).words).toContain("of which ρ = 0 is left: it must not be run");
    const over = ask(
      engine,
      asked(FILES, filled(5).ruleOf(FILES), filled(5).with(FILES, keptOf(entry(FILES), "next"))),
    );
    expect(brokenWords(over)).toMatch(/^No price: 2 releases do not fit the budget/);
    const plain = filled(2, { name: "plan", budget: {} } as never);
    const all = plain.with(FILES, keptOf(entry(FILES), "next"));
    expect(foretoldWords(ask(engine, asked(FILES, plain.ruleOf(FILES), all)), 2)).toEqual({
      words: expect.stringMatching(/^Together with 2 earlier releases of this session it comes to ε ≤ 3\.?/),
      fits: true,
    });
  });

  test("never adds up releases that are about different neighbouring tables", async () => {
    const engine = await open();
    const ledgers = filled(1);
    const all = ledgers.with(FILES, keptOf(entry(FILES, plan(1, "replace")), "next"));
    for (const name of ["plan", "ex-post", "zcdp"] as const)
      expect(refused(() => ask(engine, asked(FILES, { name, budget: { rho: "2" } }, all)))).toBe(
        "unsupported entries.1.mechanism.neighbours",
      );
  });
});

describe("a menu", () => {
  const empty = { name: "menu", budget: { rounds: "3" } } as const;
  const gaussian = '{"kind":"gaussian","sigma":2,"sensitivity":1}';

  test("is made of runs as they would be kept, each once, and of what is written down", () => {
    const one = withRun(empty, plan());
    expect(menuIn(one)).toEqual([{ kind: "pure", epsilon: 1, neighbours: "add-remove" }]);
    expect(withRun(one, plan())).toBe(one);
    expect(holdsRun(one, plan(1, "replace"))).toBe(false);
    const three = withTyped(one, `[${gaussian}, {"kind": "pure", "epsilon": 0.1234567}]`);
    expect(menuIn(three).map(menuChoiceWords)).toEqual([
      "Any ε-private release: ε₀ = 1 (add or remove)",
      "Gaussian noise: σ = 2, Δ = 1",
      "Any ε-private release: ε₀ = 0.123457",
    ]);
    expect(menuIn(withoutChoice(three, 1)).map(({ kind }) => kind)).toEqual(["pure", "pure"]);
    expect(three.budget.rounds).toBe("3");
  });

  test("takes nothing that is no description, by the name of the field", () => {
    for (const [text, field] of [
      ["", "malformed budget.menu"],
      ["σ = 2", "malformed budget.menu"],
      ["7", "type description"],
      ['{"kind":"gaussian","sigma":-1,"sensitivity":1}', "range sigma"],
      ['{"kind":"magic"}', "unknown kind"],
    ] as const)
      expect(
        refused(() => withTyped(empty, text)),
        text,
      ).toBe(field);
  });

  test("that nothing is on, or without a number of rounds, is refused by name", async () => {
    const engine = await open();
    expect(refused(() => ask(engine, asked(FILES, empty, [])))).toBe("range budget.menu");
    expect(refused(() => asked(FILES, { name: "menu", budget: {} }, []))).toBe("malformed budget.rounds");
  });

  test("says each kind of the catalogue in one line", () => {
    for (const kind of LEAF_KINDS) {
      const words = menuChoiceWords(described(kind));
      expect(words.startsWith(KINDS[kind].title), words).toBe(true);
      expect(words).not.toMatch(/undefined|NaN|\[object/);
    }
    const inside = [
      { mechanism: described("gaussian"), count: 3 },
      {
        mechanism: { kind: "subsampled", sampling: "poisson", rate: 0.01, of: described("laplace") },
        count: 1,
      },
    ];
    expect(menuChoiceWords({ kind: "composition", of: inside } as never)).toBe(
      "3 × (Gaussian noise: σ = 1, Δ = 1) and Sampled release: on a Poisson sample, q = 0.01; of Laplace noise: b = 1, Δ = 1",
    );
  });

  test("tells before a run how many rounds it leaves, and refuses what is not on it", async () => {
    const engine = await open();
    const ledgers = new Ledgers();
    ledgers.choose(FILES, withRun({ name: "menu", budget: { rounds: "2" } }, plan()));
    const told = (count: number) => {
      const all = ledgers.with(FILES, keptOf(entry(FILES), "next"));
      return foretoldWords(ask(engine, asked(FILES, ledgers.ruleOf(FILES), all)), count);
    };
    expect(told(0)).toMatchObject({ fits: true });
    expect(told(0).words).toMatch(/^It takes 1 round of the ledger’s budget, and leaves 1 round\. /);
    enter(ledgers, entry(FILES));
    expect(told(1).words).toMatch(/and leaves 0 rounds\. All that fits the budget comes to ε ≤ 2/);
    enter(ledgers, entry(FILES));
    expect(told(2)).toMatchObject({ fits: false });
    expect(told(2).words).toContain("of which 0 rounds are left: it must not be run");
    const all = ledgers.with(FILES, keptOf(entry(FILES, plan(1, "add-remove", 0.5)), "next"));
    expect(refused(() => ask(engine, asked(FILES, ledgers.ruleOf(FILES), all)))).toBe(
      "unsupported entries.2.mechanism",
    );
  });
});

describe("a file", () => {
  test("loses nothing: what is opened and saved again is the same text", () => {
    const ledgers = filled(1);
    enter(ledgers, entry(FILES, later(0.12345678901234568)));
    const text = toJson(ledgers.save(FILES, 1e-7));
    expect(isLedger(text)).toBe(true);
    const again = new Ledgers();
    expect(again.open(text)).toEqual({ pool: FILES, count: 2, known: 0, delta: 1e-7 });
    expect(again.ruleOf(FILES)).toEqual({ name: "zcdp", budget: { rho: "2", delta: "0" } });
    const content = (one: string) => checkLedgerFile(JSON.parse(one));
    expect(content(toJson(again.save(FILES, 1e-7)))).toEqual(content(text));
    expect(again.lines.map(({ upper }) => upper)).toEqual([undefined, undefined]);
  });

  test("counts a release once, however often it is opened, and where it was saved", () => {
    const ledgers = filled(2, PLAN);
    for (const { kept } of ledgers.lines) expect(kept.id).toMatch(/^[0-9a-f]{32}$/);
    const text = toJson(ledgers.save(FILES, undefined));
    enter(ledgers, entry(FILES));
    for (const _ of [1, 2]) expect(ledgers.open(text)).toMatchObject({ count: 2, known: 2 });
    expect(ledgers.lines).toHaveLength(3);
    // Removed here, it is still in the file; and an entry without a mark may be any release.
    ledgers.remove(1);
    expect(ledgers.open(text)).toMatchObject({ count: 2, known: 1 });
    const unmarked = JSON.parse(text, (key, value) => (key === "id" ? undefined : value));
    for (const _ of [1, 2])
      expect(ledgers.open(JSON.stringify(unmarked))).toMatchObject({ count: 2, known: 0 });
    expect(ledgers.lines).toHaveLength(7);
    // A mark that stands for two releases hides none of them.
    const [first] = unmarked.entries;
    const marked = (...entries: object[]) => JSON.stringify({ ...unmarked, entries });
    const { id } = JSON.parse(text).entries[1];
    expect(refused(() => ledgers.open(marked({ ...first, id, rows: 7 })))).toBe("unsupported entries.0.id");
    expect(refused(() => ledgers.open(marked({ ...first, id: "a" }, { ...first, id: "a" })))).toBe(
      "unsupported entries.1.id",
    );
    expect(ledgers.lines).toHaveLength(7);
  });

  test("keeps a menu", () => {
    const menu = [{ kind: "pure", epsilon: 1, neighbours: "replace" }];
    const file = {
      ...asked(FILES, { name: "plan", budget: {} }, []),
      rule: "menu",
      budget: { rounds: 3, menu },
    };
    const ledgers = new Ledgers();
    ledgers.open(JSON.stringify(file));
    expect(ruleSentence(ledgers.ruleOf(FILES))).toBe(
      "at most 3 rounds of a menu, fixed before the first answer",
    );
    expect(checkLedgerFile(JSON.parse(toJson(ledgers.save(FILES, undefined))))).toEqual(
      checkLedgerFile(file),
    );
    enter(ledgers, entry(FILES));
    const other = { ...file, budget: { rounds: 3, menu: [...menu, ...menu] } };
    expect(refused(() => ledgers.open(JSON.stringify(other)))).toBe("unsupported budget.menu");
  });

  test("brings its rule, and where releases are there already must have theirs", () => {
    const text = toJson(filled(2).save(FILES, undefined));
    const same = filled(1);
    same.open(text);
    expect(same.lines).toHaveLength(3);
    const other = filled(1, { name: "zcdp", budget: { rho: "1" } } as never);
    expect(refused(() => other.open(text))).toBe("unsupported budget.rho");
    expect(refused(() => filled(1, { name: "plan", budget: {} } as never).open(text))).toBe(
      "unsupported rule",
    );
    expect(other.lines).toHaveLength(1);
    const sample = toJson(asked("wages", { name: "plan", budget: {} }, []));
    expect(other.open(sample).pool).toBe("wages");
  });

  test("what is none changes nothing, and is refused by the name of the field", () => {
    const ledgers = filled(1);
    const before = ledgers.lines;
    const whole = JSON.parse(toJson(filled(1).save(FILES, 1e-6)));
    const told = (value: object) => refused(() => ledgers.open(JSON.stringify(value)));
    expect(refused(() => ledgers.open("{"))).toBe("malformed ledger");
    expect(told([])).toBe("type ledger");
    expect(told({ ...whole, format: "epsilometer-ledger-9" })).toBe("unknown format");
    expect(told({ ...whole, sample: "toString" })).toBe("unknown sample");
    expect(told({ ...whole, price: 0.1 })).toBe("unknown price");
    expect(
      told({ ...whole, entries: [{ ...whole.entries[0], mechanism: { kind: "pure", epsilon: -1 } }] }),
    ).toBe("range entries.0.mechanism.epsilon");
    expect(ledgers.lines).toBe(before);
    for (const text of ["", "null", "[]", '{"format": 1}', '{"format": "epsilometer-privacy-report-1"}'])
      expect(isLedger(text), text).toBe(false);
  });
});
