// What an engine lists of a source's tables: all that the account may read, by exact names, and nothing else.

import mysql2, { type Connection as Root } from "mysql2/promise";
import type pg from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { EngineFailure } from "../../../kernel/wire/engine.ts";
import { Introspection, type Source } from "../../../kernel/wire/source.ts";
import { startEngine, type Engine } from "../../support/node/programs/engine.ts";
import { connectPostgres, mariadbSource, ownPostgres, postgresSource } from "../../support/node/sources/sources.ts";

const mariadb = inject("mariadb");
const database = `introspect_${process.pid}`;
const postgres = postgresSource(ownPostgres(), { database: "introspected" });
const mysql: Source = mariadbSource(mariadb, database);

let engine: Engine;
let admin: pg.Client;
let inside: pg.Client;
let root: Root;
beforeAll(async () => {
  [engine, admin] = await Promise.all([startEngine({ hostsAllowed: "loopback" }), connectPostgres(ownPostgres())]);
  await admin.query("DROP DATABASE IF EXISTS introspected");
  await admin.query("CREATE DATABASE introspected");
  inside = await connectPostgres(ownPostgres(), "introspected");
  root = await mysql2.createConnection({
    host: mariadb.host,
    port: mariadb.port,
    user: mariadb.username,
    password: mariadb.password,
    multipleStatements: true,
  });
  await root.query(`CREATE DATABASE ${database}; USE ${database}`);
});
afterAll(async () => {
  await inside.end();
  await admin.query("DROP DATABASE introspected WITH (FORCE)");
  await admin.query("DROP ROLE IF EXISTS introspect_reader");
  await root.query(`DROP DATABASE ${database}`);
  await Promise.all([admin.end(), root.end(), engine.stop()]);
});

const introspect = async (source: Source) => {
  const response = await engine.call("POST", "/introspect", { source, deadlineMs: 30_000 });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return Introspection.parse(JSON.parse(text));
};

it("lists PostgreSQL's tables, views and partitioned tables, with columns, keys, comments and estimates", async () => {
  await inside.query(`
    CREATE SCHEMA "Sales Dept"; CREATE TABLE "Sales Dept"."Order Lines" ("Order" bigint, line smallint, price numeric(10,2) NOT NULL, total numeric GENERATED ALWAYS AS (price * 2) STORED, tags text[], PRIMARY KEY (line, "Order"));
    COMMENT ON TABLE "Sales Dept"."Order Lines" IS 'What was sold'; COMMENT ON COLUMN "Sales Dept"."Order Lines".price IS 'In euros';
    INSERT INTO "Sales Dept"."Order Lines" ("Order", line, price) SELECT i, 1, i FROM generate_series(1, 1000) i; ANALYZE;
    CREATE VIEW cheap AS SELECT * FROM "Sales Dept"."Order Lines"; CREATE MATERIALIZED VIEW kept AS SELECT 1 AS one;
    CREATE TABLE events (id int PRIMARY KEY) PARTITION BY RANGE (id); CREATE TABLE events_1 PARTITION OF events FOR VALUES FROM (0) TO (10); CREATE TEMP TABLE mine (a int)`);
  const { schemas, truncated } = await introspect(postgres);
  expect(truncated).toBe(false);
  expect(
    schemas.map(({ name, tables }) => [name, tables.map((table) => [table.name, table.kind, table.primaryKey])]),
  ).toEqual([
    ["Sales Dept", [["Order Lines", "table", ["line", "Order"]]]],
    [
      "public",
      [
        ["cheap", "view", []],
        ["events", "partitioned", ["id"]],
        ["kept", "materialized", []],
      ],
    ],
  ]);
  expect(schemas[0]!.tables[0]).toMatchObject({
    comment: "What was sold",
    rowsEstimate: 1_000,
    bytesEstimate: expect.any(Number) as number,
    columns: [
      { name: "Order", type: "bigint", nullable: false, generated: false, counted: false, comment: null },
      { name: "line", type: "smallint", nullable: false },
      { name: "price", type: "numeric(10,2)", nullable: false, comment: "In euros" },
      { name: "total", type: "numeric", nullable: true, generated: true },
      { name: "tags", type: "text[]", nullable: true },
    ],
  });
});

it("leaves out what a role may not read", async () => {
  await inside.query(
    "CREATE TABLE secret (a int); CREATE TABLE half (a int, b int); DROP ROLE IF EXISTS introspect_reader; CREATE ROLE introspect_reader LOGIN PASSWORD 'pass'; GRANT SELECT (b) ON half TO introspect_reader",
  );
  const { schemas } = await introspect(
    postgresSource(ownPostgres(), { database: "introspected", username: "introspect_reader", password: "pass" }),
  );
  expect(
    schemas.flatMap(({ tables }) => tables.map(({ name, columns }) => [name, columns.map((column) => column.name)])),
  ).toEqual([["half", ["b"]]]);
  await inside.query("DROP OWNED BY introspect_reader");
});

