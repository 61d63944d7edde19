// MySQL and MariaDB as a source, on a real MariaDB.

import { createServer, type Server as TcpServer } from "node:net";
import mysql2, { type Connection as Root } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import type { Column, Row } from "../../../../containers/engine/formats/result.ts";
import { createWriter } from "../../../../containers/engine/formats/writers.ts";
import { mysql } from "../../../../containers/engine/sources/mysql/connector.ts";
import { SYSTEM_TABLES } from "../../../../containers/engine/sources/mysql/gate/forbidden.ts";
import { startMariadb } from "../../../support/node/servers/mariadb.ts";
import { freePort } from "../../../support/node/servers/server-process.ts";

const server = inject("mariadb");
const database = `shop_${process.pid}`;
const credentials = {
  host: "127.0.0.1",
  port: String(server.port),
  database,
  username: server.username,
  password: server.password,
};
const source = (changes: Partial<typeof credentials> = {}) => ({
  type: "mysql" as const,
  credentials: { ...credentials, ...changes },
});
const never = () => new AbortController().signal;

let root: Root;

beforeAll(async () => {
  root = await mysql2.createConnection({
    host: server.host,
    port: server.port,
    user: server.username,
    password: server.password,
    multipleStatements: true,
  });
  await root.query(`CREATE DATABASE ${database}; USE ${database}; SET time_zone = '+02:00', sql_mode = ''`);
  await root.query(
    "CREATE TABLE orders (id INT PRIMARY KEY, note TEXT) ENGINE=InnoDB; INSERT INTO orders VALUES (1, 'first')",
  );
});

afterAll(async () => {
  await root?.query(`DROP DATABASE IF EXISTS ${database}`);
  await root?.end();
});

const cellsOf = ({ bytes, starts, ends }: Row) =>
  Array.from(starts, (start, i) => (ends[i] === -1 ? null : Buffer.from(bytes.subarray(start, ends[i])).toString()));

const unbound = () => ({ source: source(), access: "everything" as const });

async function run(
  sql: string,
  signal = never(),
  from = source(),
): Promise<{ columns: Column[]; rows: (string | null)[][] }> {
  return mysql.query({ source: from, sql, access: "everything", signal }, async ({ columns, rows }) => {
    const all: (string | null)[][] = [];
    await rows((row) => all.push(cellsOf(row)) > 0);
    return { columns, rows: all };
  });
}

async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Failure);
  return error as Failure;
}

describe("the server's own databases", () => {
  it("show no statement of others, not even to whose role may read all and whose own database is one", async () => {
    await root.query("SET GLOBAL log_output = 'TABLE', general_log = ON");
    try {
      await root.query("SELECT 'S3cretPw'");
      for (const from of [source(), source({ database: "mysql" }), source({ database: "MYSQL" })])
        for (const table of ["mysql.general_log", "general_log", ".general_log", "`mysql` . `general_log`"])
          for (const sql of [`SELECT argument FROM ${table}`, `SELECT max(argument) FROM (${table})`])
            expect(await failureOf(run(sql, never(), from)), sql).toBeInstanceOf(Failure);
    } finally {
      await root.query("SET GLOBAL general_log = OFF; TRUNCATE mysql.general_log");
    }
    const listed = await run("SELECT count(*) FROM mysql.time_zone_name", never(), source({ database: "mysql" }));
    expect(listed.rows).toHaveLength(1);
  });

  it("have no list here of a table with others' statements, accounts or passwords", async () => {
    const [rows] = await root.query(
      "SELECT lower(concat(table_schema, '.', table_name)) AS name FROM information_schema.columns " +
        "WHERE table_schema IN ('mysql', 'sys', 'performance_schema', 'information_schema') AND column_name REGEXP " +
        "'password|authentication|^argument$|sql_text|query$|grantee|^(priv|info|host)$|_priv$'",
    );
    const telling = new Set((rows as { name: string }[]).map(({ name }) => name));
    expect(telling.size).toBeGreaterThan(20);
    const listed = Object.entries(SYSTEM_TABLES).flatMap(([schema, tables]) =>
      [...tables].map((table) => `${schema}.${table}`.toLowerCase()),
    );
    expect(listed.filter((name) => telling.has(name))).toEqual([]);
  });
});

/** Threads that run a statement with this word in it. */
async function running(word: string): Promise<number> {
  const [rows] = await root.query(
    "SELECT COUNT(*) AS n FROM information_schema.processlist WHERE info LIKE ? AND id <> CONNECTION_ID()",
    [`%${word}%`],
  );
  return Number((rows as { n: number }[])[0]!.n);
}

