// Data-access roles at Redshift: a statement reads a table wholly or not at all, and of what is hidden nothing shows,
// not even whether it is there.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccessRoles } from "../../../../kernel/access/access.ts";
import { Failure, toFailure } from "../../../../containers/engine/core/failure.ts";
import { CallerAccess } from "../../../../containers/engine/sources/access/caller-access.ts";
import { readBoundStatement } from "../../../../containers/engine/sources/postgres/access/bound-statement.ts";
import { loadParser } from "../../../../containers/engine/sources/postgres/gate/check-statement.ts";
import { REDSHIFT_RULES } from "../../../../containers/engine/sources/redshift/gate/rules.ts";
import { aGrant } from "../../../support/node/access/a-grant.ts";
import { EXPRESSIONS, TABLES } from "../../../support/node/sources/postgres-places.ts";
import { ask } from "../../../support/node/sources/redshift/ask.ts";
import { FakeRedshift } from "../../../support/node/sources/redshift/fake-redshift.ts";
import { ownPostgres } from "../../../support/node/sources/sources.ts";

const CANARY = "canary-of-the-vault";
let fake: FakeRedshift;
beforeAll(async () => {
  await loadParser();
  fake = await FakeRedshift.start(ownPostgres());
  await fake.admin.query(`
    CREATE SCHEMA shop; CREATE SCHEMA hidden;
    CREATE TABLE shop.orders (id int, note varchar(40)); INSERT INTO shop.orders VALUES (1, 'one'), (2, 'two');
    CREATE TABLE shop.wide (user_id int, region int, current_price int, set_name int, get_up int, column_no int);
    INSERT INTO shop.wide VALUES (1, 2, 3, 4, 5, 6);
    CREATE TABLE shop.lines (id int, order_id int); INSERT INTO shop.lines VALUES (1, 1);
    CREATE TABLE shop.rows_hidden AS SELECT * FROM shop.orders; CREATE TABLE shop.masked AS SELECT * FROM shop.orders;
    CREATE TABLE shop.cut AS SELECT * FROM shop.orders;
    CREATE TABLE hidden.vault (id int, secret varchar(40)); INSERT INTO hidden.vault VALUES (1, '${CANARY}');
    CREATE TABLE shop.vault AS SELECT * FROM hidden.vault;
    CREATE TABLE public.public_orders AS SELECT * FROM shop.orders;
    CREATE TABLE public.public_vault AS SELECT * FROM hidden.vault;
    CREATE VIEW shop.of_vault AS SELECT id, length(secret) AS length FROM hidden.vault;
    CREATE VIEW shop.fails AS SELECT CAST(secret AS int) AS n FROM hidden.vault;
    CREATE TABLE shop."Twin" AS SELECT * FROM shop.orders; CREATE TABLE shop.twin AS SELECT * FROM hidden.vault`);
});
afterAll(() => fake.close());

const ROLES: AccessRoles = [
  [
    aGrant("orders"),
    aGrant("lines"),
    aGrant("wide"),
    aGrant("of_vault"),
    aGrant("fails"),
    aGrant("Twin"),
    aGrant("public_orders", { schema: "public" }),
    aGrant("rows_hidden", { filters: [{ member: "id", operator: "equals", values: ["1"] }] }),
    aGrant("masked", { masks: { note: null } }),
    aGrant("cut", { excludes: ["note"] }),
  ],
];
const asMember = (sql: string) => ask(fake, sql, { access: new CallerAccess(ROLES) });

