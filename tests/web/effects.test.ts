/** What is drawn of a model: changes that mean something, whatever the intercept took. */

import { expect, test } from "vitest";
import { open } from "../../wasm/engine.ts";
import { effects } from "../../web/src/charts/effects.ts";
import { fitModel } from "../wasm/model.ts";

const engine = await open();

const request = {
  table: {
    unit: { protects: "row", rows: 1 },
    columns: [
      { name: "x", use: "numeric", range: [-10, 10], missing: "drop" },
      { name: "group", use: "categorical", levels: ["a", "b", "c"], missing: "drop" },
    ],
    label: { name: "y", use: "numeric", range: [-50, 50], missing: "drop" },
    rowNorm: 1,
  },
  algorithm: { name: "output-perturbation", loss: "squared", gradientBound: 2, lambda: 10 },
  budget: { epsilon: 1, delta: 1e-5 },
  seed: 1,
};

const rows = Array.from(
  { length: 300 },
  (_, i) => `${(i % 21) - 10},${"abc"[i % 3]},${(i % 21) - 10 + 5 * (i % 3)}`,
);
const release = await fitModel(engine, `x,group,y\n${rows.join("\n")}\n`, request);

test("a number counts across its range, a level from the average of its column", () => {
  const [x, ...levels] = effects(release, undefined);
  const [first, ...others] = release.coefficients.terms.map(({ coefficient }) => coefficient) as [
    number,
    ...number[],
  ];
  expect(x?.value).toBeCloseTo(20 * first, 10);
  expect(x?.noise).toBeCloseTo(20 * (release.intervals.privacyNoise?.terms[0] as number), 10);
  expect(levels.map(({ label }) => label)).toEqual(["group: a", "group: b", "group: c"]);
  expect(levels.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(0, 10);
  const [a, b] = levels;
  expect((b?.value as number) - (a?.value as number)).toBeCloseTo(
    (others[1] as number) - (others[0] as number),
    10,
  );
});

test("what all levels share moves no effect", () => {
  const { coefficients } = release;
  const terms = coefficients.terms.map((term) =>
    term.level === undefined ? term : { ...term, coefficient: term.coefficient + 1000 },
  );
  const shifted = { ...release, coefficients: { intercept: coefficients.intercept - 1000, terms } };
  const [before, after] = [release, shifted].map((one) => effects(one, undefined).map(({ value }) => value));
  for (const [i, value] of (after as number[]).entries())
    expect(value).toBeCloseTo((before as number[])[i] as number, 9);
});
