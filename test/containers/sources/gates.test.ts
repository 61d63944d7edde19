// The gates before PostgreSQL and MySQL against all that a real server has, and at every position where a statement may
// hold something.

import type { Connection } from "mysql2/promise";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { Failure } from "../../../containers/engine/core/failure.ts";
import { checkMysqlStatement } from "../../../containers/engine/sources/mysql/gate/check-statement.ts";
import { checkStatement, loadParser } from "../../../containers/engine/sources/postgres/gate/check-statement.ts";
import { POSTGRES_RULES } from "../../../containers/engine/sources/postgres/gate/gate-rules.ts";
import { EXPRESSIONS, TABLES } from "../../support/node/sources/postgres-places.ts";
import { connectMariadb, connectPostgres, ownPostgres } from "../../support/node/sources/sources.ts";

let postgres: pg.Client;
let mariadb: Connection;
beforeAll(async () => {
  await loadParser();
  [postgres, mariadb] = await Promise.all([connectPostgres(ownPostgres()), connectMariadb(inject("mariadb"))]);
});
afterAll(() => Promise.all([postgres.end(), mariadb.end()]));

const checkPostgresStatement = (sql: string) => checkStatement(sql, POSTGRES_RULES);

/** The statements that a gate lets through. */
const passing = (check: (sql: string) => unknown, statements: readonly string[]): string[] =>
  statements.filter((sql) => {
    try {
      check(sql);
      return true;
    } catch (error) {
      if (error instanceof Failure && ["statement_refused", "sql_error"].includes(error.code)) return false;
      throw error;
    }
  });

/**
 * Volatile in PostgreSQL's words, and harmless: they make values, read the clock, wait, or report on the server without
 * its files.
 */
const HARMLESS = new RegExp(
  `^(${[
    "random.*",
    "array_(sample|shuffle)",
    "setseed",
    "gen_random_uuid",
    "uuidv[47]",
    "clock_timestamp",
    "timeofday",
    "current_query",
    "pg_sleep(_for|_until)?",
    "bernoulli",
    "system",
    "amvalidate",
    ".*handler",
    "plpgsql_validator",
    "dsnowball_.*",
    "ts_rewrite",
    "lo_get",
    "currval",
    "lastval",
    "pg_sequence_last_value",
    "pg_get_(sequence_data|wait_events)",
    "txid_status",
    "pg_xact_.*",
    "pg_last_.*",
    "pg_get_multixact_(members|stats)",
    "pg_(relation|table|indexes|total_relation|database|tablespace)_size",
    "pg_partition_(tree|ancestors)",
    "pg_(database_)?collation_actual_version",
    "pg_stat_(get|have)_.*",
    "pg_(lock_status|blocking_pids|safe_snapshot_blocking_pids|prepared_xact|notification_queue_usage|jit_available|numa_available)",
    "pg_control_(checkpoint|init|recovery|system)",
    "pg_current_wal_.*",
    "pg_is_(in_recovery|wal_replay_paused)",
    "pg_get_(wal|shmem|backend_memory|aios|process_memory|loaded_modules).*",
    "pg_show_replication_origin_status",
  ].join("|")})$`,
);

const filled = (places: readonly string[], part: string) => places.map((place) => place.replace("?", () => part));

describe("the gate before PostgreSQL", () => {
  it("refuses each of the server's volatile functions that is not known to be harmless", async () => {
    const { rows } = await postgres.query<{ name: string }>(
      "SELECT DISTINCT proname AS name FROM pg_proc WHERE provolatile = 'v' AND prokind = 'f' AND prorettype <> 'trigger'::regtype AND pronamespace = 'pg_catalog'::regnamespace",
    );
    expect(rows.length).toBeGreaterThan(150);
    const harmful = rows.map(({ name }) => name).filter((name) => !HARMLESS.test(name));
    expect(harmful.length).toBeGreaterThan(60);
    expect(
      passing(
        checkPostgresStatement,
        harmful.flatMap((name) => [
          `SELECT ${name}()`,
          `SELECT pg_catalog."${name}"(1, 2)`,
          `SELECT * FROM ${name}(1)`,
          `SELECT (1).${name}`,
        ]),
      ),
    ).toEqual([]);
  });

  it.each([
    "pg_read_file('/etc/passwd')",
    "pg_catalog.nextval('s')",
    "(SELECT max(type) FROM pg_hba_file_rules)",
    "query_to_xml('SELECT 1', true, true, '')",
    "(1).lo_unlink",
    "dblink('', '')",
    "pg_terminate_backend(1)",
    "(SELECT passwd FROM pg_shadow LIMIT 1)",
  ])("refuses %s wherever an expression may stand", (part) => {
    expect(passing(checkPostgresStatement, filled(EXPRESSIONS, "1"))).toEqual(filled(EXPRESSIONS, "1"));
    expect(passing(checkPostgresStatement, filled(EXPRESSIONS, part))).toEqual([]);
  });

  it.each(["pg_file_settings", "pg_catalog.pg_authid", "information_schema.user_mapping_options"])(
    "refuses %s wherever a table may stand",
    (part) => {
      expect(passing(checkPostgresStatement, filled(TABLES, "public.orders"))).toEqual(filled(TABLES, "public.orders"));
      expect(passing(checkPostgresStatement, filled(TABLES, part))).toEqual([]);
    },
  );

  it("refuses every statement that does not begin as a reading one, and every keyword in its place", async () => {
    const { rows } = await postgres.query<{ word: string }>(
      "SELECT word FROM pg_get_keywords() WHERE word NOT IN ('select', 'with', 'values', 'table', 'explain', 'show')",
    );
    expect(rows.length).toBeGreaterThan(400);
    const rests = [
      "",
      " x",
      " TABLE x",
      " INTO x VALUES (1)",
      " x SET a = 1",
      " FROM x",
      " x AS SELECT 1",
      " FUNCTION x",
      " ALL",
      " x TO y",
      " (SELECT 1) TO STDOUT",
    ];
    expect(
      passing(
        checkPostgresStatement,
        rows.flatMap(({ word }) => rests.map((rest) => word + rest)),
      ),
    ).toEqual([]);
  });
});

