// What an engine asks of the platform and of the bucket: for a statement whose tables it knows, nothing.

import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENGINE_REQUESTS } from "../../../scripts/scale/counts.ts";
import { column } from "../../support/node/lake/test-lake.ts";
import { WriteLake } from "../../support/node/lake/write-lake.ts";
import { connectPostgres, ownPostgres, postgresSource } from "../../support/node/sources/sources.ts";
import { SyncPlatform } from "../../support/node/sync/sync-platform.ts";

const COLUMNS = Array.from({ length: 6 }, (_, at) => column(at + 1, `c${at}`, "int64"));
const FILES = 4;
const ROWS = 100_000;

let lake: WriteLake;
let verbs: string[] = [];
beforeAll(async () => {
  lake = await WriteLake.open();
  const { platform } = lake;
  platform.commit({ kind: "create_table", schema: "main", name: "t", columns: COLUMNS });
  for (let at = 0; at < FILES; at++) await appendRows(`range + ${at * ROWS}`, ROWS);
  platform.onRequest = (verb) => void verbs.push(verb);
});
afterAll(() => lake.close());

async function appendRows(value: string, rows: number): Promise<void> {
  const select = `SELECT ${COLUMNS.map(({ name }, at) => `(${value}) * ${at + 1} AS ${name}`).join(", ")} FROM range(${rows})`;
  const file = await lake.platform.write("main", "t", COLUMNS, select);
  lake.platform.commit({ kind: "append", schema: "main", name: "t", files: [file] });
}

/** How often each verb is asked for while the work goes on. */
async function asked(work: () => Promise<unknown>): Promise<Record<string, number>> {
  verbs = [];
  await work();
  return Object.fromEntries([...Map.groupBy(verbs, (verb) => verb)].map(([verb, all]) => [verb, all.length]));
}

describe("a statement on the lake", () => {
  const ask = (sql: string) => asked(() => lake.rows(sql, { grant: lake.platform.grant() }));

  it("asks the platform once for tables that the engine does not know, and the bucket once for each file", async () => {
    expect(await ask("SELECT sum(c0), sum(c3) FROM LAKE.main.t")).toEqual({
      describe: ENGINE_REQUESTS.coldStatement,
      get: FILES * ENGINE_REQUESTS.getsPerFile,
    });
  });

  it("asks nobody as long as the lake stays as it is", async () => {
    for (const sql of ["SELECT max(c0) FROM LAKE.main.t", "SELECT max(c2) FROM LAKE.main.t WHERE c0 = 150000"])
      expect(await ask(sql)).toEqual({});
  });

  it("asks the platform once after a commit, and the bucket for what is new", async () => {
    lake.platform.commit({ kind: "create_schema", schema: "other" });
    expect(await ask("SELECT max(c0) FROM LAKE.main.t")).toEqual({ describe: ENGINE_REQUESTS.coldStatement });
    await appendRows("range", 10);
    expect(await ask("SELECT max(c0) FROM LAKE.main.t")).toEqual({
      describe: ENGINE_REQUESTS.coldStatement,
      get: ENGINE_REQUESTS.getsPerFile,
    });
  });
});

describe("a sync's run from PostgreSQL", () => {
  const server = ownPostgres();
  const schema = `requests_${process.pid}`;
  let client: pg.Client;
  let platform: SyncPlatform;
  beforeAll(async () => {
    client = await connectPostgres(server);
    await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}`);
    for (const name of ["one", "two"])
      await client.query(
        `CREATE TABLE ${schema}.${name} (id int PRIMARY KEY, note text); INSERT INTO ${schema}.${name} SELECT i, 'note ' || i FROM generate_series(1, 1000) i`,
      );
    platform = await SyncPlatform.start(lake.platform);
    platform.onRequest = (verb) => void verbs.push(verb);
  });
  afterAll(async () => {
    await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    await client.end();
    await platform.stop();
  });
  /** Without heartbeats and lines of the log, which come by time. */
  const run = async () => {
    const {
      heartbeat: _,
      log: __,
      ...others
    } = await asked(async () => {
      const ran = await platform.sync(postgresSource(server), { tables: [`${schema}.one`, `${schema}.two`] });
      expect(ran.outcome).toBe("succeeded");
    });
    const { get = 0, put = 0, ...requests } = others;
    return { requests: Object.values(requests).reduce((sum, times) => sum + times, 0), get, put };
  };

  it("asks so much for itself, and so much for each table with changes and without", async () => {
    const { syncRun, syncTableSame, syncTableChanged, getsPerTable, putsPerTable } = ENGINE_REQUESTS;
    await run();
    expect(await run()).toEqual({ requests: syncRun + 2 * syncTableSame, get: 0, put: 0 });
    for (const name of ["one", "two"])
      await client.query(
        `UPDATE ${schema}.${name} SET note = 'new' WHERE id % 10 = 1; INSERT INTO ${schema}.${name} VALUES (5001, 'more')`,
      );
    expect(await run()).toEqual({
      requests: syncRun + 2 * syncTableChanged,
      get: 2 * getsPerTable,
      put: 2 * putsPerTable,
    });
  });
});
