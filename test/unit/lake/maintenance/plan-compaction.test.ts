import { describe, expect, it } from "vitest";
import { COMMIT_FILES_MAX } from "../../../../kernel/lake/commit.ts";
import type { CompactionGroup } from "../../../../kernel/lake/maintenance.ts";
import { newId } from "../../../../src/core/ids.ts";
import { statementKey } from "../../../../src/lake/commit/statements.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import {
  append,
  compact,
  createTable,
  deleteRows,
  inside,
  newLake,
  newWriter,
  rowsOf,
  type TestLake,
} from "../../../support/unit/lake.ts";

type Writer = Awaited<ReturnType<typeof newWriter>>;
type Step = "merge" | "rewrite";

/** A lake with tables of as many files of 10 rows, the table's id first; `engine` holds the lease `maintenance`. */
async function newTables(tables: Record<string, number>) {
  const lake = newLake();
  const [writer, engine] = [await newWriter(lake), await newWriter(lake, "maintenance")];
  for (const [name, files] of Object.entries(tables)) {
    const added = Array.from({ length: files }, () => writer.file("main", name, 10));
    valueOf(await writer.commit([createTable("main", name), append("main", name, ...added)]));
  }
  const plan = async (step: Step, after?: string) =>
    valueOf(await lake.catalog.planCompaction(engine.token, after === undefined ? { step } : { step, after }));
  return { ...lake, writer, engine, plan };
}

/** Commits a group as the engine would: the rows that are left, in one file. */
const write = (engine: Writer, { schema, name, files }: CompactionGroup, baseSnapshotId: number) => {
  const rows = files.reduce((sum, file) => sum + file.rows - (file.deletes?.rows ?? 0), 0);
  const data = files.map(({ id }) => id);
  const deletes = files.flatMap((file) => (file.deletes ? [file.deletes.id] : []));
  const added = rows === 0 ? [] : [engine.file(schema, name, rows)];
  return engine.commit([compact(schema, name, { data, deletes }, ...added)], { baseSnapshotId });
};

const idsOf = (groups: CompactionGroup[]) => groups.map(({ name, files }) => [name, ...files.map(({ id }) => id)]);

