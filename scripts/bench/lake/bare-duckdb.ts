// The yardstick of the lake: DuckDB in this process, its own defaults, views over the same Parquet files.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { availableParallelism } from "node:os";
import type { LakeFile } from "./files.ts";

export type BareDuckdb = Session & {
  /** Another connection to the same database. */
  connect(): Promise<Session>;
  close(): void;
};

type Session = {
  /** Runs a statement, fetches every row, and answers how many there were. */
  run(sql: string): Promise<number>;
  /** Runs a statement, and answers its rows as JSON has them. */
  rows(sql: string): Promise<readonly unknown[]>;
};

/** Tables have the names they have in the product. */
export async function openBareDuckdb(files: LakeFile[]): Promise<BareDuckdb> {
  const instance = await DuckDBInstance.create(":memory:", { threads: String(availableParallelism()) });
  const connection = await instance.connect();
  await connection.run(`ATTACH ':memory:' AS "LAKE"`);
  for (const schema of new Set(files.map((file) => file.schema)))
    await connection.run(`CREATE SCHEMA IF NOT EXISTS "LAKE"."${schema}"`);
  for (const [table, parts] of Map.groupBy(files, (file) => `"LAKE"."${file.schema}"."${file.table}"`)) {
    await connection.run(
      `CREATE VIEW ${table} AS FROM read_parquet([${parts.map(({ path }) => `'${path}'`).join(", ")}])`,
    );
  }
  const sessionOf = async (own: DuckDBConnection): Promise<Session> => {
    await own.run(`USE "LAKE".main`);
    return {
      run: async (sql) => (await own.runAndReadAll(sql)).currentRowCount,
      rows: async (sql) => (await own.runAndReadAll(sql)).getRowsJson(),
    };
  };
  return {
    ...(await sessionOf(connection)),
    connect: async () => sessionOf(await instance.connect()),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