it("lists MySQL's tables and views, with columns and keys", async () => {
  await root.query(
    "CREATE TABLE `Order ``lines` (b int COMMENT 'the b', `A` bigint unsigned NOT NULL, c int AS (b + 1), PRIMARY KEY (`A`, b)) COMMENT 'What was sold'; CREATE VIEW seen AS SELECT b FROM `Order ``lines`",
  );
  const { schemas } = await introspect(mysql);
  expect(schemas).toEqual([
    {
      name: database,
      tables: [
        {
          name: "Order `lines",
          kind: "table",
          comment: "What was sold",
          rowsEstimate: expect.any(Number) as number,
          bytesEstimate: expect.any(Number) as number,
          primaryKey: ["A", "b"],
          foreignKeys: [],
          columns: [
            { name: "b", type: "int(11)", nullable: false, generated: false, counted: false, comment: "the b" },
            {
              name: "A",
              type: "bigint(20) unsigned",
              nullable: false,
              generated: false,
              counted: false,
              comment: null,
            },
            { name: "c", type: "int(11)", nullable: true, generated: true, counted: false, comment: null },
          ],
        },
        {
          name: "seen",
          kind: "view",
          comment: null,
          rowsEstimate: null,
          bytesEstimate: null,
          primaryKey: [],
          foreignKeys: [],
          columns: [
            { name: "b", type: "int(11)", nullable: false, generated: false, counted: false, comment: "the b" },
          ],
        },
      ],
    },
  ]);
});

it("says which columns the server counts up itself", async () => {
  await inside.query(
    "CREATE SCHEMA counts; CREATE TABLE counts.t (a serial, b bigint GENERATED BY DEFAULT AS IDENTITY, c bigint DEFAULT 7, d int, e timestamp DEFAULT now())",
  );
  await inside.query(`CREATE SEQUENCE counts.down INCREMENT -1; CREATE SEQUENCE counts."up's" INCREMENT 2;
    CREATE TABLE counts.others (a int GENERATED ALWAYS AS IDENTITY (INCREMENT BY -1 START WITH -1),
      b int GENERATED BY DEFAULT AS IDENTITY (MAXVALUE 3 CYCLE), c int DEFAULT nextval('counts.down'),
      d int DEFAULT nextval('counts."up''s"'), e bigint DEFAULT nextval('counts."up''s"') % 7, f smallserial)`);
  await root.query("CREATE TABLE counts (a int DEFAULT 7, b bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY)");
  const counted = ({ schemas }: Introspection, schema: string, name: string) =>
    schemas
      .find((one) => one.name === schema)!
      .tables.find((table) => table.name === name)!
      .columns.flatMap((column) => (column.counted ? [column.name] : []));
  expect(counted(await introspect(postgres), "counts", "t")).toEqual(["a", "b"]);
  expect(counted(await introspect(postgres), "counts", "others")).toEqual(["d", "f"]);
  expect(counted(await introspect(mysql), database, "counts")).toEqual(["b"]);
});

it("lists foreign keys, each with its columns in the order of those they point at", async () => {
  await inside.query(`
    CREATE SCHEMA linked; CREATE TABLE linked.shops (city text, number int, PRIMARY KEY (city, number));
    CREATE TABLE linked.people (id int PRIMARY KEY, boss int REFERENCES linked.people);
    CREATE TABLE linked.visits (who int CONSTRAINT a_who REFERENCES linked.people, no int, "In" text,
      CONSTRAINT b_where FOREIGN KEY (no, "In") REFERENCES linked.shops (number, city)) PARTITION BY LIST (who);
    CREATE TABLE linked.visits_1 PARTITION OF linked.visits FOR VALUES IN (1)`);
  await root.query(`
    CREATE TABLE shops (city varchar(9), number int, PRIMARY KEY (city, number)) ENGINE = InnoDB;
    CREATE TABLE people (id int PRIMARY KEY, boss int, FOREIGN KEY (boss) REFERENCES people (id)) ENGINE = InnoDB;
    CREATE TABLE visits (who int, no int, \`In\` varchar(9), CONSTRAINT a_who FOREIGN KEY (who) REFERENCES people (id),
      CONSTRAINT b_where FOREIGN KEY (\`In\`, no) REFERENCES shops (city, number)) ENGINE = InnoDB`);
  for (const [source, schema] of [
    [postgres, "linked"],
    [mysql, database],
  ] as const) {
    const { tables } = (await introspect(source)).schemas.find(({ name }) => name === schema)!;
    const keysOf = (name: string) => tables.find((table) => table.name === name)!.foreignKeys;
    const toPeople = { schema, table: "people", references: ["id"] };
    expect(keysOf("shops")).toEqual([]);
    expect(keysOf("people")).toEqual([{ columns: ["boss"], ...toPeople }]);
    const [who, where, ...more] = keysOf("visits")!;
    expect(who).toEqual({ columns: ["who"], ...toPeople });
    expect({ ...where, pairs: where!.columns.map((column, i) => `${column}=${where!.references[i]}`).sort() }).toEqual({
      ...where,
      schema,
      table: "shops",
      pairs: ["In=city", "no=number"],
    });
    expect(more).toEqual([]);
  }
});

it.each([
  ["postgres", { ...postgres, credentials: { ...postgres.credentials, password: "wrong-canary" } }],
  ["mysql", { ...mysql, credentials: { ...mysql.credentials, password: "wrong-canary" } }],
] as [string, Source][])("says of %s why it can't be looked into, without the password", async (_kind, source) => {
  const response = await engine.call("POST", "/introspect", { source, deadlineMs: 30_000 });
  const text = await response.text();
  expect(text).not.toContain("wrong-canary");
  expect(EngineFailure.parse(JSON.parse(text))).toMatchObject({ code: "connection_failed", reason: "authentication" });
});
