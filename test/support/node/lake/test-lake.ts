// A lake side of an engine for tests: real query processes over real Parquet files, behind a stand-in of the platform.

import { runRead } from "../../../../containers/engine/lake/read/run-read.ts";
import { statementOf, type LakeStatement } from "../../../../containers/engine/core/statement.ts";
import { DuckDBInstance } from "@duckdb/node-api";
import { mkdtempSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Failure } from "../../../../containers/engine/core/failure.ts";
import { QueryPool } from "../../../../containers/engine/lake/process/pool/query-pool.ts";
import { Lake } from "../../../../containers/engine/lake/read/lake.ts";
import type { PlatformAddress } from "../../../../containers/engine/platform/ask-platform.ts";
import { readLakeSettings, type LakeSettings } from "../../../../containers/engine/core/settings.ts";
import type { BoundValue } from "../../../../kernel/semantic/query.ts";
import type { LakeColumn } from "../../../../kernel/lake/lake.ts";
import type { LakeGrant, StatementRequest } from "../../../../kernel/wire/engine.ts";
import { FakePlatform } from "./fake-platform.ts";

/** What a test may say about a statement; the rest is usual. */
export type StatementOptions = Partial<Omit<StatementRequest, "sql" | "semantic">> & {
  grant?: Partial<LakeGrant>;
  signal?: AbortSignal;
  sink?: (bytes: Uint8Array) => void | Promise<void>;
  values?: readonly BoundValue[];
};

export type Document = {
  columns: string[];
  types: Array<{ name: string; type: string; kind: string }>;
  data: Array<Record<string, unknown>>;
  rowCount?: number;
  truncated: boolean;
  error?: { code: string; message: string };
  success: boolean;
};

/** A column with a field id. */
export const column = (id: number, name: string, type: string, children: LakeColumn[] = []): LakeColumn => ({
  id,
  name,
  type,
  nullable: true,
  children,
});

/** A lake with few processes, whose cache lies below `directory`. */
export function startLake(env: PlatformAddress, directory: string, settings: Partial<LakeSettings>): Lake {
  const usual = {
    processes: 2,
    threads: 2,
    queryMemoryMb: 1500,
    cacheDirectory: join(directory, "cache"),
    // What a test asks for again is to run again.
    resultCacheBytesMax: 0,
  };
  const whole = { ...readLakeSettings({}), ...usual, ...settings };
  const pool = new QueryPool(whole);
  pool.start();
  return new Lake(env, whole, pool);
}

export class TestLake {
  platform: FakePlatform;
  readonly lake: Lake;
  readonly directory: string;
  #renewals = 1;

  private constructor(platform: FakePlatform, lake: Lake, directory: string) {
    this.platform = platform;
    this.lake = lake;
    this.directory = directory;
  }

  static async open(settings: Partial<LakeSettings> = {}): Promise<TestLake> {
    const directory = mkdtempSync(join(tmpdir(), "fjord-lake-"));
    const platform = await new FakePlatform(join(directory, "bucket")).start();
    const lake = startLake({ platformUrl: platform.url, s3Dial: platform.host }, directory, settings);
    return new TestLake(platform, lake, directory);
  }

  async close(): Promise<void> {
    await this.lake.stop();
    await this.platform.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /**
   * Another lake on an empty platform, with the query processes there are: to start them takes longer than most tests.
   */
  async renew(): Promise<void> {
    this.platform = await this.platform.replace(join(this.directory, `bucket-${++this.#renewals}`));
  }

  /** Writes `select` as a Parquet file of the bucket; `fieldIds` and `options` in DuckDB's notation. */
  async write(path: string, select: string, fieldIds?: string, options = ""): Promise<string> {
    const file = join(this.platform.directory, path);
    mkdirSync(dirname(file), { recursive: true });
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const { rowsChanged } = await connection.run(
      `COPY (${select}) TO '${file}' (FORMAT parquet${fieldIds ? `, FIELD_IDS {${fieldIds}}` : ""}${options})`,
    );
    this.platform.rowsOf.set(path, rowsChanged);
    connection.closeSync();
    instance.closeSync();
    return path;
  }

  /** Bytes of the chunks of a file's outer columns, of all its row groups or some, with their bloom filters. */
  async chunkBytes(path: string, columns: readonly string[], rowGroups?: readonly number[]): Promise<number> {
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const reader = await connection.runAndReadAll(
      `SELECT sum(total_compressed_size + coalesce(bloom_filter_length, 0))::DOUBLE FROM parquet_metadata('${join(this.platform.directory, path)}')
       WHERE split_part(path_in_schema, ', ', 1) IN (${columns.map((name) => `'${name}'`).join(", ")}) ${rowGroups ? `AND row_group_id IN (${rowGroups.join(", ")})` : ""}`,
    );
    connection.closeSync();
    instance.closeSync();
    return Number(reader.getRows()[0]![0]);
  }

  /** The raw answer. Rejects as the engine's runner would see it. */
  async ask(sql: string, { grant, signal, sink, values, ...statement }: StatementOptions = {}): Promise<string> {
    // A snapshot never changes, so every table added since makes another.
    const lake = {
      teamId: "team",
      lakeId: `lake-${this.#renewals}`,
      snapshotId: this.platform.tables.length,
      token: "token",
      ...grant,
    };
    const usual = {
      id: "request-1",
      format: "json",
      numbers: "exact",
      deadlineMs: 30_000,
      leaseMs: 30_000,
      rowsMax: 100_000,
      bytesMax: 64_000_000,
    } as const;
    const chunks: Uint8Array[] = [];
    const write = sink ?? ((bytes: Uint8Array): void => void chunks.push(Buffer.from(bytes)));
    const asked = statementOf({ ...usual, sql, target: { kind: "lake", lake }, ...statement }) as LakeStatement;
    await runRead(this.lake, { ...asked, ...(values && { values }) }, signal ?? new AbortController().signal, {
      write,
    });
    return Buffer.concat(chunks).toString();
  }

  async document(sql: string, asked: StatementOptions = {}): Promise<Document> {
    return JSON.parse(await this.ask(sql, asked)) as Document;
  }

  async rows(sql: string, asked: StatementOptions = {}): Promise<Array<Record<string, unknown>>> {
    return (await this.document(sql, asked)).data;
  }

  /** The Failure that `sql` ends in. */
  async failure(sql: string, asked: StatementOptions = {}): Promise<Failure> {
    const answer = await this.ask(sql, asked).catch((error: unknown) => error as Failure);
    if (typeof answer === "string") throw new Error(`answered: ${answer.slice(0, 500)}`);
    return answer;
  }
}
