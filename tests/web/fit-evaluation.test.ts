/** What the page makes of an evaluation: what it asks, what it draws, what it says. */
import { expect, test } from "vitest";
import type { Evaluation, Release } from "../../wasm/contract.ts";
import { open, Refusal } from "../../wasm/engine.ts";
import { WITHIN } from "../../wasm/release/intervals.ts";
import { calibrationFigure, rocFigure } from "../../web/src/charts/evaluation-figures.ts";
import { PAPER } from "../../web/src/charts/figure.ts";
import {
  calibrationPoints,
  confusionAt,
  confusionOf,
  evaluationIn,
  evaluationPaid,
  middleEdge,
  rocPoints,
} from "../../web/src/fit/evaluation.ts";
import { confusionWords, measureRow } from "../../web/src/words/evaluation.ts";

const engine = await open();

const csv = (rows: number) =>
  `x,class\n${Array.from({ length: rows }, (_, i) => `${Math.sin(i * 12.9898)},${Math.sin(i * 12.9898) + 0.5 * Math.sin(i * 78.233) > 0.4 ? "yes" : "no"}`).join("\n")}\n`;

const request = {
  table: {
    unit: { protects: "row", rows: 1 },
    columns: [{ name: "x", use: "numeric", range: [-1, 1], missing: "drop" }],
    label: { name: "class", use: "classes", levels: ["no", "yes"], missing: "drop" },
  },
  algorithm: { name: "noisy-newton", loss: "logistic", sigma: 0.05 },
  budget: { delta: 1e-6 },
};

const fitted = (changes: object = {}): Promise<Release> => engine.fit(csv(600), { ...request, ...changes });
const typed = { epsilon: "1", delta: "1e-6", detail: "" };

const told = async (rows: number, epsilon: number): Promise<Evaluation> =>
  engine.evaluate(await fitted(), csv(rows), { budget: { epsilon, delta: 1e-6 }, seed: 4 });

test("what is typed is asked; nothing while the budget is not whole; what is no number is refused by name", async () => {
  const release = await fitted();
  expect(evaluationIn(release, { ...typed, epsilon: " " })).toBeUndefined();
  expect(evaluationIn(release, { ...typed, epsilon: "1/2", detail: "10" })).toEqual({
    budget: { epsilon: 0.5, delta: 1e-6 },
    bins: 10,
  });
  expect(() => evaluationIn(release, { ...typed, delta: "x" })).toThrow(Refusal);
  // A demonstration stays one.
  const asked = evaluationIn(await fitted({ seed: 3 }), typed);
  expect(asked?.seed).toBe(3);
});

test("in the ledger it is about the persons of the release, and has no loss after the fact", async () => {
  const release = await fitted();
  const plan = engine.planEvaluation(release, evaluationIn(release, typed));
  const paid = evaluationPaid({ ...release, exPost: { epsilon: 1 } } as unknown as Release, plan);
  expect("exPost" in paid || "guarantee" in paid).toBe(false);
  expect(paid.description).toEqual(plan.description);
  expect(paid.request.table).toEqual(release.request.table);
});

test("the counts of both classes do not depend on the threshold, and their noise is that of their parts", async () => {
  const evaluation = await told(600, 1);
  const { measures, sigma } = evaluation;
  if (measures.measured !== "classes") throw new Error("classes were asked for");
  const all = measures.edges.map((_, edge) => confusionAt(evaluation, edge));
  const [first] = all;
  for (const one of all) {
    if (!one || !first) throw new Error("every edge has counts");
    const { truePositives, falseNegatives, trueNegatives, falsePositives } = one;
    const positives = first.truePositives.count;
    expect(truePositives.count + falseNegatives.count).toBeCloseTo(positives, 6);
    expect(trueNegatives.count + falsePositives.count).toBeCloseTo(first.falsePositives.count, 6);
    const square = (WITHIN * sigma) ** 2 * (measures.edges.length - 1);
    expect(truePositives.margin ** 2 + falseNegatives.margin ** 2).toBeCloseTo(square, 6);
    expect(falsePositives.margin).toBe(truePositives.margin);
  }
  expect(first?.falseNegatives).toEqual({ count: 0, margin: 0 });
  expect(measures.edges[middleEdge(measures)]).toBe(0.5);
  expect(confusionWords(all[10] as never, ["no", "yes"])).toMatch(
    /^Rows of “yes”: \d+ ± \d+ told right, −?\d+ ± \d+ wrong\. Rows of “no”: /,
  );
});

