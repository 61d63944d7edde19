// What bound callers see of PostgreSQL's kinds of relations and columns, what they are told of errors, and what the
// planner comes to know of rows that are hidden.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccessGrant, AccessRoles, FilterOperator } from "../../../../kernel/access/access.ts";
import { CallerAccess } from "../../../../containers/engine/sources/access/caller-access.ts";
import {
  RESTRICTED_OPENING,
  restrictStatement,
} from "../../../../containers/engine/sources/postgres/access/restrict-statement.ts";
import { connect } from "../../../../containers/engine/sources/postgres/connection/connect.ts";
import { fetchRows } from "../../../../containers/engine/sources/postgres/connection/fetch-rows.ts";
import { postgresGate } from "../../../../containers/engine/sources/postgres/gate/gate.ts";
import { HIDDEN_TEXT, leaksIn } from "../../../support/node/access/canaries.ts";
import { aGrant } from "../../../support/node/access/a-grant.ts";
import { BoundPostgres, MEMBER } from "../../../support/node/access/bound-postgres.ts";

let bound: BoundPostgres;
beforeAll(async () => {
  bound = await BoundPostgres.open();
  await bound.admin.query(`
    CREATE TABLE shop.parts (id int, region text, secret text) PARTITION BY LIST (region);
    CREATE TABLE shop.parts_no PARTITION OF shop.parts FOR VALUES IN ('no');
    CREATE TABLE shop.parts_xx PARTITION OF shop.parts FOR VALUES IN ('xx');
    INSERT INTO shop.parts VALUES (1, 'no', 'seen'), (2, 'xx', '${HIDDEN_TEXT}');
    CREATE TABLE shop.parent (id int, region text);
    CREATE TABLE shop.child (more text) INHERITS (shop.parent);
    INSERT INTO shop.parent VALUES (1, 'no'), (2, 'xx'); INSERT INTO shop.child VALUES (3, 'no', 'x'), (4, 'xx', '${HIDDEN_TEXT}');
    CREATE VIEW shop.breaks AS SELECT id, secret::int AS n FROM canary_hidden.vault;
    CREATE VIEW shop.fenced WITH (security_barrier) AS SELECT id FROM shop.orders WHERE region = 'no';
    CREATE ROLE canary_reader; GRANT USAGE ON SCHEMA shop TO canary_reader;
    CREATE VIEW shop.borrowed AS SELECT id FROM canary_hidden.vault; ALTER VIEW shop.borrowed OWNER TO canary_reader;
    CREATE DOMAIN shop.amount AS numeric(10, 2) CHECK (value >= 0);
    CREATE COLLATION shop.any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    CREATE TABLE shop.kinds (i int2, big int8, n numeric(8, 2), r real, d float8, b boolean, t text COLLATE shop.any_case,
      c char(5), v varchar(9), u uuid, day date, at timestamp, tz timestamptz, j jsonb, a int[], s shop.status,
      m shop.amount, k regclass);
    INSERT INTO shop.kinds VALUES (1, 9007199254740993, 1.50, 0.1, 0.1, true, 'Oslo', 'abc', 'O''Hara\\',
      '00000000-0000-0000-0000-0000000000aa', '2026-01-01', '2026-01-01 10:00', '2026-01-01 10:00+00', '{}', '{1}',
      'open', 5, 'shop.orders')`);
});
afterAll(async () => {
  await bound.admin.query("DROP VIEW shop.borrowed; DROP OWNED BY canary_reader; DROP ROLE canary_reader");
  await bound.close();
});

const equals = (member: string, value: string) => [{ member, operator: "equals" as const, values: [value] }];
const ids = (sql: string, ...grants: AccessGrant[]) =>
  bound.ask(sql, [grants]).then(({ status, rows }) => (status === 200 ? rows.map(({ id }) => id).toSorted() : status));

describe("parts of tables", () => {
  const all = aGrant("*");
  const parts = aGrant("parts", { filters: equals("region", "no"), excludes: ["secret"] });

  it("are read through the whole by its grant, and by themselves by no wider one", async () => {
    expect(await ids("select id from shop.parts", parts)).toEqual([1]);
    expect(await ids("select id from shop.parts_xx", parts)).toBe(400);
    expect(await ids("select id from shop.parts_xx", all, parts)).toEqual([]);
    expect(await ids("select id from shop.parts_no", all, parts)).toEqual([1]);
    expect(await ids("select id, secret from shop.parts_no", all, parts)).toBe(400);
    expect(await ids("select id from shop.parts_xx", all, parts, aGrant("parts_xx"))).toEqual([2]);
  });

  it("count as their own where tables inherit, and are left out by ONLY", async () => {
    const parent = aGrant("parent", { filters: equals("region", "no") });
    expect(await ids("select id from shop.parent", parent)).toEqual([1, 3]);
    expect(await ids("select id from only shop.parent", parent)).toEqual([1]);
    expect(await ids("select id from only (shop.parent) p where p.id > 0", parent)).toEqual([1]);
    expect(await ids("select id from shop.child", all, parent)).toEqual([3]);
    expect(await ids("select id from only shop.parent", all)).toEqual([1, 2]);
    expect(await ids("table only shop.parent", all)).toEqual([1, 2]);
  });
});

