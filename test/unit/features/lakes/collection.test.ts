// What a lake leaves behind is collected, and nothing else: over the real bucket and the real catalog, by a clock of
// the test's own.

import fc from "fast-check";
import { env as bindings } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { NewDataFile } from "../../../../kernel/lake/commit.ts";
import { LAKE_CATALOG_LIMITS } from "../../../../src/lake/format/limits.ts";
import { LIMITS } from "../../../../src/core/limits.ts";
import { BUCKET_LIMITS } from "../../../../src/platform/bucket/limits.ts";
import { LAKE_LIMITS } from "../../../../src/features/lakes/limits.ts";
import { collectLakeObjects } from "../../../../src/features/lakes/collect-objects.ts";
import { beginCollectionStatement, endCollectionStatement } from "../../../../src/features/lakes/plan-collection.ts";
import { removeLakeStatements } from "../../../../src/features/lakes/remove-lake.ts";
import { sweepLakeCollections } from "../../../../src/features/lakes/sweep-collections.ts";
import { openDb } from "../../../../src/platform/db/client.ts";
import { lakeCollections, lakeRemovals, lakeSummaries } from "../../../../src/platform/db/schema/schema.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import { lakePrefix } from "../../../../src/lake/lake.ts";
import {
  append,
  compact,
  createTable,
  deleteRows,
  newLake,
  newWriter,
  overwrite,
  rowsOf,
  type TestLake,
} from "../../../support/unit/lake.ts";
import { openClients } from "../../../../src/clients/clients.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2100, 0, 1);
const db = openDb(bindings.DB);

beforeEach(async () => {
  await db.delete(lakeCollections);
  await db.delete(lakeSummaries);
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});

/** A lake whose bucket dates its objects by the test's clock, and lists them in pages as small as the test wants. */
async function newWorld({ pageMax = 1_000, prepare = () => undefined as unknown } = {}) {
  const lake = newLake();
  const prefix = lakePrefix(lake.teamId, lake.lakeId);
  const uploadedMs = new Map<string, number>();
  const { BUCKET } = bindings;
  const messages: unknown[] = [];
  const bucket: Pick<R2Bucket, "list" | "delete"> = {
    async list(options) {
      await prepare();
      const page = await BUCKET.list({ ...options, limit: Math.min(pageMax, options?.limit ?? 1_000) });
      for (const object of page.objects)
        Object.defineProperty(object, "uploaded", { value: new Date(uploadedMs.get(object.key) ?? 0) });
      return page;
    },
    delete: (keys) => BUCKET.delete(keys),
  };
  const CLEANUP_WAKE_UPS = {
    send: async (body: unknown) => void messages.push(body),
    sendBatch: async (batch: { body: unknown }[]) => void messages.push(...batch.map(({ body }) => body)),
  };
  const world = {
    ...lake,
    prefix,
    messages,
    nowMs: START,
    clients: openClients({ ...bindings, BUCKET: bucket, CLEANUP_WAKE_UPS } as unknown as Env),
    async put(path: string): Promise<void> {
      uploadedMs.set(prefix + path, world.nowMs);
      await BUCKET.put(prefix + path, "x");
    },
    async keys(): Promise<string[]> {
      return (await BUCKET.list({ prefix })).objects.map(({ key }) => key.slice(prefix.length)).sort();
    },
    collect: () => collectLakeObjects(world.clients, { teamId: lake.teamId, id: lake.lakeId }, new Date(world.nowMs)),
    /** Until it says that it is done. */
    async collectAll(): Promise<void> {
      for (let calls = 0; (await world.collect()).outcome !== "done"; calls++) expect(calls).toBeLessThan(100);
    },
  };
  await beginCollectionStatement(db, lake, new Date(START));
  return world;
}

const inCatalog = async (lake: TestLake): Promise<string[]> =>
  (
    await rowsOf(
      lake,
      "SELECT 'main/t/' || path AS path FROM ducklake_data_file UNION ALL SELECT 'main/t/' || path FROM ducklake_delete_file UNION ALL SELECT path FROM ducklake_files_scheduled_for_deletion",
    )
  )
    .map(({ path }) => String(path))
    .sort();