async function until(condition: () => Promise<boolean> | boolean, what: string): Promise<void> {
  for (
    const deadline = Date.now() + 60_000;
    !(await condition());
    await new Promise((resolve) => setTimeout(resolve, 20))
  ) {
    if (Date.now() > deadline) throw new Error(`Waited a minute for ${what}.`);
  }
}

describe("a query", () => {
  it("answers columns, types and exact text of every type", async () => {
    await root.query(`CREATE TABLE kinds (
      b BOOL, tu TINYINT UNSIGNED, i INT, iz INT(6) ZEROFILL, l BIGINT, lu BIGINT UNSIGNED, d DECIMAL(38,9), f FLOAT, dbl DOUBLE, bit3 BIT(3), bit64 BIT(64), y YEAR, dt DATE, tm TIME(6),
      dtm DATETIME(6), ts TIMESTAMP(6) NULL, j JSON, vc VARCHAR(20), ch CHAR(3) CHARACTER SET latin1, tx TEXT, bin BINARY(4), bl BLOB, e ENUM('a','b'), s SET('x','y'), g POINT, u UUID, ip INET6)`);
    await root.query(`INSERT INTO kinds VALUES (
      2, 255, -2147483648, 42, -9223372036854775808, 18446744073709551615, -12345678901234567890123456789.123456789, 0.1, 1.7976931348623157e308, 5, 18446744073709551615, 2026, '2026-01-31', '-838:59:58.5',
      '2026-01-31 10:00:00.5', '2026-01-31 12:00:00.123456', '{"a":\n1}', 'it''s "ü😀', 'é', '', 'ab', x'00ff', 'b', 'x,y', POINT(1, 2), '123e4567-e89b-12d3-a456-426655440000', '::1')`);
    const { columns, rows } = await run("SELECT * FROM kinds");
    const described = columns.map(({ name, type, kind }, i) => [name, type, kind, rows[0]![i]]);
    expect(described).toEqual([
      ["b", "tinyint(1)", "integer", "2"],
      ["tu", "tinyint unsigned", "integer", "255"],
      ["i", "int", "integer", "-2147483648"],
      ["iz", "int unsigned", "integer", "000042"],
      ["l", "bigint", "bigint", "-9223372036854775808"],
      ["lu", "bigint unsigned", "bigint", "18446744073709551615"],
      ["d", "decimal(38,9)", "decimal", "-12345678901234567890123456789.123456789"],
      ["f", "float", "float", "0.1"],
      ["dbl", "double", "float", "1.7976931348623157e308"],
      ["bit3", "bit(3)", "integer", "5"],
      ["bit64", "bit(64)", "bigint", "18446744073709551615"],
      ["y", "year", "integer", "2026"],
      ["dt", "date", "date", "2026-01-31"],
      ["tm", "time(6)", "text", "-838:59:58.5"],
      ["dtm", "datetime(6)", "timestamp", "2026-01-31T10:00:00.5"],
      ["ts", "timestamp(6)", "timestamptz", "2026-01-31T10:00:00.123456Z"],
      ["j", "json", "json", '{"a":\n1}'],
      ["vc", "varchar(20)", "text", "it's \"ü😀"],
      ["ch", "char(3)", "text", "é"],
      ["tx", "text", "text", ""],
      ["bin", "binary(4)", "binary", "YWIAAA=="],
      ["bl", "blob", "binary", "AP8="],
      ["e", "enum", "text", "b"],
      ["s", "set", "text", "x,y"],
      ["g", "point", "binary", "AAAAAAEBAAAAAAAAAAAA8D8AAAAAAAAAQA=="],
      ["u", "uuid", "text", "123e4567-e89b-12d3-a456-426655440000"],
      ["ip", "inet6", "text", "::1"],
    ]);
    expect(columns.find(({ name }) => name === "d")).toMatchObject({ precision: 38, scale: 9 });
    expect(columns[0]).not.toHaveProperty("conversion");
  });

  it("keeps NULL, the empty string and zero dates apart", async () => {
    await root.query(
      "CREATE TABLE zeros (d DATE, dt DATETIME, ts TIMESTAMP NULL); INSERT INTO zeros VALUES ('0000-00-00', '0000-00-00', '0000-00-00'), (NULL, NULL, NULL)",
    );
    expect((await run("SELECT d, dt, ts, '', NULL FROM zeros")).rows).toEqual([
      ["0000-00-00", "0000-00-00 00:00:00", "0000-00-00 00:00:00", "", null],
      [null, null, null, "", null],
    ]);
  });

  it("gives a JSON text that does not parse as a JSON string", async () => {
    await root.query(
      "SET check_constraint_checks = 0; CREATE TABLE broken (j JSON); INSERT INTO broken VALUES ('{\"a\": '), ('[1]'); SET check_constraint_checks = 1",
    );
    expect((await run("SELECT j FROM broken")).rows).toEqual([['"{\\"a\\": "'], ["[1]"]]);
  });

  it("gives the same rows by the driver's own reading", async () => {
    const sql = "SELECT id, note, REPEAT('x', 300), REPEAT('y', 70000), NULL FROM orders, seq_1_to_100";
    const connection = await mysql2.createConnection({
      host: server.host,
      port: server.port,
      user: server.username,
      password: server.password,
      database,
      rowsAsArray: true,
    });
    const [rows] = await connection.query(sql);
    await connection.end();
    expect((await run(sql)).rows).toEqual(
      (rows as (number | string | null)[][]).map((row) => row.map((cell) => (cell === null ? null : String(cell)))),
    );
  });

  it("reads rows of more than one packet's 16 MB", async () => {
    const { rows } = await run("SELECT REPEAT('x', 20000000) AS a, 'end' AS b UNION ALL SELECT 'short', 'row'");
    expect(rows[0]![0]).toHaveLength(20_000_000);
    expect([rows[0]![1], rows[1]]).toEqual(["end", ["short", "row"]]);
  });

  it("names columns distinctly, and answers SHOW, DESCRIBE, EXPLAIN and VALUES", async () => {
    expect((await run("SELECT 1 AS a, 2 AS a, 3 AS a_2")).columns.map(({ name }) => name)).toEqual(["a", "a_3", "a_2"]);
    expect((await run("SHOW TABLES LIKE 'orders'")).rows).toEqual([["orders"]]);
    expect((await run("DESCRIBE orders")).rows.map(([name]) => name)).toEqual(["id", "note"]);
    expect((await run("EXPLAIN SELECT 1")).rows).toHaveLength(1);
    expect((await run("VALUES (1, 'a'), (2, 'b');")).rows).toEqual([
      ["1", "a"],
      ["2", "b"],
    ]);
    expect((await run("SELECT id FROM orders WHERE note = '?' OR 1 = 0")).rows).toEqual([]);
  });

  it("gives the server's own words about a wrong statement, without trace of the connection", async () => {
    const failure = await failureOf(run("SELECT * FROM missing"));
    expect(failure.toJSON()).toEqual({ code: "sql_error", message: `Table '${database}.missing' doesn't exist` });
    expect(await failureOf(run("SELECT FROM WHERE"))).toMatchObject({
      code: "sql_error",
      message: expect.stringContaining("syntax"),
      position: 8,
    });
    expect(await failureOf(run("SELECT '😀',\n 1 frm t x y"))).toMatchObject({ code: "sql_error", position: 20 });
    expect(await failureOf(run("SELECT (1"))).toMatchObject({ code: "sql_error", position: 10 });
    await until(async () => (await running("missing")) === 0, "the statement to be gone");
  });

  it("rejects with what the taker threw, and with a server's error after the first rows", async () => {
    const mine = new Failure("sql_error", "mine");
    await expect(
      mysql.query({ source: source(), sql: "SELECT 1", access: "everything", signal: never() }, ({ rows }) =>
        rows(() => {
          throw mine;
        }),
      ),
    ).rejects.toBe(mine);
    let seen = 0;
    const failure = await failureOf(
      mysql.query(
        {
          ...unbound(),
          sql: "SELECT seq, (SELECT id FROM orders UNION SELECT seq) FROM seq_1_to_100000",
          signal: never(),
        },
        ({ rows }) => rows(() => ++seen > 0),
      ),
    );
    expect(failure).toMatchObject({ code: "sql_error", message: "Subquery returns more than 1 row" });
    expect(seen).toBeGreaterThan(0);
  });
});

