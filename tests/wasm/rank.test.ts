/** Which algorithm errs least, before there is a table: all of the same promise, on the same tables, at two corners. */
import { expect, test } from "vitest";
import { type Engine, open } from "../../wasm/engine.ts";
import { applicable, withNoise } from "../../wasm/release/applicable.ts";
import { checkRequest } from "../../wasm/release/fit-request.ts";
import { behind } from "../../wasm/release/rank.ts";
import { categorical, numeric, refused } from "./table/support.ts";

const engine: Engine = await open();

const request = <A extends object>(algorithm: A, changes: object = {}) => ({
  table: {
    unit: { protects: "person", rows: 1 },
    columns: [numeric("a", [0, 1]), numeric("b", [-5, 5]), categorical("c", ["x", "y"])],
    label: { name: "y", use: "numeric", range: [0, 100], missing: "drop" },
  },
  algorithm,
  budget: { epsilon: 1, delta: 1e-5 },
  ...changes,
});
const CLASSES = { name: "y", use: "classes", levels: ["no", "yes"], missing: "drop" };
const classes = (algorithm: object, changes: object = {}) => {
  const asked = request(algorithm, changes);
  return { ...asked, table: { ...asked.table, label: CLASSES } };
};

const LINEAR = request({ name: "ada-ssp" });
const names = (asked: object, rows = 100) => [...applicable(checkRequest(asked), rows).keys()];

test("every algorithm of the same loss that keeps a budget is asked, the request's own as it is", () => {
  expect(names(LINEAR)).toEqual(expect.arrayContaining(["ada-ssp", "dp-sgd", "noisy-newton", "ops-ptr"]));
  expect(names(LINEAR)).not.toContain("logistic-mixing");
  expect(names(LINEAR)).not.toContain("covariance-noise-reduction");
  expect(names(LINEAR)).not.toContain("noisy-covariance");
  const logistic = classes({
    name: "output-perturbation",
    loss: "logistic",
    lambda: 7,
    neighbours: "replace",
  });
  const all = applicable(checkRequest(logistic), 500);
  expect([...all.keys()]).toContain("logistic-mixing");
  expect([...all.keys()]).not.toContain("ada-ssp");
  expect(all.get("output-perturbation")).toEqual([checkRequest(logistic).algorithm]);
  expect(all.get("output-perturbation-by-curvature")).toEqual([
    expect.objectContaining({ name: "output-perturbation-by-curvature", lambda: 7 }),
  ]);
  expect(all.get("noisy-newton")?.[0]).toMatchObject({ loss: "logistic", neighbours: "replace" });
  expect(all.get("dp-sgd")?.[0]).toMatchObject({ rows: 500 });
  // Who must be told lambda, and is not, is tried with a few.
  expect(applicable(checkRequest(LINEAR), 500).get("ops-ptr")).toHaveLength(4);
  const huber = request({ name: "approximate-minima-perturbation", loss: "huber", threshold: 0.1 });
  expect(applicable(checkRequest(huber), 100).get("dp-sgd")?.[0]).toMatchObject({ threshold: 0.1 });
});

const CSV = `a,b,c,y\n${Array.from({ length: 300 }, (_, i) => `${(i % 7) / 7},${(i % 11) - 5},${i % 2 ? "x" : "y"},${i % 100}`).join("\n")}\n`;

/** Whose noise takes most of a second to find. */
const SLOW = ["linear-mixing", "gaussian-mixing", "johnson-lindenstrauss", "posterior-sampling"];

test("the noise that was found once is the noise of every fit", async () => {
  for (const [name, ways] of applicable(checkRequest(LINEAR), 300)) {
    const algorithm = [...ways].reverse().find((way) => !Reflect.get(way, "whiten"));
    const whole = checkRequest({ ...LINEAR, algorithm, seed: 3 });
    const plan = engine.plan(whole);
    const planned = withNoise(whole, plan);
    expect(planned.budget.epsilon, name).toBeUndefined();
    const { description, parameters } = engine.plan(planned);
    expect({ description, parameters }, name).toEqual({
      description: plan.description,
      parameters: plan.parameters,
    });
    if (SLOW.includes(name)) continue;
    const [one, other] = [await engine.fit(CSV, whole), await engine.fit(CSV, planned)];
    expect(other.outputs, name).toEqual(one.outputs);
  }
});