describe("collectLakeObjects", () => {
  it("waits for longer than a run may go on with a URL it has got", () => {
    expect(LAKE_CATALOG_LIMITS.graceMs).toBeGreaterThan(
      LIMITS.syncRunMsMax + BUCKET_LIMITS.signedUrlSeconds * 1_000 + HOUR,
    );
    expect(LAKE_CATALOG_LIMITS.graceMs).toBeGreaterThan(
      LIMITS.queryDeadlineMsMax + BUCKET_LIMITS.signedUrlSeconds * 1_000,
    );
  });

  it("deletes an upload that was never committed once the grace is over, and no sooner", async () => {
    const world = await newWorld();
    const writer = await newWriter(world);
    const [kept, lost] = [writer.file("main", "t", 1), writer.file("main", "t", 1)];
    for (const { path } of [kept, lost]) await world.put(path);
    valueOf(await writer.commit([createTable("main", "t"), append("main", "t", kept)], {}, world.nowMs));
    await world.catalog.releaseLease("test", writer.token.fence);
    world.nowMs += LAKE_CATALOG_LIMITS.graceMs;
    expect(await world.collect()).toEqual({ outcome: "done", expired: 0, orphans: 0 });
    world.nowMs += 1;
    expect(await world.collect()).toEqual({ outcome: "done", expired: 0, orphans: 1 });
    expect(await world.keys()).toEqual([kept.path]);
  });

  it("leaves alone what a job that holds its lease has uploaded, however long ago", async () => {
    const world = await newWorld();
    const writer = await newWriter(world);
    await world.put(writer.file("main", "t", 1).path);
    world.nowMs += 2 * LAKE_CATALOG_LIMITS.graceMs;
    expect(await world.collect()).toMatchObject({ orphans: 0 });
    await world.catalog.releaseLease("test", writer.token.fence);
    expect(await world.collect()).toMatchObject({ orphans: 1 });
  });

  it("deletes the files of expired snapshots when their grace is over, then their place on the schedule", async () => {
    const world = await newWorld();
    const writer = await newWriter(world);
    const [first, second] = [writer.file("main", "t", 3), writer.file("main", "t", 1)];
    for (const { path } of [first, second]) await world.put(path);
    valueOf(await writer.commit([createTable("main", "t"), append("main", "t", first)], {}, world.nowMs));
    valueOf(await writer.commit([overwrite("main", "t", second)], {}, world.nowMs + HOUR));
    world.nowMs += 100 * HOUR;
    await world.catalog.expireSnapshots({ olderThanMs: world.nowMs }, world.nowMs);
    world.nowMs += LAKE_CATALOG_LIMITS.graceMs;
    expect(await world.collect()).toMatchObject({ expired: 0, orphans: 0 });
    world.nowMs += 1;
    expect(await world.collect()).toMatchObject({ expired: 1, orphans: 0 });
    expect([await world.keys(), await inCatalog(world)]).toEqual([[second.path], [second.path]]);
  });

  it("goes on behind the page where it has stopped, by a wake-up message of its own, and starts anew the day after", async () => {
    const pages = LAKE_LIMITS.collectionStepsMax;
    const world = await newWorld({ pageMax: 2 });
    for (let index = 0; index < pages * 2 + 3; index++)
      await world.put(`main/t/${String(index).padStart(3, "0")}.parquet`);
    world.nowMs += LAKE_CATALOG_LIMITS.graceMs + 1;
    expect(await world.collect()).toEqual({ outcome: "collecting", expired: 0, orphans: pages * 2 });
    expect(world.messages).toEqual([{ kind: "lake_collection", version: 1, teamId: world.teamId, id: world.lakeId }]);
    expect((await db.select().from(lakeCollections))[0]!.afterKey).toBe(`${world.prefix}main/t/019.parquet`);
    expect(await world.collect()).toEqual({ outcome: "done", expired: 0, orphans: 3 });
    expect(await db.select().from(lakeCollections)).toMatchObject([
      { afterKey: null, dueAt: new Date(world.nowMs + LAKE_LIMITS.collectionEveryMs).toISOString() },
    ]);
    expect(world.messages).toHaveLength(1);
    expect(await db.select().from(lakeSummaries)).toMatchObject([
      { lakeId: world.lakeId, objects: { orphaned: { objects: pages * 2 + 3, bytes: pages * 2 + 3 } } },
    ]);
  });

  it("keeps what all objects came to, by what the catalog says of each, until the lake is gone", async () => {
    const world = await newWorld({ pageMax: 2 });
    const writer = await newWriter(world);
    const [first, second, held, lost] = [1, 2, 3, 4].map((rows) => writer.file("main", "t", rows));
    valueOf(await writer.commit([createTable("main", "t"), append("main", "t", first!)], {}, world.nowMs));
    valueOf(await writer.commit([overwrite("main", "t", second!)], {}, world.nowMs + HOUR));
    for (const { path } of [first!, second!, held!]) await world.put(path);
    await world.put("main/t/lost.parquet");
    world.nowMs += LAKE_CATALOG_LIMITS.graceMs + 1;
    await world.put(lost!.path);
    await world.collectAll();
    const one = { objects: 1, bytes: 1 };
    const [summary] = await db.select().from(lakeSummaries);
    expect(summary).toMatchObject({
      teamId: world.teamId,
      objectsMeasuredAt: new Date(world.nowMs).toISOString(),
      objects: { current: one, kept: one, scheduled: { objects: 0 }, young: { objects: 2, bytes: 2 }, orphaned: one },
    });
    await db.batch(removeLakeStatements(db, world, new Date(world.nowMs)));
    expect(await db.select().from(lakeSummaries)).toEqual([]);
    await db.delete(lakeRemovals);
  });

  it("that is woken up twice at once goes on once", async () => {
    const world = await newWorld({ pageMax: 1 });
    for (let index = 0; index < 30; index++) await world.put(`main/t/${index}.parquet`);
    expect((await Promise.all([world.collect(), world.collect()])).map(({ outcome }) => outcome)).toEqual([
      "collecting",
      "collecting",
    ]);
    expect(world.messages).toHaveLength(1);
  });

  it("touches no other lake, and none that is gone", async () => {
    const world = await newWorld();
    const other = `${world.teamId}/lake/${world.lakeId}0/main/t/a.parquet`;
    await bindings.BUCKET.put(other, "x");
    await bindings.BUCKET.put(`${world.teamId}/drive/a.parquet`, "x");
    world.nowMs += 10 * LAKE_CATALOG_LIMITS.graceMs;
    await world.collectAll();
    expect([
      await bindings.BUCKET.head(other),
      await bindings.BUCKET.head(`${world.teamId}/drive/a.parquet`),
    ]).not.toContain(null);
    await world.put("main/t/a.parquet");
    world.nowMs += 10 * LAKE_CATALOG_LIMITS.graceMs;
    await endCollectionStatement(db, world);
    expect(await world.collect()).toMatchObject({ outcome: "gone" });
    expect(await world.keys()).toEqual(["main/t/a.parquet"]);
  });
});

