/**
 * Attacks through the public door on noisy Newton steps, and on whitened minima of each class against the rest: releases of a
 * table and of its neighbour, against the price that they state. Whoever attacks knows everything but which of both it is.
 * With hardly anything but an intercept every whitened row is 1 long, whatever matrix was released.
 */
import { expect, test } from "vitest";
import { type Description, open, type Release } from "../../wasm/engine.ts";
import { excess, type Runs, reversed, runs } from "./attack.ts";

const engine = await open();

const SIGMA = 0.8;
const OTHERS = 100;

const numeric = { use: "numeric", range: [-1, 1], missing: "drop" } as const;
const level = (k: number) => `class ${k}`;
const levels = (count: number) => Array.from({ length: count }, (_, k) => level(k));
const LABELS = {
  squared: { name: "y", ...numeric },
  logistic: { name: "y", use: "classes", levels: levels(2), missing: "drop" },
  softmax: { name: "y", use: "multiclass", levels: levels(3), missing: "drop" },
};

const asked = (algorithm: object, label: object, more: object = {}) => ({
  table: { unit: { protects: "person", rows: 1 }, columns: [], label, rowNorm: 1e-6, ...more },
  algorithm,
  budget: { delta: 1e-5 },
});
const newton = (loss: keyof typeof LABELS, more: object = {}) => ({
  ...{ name: "noisy-newton", loss, sigma: SIGMA },
  ...more,
});

/** `loss` of releases of two tables of those labels. */
const attacked = (
  request: object,
  p: readonly unknown[],
  q: readonly unknown[],
  loss: (release: Release) => number,
) =>
  runs(2500, async (table, seed) => {
    const csv = ["y", ...(table === "p" ? p : q), ""].join("\n");
    return loss((await engine.fit(csv, { ...request, seed } as never)) as unknown as Release);
  });

/** The largest excess over what is stated, of either direction, that is certain but for 3.5 standard errors. */
function certain(found: Runs, stated: Description): number {
  const each = [found, reversed(found)].flatMap((one) =>
    [0, 0.5, 1].map((epsilon) => excess(one, epsilon, engine.delta(stated, epsilon).upper)),
  );
  return Math.max(...each.map(({ mean, error }) => mean - 3.5 * error));
}

type Part = { readonly mechanism: Readonly<Record<string, number>>; readonly count: number };
const changed = (description: Description, change: (part: Part, place: number) => Part) =>
  ({
    ...description,
    of: (description as unknown as { of: readonly Part[] }).of.map(change),
  }) as unknown as Description;
/** What is run has a fifth less noise than this states. */
const louder = (description: Description) =>
  changed(description, ({ mechanism, count }) => ({
    mechanism: { ...mechanism, sigma: 1.25 * (mechanism.sigma as number) },
    count,
  }));

function expectKept(found: Runs, request: object, broken: (stated: Description) => Description = louder) {
  const { description } = engine.plan(request as never);
  expect(certain(found, description)).toBeLessThanOrEqual(0);
  expect(certain(found, broken(description))).toBeGreaterThan(0);
}

const parameter = (release: Release, name: string) => release.parameters[name] as number;
const gram = (release: Release) => release.released.gram as readonly number[];
/** log of the ratio of normal densities. */
const shifted = (value: number, [p, q]: readonly [number, number], deviation: number) =>
  ((p - q) * (value - (p + q) / 2)) / deviation ** 2;
/** log of that of the matrix, whose one entry counts the rows; on the diagonal its noise is √2 as wide as off it. */
const counted = (release: Release, width: number) =>
  shifted(gram(release)[0] as number, [OTHERS + 1, OTHERS], Math.SQRT2 * width);
/** Of Newton's matrix, where a record is added. */
const gramWidth = (release: Release) => SIGMA / Math.sqrt(2 * parameter(release, "gramShare"));
/** How far a step moves a coefficient for each unit of the noisy sum; `length`: over the largest second derivative. */
const stride = (release: Release, length: number, width: number) =>
  (length * parameter(release, "derivativeBound")) / (Math.max(gram(release)[0] as number, 0) + width);

/** Labels at both ends, so far from every prediction that their derivatives are the bound, and add up to nothing. */
const balanced = Array.from({ length: OTHERS }, (_, i) => (i % 2 ? 1 : -1));
const sure = (u: number) => 1 / (1 + Math.exp(-u));

test("noisy Newton steps towards numbers keep their price, and a fifth less noise does not", async () => {
  const request = asked(newton("squared"), LABELS.squared);
  const found = await attacked(request, [...balanced, 1], balanced, (release) => {
    const width = gramWidth(release);
    const steps = parameter(release, "steps");
    const sum = (release.coefficients?.intercept as number) / stride(release, 1, width);
    const deviation = Math.sqrt(steps) * parameter(release, "stepSigma");
    return counted(release, width) + shifted(sum, [steps, 0], deviation);
  });
  expectKept(found, request);
});

