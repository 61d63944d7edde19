// Values bound to statements of the platform's own, on each road: what comes out is what was bound, whatever it holds.

import { randomUUID } from "node:crypto";
import type { Connection } from "mysql2/promise";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { AccessRoles } from "../../../../kernel/access/access.ts";
import type { BoundValue } from "../../../../kernel/semantic/query.ts";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { CallerAccess } from "../../../../containers/engine/sources/access/caller-access.ts";
import type { SourceStatement } from "../../../../containers/engine/sources/connector.ts";
import { connectorOf } from "../../../../containers/engine/sources/connectors.ts";
import type { Source } from "../../../../kernel/wire/source.ts";
import { aGrant } from "../../../support/node/access/a-grant.ts";
import { column, TestLake } from "../../../support/node/lake/test-lake.ts";
import {
  connectMariadb,
  connectPostgres,
  mariadbSource,
  ownPostgres,
  postgresSource,
} from "../../../support/node/sources/sources.ts";

const HOSTILE = [
  "plain",
  "",
  "it's",
  "'; DROP TABLE notes; --",
  "\\'; SELECT 1; #",
  'a"b`c$1?$$x$$',
  "100%_\\%",
  "é😀\u0000".replace("\u0000", ""),
  "x' OR '1'='1",
  "/*! SELECT */ -- \n?",
  "?",
  "$1",
];
const FILTERED: AccessRoles = [
  [aGrant("notes", { filters: [{ member: "region", operator: "equals", values: ["no"] }] })],
];
const DATABASE = `values_${randomUUID().replaceAll("-", "")}`;

type Ask = { sql: string; values?: readonly BoundValue[]; roles?: AccessRoles };

async function rowsOf(source: Source, { sql, values, roles }: Ask): Promise<(string | null)[][]> {
  const statement = {
    source,
    sql,
    values,
    access: roles ? new CallerAccess(roles) : ("everything" as const),
    signal: AbortSignal.timeout(60_000),
  };
  return connectorOf(source).query(statement as SourceStatement<Source["type"]>, async ({ rows }) => {
    const all: (string | null)[][] = [];
    await rows(({ bytes, starts, ends }) => {
      const cell = (start: number, i: number) =>
        ends[i] === -1 ? null : Buffer.from(bytes.subarray(start, ends[i])).toString();
      return all.push(Array.from(starts, cell)) > 0;
    });
    return all;
  });
}

const failureOf = async (asked: Promise<unknown>): Promise<Failure> => {
  const failure = await asked.catch((error: unknown) => error);
  if (!(failure instanceof Failure)) throw new Error(`no failure: ${JSON.stringify(failure)}`);
  return failure;
};

const NOTES = HOSTILE.map((text, i) => ({ id: i + 1, text, region: i % 3 === 0 ? "no" : "se" }));

let postgres: pg.Client;
let mariadb: Connection;
let lake: TestLake;
beforeAll(async () => {
  const server = await connectPostgres(ownPostgres());
  await server.query(`CREATE DATABASE ${DATABASE}`);
  await server.end();
  postgres = await connectPostgres(ownPostgres(), DATABASE);
  await postgres.query("CREATE SCHEMA shop; CREATE TABLE shop.notes (id int, text text, region text, at timestamptz)");
  await postgres.query(`ALTER DATABASE ${DATABASE} SET search_path = shop`);
  mariadb = await connectMariadb(inject("mariadb"));
  await mariadb.query(
    `CREATE DATABASE shop_values; USE shop_values; CREATE TABLE notes (id int, text varchar(100) COLLATE utf8mb4_bin,
     latin varchar(100) CHARACTER SET latin1, region varchar(10) CHARACTER SET latin1, at datetime)`,
  );
  for (const { id, text, region } of NOTES) {
    await postgres.query("INSERT INTO shop.notes VALUES ($1, $2, $3, '2026-01-01Z')", [id, text, region]);
    await mariadb.query("INSERT INTO notes VALUES (?, ?, 'é', ?, '2026-01-01')", [id, text, region]);
  }
  lake = await TestLake.open();
  const columns = [column(1, "id", "int32"), column(2, "text", "varchar"), column(3, "region", "varchar")];
  const rows = NOTES.map(({ id, text, region }) => `(${id}::INTEGER, '${text.replaceAll("'", "''")}', '${region}')`);
  const select = `SELECT * FROM (VALUES ${rows.join(", ")}) AS v(id, text, region)`;
  lake.platform.addTable("shop", "notes", columns, [
    { path: await lake.write("notes.parquet", select, "id: 1, text: 2, region: 3") },
  ]);
  lake.platform.roles.set("member", FILTERED);
}, 120_000);
afterAll(async () => {
  await postgres.end();
  await mariadb.query("DROP DATABASE shop_values");
  await mariadb.end();
  await lake.close();
});

