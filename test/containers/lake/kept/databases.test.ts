import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseKey } from "../../../../containers/engine/lake/process/database-key.ts";
import { LockedDatabase } from "../../../../containers/engine/lake/process/locked-database.ts";
import { ONE_THREAD, type RunOrder } from "../../../../containers/engine/lake/process/messages.ts";
import { streamResult } from "../../../../containers/engine/lake/process/results/stream-result.ts";
import { aGrant } from "../../../support/node/access/a-grant.ts";
import { ESCAPES, LEFTOVERS, UNGATED_ESCAPES } from "../../../support/node/lake/escapes.ts";
import { column, TestLake } from "../../../support/node/lake/test-lake.ts";

let lake: TestLake;
let jails = 0;

beforeAll(async () => {
  lake = await TestLake.open();
  for (const name of ["mine", "other"])
    await lake.write(`${name}.parquet`, "SELECT range AS id, 'n' || range AS name FROM range(1000)");
});
afterAll(() => lake.close());

/** One of `LockedDatabase`, with the view shop.orders over a file. */
async function openJail(more: readonly string[] = []): Promise<LockedDatabase> {
  const limits = { threads: 2, memoryMb: 200, spillMb: 100 };
  const jail = await LockedDatabase.open(limits, join(lake.directory, `jail-${++jails}`));
  const path = join(lake.platform.directory, "mine.parquet");
  const setup = [
    'CREATE SCHEMA "LAKE".shop',
    `CREATE VIEW "LAKE".shop.orders AS SELECT id, name FROM read_parquet(['${path}'])`,
    "SET disabled_optimizers = 'late_materialization'",
    ...more,
  ];
  await jail.setUp(setup, [path]);
  return jail;
}

const VICTIMS = [
  "SELECT count(*)::INTEGER, sum(id)::INTEGER, upper(min(name)) FROM shop.orders",
  "SELECT count(*)::INTEGER FROM orders",
  "SELECT getvariable('left_over')",
  "EXECUTE left_over",
  "SELECT current_catalog(), current_schema(), current_setting('search_path')",
];

/** All that can be told of a database: what is in it, how it is set, and what a statement in it is answered. */
async function described(jail: LockedDatabase): Promise<unknown[]> {
  const session = await jail.openSession();
  const answer = async (sql: string): Promise<unknown> =>
    session.runAndReadAll(sql).then(
      (reader) => reader.getRowsJson(),
      (error: Error) => error.message,
    );
  const found: unknown[] = [readdirSync(jail.spillDirectory)];
  // Oids and the like count what was made, and undone.
  for (const sql of [
    "SELECT database_name, path, readonly FROM duckdb_databases() ORDER BY ALL",
    "SELECT database_name, schema_name FROM duckdb_schemas() ORDER BY ALL",
    "SELECT database_name, schema_name, table_name, sql FROM duckdb_tables() ORDER BY ALL",
    "SELECT database_name, schema_name, view_name, sql FROM duckdb_views() WHERE NOT internal ORDER BY ALL",
    "SELECT database_name, schema_name, sequence_name FROM duckdb_sequences() ORDER BY ALL",
    "SELECT database_name, schema_name, type_name FROM duckdb_types() ORDER BY ALL",
    "SELECT database_name, schema_name, function_name, macro_definition FROM duckdb_functions() WHERE NOT internal ORDER BY ALL",
    "SELECT name FROM duckdb_secrets() ORDER BY ALL",
    "SELECT * FROM duckdb_variables() ORDER BY ALL",
    "SELECT name FROM duckdb_prepared_statements() ORDER BY ALL",
    "SELECT extension_name FROM duckdb_extensions() WHERE loaded ORDER BY ALL",
    "SELECT name, value FROM duckdb_settings() ORDER BY ALL",
    "SELECT count(*)::INTEGER FROM duckdb_logs()",
    ...VICTIMS,
  ])
    found.push([sql, await answer(sql)]);
  await jail.closeSession(session);
  return found;
}

/** Behind the gate: what a process runs where that let a statement through. Answers whether it may be used again. */
async function use(jail: LockedDatabase, sql: string): Promise<boolean> {
  const session = await jail.openSession();
  const taker = { check: () => undefined, columns: () => undefined, data: () => undefined };
  await streamResult(session, orderOf(sql), taker).catch(() => undefined);
  return jail.closeSession(session);
}

const orderOf = (body: string): RunOrder => ({
  body,
  explain: undefined,
  setup: [],
  paths: [],
  result: { format: "json", numbers: "exact", rowsMax: 10, bytesMax: 1_000 },
  requestId: "request-1",
  values: [],
  isSteady: true,
  filters: [],
});

/** No transaction undoes what these do, and the gate refuses them. */
const THROWN_AWAY = ["SELECT * FROM enable_logging()"];
/** Ends the process. */
const FATAL = ["SELECT * FROM enable_logging(storage = 'file', storage_path = '/tmp/x')"];

