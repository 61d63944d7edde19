// Hard schemas under load: while clients write in transactions of many statements, syncs run; when they stop, one more
// makes all equal.

import { createHash } from "node:crypto";
import { afterEach, describe, expect, inject, it } from "vitest";
import { MARIADB_TABLES, POSTGRES_TABLES, type HardTable } from "../../support/node/sync/hard-tables.ts";
import {
  connectMariadb,
  connectPostgres,
  mariadbSource,
  ownPostgres,
  postgresSource,
} from "../../support/node/sources/sources.ts";
import { SyncBench } from "../../support/node/sync/test-sync.ts";

const [postgres, mariadb] = [ownPostgres(), inject("mariadb")];
const SCHEMA = `hard_${process.pid}`;
const ROUNDS = 3;
const WRITERS = 3;
let bench: SyncBench;
const CLOSING: Array<() => Promise<unknown>> = [];

afterEach(async () => {
  for (const close of CLOSING.splice(0).reverse()) await close();
});

/** A session at the source: rows come as lists of texts. */
type Session = { run(sql: string): Promise<unknown[][]> };

async function openPostgres(): Promise<Session> {
  const client = await connectPostgres(postgres);
  CLOSING.push(() => client.end());
  const run = async (sql: string): Promise<unknown[][]> =>
    (await client.query({ text: sql, rowMode: "array" })).rows ?? [];
  await client.query(
    `SET timezone = 'UTC'; SET intervalstyle = 'iso_8601'; SET lock_timeout = '2s'; SET search_path = ${SCHEMA}`,
  );
  return { run };
}

async function openMariadb(): Promise<Session> {
  const connection = await connectMariadb(mariadb);
  CLOSING.push(() => connection.end());
  await connection.query(
    `SET sql_mode = '', innodb_lock_wait_timeout = 2; CREATE DATABASE IF NOT EXISTS ${SCHEMA} CHARACTER SET utf8mb4; USE ${SCHEMA}`,
  );
  return { run: async (sql) => (await connection.query(sql))[0] as unknown[][] };
}

const SOURCES = [
  {
    name: "PostgreSQL",
    open: openPostgres,
    tables: POSTGRES_TABLES,
    createSchema: `CREATE SCHEMA ${SCHEMA}`,
    dropSchema: `DROP SCHEMA ${SCHEMA} CASCADE`,
    openBench: () => SyncBench.open(postgresSource(postgres)),
  },
  {
    name: "MariaDB",
    open: openMariadb,
    tables: MARIADB_TABLES,
    createSchema: "DO 1",
    dropSchema: `DROP DATABASE ${SCHEMA}`,
    openBench: () => SyncBench.open(mariadbSource(mariadb, SCHEMA)),
  },
];

/** Writes until told to stop: savepoints, statements taken back, transactions held open, some of them rolled back. */
function startWriter(session: Session, tables: HardTable[]): () => Promise<void> {
  let isOver = false;
  const changes = tables.flatMap((table) => table.changes);
  const pick = <T>(all: T[]): T => all[Math.floor(Math.random() * all.length)]!;
  const transaction = async (): Promise<void> => {
    await session.run("BEGIN");
    for (let i = 0; i < 5; i++) {
      await session.run(`SAVEPOINT s${i}`);
      const isKept = await session.run(pick(changes)).then(
        () => Math.random() > 0.2,
        () => false,
      );
      if (!isKept) await session.run(`ROLLBACK TO SAVEPOINT s${i}`);
    }
    if (Math.random() < 0.3) await new Promise((resolve) => setTimeout(resolve, 300));
    await session.run(Math.random() < 0.15 ? "ROLLBACK" : "COMMIT");
  };
  const writing = (async () => {
    // A deadlock ends a transaction with its savepoints.
    while (!isOver) await transaction().catch(() => session.run("ROLLBACK"));
  })();
  return async () => {
    isOver = true;
    await writing;
  };
}

