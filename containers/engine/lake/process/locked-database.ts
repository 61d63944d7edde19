// A fresh DuckDB instance for one statement: it holds the catalog LAKE, what was put there, and nothing it could break.

import "../../duckdb/text-decoder.ts";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { mkdirSync, rmSync } from "node:fs";
import { quoteLiteral } from "../../duckdb/quoting.ts";

export type DatabaseLimits = { threads: number; memoryMb: number; spillMb: number };

export class LockedDatabase {
  readonly connection: DuckDBConnection;
  readonly #instance: DuckDBInstance;
  /** The statement's temporary files, its own. What is written here after the lock stays within its reach. */
  readonly spillDirectory: string;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, spillDirectory: string) {
    this.#instance = instance;
    this.connection = connection;
    this.spillDirectory = spillDirectory;
  }

  /**
   * `spillDirectory` is the database's own: DuckDB lets a statement's SQL read and write there, so nothing else may use
   * it.
   */
  static async open(limits: DatabaseLimits, spillDirectory: string): Promise<LockedDatabase> {
    mkdirSync(spillDirectory, { recursive: true });
    const instance = await DuckDBInstance.create(":memory:", {
      threads: String(limits.threads),
      memory_limit: `${limits.memoryMb}MB`,
      temp_directory: spillDirectory,
      max_temp_directory_size: `${limits.spillMb}MB`,
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      allow_community_extensions: "false",
      allow_persistent_secrets: "false",
      // With it on, a path that comes back after an eviction can give rows of the file before.
      enable_external_file_cache: "false",
      preserve_insertion_order: "true",
    });
    const connection = await instance.connect();
    // Few chunks may wait to be fetched: the buffer's size does not count what long strings take.
    const settings = ["SET TimeZone = 'UTC'", "SET streaming_buffer_size = '64KB'"];
    for (const sql of [`ATTACH ':memory:' AS "LAKE"`, `USE "LAKE".main`, "DETACH memory", ...settings])
      await connection.run(sql);
    return new LockedDatabase(instance, connection, spillDirectory);
  }

  /** Puts the statement's relations in place, then locks: of all files only `paths` can be read from now on. */
  async setUp(setup: readonly string[], paths: readonly string[]): Promise<void> {
    for (const sql of setup) await this.connection.run(sql);
    await this.connection.run(`SET allowed_paths = [${paths.map(quoteLiteral).join(", ")}]`);
    await this.connection.run("SET enable_external_access = false");
    await this.connection.run("SET lock_configuration = true");
  }

  close(): void {
    this.connection.closeSync();
    this.#instance.closeSync();
    rmSync(this.spillDirectory, { recursive: true, force: true });
  }
}
