/** Accuracy first through the engine: what is promised before, what is told afterwards, and how both are added up. */
import { beforeAll, describe, expect, test } from "vitest";
import { type Engine, open, type Release } from "../../wasm/engine.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await open();
});

const rows = Array.from({ length: 3000 }, (_, i) => [Math.sin(i), Math.cos(3 * i + 1)] as const);
const numbers = ["a,b,y", ...rows.map(([a, b]) => `${a},${b},${0.7 * a - 0.3 * b}`)].join("\n");
const classes = ["a,b,y", ...rows.map(([a, b]) => `${a},${b},${a - b > 0 ? "yes" : "no"}`)].join("\n");

const column = (name: string) => ({ name, use: "numeric", range: [-1, 1], missing: "drop" });
const LABELS = {
  "covariance-noise-reduction": column("y"),
  "output-noise-reduction": { name: "y", use: "classes", levels: ["no", "yes"], missing: "drop" },
};
const TABLES = { "covariance-noise-reduction": numbers, "output-noise-reduction": classes };
type Name = keyof typeof LABELS;
const names = Object.keys(LABELS) as Name[];

const request = (name: Name, changes: object = {}, rowsEach = 1) => ({
  table: {
    unit: { protects: "row", rows: rowsEach },
    columns: [column("a"), column("b")],
    label: LABELS[name],
    rowNorm: 1,
  },
  algorithm: { name, excessRisk: 0.1, lambda: 60, rows: 3000, ...changes },
  budget: { delta: 0 },
});

const refused = (ask: () => unknown) => {
  try {
    ask();
    return "";
  } catch (error) {
    return (error as { field: string }).field;
  }
};

describe.each(names)("%s", (name) => {
  test("a plan promises an ordinary price at most, and says that the guarantee is ex post", () => {
    const { epsilon, guarantee, parameters, description } = engine.plan(request(name));
    const { testingEpsilon, mostEpsilon } = parameters as { testingEpsilon: number; mostEpsilon: number };
    expect(guarantee).toBe("ex-post");
    expect(description).toMatchObject({ kind: "pure", neighbours: "replace" });
    expect(epsilon.neighbours).toBe("replace");
    expect(epsilon.upper).toBeGreaterThanOrEqual(testingEpsilon + mostEpsilon);
    expect(epsilon.upper).toBeLessThanOrEqual((testingEpsilon + mostEpsilon) * (1 + 1e-12));
  });

  test("where a row comes or goes it costs half as much", () => {
    const [one, other] = ["replace", "add-remove"].map(
      (neighbours) => engine.plan(request(name, { neighbours })).parameters.testingEpsilon as number,
    ) as [number, number];
    expect(one / other).toBeCloseTo(2, 2);
  });

  test("a release says where it stopped and what that cost, never more than was promised", async () => {
    const release = await engine.fit(TABLES[name], request(name));
    const { exPost, epsilon, parameters, released } = release;
    expect(exPost).toMatchObject({ kind: "ex-post", neighbours: "replace" });
    expect(exPost?.epsilon).toBeLessThanOrEqual(epsilon.upper);
    expect(exPost?.epsilon).toBeGreaterThanOrEqual((exPost?.testing ?? 0) + (exPost?.model ?? 0));
    expect(exPost?.testing).toBeGreaterThanOrEqual(parameters.testingEpsilon as number);
    expect(released.level?.[0]).toBeGreaterThanOrEqual(1);
    expect(release.coefficients?.terms.length).toBe(2);
  });

  test("all rows of a person cost as many times as much", async () => {
    const { exPost, parameters } = await engine.fit(TABLES[name], request(name, {}, 4));
    expect(exPost?.testing).toBeCloseTo(4 * (parameters.testingEpsilon as number), 9);
  });

  test("a budget and the printed accounting are refused by name", () => {
    const asked = request(name);
    expect(refused(() => engine.plan({ ...asked, budget: { epsilon: 1, delta: 0 } }))).toBe("budget.epsilon");
    expect(refused(() => engine.plan(request(name, { accounting: "paper" })))).toBe("algorithm.accounting");
    expect(refused(() => engine.plan(request(name, { excessRisk: 1e-8 })))).toBe("algorithm.excessRisk");
  });
});

describe("the account of losses after the fact", () => {
  test("adds up realised losses, and takes whatever has none for all that it might have cost", async () => {
    const name = "covariance-noise-reduction";
    const one = (await engine.fit(numbers, request(name))) as Release;
    const plan = engine.plan(request(name, { excessRisk: 0.2 }));
    const { kind, spent, worst, neighbours } = engine.odometer([one, plan, one]);
    expect(kind).toBe("ex-post");
    expect(neighbours).toBe("replace");
    const sum = 2 * (one.exPost?.epsilon ?? 0) + plan.epsilon.upper;
    expect(spent).toBeGreaterThanOrEqual(sum);
    expect(spent).toBeLessThanOrEqual(sum * (1 + 1e-12));
    expect(worst).toBeCloseTo(2 * one.epsilon.upper + plan.epsilon.upper, 9);
  });

  test("refuses what may fail, other neighbours, and nothing", () => {
    const ours = engine.plan(request("covariance-noise-reduction"));
    const added = engine.plan(request("covariance-noise-reduction", { neighbours: "add-remove" }));
    const gaussian = engine.plan({
      ...request("covariance-noise-reduction"),
      algorithm: { name: "ada-ssp" },
      budget: { epsilon: 1, delta: 1e-6 },
    });
    expect(refused(() => engine.odometer([ours, added]))).toBe("neighbours");
    expect(refused(() => engine.odometer([gaussian]))).toBe("releases");
    expect(refused(() => engine.odometer([]))).toBe("releases");
  });

  test("and demonstrations, whose noise can be taken off; an evaluation of one protects nobody", async () => {
    const asked = request("covariance-noise-reduction");
    const release = (await engine.fit(numbers, { ...asked, seed: 7 })) as Release;
    expect(refused(() => engine.odometer([release]))).toBe("releases.0.private");
    const plan = engine.plan({ ...asked, seed: 7 });
    expect(refused(() => engine.odometer([plan]))).toBe("releases.0.private");
    const evaluation = { budget: { epsilon: 1, delta: 1e-6 }, errorBound: 1 };
    expect(engine.planEvaluation(release, evaluation).private).toBe(false);
  });

  test("who watches a run does not hear how many levels were not enough", async () => {
    const shares: (number | undefined)[] = [];
    const onProgress = ({ phase, share }: { phase: string; share: number | undefined }) =>
      phase === "fitting" && shares.push(share);
    await engine.fit(numbers, request("covariance-noise-reduction"), { onProgress });
    const told = shares.slice(shares.indexOf(undefined));
    expect(told.length).toBeGreaterThan(0);
    expect(told.every((share) => share === undefined)).toBe(true);
  });
});
