/** A database of our own for the tests of the queries, where the platform has its binary. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";

const duckdb = await import("@duckdb/node-api").catch(() => undefined);

/** Its binary is for some platforms only. */
export const isMissing = !duckdb;

/** For the tests of one group: a folder for tables, and the rows that answer an SQL text. */
export function database() {
  const folder = mkdtempSync(join(tmpdir(), "epsilometer-"));
  // biome-ignore lint/suspicious/noExplicitAny: its types are where the binary is
  let connection: any;
  beforeAll(async () => {
    connection = await (await duckdb?.DuckDBInstance.create(":memory:"))?.connect();
  });
  afterAll(() => {
    connection?.closeSync();
    rmSync(folder, { recursive: true });
  });
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
  return { folder, rows };
}