test("of a replaced record they keep the price of twice as far, and not that of an added one", async () => {
  const [share, steps] = [0.01, 4];
  const request = asked(
    newton("squared", { neighbours: "replace", gramShare: share, steps }),
    LABELS.squared,
  );
  const found = await attacked(request, [...balanced, 1], [...balanced, -1], (release) => {
    const sum = (release.coefficients?.intercept as number) / stride(release, 1, SIGMA / Math.sqrt(share));
    return shifted(sum, [steps, -steps], Math.sqrt(steps) * parameter(release, "stepSigma"));
  });
  expectKept(found, request);
  expectKept(found, request, (stated) =>
    changed(stated, ({ mechanism, count }, place) => {
      const less = place === 0 ? Math.SQRT2 : 2;
      return { mechanism: { ...mechanism, sensitivity: (mechanism.sensitivity as number) / less }, count };
    }),
  );
});

test("logistic ones keep their price, and a fifth less noise does not", async () => {
  const request = asked(newton("logistic"), LABELS.logistic);
  const others = Array<string>(OTHERS).fill(level(0));
  const found = await attacked(request, [...others, level(1)], others, (release) => {
    const width = gramWidth(release);
    const step = stride(release, 4, width);
    // The way of the coefficient without noise, and to first order what noise makes of it.
    let [p, q, variance] = [0, 0, 0];
    for (let i = 0; i < parameter(release, "steps"); i++) {
      const kept = 1 - step * OTHERS * sure(q) * sure(-q);
      variance = kept ** 2 * variance + (step * parameter(release, "stepSigma")) ** 2;
      p -= step * (OTHERS * sure(p) - sure(-p));
      q -= step * OTHERS * sure(q);
    }
    const last = shifted(release.coefficients?.intercept as number, [p, q], Math.sqrt(variance));
    return counted(release, width) + last;
  });
  expectKept(found, request);
});

test("those of several classes keep their price, and a fifth less noise does not", async () => {
  // At the first step a record says 1 − 1/K against its class, and 1/K for each other: nearly √½ of what is paid for.
  const [count, own] = [20, 7];
  const algorithm = newton("softmax", { steps: 1, gramShare: 0.75 });
  const request = asked(algorithm, { ...LABELS.softmax, levels: levels(count) });
  const others = Array.from({ length: OTHERS }, (_, i) => level(i % count));
  const found = await attacked(request, [...others, level(own)], others, (release) => {
    const width = gramWidth(release);
    const step = stride(release, 2, width);
    const classes = release.classes?.map(({ intercept }, k) => {
      const moved = (Number(k === own) - 1 / count) / Math.SQRT2;
      return shifted((intercept as number) / step, [moved, 0], parameter(release, "stepSigma"));
    });
    return counted(release, width) + (classes as number[]).reduce((sum, one) => sum + one);
  });
  expectKept(found, request);
});

// Steps of replaced records are half as far apart as is paid for while one step is all there is: most is paid for the matrix.
test.each(["logistic", "softmax"] as const)(
  "the matrix of a replaced record keeps its price, and a fifth less noise does not: %s",
  async (loss) => {
    const share = 0.9;
    const algorithm = newton(loss, { neighbours: "replace", gramShare: share, steps: 1 });
    const request = asked(algorithm, LABELS[loss], { columns: [{ name: "x", ...numeric }], rowNorm: 1 });
    const found = await runs(2500, async (table, seed) => {
      const csv = `x,y\n${table === "p" ? 1 : -1},${level(1)}\n`;
      const release = (await engine.fit(csv, { ...request, seed } as never)) as unknown as Release;
      return shifted(gram(release)[1] as number, [1, -1], (2 * SIGMA) / Math.sqrt(share));
    });
    expectKept(found, request);
  },
);

test("whitened minima of each class against the rest keep their price; less noise, or one class's price, does not", async () => {
  const algorithm = {
    ...{ name: "approximate-minima-perturbation", loss: "softmax" },
    ...{ whiten: 0.5, predictorScale: 4 },
  };
  const request = { ...asked(algorithm, LABELS.softmax), budget: { epsilon: 3, delta: 0.18 } };
  // All others are of one class, so that the record is surely wrong against its own and against theirs.
  const [own, theirs] = [0, 1];
  const others = Array<string>(OTHERS).fill(level(theirs));
  /** log of a minimum's density, but for a constant: of so many rows of each class. */
  const likelihood = (
    release: Release,
    theta: number,
    k: number,
    rows: readonly (readonly [number, number])[],
  ) => {
    const lambda = parameter(release, "lambda");
    let [pull, curvature] = [lambda * theta, lambda];
    for (const [label, count] of rows) {
      const side = label === k ? 1 : -1;
      pull -= side * count * sure(-side * theta);
      curvature += count * sure(theta) * sure(-theta);
    }
    return Math.log(curvature) - (pull / parameter(release, "sigma")) ** 2 / 2;
  };
  const found = await attacked(request, [...others, level(own)], others, (release) => {
    const minima = (release.classes ?? []).map(({ intercept }) => intercept as number);
    // Of what all coefficients have in common nothing is released: an integral over it.
    const density = (count: number) => {
      const rows = [
        [theirs, OTHERS],
        [own, count],
      ] as const;
      let sum = 0;
      for (let common = -20; common <= 20; common += 0.1)
        sum += Math.exp(minima.reduce((all, one, k) => all + likelihood(release, one + common, k, rows), 0));
      return sum;
    };
    return counted(release, parameter(release, "gramSigma")) + Math.log(density(1) / density(0));
  });
  expectKept(found, request);
  expectKept(found, request, (stated) => changed(stated, (part) => ({ ...part, count: 1 })));
});
