// However many tables are synced at once, and however wide they are, the engine's memory has a bound.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROW_BYTES_MAX } from "../../../containers/engine/extract/chunk-builder.ts";
import { extractInto } from "../../../containers/engine/extract/extract-table.ts";
import { SlabPool } from "../../../containers/engine/extract/staging/row-memory.ts";
import { StagedRows } from "../../../containers/engine/extract/staging/staged-rows.ts";
import { StagingDatabase } from "../../../containers/engine/extract/staging-database.ts";
import { checksumReadKeys } from "../../../containers/engine/jobs/sync/changes/checksum-read-keys.ts";
import { withConnection } from "../../../containers/engine/jobs/sync/rows/scratch-tables.ts";
import type { PreparedTable } from "../../../containers/engine/jobs/sync/sync-run.ts";
import { isRetryable } from "../../../containers/engine/jobs/failures.ts";
import { toSyncFailure } from "../../../containers/engine/jobs/sync/failures.ts";
import { column } from "../../support/node/lake/test-lake.ts";
import { ExtractionBench, never } from "../../support/node/sources/extraction.ts";
import { connectPostgres, ownPostgres, postgresSource } from "../../support/node/sources/sources.ts";
import type { SyncOrder, Synced } from "../../support/node/sync/sync-once.ts";

const source = postgresSource(ownPostgres());
const program = fileURLToPath(new URL("../../support/node/sync/sync-once.ts", import.meta.url));
let admin: pg.Client;

beforeAll(async () => {
  admin = await connectPostgres(ownPostgres());
  await admin.query("DROP SCHEMA IF EXISTS room CASCADE; CREATE SCHEMA room; SET search_path = room");
});
afterAll(async () => {
  await admin.query("DROP SCHEMA room CASCADE");
  await admin.end();
});

/** Memory of a process of its own; this one holds the tests. */
async function syncInProcess(orders: SyncOrder[]): Promise<Synced> {
  const child = spawn(process.execPath, [program, JSON.stringify([orders])], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, HOSTS_ALLOWED: "loopback" },
  });
  const output: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  if (code !== 0) throw new Error(`the process that syncs ended with ${code ?? signal}`);
  return JSON.parse(Buffer.concat(output).toString()) as Synced;
}

describe("the memory of an engine", () => {
  it("stays below a gibibyte with four syncs of wide and narrow tables at once", async () => {
    for (let i = 0; i < 4; i++) {
      await admin.query(`
        CREATE TABLE wide_${i} (id int PRIMARY KEY, a text, b text); INSERT INTO wide_${i} SELECT i, repeat(md5(i::text), 40), repeat(md5((-i)::text), 20) FROM generate_series(1, 60000) AS i;
        CREATE TABLE narrow_${i} (id bigint PRIMARY KEY, v int, w numeric(12,2)); INSERT INTO narrow_${i} SELECT i, i, i / 7.0 FROM generate_series(1, 300000) AS i`);
    }
    const orders = [0, 1, 2, 3].map(
      (i): SyncOrder => ({ source, syncId: `sync_${i}`, tables: [`room.wide_${i}`, `room.narrow_${i}`] }),
    );
    const synced = await syncInProcess(orders);
    expect(synced.outcomes.map(({ outcome, error }) => [outcome, error])).toEqual(
      Array.from({ length: 4 }, () => ["succeeded", null]),
    );
    expect(
      synced.outcomes.flatMap(({ progress }) => progress.tables.map(({ rowsWritten }) => rowsWritten)).sort(),
    ).toEqual([...Array(4).fill(300_000), ...Array(4).fill(60_000)]);
    expect(synced.peakMb).toBeLessThan(1_024);
  }, 240_000);

  it("is not asked for a row that it can't hold: that is said, and not tried again", async () => {
    await admin.query(
      "CREATE TABLE large (id int PRIMARY KEY, a text); INSERT INTO large SELECT 1, repeat('x', 68000000)",
    );
    const bench = await ExtractionBench.open();
    const snapshot = await bench.snapshot(source);
    try {
      const table = await snapshot.describe({ schema: "room", name: "large" }, never());
      const error = await extractInto("large", { snapshot, table, staging: bench.staging, signal: never() }).catch(
        toSyncFailure,
      );
      expect(error).toMatchObject({ code: "resources_exceeded", message: expect.stringContaining("64 MiB") });
      expect(isRetryable(error)).toBe(false);
    } finally {
      await snapshot.close();
      await bench.close();
    }
  });

  it("is for one writer alone from half a row's bound on", () => {
    const rows = (bytes: number) => {
      const staged = new StagedRows([], [], new SlabPool(() => 0));
      for (const size of [1_000, bytes]) staged.add({ columns: [], rows: 1, bytes: size });
      return staged.isLarge;
    };
    expect([rows(ROW_BYTES_MAX / 2), rows(ROW_BYTES_MAX / 2 + 1)]).toEqual([false, true]);
  });

  it("suffices for the long keys of parts that upload, however many are read at once and whatever is written", async () => {
    const bench = await ExtractionBench.open();
    const staging = await StagingDatabase.open({ directory: bench.folder, memoryMb: 96 });
    try {
      const file = join(bench.folder, "keys.parquet");
      await withConnection(staging, (connection) =>
        connection.run(
          `COPY (SELECT repeat(md5(i::VARCHAR), 60) AS k FROM range(13000) AS rows(i)) TO '${file}' (ROW_GROUP_SIZE 13000)`,
        ),
      );
      const key = { name: "k", lake: column(1, "k", "varchar") };
      const prepared = { run: { staging, signal: never() }, table: { primaryKey: ["k"], columns: [key] } };
      const keys = checksumReadKeys(prepared as unknown as PreparedTable, { kind: "mark", mark: {} });
      let adding: Promise<unknown> = Promise.resolve();
      // A large part is written alone, and meanwhile the first of them stands in line.
      await staging.writing.runAlone(async () => {
        adding = Promise.all(Array.from({ length: 8 }, () => keys.add(file)));
        adding.catch(() => undefined);
        await expect.poll(() => staging.writing.waiting, { timeout: 10_000 }).toBe(1);
      });
      await adding;
      expect(await keys.end()).toMatchObject({ keys: { sums: { "": { rows: 8 * 13_000 } } } });
    } finally {
      await staging.close();
      await bench.close();
    }
  });

  it("that is used up is reported in words, and the sync is tried again", async () => {
    await admin.query(
      "CREATE TABLE much (id int PRIMARY KEY, a text); INSERT INTO much SELECT i, repeat(md5(i::text), 4) FROM generate_series(1, 200000) AS i",
    );
    const bench = await ExtractionBench.open();
    const small = await StagingDatabase.open({ directory: bench.folder, memoryMb: 24 });
    const snapshot = await bench.snapshot(source);
    try {
      const connection = await small.connect();
      await connection.run("SET max_temp_directory_size = '1MB'");
      connection.closeSync();
      const table = await snapshot.describe({ schema: "room", name: "much" }, never());
      const error = await extractInto("much", { snapshot, table, staging: small, signal: never() }).catch(
        toSyncFailure,
      );
      expect(error).toMatchObject({ code: "resources_exceeded", message: expect.stringContaining("memory or disk") });
      expect(isRetryable(error)).toBe(true);
    } finally {
      await snapshot.close();
      await small.close();
      await bench.close();
    }
  });
});
