// What a maintenance makes of files: the same rows under the same ids, whatever the files were.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WriteLake } from "../../support/node/lake/write-lake.ts";
import { MaintenancePlatform } from "../../support/node/maintenance/maintenance-platform.ts";
import { carriesRowIds, readRowIds } from "../../support/node/maintenance/row-ids.ts";

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

async function write(...statements: string[]): Promise<void> {
  for (const sql of statements) await lake.ask(sql);
}

const idsOf = (table: string) => readRowIds(lake.platform, maintenance, `main.${table}`);
const carried = (table: string) => carriesRowIds(lake.platform, maintenance, `main.${table}`);

/** Writes all files of a table anew as one, once; the rows and their ids stay as they are, now and in the past. */
async function merge(table: string): Promise<void> {
  const { snapshotId } = lake.platform;
  const read = (at = "") => lake.rows(`SELECT * FROM ${table}${at} ORDER BY ALL`);
  const [rows, ids] = [await read(), await idsOf(table)];
  let isPlanned = false;
  maintenance.plan = ({ step }) => {
    if (isPlanned || step !== "merge") return { groups: [] };
    isPlanned = true;
    return { groups: [maintenance.groupOf(`main.${table}`)] };
  };
  const outcome = await maintenance.run("daily", `run-${table}-${snapshotId}`);
  expect(outcome, JSON.stringify(outcome)).toMatchObject({ outcome: "succeeded" });
  expect(lake.platform.snapshotId).toBe(snapshotId + 1);
  expect(maintenance.pathsOf(`main.${table}`)).toHaveLength(1);
  expect(await read()).toEqual(rows);
  expect(await read(` AT (VERSION => ${snapshotId})`)).toEqual(rows);
  expect(await idsOf(table)).toEqual(ids);
}

describe("row ids", () => {
  it("follow from the file's first where they run on, and are carried where they do not", async () => {
    await write(
      "CREATE TABLE t AS SELECT range::INTEGER AS id, 'w' || range AS word FROM range(50)",
      "INSERT INTO t SELECT range::INTEGER AS id, 'w' || range AS word FROM range(50, 100)",
    );
    await merge("t");
    expect(await carried("t")).toEqual([false]);
    await write("DELETE FROM t WHERE id % 5 = 0", "INSERT INTO t VALUES (100, 'new')");
    await merge("t");
    expect(await carried("t")).toEqual([true]);
    // A file that carries them beside one that does not, and deletes in both.
    await write("INSERT INTO t SELECT range, 'x' FROM range(101, 120)", "DELETE FROM t WHERE id % 7 = 0");
    await merge("t");
    expect(await carried("t")).toEqual([true]);
    expect((await idsOf("t")).map(([id]) => id)).toEqual((await idsOf("t")).map(([, key]) => Number(key)));
  });
});
