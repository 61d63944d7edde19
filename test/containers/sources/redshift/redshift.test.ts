// Redshift as a source, before a fake of it that speaks its protocol: what its values look like when they arrive, its
// errors, and what ends a statement.

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { redshift } from "../../../../containers/engine/sources/redshift/connector.ts";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { FakeRedshift } from "../../../support/node/sources/redshift/fake-redshift.ts";
import { ask } from "../../../support/node/sources/redshift/ask.ts";
import { ownPostgres } from "../../../support/node/sources/sources.ts";

let fake: FakeRedshift;
beforeAll(async () => {
  fake = await FakeRedshift.start(ownPostgres());
  await fake.admin.query(`
    CREATE SCHEMA shop;
    CREATE TABLE shop.orders (id bigint PRIMARY KEY, placed timestamptz NOT NULL, note varchar(20), details redshift.super);
    COMMENT ON TABLE shop.orders IS 'What was ordered'; COMMENT ON COLUMN shop.orders.note IS 'By hand';
    CREATE TABLE shop.lines (order_id bigint REFERENCES shop.orders, line int, PRIMARY KEY (order_id, line));
    CREATE VIEW shop.recent AS SELECT * FROM shop.orders;
    INSERT INTO shop.orders SELECT n, '2026-01-01 00:00:00+00'::timestamptz + n * interval '1 s', 'n' || n, '{"a":1}'
    FROM generate_series(1, 20000) n`);
});
afterAll(() => fake.close());
afterEach(() => {
  fake.fault = undefined;
  fake.authentication = "md5";
});

const failureOf = (promise: Promise<unknown>): Promise<Failure> =>
  promise.then(
    () => Promise.reject(new Error("it succeeded")),
    (error: unknown) => (error instanceof Failure ? error : Promise.reject(error)),
  );
const never = new AbortController().signal;

describe("a connection", () => {
  it("is tested, with Redshift's own version", async () => {
    expect(await redshift.test(fake.source(), never)).toEqual({
      product: "Amazon Redshift",
      version: "1.0.99999",
      tls: false,
      canWrite: true,
    });
  });

  it("says that a user may only read", async () => {
    await fake.createUser("rs_reader", "p'w");
    const report = await redshift.test(fake.source({ username: "rs_reader", password: "p'w" }), never);
    expect(report.canWrite).toBe(false);
  });

  it("logs in with a password that is kept by SHA-256", async () => {
    fake.authentication = "digest";
    expect((await redshift.test(fake.source(), never)).product).toBe("Amazon Redshift");
    const failure = await failureOf(redshift.test(fake.source({ password: "wrong" }), never));
    expect(failure).toMatchObject({ code: "connection_failed", reason: "authentication" });
    expect(failure.message).toMatch(/^Amazon Redshift refused the connection: password authentication failed/);
  });

  it("is refused where the server is another", async () => {
    const { port, username, password } = ownPostgres();
    const failure = await failureOf(
      redshift.test(
        {
          type: "redshift",
          credentials: { host: "localhost", port: String(port), database: "postgres", username, password },
        },
        never,
      ),
    );
    expect(failure.message).toMatch(/^The server says that it is PostgreSQL \d.*, which is not Amazon Redshift/);
  });
});