const guesses = { rows: 200, tables: 20 };

test("whitened rows are tried where nothing says otherwise, and a request for them is simulated as it is", async () => {
  const minima = (more: object) =>
    request({ name: "approximate-minima-perturbation", loss: "squared", ...more });
  const tried = (asked: object) =>
    applicable(checkRequest(asked), 300)
      .get("approximate-minima-perturbation")
      ?.map((way) => Reflect.get(way, "whiten"));
  expect(tried(minima({}))).toEqual([0, 0.15]);
  expect(tried(LINEAR)).toEqual([0, 0.15]);
  expect(tried(minima({ whiten: 0.3 }))).toEqual([0.3]);
  expect(tried(minima({ whiten: 0 }))).toEqual([0]);
  const whitened = minima({ whiten: 0.3 });
  const { points } = await engine.simulate(whitened, { rows: 100, tables: 2, epsilons: [1] });
  expect(points[0]?.error).toBeGreaterThan(0);
  // Whoever names lambda names that of rows as they are.
  const { algorithms } = await engine.rankAlgorithms(minima({ lambda: 2 }), guesses);
  const own = algorithms.find(({ algorithm }) => algorithm.name === "approximate-minima-perturbation");
  expect(own?.algorithm).toMatchObject({ lambda: 2 });
  expect(own?.algorithm).not.toHaveProperty("whiten", 0.15);
});

/** Few algorithms minimise it, and their noise is found quickly. */
const HUBER = request({ name: "approximate-minima-perturbation", loss: "huber", threshold: 0.5 });

test("algorithms are compared on the same tables, at two corners, and ties are marked", async () => {
  const found = await engine.rankAlgorithms(HUBER, guesses);
  const { algorithms, corners, leftOut } = found;
  expect(found).toMatchObject({
    kind: "simulation",
    measure: "root mean squared error",
    budget: HUBER.budget,
  });
  expect(corners).toMatchObject([
    { offCentre: 0, conditioning: 1 },
    { offCentre: 0.6, conditioning: 100 },
  ]);
  const ranked = algorithms.map(({ algorithm }) => algorithm.name);
  expect(new Set(ranked).size).toBe(ranked.length);
  const all = [...ranked, ...leftOut.map(({ name }) => name)];
  expect([...all].sort()).toEqual([...names(HUBER)].sort());
  for (const i of [0, 1]) {
    const errors = algorithms.map((one) => one.corners[i]?.error as number);
    const least = Math.min(...errors);
    for (const { corners: at } of algorithms) {
      const { error, behind } = at[i] as (typeof at)[number];
      expect(behind.error).toBeCloseTo(error - least, 9);
      expect(behind.isTied).toBe(behind.error <= 2 * behind.standardError || behind.error === 0);
    }
    expect(algorithms.some(({ corners: at }) => at[i]?.behind.error === 0)).toBe(true);
    const gain = (corners[i]?.constant.error as number) - (corners[i]?.best.error as number);
    for (const one of algorithms)
      expect(one.lost).toBeGreaterThanOrEqual((one.corners[i]?.behind.error as number) / gain - 1e-12);
  }
  const lost = algorithms.map((one) => one.lost);
  expect(lost).toEqual([...lost].sort((a, b) => a - b));
  // The same tables as those of a simulation of that algorithm alone.
  const own = algorithms.find(({ algorithm }) => algorithm.name === HUBER.algorithm.name);
  const alone = await engine.simulate({ ...HUBER, algorithm: own?.algorithm }, { ...guesses, epsilons: [1] });
  expect(own?.corners[1]).toMatchObject(alone.points[0] ? { error: alone.points[0].error } : {});
});