describe("a connection that breaks", () => {
  it("is a failure, never the end of the rows", async () => {
    let seen = 0;
    const result = mysql.query(
      { ...unbound(), sql: "SELECT seq AS breaks_off, REPEAT('x', 1000) FROM seq_1_to_100000000", signal: never() },
      ({ rows }) =>
        rows(() => (++seen % 100 > 0 ? true : new Promise<boolean>((resolve) => setImmediate(resolve, true)))),
    );
    const failure = failureOf(result);
    await until(() => seen > 1_000, "rows");
    const [threads] = await root.query(
      "SELECT id FROM information_schema.processlist WHERE info LIKE '%breaks_off%' AND id <> CONNECTION_ID()",
    );
    await root.query(`KILL CONNECTION ${(threads as { id: number }[])[0]!.id}`);
    expect(["connection_failed", "sql_error"]).toContain((await failure).code);
  });
});

describe("reading only", () => {
  it.each(["InnoDB", "MyISAM", "Aria"])("holds for a function that writes to %s", async (engine) => {
    const name = `sneak_${engine.toLowerCase()}`;
    await root.query(`CREATE TABLE t_${name} (a INT) ENGINE=${engine}`);
    await root.query(
      `CREATE FUNCTION ${name}() RETURNS INT MODIFIES SQL DATA BEGIN INSERT INTO t_${name} VALUES (1); RETURN 1; END`,
    );
    expect(await failureOf(run(`SELECT ${name}()`))).toMatchObject({
      code: "statement_refused",
      message: expect.stringContaining("read only"),
    });
    const [rows] = await root.query(`SELECT COUNT(*) AS n FROM t_${name}`);
    expect(rows).toEqual([{ n: 0 }]);
  });

  it.each([
    "INSERT INTO orders VALUES (9, 'x')",
    "DROP TABLE orders",
    "CREATE TABLE made (a INT)",
    "TRUNCATE orders",
    "CALL change_orders()",
    "SELECT * FROM orders INTO OUTFILE '/tmp/fjord-mysql-escape'",
    "SELECT 1; DELETE FROM orders",
    "SELECT 1 /*! INTO OUTFILE '/tmp/fjord-mysql-escape' */",
  ])("refuses %j before the server sees it", async (sql) => {
    expect((await failureOf(run(sql))).code).toBe("statement_refused");
    const [rows] = await root.query("SELECT COUNT(*) AS n FROM orders");
    expect(rows).toEqual([{ n: 1 }]);
  });
});