const sourceOf = {
  postgres: () => postgresSource(ownPostgres(), { database: DATABASE }),
  mysql: () => mariadbSource(inject("mariadb"), "shop_values"),
};
const MYSQL_FILTERED: AccessRoles = FILTERED.map((role) => role.map((grant) => ({ ...grant, schema: "shop_values" })));
const seen = NOTES.filter(({ region }) => region === "no");

describe("on PostgreSQL", () => {
  const ask = (sql: string, values?: readonly BoundValue[], roles?: AccessRoles) =>
    rowsOf(sourceOf.postgres(), { sql, ...(values && { values }), ...(roles && { roles }) });

  it("finds the row of each value, and no other", async () => {
    for (const { id, text } of NOTES)
      expect(await ask("SELECT id FROM notes WHERE text = $1", [text])).toEqual([[String(id)]]);
  });

  it("takes nulls, numbers and booleans, and each value where its number stands", async () => {
    const sql = "SELECT id FROM notes WHERE (text = $2 OR $1::text IS NULL) AND id < $3 AND $4 ORDER BY id";
    expect(await ask(sql, [null, "x", 3, true])).toEqual([["1"], ["2"]]);
    expect(await ask(sql, ["a", "plain", "3", "false"])).toEqual([]);
    expect(await ask("SELECT count(*) FROM notes WHERE at >= $1::timestamptz", ["2026-01-01T00:00:00.000"])).toEqual([
      [String(NOTES.length)],
    ]);
  });

  it("binds values beneath what roles let through", async () => {
    for (const { id, text, region } of NOTES)
      expect(await ask("SELECT n.id FROM shop.notes AS n WHERE n.text = $1", [text], FILTERED)).toEqual(
        region === "no" ? [[String(id)]] : [],
      );
    expect(await ask("SELECT count(*) FROM notes WHERE id < $1", [100], FILTERED)).toEqual([[String(seen.length)]]);
  });

  it("says of a value what the server says, and not where", async () => {
    const failure = await failureOf(ask("SELECT 1 FROM notes WHERE id = $1", ["no number"]));
    expect(failure).toMatchObject({ code: "sql_error", message: 'invalid input syntax for type integer: "no number"' });
  });

  it.each([
    ["a parameter without a value", "SELECT $1", undefined],
    ["the same under roles", "SELECT $1", undefined, FILTERED],
    ["one past the last value", "SELECT $1::text, $2::text", ["x"]],
    ["a setting", "SELECT current_setting($1)", ["is_superuser"]],
    ["a text search configuration", "SELECT to_tsvector($1, text) FROM notes", ["shop.c"], FILTERED],
  ])("refuses %s", async (_name, sql, values, roles?: AccessRoles) => {
    expect(await failureOf(ask(sql, values, roles))).toMatchObject({ code: "statement_refused" });
  });
});

describe("on MariaDB", () => {
  const ask = (sql: string, values?: readonly BoundValue[], roles?: AccessRoles) =>
    rowsOf(sourceOf.mysql(), { sql, ...(values && { values }), ...(roles && { roles }) });

  it("finds the row of each value, and no other", async () => {
    for (const { id, text } of NOTES)
      expect(await ask("SELECT id FROM notes WHERE text = ?", [text])).toEqual([[String(id)]]);
  });

  it("takes nulls, numbers and booleans in their order", async () => {
    const sql = "SELECT id FROM notes WHERE (? IS NULL OR text = ?) AND id < ? AND ? ORDER BY id";
    expect(await ask(sql, [null, "x", 3, true])).toEqual([["1"], ["2"]]);
    expect(await ask(sql, ["a", "plain", "3", false])).toEqual([]);
    expect(await ask("SELECT count(*) FROM notes WHERE at >= TIMESTAMP(?)", ["2026-01-01T00:00:00.000"])).toEqual([
      [String(NOTES.length)],
    ]);
    expect(await ask("SELECT id FROM notes ORDER BY id LIMIT ? OFFSET ?", [1, 2])).toEqual([["3"]]);
  });

  it("compares a value by the column's character set and collation", async () => {
    expect(await ask("SELECT count(*) FROM notes WHERE latin = ? AND region = ?", ["é", "no"])).toEqual([
      [String(seen.length)],
    ]);
    expect(await ask("SELECT count(*) FROM notes WHERE text = ?", ["PLAIN"])).toEqual([["0"]]);
    // What no letter of the column can be: the server refuses it of a text in the statement, too.
    const typed = await failureOf(ask("SELECT count(*) FROM notes WHERE region = '😀'"));
    expect(typed.message).toMatch(/^Illegal mix of collations/);
    expect((await failureOf(ask("SELECT count(*) FROM notes WHERE region = ?", ["😀"]))).message).toMatch(
      /^Illegal mix of collations/,
    );
    expect(await ask("SELECT count(*) FROM notes WHERE latin LIKE CONCAT('%', ?, '%')", ["É"])).toEqual([
      [String(NOTES.length)],
    ]);
  });

  it("binds values beneath what roles let through", async () => {
    for (const { id, text, region } of NOTES)
      expect(await ask("SELECT n.id FROM notes AS n WHERE n.text = ?", [text], MYSQL_FILTERED)).toEqual(
        region === "no" ? [[String(id)]] : [],
      );
    expect(await ask("SELECT count(*) FROM notes WHERE id < ?", [100], MYSQL_FILTERED)).toEqual([
      [String(seen.length)],
    ]);
  });

  it("takes more values than one statement should hold", async () => {
    const many = Array.from({ length: 300 }, (_, i) => `${i}`.repeat(1_000));
    const places = many.map(() => "?").join(", ");
    expect(await ask(`SELECT id FROM notes WHERE text IN (${places}, ?)`, [...many, "it's"])).toEqual([["3"]]);
  });

  it("reads only, and ends at the deadline", async () => {
    const statement = { source: sourceOf.mysql(), sql: "SELECT SLEEP(?), @@tx_read_only FROM notes", values: [20] };
    const began = Date.now();
    const run = connectorOf(statement.source).query(
      { ...statement, access: "everything", signal: AbortSignal.timeout(60_000), deadlineMs: -1_500 },
      ({ rows }) => rows(() => true),
    );
    expect(await failureOf(run)).toMatchObject({ code: "deadline_exceeded" });
    expect(Date.now() - began).toBeLessThan(10_000);
    expect(await ask("SELECT @@tx_read_only, ?", ["x"])).toEqual([["1", "x"]]);
  });

  it.each([
    ["a parameter without a value", "SELECT ?", undefined],
    ["the same under roles", "SELECT ?", undefined, MYSQL_FILTERED],
    ["fewer values than parameters", "SELECT ?, ?", ["x"]],
    ["more", "SELECT '?', ? -- ?", ["x", "y"]],
  ])("refuses %s", async (_name, sql, values, roles?: AccessRoles) => {
    expect(await failureOf(ask(sql, values, roles))).toMatchObject({ code: "statement_refused" });
  });
});

