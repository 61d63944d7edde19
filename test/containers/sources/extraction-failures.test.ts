// When an extraction is ended: by its user, by the source, by whoever takes its parts. Nothing runs on, nothing is
// left.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import mysql2, { type Connection as Root } from "mysql2/promise";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { RowTooLarge } from "../../../containers/engine/core/row-too-large.ts";
import { extractInto, extractParts } from "../../../containers/engine/extract/extract-table.ts";
import type { Source } from "../../../kernel/wire/source.ts";
import type { Taken } from "../../support/node/sources/extract-once.ts";
import { ExtractionBench, never, readBack } from "../../support/node/sources/extraction.ts";
import { connectPostgres, mariadbSource, ownPostgres, postgresSource } from "../../support/node/sources/sources.ts";

const mariadb = inject("mariadb");
const database = `endings_${process.pid}`;
const sources: Record<"postgres" | "mysql", Source> = {
  postgres: postgresSource(ownPostgres()),
  mysql: mariadbSource(mariadb, database),
};
const schemas = { postgres: "endings", mysql: database };
const KINDS = ["postgres", "mysql"] as const;
const ROWS_THERE = 100_000;

let bench: ExtractionBench;
let admin: pg.Client;
let root: Root;
beforeAll(async () => {
  [bench, admin] = await Promise.all([ExtractionBench.open(), connectPostgres(ownPostgres())]);
  root = await mysql2.createConnection({
    host: mariadb.host,
    port: mariadb.port,
    user: mariadb.username,
    password: mariadb.password,
    multipleStatements: true,
  });
  await admin.query(
    `DROP SCHEMA IF EXISTS endings CASCADE; CREATE SCHEMA endings; CREATE TABLE endings.long AS SELECT i AS id, repeat('some text ', 40) AS filler FROM generate_series(1, ${ROWS_THERE}) i`,
  );
  await root.query(
    `CREATE DATABASE ${database}; USE ${database}; CREATE TABLE \`long\` (id int PRIMARY KEY, filler text); INSERT INTO \`long\` SELECT seq, REPEAT('some text ', 40) FROM seq_1_to_${ROWS_THERE}`,
  );
});
afterAll(async () => {
  await admin.query("DROP SCHEMA endings CASCADE");
  await root.query(`DROP DATABASE ${database}`);
  await Promise.all([admin.end(), root.end(), bench.close()]);
});

/** How many of the engine's connections run something at the source. */
const running = {
  postgres: async () =>
    (
      await admin.query(
        "SELECT FROM pg_stat_activity WHERE application_name = 'fjord extract' AND query LIKE 'COPY%' AND state = 'active'",
      )
    ).rowCount,
  mysql: async () =>
    (
      (
        await root.query("SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT `id`%' AND db = ?", [
          database,
        ])
      )[0] as unknown[]
    ).length,
};

/** Ends the engine's connection at the server. */
const terminate = {
  postgres: () =>
    admin.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fjord extract' AND query LIKE 'COPY%'",
    ),
  mysql: async () => {
    const [rows] = await root.query(
      "SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT `id`%' AND db = ?",
      [database],
    );
    for (const { id } of rows as { id: number }[]) await root.query(`KILL ${id}`);
  },
};

it("tells a sync's own bound of a row that is too large for any result", async () => {
  const snapshot = await bench.snapshot(sources.postgres);
  const table = await snapshot.describe({ schema: schemas.postgres, name: "long" }, never());
  const read = () => Promise.reject(new RowTooLarge(256 * 1024 * 1024));
  const order = { snapshot: { ...snapshot, read }, table, staging: bench.staging, signal: never() };
  await expect(extractInto("too_large", order)).rejects.toThrow(/larger than the 64 MiB that a sync takes/);
});

