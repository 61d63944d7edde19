// Expiry by the lake's own rules: by age and by number, and never what somebody may be working from.

import { describe, expect, it } from "vitest";
import { LAKE_CATALOG_LIMITS } from "../../../../src/lake/format/limits.ts";
import { LIMITS } from "../../../../src/core/limits.ts";
import { newId } from "../../../../src/core/ids.ts";
import { statementKey } from "../../../../src/lake/commit/statements.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import {
  append,
  createTable,
  newLake,
  newWriter,
  overwrite,
  rowsOf,
  type TestLake,
} from "../../../support/unit/lake.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2100, 0, 1);

/** Snapshot n comes n days after the start and replaces the one file of `main.t`; 0 is of the real clock's today. */
async function newDays(days: number) {
  const lake = newLake();
  const writer = await newWriter(lake);
  const at = (day: number) => START + day * DAY;
  for (let day = 1; day <= days; day++) {
    const file = writer.file("main", "t", day);
    const change = day === 1 ? [createTable("main", "t"), append("main", "t", file)] : [overwrite("main", "t", file)];
    valueOf(await writer.commit(change, {}, at(day)));
  }
  return { ...lake, writer, at };
}

const snapshots = async (lake: TestLake) =>
  (await rowsOf(lake, "SELECT snapshot_id AS id FROM ducklake_snapshot ORDER BY id")).map(({ id }) => Number(id));
const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

