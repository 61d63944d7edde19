// A compaction waits for whoever is at work on its table, so that it never costs a sync or a statement its commit.

import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import { statementKey } from "../../../../src/lake/commit/statements.ts";
import { append, compact, createTable, newLake, newWriter, rowsOf } from "../../../support/unit/lake.ts";

const MINUTE = 60_000;

/** `main.t` of the sync 1 with data files 0 and 1, at snapshot 1; nobody is at work on it. */
async function newOwned() {
  const lake = newLake();
  await lake.catalog.claimTables({ owner: "sync:1", name: "orders from shop" }, [{ schema: "main", name: "t" }]);
  const first = await newWriter(lake, "sync/1");
  const files = [first.file("main", "t", 10), first.file("main", "t", 20)];
  valueOf(await first.commit([createTable("main", "t"), append("main", "t", ...files)], { actor: "sync:1" }));
  await lake.catalog.releaseLease("sync/1", first.token.fence);
  const engine = await newWriter(lake, "maintenance");
  const merge = (nowMs?: number) =>
    engine.commit([compact("main", "T", { data: [0, 1] }, engine.file("main", "t", 30))], { baseSnapshotId: 1 }, nowMs);
  return { ...lake, engine, merge };
}

const openStatement = async (lake: ReturnType<typeof newLake>, nowMs = Date.now()) => {
  const statement = { key: statementKey(newId()), jobId: newId(), table: { schema: "MAIN", name: "T" }, ttlMs: MINUTE };
  return { jobId: statement.jobId, key: statement.key, ...valueOf(await lake.catalog.openStatement(statement, nowMs)) };
};