describe.each(KINDS)("an extraction from %s", (kind) => {
  const name = { schema: schemas[kind], name: "long" };
  const partRowsMax = 10_000;
  /** Starts one whose first part is held until `release`. */
  async function begin(signal = never()) {
    const snapshot = await bench.snapshot(sources[kind]);
    const table = await snapshot.describe(name, never());
    const held = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    let rowsRead = 0;
    const onPart = () => {
      reached.resolve();
      return held.promise;
    };
    const outcome = extractParts({
      snapshot,
      table,
      staging: bench.staging,
      partRowsMax,
      signal,
      onPart,
      onProgress: (rows) => (rowsRead = rows),
    }).then(
      () => "done",
      (error: unknown) => error,
    );
    await reached.promise;
    return { snapshot, table, outcome, release: held, rowsRead: () => rowsRead };
  }

  it("that is cancelled stops at the source, and leaves its snapshot usable", async () => {
    const controller = new AbortController();
    const { snapshot, outcome, release } = await begin(controller.signal);
    expect(await running[kind]()).toBe(1);
    controller.abort(new Error("enough"));
    release.resolve();
    expect(await outcome).toEqual(new Error("enough"));
    await expect.poll(running[kind], { timeout: 60_000, interval: 20 }).toBe(0);
    expect(await bench.filesLeft()).toEqual([]);
    expect((await bench.extract(snapshot, name)).rows).toBe(ROWS_THERE);
    await snapshot.close();
  });

  it("whose connection the server ends says so, and leaves no file", async () => {
    const { snapshot, outcome, release } = await begin();
    await terminate[kind]();
    release.resolve();
    // PostgreSQL says why only to a client that it isn't still sending rows to, which the clock decides.
    expect(await outcome).toMatchObject({ code: expect.stringMatching(/^(connection_failed|source_unavailable)$/) });
    await snapshot.close();
    expect(await bench.filesLeft()).toEqual([]);
  });

  it("whose part can't be taken rejects with the reason, and stops at the source", async () => {
    const { snapshot, outcome, release } = await begin();
    release.reject(new Error("the upload failed"));
    expect(await outcome).toEqual(new Error("the upload failed"));
    await expect.poll(running[kind], { timeout: 60_000, interval: 20 }).toBe(0);
    await snapshot.close();
    expect(await bench.filesLeft()).toEqual([]);
  });

  it("waits for whoever takes its parts: no more than two are read ahead", async () => {
    const { snapshot, outcome, release, rowsRead } = await begin();
    let before = -1;
    await expect
      .poll(
        () => {
          const still = rowsRead() === before;
          before = rowsRead();
          return still;
        },
        { timeout: 60_000, interval: 200 },
      )
      .toBe(true);
    expect(rowsRead()).toBeLessThan(3 * partRowsMax + 2 * 2_048);
    release.resolve();
    expect(await outcome).toBe("done");
    expect(rowsRead()).toBe(ROWS_THERE);
    await snapshot.close();
  });

  it("into a table leaves no table behind when it fails", async () => {
    const snapshot = await bench.snapshot(sources[kind]);
    const table = await snapshot.describe(name, never());
    const controller = new AbortController();
    const order = {
      snapshot,
      table,
      staging: bench.staging,
      signal: controller.signal,
      onProgress: (rows: number) => rows > 50_000 && controller.abort(new Error("enough")),
    };
    await expect(extractInto("left", order)).rejects.toThrow("enough");
    expect((await extractInto("left", { ...order, signal: never() })).rows).toBe(ROWS_THERE);
    const connection = await bench.staging.connect();
    expect(
      (await connection.runAndReadAll('SELECT count(*)::INT, count(DISTINCT id)::INT FROM "left"')).getRows(),
    ).toEqual([[ROWS_THERE, ROWS_THERE]]);
    await connection.run('DROP TABLE "left"');
    connection.closeSync();
    await snapshot.close();
  });

  it("is refused before it begins where it was cancelled already", async () => {
    const snapshot = await bench.snapshot(sources[kind]);
    const table = await snapshot.describe(name, never());
    await expect(
      extractParts({
        snapshot,
        table,
        staging: bench.staging,
        signal: AbortSignal.abort(new Error("never")),
        onPart: async () => undefined,
      }),
    ).rejects.toThrow("never");
    expect((await bench.extract(snapshot, table)).rows).toBe(ROWS_THERE);
    await snapshot.close();
  });
});

describe("memory", () => {
  const once = fileURLToPath(new URL("../../support/node/sources/extract-once.ts", import.meta.url));
  const take = async (kind: "postgres" | "mysql", name: string) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [once, JSON.stringify(sources[kind]), schemas[kind], name],
      { env: { ...process.env, HOSTS_ALLOWED: "loopback" }, timeout: 180_000 },
    );
    return JSON.parse(stdout) as Taken;
  };

  it("stays below a gibibyte over a table of more", { timeout: 200_000 }, async () => {
    await admin.query(
      "CREATE VIEW endings.wide AS SELECT i, repeat(md5(i::text), 30) AS a, CASE WHEN i % 2 = 0 THEN i::text END AS b, NULL::text AS c, NULL::text AS d FROM generate_series(1, 2000000) i",
    );
    const { rows, bytes, peakMb } = await take("postgres", "wide");
    expect([rows, bytes > 1.9e9]).toEqual([2_000_000, true]);
    expect(peakMb).toBeLessThan(1_024);
  });

  it("stays below a gibibyte over values of tens of megabytes", { timeout: 200_000 }, async () => {
    await admin.query(
      "CREATE VIEW endings.heavy AS SELECT i, repeat('0123456789abcdef', 2000000) AS v FROM generate_series(1, 30) i",
    );
    await root.query(
      `CREATE TABLE ${database}.heavy AS SELECT seq AS i, REPEAT('0123456789abcdef', 2000000) AS v FROM seq_1_to_10`,
    );
    for (const kind of KINDS) {
      const { rows, peakMb } = await take(kind, "heavy");
      expect(rows).toBe(kind === "postgres" ? 30 : 10);
      expect(peakMb, kind).toBeLessThan(1_024);
    }
  });
});

it("refuses text that is not UTF-8, short or long", async () => {
  await admin.query("DROP DATABASE IF EXISTS endings_ascii");
  await admin.query(
    "CREATE DATABASE endings_ascii ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0",
  );
  const ascii = await connectPostgres(ownPostgres(), "endings_ascii");
  try {
    await ascii.query(
      "SET client_encoding = 'SQL_ASCII'; CREATE TABLE good AS SELECT 'ü and more of it'::text AS t; CREATE TABLE short AS SELECT encode('\\x61', 'escape') || chr(252) AS t; CREATE TABLE long AS SELECT repeat('a', 50) || chr(252) AS t",
    );
    const source = postgresSource(ownPostgres(), { database: "endings_ascii" });
    expect(await readBack((await bench.extract(source, { schema: "public", name: "good" })).files, "FROM t")).toEqual([
      ["ü and more of it"],
    ]);
    for (const name of ["short", "long"])
      await expect(bench.extract(source, { schema: "public", name })).rejects.toMatchObject({
        code: "sql_error",
        message: expect.stringContaining('invalid byte sequence for encoding "UTF8"') as string,
      });
  } finally {
    await ascii.end();
    await admin.query("DROP DATABASE endings_ascii WITH (FORCE)");
  }
});