describe("values", () => {
  // [SQL, type, kind, canonical text]
  it.each([
    ["true", "boolean", "boolean", "true"],
    ["CAST(-32768 AS smallint)", "smallint", "integer", "-32768"],
    ["CAST(9223372036854775807 AS bigint)", "bigint", "bigint", "9223372036854775807"],
    ["CAST('99999999999999999999999999999999999999' AS decimal(38,0))", "numeric(38,0)", "decimal", "9".repeat(38)],
    [
      "CAST('0.0000000000000000000000000000000000001' AS decimal(38,37))",
      "numeric(38,37)",
      "decimal",
      `0.${"0".repeat(36)}1`,
    ],
    ["CAST(0.1 AS real)", "real", "float", "0.1"],
    ["CAST('16777217.5' AS real)", "real", "float", "16777218"],
    ["CAST('1.17549435e-38' AS real)", "real", "float", "1.1754944e-38"],
    ["CAST('3.4028235e38' AS real)", "real", "float", "3.4028235e+38"],
    ["CAST('0.30000000000000004' AS float8)", "double precision", "float", "0.30000000000000004"],
    ["CAST('NaN' AS float8)", "double precision", "float", "NaN"],
    ["CAST('-Infinity' AS real)", "real", "float", "-Infinity"],
    ["CAST('-0' AS float8)", "double precision", "float", "-0"],
    ["CAST('ü 😀' AS varchar(20))", "character varying(20)", "text", "ü 😀"],
    ["date '2026-01-31'", "date", "date", "2026-01-31"],
    ["time '10:00:00.5'", "time without time zone", "time", "10:00:00.5"],
    [
      "timestamp '2026-01-31 10:00:00.000001'",
      "timestamp without time zone",
      "timestamp",
      "2026-01-31T10:00:00.000001",
    ],
    ["timestamptz '2026-01-31 10:00:00+02'", "timestamp with time zone", "timestamptz", "2026-01-31T08:00:00Z"],
    ["timetz '10:00:00+02'", "time with time zone", "text", "10:00:00+02"],
    [`CAST('{"a": [1, "x", null]}' AS super)`, "super", "json", '{"a": [1, "x", null]}'],
    ["from_hex('61')", "varbyte", "binary", "YQ=="],
    ["from_hex('00ff616263')", "varbyte", "binary", "AP9hYmM="],
    ["CAST('0101000000' AS geometry)", "geometry", "text", "0101000000"],
    ["CAST('1 years 2 mons' AS intervaly2m)", "interval year to month", "text", "1 years 2 mons"],
    [`'a\\\\b'`, "text", "text", "a\\b"],
    ["CAST(NULL AS real)", "real", "float", null],
  ])("%s", async (sql, type, kind, text) => {
    const { columns, rows } = await ask(fake, `SELECT ${sql} AS v, 'end' AS e`);
    expect(columns[0]).toMatchObject({ name: "v", type, kind });
    expect(rows).toEqual([[text, "end"]]);
  });

  it("keep their columns where some are bytes, NULL or rewritten beside each other", async () => {
    const { rows } = await ask(
      fake,
      "SELECT CAST(1.5 AS real) a, true b, CAST(NULL AS float8) c, from_hex('62') d, 'x' e, CAST(2 AS float8) f, false g",
    );
    expect(rows).toEqual([["1.5", "true", null, "Yg==", "x", "2", "false"]]);
  });
});

describe("an introspection", () => {
  it("lists tables and views with their columns, comments and declared keys", async () => {
    const { schemas } = await redshift.introspect(fake.source(), never);
    const shop = schemas.find(({ name }) => name === "shop")!;
    expect(shop.tables.map(({ name, kind, primaryKey }) => [name, kind, primaryKey])).toEqual([
      ["lines", "table", ["order_id", "line"]],
      ["orders", "table", ["id"]],
      ["recent", "view", []],
    ]);
    expect(shop.tables[0]!.foreignKeys).toEqual([
      { columns: ["order_id"], schema: "shop", table: "orders", references: ["id"] },
    ]);
    expect(shop.tables[1]).toMatchObject({ comment: "What was ordered" });
    expect(shop.tables[1]!.columns.map(({ name, type, nullable, comment }) => [name, type, nullable, comment])).toEqual(
      [
        ["id", "bigint", false, null],
        ["placed", "timestamp with time zone", false, null],
        ["note", "character varying(20)", true, "By hand"],
        ["details", "super", true, null],
      ],
    );
    expect(schemas.map(({ name }) => name)).toEqual(["shop"]);
  });

  it("leaves out what the user may not read", async () => {
    await fake.createUser("rs_lines", "pw");
    await fake.admin.query("GRANT USAGE ON SCHEMA shop TO rs_lines; GRANT SELECT ON shop.lines TO rs_lines");
    const { schemas } = await redshift.introspect(fake.source({ username: "rs_lines", password: "pw" }), never);
    expect(schemas.flatMap(({ tables }) => tables.map(({ name }) => name))).toEqual(["lines"]);
  });
});