describe("a locked database that was used is as one that was not", () => {
  const statements = [...LEFTOVERS, ...UNGATED_ESCAPES, ...ESCAPES, ...THROWN_AWAY];
  it.each(statements.filter((sql) => !FATAL.includes(sql)))("after %s", async (sql) => {
    const jail = await openJail();
    try {
      const fresh = await described(jail);
      const isAsBefore = await use(jail, sql.replaceAll("$DIR", lake.platform.directory));
      expect(isAsBefore).toBe(!THROWN_AWAY.includes(sql));
      if (isAsBefore) expect(await described(jail)).toEqual(fresh);
    } finally {
      jail.close();
    }
  });

  it("or is thrown away: files and ended transactions are seen", async () => {
    const jail = await openJail();
    try {
      const session = await jail.openSession();
      await session.run("COMMIT");
      expect(await jail.closeSession(session)).toBe(false);
      writeFileSync(join(jail.spillDirectory, "left-over"), "");
      expect(await use(jail, "SELECT 1")).toBe(false);
    } finally {
      jail.close();
    }
  });

  it("and keeps to one thread where it was set up so", async () => {
    const jail = await openJail([ONE_THREAD]);
    const session = await jail.openSession();
    // Outside of a transaction, where none is broken by the one before.
    await session.run("ROLLBACK");
    for (const sql of ["SET threads = 2", "SET GLOBAL threads = 2", "RESET threads", "PRAGMA threads = 2"])
      await expect(session.run(sql)).rejects.toThrow("locked");
    const reader = await session.runAndReadAll("SELECT current_setting('threads')::INTEGER");
    expect(reader.getRowsJson()).toEqual([[1]]);
    jail.close();
  });

  it("its sessions are set as the connection that set it up", async () => {
    const jail = await openJail();
    const session = await jail.openSession();
    const settings = "SELECT name, value FROM duckdb_settings() ORDER BY ALL";
    const [ours, theirs] = [await jail.connection.runAndReadAll(settings), await session.runAndReadAll(settings)];
    expect(theirs.getRowsJson()).toEqual(ours.getRowsJson());
    jail.close();
  });

  it("a session that was connected ahead is as any other, and begins when its statement does", async () => {
    const jail = await openJail();
    const fresh = await described(jail);
    jail.connectAhead();
    expect(await described(jail)).toEqual(fresh);
    jail.connectAhead();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const before = Date.now();
    const session = await jail.openSession();
    const reader = await session.runAndReadAll("SELECT epoch_ms(now())");
    expect(Number(reader.getRows()[0]![0])).toBeGreaterThanOrEqual(before);
    await expect(session.run("CREATE TABLE t (i INTEGER)")).rejects.toThrow("read-only");
    expect(await jail.closeSession(session)).toBe(true);
    jail.connectAhead();
    jail.close();
    await expect.poll(() => existsSync(jail.spillDirectory)).toBe(false);
  });
});

/** The databases that are open now. */
const openDatabases = (): string[] => readdirSync(join(lake.directory, "cache", "tmp")).sort();

/** A statement has ended for its caller a moment before its database is put away. */
async function settled(): Promise<string[]> {
  let before = openDatabases().join();
  for (let same = 0, i = 0; same < 5 && i < 200; i++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const now = openDatabases().join();
    same = now === before ? same + 1 : 0;
    before = now;
  }
  return openDatabases();
}

