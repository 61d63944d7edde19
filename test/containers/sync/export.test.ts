// A lake that real syncs have made and merged into, read by DuckDB's own ducklake extension: row for row what the
// source has.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readTable } from "../../../src/lake/state/table-state.ts";
import { CatalogPlatform, ROOT } from "../../support/node/lake/catalog-platform.ts";
import { readWithDucklake } from "../../support/node/lake/ducklake.ts";
import { startEngine, type Engine } from "../../support/node/programs/engine.ts";
import { connectPostgres, ownPostgres, postgresSource } from "../../support/node/sources/sources.ts";
import { SyncPlatform } from "../../support/node/sync/sync-platform.ts";

const SCHEMA = `export_${process.pid}`;
const directory = mkdtempSync(join(tmpdir(), "fjord-sync-export-"));
let client: pg.Client;
let catalog: CatalogPlatform;
let platform: SyncPlatform;
let engine: Engine;

beforeAll(async () => {
  client = await connectPostgres(ownPostgres());
  await client.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE; CREATE SCHEMA ${SCHEMA}; SET search_path = ${SCHEMA}`);
  catalog = await CatalogPlatform.start();
  platform = await SyncPlatform.start(catalog);
  engine = await startEngine({ hostsAllowed: "loopback", platformUrl: catalog.url });
});
afterAll(async () => {
  await client.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`);
  await client.end();
  await engine.stop();
  await platform.stop();
  await catalog.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** The rows of the lake as the extension sees them. */
async function readExport(sql: string): Promise<unknown[][]> {
  const asked = {
    id: crypto.randomUUID(),
    lake: catalog.grant(),
    format: "0.3",
    dataPath: "s3://bucket/team/lake/",
    deadlineMs: 60_000,
  };
  const response = await engine.call("POST", "/exports", asked);
  expect(response.status).toBe(200);
  const file = join(directory, `${asked.id}.sqlite`);
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  return (await readWithDucklake(file, `${catalog.bucket}/`, [sql]))[0]!;
}

it("equals the source after merges that delete much and little, twice over in one file", async () => {
  await client.query(
    "CREATE TABLE t (a int, b text, v numeric(12,3), at timestamptz, PRIMARY KEY (a, b)); INSERT INTO t SELECT i, 'k' || i % 3, i / 8.0, TIMESTAMPTZ '2026-01-01Z' + i * INTERVAL '1 s' FROM generate_series(1, 150000) AS i",
  );
  const rounds = [
    "DELETE FROM t WHERE a % 7 = 0; UPDATE t SET v = -v WHERE a % 11 = 1 AND a < 60000",
    "DELETE FROM t WHERE a % 7 = 1 AND a < 90000; INSERT INTO t SELECT i, 'new', NULL, NULL FROM generate_series(1, 1000) AS i",
    "UPDATE t SET b = b || '''s' WHERE a < 20",
  ];
  const check = async () => {
    const { rows } = await client.query({
      text: "SELECT count(*)::text, sum(a)::text, sum(v)::text, max(at)::date::text, string_agg(a || b, ',' ORDER BY a, b) FROM t WHERE a < 500 OR a > 149500 UNION ALL SELECT count(*)::text, sum(a)::text, sum(v)::text, NULL, NULL FROM t ORDER BY 1",
      rowMode: "array",
    });
    const theirs = await readExport(
      'SELECT count(*)::VARCHAR, sum(a)::VARCHAR, sum(v)::VARCHAR, max("at")::DATE::VARCHAR, string_agg(a || b, \',\' ORDER BY a, b) FROM "LAKE".main.t WHERE a < 500 OR a > 149500 UNION ALL SELECT count(*)::VARCHAR, sum(a)::VARCHAR, sum(v)::VARCHAR, NULL, NULL FROM "LAKE".main.t ORDER BY 1',
    );
    expect(theirs).toEqual(rows);
  };
  expect(await platform.sync(postgresSource(ownPostgres()), { tables: [`${SCHEMA}.t`] })).toMatchObject({
    outcome: "succeeded",
  });
  await check();
  for (const sql of rounds) {
    await client.query(sql);
    const { outcome, error, progress } = await platform.sync(postgresSource(ownPostgres()), {
      tables: [`${SCHEMA}.t`],
    });
    expect([outcome, error, progress.tables[0]?.method]).toEqual([
      "succeeded",
      null,
      "rows written since the last run",
    ]);
    expect(progress.tables[0]!.rowsDeleted).toBeGreaterThan(0);
    await check();
  }
  const folder = readTable(catalog.storage.sql, "main", "t")!.path;
  const deletes = [
    ...catalog.storage.sql
      .exec(
        "SELECT d.path AS deletes, f.path AS rows FROM ducklake_delete_file d JOIN ducklake_data_file f USING (data_file_id) WHERE d.end_snapshot IS NULL",
      )
      .raw(),
  ] as [string, string][];
  expect(deletes.length).toBeGreaterThan(0);
  for (const [path, dataFile] of deletes) {
    const reader = await catalog.duckdb.runAndReadAll(
      `SELECT DISTINCT file_path FROM '${catalog.bucket}/${folder}${path}'`,
    );
    expect(reader.getRows()).toEqual([[`${ROOT}${folder}${dataFile}`]]);
  }
}, 120_000);
