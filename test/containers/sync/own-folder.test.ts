// A sync's table lies in a folder that no other table had: as it is made, and as its columns become others.

import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readTable } from "../../../src/lake/state/table-state.ts";
import { WriteLake } from "../../support/node/lake/write-lake.ts";
import { connectPostgres, ownPostgres, postgresSource } from "../../support/node/sources/sources.ts";
import { SyncPlatform } from "../../support/node/sync/sync-platform.ts";

const SCHEMA = `own_folder_${process.pid}`;
const OWN = /^main\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/$/;

let client: pg.Client;
let lake: WriteLake;
let syncs: SyncPlatform;
beforeAll(async () => {
  client = await connectPostgres(ownPostgres());
  await client.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE; CREATE SCHEMA ${SCHEMA}; SET search_path = ${SCHEMA}`);
  lake = await WriteLake.open();
  syncs = await SyncPlatform.start(lake.platform);
});
afterAll(async () => {
  await client.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`);
  await client.end();
  await syncs.stop();
  await lake.close();
});

/** The table's folder after a sync of what these statements of the source's left. */
async function sync(name: string, ...statements: string[]): Promise<string> {
  for (const sql of statements) await client.query(sql);
  const { outcome, error } = await syncs.sync(postgresSource(ownPostgres()), { tables: [`${SCHEMA}.${name}`] });
  expect([outcome, error]).toEqual(["succeeded", null]);
  const theirs = await client.query(`SELECT * FROM ${name} ORDER BY 1`);
  expect(await lake.rows(`SELECT * FROM ${name} ORDER BY 1`)).toEqual(theirs.rows);
  return folderOf(name);
}

const folderOf = (name: string): string => readTable(lake.platform.storage.sql, "main", name)!.path;

it("stays in its folder while rows change, and moves where its columns became others", async () => {
  const made = await sync("t", "CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t VALUES (1, '1'), (2, '2')");
  expect(made).toMatch(OWN);
  expect(await sync("t", "UPDATE t SET v = '20' WHERE id = 2; INSERT INTO t VALUES (3, '3')")).toBe(made);
  const remade = await sync("t", "ALTER TABLE t ALTER COLUMN v TYPE int USING v::int");
  expect(remade).toMatch(OWN);
  expect(remade).not.toBe(made);
  expect(await sync("t", "DELETE FROM t WHERE id = 1")).toBe(remade);
});

it("leaves the folder of a table whose place the sync takes", async () => {
  await lake.ask("CREATE TABLE taken AS SELECT 1 AS id");
  const before = folderOf("taken");
  const taken = await sync("taken", "CREATE TABLE taken (id int PRIMARY KEY); INSERT INTO taken VALUES (7)");
  expect(taken).toMatch(OWN);
  expect(taken).not.toBe(before);
});
