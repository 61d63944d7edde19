// A statement that ended is ended for good: what is left of it on its way writes nothing, and holds nothing.

import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { statementKey, type SentStatement } from "../../../../src/lake/commit/statements.ts";
import { LAKE_CATALOG_LIMITS } from "../../../../src/lake/format/limits.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import { append, compact, createTable, inside, newLake, newWriter, rowsOf } from "../../../support/unit/lake.ts";

const MINUTE = 60_000;

/** `main.t` with data files 0 and 1 at snapshot 1, and statements about it. */
async function newTable() {
  const lake = newLake();
  const first = await newWriter(lake);
  valueOf(
    await first.commit([
      createTable("main", "t"),
      append("main", "t", first.file("main", "t", 10), first.file("main", "t", 20)),
    ]),
  );
  const open = async (sent: SentStatement, nowMs?: number) =>
    lake.catalog.openStatement({ ...sent, table: { schema: "main", name: "t" }, ttlMs: MINUTE }, nowMs);
  const commit = (sent: SentStatement, { lease, fence }: { lease: string; fence: number }) =>
    lake.catalog.commit({
      ...{ lease, fence, jobId: sent.jobId },
      commit: {
        ...{ key: sent.key, author: "Ada", message: "CREATE SCHEMA", actor: "user", baseSnapshotId: 1 },
        changes: [{ kind: "create_schema", schema: `s${sent.jobId}` }],
      },
    });
  return { ...lake, open, commit };
}

const newSending = (id = newId()): SentStatement => ({ key: statementKey(id), jobId: newId() });

describe("endStatement", () => {
  it("keeps a statement that has not committed from ever doing so, and from beginning again", async () => {
    const { open, commit, catalog } = await newTable();
    const sent = newSending();
    const leave = valueOf(await open(sent));
    expect(await catalog.endStatement(sent)).toBe("unwritten");
    expect(await commit(sent, leave)).toMatchObject({ ok: false, refusal: { code: "resource_conflict" } });
    expect(await open(sent)).toMatchObject({ ok: false, refusal: { code: "resource_conflict" } });
    expect(await catalog.currentSnapshot()).toEqual({ snapshotId: 1 });
  });

  it("does so before it has begun, and not of another sending under the same key", async () => {
    const { open, commit, catalog } = await newTable();
    const sent = newSending();
    expect(await catalog.endStatement(sent)).toBe("unwritten");
    expect(await open(sent)).toMatchObject({ ok: false });
    const again = { ...sent, jobId: newId() };
    expect(await commit(again, valueOf(await open(again)))).toMatchObject({ ok: true, value: { snapshotId: 2 } });
  });

  it("answers the snapshot that the statement wrote, by whichever sending", async () => {
    const { open, commit, catalog } = await newTable();
    const sent = newSending();
    valueOf(await commit(sent, valueOf(await open(sent))));
    expect(await catalog.endStatement(sent)).toBe(2);
    expect(await catalog.endStatement({ ...sent, jobId: newId() })).toBe(2);
  });

  it("says where another sending has begun, which goes on, also where its commit begins anew", async () => {
    const { open, commit, catalog } = await newTable();
    const sent = newSending();
    const leave = valueOf(await open(sent));
    const again = { ...sent, jobId: newId() };
    expect(await catalog.endStatement(again)).toBe("running");
    expect(await open(again)).toMatchObject({ ok: false });
    expect(await open(sent)).toEqual({ ok: true, value: leave });
    expect(await commit(sent, leave)).toMatchObject({ ok: true, value: { snapshotId: 2 } });
  });

  it("lets no earlier sending begin any more where none has, but later ones", async () => {
    const { open, catalog } = await newTable();
    const sent = newSending();
    const [again, third] = [newId(), newId()].map((jobId) => ({ ...sent, jobId }));
    expect(await catalog.endStatement(again!)).toBe("unwritten");
    expect(await open(sent)).toMatchObject({ ok: false, refusal: { code: "resource_conflict" } });
    expect(await open(newSending())).toMatchObject({ ok: true });
    expect(await open(third!)).toMatchObject({ ok: true });
  });

  it("frees the table for compactions, and its snapshot for expiry, at once", async () => {
    const lake = await newTable();
    const { open, catalog } = lake;
    const sent = newSending();
    valueOf(await open(sent));
    const engine = await newWriter(lake, "maintenance");
    const merge = () =>
      engine.commit([compact("main", "t", { data: [0, 1] }, engine.file("main", "t", 30))], { baseSnapshotId: 1 });
    expect(await merge()).toMatchObject({
      ok: false,
      refusal: { detail: expect.stringContaining("is writing to it") },
    });
    await catalog.endStatement(sent);
    expect(await merge()).toMatchObject({ ok: true });
    const held = "SELECT 1 FROM fjord_leases WHERE name LIKE 'statement/%' AND holder IS NOT NULL";
    expect(await rowsOf(lake, held)).toEqual([]);
  });

  it("lays no lake out that is gone", async () => {
    const { catalog, ...lake } = await newTable();
    await catalog.destroy();
    expect(await catalog.endStatement(newSending())).toBe("unwritten");
    expect(await inside({ catalog, ...lake }, ({ storage }) => storage.list().then(({ size }) => size))).toBe(0);
  });

  it("is forgotten once no token of the statement is good any more", async () => {
    const lake = await newTable();
    for (let i = 0; i < 5; i++) await lake.catalog.endStatement(newSending(), Date.now());
    await lake.catalog.endStatement(newSending(), Date.now() + LAKE_CATALOG_LIMITS.statementEndKeptMs + MINUTE);
    expect(await rowsOf(lake, "SELECT count(*) n FROM fjord_leases WHERE name LIKE 'statement/%'")).toEqual([{ n: 1 }]);
  });
});

describe("a statement that begins its commit anew", () => {
  it("has the lease that it had, and what it holds", async () => {
    const { open, catalog } = await newTable();
    const sent = newSending();
    const [first, second] = [valueOf(await open(sent)), valueOf(await open(sent))];
    expect(second).toEqual(first);
    expect(await catalog.isAlive(first.lease, first.fence)).toBe(true);
  });
});

describe("a statement whose lease ran out", () => {
  it("keeps no snapshot from its end, for its token is over", async () => {
    const { open, catalog, ...lake } = await newTable();
    await open(newSending());
    const writer = await newWriter({ catalog, ...lake }, "other");
    for (let i = 0; i < 40; i++) valueOf(await writer.commit([{ kind: "create_schema", schema: `s${i}` }]));
    const later = Date.now() + 60 * 86_400_000;
    await catalog.releaseLease("other", writer.token.fence);
    await catalog.releaseLease("test", 1);
    await inside({ catalog, ...lake }, ({ storage }) => {
      storage.sql.exec("UPDATE fjord_leases SET expires_at_ms = ? WHERE name LIKE 'statement/%'", later - 1);
    });
    expect((await catalog.expireDue(later)).snapshots).toBeGreaterThan(10);
  });
});