describe("a statement that is not wanted any more", () => {
  it("is killed at the server before its first row", async () => {
    const stop = new AbortController();
    const reason = new Failure("cancelled", "No more.");
    const result = run("SELECT SLEEP(600) /* before_first_row */", stop.signal);
    await until(async () => (await running("before_first_row")) === 1, "the statement to run");
    stop.abort(reason);
    await expect(result).rejects.toBe(reason);
    await until(async () => (await running("before_first_row")) === 0, "the statement to be gone");
  });

  it("is killed at the server while its reader is held up", async () => {
    const stop = new AbortController();
    let seen = 0;
    const result = mysql.query(
      {
        source: source(),
        sql: "SELECT REPEAT('x', 1000), SLEEP(0) AS mid_stream FROM seq_1_to_10000000",
        access: "everything",
        signal: stop.signal,
      },
      ({ rows }) => rows(() => (++seen < 10 ? true : new Promise<boolean>(() => undefined))),
    );
    result.catch(() => undefined);
    await until(async () => seen === 10 && (await running("mid_stream")) === 1, "rows");
    stop.abort(new Failure("deadline_exceeded", "Too long."));
    expect(await failureOf(result)).toMatchObject({ code: "deadline_exceeded" });
    expect(seen).toBe(10);
    await until(async () => (await running("mid_stream")) === 0, "the statement to be gone");
  });

  it("is killed when its reader has enough", async () => {
    let seen = 0;
    await mysql.query(
      { ...unbound(), sql: "SELECT seq AS had_enough FROM seq_1_to_100000000", signal: never() },
      ({ rows }) => rows(() => ++seen < 3),
    );
    expect(seen).toBe(3);
    await until(async () => (await running("had_enough")) === 0, "the statement to be gone");
  });

  it("never reaches the server when it was aborted before", async () => {
    const reason = new Failure("cancelled", "No more.");
    await expect(run("SELECT 1", AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it("is ended by the server itself at its deadline", async () => {
    const failure = await failureOf(
      mysql.query(
        {
          source: source(),
          sql: "SELECT COUNT(*) FROM seq_1_to_1000000 a, seq_1_to_1000000 b WHERE a.seq + b.seq = 7",
          access: "everything",
          signal: never(),
          id: "q",
          deadlineMs: 100,
        },
        ({ rows }) => rows(() => true),
      ),
    );
    expect(failure.code).toBe("deadline_exceeded");
  });
});

describe("a large result", () => {
  it("streams a million rows to a slow reader in bounded memory", async () => {
    const writer = (columns: Column[]) =>
      createWriter({ columns, result: { format: "csv", numbers: "exact", rowsMax: 1, bytesMax: 1 }, requestId: "r" });
    let count = 0;
    let bytes = 0;
    let most = 0;
    const before = process.memoryUsage();
    await mysql.query(
      { ...unbound(), sql: "SELECT seq, REPEAT('x', 200) AS a, NOW() AS t FROM seq_1_to_1000000", signal: never() },
      async ({ columns, rows }) => {
        const csv = writer(columns);
        await rows((row) => {
          csv.write(row);
          count++;
          if (csv.pending < 256 * 1024) return true;
          bytes += csv.take().length;
          const { external, heapUsed } = process.memoryUsage();
          most = Math.max(most, external + heapUsed - before.external - before.heapUsed);
          return new Promise((resolve) => setImmediate(resolve, true));
        });
        bytes += csv.end({ durationMs: 1 }).length;
      },
    );
    expect(count).toBe(1_000_000);
    expect(bytes).toBeGreaterThan(220_000_000);
    expect(most).toBeLessThan(120_000_000);
  });
});

describe("a connection test", () => {
  it("says product, version, TLS and whether the account can write", async () => {
    expect(await mysql.test(source(), never())).toEqual({
      product: "MariaDB",
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      tls: true,
      canWrite: true,
    });
    await root.query(`CREATE USER 'reader'@'%' IDENTIFIED BY 'r'; GRANT SELECT ON ${database}.* TO 'reader'@'%'`);
    expect(await mysql.test(source({ username: "reader", password: "r" }), never())).toMatchObject({ canWrite: false });
    expect((await run("SELECT id FROM orders", never(), source({ username: "reader", password: "r" }))).rows).toEqual([
      ["1"],
    ]);
    await root.query("DROP USER 'reader'@'%'");
  });

  it("does without TLS where the server has none", async () => {
    const bare = await startMariadb({ tls: false });
    try {
      const plain = source({ port: String(bare.server.port), database: "mysql" });
      expect(await mysql.test(plain, never())).toMatchObject({ tls: false });
      expect((await run("SELECT 1", never(), plain)).rows).toEqual([["1"]]);
    } finally {
      await bare.stop();
    }
  });

  it("names a wrong password, a missing database, a closed port and a bad port, without the password", async () => {
    const reasons = await Promise.all(
      [
        { password: "wrong-canary" },
        { username: "nobody-here" },
        { database: "not_there" },
        { port: String(await freePort()) },
        { port: "70000" },
        { port: "" },
      ].map(async (changes) => {
        const failure = await failureOf(mysql.test(source(changes), never()));
        expect(JSON.stringify(failure)).not.toMatch(/canary|a-test's password/);
        return [failure.code, failure.reason];
      }),
    );
    expect(reasons).toEqual(
      ["authentication", "authentication", "database_missing", "refused", "other", "other"].map((reason) => [
        "connection_failed",
        reason,
      ]),
    );
  });

  it("gives up on a server that is silent, or is none of MySQL's", async () => {
    const silent = await listen(() => undefined);
    const webServer = await listen((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    try {
      const reason = new Failure("cancelled", "No more.");
      const stop = new AbortController();
      const waiting = mysql.test(source({ port: silent.port }), stop.signal);
      await until(() => silent.connections() === 1, "the connection");
      stop.abort(reason);
      await expect(waiting).rejects.toBe(reason);
      expect(await failureOf(mysql.test(source({ port: webServer.port }), never()))).toMatchObject({
        code: "connection_failed",
        reason: "other",
      });
      expect(await failureOf(mysql.test(source({ port: silent.port }), never()))).toMatchObject({
        code: "connection_failed",
        reason: "timeout",
      });
    } finally {
      silent.close();
      webServer.close();
    }
  });
});

async function listen(
  answer: (socket: import("node:net").Socket) => void,
): Promise<{ port: string; connections(): number; close(): TcpServer }> {
  let connections = 0;
  const tcp = createServer((socket) => {
    connections++;
    socket.on("error", () => undefined);
    answer(socket);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => tcp.listen(port, "127.0.0.1", resolve));
  return { port: String(port), connections: () => connections, close: () => tcp.close() };
}