describe("names", () => {
  it("are found past tables in the search path that are not granted", async () => {
    expect(await ids("select id from customers", aGrant("customers"))).toEqual([1, 2, 3]);
    expect(await ids("select id from customers", aGrant("customers", { schema: "canary_hidden" }))).toEqual([9]);
  });

  it("say which schema's roles count, whatever stands for every schema", async () => {
    const everywhere = aGrant("*", { schema: "*" });
    expect(await ids("select id from canary_hidden.customers", everywhere)).toEqual([9]);
    for (const sql of ["select oid as id from pg_class", "select 1 as id from information_schema.tables"])
      expect(await ids(sql, everywhere), sql).toBe(400);
    expect(
      await ids("select id from shop.orders where id < 3", everywhere, aGrant("orders", { filters: null })),
    ).toEqual([]);
  });
});

describe("errors", () => {
  it("stand where they are in the caller's own text", async () => {
    for (const sql of [
      "select 'Ø', o.id, nowhere from shop.orders o",
      "select 1 from orders, shop.customers, lateral (select nowhere) x",
      "select shop.orders.id from shop.orders where shop.orders.nowhere = 1",
    ]) {
      const { body } = await bound.ask(sql, MEMBER);
      expect(JSON.parse(body.slice(body.indexOf("\n")))).toMatchObject({ position: expect.any(Number) });
      const { position } = JSON.parse(body.slice(body.indexOf("\n"))) as { position: number };
      expect(sql.slice(position - 1), body).toMatch(/^(orders\.)?nowhere/);
    }
  });

  it("of what a view computes are kept back, and so is whose tables it reads", async () => {
    const grants = [[aGrant("breaks"), aGrant("borrowed")]];
    for (const sql of [
      "select max(n) from shop.breaks",
      "select 1 / (id - 3) from shop.breaks",
      "select * from shop.borrowed",
    ]) {
      const { status, body } = await bound.ask(sql, grants);
      expect([status, leaksIn(body, sql)], body).toEqual([400, []]);
      expect(body).toContain("SQLSTATE");
    }
  });

  it("and what the engine prints hold nothing of hidden rows", () => {
    expect(leaksIn(bound.engine.printed(), "")).toEqual([]);
  });

  it("come of views that would be too large, before they are written", async () => {
    const values = Array.from({ length: 20_000 }, (_, i) => `a value of some length ${i}`);
    const grants = [aGrant("kinds", { filters: [{ member: "v", operator: "in", values }] })];
    const few = await bound.ask("select i as id from shop.kinds", [grants]);
    expect([few.status, few.rows]).toEqual([200, []]);
    const excludes = "i big n r d b t c u day at tz j a s m k".split(" ");
    const other = aGrant("kinds", { filters: equals("v", ""), excludes });
    const both = await bound.ask("select i as id from shop.kinds", [grants, [other]]);
    expect([both.status, both.body]).toEqual([400, expect.stringContaining("resources_exceeded")]);
    const many = await bound.ask(`select 1 from ${"shop.kinds, ".repeat(20)}shop.kinds`, [grants]);
    expect([many.status, many.body]).toEqual([400, expect.stringContaining("resources_exceeded")]);
  });

  it("come of texts that are too large, not of a lost engine", async () => {
    for (const sql of [
      `select 1${"+1".repeat(100_000)} from shop.orders`,
      `select ${"(".repeat(5_000)}1${")".repeat(5_000)} from shop.orders`,
      `select 1 from ${"shop.orders, ".repeat(2_000)}shop.customers`,
      `with ${Array.from({ length: 3_000 }, (_, i) => `c${i} as (select 1)`).join(", ")} select 1 from c1, shop.nowhere`,
    ]) {
      const { status, body } = await bound.ask(sql, MEMBER);
      expect([400, 200], body.slice(0, 500)).toContain(status);
    }
    expect(await ids("select id from shop.orders where id = 1", ...MEMBER[0]!)).toEqual([1]);
  });
});

