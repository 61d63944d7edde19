// Plans a statement on empty tables, to learn which columns it reads before any file of it is here.

import "../../duckdb/text-decoder.ts";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import type { BoundValue } from "../../../../kernel/semantic/query.ts";
import { quoteIdentifier } from "../../duckdb/quoting.ts";
import { resetVariables, setVariables } from "../sql/bound-values.ts";
import { scansIn, type Scan } from "./plan-scans.ts";

const MEMORY_MB = 256;

/**
 * Optimizers that are left out: some would see that the tables are empty, and some leave plans behind that DuckDB can't
 * write down. None of them decides which columns are read.
 */
const OFF = [
  "statistics_propagation",
  "late_materialization",
  "build_side_probe_side",
  "compressed_materialization",
  "join_filter_pushdown",
];

/** A statement to be planned over the empty tables that `setup` makes. */
export type ProbeOrder = { setup: string[]; body: string; values: readonly BoundValue[] };

export class PlanProbe {
  /** The connection to an instance of its own, locked down like a LockedDatabase, which never holds data. */
  #opening = openConnection();
  #running: DuckDBConnection | undefined;

  /**
   * Every scan of a table in the plan of `body`, over the tables that `setup` makes. Null where there is no such plan
   * or it can't be read for certain.
   */
  async scansOf({ setup, body, values }: ProbeOrder): Promise<Scan[] | null> {
    const connection = (this.#running = await this.#opening);
    try {
      for (const sql of [`ATTACH ':memory:' AS "LAKE"`, `USE "LAKE".main`, ...setup]) await connection.run(sql);
      await setVariables(connection, values);
      const reader = await connection.runAndReadAll("SELECT json_serialize_plan($1::VARCHAR, optimize := true)", [
        body,
      ]);
      // JSON can't hold these values.
      await resetVariables(connection, values);
      const text = String(reader.getRows()[0]![0]).replaceAll(/"value":(-?Infinity|NaN)\b/g, '"value":null');
      const plan = JSON.parse(text) as { error?: boolean; error_type?: string };
      if (plan.error_type === "internal") throw new Error("DuckDB can't write this plan down");
      await connection.run("USE memory.main");
      const attached = await connection.runAndReadAll(
        "SELECT database_name FROM duckdb_databases() WHERE NOT internal AND database_name <> 'memory'",
      );
      for (const [name] of attached.getRows()) await connection.run(`DETACH ${quoteIdentifier(String(name))}`);
      return plan.error ? null : (scansIn(plan) ?? null);
    } catch {
      // After an internal error the connection may be unusable.
      connection.closeSync();
      this.#opening = openConnection();
      return null;
    } finally {
      this.#running = undefined;
    }
  }

  interrupt(): void {
    this.#running?.interrupt();
  }
}

async function openConnection(): Promise<DuckDBConnection> {
  const settings = {
    threads: "1",
    memory_limit: `${MEMORY_MB}MB`,
    temp_directory: "",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
  };
  const instance = await DuckDBInstance.create(":memory:", settings);
  const connection = await instance.connect();
  const locks = ["SET enable_external_access = false", "SET lock_configuration = true"];
  for (const sql of ["SET TimeZone = 'UTC'", `SET disabled_optimizers = '${OFF.join(",")}'`, ...locks])
    await connection.run(sql);
  // The connection keeps the instance alive.
  instance.closeSync();
  return connection;
}
