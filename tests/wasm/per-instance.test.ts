/** What is asked about one record in numbers alone, against programs that share no formula with the core. */
import { describe, expect, test } from "vitest";
import { answer } from "../../wasm/batch.ts";
import { type InstanceQuestion, type Interval, open, type PerInstance } from "../../wasm/engine.ts";
import { holds, isAbout, lines } from "./in-numbers.ts";
import { refused } from "./refused.ts";

const engine = await open();

const ask = (question: object): PerInstance =>
  answer(engine, { ask: "perInstance", question }) as PerInstance;

describe("the answer holds the truth and is narrow", () => {
  test.each(lines("questions").map(({ question, truth }) => [question.about, question, truth]))(
    "%s",
    (_, question, truth) => {
      const found = ask(question);
      // Several releases together are not integrated more finely.
      const widest = question.count > 1 ? 1e-6 : 1e-9;
      for (const [name, value] of Object.entries(truth)) {
        if (!Array.isArray(value)) holds(found[name], value as string, widest, name);
        else {
          const size = Math.max(1e-6, ...value.map((one) => Math.abs(Number(one))));
          value.forEach((one, i) => void holds((found[name] as Interval[])[i], one, 1e-9, name, size));
        }
      }
    },
  );

  test("what came out of normal noise, posterior samples and perturbed objectives", () => {
    for (const line of lines("realised")) {
      const { ask: about, truth, moved, noise, sigma, leverage, residual, error } = line;
      if (about === "gaussian") {
        holds(ask({ about: "normal-noise", moved, noise, sigma }).realised, truth);
      } else if (about === "posterior") {
        if (leverage === 0) continue;
        const found = ask({ about: "posterior-sample", leverage, residual, error }).realisedAdd;
        holds(found, truth, 1e-6);
      } else {
        const { loss, threshold, rows, labels, theta, record, label, member } = line;
        const found = ask({
          about: "objective-outcome",
          loss,
          ...(loss === "huber" && { threshold }),
          features: rows,
          labels,
          record,
          label,
          direction: member ? "remove" : "add",
          coefficients: theta,
          lambda: line.lambda,
          sigma,
        });
        holds(found.realised, truth, 1e-6);
      }
    }
  });

  test("what came out of Laplace noise, by both densities", () => {
    const scale = 0.75;
    // Beside what is moved, between, and beyond it, in both directions; and nothing moved.
    const moved = [0.5, -0.5, 0.25, 0];
    for (const noise of [
      [1, 1, 1, 1],
      [0.125, -0.25, -3, 0],
      [0.5, -0.5, 0.25, 2],
    ]) {
      const density = (at: (i: number) => number) =>
        noise.reduce((product, _, i) => (product * Math.exp(-Math.abs(at(i)) / scale)) / (2 * scale), 1);
      const here = density((i) => noise[i] as number);
      const there = density((i) => (noise[i] as number) - (moved[i] as number));
      const found = ask({ about: "laplace-noise", moved, noise, scale });
      isAbout(found.realised, Math.log(here / there));
      isAbout(found.distance, 1.25 / scale);
      const description = found.description as { kind: string; epsilon: number };
      expect(description.kind).toBe("pure");
      expect(description.epsilon).toBeGreaterThanOrEqual(1.25 / scale);
      expect(description.epsilon).toBeLessThan((1.25 / scale) * (1 + 1e-12));
    }
    expect(ask({ about: "laplace-noise", moved, scale }).realised).toBeUndefined();
    for (const bad of [{ scale: 0 }, { scale: -1 }, { noise: [1] }, { moved: [] }])
      expect(() => ask({ about: "laplace-noise", moved, scale, ...bad })).toThrow();
  });

  test("what came out of any smooth loss, by the Hessians themselves", () => {
    const middle = (one: unknown) => ((one as Interval).lower + (one as Interval).upper) / 2;
    for (const { ask: kind, loss, threshold, rows, labels, theta, record, label, member, ...line } of lines(
      "realised",
    )) {
      if (kind !== "objective") continue;
      const { lambda, sigma } = line;
      const form = { loss, ...(loss === "huber" && { threshold }) };
      const direction = member ? "remove" : "add";
      const by = { ...form, features: rows, labels, record, label, coefficients: theta };
      const whole = ask({ about: "objective-outcome", ...by, direction, lambda, sigma });
      const second = (x: readonly number[], y: number) => {
        const prediction = x.reduce((sum, one, i) => sum + one * theta[i], 0);
        return middle(ask({ about: "slope", ...form, prediction, label: y }).second);
      };
      const products = (x: readonly number[], by: number) => x.map((a) => x.map((b) => by * (a * b)));
      const hessian = theta.map((_: number, i: number) =>
        theta.map((_: number, j: number) =>
          rows.reduce(
            (sum: number, x: number[], k: number) =>
              sum + (products(x, second(x, labels[k]))[i]?.[j] as number),
            i === j ? lambda : 0,
          ),
        ),
      );
      const first = middle(whole.first);
      const recordGradient = record.map((one: number) => first * one);
      const curvature = middle(whole.second);
      const size = record.reduce((sum: number, one: number) => sum + one * one, 0);
      const found = ask({
        about: "smooth-outcome",
        recordGradient,
        direction,
        sigma,
        hessian,
        recordHessian: products(record, curvature),
        gradient: (whole.gradient as Interval[]).map(middle),
        curvatures: [curvature * size],
        lambda,
        failure: 1e-3,
      });
      for (const name of ["determinant", "quadratic", "inner", "realised"] as const)
        expect(Math.abs(middle(found[name]) - middle(whole[name]))).toBeLessThan(1e-8);
      const quadratic = middle(found.quadratic);
      const sizes = recordGradient.reduce((sum: number, one: number) => sum + Math.abs(one), 0);
      const chance = (sizes * Math.sqrt(2 * Math.log((2 * theta.length) / 1e-3))) / sigma;
      const determinant = Math.log1p((curvature * size) / lambda);
      const told = member
        ? determinant + quadratic + chance
        : chance + Math.max(quadratic, determinant - quadratic);
      expect((found.tight as Interval).upper).toBeLessThanOrEqual(told * (1 + 1e-9));
      expect((found.tight as Interval).upper).toBeGreaterThan(0.5 * told);
    }
  });

  test("the most that anybody within declared bounds moves a ridge regression", () => {
    const features = [
      [0.3, 0.4],
      [-0.5, 0.2],
      [0.1, -0.9],
      [0.7, 0.1],
    ];
    const asked = (record: number[], label: number, direction = "add", more: object = {}) =>
      ask({
        about: "ridge",
        features,
        labels: [1, -1, 0.5, 0.2],
        lambda: 0.5,
        record,
        label,
        direction,
        ...more,
      });
    const bounds = { featureBound: 1, labelBound: 1, sigma: 2 };
    const { mostMoved, outputForAll } = asked([0, 0], 0, "add", bounds);
    const { lower, upper } = mostMoved as Interval;
    let found = Math.max(
      ...features.map((x, i) => (asked(x, [1, -1, 0.5, 0.2][i] as number, "remove").moved as Interval).lower),
    );
    expect(upper).toBeGreaterThanOrEqual(found);
    expect(lower).toBeGreaterThanOrEqual(found);
    for (let i = 0; i < 64; ++i)
      for (const length of [0.25, 0.5, 0.75, 1])
        for (const label of [-1, 1]) {
          const x = [length * Math.cos(i / 10), length * Math.sin(i / 10)];
          found = Math.max(found, (asked(x, label).moved as Interval).lower);
        }
    expect(upper).toBeGreaterThanOrEqual(found);
    expect(lower).toBeGreaterThan(0.97 * found);
    expect(outputForAll).toMatchObject({ kind: "gdp", mu: expect.closeTo(upper / 2, 12) });
    expect(asked([0, 0], 0).mostMoved).toBeUndefined();
    // A short record is moved most where little regularises: 1/(2 √λ), at the length √λ.
    for (const lambda of [1e-4, 1e-100, 1e-155]) {
      const alone = {
        about: "ridge",
        features: [],
        labels: [],
        record: [0.1, 0.2],
        label: 0,
        direction: "add",
      };
      const most = ask({ ...alone, lambda, featureBound: 1, labelBound: 1 }).mostMoved as Interval;
      expect(most.lower * 2 * Math.sqrt(lambda)).toBeGreaterThan(1 - 1e-6);
      expect(most.lower * 2 * Math.sqrt(lambda)).toBeLessThanOrEqual(1 + 1e-12);
      expect(most.upper * 2 * Math.sqrt(lambda)).toBeGreaterThanOrEqual(1 - 1e-12);
    }
    expect(refused(() => asked([0, 0], 0, "add", { featureBound: 1 }))).toContain("labelBound");
  });

  test("how far a training risk is from the risk under another distribution", () => {
    const people = { about: "people", losses: [0.1, 0.2, 0.05], delta: 1e-3 };
    const { otherGeneralisation } = ask({ ...people, others: [0.4, 0.01] });
    const mean = (list: number[]) => list.reduce((sum, one) => sum + Math.exp(one), 0) / list.length;
    const own = mean(people.losses);
    const gap = own * mean([0.4, 0.01]) - 1 + 1e-3 * (1 + own);
    expect((otherGeneralisation as Interval).upper).toBeGreaterThanOrEqual(gap * (1 - 1e-13));
    expect((otherGeneralisation as Interval).upper).toBeLessThan(gap * (1 + 1e-12));
    const same = ask({ ...people, others: people.losses });
    expect(same.otherGeneralisation).toEqual(same.generalisation);
    expect(ask(people).otherGeneralisation).toBeUndefined();
  });

  test("what one record does to a ridge regression, and what releases of it cost that record", () => {
    for (const line of lines("influence")) {
      const { rows, labels, record, label, sigma, delta, objectiveDeltas, name } = line;
      // Where doubles can tell little, intervals are wide.
      const widest = ["columns nearly alike", "far record", "nearly all leverage"].includes(name) ? 1 : 1e-6;
      const found = ask({
        about: "ridge",
        features: rows,
        labels,
        record,
        label,
        direction: "add",
        lambda: line.lambda,
        sigma,
        sampleSigma: sigma,
        ...(objectiveDeltas && { epsilon: 0.5 }),
      });
      const at = (field: string) => found[field] as Interval;
      holds(at("leverageWithout"), line.leverageWithout, widest, name);
      holds(at("leverageWith"), line.leverageWith, widest, name);
      holds(at("squaredSolutionWithout"), line.squareWithout, widest, name);
      holds(at("residualWithout"), line.residualWithout, widest, name);
      holds(at("residualWith"), line.residualWith, widest, name);
      holds(at("moved"), line.moved, widest, name);
      const output = engine.epsilon(found.output as never, delta);
      expect(output.upper, name).toBeGreaterThanOrEqual(Number(line.outputEpsilon) * (1 - 1e-12));
      expect(output.upper, name).toBeLessThanOrEqual(Number(line.outputEpsilon) * (1 + widest));
      if (objectiveDeltas) {
        holds(at("objectiveDeltaAdd"), objectiveDeltas[0], 1e-3, name);
        holds(at("objectiveDeltaRemove"), objectiveDeltas[1], 1e-3, name);
      }
    }
  });

  test("what a report says of published numbers, and what publishing them cost", () => {
    for (const line of lines("privacy_report").filter(({ ask: about }) => about === "thesis")) {
      const { x, hessian, gradient, first, second, sigma, gradientSigma, spectrum, floor, failure } = line;
      const at = (i: number, j: number) => hessian[Math.max(i, j)][Math.min(i, j)];
      const found = ask({
        about: "report-bound",
        record: x,
        hessian: x.map((_: number, i: number) => x.map((_: number, j: number) => at(i, j))),
        direction: line.member ? "remove" : "add",
        hessianSigma: 1,
        ...{ gradient, first, second, sigma, gradientSigma, spectrum, floor, failure, lambda: line.lambda },
      });
      const truth = line.truth;
      holds(found.leverage, truth.leverage, 1e-9);
      holds(found.pull, truth.pull, 1e-9);
      holds(found.published, truth.loss, 1e-9);
      // Tighter than the published bound, whose size it bounds too.
      const { lower, upper } = found.realised as Interval;
      expect(Math.max(-lower, upper)).toBeLessThanOrEqual(Number(truth.loss) * (1 + 1e-9));
    }
  });
});

