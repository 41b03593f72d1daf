/** Private votes end to end: ballots or counts go in, winners come out; what is no vote is refused by name. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Release } from "../../wasm/contract.ts";
import { type Engine, open } from "../../wasm/engine.ts";
import { refused } from "./refused.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await open();
});

const CLASSES = ["cat", "dog", "owl"];
const classes = (name: string) => ({ name, use: "categorical", levels: CLASSES, missing: "drop" });
const number = (name: string) => ({ name, use: "numeric", range: [0, 1e6], missing: "drop" });
const BALLOTS = {
  unit: { protects: "voter", rows: 1 },
  columns: [classes("second")],
  label: { name: "first", use: "choice", levels: CLASSES, missing: "drop" },
};
const COUNTS = {
  unit: { protects: "voter", rows: 1 },
  columns: CLASSES.map(number),
  label: { name: "picture", use: "question", levels: ["p1", "p2", "p3"], missing: "drop" },
};
const request = (table: object, algorithm: object = {}, more: object = {}) => ({
  table,
  algorithm: { name: "noisy-voting", ...algorithm },
  budget: { epsilon: 1, delta: 1e-5 },
  seed: 3,
  ...more,
});
const priced = (table: object, algorithm: object) =>
  request(table, { scale: 0.01, ...algorithm }, { budget: { delta: 1e-5 } });

const winners = async (csv: string, asked: object) => {
  const [output, ...others] = (await engine.fit(csv, asked)).outputs;
  expect(others).toEqual([]);
  return output?.values.map((value) => output.levels?.[value] ?? null);
};

describe("what is counted", () => {
  test("ballots: a cell that is no class is no vote, and leaves the others of its row", async () => {
    const csv = "first,second\ncat,owl\ncat,\n?,owl\nfox,owl\ndog,dog\ncat,fox\n";
    expect(await winners(csv, priced(BALLOTS, {}))).toEqual(["cat", "owl"]);
  });

  test("counts: rows of one question add up, others are nobody's, and what is no number is no vote", async () => {
    const csv = "picture,cat,dog,owl\np1,5,9,1\np1,5,0,x\np9,0,0,99\np3,-7,,2\np2,0,3,2.9\n";
    expect(await winners(csv, priced(COUNTS, {}))).toEqual(["cat", "dog", "owl"]);
  });

  test("a person's ballots beyond the declared number are left out", async () => {
    const csv = `who,first\n${"ann,dog\n".repeat(5)}bob,cat\ncid,cat\n`;
    const table = { ...BALLOTS, columns: [], unit: { protects: "voter", rows: 1, column: "who" } };
    expect(await winners(csv, priced(table, {}))).toEqual(["cat"]);
  });

  test("a table without a vote has winners too, and a question with too few may stay open", async () => {
    expect(await winners("first,second\n", priced(BALLOTS, {}))).toHaveLength(2);
    const tested = priced(COUNTS, { leastVotes: 4, leastVotesScale: 0.01 });
    expect(await winners("picture,cat,dog,owl\np1,5,1,1\np2,1,2,1\n", tested)).toEqual(["cat", null, null]);
  });
});

test("a plan is the price of the noisy numbers, and a release tells questions and classes", async () => {
  const plan = engine.plan(request(COUNTS, { neighbours: "replace" }));
  expect(plan.epsilon.upper).toBeLessThanOrEqual(1);
  expect(plan.epsilon.upper).toBeGreaterThan(0.999);
  expect(plan.result).toEqual({ name: "winners", kind: "labels", shape: [3] });
  const sigma = plan.parameters.scale as number;
  const one = { kind: "gaussian", sigma, sensitivity: Math.sqrt(6), neighbours: "replace" } as const;
  expect(Math.abs(engine.epsilon(one, 1e-5).upper - plan.epsilon.upper)).toBeLessThan(1e-5);
  const release = await engine.fit("picture,cat,dog,owl\np1,5,9,1\n", request(COUNTS));
  expect(release.outputs[0]).toMatchObject({ questions: ["p1", "p2", "p3"], levels: CLASSES });
});

describe("what is no vote is refused by name", () => {
  const fault = (table: object, algorithm: object = {}) =>
    refused(() => engine.plan(request(table, algorithm)));
  test.each([
    [
      "table.columns.0.levels",
      { ...BALLOTS, columns: [{ ...classes("second"), levels: ["dog", "cat", "owl"] }] },
    ],
    ["table.columns.0.use", { ...BALLOTS, columns: [number("age")] }],
    ["table.columns.3.use", { ...COUNTS, columns: [...COUNTS.columns, classes("fourth")] }],
    ["table.columns", { ...COUNTS, columns: [number("cat")] }],
    ["table.unit.column", { ...COUNTS, unit: { ...COUNTS.unit, column: "who" } }],
  ])("%s", (field, table) => {
    expect(fault(table)).toMatch(new RegExp(` ${field}$`));
  });

  test("labels of models are none of votes, and the other way around", () => {
    const numeric = { name: "y", use: "numeric", range: [0, 1], missing: "drop" };
    expect(fault({ ...BALLOTS, label: numeric })).toBe("unsupported table.label.use");
    const model = { ...request(BALLOTS), algorithm: { name: "ada-ssp" } };
    expect(refused(() => engine.plan(model))).toBe("unsupported table.label.use");
  });

  test("a test needs both of its numbers", () => {
    expect(fault(BALLOTS, { leastVotes: 3 })).toBe("missing algorithm.leastVotesScale");
  });
});

describe("what the votes themselves tell", () => {
  const agreed = Array.from({ length: 200 }, () => [390, 5, 5]);

  test("is confidential, beside what all are promised, and says what may be published", () => {
    const found = engine.voteLoss(agreed, { scale: 40, delta: 1e-5 });
    expect(found.confidential).toBe(true);
    expect(found.epsilon).toBeLessThan(found.plainEpsilon / 5);
    expect(found.testedEpsilon).toBeGreaterThan(found.plainEpsilon);
    expect(found.use).toContain("promise that");
    const promised = { kind: "gaussian", sigma: 40, sensitivity: 20, neighbours: "replace" } as const;
    expect(Math.abs(found.plainEpsilon - engine.epsilon(promised, 1e-5).upper)).toBeLessThan(1e-10);
    const split = engine.voteLoss([[140, 130, 130]], { scale: 40, delta: 1e-5 });
    expect(split.use).toContain("use that");
  });

  test("of a question that may stay open, or of voters who take part or not", () => {
    const told = { scale: 40, delta: 1e-5 };
    const split = Array.from({ length: 200 }, () => [140, 130, 130]);
    const open = engine.voteLoss(split, { ...told, leastVotes: 400, leastVotesScale: 20 });
    // Nobody comes near: little is told beside what the conversion costs, where every table is promised more than without a test.
    expect(open.epsilon).toBeLessThan(engine.voteLoss(split, told).epsilon / 10);
    expect(open.plainEpsilon).toBeGreaterThan(engine.voteLoss(split, told).plainEpsilon);
    const added = engine.voteLoss(split, { ...told, vote: "added" });
    expect(added.neighbours).toBe("add-remove");
    const promised = { kind: "gaussian", sigma: 40, sensitivity: Math.sqrt(200) } as const;
    expect(Math.abs(added.plainEpsilon - engine.epsilon(promised, 1e-5).upper)).toBeLessThan(1e-10);
    const fault = (more: object) => refused(() => engine.voteLoss(split, { ...told, ...more }));
    expect(fault({ leastVotes: 3 })).toBe("missing leastVotesScale");
    expect(fault({ leastVotesScale: 3 })).toBe("missing leastVotes");
    expect(fault({ vote: "moved" })).toMatch(/ vote$/);
  });

  test("of a release by its table: ballots or counts, and as of the votes in numbers", async () => {
    const counts = `picture,cat,dog,owl\n${["p1,390,5,5", "p2,5,390,5", "p3,395,5,0"].join("\n")}\n`;
    const asked = request(COUNTS, { scale: 40, neighbours: "replace" }, { budget: { delta: 1e-5 } });
    const release = (await engine.fit(counts, asked)) as Release;
    expect(release.persons).toEqual({ rows: false, report: false, votes: true });
    const found = await engine.votersLoss(release, counts);
    const votes = [
      [390, 5, 5],
      [5, 390, 5],
      [395, 5, 0],
    ];
    const same = engine.voteLoss(votes, { scale: 40, delta: 1e-5 });
    // Of discrete noise: the chance of an upset is a little larger.
    expect(found.epsilon).toBeGreaterThanOrEqual(same.epsilon);
    expect(found.epsilon).toBeLessThan(same.epsilon * (1 + 1e-3));
    expect(found).toMatchObject({ confidential: true, neighbours: "replace" });
    expect(found.plainEpsilon).toBeCloseTo(same.plainEpsilon, 5);
    const budgeted = (await engine.fit(counts, request(COUNTS))) as Release;
    expect((await engine.votersLoss(budgeted, counts)).plainEpsilon).toBeLessThanOrEqual(1);
    const ballots = `first,second\n${"cat,owl\n".repeat(390)}${"dog,cat\n".repeat(5)}${"owl,dog\n".repeat(5)}`;
    const balloted = (await engine.fit(
      ballots,
      request(BALLOTS, { scale: 40 }, { budget: { delta: 1e-5 } }),
    )) as Release;
    const own = await engine.votersLoss(balloted, ballots);
    expect(own.neighbours).toBe("add-remove");
    const alike = [
      [390, 5, 5],
      [5, 5, 390],
    ];
    const told = engine.voteLoss(alike, { scale: 40, delta: 1e-5, vote: "added" });
    expect(own.epsilon).toBeGreaterThanOrEqual(told.epsilon);
    expect(own.epsilon).toBeLessThan(told.epsilon * (1 + 1e-3));
  });

  test("is refused by name where nothing of the kind is known", async () => {
    const counts = "picture,cat,dog,owl\np1,390,5,5\n";
    const laplace = (await engine.fit(counts, priced(COUNTS, { noise: "laplace" }))) as Release;
    expect(laplace.persons.votes).toBe(false);
    await expect(engine.votersLoss(laplace, counts)).rejects.toThrow(/normal noise/);
    const several = { ...BALLOTS, unit: { protects: "voter", rows: 2 } };
    const release = (await engine.fit("first,second\ncat,owl\n", priced(several, { scale: 5 }))) as Release;
    expect(release.persons.votes).toBe(false);
    await expect(engine.votersLoss(release, "first,second\ncat,owl\n")).rejects.toThrow("unit.rows = 2");
    await expect(engine.votersLoss(release, counts, { testEpsilon: 0 })).rejects.toThrow("testEpsilon = 0");
  });

  test("refuses what is no table of votes, by place", () => {
    const fault = (votes: unknown, told: object = {}) =>
      refused(() => engine.voteLoss(votes, { scale: 40, delta: 1e-5, ...told }));
    expect(
      fault([
        [3, 2],
        [1, 2, 3],
      ]),
    ).toMatch(/ votes\.1$/);
    expect(fault([[3, -2]])).toMatch(/ votes\.0\.1$/);
    expect(fault([[3]])).toMatch(/ votes\.0$/);
    expect(fault([[3, 2]], { delta: 0 })).toMatch(/ delta$/);
    expect(fault([[3, 2]], { testEpsilon: 100 })).toMatch(/ testEpsilon$/);
  });
});