describe("expiry by the lake's rules", () => {
  it("keeps a month and the last twenty where nothing is set", async () => {
    const lake = await newDays(50);
    expect(await lake.catalog.expireDue(lake.at(50) + HOUR)).toMatchObject({ snapshots: 20, files: 19, isMore: false });
    // Day 20 is what was there a month ago.
    expect(await snapshots(lake)).toEqual(from(20, 50));
    await lake.catalog.expireDue(lake.at(500));
    expect(await snapshots(lake)).toEqual(from(31, 50));
    expect(await lake.catalog.expireDue(lake.at(500))).toEqual({ snapshots: 0, files: 0, bytes: 0, isMore: false });
  });

  it("asks both rules: what is young is kept, and so are the last, whichever are more", async () => {
    const young = await newDays(10);
    await young.catalog.setOption("expire_older_than", "3d");
    await young.catalog.setOption("retain_last", "1");
    expect(await young.catalog.expireDue(young.at(10) + HOUR)).toMatchObject({ snapshots: 7, files: 6 });
    expect(await snapshots(young)).toEqual(from(7, 10));
    const old = await newDays(10);
    await old.catalog.setOption("expire_older_than", "1d");
    await old.catalog.setOption("retain_last", "6");
    await old.catalog.expireDue(old.at(400));
    expect(await snapshots(old)).toEqual(from(5, 10));
  });

  it("keeps what was the newest a moment ago, however old it is itself", async () => {
    const lake = await newDays(2);
    await lake.catalog.setOption("expire_older_than", "30m");
    await lake.catalog.setOption("retain_last", "1");
    const nowMs = lake.at(100);
    valueOf(await lake.writer.commit([overwrite("main", "t")], {}, nowMs));
    // A statement that began just before reads snapshot 2, of long ago.
    await lake.catalog.expireDue(nowMs + LAKE_CATALOG_LIMITS.snapshotKeptMsMin);
    expect(await snapshots(lake)).toEqual([2, 3]);
    await lake.catalog.expireDue(nowMs + LAKE_CATALOG_LIMITS.snapshotKeptMsMin + 1);
    expect(await snapshots(lake)).toEqual([3]);
  });

  it("takes no age below that of the longest statement, nor deletes below the grace", async () => {
    const lake = await newDays(1);
    const { catalog } = lake;
    expect(LAKE_CATALOG_LIMITS.snapshotKeptMsMin).toBeGreaterThan(LIMITS.queryDeadlineMsMax);
    for (const [key, value] of [
      ["expire_older_than", "29m"],
      ["expire_older_than", "0d"],
      ["delete_older_than", "47h"],
      ["retain_last", "0"],
      ["retain_last", "-1"],
    ] as const)
      expect([key, value, await catalog.setOption(key, value)]).toMatchObject([
        key,
        value,
        { ok: false, refusal: { code: "validation_failed" } },
      ]);
    // One that an earlier version let through counts as the shortest there is.
    for (const key of ["expire_older_than", "delete_older_than"])
      await rowsOf(lake, `INSERT INTO ducklake_metadata VALUES ('${key}', '1m', NULL, NULL)`);
    await catalog.setOption("retain_last", "1");
    valueOf(await lake.writer.commit([overwrite("main", "t")], {}, lake.at(2)));
    await catalog.expireDue(lake.at(2) + 29 * 60_000);
    expect(await snapshots(lake)).toEqual([1, 2]);
    expect(await catalog.expireDue(lake.at(2) + HOUR)).toMatchObject({ snapshots: 1, files: 1 });
    expect(await catalog.listDueFiles(lake.at(2) + HOUR + 1, 10)).toHaveLength(1);
  });

  it("spares what a live job works from and all that came after, until its lease is long over", async () => {
    const lake = await newDays(10);
    await lake.catalog.setOption("retain_last", "1");
    const nowMs = lake.at(400);
    const job = await newWriter(lake, "sync/1");
    valueOf(await lake.catalog.plan(4, [1], job.token));
    const expires = async (ttlMs: number) => {
      await lake.catalog.renewLease("sync/1", job.token.fence, nowMs + ttlMs - Date.now());
      await lake.catalog.expireDue(nowMs);
      return snapshots(lake);
    };
    expect(await expires(1)).toEqual(from(4, 10));
    // It may commit until its token is over, as long as nobody takes the lease.
    expect(await expires(-LAKE_CATALOG_LIMITS.leaseSparesMs + 60_000)).toEqual(from(4, 10));
    expect(await job.commit([append("main", "t", job.file("main", "t", 1))], { baseSnapshotId: 4 })).toMatchObject({
      ok: false,
      refusal: { detail: expect.stringContaining("deleted from") },
    });
    expect(await expires(-LAKE_CATALOG_LIMITS.leaseSparesMs - 60_000)).toEqual([10]);
  });

  it("spares nothing for a job that let its lease go, or a statement that has committed", async () => {
    const lake = await newDays(6);
    await lake.catalog.setOption("retain_last", "1");
    const job = await newWriter(lake, "sync/1");
    valueOf(await lake.catalog.plan(2, [1], job.token));
    const statement = {
      key: statementKey(newId()),
      jobId: newId(),
      table: { schema: "main", name: "t" },
      ttlMs: 60_000,
    };
    const opened = valueOf(await lake.catalog.openStatement(statement, lake.at(400)));
    await lake.catalog.releaseLease("sync/1", job.token.fence);
    valueOf(await lake.writer.commit([overwrite("main", "t")], {}, lake.at(401)));
    await lake.catalog.expireDue(lake.at(401));
    expect(await snapshots(lake)).toEqual([6, 7]);
    valueOf(
      await lake.catalog.commit({
        lease: opened.lease,
        fence: opened.fence,
        jobId: statement.jobId,
        commit: { key: statement.key, author: null, message: null, changes: [createTable("main", "u")] },
      }),
    );
    await lake.catalog.expireDue(Date.UTC(2200, 0, 1));
    expect(await snapshots(lake)).toEqual([8]);
  });

  it("schedules the files of a table that is gone before it forgets where they lie", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    const files = Array.from({ length: 6_000 }, () => writer.file("s", "gone", 1));
    valueOf(await writer.commit([createTable("s", "gone"), append("s", "gone", ...files)], {}, START));
    valueOf(await writer.commit([{ kind: "drop_schema", schema: "s", cascade: true }], {}, START + 1));
    await lake.catalog.setOption("retain_last", "1");
    const steps = [];
    for (let isMore = true; isMore; ) {
      const step = await lake.catalog.expireDue(START + 100 * DAY);
      steps.push(step);
      ({ isMore } = step);
    }
    expect(steps.map(({ snapshots, files }) => [snapshots, files])).toEqual([
      [2, 5_000],
      [0, 1_000],
    ]);
    const due = await lake.catalog.listDueFiles(START + 101 * DAY, 10_000);
    expect(due.map(({ path }) => path).sort()).toEqual(files.map(({ path }) => path).sort());
    expect(due.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(6_000 * 1_001);
    expect(await rowsOf(lake, "SELECT 1 FROM ducklake_table UNION SELECT 1 FROM ducklake_file_column_stats")).toEqual(
      [],
    );
    expect(await lake.catalog.confirmDeleted(due.map(({ id }) => id))).toBe(6_000);
    expect(await rowsOf(lake, "SELECT 1 FROM fjord_scheduled")).toEqual([]);
  });
});

describe("a file on the schedule", () => {
  it("waits for longer where the lake says so", async () => {
    const lake = await newDays(2);
    await lake.catalog.setOption("retain_last", "1");
    await lake.catalog.expireDue(lake.at(100));
    const due = async (atMs: number) =>
      (await lake.catalog.listDueFiles(atMs - LAKE_CATALOG_LIMITS.graceMs, 10)).length;
    expect(await due(lake.at(102) + 1)).toBe(1);
    await lake.catalog.setOption("delete_older_than", "7d");
    expect([await due(lake.at(107)), await due(lake.at(107) + 1)]).toEqual([0, 1]);
  });

  it("is no table's again", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    const file = writer.file("main", "t", 3);
    valueOf(await writer.commit([createTable("main", "t"), append("main", "t", file)], {}, START));
    valueOf(await writer.commit([overwrite("main", "t")], {}, START + HOUR));
    await lake.catalog.setOption("retain_last", "1");
    expect(await lake.catalog.expireDue(START + 100 * DAY)).toMatchObject({ files: 1 });
    expect(await writer.commit([append("main", "t", file)])).toMatchObject({
      ok: false,
      refusal: { code: "validation_failed", flaws: [{ message: "This file is in the lake already." }] },
    });
  });
});