/** Rows in an order of their own, with what tells two lists of them apart at a glance. */
function summed(rows: unknown[][]): { rows: number; checksum: string; texts: string[] } {
  const texts = rows.map((row) => JSON.stringify(row)).sort();
  return { rows: texts.length, checksum: createHash("sha256").update(texts.join("\n")).digest("hex"), texts };
}

async function expectEqual(session: Session, table: HardTable): Promise<void> {
  const theirs = summed(
    await session.run(`SELECT ${table.texts.map(([text]) => text).join(", ")} FROM ${table.source}`),
  );
  const mine = summed(
    await bench.texts(
      `SELECT ${table.texts.map(([, text], i) => `${text} AS c${i}`).join(", ")} FROM "${table.lake.replaceAll('"', '""')}"`,
    ),
  );
  const odd = theirs.texts.findIndex((text, i) => text !== mine.texts[i]);
  expect(odd < 0 ? "" : mine.texts[odd], table.path).toBe(odd < 0 ? "" : theirs.texts[odd]);
  expect({ rows: mine.rows, checksum: mine.checksum }, table.path).toEqual({
    rows: theirs.rows,
    checksum: theirs.checksum,
  });
}

describe.each(SOURCES)(
  "a schema of $name that has everything, written to by many",
  ({ open, tables, createSchema, dropSchema, openBench }) => {
    const paths = tables.map(({ path }) => path.replace("$", SCHEMA));

    async function prepare(): Promise<Session> {
      bench = await openBench();
      CLOSING.push(() => bench.close());
      const session = await open();
      await session.run(createSchema);
      CLOSING.push(() => session.run(dropSchema));
      for (const { create } of tables)
        for (const sql of create.split(/;\s*\n?(?=\s*(?:CREATE|INSERT|ALTER) )/)) await session.run(sql);
      return session;
    }

    async function underLoad(run: () => Promise<unknown>): Promise<void> {
      const writers = await Promise.all(Array.from({ length: WRITERS }, open));
      const stops = writers.map((writer) => startWriter(writer, tables));
      try {
        for (let round = 0; round < ROUNDS; round++) await run();
      } finally {
        await Promise.all(stops.map((stop) => stop()));
      }
    }

    it.each(["merge", "overwrite"] as const)(
      "equals its copy by %s, table by table, once it rests",
      async (loadMethod) => {
        const session = await prepare();
        const run = async () => {
          const ran = await bench.run({ tables: paths, loadMethod });
          expect(ran, JSON.stringify(ran)).toMatchObject({ outcome: "succeeded" });
          return ran;
        };
        await underLoad(run);
        await run();
        for (const table of tables) await expectEqual(session, table);
        // However much the crowd changed since the run before: of one row less, a merge does not read everything.
        await session.run("DELETE FROM kinds WHERE id = 5");
        const last = await run();
        for (const table of tables) await expectEqual(session, table);
        if (loadMethod === "merge") expect(last.table(`${SCHEMA}.kinds`).method).not.toBe("full read");
      },
    );

    it("has every row that was ever seen in its copy by append, once", async () => {
      const session = await prepare();
      const work = { tables: [`${SCHEMA}.kinds`], loadMethod: "append" as const };
      await underLoad(async () => expect(await bench.run(work)).toMatchObject({ outcome: "succeeded" }));
      await bench.run(work);
      const [counts] = await bench.rows("SELECT count(*) AS rows, count(DISTINCT id) AS ids FROM kinds");
      expect(counts!.rows).toBe(counts!.ids);
      const mine = new Set((await bench.texts("SELECT id::varchar FROM kinds")).map(([id]) => id));
      expect(
        (await session.run("SELECT CAST(id AS char(20)) FROM kinds"))
          .map(([id]) => String(id).trim())
          .filter((id) => !mine.has(id)),
      ).toEqual([]);
    });
  },
);
