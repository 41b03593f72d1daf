/**
 * An attack through the public door: a model and the report on it, of a table and of its neighbour, against what both say
 * that they cost together. Whoever attacks knows everything but whether one row is there.
 */
import { expect, test } from "vitest";
import { open, type Release } from "../../wasm/engine.ts";
import { excess, runs } from "./attack.ts";

const engine = await open();

/** The others all say the opposite of the one row. */
const OTHERS = 200;
const LAMBDA = 4;
const NOISE = { sigma: 2, gradient: 2.4, hessian: 0.7 };
const DELTA = 0.1;

const numeric = { use: "numeric", range: [-1, 1], missing: "drop" } as const;
const table = {
  unit: { protects: "person", rows: 1 },
  columns: [
    { name: "x", ...numeric },
    { name: "z", ...numeric },
  ],
  label: { name: "y", use: "classes", levels: ["no", "yes"], missing: "drop" },
  intercept: 0,
};
const without = `x,z,y\n${"1,1,yes\n".repeat(OTHERS)}`;
const tables = { with: `${without}1,1,no\n`, without };

/** With `share` of the noise, drawn by a seed: the same figures on every machine. */
async function told(csv: string, share: number, seed: number) {
  const algorithm = {
    name: "approximate-minima-perturbation",
    loss: "logistic",
    sigma: share * NOISE.sigma,
    lambda: LAMBDA,
    whiten: 0,
  };
  const release = (await engine.fit(csv, { table, algorithm, budget: { delta: DELTA }, seed })) as Release;
  const noise = { gradient: share * NOISE.gradient, hessian: share * NOISE.hessian };
  return engine.report(release, csv, { noise, seed: seed + 1_000_000 });
}
type Told = Awaited<ReturnType<typeof told>>;

/** Of `count` rows at (1, 1) as the model sees them, of length 1: one entry of their gradient, and one of their Hessian. */
function derivatives(label: number, count: number, [first, second]: readonly number[]) {
  const wrong = 1 / (1 + Math.exp((label * ((first as number) + (second as number))) / Math.SQRT2));
  return { gradient: (-label * count * wrong) / Math.SQRT2, hessian: (count * wrong * (1 - wrong)) / 2 };
}

/** log of the ratio of the densities of what came out, with the row and without it; the finish is a millionth of all that. */
function realised({ coefficients, material }: Told, share: number): number {
  const own = derivatives(-1, 1, coefficients);
  const rest = derivatives(1, OTHERS, coefficients);
  const shifted = (value: number, mean: number, sigma: number) =>
    (mean * (value - mean / 2)) / (share * sigma) ** 2;
  const determinant = (hessian: number) => (hessian + LAMBDA) ** 2 - hessian ** 2;
  let sum = Math.log(determinant(rest.hessian + own.hessian) / determinant(rest.hessian));
  for (const [i, coefficient] of coefficients.entries()) {
    const pull = rest.gradient + LAMBDA * coefficient;
    sum += (pull ** 2 - (pull + own.gradient) ** 2) / (2 * (share * NOISE.sigma) ** 2);
    sum += shifted((material.gradient?.[i] as number) - rest.gradient, own.gradient, NOISE.gradient);
  }
  // What is off the diagonal stands in two places, and has half of their variance.
  for (const [i, value] of (material.hessian ?? []).entries())
    sum += shifted(value - rest.hessian, own.hessian, (i === 1 ? 1 : Math.SQRT2) * NOISE.hessian);
  return sum;
}

/** With `share` of the noise. */
const attacked = (share: number, count: number) =>
  runs(count, async (table, seed) =>
    realised(await told(table === "p" ? tables.with : tables.without, share, seed), share),
  );

test("a model and the report on it keep the price that the report states, and a fifth less noise does not", async () => {
  const { epsilon, delta } = (await told(tables.with, 1, 0)).price;
  expect(delta).toBe(DELTA);
  const stated = excess(await attacked(1, 1500), epsilon, DELTA);
  expect(stated.mean).toBeLessThan(0);
  const broken = excess(await attacked(0.8, 3000), epsilon, DELTA);
  expect(broken.mean - 3 * broken.error).toBeGreaterThan(0);
});