describe("filters on PostgreSQL's types", () => {
  it.each<[column: string, operator: FilterOperator, values: (string | null)[], isSeen: boolean]>([
    ["i", "equals", ["1"], true],
    ["i", "equals", ["1.5"], false],
    ["i", "equals", ["99999999999"], false],
    ["i", "lt", ["1.5"], true],
    ["big", "equals", ["9007199254740993"], true],
    ["big", "equals", ["9007199254740992"], false],
    ["n", "equals", ["1.5"], true],
    ["n", "gt", ["1.4999999999999999999999999"], true],
    ["r", "equals", ["0.1"], true],
    ["r", "lt", ["1e-60"], false],
    ["d", "equals", ["0.1"], true],
    ["d", "equals", ["x"], false],
    ["b", "equals", ["true"], true],
    ["t", "equals", ["Oslo"], true],
    ["t", "equals", ["oslo"], false],
    ["t", "contains", ["SL"], true],
    ["t", "startsWith", ["os"], true],
    ["t", "endsWith", ["%"], false],
    ["c", "equals", ["abc"], true],
    ["c", "equals", ["ab"], false],
    ["v", "equals", ["O'Hara\\"], true],
    ["v", "contains", ["r'a\\"], false],
    ["u", "equals", ["00000000-0000-0000-0000-0000000000AA"], true],
    ["u", "equals", ["not a uuid"], false],
    ["day", "onTheDate", ["2026-01-01"], true],
    ["at", "inDateRange", ["2026-01-01", "2026-01-01"], true],
    ["tz", "afterDate", ["2026-01-01"], false],
    ["tz", "equals", ["2026-01-01T10:00:00Z"], true],
    ["j", "equals", ["{}"], false],
    ["j", "set", [], true],
    ["a", "notSet", [], false],
    ["s", "equals", ["open"], true],
    ["s", "equals", ["no label"], false],
    ["m", "equals", ["5"], true],
    ["m", "gt", ["-1"], true],
    ["k", "equals", ["shop.orders"], false],
  ])("%s %s %j", async (member, operator, values, isSeen) => {
    const grant = aGrant("kinds", { filters: [{ member, operator, values }] });
    const { status, body, rows } = await bound.ask("select count(*) as n from shop.kinds", [[grant]]);
    expect([status, rows], body).toEqual([200, [{ n: isSeen ? 1 : 0 }]]);
  });
});

describe("masks and columns", () => {
  const one = async (roles: AccessRoles) => (await bound.ask("select * from shop.kinds", roles)).rows[0];

  it("show constants of their own type where a column is always masked", async () => {
    const masks = { i: "none", big: 0, n: 9.5, b: false, t: null, day: "never", s: "x", m: 7, j: 1, u: true };
    expect(await one([[aGrant("kinds", { masks })]])).toMatchObject({ ...masks, v: "O'Hara\\", c: "abc  ", r: 0.1 });
  });

  it("make one column of values and masks, as text where they are of two types", async () => {
    const seen = aGrant("kinds", { filters: equals("b", "true") });
    const masked = aGrant("kinds", { masks: { i: 0, t: "***", day: "never" } });
    expect(await one([[seen], [masked]])).toMatchObject({ i: 1, t: "Oslo", day: "2026-01-01" });
    const unseen = aGrant("kinds", { filters: equals("b", "false") });
    expect(await one([[unseen], [masked]])).toMatchObject({ i: 0, t: "***", day: "never" });
  });

  it("leave no table where every column is excluded", async () => {
    const excludes = ["id", "region", "secret"];
    expect(await ids("select 1 as id from shop.parts", aGrant("parts", { excludes }))).toBe(400);
  });
});

describe("the planner", () => {
  /** The plan of a statement of the member, as the server makes it in the transaction that would run it. */
  async function planOf(sql: string): Promise<string> {
    const signal = new AbortController().signal;
    const { wire, close } = await connect(bound.source.credentials, signal, "fjord");
    try {
      await fetchRows(wire, "BEGIN TRANSACTION READ ONLY", "");
      const statement = await postgresGate.read({ sql }, signal);
      const access = new CallerAccess(MEMBER);
      const restricted = await restrictStatement(wire, { text: { sql }, statement, access }, signal);
      await fetchRows(wire, RESTRICTED_OPENING, "");
      const rows = await fetchRows(wire, `EXPLAIN ${restricted.sql}`, "t");
      return rows.map(([line]) => line).join("\n");
    } finally {
      await close();
    }
  }

  it("estimates nothing from samples of hidden rows", async () => {
    await bound.admin.query("ANALYZE shop.orders");
    const plans = await Promise.all(
      [HIDDEN_TEXT, "nothing"].map((note) => planOf(`select id from shop.orders where note = '${note}'`)),
    );
    expect(plans[0]).toMatch(/Subquery Scan/);
    expect(plans[0]!.replaceAll(HIDDEN_TEXT, "nothing")).toBe(plans[1]);
  });

  it("reads in parallel through the fence, and evaluates above it", async () => {
    const { database } = bound.source.credentials;
    for (const setting of ["parallel_setup_cost = 0", "parallel_tuple_cost = 0", "min_parallel_table_scan_size = 0"])
      await bound.admin.query(`ALTER DATABASE ${database} SET ${setting}`);
    const plan = await planOf("select count(*) from shop.orders where 1 / (total - 13) > 0");
    expect(plan).toMatch(/Gather[\s\S]*Subquery Scan on orders[\s\S]*total[\s\S]*Parallel Seq Scan[\s\S]*region/);
  });

  it("uses an index for a filter, and reads what is whole as it is", async () => {
    await bound.admin.query("CREATE INDEX ON shop.orders (region)");
    await bound.admin.query(`ALTER DATABASE ${bound.source.credentials.database} SET enable_seqscan = off`);
    expect(await planOf("select id from shop.orders")).toMatch(/Index (Only )?Scan|Bitmap/);
    expect(await planOf("select name from products where id = 1")).toMatch(/Index Cond: \(\w*\.?id = 1\)/);
  });
});
