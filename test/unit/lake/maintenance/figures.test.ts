// A lake's figures and dry run, held against what then is done.

import { describe, expect, it } from "vitest";
import { LAKE_CATALOG_LIMITS } from "../../../../src/lake/format/limits.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import { append, compact, createTable, deleteRows, newLake, newWriter, overwrite } from "../../../support/unit/lake.ts";

const DAY = 86_400_000;
const START = Date.UTC(2100, 0, 1);

/**
 * Target 4,000 bytes. `main.t`: data files 0 to 3 of 1,010 bytes, all rows of 1 deleted by 4 and 4 rows of 3 by 5;
 * `main.u`: a file of 3,000 bytes that took the place of one of 1,007; `main.v`: as `t`, but a sync is at work on it.
 */
async function newFigures() {
  const lake = newLake();
  const writer = await newWriter(lake);
  const at = (day: number) => START + day * DAY;
  const files = () => Array.from({ length: 4 }, () => writer.file("main", "t", 10));
  await lake.catalog.setOption("target_file_size", "4000");
  valueOf(await writer.commit([createTable("main", "t"), append("main", "t", ...files())], {}, at(1)));
  valueOf(
    await writer.commit(
      [
        deleteRows(
          "main",
          "t",
          { dataFileId: 1, file: writer.deletes("main", "t", 10) },
          { dataFileId: 3, file: writer.deletes("main", "t", 4) },
        ),
      ],
      { baseSnapshotId: 1 },
      at(2),
    ),
  );
  valueOf(await writer.commit([createTable("main", "u"), append("main", "u", writer.file("main", "u", 7))], {}, at(3)));
  const large = writer.file("main", "u", 7, { bytes: 3_000 });
  valueOf(await writer.commit([overwrite("main", "u", large)], {}, at(4)));
  valueOf(
    await writer.commit(
      [createTable("main", "v"), append("main", "v", writer.file("main", "v", 1), writer.file("main", "v", 1))],
      {},
      at(5),
    ),
  );
  await lake.catalog.claimTables({ owner: "sync:1", name: "orders" }, [{ schema: "main", name: "v" }]);
  const sync = await newWriter(lake, "sync/1");
  await lake.catalog.renewLease("sync/1", sync.token.fence, at(1_000) - Date.now());
  return { ...lake, writer, at };
}

describe("the figures of a lake", () => {
  it("are those of its live files, its snapshots and its schedule", async () => {
    const lake = await newFigures();
    const figures = await lake.catalog.measure(2, lake.at(6));
    const t = {
      ...{ files: 4, bytes: 4_040, smallFiles: 4, smallBytes: 4_040, deleteFiles: 2, deleteBytes: 1_014 },
      ...{ rows: 40, deletedRows: 14 },
    };
    expect(figures).toEqual({
      snapshotId: 5,
      tables: 3,
      total: {
        ...{ files: 7, bytes: 9_042, smallFiles: 6, smallBytes: 6_042, deleteFiles: 2, deleteBytes: 1_014 },
        ...{ rows: 49, deletedRows: 14 },
      },
      worst: [
        { schema: "main", name: "t", tableId: 1, targetBytes: 4_000, ...t },
        expect.objectContaining({ name: "v", files: 2, deleteFiles: 0, deletedRows: 0 }),
      ],
      snapshots: {
        count: 6,
        oldestId: 0,
        oldestAt: expect.stringMatching(/^20\d\d-/),
        newestAt: new Date(lake.at(5)).toISOString(),
      },
      bytes: { current: 9_042 + 1_014, keptForSnapshots: 1_007 },
      scheduled: { files: 0, bytes: 0, dueFiles: 0, dueBytes: 0, oldestAt: null },
    });
  });

  it("follow a file through its expiry, its grace and its end", async () => {
    const lake = await newFigures();
    await lake.catalog.setOption("retain_last", "1");
    await lake.catalog.expireDue(lake.at(100));
    const scheduledAt = new Date(lake.at(100)).toISOString();
    const measure = async (nowMs: number) => {
      const { bytes, scheduled } = await lake.catalog.measure(0, nowMs);
      return [bytes.keptForSnapshots, scheduled];
    };
    const waiting = { files: 1, bytes: 1_007, dueFiles: 0, dueBytes: 0, oldestAt: scheduledAt };
    expect(await measure(lake.at(100) + LAKE_CATALOG_LIMITS.graceMs)).toEqual([0, waiting]);
    const due = { ...waiting, dueFiles: 1, dueBytes: 1_007 };
    expect(await measure(lake.at(100) + LAKE_CATALOG_LIMITS.graceMs + 1)).toEqual([0, due]);
    const [file] = await lake.catalog.listDueFiles(lake.at(101), 10);
    await lake.catalog.confirmDeleted([file!.id]);
    expect(await measure(lake.at(200))).toEqual([0, { files: 0, bytes: 0, dueFiles: 0, dueBytes: 0, oldestAt: null }]);
  });

  it("are none of an empty lake", async () => {
    const { catalog } = newLake();
    expect(await catalog.measure(10)).toMatchObject({
      tables: 0,
      total: { files: 0, rows: 0 },
      worst: [],
      bytes: { current: 0, keptForSnapshots: 0 },
      snapshots: { count: 1 },
    });
    const nothing = { tables: 0, total: { files: 0 }, worst: [], leftAlone: [] };
    expect(await catalog.dryRunMaintenance("full", 10)).toMatchObject({
      merge: nothing,
      rewrite: nothing,
      expire: { snapshots: 0, files: 0, bytes: 0 },
      delete: { files: 0, bytes: 0 },
    });
  });
});

