// A lake that statements write to, beside a DuckDB that is asked the same: what the one has, the other is to have.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll } from "vitest";
import { WriteLake } from "./write-lake.ts";

export type LakeBesideDuckdb = {
  readonly lake: WriteLake;
  readonly duckdb: DuckDBConnection;
  /** Runs a statement on both. */
  both(sql: string): Promise<unknown>;
};

/** Opened before a file's tests and closed after them; what it answers can be used within them. */
export function lakeBesideDuckdb(): LakeBesideDuckdb {
  let opened: { lake: WriteLake; instance: DuckDBInstance; duckdb: DuckDBConnection } | undefined;
  beforeAll(async () => {
    const lake = await WriteLake.open();
    const instance = await DuckDBInstance.create(":memory:");
    const duckdb = await instance.connect();
    await duckdb.run("SET TimeZone = 'UTC'");
    opened = { lake, instance, duckdb };
  });
  afterAll(async () => {
    opened?.duckdb.closeSync();
    opened?.instance.closeSync();
    await opened?.lake.close();
  });
  return {
    get lake() {
      return opened!.lake;
    },
    get duckdb() {
      return opened!.duckdb;
    },
    both: (sql) => Promise.all([opened!.duckdb.run(sql), opened!.lake.ask(sql)]),
  };
}
