// Ways around data-access roles on a real MariaDB: none shows a hidden value, name or number, and what is hidden
// answers as what is missing does, to the byte.

import type { Connection } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { AccessRoles } from "../../../../kernel/access/access.ts";
import { HIDDEN_NAME, leaksIn } from "../../../support/node/access/canaries.ts";
import { MYSQL_BYPASSES } from "../../../support/node/access/mysql-bypasses.ts";
import { runAsCaller, type Outcome } from "../../../support/node/access/mysql-caller.ts";
import { connectMariadb } from "../../../support/node/sources/sources.ts";

const server = inject("mariadb");
const db = `access_${process.pid}`;
/** A name that nothing begins with, as long as the beginnings of the hidden names. */
const MISSING = "nowhere";

const whole = { schema: db, excludes: [], masks: {}, filters: [] };
const ROLES: AccessRoles = [
  [
    {
      ...whole,
      table: "orders",
      excludes: ["SSN"],
      masks: { card: "***" },
      filters: [{ member: "Region", operator: "equals", values: ["eu"] }],
    },
    { ...whole, table: "regions" },
    { ...whole, table: "accounts", excludes: ["canary_id"] },
    { ...whole, table: "history", filters: [{ member: "name", operator: "notContains", values: ["canaryvalue"] }] },
    { ...whole, table: "gone" },
  ],
];

let root: Connection;

beforeAll(async () => {
  root = await connectMariadb(server);
  await root.query(`CREATE DATABASE ${db}; CREATE DATABASE ${db}_canary_; USE ${db};
    CREATE TABLE orders (id INT PRIMARY KEY, region VARCHAR(20), note TEXT, amount BIGINT, card VARCHAR(40) DEFAULT 'CANARYVALUE',
      ssn VARCHAR(40) DEFAULT 'CANARYVALUE-default', KEY (region));
    INSERT INTO orders VALUES (1, 'eu', 'first', 10, 'CANARYVALUE-card', 'CANARYVALUE-ssn'), (2, 'eu', 'second', 20, 'CANARYVALUE-card', 'CANARYVALUE-ssn'),
      (3, 'EU', '(CANARYVALUE', 771234, 'CANARYVALUE', 'CANARYVALUE'), (4, 'CANARYVALUE', '(CANARYVALUE<', 771234, 'CANARYVALUE', 'CANARYVALUE'),
      (5, NULL, '(CANARYVALUE', 771234, 'CANARYVALUE', 'CANARYVALUE'), (6, 'eu ', '(CANARYVALUE', 771234, 'CANARYVALUE', 'CANARYVALUE');
    CREATE TABLE regions (name VARCHAR(20)); INSERT INTO regions VALUES ('eu'), ('us');
    CREATE TABLE accounts (canary_id INT PRIMARY KEY, owner VARCHAR(20)); INSERT INTO accounts VALUES (771234, 'me');
    CREATE TABLE history (id INT PRIMARY KEY, name VARCHAR(20)) WITH SYSTEM VERSIONING;
    INSERT INTO history VALUES (1, 'CANARYVALUE-old'), (2, 'CanaryValue-past'); UPDATE history SET name = 'new' WHERE id = 1;
    CREATE TABLE canary_salaries (name VARCHAR(20), pay INT); INSERT INTO canary_salaries VALUES ('CANARYVALUE-boss', 771234);
    CREATE VIEW canary_view AS SELECT * FROM canary_salaries;
    CREATE FUNCTION canary_secret() RETURNS TEXT READS SQL DATA RETURN (SELECT MAX(name) FROM canary_salaries);
    CREATE SEQUENCE canary_numbers START WITH 771234;
    CREATE TABLE ${db}_canary_.things (name VARCHAR(20)); INSERT INTO ${db}_canary_.things VALUES ('CANARYVALUE-thing')`);
});

afterAll(async () => {
  await root?.query(`DROP DATABASE IF EXISTS ${db}; DROP DATABASE IF EXISTS ${db}_canary_`);
  await root?.end();
});

const withMissing = (text: string): string =>
  text.replaceAll(HIDDEN_NAME, MISSING).replaceAll(HIDDEN_NAME.toUpperCase(), MISSING.toUpperCase());
const written = (outcome: Outcome): string => JSON.stringify(outcome);
const inDatabase = (sql: string): string => sql.replaceAll("DB", db);
const bound = (sql: string): Promise<Outcome> => runAsCaller(server, db, inDatabase(sql), ROLES);

describe("a way around roles on MySQL", () => {
  it.each(MYSQL_BYPASSES)("shows nothing hidden: %s", async (sql) => {
    const startedAt = performance.now();
    const outcome = written(await bound(sql));
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    const missing = written(await bound(withMissing(sql)));
    expect(withMissing(outcome)).toBe(missing);
    expect(leaksIn(missing, "")).toEqual([]);
    expect(missing).not.toMatch(/x[0-9a-f]{12}_/);
  });

  it("is one: without roles the statements show what is hidden", async () => {
    let shown = 0;
    for (const sql of MYSQL_BYPASSES) {
      if (/SLEEP|BENCHMARK/.test(sql)) continue;
      const outcome = await runAsCaller(server, db, inDatabase(sql));
      if ("rows" in outcome && leaksIn(written(outcome), "").length > 0) shown++;
    }
    expect(shown).toBeGreaterThan(50);
  });
});

