// A standby as the source: its snapshots are made of the log it has seen, and miss no transaction either.

import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startPostgres } from "../../support/node/servers/postgres.ts";
import { connectPostgres, postgresSource } from "../../support/node/sources/sources.ts";
import { startStandby, type Standby } from "../../support/node/servers/standby.ts";
import { SyncBench } from "../../support/node/sync/test-sync.ts";

let primary: Awaited<ReturnType<typeof startPostgres>>;
let standby: Standby | undefined;
let client: pg.Client;

beforeAll(async () => {
  primary = await startPostgres();
  client = await connectPostgres(primary.server);
  await client.query(
    "CREATE SCHEMA s; SET search_path = s; CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t SELECT i, 0 FROM generate_series(1, 2000) AS i",
  );
  standby = await startStandby(primary.server);
});
afterAll(async () => {
  await standby?.stop();
  await client.end();
  await primary.stop();
});

it("follows transactions and savepoints that were open at the run before, and reads all after the primary took over", async ({
  skip,
}) => {
  if (!standby) return skip("This machine's PostgreSQL has no pg_basebackup.");
  const bench = await SyncBench.open(postgresSource(standby.server));
  const run = async () => {
    await standby!.caughtUp();
    const ran = await bench.run({ tables: ["s.t"] });
    expect(ran.error).toBeNull();
    return ran.progress.tables[0]!;
  };
  const equals = async () => {
    const theirs = (await client.query({ text: "SELECT id, v FROM s.t ORDER BY id", rowMode: "array" }))
      .rows as unknown[][];
    expect(await bench.texts("SELECT id, v FROM t ORDER BY id")).toEqual(theirs);
  };
  try {
    await run();
    await equals();
    const slow = await connectPostgres(primary.server);
    // More savepoints than a snapshot has room for.
    await slow.query("SET search_path = s; BEGIN; UPDATE t SET v = 1 WHERE id = 1");
    for (let i = 2; i <= 100; i++) await slow.query(`SAVEPOINT s${i}; UPDATE t SET v = 1 WHERE id = ${i}`);
    await client.query("UPDATE t SET v = 9 WHERE id = 1000; DELETE FROM t WHERE id = 1001");
    expect(await run()).toMatchObject({ method: "rows written since the last run", rowsWritten: 1, rowsDeleted: 2 });
    await equals();
    await slow.query("ROLLBACK TO s90; RELEASE s50; COMMIT");
    await slow.end();
    expect(await run()).toMatchObject({ method: "rows written since the last run", rowsWritten: 89, rowsDeleted: 89 });
    await equals();
    await client.query("BEGIN; DELETE FROM t WHERE id < 50; ROLLBACK; INSERT INTO t VALUES (-1, -1)");
    expect(await run()).toMatchObject({ rowsWritten: 1, rowsDeleted: 0 });
    await equals();
    const promoted = await connectPostgres(standby.server);
    await promoted.query("SELECT pg_promote(true, 60)");
    await promoted.query("UPDATE s.t SET v = 77 WHERE id = 5");
    await promoted.end();
    const after = await bench.run({ tables: ["s.t"] });
    expect(after.progress.tables[0]).toMatchObject({
      method: "full read",
      notes: [expect.stringContaining("another has taken over")],
    });
    expect(await bench.rows("SELECT v FROM t WHERE id = 5")).toEqual([{ v: 77 }]);
  } finally {
    await bench.close();
  }
}, 180_000);