describe("statements of one scope over the same files", () => {
  const columns = [column(1, "id", "int64"), column(2, "name", "varchar")];
  const ORDERS = "SELECT count(*)::INTEGER AS n, max(id)::INTEGER AS last FROM shop.orders";

  beforeAll(async () => {
    for (const [name, from] of Object.entries({ first: 0, second: 1_000 }))
      await lake.write(
        `${name}.parquet`,
        `SELECT range AS id, 'n' || range AS name FROM range(${from}, ${from + 1_000})`,
        "id: 1, name: 2",
      );
    lake.platform.addTable("shop", "orders", columns, [{ path: "first.parquet" }]);
    lake.platform.roles.set("member", [
      [aGrant("orders", { filters: [{ member: "id", operator: "lt" as const, values: ["10"] }] })],
    ]);
  });

  it("take the same database, whatever they are and however they fail", async () => {
    for (let i = 0; i < 5; i++) {
      expect(await lake.rows(ORDERS)).toEqual([{ n: 1_000, last: 999 }]);
      expect(await lake.rows("SELECT name FROM shop.orders WHERE id = 7")).toEqual([{ name: "n7" }]);
      expect((await lake.failure("SELECT nope FROM shop.orders")).code).toBe("sql_error");
      expect((await lake.failure("SELECT name::INTEGER FROM shop.orders")).code).toBe("sql_error");
      expect((await lake.document("FROM shop.orders", { rowsMax: 3 })).truncated).toBe(true);
    }
    // Each process has its kept database and the blank one. Databases are numbered as they are opened.
    expect((await settled()).map((name) => name.split("-")[1]).filter((n) => !["1", "2"].includes(n!))).toEqual([]);
  });

  it("leave it behind where they are cancelled", async () => {
    await lake.rows(ORDERS);
    const open = await settled();
    const signal = AbortSignal.timeout(300);
    await expect(lake.ask("SELECT count(*) FROM shop.orders, range(1e12::BIGINT)", { signal })).rejects.toThrow();
    expect(await settled()).not.toEqual(open);
    expect(await lake.rows(ORDERS)).toEqual([{ n: 1_000, last: 999 }]);
  });

  it("no other team, lake, scope or token takes it", () => {
    const grant = { teamId: "a", lakeId: "b", snapshotId: 1, token: "c" };
    const key = databaseKey(grant, ["s"], ["p"]);
    expect(databaseKey({ ...grant }, ["s"], ["p"])).toBe(key);
    const others = [
      databaseKey({ ...grant, teamId: "x" }, ["s"], ["p"]),
      databaseKey({ ...grant, lakeId: "x" }, ["s"], ["p"]),
      databaseKey({ ...grant, token: "x" }, ["s"], ["p"]),
      databaseKey({ ...grant, reader: "c" }, ["s"], ["p"]),
      databaseKey({ ...grant, reader: "x" }, ["s"], ["p"]),
      databaseKey(grant, ["x"], ["p"]),
      databaseKey(grant, ["s"], ["x"]),
      databaseKey(grant, ["s", "p"], []),
    ];
    expect(new Set([key, ...others]).size).toBe(others.length + 1);
    expect(databaseKey({ ...grant, reader: "x", token: "of another minute" }, ["s"], ["p"])).toBe(
      databaseKey({ ...grant, reader: "x" }, ["s"], ["p"]),
    );
  });

  it("who sees a part of a table sees it in turn with who sees all", async () => {
    for (let i = 0; i < 4; i++) {
      expect(await lake.rows(ORDERS)).toEqual([{ n: 1_000, last: 999 }]);
      expect(await lake.rows(ORDERS, { grant: { token: "member" } })).toEqual([{ n: 10, last: 9 }]);
    }
  });

  it("a later snapshot's rows are answered at once, and an earlier one's again", async () => {
    const table = lake.platform.addTable("shop", "growing", columns, [{ path: "first.parquet" }]);
    const grown = "SELECT count(*)::INTEGER AS n FROM shop.growing";
    for (let i = 0; i < 3; i++) expect(await lake.rows(grown)).toEqual([{ n: 1_000 }]);
    lake.platform.addTable("shop", "another", columns, []);
    const files = [...table.files];
    table.files.push(...lake.platform.addTable("shop", "more", columns, [{ path: "second.parquet" }]).files);
    for (let i = 0; i < 3; i++) expect(await lake.rows(grown)).toEqual([{ n: 2_000 }]);
    table.files = files.slice(0, 0);
    lake.platform.addTable("shop", "yet_another", columns, []);
    for (let i = 0; i < 3; i++) expect(await lake.rows(grown)).toEqual([{ n: 0 }]);
    table.files = files;
    lake.platform.addTable("shop", "last", columns, []);
    for (let i = 0; i < 3; i++) expect(await lake.rows(grown)).toEqual([{ n: 1_000 }]);
  });

  it("a text's columns are those of the values that are bound to it", async () => {
    for (let i = 0; i < 2; i++) {
      for (const [value, type] of [
        ["1", "VARCHAR"],
        [true, "BOOLEAN"],
      ] as const) {
        const { types, data } = await lake.document("SELECT ? AS v FROM shop.orders LIMIT 1", { values: [value] });
        expect([types[0]!.type, data]).toEqual([type, [{ v: value }]]);
      }
    }
  });

  it("variables that are bound are no other statement's", async () => {
    const asked = { values: ["mine"] };
    expect(await lake.rows("SELECT ? AS v, max(id)::INTEGER AS n FROM shop.orders", asked)).toEqual([
      { v: "mine", n: 999 },
    ]);
    const read = await lake.failure("SELECT getvariable('fjord_texts_1') FROM shop.orders");
    expect(read.code).toBe("statement_refused");
  });

  it("few are kept at a time", async () => {
    for (let i = 0; i < 12; i++) {
      lake.platform.addTable("many", `t${i}`, columns, [{ path: "first.parquet" }]);
      expect(await lake.rows(`SELECT count(*)::INTEGER AS n FROM many.t${i}`)).toEqual([{ n: 1_000 }]);
    }
    // Each process keeps four, and a blank one.
    const byProcess = Map.groupBy(await settled(), (name) => name.split("-")[0]);
    for (const names of byProcess.values()) expect(names.length).toBeLessThanOrEqual(5);
  });
});