describe("answers agree with each other", () => {
  test("both directions of objective perturbation make its price", () => {
    const numbers = { sigma: 5, lambda: 3, lipschitz: 1, smoothness: 1 };
    for (const derivative of ["any", "one-signed"] as const)
      for (const epsilon of [0, 0.1, 0.5, 1]) {
        const { deltaAdd, deltaRemove } = ask({ about: "objective", ...numbers, derivative, epsilon });
        const whole = engine.delta({ kind: "objective-perturbation", ...numbers, derivative }, epsilon);
        const upper = Math.max((deltaAdd as Interval).upper, (deltaRemove as Interval).upper);
        expect(whole.upper).toBeLessThanOrEqual(upper * (1 + 1e-12));
        expect(whole.upper).toBeGreaterThanOrEqual(
          Math.max((deltaAdd as Interval).lower, (deltaRemove as Interval).lower),
        );
      }
  });

  test("the record's own numbers say the same as its table", () => {
    const table = {
      features: [
        [0.5, 0.25],
        [-1, 0.75],
        [0.125, 1],
      ],
      labels: [1, -0.5, 0.25],
    };
    const record = { record: [0.5, -0.75], label: 1 };
    const found = ask({
      about: "ridge",
      ...table,
      ...record,
      direction: "add",
      lambda: 0.5,
      sigma: 0.7,
      epsilon: 0.3,
    });
    const middle = (name: string) => ((found[name] as Interval).lower + (found[name] as Interval).upper) / 2;
    const again = ask({
      about: "ridge-objective",
      leverage: middle("leverageWithout"),
      squaredSolution: middle("squaredSolutionWithout"),
      length: Math.hypot(...record.record),
      residual: middle("residualWithout"),
      sigma: 0.7,
      epsilon: 0.3,
    });
    for (const side of ["Add", "Remove"]) {
      const here = found[`objectiveDelta${side}`] as Interval;
      const there = again[`delta${side}`] as Interval;
      expect(here.lower).toBeLessThanOrEqual(there.upper);
      expect(there.lower).toBeLessThanOrEqual(here.upper);
    }
    const inside = { features: [...table.features, record.record], labels: [...table.labels, 1] };
    const removed = ask({ about: "ridge", ...inside, ...record, direction: "remove", lambda: 0.5 });
    for (const name of ["leverageWithout", "residualWith", "moved"])
      isAbout(removed[name], middle(name), name);
  });
});