test("models of counts are compared by the error that an evaluation has", async () => {
  const asked = request({ name: "approximate-minima-perturbation", loss: "poisson", gradientBound: 5 });
  const label = { name: "y", use: "count", range: [0, 20], missing: "drop" };
  const counts = { ...asked, table: { ...asked.table, label } };
  const { algorithms, corners, measure } = await engine.rankAlgorithms(counts, { ...guesses, rows: 2000 });
  expect(measure).toBe("root mean squared error");
  expect(algorithms.map(({ algorithm }) => algorithm.name)).toEqual(
    expect.arrayContaining(["approximate-minima-perturbation", "dp-sgd"]),
  );
  // 10 in the middle, of whose variance half is explained; badly scaled 4.
  for (const [i, middle] of [10, 4].entries()) {
    expect(corners[i]?.best.error).toBeCloseTo(Math.sqrt(middle), 0);
    expect(corners[i]?.constant.error).toBeCloseTo(Math.sqrt(2 * middle), 0);
    for (const one of algorithms) {
      expect(one.corners[i]?.error).toBeGreaterThan(corners[i]?.best.error as number);
      expect(one.corners[i]?.error).toBeLessThanOrEqual(10);
    }
  }
});

test("what one errs more is told by the tables that both had", () => {
  const least = [1, 5, 9];
  const { error, standardError, isTied } = behind([1.5, 5.5, 9.5], least);
  expect([error, standardError, isTied]).toEqual([0.5, 0, false]);
  expect(behind([2, 4, 10], least)).toMatchObject({ isTied: true });
  expect(behind(least, least)).toEqual({ error: 0, standardError: 0, isTied: true });
});

test("whoever is for other neighbours, or for no such budget, is left out by name", async () => {
  const asked = { name: "noisy-newton", loss: "logistic", neighbours: "replace", steps: 2 };
  const replaced = classes(asked, { budget: { epsilon: 1, delta: 1e-5 } });
  const { algorithms, leftOut } = await engine.rankAlgorithms(replaced, guesses);
  const names = algorithms.map(({ algorithm }) => algorithm.name);
  expect(names).toContain("noisy-newton");
  expect(names).not.toContain("dp-sgd");
  expect(leftOut.find(({ name }) => name === "dp-sgd")?.why).toBe(
    "it is for neighbours by add-remove, not by replace",
  );
  for (const { algorithm } of algorithms) {
    const { epsilon } = engine.plan({ ...replaced, algorithm });
    expect(epsilon.neighbours).toBe("replace");
    expect(epsilon.upper).toBeLessThanOrEqual(1);
  }
});

test("what cannot be compared is refused by name, and cancelling ends it", async () => {
  const says = (asked: unknown, guessed: unknown) => refused(() => engine.rankAlgorithms(asked, guessed));
  expect(await says(LINEAR, {})).toContain("guesses.rows = nothing");
  expect(await says(LINEAR, { rows: 100, tables: 5 })).toContain("guesses.tables = 5");
  expect(await says(LINEAR, { rows: 100, epsilons: [1] })).toContain("guesses.epsilons");
  const priced = request({ name: "ada-ssp", sigma: 3 }, { budget: { delta: 1e-5 } });
  expect(await says(priced, guesses)).toContain("budget.epsilon");
  const tuned = request(
    { name: "ops-ptr", lambda: 1 },
    { tune: { candidates: [{ lambda: 10 }, { lambda: 20 }] } },
  );
  expect(await says(tuned, guesses)).toContain("tune = given");
  const stop = new AbortController();
  let told = 0;
  const onProgress = () => {
    if (++told === 3) stop.abort("enough");
  };
  await expect(engine.rankAlgorithms(LINEAR, guesses, { signal: stop.signal, onProgress })).rejects.toBe(
    "enough",
  );
});