describe("sweepLakeCollections", () => {
  it("wakes up a lake that is due once, and again when its search was broken off", async () => {
    const world = await newWorld();
    const at = new Date(START);
    const counts = await Promise.all([
      sweepLakeCollections(world.clients, at),
      sweepLakeCollections(world.clients, at),
    ]);
    expect(counts.reduce((sum, { lakeCollectionsWoken }) => sum + lakeCollectionsWoken, 0)).toBe(1);
    expect(await sweepLakeCollections(world.clients, new Date(START + LAKE_LIMITS.collectionRetryMs))).toEqual({
      lakeCollectionsWoken: 1,
    });
    await world.collect();
    expect(await sweepLakeCollections(world.clients, new Date(START + LAKE_LIMITS.collectionEveryMs - 1))).toEqual({
      lakeCollectionsWoken: 0,
    });
  });

  it("takes no more than its bound", async () => {
    const world = await newWorld();
    for (let lake = 0; lake < LAKE_LIMITS.collectionsPerSweepMax + 5; lake++)
      await beginCollectionStatement(db, newLake(), new Date(START - HOUR));
    expect(await sweepLakeCollections(world.clients, new Date(START))).toEqual({
      lakeCollectionsWoken: LAKE_LIMITS.collectionsPerSweepMax,
    });
    expect(await sweepLakeCollections(world.clients, new Date(START))).toEqual({ lakeCollectionsWoken: 6 });
  });
});

