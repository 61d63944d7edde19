// Maintenance and a sync of the same table, over one catalog: the sync goes first, and merges into files that carry
// their rows' ids as into any other.

import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ProfileRequest } from "../../../kernel/wire/engine.ts";
import { profileColumn } from "../../../containers/engine/lake/profile.ts";
import { claimTables } from "../../../src/lake/writers/owners.ts";
import { WriteLake } from "../../support/node/lake/write-lake.ts";
import { MaintenancePlatform } from "../../support/node/maintenance/maintenance-platform.ts";
import { carriesRowIds, readRowIds } from "../../support/node/maintenance/row-ids.ts";
import { connectPostgres, ownPostgres, postgresSource } from "../../support/node/sources/sources.ts";
import { SyncPlatform } from "../../support/node/sync/sync-platform.ts";

const SCHEMA = `maintained_${process.pid}`;
const TABLE = "main.t";
const MERGED = "rows written since the last run";

let client: pg.Client;
let lake: WriteLake;
let maintenance: MaintenancePlatform;
let syncs: SyncPlatform;
beforeAll(async () => {
  client = await connectPostgres(ownPostgres());
  await client.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE; CREATE SCHEMA ${SCHEMA}; SET search_path = ${SCHEMA}`);
  lake = await WriteLake.open();
  maintenance = await MaintenancePlatform.start(lake.platform);
  syncs = await SyncPlatform.start(lake.platform);
  const storage = lake.platform.storage as unknown as DurableObjectStorage;
  claimTables(storage, { owner: "sync:sync-1", name: "shop" }, [{ schema: "main", name: "t" }]);
});
afterAll(async () => {
  await client.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`);
  await client.end();
  await syncs.stop();
  await maintenance.stop();
  await lake.close();
});

/** Runs the sync after these statements of the source's. Answers how it found what they changed. */
async function sync(...statements: string[]): Promise<string | undefined> {
  for (const sql of statements) await client.query(sql);
  const { outcome, error, progress } = await syncs.sync(postgresSource(ownPostgres()), { tables: [`${SCHEMA}.t`] });
  expect([outcome, error]).toEqual(["succeeded", null]);
  const theirs = await client.query("SELECT id, word, price::text FROM t ORDER BY id");
  expect(await lake.rows("SELECT id, word, price::VARCHAR AS price FROM t ORDER BY id")).toEqual(theirs.rows);
  return progress.tables[0]?.method;
}

/** What became of the table in a full maintenance, as the catalog plans it. */
async function maintain(runId: string) {
  const outcome = await maintenance.run("full", runId);
  expect(outcome, JSON.stringify(outcome)).toMatchObject({ outcome: "succeeded" });
  return outcome.progress.tables.filter(({ name }) => name === "t");
}

const filesOf = () => maintenance.pathsOf(TABLE);
const idsOf = async () => new Map((await readRowIds(lake.platform, maintenance, TABLE)).map(([id, key]) => [key, id]));

/** Without its quantiles, which are estimates that the order of the rows has a part in. */
async function profile(column: string, type: string) {
  const grant = lake.platform.grant();
  const of = { schema: "main", table: "t", column, type };
  const request: ProfileRequest = { id: crypto.randomUUID(), lake: grant, deadlineMs: 60_000, ...of };
  const { quantiles: _, ...figures } = await profileColumn(request, lake.lake, new AbortController().signal);
  return figures;
}

const ROWS = 3_000;

it("leave a table alone while its sync is at work, and once it has ended write it anew", async () => {
  await sync(
    `CREATE TABLE t (id int PRIMARY KEY, word text, price numeric(12,2));
     INSERT INTO t SELECT i, 'w' || i % 10, i / 4.0 FROM generate_series(1, ${ROWS}) AS i`,
  );
  for (let round = 0; round < 3; round++) {
    const from = ROWS * (round + 1);
    const method = await sync(
      `INSERT INTO t SELECT i, 'r', NULL FROM generate_series(${from + 1}, ${from + ROWS}) AS i`,
      `DELETE FROM t WHERE id % 11 = ${round}`,
      `UPDATE t SET word = 'changed' WHERE id % 13 = ${round}`,
    );
    expect(method).toBe(MERGED);
  }
  const [files, snapshot] = [filesOf(), lake.platform.snapshotId];
  expect(files.length).toBeGreaterThan(3);
  const leftAlone = { state: "left_alone", note: "The sync shop is at work on it." };
  expect((await maintain("at-work"))[0]).toMatchObject(leftAlone);
  expect([filesOf(), lake.platform.snapshotId]).toEqual([files, snapshot]);

  // It begins when its table is being written anew already: the commit is refused, and the sync's own is not.
  syncs.releaseLease();
  maintenance.onRequest = (verb) => void (verb === "commit" && syncs.takeLease());
  expect((await maintain("begun-meanwhile"))[0]).toMatchObject({ state: "left_alone" });
  maintenance.onRequest = () => undefined;
  expect([filesOf(), lake.platform.snapshotId]).toEqual([files, snapshot]);
  expect(await sync("UPDATE t SET word = 'beside' WHERE id = 5")).toBe(MERGED);

  syncs.releaseLease();
  const ids = await idsOf();
  expect((await maintain("free"))[0]).toMatchObject({ state: "done", note: null });
  expect(filesOf().length).toBeLessThan(files.length);
  expect(await carriesRowIds(lake.platform, maintenance, TABLE)).toContain(true);
  expect(await idsOf()).toEqual(ids);
});

it("leave files into which the next syncs merge, and whose columns are profiled as before", async () => {
  const columns = { id: "int32", word: "varchar", price: "decimal(12,2)" };
  const profiles = () => Promise.all(Object.entries(columns).map(([column, type]) => profile(column, type)));
  for (let round = 0; round < 3; round++) {
    const before = await idsOf();
    const method = await sync(
      `DELETE FROM t WHERE id % 17 = ${round}`,
      `UPDATE t SET price = coalesce(price, 0) + 1 WHERE id % 19 = ${round}`,
      `INSERT INTO t SELECT i, 'late', 1 FROM generate_series(${20_000 + round * 100}, ${20_050 + round * 100}) AS i`,
    );
    expect(method).toBe(MERGED);
    const after = await idsOf();
    expect(new Set(after.values()).size).toBe(after.size);
    const kept = [...before].filter(([key]) => Number(key) % 17 !== round && Number(key) % 19 !== round);
    expect(kept.map(([key]) => after.get(key))).toEqual(kept.map(([, id]) => id));

    const profiled = await profiles();
    expect(profiled.map(({ rows }) => rows)).toEqual(Object.keys(columns).map(() => after.size));
    expect(profiled.flatMap(({ lacking }) => lacking)).toEqual([]);
    syncs.releaseLease();
    await maintain(`again-${round}`);
    expect(await idsOf()).toEqual(after);
    expect(await profiles()).toEqual(profiled);
  }
  expect(await carriesRowIds(lake.platform, maintenance, TABLE)).toContain(true);
});