test("a curve goes from none to all of both classes; bins of which nothing is known are not drawn", async () => {
  const { measures } = await told(600, 1);
  if (measures.measured !== "classes") throw new Error("classes were asked for");
  const roc = rocPoints(measures);
  expect(roc).toHaveLength(21);
  expect([roc[0]?.falsePositiveRate.value, roc[0]?.truePositiveRate.value]).toEqual([1, 1]);
  expect([roc[20]?.falsePositiveRate.value, roc[20]?.truePositiveRate.value]).toEqual([0, 0]);
  const view = { width: 490, height: 400 };
  const drawn = rocFigure(roc, 10, view, PAPER);
  expect(drawn.match(/<rect /g)).toHaveLength(22);
  expect(drawn).not.toMatch(/NaN|undefined|="-/);
  const points = calibrationPoints(measures);
  expect(points.length).toBe(measures.calibration.filter((one) => one).length);
  expect(points.length).toBeLessThan(20);
  const calibration = calibrationFigure(points, [0, 1], "share of the second class", view, PAPER);
  expect(calibration.match(/<circle /g)).toHaveLength(points.length);
  expect(calibration).not.toMatch(/NaN|undefined/);
});

test("of several classes every cell has the noise of one, and calibration is drawn from the probability of a guess on", async () => {
  const levels = ["low", "middle", "high"];
  const rows = Array.from({ length: 600 }, (_, i) => Math.sin(i * 12.9898));
  const csv = `x,class\n${rows.map((x) => `${x},${x > 0.5 ? "high" : x < -0.5 ? "low" : "middle"}`).join("\n")}\n`;
  const label = { name: "class", use: "multiclass", levels, missing: "drop" };
  const algorithm = { name: "noisy-newton", loss: "softmax", sigma: 0.05 };
  const release = await engine.fit(csv, { ...request, table: { ...request.table, label }, algorithm });
  const asked = evaluationIn(release, { ...typed, detail: "5" });
  expect(asked).toEqual({ budget: { epsilon: 1, delta: 1e-6 }, bins: 5 });
  expect(evaluationIn(release, typed)).toEqual({ budget: { epsilon: 1, delta: 1e-6 } });
  const { measures, sigma } = await engine.evaluate(release, csv, { ...asked, seed: 4 });
  if (measures.measured !== "confusion") throw new Error("several classes were asked for");
  const cells = confusionOf(measures, sigma).flat();
  expect(cells).toHaveLength(9);
  expect(new Set(cells.map(({ margin }) => margin))).toEqual(new Set([WITHIN * sigma]));
  const { edges, calibration } = measures;
  if (!edges || !calibration) throw new Error("bins were asked for");
  const points = calibrationPoints({ edges, calibration });
  expect(points.length).toBeGreaterThan(0);
  const view = { width: 490, height: 400 };
  const drawn = calibrationFigure(points, [edges[0] as number, 1], "share told right", view, PAPER);
  expect(drawn.match(/<circle /g)).toHaveLength(points.length);
  expect(drawn).toContain("predicted probability");
  // On the axis of shares, and not on that of probabilities.
  expect(drawn.match(/>0\.2</g)).toHaveLength(1);
  expect(drawn).not.toMatch(/NaN|undefined/);
});

test("where noise hides everything, dashes stand and nothing is drawn", async () => {
  const { measures } = await told(3, 0.1);
  if (measures.measured !== "classes") throw new Error("classes were asked for");
  expect(rocPoints(measures)).toEqual([]);
  expect(calibrationPoints(measures)).toEqual([]);
  expect(measureRow("AUC", measures.auc)).toEqual({ name: "AUC", value: "–", table: "–", population: "–" });
});
