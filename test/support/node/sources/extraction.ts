// Tables of the test servers, extracted as a sync does it, and read back by DuckDB.

import { DuckDBInstance } from "@duckdb/node-api";
import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extractParts, type Extraction, type Part } from "../../../../containers/engine/extract/extract-table.ts";
import { connectorOf } from "../../../../containers/engine/sources/connectors.ts";
import type { SourceSnapshot } from "../../../../containers/engine/sources/snapshot.ts";
import type { SourceTable, SourceTableName } from "../../../../containers/engine/extract/source-table.ts";
import type { ReadReport } from "../../../../containers/engine/extract/readable-snapshot.ts";
import { StagingDatabase } from "../../../../containers/engine/extract/staging-database.ts";
import type { Source } from "../../../../kernel/wire/source.ts";

export const never = (): AbortSignal => new AbortController().signal;

export type Extracted = ReadReport & { table: SourceTable; parts: Part[]; files: string[] };

/** A folder and a staging of a suite's own. */
export class ExtractionBench {
  readonly folder: string;
  readonly staging: StagingDatabase;
  #files = 0;

  private constructor(folder: string, staging: StagingDatabase) {
    this.folder = folder;
    this.staging = staging;
  }

  static async open(): Promise<ExtractionBench> {
    const folder = await mkdtemp(join(tmpdir(), "fjord-extract-"));
    return new ExtractionBench(folder, await StagingDatabase.open({ directory: folder }));
  }

  async close(): Promise<void> {
    await this.staging.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Files of the staging that are there now. */
  filesLeft(): Promise<string[]> {
    return readdir(this.staging.directory);
  }

  snapshot(source: Source, signal = never()): Promise<SourceSnapshot> {
    return connectorOf(source).openSnapshot(source, "fjord extract", signal);
  }

  /** Extracts a table in a snapshot of its own, or in `snapshot`, and keeps the parts. */
  async extract(
    from: Source | SourceSnapshot,
    name: SourceTableName | SourceTable,
    more: Partial<Extraction> & { readAs?: Parameters<SourceSnapshot["describe"]>[2] } = {},
  ): Promise<Extracted> {
    const snapshot = "type" in from ? await this.snapshot(from) : from;
    try {
      const table = "columns" in name ? name : await snapshot.describe(name, never(), more.readAs);
      const parts: Part[] = [];
      const files: string[] = [];
      const onPart = async (part: Part) => {
        const kept = join(this.folder, `kept-${++this.#files}.parquet`);
        await copyFile(part.file, kept);
        parts.push(part);
        files.push(kept);
      };
      const report = await extractParts({ snapshot, table, staging: this.staging, signal: never(), onPart, ...more });
      return { ...report, table, parts, files };
    } finally {
      if ("type" in from) await snapshot.close();
    }
  }
}

/** Runs SQL over Parquet files as `t`; cells as DuckDB prints them. */
export async function readBack(files: string[], sql: string): Promise<(string | null)[][]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    await connection.run("SET TimeZone = 'UTC'");
    await connection.run(
      `CREATE VIEW t AS SELECT * FROM read_parquet([${files.map((file) => `'${file}'`).join(", ")}])`,
    );
    const reader = await connection.runAndReadAll(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (${sql})`);
    return reader.getRows() as (string | null)[][];
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Column → type as DuckDB reads it from the files. */
export async function typesOf(files: string[]): Promise<Record<string, string>> {
  const rows = await readBack(files, "SELECT column_name, column_type FROM (DESCRIBE t)");
  return Object.fromEntries(rows as [string, string][]);
}