describe("what a caller sees of MySQL whom roles bind", () => {
  it.each<[string, (string | null)[][]]>([
    [
      "SELECT * FROM orders ORDER BY id",
      [
        ["1", "eu", "first", "10", "***"],
        ["2", "eu", "second", "20", "***"],
      ],
    ],
    ["SELECT count(*) FROM DB.orders", [["2"]]],
    ["SELECT o.id, regions.name FROM orders o JOIN regions ON regions.name = o.region WHERE o.id > 1", [["2", "eu"]]],
    ["SELECT DB.orders.id FROM DB.orders WHERE orders.amount = 20", [["2"]]],
    ["WITH orders AS (SELECT orders.id FROM orders) SELECT MAX(orders.id) FROM orders", [["2"]]],
    ["WITH a AS (WITH b AS (SELECT * FROM orders) SELECT COUNT(*) AS n FROM b) SELECT a.n FROM a", [["2"]]],
    ["SELECT * FROM (WITH x AS (SELECT id FROM orders) SELECT MAX(x.id) FROM x) d", [["2"]]],
    [
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT n.i, o.id FROM n LEFT JOIN orders o ON o.id = n.i",
      [
        ["1", "1"],
        ["2", "2"],
        ["3", null],
      ],
    ],
    ["SELECT a.id, b.id FROM orders a, DB.orders b WHERE a.id < b.id", [["1", "2"]]],
    ["SELECT * FROM accounts", [["me"]]],
    ["SELECT name FROM history", [["new"]]],
    [
      "SELECT 'it''s', \"a\\\"b\", 'a\\\\', 1.5, .5, 0x41 = 'A', 2--1",
      [["it's", 'a"b', "a\\", "1.5", "0.5", "1", "3"]],
    ],
    ["SELECT EXTRACT(YEAR FROM d.day) FROM (SELECT DATE '2020-02-01' AS day) d", [["2020"]]],
    ["SELECT region.region FROM (SELECT region FROM orders LIMIT 1) AS region", [["eu"]]],
  ])("%s", async (sql, rows) => {
    expect(await bound(sql)).toEqual(expect.objectContaining({ rows }));
  });

  it("is told of an error by its own names, and where it is", async () => {
    expect(await bound("SELECT o.zzz FROM orders o")).toEqual({
      failure: JSON.stringify({ code: "sql_error", message: "Unknown column 'o.zzz' in 'SELECT'" }),
    });
    const { failure } = (await bound("SELECT o.id\nFROM orders o WHERE (o.id = 1")) as { failure: string };
    expect(JSON.parse(failure)).toEqual(
      expect.objectContaining({ message: expect.stringMatching(/near '' at line 2$/), position: 42 }),
    );
    const { failure: inside } = (await bound("SELECT ö.id\nFROM orders ö\n WHERE WHERE 1")) as { failure: string };
    expect(JSON.parse(inside)).toEqual(
      expect.objectContaining({ message: expect.stringMatching(/near 'WHERE 1' at line 3$/), position: 34 }),
    );
  });

  it("is nothing where the server chooses a database for the session", async () => {
    await root.query(`CREATE USER chosen_${process.pid} IDENTIFIED BY 'p'; GRANT SELECT ON ${db}.* TO chosen_${process.pid};
      SET GLOBAL init_connect = 'USE ${db}'`);
    try {
      const account = { ...server, username: `chosen_${process.pid}`, password: "p" };
      const outcome = await runAsCaller(account, db, "SELECT name FROM canary_salaries", ROLES);
      expect(written(outcome)).toMatch(/chooses a database/);
    } finally {
      await root.query(`SET GLOBAL init_connect = ''; DROP USER chosen_${process.pid}`);
    }
  });
});

it("a mask that is NULL leaves a column its type, alone and in expressions", async () => {
  const types =
    "big BIGINT UNSIGNED, sum DECIMAL(12,3), ratio DOUBLE, name VARCHAR(40), raw VARBINARY(9), " +
    "data BLOB, day DATE, at DATETIME(3), since TIMESTAMP(6) NULL, span TIME, flags BIT(9), made YEAR, doc JSON";
  const names = types.split(", ").map((each) => each.split(" ")[0]!);
  await root.query(`CREATE TABLE ${db}.typed (id INT, ${types}); INSERT INTO ${db}.typed (id) VALUES (1)`);
  const masks = Object.fromEntries(names.map((name) => [name, null]));
  const roles: AccessRoles = [[{ ...whole, table: "typed", masks }]];
  // An aggregate of an expression is a number to MariaDB where the column is bits or a year, and a text where it is
  // JSON.
  const plain = names.filter((name) => !["flags", "made", "doc"].includes(name));
  const maxima = `SELECT ${plain.map((name) => `MAX(${name}) ${name}`).join(", ")} FROM typed`;
  for (const sql of ["SELECT * FROM typed", maxima]) {
    const open = (await runAsCaller(server, db, sql)) as { columns: string[] };
    const bound = (await runAsCaller(server, db, sql, roles)) as { columns: string[]; rows: unknown[][] };
    expect(bound.columns).toEqual(open.columns);
    expect(bound.rows).toEqual([open.columns.map((name) => (name.startsWith("id ") ? "1" : null))]);
  }
});