// ── A random life ──────────────────────────────────────────────────────────────────────────────────────────────────

type Writer = Awaited<ReturnType<typeof newWriter>>;
type Job = { writer: Writer; lease: string; startedMs: number; pending: NewDataFile[] };

type Act = "upload" | "commit" | "overwrite" | "delete" | "end" | "collect" | "expire" | "compact" | "expire by rules";
type Step = { kind: Act; which: number } | { kind: "wait"; hours: number };
const act = (kind: Act, weight: number) => ({
  weight,
  arbitrary: fc.record({ kind: fc.constant(kind), which: fc.nat(2) }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  ...[
    act("upload", 3),
    act("commit", 4),
    act("overwrite", 1),
    act("delete", 3),
    act("end", 1),
    act("collect", 4),
    act("expire", 1),
    act("compact", 3),
    act("expire by rules", 2),
  ],
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("wait" as const), hours: fc.constantFrom(1, 20, 49) }) },
);

/**
 * Jobs upload, commit late or never, die and come again, while snapshots expire and the collector goes round in small
 * pages.
 */
async function live(steps: Step[]): Promise<void> {
  let late: (() => Promise<unknown>) | undefined;
  // Between a page and what is made of it, somebody commits: what was listed as nobody's may have become a table's.
  const world = await newWorld({ pageMax: 3, prepare: () => late?.() });
  const jobs: Job[] = [];
  const begun: Job[] = [];
  const begin = async (which: number) => {
    const lease = `sync/${begun.length}`;
    const writer = await newWriter(world, lease);
    begun.push((jobs[which] = { writer, lease, startedMs: world.nowMs, pending: [] }));
    // A lease that has run out lets its job write on until somebody takes over: then only its age keeps an upload.
    await world.catalog.renewLease(lease, writer.token.fence, -1);
  };
  for (const which of [0, 1, 2]) await begin(which);
  for (const [key, value] of [
    ["target_file_size", "3000"],
    ["rewrite_delete_threshold", "0.5"],
    ["expire_older_than", "10h"],
    ["retain_last", "2"],
  ] as const)
    valueOf(await world.catalog.setOption(key, value));
  valueOf(await jobs[0]!.writer.commit([createTable("main", "t")], {}, world.nowMs));
  const isAlive = ({ lease, writer }: Job) => world.catalog.isAlive(lease, writer.token.fence);
  const pendingOf = (job: Job) => job.pending.splice(0);

  const upload = async (job: Job) => {
    const file = job.writer.file("main", "t", 2);
    job.pending.push(file);
    await world.put(file.path);
  };
  const acts: Record<Act, (job: Job) => Promise<unknown>> = {
    upload,
    async commit(job) {
      await upload(job);
      return valueOf(await job.writer.commit([append("main", "t", ...pendingOf(job))], {}, world.nowMs));
    },
    overwrite: async (job) =>
      valueOf(await job.writer.commit([overwrite("main", "t", ...pendingOf(job))], {}, world.nowMs)),
    async delete(job) {
      const { snapshotId } = await world.catalog.currentSnapshot();
      const target = valueOf(await world.catalog.plan(snapshotId, [1], "everything"))[0]?.files.find(
        ({ deletes }) => !deletes,
      );
      if (!target) return;
      const file = job.writer.deletes("main", "t", 1);
      await world.put(file.path);
      valueOf(
        await job.writer.commit(
          [deleteRows("main", "t", { dataFileId: target.id, file })],
          { baseSnapshotId: snapshotId },
          world.nowMs,
        ),
      );
    },
    // It dies; what it had uploaded stays where it is.
    async end(job) {
      await world.catalog.releaseLease(job.lease, job.writer.token.fence);
      job.pending = [];
    },
    collect: () => world.collect(),
    expire: () => world.catalog.expireSnapshots({ olderThanMs: world.nowMs - 10 * HOUR }, world.nowMs),
    "expire by rules": () => world.catalog.expireDue(world.nowMs),
    // Compaction works like the maintenance job: files are planned, written anew beside the old ones, and committed.
    async compact(job) {
      const step = job.pending.length % 2 === 0 ? "merge" : "rewrite";
      const plan = valueOf(await world.catalog.planCompaction(job.writer.token, { step }, world.nowMs));
      for (const { files } of plan.groups) {
        const rows = files.reduce((sum, file) => sum + file.rows - (file.deletes?.rows ?? 0), 0);
        const added = rows === 0 ? [] : [job.writer.file("main", "t", rows)];
        for (const { path } of added) await world.put(path);
        const deletes = files.flatMap((file) => (file.deletes ? [file.deletes.id] : []));
        const change = compact("main", "t", { data: files.map(({ id }) => id), deletes }, ...added);
        valueOf(await job.writer.commit([change], { baseSnapshotId: plan.snapshotId }, world.nowMs));
      }
    },
  };
  const seen = new Map<number, string>();

  for (const one of steps) {
    if (one.kind === "wait") world.nowMs += one.hours * HOUR;
    else {
      // A run's token dies with it.
      if (world.nowMs - jobs[one.which]!.startedMs > LIMITS.syncRunMsMax || !(await isAlive(jobs[one.which]!)))
        await begin(one.which);
      const other = jobs[(one.which + 1) % 3]!;
      const mayCommit = one.kind === "collect" && world.nowMs - other.startedMs <= LIMITS.syncRunMsMax;
      const commitLate = async () => {
        late = undefined;
        if (await isAlive(other)) await acts.commit(other);
      };
      late = mayCommit ? commitLate : undefined;
      await acts[one.kind](jobs[one.which]!);
      late = undefined;
    }
    const keys = new Set(await world.keys());
    expect((await inCatalog(world)).filter((path) => !keys.has(path))).toEqual([]);
    if (TAKING.has(one.kind)) await auditSnapshots(world, keys, seen);
    for (const job of jobs) {
      const canWrite = world.nowMs - job.startedMs <= LIMITS.syncRunMsMax && (await isAlive(job));
      if (canWrite) expect(job.pending.filter(({ path }) => !keys.has(path))).toEqual([]);
    }
  }

  for (const job of begun) await acts.end(job);
  await world.catalog.expireSnapshots({ olderThanMs: world.nowMs }, world.nowMs);
  world.nowMs += 2 * LAKE_CATALOG_LIMITS.graceMs;
  // The round that is under way has passed some by when they were young; the next one has not.
  for (const _ of ["this round", "the next"]) await world.collectAll();
  expect(await world.keys()).toEqual(await inCatalog(world));
  expect(await rowsOf(world, "SELECT 1 FROM ducklake_files_scheduled_for_deletion")).toEqual([]);
}