describe("what is refused, by name", () => {
  const noise = { about: "normal-noise", moved: [1, 2] };
  const perturbed = { about: "general-objective", sigma: 1e-3, lambda: 1, lipschitz: 1, smoothness: 1 };
  const ada = { about: "ada-ops", dimension: 2, epsilon: 1, delta: 1e-6, eigenvalue: 1 };
  const pair = { about: "normal-pair", mean: 0, deviation: 1, otherMean: 1, otherDeviation: 2 };
  test.each([
    [{ about: "none" }, "about"],
    [noise, "sigma"],
    [
      {
        ...noise,
        sigma: 1,
        precision: [
          [1, 0],
          [0, 1],
        ],
      },
      "sigma",
    ],
    [
      {
        ...noise,
        precision: [
          [1, 0],
          [0.5, 1],
        ],
      },
      "precision",
    ],
    [{ ...noise, precision: [[1, 0], [1]] }, "precision.1"],
    [{ ...noise, precision: [[1]] }, "precision"],
    [
      {
        ...noise,
        covariance: [
          [1, 1],
          [1, 1],
        ],
      },
      "covariance",
    ],
    [
      {
        ...noise,
        covariance: [
          [1, 0],
          [0, 1],
        ],
        noise: [1, 1],
      },
      "noise",
    ],
    [{ ...noise, sigma: 1, noise: [1] }, "noise"],
    [{ ...pair, epsilon: 701 }, "epsilon"],
    [{ ...pair, epsilon: 0, deviation: 0 }, "deviation"],
    [{ ...pair, epsilon: 0, more: 1 }, "more"],
    [
      { about: "ridge", features: [[1, 2]], labels: [1], record: [1], label: 1, direction: "add", lambda: 1 },
      "features",
    ],
    [
      { about: "ridge", features: [], labels: [], record: [1], label: 1, direction: "both", lambda: 1 },
      "direction",
    ],
    [
      { about: "ridge", features: [], labels: [], record: [1], label: 1, direction: "add", lambda: 0 },
      "lambda",
    ],
    [{ about: "slope", loss: "huber", prediction: 1, label: 1 }, "threshold"],
    ...["logistic", "squared", "poisson"].map(
      (loss) => [{ about: "slope", loss, prediction: 1, label: 1, threshold: 2 }, "threshold"] as const,
    ),
    ...[0, 0.5, 1e-320, -1.5, 5].map(
      (label) => [{ about: "slope", loss: "logistic", prediction: 1, label }, "label"] as const,
    ),
    [{ about: "slope", loss: "poisson", prediction: 1, label: -1 }, "label"],
    ...[
      ["logistic", 1, 0],
      ["poisson", -1, 1],
    ].map(([loss, label, other]) => {
      const one = {
        about: "objective-outcome",
        loss,
        record: [1],
        coefficients: [0.1],
        features: [[1], [2]],
      };
      const rest = { direction: "add", lambda: 1, sigma: 1 };
      const field = loss === "logistic" ? "labels.1" : "label";
      return [{ ...one, ...rest, label, labels: [1, other] }, field] as const;
    }),
    [{ about: "people", losses: [-1] }, "losses.0"],
    [{ ...perturbed, order: 2, dimension: 0 }, "dimension"],
    [{ ...perturbed, order: 1e6, dimension: 2 }, "order"],
    [{ ...perturbed, about: "objective", epsilon: 1, count: 1.5 }, "count"],
    [
      { ...perturbed, about: "approximate-minima", gradientTolerance: 0.1, outputSigma: 0, order: 2 },
      "outputSigma",
    ],
    [{ about: "objective-parameters", epsilon: 0, delta: 1e-6, lipschitz: 1, smoothness: 1 }, "epsilon"],
    [{ ...ada, rows: 12, spread: 6 }, "spread"],
    [{ ...ada, rows: 12, spread: 4 }, "spread"],
    [{ ...ada, rows: 12, spread: 0 }, "spread"],
    [{ about: "renyi-order", renyi: 1, order: 1, epsilon: 1 }, "order"],
    [{ about: "poisson-selection", renyi: 1, order: 2, mean: 1, failure: 2 }, "failure"],
    [
      {
        about: "ridge-objective",
        leverage: 1,
        squaredSolution: 0.1,
        length: 1,
        residual: 1,
        sigma: 1,
        epsilon: 0,
      },
      "squaredSolution",
    ],
  ] as [InstanceQuestion, string][])("%j", (question, field) => {
    expect(refused(() => engine.perInstance(question)).split(" ")[1]).toBe(field);
  });
});