describe("a bound caller", () => {
  it.each<[string, (string | null)[][]]>([
    ["SELECT note FROM shop.orders ORDER BY id", [["one"], ["two"]]],
    ["SELECT o.note, l.id FROM shop.orders o JOIN shop.lines l ON l.order_id = o.id", [["one", "1"]]],
    ['SELECT "NOTE" FROM "SHOP"."Orders" ORDER BY 1', [["one"], ["two"]]],
    ["SELECT note FROM public_orders ORDER BY id", [["one"], ["two"]]],
    ["WITH vault AS (SELECT 'mine' AS secret) SELECT secret FROM vault", [["mine"]]],
    ["SELECT length FROM shop.of_vault", [[String(CANARY.length)]]],
    ["SELECT shop.orders.note FROM shop.orders WHERE orders.id = 1", [["one"]]],
    ["SELECT count(*), sha2('a', 256) = sha2('a', 256) FROM shop.orders", [["2", "true"]]],
    [
      "SELECT w.user_id, w.region, w.current_price, w.set_name, w.get_up, w.column_no FROM shop.wide w",
      [["1", "2", "3", "4", "5", "6"]],
    ],
    ["SELECT nullif(len(note), 3) FROM shop.orders", [[null], [null]]],
  ])("reads what is granted whole: %s", async (sql, rows) => {
    expect((await asMember(sql)).rows).toEqual(rows);
  });

  it.each([
    "SELECT * FROM hidden.vault",
    "SELECT * FROM shop.vault",
    "SELECT * FROM vault",
    "SELECT * FROM public_vault",
    "SELECT * FROM public.public_vault",
    'SELECT * FROM "HIDDEN"."Vault"',
    "SELECT * FROM shop.rows_hidden",
    "SELECT id FROM shop.masked",
    "SELECT id FROM shop.cut",
    'SELECT * FROM shop."Twin"',
    "SELECT * FROM shop.twin",
    "SELECT * FROM shop.orders, hidden.vault",
    "SELECT (SELECT max(secret) FROM hidden.vault) FROM shop.orders",
    "SELECT note FROM shop.orders WHERE id IN (SELECT id FROM hidden.vault)",
    "WITH a AS (SELECT * FROM hidden.vault) SELECT * FROM a",
    "WITH vault AS (SELECT * FROM public_vault) SELECT * FROM vault",
    "WITH RECURSIVE public_vault AS (SELECT 1 AS id) SELECT v.* FROM (SELECT * FROM hidden.vault) v",
    "SELECT id FROM shop.orders UNION ALL SELECT id FROM hidden.vault",
    "TABLE hidden.vault",
    "SELECT * FROM ONLY hidden.vault",
    "SELECT * FROM other_database.hidden.vault",
    "SELECT o.id FROM shop.orders o, o.note n",
    "SELECT * FROM svv_tables",
    "SELECT * FROM pg_catalog.pg_class",
    "SELECT * FROM information_schema.tables",
    "SELECT * FROM pg_table_def",
    "SELECT * FROM svv_external_tables",
    "SELECT * FROM hidden.nothing",
    "EXPLAIN SELECT * FROM shop.orders",
    "SHOW search_path",
    "SELECT current_setting('search_path')",
    "SELECT current_schemas(true)",
    "SELECT has_table_privilege('hidden.vault', 'SELECT')",
    "SELECT has_schema_privilege('hidden', 'USAGE') FROM shop.orders",
    "SELECT pg_get_viewdef('shop.of_vault')",
    "SELECT pg_table_size('hidden.vault')",
    "SELECT o.pg_get_viewdef FROM shop.orders o",
    "SELECT ('hidden.vault'::text).has_table_privilege FROM shop.orders",
    "SELECT ('hidden.vault'::text).regclass FROM shop.orders",
    "SELECT ('hidden.vault'::text).pg_relation_size FROM shop.orders",
    "SELECT ('search_path'::text).current_setting FROM shop.orders",
    "SELECT shop.f(1)",
    "SELECT my_function(note) FROM shop.orders",
    "SELECT 'hidden.vault'::regclass",
    "SELECT version()",
    "SELECT user",
    "SELECT current_user_id FROM shop.orders",
    "SELECT '\\'', (SELECT max(secret) FROM hidden.vault), '' --'",
  ])("is refused, without a word of what is hidden: %s", async (sql) => {
    const failure = await asMember(sql).then(
      ({ rows }) => Promise.reject(new Error(JSON.stringify(rows))),
      (error: unknown) => toFailure(error),
    );
    expect(failure.code).toMatch(/^(sql_error|statement_refused)$/);
    expect(JSON.stringify(failure)).not.toContain(CANARY);
  });

  it("hears the same of a table that is denied and of one that is not there", async () => {
    const said = async (name: string) => {
      const failure = await asMember(`SELECT * FROM ${name}`).catch((error: unknown) => toFailure(error));
      return JSON.stringify(failure).replaceAll(name, "…");
    };
    const missing = await said("shop.nothing_");
    for (const name of ["shop.rows_hidden", "shop.masked", "shop.vault", "hidden.vault"])
      expect((await said(name)).replace(/"position":\d+/, "")).toEqual(missing.replace(/"position":\d+/, ""));
  });

  it("hears nothing of a value that a view computes on", async () => {
    const failure = await asMember("SELECT n FROM shop.fails").catch((error: unknown) => toFailure(error));
    expect((failure as Failure).message).toContain("Its own words are kept back");
    expect((failure as Failure).message).not.toContain(CANARY);
  });

  it("is told the place of an error in the statement as it was sent", async () => {
    const failure = await asMember("SELECT id, nothing FROM shop.orders").catch((error: unknown) => toFailure(error));
    expect(failure).toMatchObject({ code: "sql_error", position: 12 });
  });

  it("sends tables under their schema alone, and looks nowhere else", async () => {
    const before = fake.statements.length;
    await asMember("SELECT note FROM public_orders");
    const sent = fake.statements.slice(before);
    expect(sent.at(-2)).toBe("SET LOCAL search_path TO pg_catalog");
    expect(sent.at(-1)).toContain('"public"."public_orders"');
  });
});

describe("a table that a bound statement names", () => {
  const namesIn = (sql: string): string[] | undefined => {
    try {
      return readBoundStatement({ sql }, REDSHIFT_RULES).references.map(({ name }) => name);
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  };
  it("is found wherever it may stand, or the statement refused", () => {
    const missed = (places: readonly string[], part: string) =>
      places.filter((place) => {
        const names = namesIn(place.replace("?", () => part));
        return names !== undefined && !names.some((name) => name.toLowerCase() === "vault");
      });
    expect(missed(TABLES, "hidden.vault")).toEqual([]);
    expect(missed(TABLES, '"Vault"')).toEqual([]);
    expect(missed(EXPRESSIONS, "(SELECT secret FROM hidden.vault)")).toEqual([]);
  });
});