describe("a statement", () => {
  it("runs in a read-only transaction, in UTC", async () => {
    const { rows } = await ask(fake, "SELECT current_setting('transaction_read_only'), current_setting('timezone')");
    expect(rows).toEqual([["on", "UTC"]]);
  });

  it("gets the server's own time limit where that is shorter, else what is left of its deadline", async () => {
    const limitOf = async (deadlineMs: number) =>
      (await ask(fake, "SHOW statement_timeout", { deadlineMs })).rows[0]![0];
    expect(await limitOf(60_000)).toMatch(/^6[12]\d{3}ms$|^62s$/);
    await fake.createUser("rs_short", "pw");
    await fake.admin.query("ALTER ROLE rs_short SET statement_timeout = 2500");
    const { rows } = await ask(fake, "SHOW statement_timeout", {
      deadlineMs: 60_000,
      source: fake.source({ username: "rs_short", password: "pw" }),
    });
    expect(rows).toEqual([["2500ms"]]);
  });

  it("tells the server's error with its place", async () => {
    const failure = await failureOf(ask(fake, "SELECT id, nothing FROM shop.orders"));
    expect(failure).toMatchObject({ code: "sql_error", position: 12 });
    expect(failure.message).toContain('column "nothing" does not exist');
  });

  it("says what Redshift's own syntax can't be read, and what to write", async () => {
    const failure = await failureOf(ask(fake, "SELECT TOP 5 * FROM shop.orders"));
    expect(failure.code).toBe("sql_error");
    expect(failure.message).toContain("write LIMIT for TOP");
  });

  it("is cancelled at the server when it is aborted, in the middle of its rows", async () => {
    const abort = new AbortController();
    const before = fake.cancels;
    let seen = 0;
    const running = ask(fake, "SELECT a.id FROM shop.orders a CROSS JOIN shop.orders b", {
      signal: abort.signal,
      take: () => {
        if (++seen === 1000) abort.abort(new Error("stopped by the test"));
        return true;
      },
    });
    await expect(running).rejects.toThrow("stopped by the test");
    expect(fake.cancels).toBe(before + 1);
    await expect.poll(() => fake.sessions, { timeout: 10_000 }).toBe(0);
  });

  it("says what ended it where the server cancels it", async () => {
    await fake.createUser("rs_slow", "pw");
    await fake.admin.query("ALTER ROLE rs_slow SET statement_timeout = 300");
    const source = fake.source({ username: "rs_slow", password: "pw" });
    const failure = await failureOf(ask(fake, "SELECT pg_sleep(30)", { source, deadlineMs: 60_000 }));
    expect(failure.code).toBe("deadline_exceeded");
  });
});

describe("a server that fails in the middle of a result", () => {
  const STATEMENT = "SELECT id, note FROM shop.orders ORDER BY id";

  it("ends the statement where it closes the connection", async () => {
    fake.fault = { kind: "close", row: 5_000 };
    const failure = await failureOf(ask(fake, STATEMENT));
    expect(failure).toMatchObject({ code: "connection_failed" });
    await expect.poll(() => fake.sessions, { timeout: 10_000 }).toBe(0);
  });

  it("ends it where a row can't be of its length", async () => {
    fake.fault = { kind: "huge", row: 5_000 };
    expect((await failureOf(ask(fake, STATEMENT))).message).toMatch(/larger than \d+ MiB|length/);
  });

  it("is left when the deadline aborts, where it falls silent", async () => {
    fake.fault = { kind: "stall", row: 5_000 };
    const timeout = AbortSignal.timeout(1_000);
    await expect(ask(fake, STATEMENT, { signal: timeout })).rejects.toMatchObject({ name: "TimeoutError" });
    await expect.poll(() => fake.sessions, { timeout: 10_000 }).toBe(0);
  });
});