describe("a plan of compactions", () => {
  it("names what there is to merge, with what a writer must know", async () => {
    const { writer, plan, ...lake } = await newTables({ t: 3, one: 1, none: 0 });
    const deletes = writer.deletes("main", "t", 4);
    valueOf(await writer.commit([deleteRows("main", "t", { dataFileId: 1, file: deletes })], { baseSnapshotId: 3 }));
    await lake.catalog.setOption("target_file_size", "1MiB", { schema: "main", table: "t" });
    await lake.catalog.setOption("parquet_row_group_size", "1000");
    await lake.catalog.setOption("parquet_compression", "lz4_raw", { schema: "main" });
    const paths = (await rowsOf(lake, "SELECT 'main/t/' || path AS path FROM ducklake_data_file ORDER BY 1")).map(
      ({ path }) => path,
    );
    expect(await plan("merge")).toEqual({
      snapshotId: 4,
      leftAlone: [],
      next: null,
      groups: [
        {
          ...{ tableId: 1, schema: "main", name: "t", targetBytes: 1_048_576, rowGroupRows: 1_000 },
          compression: "lz4_raw",
          files: [
            { id: 0, path: expect.toBeOneOf(paths), bytes: 1_010, rows: 10, rowIdStart: 0, deletes: null },
            {
              ...{ id: 1, path: expect.toBeOneOf(paths), bytes: 1_010, rows: 10, rowIdStart: 10 },
              deletes: { id: 4, path: deletes.path, bytes: 504, rows: 4 },
            },
            { id: 2, path: expect.toBeOneOf(paths), bytes: 1_010, rows: 10, rowIdStart: 20, deletes: null },
          ],
        },
      ],
    });
  });

  it("that is done leaves nothing, and reads the same rows at every snapshot", async () => {
    const { engine, plan, ...lake } = await newTables({ t: 5, u: 3 });
    const before = await Promise.all([1, 2].map((id) => lake.catalog.plan(id, [1, 2], "everything").then(valueOf)));
    const { groups, snapshotId } = await plan("merge");
    expect(idsOf(groups)).toEqual([
      ["t", 0, 1, 2, 3, 4],
      ["u", 5, 6, 7],
    ]);
    for (const group of groups) valueOf(await write(engine, group, snapshotId));
    expect(await plan("merge")).toMatchObject({ groups: [], next: null });
    expect(await Promise.all([1, 2].map((id) => lake.catalog.plan(id, [1, 2], "everything").then(valueOf)))).toEqual(
      before,
    );
    expect(
      await rowsOf(lake, "SELECT row_id_start AS start FROM ducklake_data_file WHERE end_snapshot IS NULL"),
    ).toEqual([{ start: 0 }, { start: 0 }]);
  });

  it("rewrites files past the threshold of their table, the dead ones into none", async () => {
    const { writer, engine, plan, ...lake } = await newTables({ t: 3 });
    await lake.catalog.setOption("target_file_size", "10");
    const remove = (dataFileId: number, rows: number) => ({ dataFileId, file: writer.deletes("main", "t", rows) });
    valueOf(await writer.commit([deleteRows("main", "t", remove(0, 10), remove(2, 6))], { baseSnapshotId: 1 }));
    expect(idsOf((await plan("rewrite")).groups)).toEqual([["t", 0]]);
    await lake.catalog.setOption("rewrite_delete_threshold", "0.5", { schema: "main", table: "t" });
    const { groups, snapshotId } = await plan("rewrite");
    expect(idsOf(groups)).toEqual([
      ["t", 0],
      ["t", 2],
    ]);
    for (const group of groups) valueOf(await write(engine, group, snapshotId));
    expect(await lake.catalog.listTables("main")).toEqual([{ schema: "main", name: "t", rows: 14 }]);
    // Where rows were deleted, ids are in the file.
    expect(
      await rowsOf(
        lake,
        "SELECT record_count AS rows, row_id_start AS start FROM ducklake_data_file WHERE end_snapshot IS NULL ORDER BY file_order",
      ),
    ).toEqual([
      { rows: 10, start: 10 },
      { rows: 4, start: null },
    ]);
  });

  it("asks for no more new files than a commit takes, however small they are to be", async () => {
    const lake = newLake();
    const engine = await newWriter(lake, "maintenance");
    const file = engine.file("main", "t", 1_000, { bytes: 1_000_000_000 });
    valueOf(await engine.commit([createTable("main", "t"), append("main", "t", file)]));
    const deletes = engine.deletes("main", "t", 990);
    valueOf(await engine.commit([deleteRows("main", "t", { dataFileId: 0, file: deletes })], { baseSnapshotId: 1 }));
    await lake.catalog.setOption("target_file_size", "1");
    const [group] = valueOf(await lake.catalog.planCompaction(engine.token, { step: "rewrite" })).groups;
    expect(10_000_000 / group!.targetBytes).toBeLessThanOrEqual(COMMIT_FILES_MAX);
  });

  it("leaves alone what a writer is at work on or an option spares, and says why", async () => {
    const { plan, ...lake } = await newTables({ s: 2, t: 2, u: 2, v: 2, w: 1 });
    for (const name of ["s", "w"])
      await lake.catalog.claimTables({ owner: "sync:1", name: "orders" }, [{ schema: "main", name }]);
    await newWriter(lake, "sync/1");
    await lake.catalog.openStatement({
      key: statementKey(newId()),
      jobId: newId(),
      table: { schema: "main", name: "t" },
      ttlMs: 60_000,
    });
    await lake.catalog.setOption("auto_compact", "false", { schema: "main", table: "u" });
    const { groups, leftAlone } = await plan("merge");
    expect(idsOf(groups).map(([name]) => name)).toEqual(["v"]);
    expect(leftAlone).toEqual([
      { schema: "main", name: "s", reason: "The sync orders is at work on it." },
      { schema: "main", name: "t", reason: "A statement is writing to it." },
      { schema: "main", name: "u", reason: "The option auto_compact is false." },
    ]);
  });

  it("goes table by table, some thousand files at a time, and comes to each group once", async () => {
    const { plan, ...lake } = await newTables({ t: 1, u: 1, v: 1 });
    await fill(lake, { 1: 4_000, 2: 7_000, 3: 2 });
    const answers = [];
    for (let after: string | undefined; answers.length < 10; ) {
      const answer = await plan("merge", after);
      answers.push(answer);
      if (answer.next === null) break;
      after = answer.next;
    }
    const taken = answers.map(({ groups }) => groups.flatMap(({ files }) => files.map(({ id }) => id)));
    expect(taken.map((ids) => ids.length)).toEqual([4_001, 5_000, 2_004]);
    expect(new Set(taken.flat()).size).toBe(11_005);
    expect(answers.map(({ leftAlone }) => leftAlone)).toEqual([[], [], []]);
  });

  it("is not made for a job that was taken over, nor from a place that is none", async () => {
    const { engine, ...lake } = await newTables({ t: 2 });
    for (const after of ["x", "1:2:3", "1:", "-1:0", "9".repeat(16) + ":0"])
      expect(await lake.catalog.planCompaction(engine.token, { step: "merge", after })).toMatchObject({
        ok: false,
        refusal: { code: "validation_failed" },
      });
    await lake.catalog.releaseLease("maintenance", engine.token.fence);
    expect(await lake.catalog.planCompaction(engine.token, { step: "merge" })).toMatchObject({
      ok: false,
      refusal: { code: "resource_conflict" },
    });
  });
});

/** So many more files of 10 rows and 1,000 bytes in each table, behind those there are. */
const fill = (lake: TestLake, tables: Record<number, number>) =>
  inside(lake, ({ storage }) => {
    for (const [table, files] of Object.entries(tables))
      storage.sql.exec(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${files})
         INSERT INTO ducklake_data_file SELECT ${table} * 100000 + i, ${table}, 1, NULL, ${table} * 100000 + i, '${table}-' || i, 1, 'parquet', 10, 1000, 100,
           i * 10, NULL, NULL, NULL, NULL FROM n`,
      );
  });