const MYSQL_EXPRESSIONS = [
  "SELECT ?",
  "SELECT 1 AS a, ? AS b",
  "SELECT 1 FROM t WHERE ? IS NULL",
  "SELECT 1 AS a FROM t GROUP BY ?",
  "SELECT count(*) FROM t HAVING ? IS NULL",
  "SELECT 1 AS a FROM t ORDER BY ?",
  "SELECT sum(1) OVER (PARTITION BY ?) FROM t",
  "SELECT GROUP_CONCAT(a ORDER BY ?) FROM t",
  "SELECT CASE WHEN ? IS NULL THEN 1 END",
  "SELECT ? BETWEEN 1 AND 2",
  "SELECT 1 IN (?, 2)",
  "SELECT ? IN (SELECT 1)",
  "SELECT CAST(? AS CHAR)",
  "SELECT COALESCE(NULL, ?)",
  "SELECT (SELECT ?)",
  "SELECT EXISTS (SELECT ?)",
  "VALUES (1), (?)",
  "SELECT * FROM (SELECT ?) t",
  "WITH a AS (SELECT ?) SELECT * FROM a",
  "SELECT 1 UNION SELECT ?",
  "(SELECT ?)",
  "((SELECT 1)) UNION (SELECT ?)",
  "SELECT 1 FROM t JOIN u ON ? IS NULL",
  "EXPLAIN SELECT ?",
  "EXPLAIN FORMAT=JSON SELECT ?",
  "SHOW TABLES WHERE ? IS NULL",
  "SELECT NOT ?",
  "SELECT - ?",
  "SELECT 1 DIV ?",
  "SELECT 'a' LIKE ?",
  "SELECT 'a' REGEXP ?",
  "SELECT ? COLLATE utf8mb4_bin",
  "SELECT IF(?, 1, 2)",
  "SELECT @a, ?",
  "SELECT INTERVAL ? DAY + NOW()",
  "SELECT 1 /* c */,/**/?-- x",
  "SELECT 1,# c\n?",
];

const checkMysql = (sql: string) => checkMysqlStatement(sql);

describe("the gate before MySQL", () => {
  it.each([
    "LOAD_FILE('/etc/passwd')",
    "`load_file` ('/etc/passwd')",
    "GET_LOCK('a', 1)",
    "NEXTVAL(s)",
    "sys_exec('id')",
    "@a := 1",
    "(SELECT 1 INTO @a)",
    "(SELECT Password FROM mysql.user)",
    "NEXT VALUE FOR s",
    "/*! 1 */ 1",
  ])("refuses %s wherever an expression may stand", (part) => {
    expect(passing(checkMysql, filled(MYSQL_EXPRESSIONS, "1"))).toEqual(filled(MYSQL_EXPRESSIONS, "1"));
    expect(passing(checkMysql, filled(MYSQL_EXPRESSIONS, part))).toEqual([]);
  });

  it("refuses every statement that begins with a word of the server's other than the reading ones", async () => {
    const [rows] = await mariadb.query(
      "SELECT WORD FROM information_schema.KEYWORDS WHERE WORD REGEXP '^[A-Z_]+$' AND WORD NOT IN ('SELECT', 'WITH', 'SHOW', 'DESCRIBE', 'DESC', 'EXPLAIN', 'TABLE', 'VALUES')",
    );
    const words = (rows as string[][]).flat();
    expect(words.length).toBeGreaterThan(500);
    const rests = [
      "",
      " x",
      " TABLE x",
      " INTO x VALUES (1)",
      " x SET a = 1",
      " FROM x",
      "/**/x",
      ";",
      " STATEMENT a = 1 FOR SELECT 1",
    ];
    expect(
      passing(
        checkMysql,
        words.flatMap((word) => rests.flatMap((rest) => [word + rest, `(${word}${rest})`])),
      ),
    ).toEqual([]);
    // Only these changing statements can be explained at all, and ANALYZE would run them.
    const changing = ["INSERT", "REPLACE", "UPDATE", "DELETE"].flatMap((word) => rests.map((rest) => word + rest));
    expect(
      passing(
        checkMysql,
        changing.flatMap((sql) =>
          ["EXPLAIN", "EXPLAIN ANALYZE", "EXPLAIN FORMAT=JSON", "DESC", "DESCRIBE EXTENDED"].map(
            (verb) => `${verb} ${sql}`,
          ),
        ),
      ),
    ).toEqual([]);
  });
});
