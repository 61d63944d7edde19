// Whether a catalog holds what a plain model of its lake says: every row at every snapshot, and each file in one place.

import { expect } from "vitest";
import { valueOf } from "../../../../src/core/answer.ts";
import type { LakeModel, ModelTable } from "../../../support/unit/lake-model.ts";
import { rowsOf, type TestLake } from "../../../support/unit/lake.ts";

/**
 * `cleaned` are the paths of files whose deletion was confirmed.
 */
export async function audit({
  lake,
  model,
  cleaned,
}: {
  lake: TestLake;
  model: LakeModel;
  cleaned: Set<string>;
}): Promise<void> {
  const snapshots = await rowsOf(
    lake,
    "SELECT snapshot_id AS id, snapshot_time AS time, next_file_id AS files FROM ducklake_snapshot ORDER BY id",
  );
  expect(snapshots.map(({ id }) => id)).toEqual([...model.snapshots.keys()].sort((left, right) => left - right));
  const times = snapshots.map(({ time }) => String(time));
  expect(times).toEqual([...new Set(times)].sort());
  for (const [id, { tables }] of model.snapshots) await auditSnapshot(lake, id, tables);
  await auditComments(lake, model);

  const gross = (table: ModelTable) => table.files.reduce((sum, { rows }) => sum + rows, 0);
  const net = (table: ModelTable) =>
    table.files.reduce((sum, { rows, deletes }) => sum + rows - (deletes?.rows ?? 0), 0);
  const current = [...model.current].sort(([left], [right]) => (left < right ? -1 : 1));
  expect(await lake.catalog.listTables("main")).toEqual(
    current.map(([name, table]) => ({ schema: "main", name, rows: net(table) })),
  );
  const stats = await rowsOf(
    lake,
    "SELECT t.table_name AS name, coalesce(record_count, 0) AS rows, coalesce(next_row_id, 0) AS next, coalesce(file_size_bytes, 0) AS bytes FROM ducklake_table t LEFT JOIN ducklake_table_stats USING (table_id) WHERE t.end_snapshot IS NULL ORDER BY name",
  );
  expect(stats).toEqual(
    current.map(([name, table]) => ({
      name,
      rows: gross(table),
      next: table.rowsEver,
      bytes: table.files.reduce((sum, { rows }) => sum + 1_000 + rows, 0),
    })),
  );

  const known = await rowsOf(
    lake,
    "SELECT path FROM ducklake_data_file UNION ALL SELECT path FROM ducklake_delete_file",
  );
  const scheduled = await rowsOf(lake, "SELECT path FROM ducklake_files_scheduled_for_deletion");
  const base = (path: unknown) => String(path).slice(String(path).lastIndexOf("/") + 1);
  const everywhere = [
    ...known.map(({ path }) => base(path)),
    ...scheduled.map(({ path }) => base(path)),
    ...[...cleaned].map(base),
  ];
  // Every file ever committed is in exactly one place: in use, scheduled, or deleted.
  expect(everywhere.sort()).toEqual([...model.everUsed].map(base).sort());
  expect(known.map(({ path }) => base(path)).sort()).toEqual([...model.readable()].map(base).sort());
  expect(
    await rowsOf(
      lake,
      "SELECT data_file_id FROM ducklake_delete_file WHERE end_snapshot IS NULL GROUP BY data_file_id HAVING count(*) > 1",
    ),
  ).toEqual([]);
  expect(
    await rowsOf(lake, "SELECT begin_snapshot FROM ducklake_data_file WHERE end_snapshot <= begin_snapshot"),
  ).toEqual([]);
  // Bounds take in the bounds of every file there is.
  const loose = `SELECT * FROM ducklake_table_column_stats t JOIN ducklake_file_column_stats f USING (table_id, column_id) JOIN ducklake_data_file d USING (data_file_id)
    WHERE d.end_snapshot IS NULL AND (CAST(t.min_value AS INTEGER) > CAST(f.min_value AS INTEGER) OR CAST(t.max_value AS INTEGER) < CAST(f.max_value AS INTEGER))`;
  expect(await rowsOf(lake, loose)).toEqual([]);
}

/** Comments are what they should be at every snapshot, and none is kept that no snapshot shows. */
async function auditComments(lake: TestLake, model: LakeModel): Promise<void> {
  const ids = await rowsOf(
    lake,
    "SELECT table_id AS id, table_name AS name, begin_snapshot AS first, end_snapshot AS end FROM ducklake_table",
  );
  const tags = await rowsOf(
    lake,
    "SELECT object_id AS id, NULL AS columnId, begin_snapshot AS first, end_snapshot AS end, value FROM ducklake_tag UNION ALL SELECT table_id, column_id, begin_snapshot, end_snapshot, value FROM ducklake_column_tag",
  );
  const isAt =
    (snapshot: number) =>
    ({ first, end }: Record<string, SqlStorageValue>) =>
      Number(first) <= snapshot && (end === null || Number(end) > snapshot);
  for (const [snapshot, { tables }] of model.snapshots) {
    const names = new Map(ids.filter(isAt(snapshot)).map(({ id, name }) => [id, name]));
    const reported = tags
      .filter(isAt(snapshot))
      .map(({ id, columnId, value }) => JSON.stringify([names.get(id!), columnId, value]));
    expect([snapshot, reported.sort()]).toEqual([
      snapshot,
      [...tables]
        .flatMap(([name, { comments }]) => [...comments].map(([id, comment]) => JSON.stringify([name, id, comment])))
        .sort(),
    ]);
  }
  expect(tags.filter((tag) => ![...model.snapshots.keys()].some((snapshot) => isAt(snapshot)(tag)))).toEqual([]);
}

async function auditSnapshot(lake: TestLake, id: number, tables: Map<string, ModelTable>): Promise<void> {
  const described = valueOf(await lake.catalog.describe(id, "everything")).tables;
  expect(described.map(({ name, columns }) => [name, columns.map((each) => each.name)])).toEqual(
    [...tables]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, { columns }]) => [name, [...columns.values()]]),
  );
  for (const { tableId, name } of described) {
    const seen = valueOf(await lake.catalog.plan(id, [tableId], "everything"))[0]!.files.map(
      ({ path, rows, deletes }) => ({ path, rows, deletes: deletes && { path: deletes.path, rows: deletes.rows } }),
    );
    expect(new Set(seen.map(({ path }) => path)).size).toBe(seen.length);
    expect(seen).toEqual(tables.get(name)!.files);
  }
}