/** What takes files away, or puts others in their place. */
const TAKING = new Set<Step["kind"]>(["overwrite", "collect", "expire", "expire by rules", "compact"]);

/**
 * Every snapshot that is kept reads the very objects it read when it was first seen, and each of them is there; and a
 * compaction changed no row.
 */
async function auditSnapshots(lake: TestLake, keys: ReadonlySet<string>, seen: Map<number, string>): Promise<void> {
  const snapshots = await rowsOf(
    lake,
    `SELECT snapshot_id AS id, changes_made LIKE 'compacted%' AS isCompaction FROM ducklake_snapshot
     JOIN ducklake_snapshot_changes USING (snapshot_id) WHERE snapshot_id > 0 ORDER BY id`,
  );
  let before: { id: number; rows: number } | undefined;
  for (const { id, isCompaction } of snapshots) {
    const files = valueOf(await lake.catalog.plan(Number(id), [1], "everything")).flatMap((table) => table.files);
    const paths = files.flatMap(({ path, deletes }) => (deletes ? [path, deletes.path] : [path]));
    expect(paths.filter((path) => !keys.has(path))).toEqual([]);
    const read = JSON.stringify(files);
    expect([id, seen.get(Number(id)) ?? read]).toEqual([id, read]);
    seen.set(Number(id), read);
    const rows = files.reduce((sum, file) => sum + file.rows - (file.deletes?.rows ?? 0), 0);
    if (isCompaction === 1 && before?.id === Number(id) - 1) expect([id, rows]).toEqual([id, before.rows]);
    before = { id: Number(id), rows };
  }
}

describe("any life of a lake", () => {
  it("loses no object that is named or may be, and keeps no other for good", async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 70 }), live), {
      numRuns: 12,
      endOnFailure: true,
    });
  });
});
