// A merge of PostgreSQL's that looks rows up by the names which came with the keys reads those rows, or says that it
// can't.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ReadRequest } from "../../../../containers/engine/extract/readable-snapshot.ts";
import { PostgresSnapshot } from "../../../../containers/engine/sources/postgres/extraction/snapshot.ts";
import { ownPostgres, postgresSource } from "../../../support/node/sources/sources.ts";
import { SyncBench, type Ran } from "../../../support/node/sync/test-sync.ts";
import { openSyncServers } from "../../../support/node/sync/sync-servers.ts";

const postgres = ownPostgres();
const SCHEMA = `named_${process.pid}`;
const { client } = await openSyncServers(SCHEMA);
let bench: SyncBench;
beforeEach(async () => {
  await client.query(
    `DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE; CREATE SCHEMA ${SCHEMA}; SET search_path = ${SCHEMA}; SET timezone = 'UTC'`,
  );
  bench = await SyncBench.open(postgresSource(postgres));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await bench.close();
});

const MERGE = { tables: [`${SCHEMA}.t`] };
const only = (ran: Ran) => {
  expect(ran.error).toBeNull();
  return ran.progress.tables[0]!;
};
const WRITTEN = "rows written since the last run";

const equals = async (columns: string) => {
  const theirs = (await client.query({ text: `SELECT ${columns} FROM t ORDER BY id`, rowMode: "array" }))
    .rows as unknown[][];
  expect(await bench.texts(`SELECT ${columns} FROM t ORDER BY id`)).toEqual(theirs);
};

/** Has `meanwhile` happen after all keys were read, and before the rows that were written are looked up. */
const beforeLookUp = (meanwhile: (request: ReadRequest) => Promise<ReadRequest>): void => {
  const { read } = PostgresSnapshot.prototype;
  vi.spyOn(PostgresSnapshot.prototype, "read").mockImplementation(async function (this: PostgresSnapshot, request) {
    return read.call(this, request.where === undefined ? request : await meanwhile(request));
  });
};

describe("a merge", () => {
  it("loses no row of a table whose name another takes while it is read", async () => {
    await client.query(
      "CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t SELECT i, i FROM generate_series(1, 100) i",
    );
    await bench.run(MERGE);
    // Its place is the one after the last row's, and in the other table the last row's.
    await client.query("UPDATE t SET v = -1 WHERE id = 50");
    await client.query(
      "CREATE TABLE t_next (LIKE t INCLUDING ALL); INSERT INTO t_next VALUES (0, 0); INSERT INTO t_next SELECT * FROM t ORDER BY id; DELETE FROM t_next WHERE id = 0",
    );
    beforeLookUp(async (request) => {
      await client.query("BEGIN; ALTER TABLE t RENAME TO t_last; ALTER TABLE t_next RENAME TO t; COMMIT");
      return request;
    });
    expect(await bench.run(MERGE)).toMatchObject({
      outcome: "failed",
      retryable: true,
      error: expect.stringContaining("was dropped or altered after this run began") as string,
    });
    vi.restoreAllMocks();
    await client.query("BEGIN; ALTER TABLE t RENAME TO t_next; ALTER TABLE t_last RENAME TO t; COMMIT");
    expect(only(await bench.run(MERGE))).toMatchObject({ method: WRITTEN, rowsRead: 1 });
    await equals("id, v");
  });

  it("reads all of it where other rows come than the source named", async () => {
    await client.query(
      "CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t SELECT i, i FROM generate_series(1, 100) i",
    );
    await bench.run(MERGE);
    await client.query("UPDATE t SET v = -1 WHERE id IN (50, 51)");
    beforeLookUp((request) => Promise.resolve({ ...request, where: `${request.where} AND id <> 50` }));
    expect(only(await bench.run(MERGE))).toMatchObject({
      method: "full read",
      rowsRead: 100,
      notes: [expect.stringContaining("named 2 rows that changed and sent 1") as string],
    });
    await equals("id, v");
  });

  it("reads all of it as a role that may read some of its columns only, which may not ask when rows were written", async () => {
    const role = `${SCHEMA}_reader`;
    await client.query(
      "CREATE TABLE t (id int PRIMARY KEY, v int, secret text); INSERT INTO t SELECT i, i, 's' FROM generate_series(1, 100) i",
    );
    await client.query(
      `CREATE ROLE ${role} LOGIN PASSWORD 'pass'; GRANT USAGE ON SCHEMA ${SCHEMA} TO ${role}; GRANT SELECT (id, v) ON t TO ${role}`,
    );
    await bench.close();
    bench = await SyncBench.open(postgresSource(postgres, { username: role, password: "pass" }));
    try {
      await bench.run(MERGE);
      await client.query("UPDATE t SET v = 0 WHERE v = 5; DELETE FROM t WHERE v = 6");
      expect(only(await bench.run(MERGE))).toMatchObject({
        method: "full read",
        notes: expect.arrayContaining([expect.stringContaining("grant it SELECT on the table")]) as string[],
      });
      await equals("id, v");
      await client.query(`GRANT SELECT ON t TO ${role}`);
      await bench.run(MERGE);
      await client.query("UPDATE t SET v = 0 WHERE v = 7");
      expect(only(await bench.run(MERGE))).toMatchObject({ method: WRITTEN, rowsRead: 1 });
    } finally {
      await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });
});
