/**
 * Strangers' tables, as they are: blanks after commas, marks for missing values, columns that identify. The sums were
 * computed by another program (Python's csv module and 80-bit arithmetic) from the definition of the features.
 */
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { checkTable, type TableRequest } from "../../../wasm/table/declaration.ts";
import { featureMap } from "../../../wasm/table/features.ts";
import { inspect } from "../../../wasm/table/inspect.ts";
import { preprocess } from "../../../wasm/table/preprocess.ts";
import { sniff } from "../../../wasm/table/sniff.ts";
import { peek } from "../../../wasm/table/source.ts";
import { statisticsQuery } from "../../../wasm/table/sql.ts";
import { CSV, categorical, integerSums, numeric, shared } from "./support.ts";

const [adult, communities] = await Promise.all([shared("adult.csv"), shared("communities.csv")]);
const duckdb = await import("@duckdb/node-api").catch(() => undefined);

const sniffed = async (file: Blob) => sniff((await peek(file)).beginning);

const unit = { protects: "person", rows: 1 };
const income = checkTable({
  unit,
  columns: [
    numeric("age", [17, 90]),
    numeric("education.num", [1, 16]),
    numeric("capital.gain", [0, 10000]),
    numeric("hours.per.week", [1, 60], { constant: 40 }),
    categorical("workclass", ["Private", "State-gov", "Self-emp-not-inc"]),
    categorical("sex", ["Female", "Male"]),
    categorical("occupation", ["Sales", "Adm-clerical", "?"], { constant: "?" }),
  ],
  label: { name: "income", use: "classes", levels: ["<=50K", ">50K"], missing: "drop" },
  rowNorm: 0.7,
});

async function crimes(file: Blob): Promise<TableRequest> {
  const { columns } = await inspect(file, await sniffed(file));
  return checkTable({
    unit: { protects: "community", rows: 1 },
    columns: columns.slice(5, -1).map(({ name }) => numeric(name, [0, 1], { constant: 0.5 })),
    label: { name: "ViolentCrimesPerPop", use: "numeric", range: [0, 1], missing: "drop" },
    rowNorm: 0.5,
  });
}

/** Every entry of the sums counts, each with a weight of its own: Σ i j G(i, j), Σ i b(i), Σ y². */
async function weighted(file: Blob, request: TableRequest) {
  const { dimension } = featureMap(request);
  let [rows, gram, moments, square] = [0, 0, 0, 0];
  await preprocess(file, await sniffed(file), request, (features, labels) => {
    rows += labels.length;
    labels.forEach((y, i) => {
      const row = features.subarray(i * dimension, (i + 1) * dimension);
      const sum = row.reduce((sum, x, j) => sum + (j + 1) * x, 0);
      gram += sum * sum;
      moments += sum * y;
      square += y * y;
    });
  });
  return { rows, gram, moments, square };
}

function near(found: number, truth: number) {
  expect(Math.abs(found / truth - 1)).toBeLessThan(1e-12);
}

describe.skipIf(!adult || !communities)("real tables (skipped where they are not at hand)", () => {
  test("are read as they are", async () => {
    expect(await sniffed(adult as Blob)).toEqual(CSV);
    expect(await sniffed(communities as Blob)).toEqual(CSV);
    const people = await inspect(adult as Blob, CSV, income);
    expect(people.problems).toEqual([]);
    expect(people.columns.filter(({ numeric }) => numeric).map(({ name }) => name)).toEqual([
      "age",
      "fnlwgt",
      "education.num",
      "capital.gain",
      "capital.loss",
      "hours.per.week",
    ]);
    const missing = people.notices.filter(({ kind }) => kind === "some-missing");
    expect(missing.map(({ column }) => column)).toEqual(["workclass", "occupation", "native.country"]);
    const towns = await inspect(communities as Blob, CSV);
    expect(towns.problems).toEqual([]);
    expect(towns.columns.length).toBe(128);
    expect(towns.columns.filter(({ numeric }) => !numeric).map(({ name }) => name)).toEqual([
      "communityname string",
    ]);
  });

  test("become the features that were declared", async () => {
    const people = await weighted(adult as Blob, income);
    expect([people.rows, people.square]).toEqual([30725, 30725]);
    near(people.gram, 10110660.62286051);
    near(people.moments, -271656.3703265943);
    const request = await crimes(communities as Blob);
    expect(featureMap(request).dimension).toBe(123);
    const towns = await weighted(communities as Blob, request);
    expect(towns.rows).toBe(1994);
    near(towns.gram, 4237459.814525706);
    near(towns.moments, 10348.92234636815);
    near(towns.square, 980.3284);
  });

  test.skipIf(!duckdb)("have the very same sums in DuckDB", async () => {
    if (!duckdb) return;
    const connection = await (await duckdb.DuckDBInstance.create(":memory:")).connect();
    for (const [name, file, request] of [
      ["adult", adult as Blob, income],
      ["communities", communities as Blob, await crimes(communities as Blob)],
    ] as const) {
      const path = fileURLToPath(new URL(`../../../../shared/data/${name}.csv`, import.meta.url));
      await connection.run(
        `CREATE TABLE ${name} AS FROM read_csv('${path}', header = true, all_varchar = true)`,
      );
      const query = statisticsQuery(request, [name], "duckdb");
      const [row] = (await connection.runAndReadAll(query.sql)).getRowObjectsJson();
      expect(row).toEqual(await integerSums(file, request, query));
    }
    connection.closeSync();
  });
});
