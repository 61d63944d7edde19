// A disk that is full: what nobody uses makes room, what does not fit is told as such, and nothing is left behind.

import { execFileSync } from "node:child_process";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { retryOnFullDisk, onDiskFull } from "../../../containers/engine/core/disk.ts";
import { exportCatalog } from "../../../containers/engine/export/export-catalog.ts";
import { Failure, isDiskFull, toFailure } from "../../../containers/engine/core/failure.ts";
import { isRetryable } from "../../../containers/engine/jobs/failures.ts";
import { toSyncFailure } from "../../../containers/engine/jobs/sync/failures.ts";
import { fromDuckdb } from "../../../containers/engine/duckdb/errors.ts";
import { ObjectReader } from "../../../containers/engine/lake/files/object-reader.ts";
import { readLakeSettings } from "../../../containers/engine/core/settings.ts";
import { connectPostgres, ownPostgres, postgresSource } from "../../support/node/sources/sources.ts";
import { SyncBench } from "../../support/node/sync/test-sync.ts";
import { openSmallDisk } from "../../support/node/tools/small-disk.ts";
import { column, TestLake } from "../../support/node/lake/test-lake.ts";
import { WriteLake } from "../../support/node/lake/write-lake.ts";

const MIB = 1024 * 1024;
const FULL = { code: "disk_full", message: expect.stringContaining("disk is full") };
const enospc = (): Error => Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.blocks ?? 0) * 512,
    0,
  );

describe("a full disk", () => {
  it("is told from other failures, and never as an internal one", () => {
    const duckdb = new Error('IO Error: Could not write file "tmp/x": No space left on device');
    for (const error of [enospc(), duckdb, new Error("database or disk is full")]) {
      expect([
        isDiskFull(error),
        toFailure(error),
        fromDuckdb(error, "SELECT 1", 0),
        toSyncFailure(error),
        isRetryable(error),
      ]).toEqual([
        true,
        expect.objectContaining(FULL),
        expect.objectContaining(FULL),
        expect.objectContaining(FULL),
        true,
      ]);
      // A query process tells its failure as text.
      const { code, message } = toFailure(error);
      expect(isDiskFull(new Failure(code, message))).toBe(true);
    }
    expect(
      [
        new Error("Invalid Input Error: No space left on device"),
        new Failure("sql_error", "No space left on device"),
        undefined,
      ].map(isDiskFull),
    ).toEqual([false, false, false]);
  });

  it("lets work have another try once room was made, and just one", async () => {
    let made = 0;
    const end = onDiskFull(() => ++made > 0);
    const work = vi.fn().mockRejectedValueOnce(enospc()).mockResolvedValueOnce("done");
    expect([await retryOnFullDisk(work), made]).toEqual(["done", 1]);
    const hopeless = vi.fn().mockRejectedValue(enospc());
    await expect(retryOnFullDisk(hopeless)).rejects.toMatchObject(FULL);
    const other = vi.fn().mockRejectedValue(new Error("another"));
    await expect(retryOnFullDisk(other)).rejects.toThrow("another");
    expect([hopeless.mock.calls.length, other.mock.calls.length, made]).toEqual([2, 1, 2]);
    end();
    await retryOnFullDisk(vi.fn().mockRejectedValueOnce(enospc()).mockResolvedValueOnce("done"));
    expect(made).toBe(2);
  });
});

describe("the cache on a disk smaller than its budget", () => {
  afterEach(() => void vi.restoreAllMocks());

  /** A disk that has room for so many bytes of what `read` brings in. */
  function boundDisk(lake: TestLake, bytesMax: number, when: "open" | "write" | "end"): void {
    const folder = join(lake.directory, "cache", "files");
    const read = ObjectReader.prototype.read;
    vi.spyOn(ObjectReader.prototype, "read").mockImplementation(async function (
      this: ObjectReader,
      range,
      etag,
      writerOn,
      file,
    ) {
      const check = (bytes: number): void => {
        if (bytesIn(folder) + bytes > bytesMax) throw enospc();
      };
      if (when === "open") check(range.end - range.start);
      const bounded: typeof writerOn = (handle) => {
        const { take, end } = writerOn(handle);
        return {
          take: async (piece) => {
            if (when === "write") check(piece.length);
            return take(piece);
          },
          end: async () => {
            if (when === "end") check(0);
            return end();
          },
        };
      };
      return read.call(this, range, etag, bounded, file);
    });
  }

  it.each(["open", "write", "end"] as const)(
    "drops what no statement needs, and tells a statement that needs too much (at %s)",
    async (when) => {
      const lake = await TestLake.open();
      try {
        for (let i = 0; i < 4; i++)
          lake.platform.addTable(
            "main",
            `t${i}`,
            [column(1, "id", "int64")],
            [
              {
                path: await lake.write(
                  `${i}.parquet`,
                  `SELECT (hash(range + ${i}) >> 1)::BIGINT AS id FROM range(100_000)`,
                  "id: 1",
                ),
              },
            ],
          );
        boundDisk(lake, 1.8 * MIB, when);
        for (let i = 0; i < 4; i++)
          expect(await lake.rows(`SELECT count(*) AS n FROM t${i} WHERE id % 7 < 7`)).toEqual([{ n: 100_000 }]);
        expect(
          await lake.failure(
            "SELECT count(*) AS n FROM t0, t1, t2, t3 WHERE t0.id = t1.id AND t1.id = t2.id AND t2.id = t3.id",
          ),
        ).toMatchObject(FULL);
        expect(await lake.rows("SELECT count(*) AS n FROM t2 WHERE id % 7 < 7")).toEqual([{ n: 100_000 }]);
      } finally {
        await lake.close();
      }
    },
  );
});

