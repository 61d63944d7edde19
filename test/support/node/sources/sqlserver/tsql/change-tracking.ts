// Change tracking and rowversions of the fake's database: which keys were written, with which version of the database.

import type { DuckDBConnection } from "@duckdb/node-api";
import { quote, text } from "./catalog.ts";

export type TrackedTable = { id: number; schema: string; name: string; primaryKey?: string[] };

const COUNTERS = `
  CREATE TABLE sys.fake_counters (version BIGINT, next_rowversion BLOB);
  INSERT INTO sys.fake_counters VALUES (NULL, NULL);
  CREATE TABLE sys.change_tracking_tables (object_id INTEGER, begin_version BIGINT, least_valid BIGINT);`;

/** What CHANGETABLE reads of a table. */
export const changesOf = (schema: string, name: string): string => `sys.${quote(`changes of ${schema}.${name}`)}`;

export class ChangeTracking {
  readonly #connection: DuckDBConnection;
  readonly #tracked = new Set<number>();
  #version = 0n;

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  async open(rowversion: bigint): Promise<void> {
    await this.#connection.run(COUNTERS);
    await this.#count(rowversion);
  }

  isTracked({ id }: TrackedTable): boolean {
    return this.#tracked.has(id);
  }

  async track(table: TrackedTable): Promise<void> {
    await this.untrack(table);
    this.#tracked.add(table.id);
    const { id, schema, name } = table;
    const key = (table.primaryKey ?? []).map(quote).join(", ");
    await this.#connection.run(`
      CREATE TABLE ${changesOf(schema, name)} AS
        SELECT ${key}, 0::BIGINT AS sys_change_version FROM ${quote(schema)}.${quote(name)} LIMIT 0;
      INSERT INTO sys.change_tracking_tables VALUES (${id}, ${this.#version}, ${this.#version});
      UPDATE sys.fake_counters SET version = ${this.#version}`);
  }

  async untrack({ id, schema, name }: TrackedTable): Promise<void> {
    this.#tracked.delete(id);
    await this.#connection.run(`
      DROP TABLE IF EXISTS ${changesOf(schema, name)};
      DELETE FROM sys.change_tracking_tables WHERE object_id = ${id}`);
  }

  async cleanUp({ id, schema, name }: TrackedTable): Promise<void> {
    await this.#connection.run(`
      DELETE FROM ${changesOf(schema, name)};
      UPDATE sys.change_tracking_tables SET least_valid = ${this.#version} WHERE object_id = ${id}`);
  }

  /** Runs a statement that writes `table`; `rowversion` is the last that was given to a row. */
  async write(table: TrackedTable, sql: string, rowversion: bigint): Promise<void> {
    const connection = this.#connection;
    const { schema, name } = table;
    const rows = `FROM ${quote(schema)}.${quote(name)} AS written`;
    const key = (table.primaryKey ?? []).map(quote).join(", ");
    await connection.run("BEGIN TRANSACTION");
    try {
      if (this.isTracked(table))
        await connection.run(`CREATE TEMP TABLE before AS SELECT ${key}, written::VARCHAR AS cells ${rows}`);
      await connection.run(sql);
      if (this.isTracked(table)) {
        await connection.run(`
          CREATE TEMP TABLE after AS SELECT ${key}, written::VARCHAR AS cells ${rows};
          INSERT INTO ${changesOf(schema, name)} SELECT DISTINCT ${key}, ${this.#version + 1n} FROM (
            (FROM before EXCEPT FROM after) UNION ALL (FROM after EXCEPT FROM before));
          DROP TABLE before; DROP TABLE after`);
        this.#version++;
      }
      await this.#count(rowversion);
      await connection.run("COMMIT");
    } catch (error) {
      await connection.run("ROLLBACK");
      throw error;
    }
  }

  async #count(rowversion: bigint): Promise<void> {
    const next = (rowversion + 1n).toString(16).padStart(16, "0");
    const version = this.#tracked.size > 0 ? String(this.#version) : "version";
    await this.#connection.run(
      `UPDATE sys.fake_counters SET version = ${version}, next_rowversion = unhex(${text(next)})`,
    );
  }
}
