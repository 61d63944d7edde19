// A DuckDB instance that holds the catalog LAKE, what was put there, and nothing that a statement could break.

import "../../duckdb/text-decoder.ts";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { quoteLiteral } from "../../duckdb/quoting.ts";

export type DatabaseLimits = { threads: number; memoryMb: number; spillMb: number };

/** Few chunks may wait to be fetched: the buffer's size does not count what long strings take. */
const SMALL_BUFFER = "SET streaming_buffer_size = '64KB'";
/** The transaction that a statement runs within. */
export const BEGIN = "BEGIN TRANSACTION READ ONLY";
const LAKE_FIRST = `USE "LAKE".main`;

type ConnectionAhead = { connecting: Promise<DuckDBConnection>; connection?: DuckDBConnection };

export class LockedDatabase {
  /** The connection that sets up, and that of statements which use the database alone. */
  readonly connection: DuckDBConnection;
  readonly #instance: DuckDBInstance;
  /** The statement's temporary files, its own. Files that are written here after the lock stay within its reach. */
  readonly spillDirectory: string;
  #isLocked = false;
  /** A connection that no statement has had, once it is there. */
  #ahead: ConnectionAhead | undefined;

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
    await connection.run(
      // DuckDB's tables of time zones, and Parquet, are loaded now rather than on a statement's time.
      `LOAD parquet; ATTACH ':memory:' AS "LAKE"; ${LAKE_FIRST}; DETACH memory; SET GLOBAL TimeZone = 'UTC'; ` +
        SMALL_BUFFER,
    );
    return new LockedDatabase(instance, connection, spillDirectory);
  }

  get isLocked(): boolean {
    return this.#isLocked;
  }

  /** Puts the statement's relations in place, then locks: of all files only `paths` can be read from now on. */
  async setUp(setup: readonly string[], paths: readonly string[]): Promise<void> {
    for (const sql of setup) await this.connection.run(sql);
    await this.connection.run(
      `SET allowed_paths = [${paths.map(quoteLiteral).join(", ")}]; SET enable_external_access = false; ` +
        // A setting of each connection's own, which no other can do without: see `openSession`.
        "SET allowed_configs = ['streaming_buffer_size']; SET lock_configuration = true",
    );
    this.#isLocked = true;
  }

  /**
   * A connection for one statement, within a transaction that can't write. Variables, prepared statements, temporary
   * objects and the search path are a connection's own, and end with it.
   */
  async openSession(): Promise<DuckDBConnection> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    const session = await (ahead?.connecting ?? this.#connect());
    // The clock of a statement is that of its transaction, which therefore does not begin ahead.
    await session.run(BEGIN);
    return session;
  }

  /** Connects for the next statement; a failure to is that statement's. */
  connectAhead(): void {
    if (this.#ahead) return;
    const ahead: ConnectionAhead = { connecting: this.#connect() };
    this.#ahead = ahead;
    ahead.connecting.then(
      (connection) => (ahead.connection = connection),
      () => undefined,
    );
  }

  async #connect(): Promise<DuckDBConnection> {
    const connection = await this.#instance.connect();
    await connection.run(`${LAKE_FIRST}; ${SMALL_BUFFER}`);
    return connection;
  }

  /** Ends a statement that may still be at work. Answers whether the database is as it was before. */
  async closeSession(session: DuckDBConnection): Promise<boolean> {
    try {
      // Closing alone would leave an unfinished result alive until it is collected. No transaction undoes the switch of
      // the log, which a query can reach.
      const { rowCount } = await session.run("ROLLBACK; SELECT 1 WHERE NOT current_setting('enable_logging')");
      // The number of rows is known without a fetch of them.
      return rowCount === 1 && readdirSync(this.spillDirectory).length === 0;
    } catch {
      // There was no transaction to roll back, or it could not be.
      return false;
    } finally {
      session.closeSync();
    }
  }

  close(): void {
    const { connecting, connection } = this.#ahead ?? {};
    this.#ahead = undefined;
    connection?.closeSync();
    // No database may end while it is connected to.
    if (!connecting || connection) this.#end();
    else
      void connecting.then(
        (late) => {
          late.closeSync();
          this.#end();
        },
        () => this.#end(),
      );
  }

  #end(): void {
    this.connection.closeSync();
    this.#instance.closeSync();
    rmSync(this.spillDirectory, { recursive: true, force: true });
  }
}