describe("a compaction", () => {
  it("is refused while the table's sync holds its lease, in words that name it, and taken once it is over", async () => {
    const { merge, ...lake } = await newOwned();
    const sync = await newWriter(lake, "sync/1");
    expect(await merge()).toMatchObject({
      ok: false,
      refusal: {
        code: "resource_conflict",
        detail: "main.t can't be compacted while the sync orders from shop is at work on it.",
      },
    });
    expect(
      await sync.commit([append("main", "t", sync.file("main", "t", 1))], { actor: "sync:1", baseSnapshotId: 1 }),
    ).toMatchObject({ ok: true });
    await lake.catalog.releaseLease("sync/1", sync.token.fence);
    expect(await merge()).toMatchObject({ ok: true });
  });

  it("waits for a sync whose heartbeats are late, but not for one long gone, nor for another table's", async () => {
    const { merge, ...lake } = await newOwned();
    await newWriter(lake, "sync/2");
    const sync = await newWriter(lake, "sync/1");
    await lake.catalog.renewLease("sync/1", sync.token.fence, -60_000);
    expect(await merge()).toMatchObject({ ok: false });
    await lake.catalog.renewLease("sync/1", sync.token.fence, -700_000);
    expect(await merge()).toMatchObject({ ok: true });
  });

  it("may be its sync's own", async () => {
    const lake = await newOwned();
    const sync = await newWriter(lake, "sync/1");
    expect(
      await sync.commit([compact("main", "t", { data: [0, 1] }, sync.file("main", "t", 30))], {
        actor: "sync:1",
        baseSnapshotId: 1,
      }),
    ).toMatchObject({ ok: true });
  });

  it("costs a sync that begins after it nothing, as that reads the newer snapshot", async () => {
    const { merge, ...lake } = await newOwned();
    valueOf(await merge());
    const sync = await newWriter(lake, "sync/1");
    const { snapshotId } = await lake.catalog.describeSchema("main", sync.token);
    const [plan] = valueOf(await lake.catalog.plan(snapshotId, [1], sync.token));
    const [merged] = plan!.files;
    expect(
      await sync.commit(
        [
          {
            kind: "delete",
            schema: "main",
            name: "t",
            deletes: [{ dataFileId: merged!.id, file: sync.deletes("main", "t", 4) }],
          },
          append("main", "t", sync.file("main", "t", 4)),
        ],
        { actor: "sync:1", baseSnapshotId: snapshotId },
      ),
    ).toMatchObject({ ok: true });
  });

  it("is refused while a statement writes to the table, until that has committed or its time is over", async () => {
    const lake = newLake();
    const writer = await newWriter(lake, "maintenance");
    valueOf(await writer.commit([createTable("main", "t"), append("main", "t", writer.file("main", "t", 10))]));
    const merge = (data: number, nowMs?: number) =>
      writer.commit(
        [compact("main", "t", { data: [data] }, writer.file("main", "t", 10))],
        { baseSnapshotId: base },
        nowMs,
      );
    let base = 1;
    const { lease, fence, jobId, key } = await openStatement(lake);
    const refused = {
      ok: false,
      refusal: { code: "resource_conflict", detail: "main.t can't be compacted while a statement is writing to it." },
    };
    expect(await merge(0)).toMatchObject(refused);
    const file = { ...writer.file("main", "t", 2), path: `main/t/${jobId}-a.parquet` };
    const commit = { key, author: null, message: null, baseSnapshotId: 1, changes: [append("main", "t", file)] };
    const send = () => lake.catalog.commit({ lease, fence, jobId, commit });
    expect(await send()).toMatchObject({ ok: true, value: { snapshotId: 2 } });
    base = 2;
    expect(await merge(0)).toMatchObject({ ok: true });
    // Its answer may have been lost: it may ask again.
    expect(await send()).toMatchObject({ ok: true, value: { snapshotId: 2, replayed: true } });

    base = 3;
    const nowMs = Date.now();
    await openStatement(lake, nowMs);
    expect(await merge(2, nowMs + MINUTE - 1)).toMatchObject(refused);
    expect(await merge(2, nowMs + MINUTE)).toMatchObject({ ok: true });
  });

  it("and a sync's run that begin at once never cost the run its commit", async () => {
    for (let round = 0; round < 8; round++) {
      const { merge, ...lake } = await newOwned();
      const sync = async () => {
        const writer = await newWriter(lake, "sync/1");
        const { snapshotId } = await lake.catalog.describeSchema("main", writer.token);
        const [plan] = valueOf(await lake.catalog.plan(snapshotId, [1], writer.token));
        const deletes = plan!.files.map(({ id }) => ({ dataFileId: id, file: writer.deletes("main", "t", 1) }));
        return writer.commit([{ kind: "delete", schema: "main", name: "t", deletes }], {
          actor: "sync:1",
          baseSnapshotId: snapshotId,
        });
      };
      const waits = Array.from({ length: round }, () => lake.catalog.currentSnapshot());
      const [synced] = await Promise.all([sync(), Promise.all(waits).then(async () => void (await merge()))]);
      expect(synced).toMatchObject({ ok: true });
    }
  });
});

describe("a lease", () => {
  it("keeps the oldest snapshot that its holder has read, until another takes it", async () => {
    const lake = newLake();
    const writer = await newWriter(lake, "sync/1");
    const bases = () => rowsOf(lake, "SELECT base_snapshot AS base FROM fjord_leases");
    expect(await bases()).toEqual([{ base: null }]);
    await lake.catalog.describeSchema("main", writer.token);
    for (const name of ["t", "u"]) valueOf(await writer.commit([createTable("main", name)]));
    await lake.catalog.describeSchema("main", writer.token);
    expect(await bases()).toEqual([{ base: 0 }]);
    await lake.catalog.releaseLease("sync/1", writer.token.fence);
    const next = await newWriter(lake, "sync/1");
    expect(await bases()).toEqual([{ base: null }]);
    // A fence that is dead keeps nothing.
    await lake.catalog.plan(1, [1], writer.token);
    expect(await bases()).toEqual([{ base: null }]);
    await lake.catalog.plan(2, [1], next.token);
    expect(await bases()).toEqual([{ base: 2 }]);
    await lake.catalog.plan(1, [1], next.token);
    expect(await bases()).toEqual([{ base: 1 }]);
    await lake.catalog.plan(99, [1], next.token);
    expect(await bases()).toEqual([{ base: 1 }]);
  });
});