describe("on the lake", () => {
  const ask = (sql: string, values?: readonly BoundValue[], token = "token") =>
    lake.rows(sql, { ...(values && { values }), grant: { token } });

  it("finds the row of each value, and no other", async () => {
    for (const { id, text } of NOTES)
      expect(await ask("SELECT id FROM shop.notes WHERE text = ?", [text])).toEqual([{ id }]);
  });

  it("takes nulls, numbers and booleans in their order", async () => {
    const sql =
      "SELECT id /* ? */, '?' AS \"?\", $$?$$ AS x FROM shop.notes WHERE (? IS NULL OR text = ?) AND id < ? AND ?::BOOLEAN ORDER BY id -- ?";
    expect(await ask(sql, [null, "x", 3, true])).toEqual([
      { id: 1, "?": "?", x: "?" },
      { id: 2, "?": "?", x: "?" },
    ]);
    expect(await ask(sql, ["a", "plain", 3, "false"])).toEqual([]);
    expect(await ask("SELECT ?::HUGEINT AS n, ? AS f, ? AS b", ["9".repeat(30), 0.5, 2 ** 40])).toEqual([
      { n: Number("9".repeat(30)), f: 0.5, b: 2 ** 40 },
    ]);
  });

  it("binds values beneath what roles let through", async () => {
    for (const { id, text, region } of NOTES)
      expect(await ask("SELECT n.id FROM shop.notes AS n WHERE n.text = ?", [text], "member")).toEqual(
        region === "no" ? [{ id }] : [],
      );
  });

  it("takes as many as a query may have", async () => {
    const many = Array.from({ length: 10_000 }, (_, i) => `value ${i}`);
    const places = many.map(() => "?").join(", ");
    expect(await ask(`SELECT id FROM shop.notes WHERE text IN (${places}, ?)`, [...many, "it's"])).toEqual([{ id: 3 }]);
  });

  it("keeps each of many values of every type in its place", async () => {
    const many = Array.from({ length: 100 }, (_, i) => [`text ${i}`, i, null, i % 2 === 0, `${i}`][i % 5] ?? null);
    const sql = `SELECT ${many.map((_, i) => `? AS c${i}`).join(", ")}`;
    expect(Object.values((await ask(sql, many))[0]!)).toEqual(many);
  });

  it.each([
    ["a parameter without a value", "SELECT ?", undefined],
    ["a numbered one", "SELECT $1", undefined],
    ["fewer values than parameters", "SELECT ?, ?", ["x"]],
    ["more", "SELECT '?', ? -- ?", ["x", "y"]],
    ["numbered parameters in place of questions", "SELECT $1", ["x"]],
    ["what the values of a statement before it were", "SELECT getvariable('fjord_value_1')", undefined],
    ["the same beside a value of its own", "SELECT getvariable('fjord_texts_1'), ?", ["x"]],
    ["an item of a list of values", "SELECT list_extract(getvariable('fjord_texts_1'), 1), ?", ["x"]],
  ])("refuses %s", async (_name, sql, values) => {
    expect(await lake.failure(sql, values ? { values } : {})).toMatchObject({ code: "statement_refused" });
  });
});
