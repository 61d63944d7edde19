// What DuckDB's own extension finds in the exported lake before and after a maintenance: the same rows under the same
// `rowid`s.

import { afterAll, beforeAll, expect, it } from "vitest";
import { exportCatalog } from "../../../containers/engine/export/export-catalog.ts";
import { readWithDucklake } from "../../support/node/lake/ducklake.ts";
import { WriteLake } from "../../support/node/lake/write-lake.ts";
import { MaintenancePlatform } from "../../support/node/maintenance/maintenance-platform.ts";

let lake: WriteLake;
let maintenance: MaintenancePlatform;
beforeAll(async () => {
  lake = await WriteLake.open();
  maintenance = await MaintenancePlatform.start(lake.platform);
});
afterAll(async () => {
  await maintenance.stop();
  await lake.close();
});

const TABLES = ["kept_order", "with_gaps", "evolved"];

const groups = () => TABLES.map((table) => maintenance.groupOf(`main.${table}`));

/** All rows with their ids, table by table, as of a snapshot. */
async function readTheirs(snapshotId = lake.platform.snapshotId): Promise<unknown[][][]> {
  const dataPath = `${lake.platform.bucket}/`;
  const queries = TABLES.map(
    (table) =>
      `SELECT rowid, CAST(to_json(t) AS VARCHAR) FROM (SELECT rowid, * FROM "LAKE".main.${table}) AS t ORDER BY rowid`,
  );
  let rows: unknown[][][] = [];
  await exportCatalog(
    { id: "export", lake: lake.platform.grant(snapshotId), format: "0.3", dataPath, deadlineMs: 60_000 },
    lake.platform.url,
    new AbortController().signal,
    async (file) => void (rows = await readWithDucklake(file, dataPath, queries)),
  );
  return rows;
}

it("are the same, now and at the snapshot before, and again once the files are written anew a second time", async () => {
  for (const sql of [
    "CREATE TABLE kept_order AS SELECT range::INTEGER AS id FROM range(40)",
    "INSERT INTO kept_order SELECT range FROM range(40, 90)",
    "CREATE TABLE with_gaps AS SELECT range::INTEGER AS id, 'w' || range AS word FROM range(100)",
    "INSERT INTO with_gaps SELECT range, 'x' FROM range(100, 140)",
    "DELETE FROM with_gaps WHERE id % 3 = 0",
    "UPDATE with_gaps SET word = 'changed' WHERE id % 7 = 1",
    "CREATE TABLE evolved AS SELECT range::INTEGER AS id, range::SMALLINT AS small FROM range(30)",
    "ALTER TABLE evolved ADD COLUMN late VARCHAR",
    "ALTER TABLE evolved ALTER small TYPE BIGINT",
    "INSERT INTO evolved SELECT range, 5_000_000_000, 'late' FROM range(30, 60)",
    "DELETE FROM evolved WHERE id = 3",
  ])
    await lake.ask(sql);
  const { snapshotId } = lake.platform;
  const before = await readTheirs();
  maintenance.planOnce(groups);
  expect(before.map(({ length }) => length)).toEqual([90, 93, 59]);
  expect(await maintenance.run("full")).toMatchObject({ outcome: "succeeded" });
  expect(TABLES.map((table) => maintenance.pathsOf(`main.${table}`).length)).toEqual([1, 1, 1]);
  expect(await readTheirs()).toEqual(before);
  expect(await readTheirs(snapshotId)).toEqual(before);

  for (const table of TABLES) await lake.ask(`INSERT INTO ${table} (id) VALUES (1_000)`);
  await lake.ask("DELETE FROM with_gaps WHERE id = 2");
  const more = await readTheirs();
  maintenance.planOnce(groups);
  expect(await maintenance.run("full", "run-2")).toMatchObject({ outcome: "succeeded" });
  expect(TABLES.map((table) => maintenance.pathsOf(`main.${table}`).length)).toEqual([1, 1, 1]);
  expect(await readTheirs()).toEqual(more);
}, 300_000);
