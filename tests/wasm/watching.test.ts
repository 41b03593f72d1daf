/** What a release cost persons, and reports that read its table, are watched and stopped like fits. */
import { describe, expect, test } from "vitest";
import { type FitOptions, open, type Release } from "../../wasm/engine.ts";

const engine = await open();

const COUNT = 3000;
const columns = [
  { name: "x", use: "numeric", range: [0, 1], missing: "drop" },
  { name: "z", use: "numeric", range: [0, 1], missing: "drop" },
];
const unit = { protects: "person", rows: 1 };
const classes = {
  unit,
  columns,
  label: { name: "high", use: "classes", levels: ["no", "yes"], missing: "drop" },
};
const numbers = { unit, columns, label: { name: "y", use: "numeric", range: [0, 1], missing: "drop" } };
const rows = Array.from({ length: COUNT }, (_, i) => {
  const [x, z] = [((i * 37) % 101) / 100, ((i * 59) % 97) / 96];
  const y = (x + z) / 2;
  return { x, z, high: y + ((i * 17) % 13) / 26 > 0.7 ? "yes" : "no", y };
});
const csv = `x,z,high,y\n${rows.map((row) => Object.values(row).join(",")).join("\n")}\n`;
/** Whoever is asked about: in the table. */
const personOf = (request: { readonly table: object }) => {
  const { x, z, high, y } = rows[7] as (typeof rows)[number];
  return request.table === classes ? { x, z, high } : { x, z, y };
};

const budget = { epsilon: 1, delta: 1e-5 };
const minima = { name: "approximate-minima-perturbation", loss: "logistic" };
const REQUESTS = {
  "perturbed minima": { table: classes, algorithm: { ...minima, whiten: 0 } },
  "whitened rows": { table: classes, algorithm: minima },
  "output perturbation": {
    table: classes,
    algorithm: { name: "output-perturbation", loss: "logistic", lambda: 30 },
  },
  steps: {
    table: classes,
    algorithm: {
      name: "dp-sgd",
      loss: "logistic",
      steps: 5,
      rate: 1,
      learningRate: 0.5,
      rows: COUNT,
      path: "released",
    },
  },
  sums: { table: numbers, algorithm: { name: "ada-ssp" } },
  "a posterior sample": {
    table: numbers,
    algorithm: { name: "posterior-sampling", lambda: 300, rows: COUNT },
  },
  "a sketch": { table: numbers, algorithm: { name: "linear-mixing" } },
};

type Ask = (options: FitOptions) => Promise<unknown>;

/** Every question that reads the table of a release again. */
const questions = (release: Release, request: { readonly table: object }): Readonly<Record<string, Ask>> => ({
  personalLosses: (options) => engine.personalLosses(release, csv, { ...options, failure: 1e-6 }),
  knownLoss: (options) => engine.knownLoss(release, csv, personOf(request), { ...options, failure: 1e-6 }),
  ...("loss" in release.request.algorithm && release.request.algorithm.name === minima.name
    ? {
        report: (options: FitOptions) =>
          engine.report(release, csv, { noise: { gradient: 4, hessian: 4 }, seed: 3 }, options),
      }
    : {}),
});

describe.each(Object.entries(REQUESTS))("of %s", async (_, request) => {
  const release = (await engine.fit(csv, { ...request, budget, seed: 5 })) as Release;

  test.each(Object.entries(questions(release, request)))("%s", async (name, ask) => {
    const told: { phase: string; share: number }[] = [];
    const onProgress: FitOptions["onProgress"] = ({ phase, share = 1 }) => void told.push({ phase, share });
    const answer = await ask({ onProgress });
    expect(told[0]?.phase).toBe("reading");
    const shares = told.filter(({ phase }) => phase === "fitting").map(({ share }) => share);
    // One person's loss may follow from her own row alone, at once.
    if (name !== "knownLoss") expect(shares.length).toBeGreaterThan(1);
    expect(shares).toEqual(shares.slice().sort((a, b) => a - b));
    expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);

    // Stopped while the table is read, at the first word of the core, and where it is half way.
    const half = shares[Math.floor(shares.length / 2)];
    const ways = [
      ["reading", 0] as const,
      ...(half === undefined
        ? []
        : ([
            ["fitting", 0],
            ["fitting", half],
          ] as const)),
    ];
    for (const [phase, least] of ways) {
      const stop = new AbortController();
      let after = 0;
      const stopping = ask({
        signal: stop.signal,
        onProgress: ({ phase: now, share = 1 }) => {
          if (stop.signal.aborted) ++after;
          if (now === phase && share >= least) stop.abort(`enough of ${name}`);
        },
      });
      await expect(stopping).rejects.toBe(`enough of ${name}`);
      expect(after).toBe(0);
    }
    // Nothing is left of what was stopped.
    expect(await ask({})).toEqual(answer);
  });
});
