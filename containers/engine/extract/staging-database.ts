// The DuckDB that rows of sources pass through on their way to Parquet: in memory, spilling to a folder of its own. All
// tables that are read at a time share one, and with it a bound on their memory, whatever their number and size.

import "../duckdb/text-decoder.ts";
import { DuckDBInstance, type DuckDBConnection, type DuckDBType } from "@duckdb/node-api";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { LakeColumn } from "../../../kernel/lake/lake.ts";
import { duckdbType } from "../parquet/lake-types.ts";
import { RowMemoryBudget } from "./staging/row-memory-budget.ts";
import { StagedTables } from "./staging/staged-rows.ts";
import { Semaphore } from "../../program/semaphore.ts";

export type StagingOptions = {
  /** A fresh folder is made in it, and removed by {@link StagingDatabase.close}. */
  directory: string;
  /** The memory that DuckDB may hold; past it, tables go to disk. */
  memoryMb?: number;
  threads?: number;
  /** The memory that rows may take which DuckDB has not been given yet. */
  rowMemoryBytes?: number;
};

const MEMORY_MB_DEFAULT = 384;
/** Each holds row groups in DuckDB's memory that can't go to disk. */
const WRITERS_MAX = 2;

export class StagingDatabase {
  /** For temporary files; {@link close} deletes everything in it. */
  readonly directory: string;
  readonly tables = new StagedTables();
  /** Every reader of a table is added to it, and removed once its rows are gone. */
  readonly rowBudget: RowMemoryBudget;
  /** Bounds who writes rows out, or takes parts of them in, at once. */
  readonly writing = new Semaphore(WRITERS_MAX);
  /** Readers of files stand in a line of their own, so that writers wait for one of them at most. */
  readonly #reading = new Semaphore(1);
  readonly #instance: DuckDBInstance;
  #names = 0;

  private constructor(directory: string, instance: DuckDBInstance, rowBudget: RowMemoryBudget) {
    this.directory = directory;
    this.rowBudget = rowBudget;
    this.#instance = instance;
  }

  static async open({
    directory,
    memoryMb = MEMORY_MB_DEFAULT,
    threads,
    rowMemoryBytes,
  }: StagingOptions): Promise<StagingDatabase> {
    await mkdir(directory, { recursive: true });
    const own = await mkdtemp(join(directory, "staging-"));
    try {
      const instance = await DuckDBInstance.create(":memory:", {
        memory_limit: `${memoryMb}MB`,
        temp_directory: join(own, "spill"),
        preserve_insertion_order: "false",
        // It would go on reading the holes of files whose columns come in later.
        enable_external_file_cache: "false",
        autoinstall_known_extensions: "false",
        autoload_known_extensions: "false",
        ...(threads === undefined ? {} : { threads: String(threads) }),
      });
      const staging = new StagingDatabase(own, instance, new RowMemoryBudget(rowMemoryBytes));
      const connection = await staging.connect();
      staging.tables.register(connection);
      connection.closeSync();
      return staging;
    } catch (error) {
      await rm(own, { recursive: true, force: true });
      throw error;
    }
  }

  /** In UTC. The caller closes it. */
  async connect(): Promise<DuckDBConnection> {
    const connection = await this.#instance.connect();
    await connection.run("SET TimeZone = 'UTC'");
    return connection;
  }

  /**
   * Has `read` read a file that was written here, one such file at a time and under a permit of {@link writing}: its
   * row groups come into DuckDB's memory as whole as they were written from it.
   */
  readFile<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#reading.run(() => this.writing.run(read, signal), signal);
  }

  /** A name nothing else of this staging has. */
  nextName(what: string): string {
    return `${what}_${++this.#names}`;
  }

  /** Nothing may run any more. */
  async close(): Promise<void> {
    this.#instance.closeSync();
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** DuckDB's own words for the types of `columns`. */
export async function typesOf(connection: DuckDBConnection, columns: readonly LakeColumn[]): Promise<DuckDBType[]> {
  const result = await connection.run(
    `SELECT ${columns.map((column) => `CAST(NULL AS ${duckdbType(column)})`).join(", ")} LIMIT 0`,
  );
  return result.columnTypes();
}