const small = openSmallDisk(12);
if (small) {
  const { directory: disk, use: onDisk } = small;
  describe("a disk of twelve megabytes", () => {
    it("bounds the caches by what it has", () => {
      const { cacheBytesMax, driveBytesMax } = readLakeSettings({ ENGINE_CACHE_DIR: join(disk, "not", "there") });
      expect([
        cacheBytesMax > 0,
        cacheBytesMax + driveBytesMax < 12 * MIB,
        readLakeSettings({ ENGINE_CACHE_DIR: disk, ENGINE_CACHE_MB: "7" }).cacheBytesMax,
      ]).toEqual([true, true, 7 * MIB]);
    });

    it("serves any number of tables in turn, spills and writes, and tells what is too much", async () => {
      const lake = await WriteLake.open({
        cacheDirectory: join(disk, "cache"),
        cacheBytesMax: 4096 * MIB,
        queryMemoryMb: 512,
      });
      try {
        for (let i = 0; i < 4; i++)
          await lake.rows(`CREATE TABLE t${i} AS SELECT (hash(range + ${i}) >> 1)::BIGINT AS id FROM range(500_000)`);
        for (let i = 0; i < 4; i++)
          expect(await lake.rows(`SELECT count(*) AS n FROM t${i} WHERE id % 7 < 7`)).toEqual([{ n: 500_000 }]);
        expect(
          await lake.failure(
            "SELECT count(*) AS n FROM (FROM t0 UNION ALL FROM t1 UNION ALL FROM t2 UNION ALL FROM t3) WHERE id % 7 < 7",
          ),
        ).toMatchObject(FULL);
        expect(
          await lake.failure("CREATE TABLE large AS SELECT (hash(range) >> 1)::BIGINT AS id FROM range(3_000_000)"),
        ).toMatchObject(FULL);
        expect(
          await lake.failure(
            "SELECT * FROM (SELECT md5(range::VARCHAR) AS a, md5((range + 1)::VARCHAR) AS b FROM range(5_000_000)) ORDER BY a OFFSET 4_999_999",
          ),
        ).toMatchObject({ code: expect.stringMatching(/^(disk_full|resources_exceeded)$/) });
        await lake.rows("INSERT INTO t1 SELECT id FROM t3 WHERE id % 2 = 0");
        expect(await lake.rows("SELECT count(*) AS n FROM t2 WHERE id % 7 < 7")).toEqual([{ n: 500_000 }]);
        expect(bytesIn(join(disk, "cache", "writes"))).toBe(0);
      } finally {
        await lake.close();
      }
      expect(bytesIn(disk)).toBe(0);
    });

    it("ends an export in words, and keeps nothing of it", async () => {
      const lake = await WriteLake.open();
      try {
        await lake.rows("CREATE TABLE t AS SELECT 1 AS id");
        execFileSync("dd", ["if=/dev/zero", `of=${join(disk, "filler")}`, "bs=1M", "count=12"], { stdio: "ignore" });
      } catch {
        // The disk is full now.
      }
      try {
        const asked = {
          id: "e",
          lake: lake.platform.writerGrant("e"),
          format: "1.0" as const,
          dataPath: "s3://b/l/",
          deadlineMs: 60_000,
        };
        const exported = onDisk(() =>
          exportCatalog(asked, lake.platform.url, new AbortController().signal, async () => undefined),
        );
        expect(toFailure(await exported.catch((error: unknown) => error))).toMatchObject(FULL);
        expect(readdirSync(disk)).toEqual(["filler"]);
        // With a cache that can let go of it, there is room.
        const end = onDiskFull(() => {
          rmSync(join(disk, "filler"), { force: true });
          return true;
        });
        await onDisk(() =>
          exportCatalog(asked, lake.platform.url, new AbortController().signal, async (file) =>
            expect(statSync(file).size).toBeGreaterThan(0),
          ),
        );
        end();
        expect(readdirSync(disk)).toEqual([]);
      } finally {
        await lake.close();
      }
    });

    it("ends a sync in words that say to try again, and keeps nothing of it", async () => {
      const client = await connectPostgres(ownPostgres());
      const bench = await SyncBench.open(postgresSource(ownPostgres()));
      try {
        await client.query(
          "DROP SCHEMA IF EXISTS full_disk CASCADE; CREATE SCHEMA full_disk; CREATE TABLE full_disk.large AS SELECT i, md5(i::text) || md5((-i)::text) AS a FROM generate_series(1, 400000) AS i; CREATE TABLE full_disk.small AS SELECT 1 AS i",
        );
        const ran = await onDisk(() =>
          bench.run({ tables: ["full_disk.large", "full_disk.small"], loadMethod: "overwrite" }),
        );
        expect(ran).toMatchObject({
          outcome: "failed",
          retryable: true,
          error: expect.stringContaining("disk is full"),
        });
        expect([ran.table("full_disk.small").phase, bench.platform.commits.length]).toEqual(["done", 1]);
        expect(bytesIn(disk)).toBe(0);
      } finally {
        await client.query("DROP SCHEMA IF EXISTS full_disk CASCADE");
        await client.end();
        await bench.close();
      }
    });
  });
}
