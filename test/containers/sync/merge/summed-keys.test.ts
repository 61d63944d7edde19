// A merge of PostgreSQL's that goes by the server's own sums of its keys reads no keys where none is gone, and all of
// them wherever one may be.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ReadRequest } from "../../../../containers/engine/extract/readable-snapshot.ts";
import { ServerError, statementFailure } from "../../../../containers/engine/sources/postgres/connection/errors.ts";
import { PostgresSession } from "../../../../containers/engine/sources/postgres/extraction/session.ts";
import { PostgresSnapshot } from "../../../../containers/engine/sources/postgres/extraction/snapshot.ts";
import { ownPostgres, postgresSource } from "../../../support/node/sources/sources.ts";
import { SyncBench } from "../../../support/node/sync/test-sync.ts";
import { openSyncServers } from "../../../support/node/sync/sync-servers.ts";

const SCHEMA = `summed_${process.pid}`;
const { client } = await openSyncServers(SCHEMA);
let bench: SyncBench;
let reads: Pick<ReadRequest, "where" | "columns">[] = [];
beforeEach(async () => {
  await client.query(
    `DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE; CREATE SCHEMA ${SCHEMA}; SET search_path = ${SCHEMA}; SET timezone = 'UTC'`,
  );
  bench = await SyncBench.open(postgresSource(ownPostgres()));
  const { read } = PostgresSnapshot.prototype;
  vi.spyOn(PostgresSnapshot.prototype, "read").mockImplementation(function (this: PostgresSnapshot, request) {
    reads.push(request);
    return read.call(this, request);
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await bench.close();
});

const merge = async () => {
  reads = [];
  const ran = await bench.run({ tables: [`${SCHEMA}.t`] });
  expect(ran.error).toBeNull();
  const [sql, inOrder] = ["SELECT concat(id, ' ', v) AS row FROM t", (rows: unknown[]) => rows.map(String).sort()];
  const theirs = await client.query<{ row: string }>(sql);
  expect(inOrder((await bench.texts(sql)).flat())).toEqual(inOrder(theirs.rows.map(({ row }) => row)));
  return ran.progress.tables[0]!;
};
/** Whether a run has read keys of all rows; else only rows that were written. */
const hasReadKeys = () => reads.some(({ where }) => where === undefined);

/** A table that two runs have read, the second of which leaves the server's sum to the next. */
async function mergeTwice(table = "CREATE TABLE t (id bigint PRIMARY KEY, v int)"): Promise<void> {
  await client.query(`${table}; INSERT INTO t SELECT i, i FROM generate_series(1, 1000) i`);
  await merge();
  expect(await merge()).toMatchObject({ rowsRead: 0, method: WRITTEN });
  expect(hasReadKeys()).toBe(true);
}

const WRITTEN = "rows written since the last run";
const TABLES = {
  "a number": "CREATE TABLE t (id bigint PRIMARY KEY, v int)",
  "a text": "CREATE TABLE t (id text PRIMARY KEY, v int)",
  "several columns": "CREATE TABLE t (id int, v int, PRIMARY KEY (v, id))",
  "a partitioned table's number":
    "CREATE TABLE t (id int PRIMARY KEY, v int) PARTITION BY RANGE (id); CREATE TABLE low PARTITION OF t FOR VALUES FROM (MINVALUE) TO (500); CREATE TABLE high PARTITION OF t FOR VALUES FROM (500) TO (MAXVALUE)",
};
const KEYS = {
  updates: "UPDATE t SET v = v + 5000 WHERE v % 10 = 3",
  inserts: "INSERT INTO t SELECT i, i FROM generate_series(1001, 1100) i",
  "both at once":
    "UPDATE t SET v = v + 5000 WHERE v % 10 = 3; INSERT INTO t SELECT i, i FROM generate_series(1001, 1100) i",
};

describe("a merge by the server's sums", () => {
  it.each(Object.entries(TABLES))("reads nothing where nothing changed, by %s", async (_, table) => {
    await mergeTwice(table);
    expect(await merge()).toMatchObject({ rowsRead: 0, rowsWritten: 0, method: WRITTEN });
    expect(reads).toEqual([]);
  });

  it("reads nothing of a table that is empty, and what comes to it", async () => {
    await client.query("CREATE TABLE t (id bigint PRIMARY KEY, v int)");
    for (const method of ["full read", WRITTEN, WRITTEN]) expect(await merge()).toMatchObject({ method, notes: [] });
    expect(reads).toEqual([]);
    await client.query("INSERT INTO t VALUES (1, 1), (2, 2)");
    expect(await merge()).toMatchObject({ method: WRITTEN, rowsRead: 2, rowsWritten: 2, notes: [] });
    await client.query("DELETE FROM t");
    expect(await merge()).toMatchObject({ method: WRITTEN, rowsDeleted: 2, notes: [] });
  });

  it.each(Object.entries(KEYS))("reads the rows that were written and no keys, after %s", async (_, change) => {
    await mergeTwice();
    for (let round = 0; round < 2; round++) {
      await client.query(change.replaceAll("i, i", `i + ${round} * 1000, i`));
      expect(await merge()).toMatchObject({ method: WRITTEN, notes: [] });
      expect([reads.length, hasReadKeys()]).toEqual([1, false]);
    }
    // A later merge that reads all keys finds those of the lake as it left them.
    await client.query("DELETE FROM t WHERE v = 77");
    expect(await merge()).toMatchObject({ method: WRITTEN, rowsDeleted: 1, notes: [] });
    expect(hasReadKeys()).toBe(true);
  });

  it.each([
    ["rows that are gone", "DELETE FROM t WHERE v <= 10", 10],
    [
      "as many rows that came as are gone",
      "DELETE FROM t WHERE v <= 10; INSERT INTO t SELECT i, i FROM generate_series(2001, 2010) i",
      10,
    ],
    [
      "more rows that came than are gone",
      "DELETE FROM t WHERE v <= 10; INSERT INTO t SELECT i, i FROM generate_series(2001, 2050) i",
      10,
    ],
    [
      "rows that came, changed and are gone",
      "DELETE FROM t WHERE v = 10; UPDATE t SET v = -v WHERE v = 11; INSERT INTO t VALUES (3000, 1)",
      2,
    ],
    ["keys that changed", "UPDATE t SET id = id + 10000 WHERE v <= 10", 10],
    [
      "keys that were exchanged",
      "UPDATE t SET id = -id WHERE v IN (1, 2); UPDATE t SET id = 3 + id WHERE v IN (1, 2)",
      2,
    ],
    [
      "a number that folds into the same 32 bits",
      `DELETE FROM t WHERE id = 7; INSERT INTO t VALUES (${7n << 32n}, 7)`,
      1,
    ],
    ["all rows that are gone", "DELETE FROM t", 1000],
  ])("loses no deletion: %s", async (_, change, rowsDeleted) => {
    await mergeTwice();
    await client.query(change);
    expect(await merge()).toMatchObject({ method: WRITTEN, rowsDeleted, notes: [] });
    // Where keys were gone, all are read once more.
    const wereKeysGone = !change.includes("id = -id");
    for (const readings of [wereKeysGone ? 1 : 0, 0]) {
      expect(await merge()).toMatchObject({ rowsRead: 0, rowsDeleted: 0 });
      expect(reads.length).toBe(readings);
    }
  });

  it("scans a table whose rows come and go at each run for their sum and for their keys alone", async () => {
    await mergeTwice();
    for (let round = 0; round < 3; round++) {
      await client.query(`DELETE FROM t WHERE v = ${round + 1}; INSERT INTO t VALUES (${round + 2000}, 0)`);
      expect(await merge()).toMatchObject({ method: WRITTEN, rowsDeleted: 1, rowsRead: 1, notes: [] });
      // The first such run goes by the sum, and reads the rows that were written before it reads the keys.
      expect(
        reads.map(({ where }) => (where === undefined ? "keys" : where.includes("ctid") ? "places" : "rows")),
      ).toEqual(round === 0 ? ["rows", "keys"] : ["keys", "places"]);
    }
  });

  it("finds keys that one equals to the server and none in the lake", async () => {
    await client.query("CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
    await mergeTwice("CREATE TABLE t (id text COLLATE blind PRIMARY KEY, v int)");
    await client.query("INSERT INTO t VALUES ('key', 0)");
    await merge();
    await client.query("UPDATE t SET id = 'KEY' WHERE id = 'key'");
    expect(await merge()).toMatchObject({ rowsDeleted: 1, rowsWritten: 1 });
  });

  it("reads all of it where the lake's keys are not those that it should have", async () => {
    await mergeTwice();
    const [[key, state]] = [...bench.platform.state] as [[string, string]];
    // The changed checksums stand for a lake that has one key twice and lacks another.
    const tampered = state.replaceAll(/"(low|sum)":"(-?\d+)"/g, (_, name, sum) => `"${name}":"${BigInt(sum) + 1n}"`);
    bench.platform.state.set(key, tampered);
    await client.query("UPDATE t SET v = 7777 WHERE v = 7");
    expect(await merge()).toMatchObject({
      method: "full read",
      notes: [expect.stringContaining("other keys than the source") as string],
    });
  });

  it("reads all keys where the sum of the last run is of another digest", async () => {
    await mergeTwice();
    const [[key, state]] = [...bench.platform.state] as [[string, string]];
    bench.platform.state.set(key, state.replace("hashint8extended", "hashsomehow"));
    expect(await merge()).toMatchObject({ rowsRead: 0, method: WRITTEN });
    expect(hasReadKeys()).toBe(true);
  });

  it("reads all keys where the lake has another number of rows than the sum", async () => {
    await mergeTwice();
    const [[key, state]] = [...bench.platform.state] as [[string, string]];
    bench.platform.state.set(
      key,
      state.replace(/"digest":"pg_catalog([^}]*)"rows":1000/, '"digest":"pg_catalog$1"rows":999'),
    );
    await client.query("INSERT INTO t VALUES (5000, 5000)");
    await merge();
    expect(hasReadKeys()).toBe(true);
  });

  it.each([
    ["42883", "function pg_catalog.hashint8extended(bigint, bigint) does not exist"],
    ["53100", "could not resize shared memory segment: No space left on device"],
  ])("reads all keys of a server that can't sum them: %s", async (code, text) => {
    await mergeTwice();
    const { fetchRows } = PostgresSession.prototype;
    vi.spyOn(PostgresSession.prototype, "fetchRows").mockImplementation(function (this: PostgresSession, sql, ...rest) {
      if (!sql.includes("hashint8extended")) return fetchRows.call(this, sql, ...rest);
      const answer = [["C", code] as const, ["M", text] as const];
      return Promise.reject(statementFailure(new ServerError(new Map(answer)), false) as Error);
    });
    await client.query("DELETE FROM t WHERE v = 10; UPDATE t SET v = 0 WHERE v = 11");
    expect(await merge()).toMatchObject({ method: WRITTEN, rowsDeleted: 2, rowsRead: 1 });
    expect(hasReadKeys()).toBe(true);
  });

  it("waits once for a table that somebody has locked, and fails, to be tried again", async () => {
    await mergeTwice();
    const { fetchRows } = PostgresSession.prototype;
    let waits = 0;
    vi.spyOn(PostgresSession.prototype, "fetchRows").mockImplementation(function (this: PostgresSession, sql, ...rest) {
      if (sql.includes("LIMIT 0")) waits++;
      return fetchRows.call(this, sql.replace("lock_timeout = '300s'", "lock_timeout = '300ms'"), ...rest);
    });
    await client.query("BEGIN; LOCK TABLE t");
    const ran = await bench.run({ tables: [`${SCHEMA}.t`] }).finally(() => client.query("ROLLBACK"));
    expect(ran).toMatchObject({ outcome: "failed", retryable: true });
    expect(waits).toBe(1);
  });

  it("begins no other scan where somebody cancels the sum at the server", async () => {
    await client.query(`
      CREATE TYPE slow AS ENUM ('a', 'b'); CREATE TABLE slowness (seconds int);
      CREATE FUNCTION slowly(slow) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_sleep(seconds) FROM ${SCHEMA}.slowness; RETURN enum_out($1)::text; END $$;
      CREATE CAST (slow AS text) WITH FUNCTION slowly(slow);
      CREATE TABLE t (id slow PRIMARY KEY, v int); INSERT INTO t VALUES ('a', 1)`);
    for (let run = 0; run < 2; run++) await bench.run({ tables: [`${SCHEMA}.t`] });
    await client.query("INSERT INTO slowness VALUES (60)");
    reads = [];
    const job = bench.start({ tables: [`${SCHEMA}.t`] });
    const cancel = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE state = 'active' AND query LIKE 'SELECT count(*), sum(pg_catalog.hashtextextended%'`;
    await expect.poll(async () => (await client.query(cancel)).rowCount, { timeout: 20_000 }).toBe(1);
    expect(await bench.ended(job)).toMatchObject({
      outcome: "failed",
      error: expect.stringContaining("canceling statement due to user request") as string,
    });
    expect(reads).toEqual([]);
  });

  it("begins a full read at once where the server counts too many rows that were written", async () => {
    await client.query(
      "CREATE TABLE t (id bigint PRIMARY KEY, v int); INSERT INTO t SELECT i, i FROM generate_series(1, 60000) i",
    );
    await merge();
    await client.query("UPDATE t SET v = v + 1");
    expect(await merge()).toMatchObject({ method: "full read", rowsRead: 60_000 });
    expect(reads.map(({ columns }) => columns.length)).toEqual([2]);
  });

  it("fails, to be tried again, where the table is emptied after the run began", async () => {
    await mergeTwice();
    await client.query("DELETE FROM t");
    await merge();
    await client.query("INSERT INTO t VALUES (1, 1)");
    const { findChanges } = PostgresSnapshot.prototype;
    vi.spyOn(PostgresSnapshot.prototype, "findChanges").mockImplementationOnce(async function (
      this: PostgresSnapshot,
      request,
    ) {
      await client.query("TRUNCATE t");
      return findChanges.call(this, request);
    });
    expect(await bench.run({ tables: [`${SCHEMA}.t`] })).toMatchObject({
      outcome: "failed",
      retryable: true,
      error: expect.stringContaining("truncated or rewritten after this run began") as string,
    });
  });
});
