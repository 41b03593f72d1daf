/** Databases of our own for the tests of the queries, where the platform has their programs. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { DIALECTS, type DialectName } from "../../../wasm/table/dialects.ts";
import { table } from "./support.ts";

const duckdb = await import("@duckdb/node-api").catch(() => undefined);
const postgresql = await import("@electric-sql/pglite").catch(() => undefined);

interface Database {
  readonly dialect: DialectName;
  /** A table of texts, in place of one of that name. `type`: of the column, where it is another one. */
  load(name: string, csv: string, type?: string): Promise<void>;
  /** The rows that answer an SQL text. */
  // biome-ignore lint/suspicious/noExplicitAny: of whatever was asked
  rows(sql: string): Promise<any[]>;
  /** Whose texts are the same where only their capitals differ. */
  readonly caseless: string;
}

const quoted = (dialect: DialectName, name: string) => DIALECTS[dialect].identifier("name", name);

function ofDuckdb(): Database {
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
  return {
    dialect: "duckdb",
    rows,
    async load(name, csv, type = "VARCHAR") {
      const file = join(folder, "table.csv");
      writeFileSync(file, csv);
      const { names } = await table(csv);
      const columns = names.map((one) => `${quoted("duckdb", one)} ${type}`).join(", ");
      await rows(`CREATE OR REPLACE TABLE ${quoted("duckdb", name)} (${columns})`);
      const options = `header = true, all_varchar = true, delim = ',', quote = '"', escape = '"', nullstr = '\\N'`;
      await rows(`INSERT INTO ${quoted("duckdb", name)} FROM read_csv('${file}', ${options})`);
    },
    caseless: "VARCHAR COLLATE NOCASE",
  };
}

function ofPostgresql(): Database {
  let database: InstanceType<NonNullable<typeof postgresql>["PGlite"]>;
  beforeAll(async () => {
    if (postgresql) database = await postgresql.PGlite.create();
    await database.exec(
      "CREATE COLLATION caseless (provider = icu, locale = '@colStrength=secondary', deterministic = false)",
    );
  });
  afterAll(async () => database?.close());
  return {
    dialect: "postgresql",
    rows: async (sql) => (await database.query(sql)).rows,
    async load(name, csv, type = "text") {
      const { names } = await table(csv);
      const columns = names.map((one) => `${quoted("postgresql", one)} ${type}`).join(", ");
      const it = quoted("postgresql", name);
      await database.exec(`DROP TABLE IF EXISTS ${it}; CREATE TABLE ${it} (${columns})`);
      const blob = new Blob([csv]);
      await database.query(`COPY ${it} FROM '/dev/blob' (FORMAT csv, HEADER, NULL '\\N')`, [], { blob });
    },
    caseless: "text COLLATE caseless",
  };
}

/** Tests of the query in each database of which there is a program. */
export function inDatabases(what: string, tests: (database: Database) => void): void {
  for (const [name, isThere, open] of [
    ["DuckDB", duckdb !== undefined, ofDuckdb],
    ["PostgreSQL", postgresql !== undefined, ofPostgresql],
  ] as const)
    describe.skipIf(!isThere)(`${name} (skipped where its program is not to be had) ${what}`, () =>
      tests(open()),
    );
}
