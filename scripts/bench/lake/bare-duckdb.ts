// The yardstick of the lake: DuckDB in this process, its own defaults, views over the same Parquet files.

import { DuckDBInstance } from "@duckdb/node-api";
import { availableParallelism } from "node:os";
import type { LakeFile } from "./files.ts";

export type BareDuckdb = {
  /** Runs a statement, fetches every row, and answers how many there were. */
  run(sql: string): Promise<number>;
  close(): void;
};

/** Tables have the names they have in the product. */
export async function openBareDuckdb(files: LakeFile[]): Promise<BareDuckdb> {
  const instance = await DuckDBInstance.create(":memory:", { threads: String(availableParallelism()) });
  const connection = await instance.connect();
  await connection.run(`ATTACH ':memory:' AS "LAKE"`);
  for (const schema of new Set(files.map((file) => file.schema)))
    await connection.run(`CREATE SCHEMA "LAKE"."${schema}"`);
  for (const [table, parts] of Map.groupBy(files, (file) => `"LAKE"."${file.schema}"."${file.table}"`)) {
    await connection.run(
      `CREATE VIEW ${table} AS FROM read_parquet([${parts.map(({ path }) => `'${path}'`).join(", ")}])`,
    );
  }
  await connection.run(`USE "LAKE".main`);
  return {
    run: async (sql) => (await connection.runAndReadAll(sql)).currentRowCount,
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