describe("a dry run", () => {
  it("tells what each step would do, changes nothing, and is what is then done", async () => {
    const lake = await newFigures();
    await lake.catalog.setOption("retain_last", "1");
    const engine = await newWriter(lake, "maintenance");
    const before = await lake.catalog.measure(10, lake.at(100));
    const dry = await lake.catalog.dryRunMaintenance("full", 10, lake.at(100));
    const total = {
      ...{ groups: 1, files: 4, bytes: 4_040, rows: 40, deletedRows: 14, filesAfter: 1, bytesAfter: 2_626 },
    };
    const leftAlone = [{ schema: "main", name: "v", reason: "The sync orders is at work on it." }];
    expect(dry).toEqual({
      merge: { tables: 1, total, worst: [{ schema: "main", name: "t", ...total }], leftAlone },
      // What is merged has no deleted rows left.
      rewrite: { tables: 0, total: expect.objectContaining({ files: 0 }), worst: [], leftAlone: [] },
      expire: { snapshots: 5, files: 1, bytes: 1_007 },
      delete: { files: 0, bytes: 0 },
    });
    expect(await lake.catalog.measure(10, lake.at(100))).toEqual(before);

    const plan = valueOf(await lake.catalog.planCompaction(engine.token, { step: "merge" }));
    expect(plan.groups.flatMap(({ files }) => files)).toHaveLength(dry.merge.total.files);
    const { snapshots, files, bytes } = await lake.catalog.expireDue(lake.at(100));
    // The plan's own snapshot is the newest.
    expect({ snapshots, files, bytes }).toEqual(dry.expire);
  });

  it("of a daily round has the steps of a daily round, and what is due by now", async () => {
    const lake = await newFigures();
    await lake.catalog.setOption("retain_last", "1");
    await lake.catalog.expireDue(lake.at(100));
    expect(await lake.catalog.dryRunMaintenance("daily", 10, lake.at(103))).toMatchObject({
      merge: { tables: 1 },
      rewrite: null,
      expire: null,
      delete: { files: 1, bytes: 1_007 },
    });
  });

  it("counts what only a rewriting would take", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    valueOf(
      await writer.commit([
        createTable("main", "t"),
        append("main", "t", writer.file("main", "t", 100, { bytes: 9_000_000_000 })),
      ]),
    );
    const deletes = writer.deletes("main", "t", 95);
    valueOf(await writer.commit([deleteRows("main", "t", { dataFileId: 0, file: deletes })], { baseSnapshotId: 1 }));
    const { merge, rewrite } = await lake.catalog.dryRunMaintenance("full", 10);
    expect([merge.total.files, rewrite!.total]).toEqual([
      0,
      {
        ...{ groups: 1, files: 1, bytes: 9_000_000_000, rows: 100, deletedRows: 95 },
        ...{ filesAfter: 1, bytesAfter: 450_000_000 },
      },
    ]);
    valueOf(
      await writer.commit([compact("main", "t", { data: [0], deletes: [1] }, writer.file("main", "t", 5))], {
        baseSnapshotId: 2,
      }),
    );
    expect((await lake.catalog.dryRunMaintenance("full", 10)).rewrite!.total.files).toBe(0);
  });
});
