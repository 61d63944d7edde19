// Ways around data-access roles on a PostgreSQL source, each sent to a real server by a member whose credentials may
// read all of it: nothing hidden shows in body, error or header, whatever the statement does.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HIDDEN_TEXT, leaksIn } from "../../../support/node/access/canaries.ts";
import { BoundPostgres, MEMBER, MEMBER_BY_COSTLY_FILTER } from "../../../support/node/access/bound-postgres.ts";

let bound: BoundPostgres;
beforeAll(async () => (bound = await BoundPostgres.open()));
afterAll(() => bound.close());

const asMember = (sql: string) => bound.ask(sql, MEMBER);

describe("what is refused, without a word of what is hidden", () => {
  it.each([
    // Tables that are denied, wherever a statement may name one.
    "select * from shop.canary_table",
    "select * from canary_table",
    "table shop.canary_table",
    "table only canary_table",
    "select * from only (shop.canary_table)",
    "select * from shop.canary_table *",
    'select * from "shop"."canary_table"',
    "select * from SHOP.Canary_Table",
    "select * /* canary_table */ from U&\"c!0061nary_table\" uescape '!'",
    'select * /* canary_table */ from shop.U&"\\0063anary_table"',
    "select * from /* shop.orders */ shop /**/ . -- x\n canary_table",
    "select * from canary_hidden.vault",
    "select * from vault",
    "select * from shop.canary_view",
    "select * from shop.canary_stored",
    "select * from shop.canary_seq",
    "select * from customers, vault",
    "select (select max(secret) from vault)",
    "select 1 where exists (select from vault where secret like 'C%')",
    "select 1 = any (select id from vault)",
    "select array(select secret from vault)",
    "select * from customers c, lateral (select secret from vault v where v.id = c.id) x",
    "select id from customers union all select id from vault",
    "select id from customers except table vault",
    "values ((select secret from vault limit 1))",
    "select * from (customers join vault using (id)) as j",
    "select * from customers natural join vault",
    "select 1 limit (select count(*) from vault)",
    "select 1 order by (select secret from vault limit 1)",
    "select count(*) filter (where exists (table vault)) from customers",
    "select sum(id) over (partition by (select secret from vault limit 1)) from customers",
    "select * from generate_series(1, (select count(*) from vault))",
    "select case when (select count(*) from vault) > 9 then 1 else 1/0 end",
    // WITH items that are named like what is hidden.
    "with vault as (select * from vault) select * from vault",
    "with a as (select * from vault), vault as (select 1 as secret) select secret from a",
    "with a as (with vault as (select 1 as secret) select * from vault) select a.secret, v.secret from a, vault v",
    "select * from (with vault as (select 1) select * from vault) x, vault",
    "with recursive a as (select 1 as n union all select n + 1 from a, canary_hidden.vault where n < 2) select * from a",
    "with vault as (select 1) select * from canary_hidden.vault",
    "with pg_class as (select 1 as relname) select relname from pg_class",
    // Samples, sizes, catalogs, statistics.
    "select * from customers tablesample system (100)",
    "select * from shop.orders tablesample bernoulli (100)",
    "select relname from pg_class",
    "select * from pg_catalog.pg_tables",
    "select table_name from information_schema.tables",
    "select most_common_vals from pg_stats",
    "select reltuples from pg_class where relname like 'can%'",
    "select query from pg_stat_activity",
    "select pg_relation_size('shop.canary_table')",
    "select pg_total_relation_size(16384)",
    "select pg_stat_get_live_tuples(16384)",
    // Functions that read by name, or run SQL of their own.
    "select table_to_xml('shop.canary_table', true, true, '')",
    "select query_to_xml('select * from canary_hidden.vault', true, true, '')",
    "select cursor_to_xml('x', 1, true, true, '')",
    "select * from ts_stat('select to_tsvector(secret) from canary_hidden.vault')",
    "select pg_get_viewdef('shop.canary_view')",
    "select pg_get_viewdef('shop.big_orders'::regclass)",
    "select pg_get_functiondef('shop.reads(int)'::regprocedure)",
    "select to_regclass('shop.canary_table')",
    "select 'shop.canary_table'::regclass",
    "select cast('shop.canary_table' as regclass)",
    "select regclass 'shop.canary_table'",
    "select pg_catalog.regclass('shop.canary_table')",
    "select ('shop.canary_table'::text).regclass",
    "select f.regclass from lower('SHOP.CANARY_TABLE') f",
    "select f.pg_get_viewdef from unnest(array[16384::oid]) f",
    "select 16384::regclass",
    "select 'shop'::regnamespace",
    "select 'orders'::regtype",
    "select col_description(16384, 1)",
    "select obj_description(16384)",
    "select has_table_privilege('shop.canary_table', 'select')",
    "select has_column_privilege('shop.orders', 'canary_column', 'select')",
    "select currval('shop.canary_seq')",
    "select pg_sequence_last_value(16384)",
    "select lo_get(1)",
    "select pg_typeof(o) from shop.orders o",
    "select format_type(16384, -1)",
    "select pg_column_size(o) from shop.orders o",
    "select pg_sleep(1) from shop.orders where region = 'xx'",
    "select current_setting('search_path')",
    "select current_schemas(true)",
    "select current_schema",
    "select current_user, session_user, current_catalog",
    "select version()",
    "select enum_range(null::shop.status)",
    "select enum_range(status) from shop.orders",
    "select nextval('shop.canary_seq')",
    "select shop.reads(1)",
    "select reads(1)",
    "select * from shop.reads(1)",
    "select ('x'::text).reads",
    "select c.reads from lower('x') c",
    "select 'a' operator(shop.##) 'b'",
    "select 'a' ## 'b'",
    "select 1 order by 'a' using shop.##",
    "select 'a' = any (array['a']) collate shop.x",
    "select to_tsvector('canary_hidden.x', 'y')",
    "select xmlelement(name a, 1)",
    "select json_populate_record(null::shop.orders, '{}')",
    // Types: rows of tables, domains whose checks read tables, labels.
    "select null::shop.orders",
    "select (null::shop.orders).*",
    "select (null::shop.canary_table).secret",
    "select '(1,x)'::canary_table",
    "select array[]::shop.canary_table[]",
    "select 'CANARY'::shop.known",
    "select 'x'::known",
    "select * from json_to_record('{}') as x(a shop.canary_table)",
    "select 'canary_label'::shop.status",
    // Columns that are hidden, and names before columns.
    "select canary_column from shop.orders",
    "select o.canary_column from shop.orders o",
    "select orders.canary_column from shop.orders",
    "select shop.orders.canary_column from shop.orders",
    "select canary_price from products",
    "select id from shop.orders where canary_column is not null",
    "select id from shop.orders order by canary_column",
    "select * from shop.orders join products using (canary_price)",
    "select (o).canary_column from shop.orders o",
    "select ctid from shop.orders",
    "select tableoid from shop.orders",
    "select xmin from shop.orders",
    "select canary_hidden.vault.secret from customers",
    "select canary_table.secret from customers",
    "select postgres.shop.orders.email from postgres.shop.orders",
    "select * from other.shop.orders",
    // Statements about statements.
    "explain select * from shop.orders",
    "explain analyze select * from shop.orders",
    "explain (verbose, costs) select count(*) from shop.orders where region = 'xx'",
    "show search_path",
    "show work_mem",
    "select 1; select * from vault",
    "select * from customers for update",
    "with x as (delete from customers returning *) select * from x",
    "with vault as (insert into customers select 5 returning *) select * from vault",
    "select * into temp t from customers",
  ])("%s", async (sql) => {
    const { status, body } = await asMember(sql);
    expect(status, body).toBe(400);
    expect(leaksIn(body, sql), body).toEqual([]);
  });
});

describe("what runs, over what the member sees alone", () => {
  it.each<[sql: string, rows: Record<string, unknown>[]]>([
    ["select count(*) as n from shop.orders", [{ n: 5 }]],
    ["select count(*) as n from orders o where region <> 'no' or region is null", [{ n: 0 }]],
    ["select count(*) as n, max(id) as top, sum(fee) as fees from orders", [{ n: 5, top: 5, fees: 0 }]],
    ["select distinct email from orders", [{ email: "***" }]],
    ["select shop.orders.id from shop.orders where shop.orders.id < 2", [{ id: 1 }]],
    [
      "select shop.orders.id, o.id as other from shop.orders join orders o using (id) where o.id = 3",
      [{ id: 3, other: 3 }],
    ],
    ["select orders.id from orders where id = 2", [{ id: 2 }]],
    ["select x.a from orders as x(a, b) where a = 4", [{ a: 4 }]],
    ["select a from only (shop.orders) x(a) where a = 4", [{ a: 4 }]],
    ["select id from shop.orders* where id = 4", [{ id: 4 }]],
    ["select n from (table orders) t(n) where n = 1", [{ n: 1 }]],
    ["with orders as (select 7 as id) select id from orders", [{ id: 7 }]],
    ["with orders as (select * from orders) select count(*) as n from orders", [{ n: 5 }]],
    [
      "with recursive t(n) as (select 1 union all select n + 1 from t where n < 3) select max(n) as n from t",
      [{ n: 3 }],
    ],
    ["select count(*) as n from (select * from orders union all select * from shop.orders) u", [{ n: 10 }]],
    ["select count(*) as n from customers", [{ n: 3 }]],
    ["select c::text as c from customers c where id = 2", [{ c: '(2,Ola,"{""a"": 2}")' }]],
    ["select c.name from customers c join orders o on o.id = c.id where c.id = 3", [{ name: "Åse" }]],
    [
      "/* Ø */ select 'Ø' as a, shop . customers . name from shop /* Å */ . customers where id = 2",
      [{ a: "Ø", name: "Ola" }],
    ],
    [
      "select c.payload ->> 'a' as a, c.name is null as b from customers as c order by 1 limit 1",
      [{ a: "1", b: false }],
    ],
    ["select row_to_json(p)::text as j from products p order by id limit 1", [{ j: '{"id":1,"name":"rope"}' }]],
    ["select p::text as p from products p order by id limit 1", [{ p: "(1,rope)" }]],
    ["select count(p.*) as n, count(p) as m from products p", [{ n: 2, m: 2 }]],
    ["select * from products natural join (values (1)) v(id)", [{ id: 1, name: "rope" }]],
    ["select id, kind, status from orders where id = 1", [{ id: 1, kind: "shop.orders", status: "open" }]],
    ["select count(*) as n from orders where kind = 'shop.canary_table'", [{ n: 0 }]],
    ["select count(*) as n from orders where status = 'canary_label'", [{ n: 0 }]],
    ["select count(*) as n from orders where status = 'no such'", [{ n: 0 }]],
    ["select * from traces", [{ id: 1, relation: "shop.orders", known: "{}" }]],
    ["select count(*) as n from traces where relation = 'canary_hidden.vault'", [{ n: 0 }]],
    ["select array_append(null::text[], known) as a from traces", [{ a: ["{}"] }]],
    ["select id, total from big_orders where 1 / (total - 13) is not null order by id limit 1", [{ id: 3, total: 30 }]],
    ["select count(*) as n from big_orders", [{ n: 3 }]],
    ["select id from shop.orders fetch first 1 row only", [{ id: 1 }]],
    [
      "select grouping(region) as g, count(*) as n from orders group by rollup (region) order by 1",
      [
        { g: 0, n: 5 },
        { g: 1, n: 5 },
      ],
    ],
    [
      "select o.ordinality as n, o.email from rows from (unnest(array['a'])) with ordinality o(email, ordinality)",
      [{ n: 1, email: "a" }],
    ],
    [
      "select region, rank() over w from orders window w as (order by id) order by 2 desc limit 1",
      [{ region: "no", rank: 5 }],
    ],
    ["select j.id from (customers c join orders o using (id)) as j where j.id = 1", [{ id: 1 }]],
    ["select k.id from customers join orders using (id) as k where k.id = 1", [{ id: 1 }]],
    [
      "select to_char(placed, 'YYYY') as y, extract(year from placed) as e from orders where id = 1",
      [{ y: "2026", e: 2026 }],
    ],
    [
      "select date '2026-01-01' + interval '1 day' = timestamp '2026-01-02' as t, '{1}'::int[] is null as n where false",
      [],
    ],
  ])("%s", async (sql, rows) => {
    const answer = await asMember(sql);
    expect(answer.status, answer.body).toBe(200);
    expect(answer.rows).toEqual(rows);
    expect(leaksIn(answer.body, sql), answer.body).toEqual([]);
  });
});

describe("an expression of the statement never meets a hidden row or cell", () => {
  it.each([
    "select id from orders where 1 / (total - 13) is not null",
    "select id from orders where (id || 'x')::text is not null and note::varchar(6) like 'note%' and 1 / (fee + 1) > 0",
    "select id from orders where case when region = 'xx' then 1 / (fee - fee) else 1 end = 1",
    "select id from orders where region <> 'xx' or note::int > 0",
    "select id from orders where substr(note, 6)::int > 0",
    "select id from orders where placed > '2000-01-01' or 1 / (id - id) > 0",
    "select id from orders where email::text = '***' or email::int > 0",
    "select id from (select id, 1 / (total - 13) as x from orders) o where x is not null",
    "select o.id from orders o join customers c on 1 / (o.total - 13) is not null and c.id = 1",
    "select o.id from customers c left join orders o on substr(o.note, 6)::int > 0 where c.id = 1",
    "select id from orders o where exists (select 1 from orders i where i.id = o.id and 1 / (i.total - 13) is not null)",
    "select id from orders where id in (select substr(note, 6)::int from orders)",
    "select id from orders group by id having 1 / (max(total) - 13) is not null",
    "select max(id) as id from orders group by substr(note, 6)::int",
    "select distinct on (substr(note, 6)::int) id from orders",
    "select id from orders order by substr(note, 6)::int",
    "select id from orders, lateral (select substr(note, 6)::int as n offset 0) x where n > 0",
    "with o as not materialized (select * from orders) select id from o where substr(note, 6)::int > 0",
    "select id from (select * from orders union all select * from orders) u where substr(note, 6)::int > 0 limit 5",
    "select id from big_orders where substr(note, 6)::int > 2 union all select id from orders where id < 3",
    "select id from orders where jsonb_build_object(note, 1) ? note and ('[' || substr(note, 6) || ']')::jsonb is not null",
  ])("%s", async (sql) => {
    const { status, body, rows } = await bound.ask(sql, MEMBER_BY_COSTLY_FILTER);
    expect(status, body).toBe(200);
    expect(rows.map(({ id }) => id).toSorted()).toEqual(expect.arrayContaining([1, 2, 3, 4, 5]));
    expect(leaksIn(body, sql), body).toEqual([]);
  });

  it("and without the fence these statements fail, or show what is hidden", async () => {
    const { status, body } = await bound.ask("select id from shop.orders where 1 / (total - 13) is not null");
    expect([status, body]).toEqual([400, expect.stringContaining("division by zero")]);
    const cast = await bound.ask("select id from shop.orders where substr(note, 6)::int > 0");
    expect(cast.body).toContain(HIDDEN_TEXT.slice(5));
  });
});

describe("denied and missing read alike", () => {
  it.each<[denied: string, missing: string, statements: string[]]>([
    [
      "canary_hidden.vault",
      "canary_hidden.vaulx",
      ["select * from ?", "table ?", "select 1 from customers, only (?) x", "select ?.a from customers"],
    ],
    [
      "canary_hidden.vault",
      "canary_hiddex.vault",
      ["select * from ?", "select ?.secret from customers", "select ?.* from orders"],
    ],
    [
      "shop.canary_table",
      "shop.canary_tablx",
      ["select * from ?", "select 'Ø', * from ? as c", "select 1 from nowhere, ?"],
    ],
    ["canary_table", "canary_tablx", ["select * from ?", "select ?.id from customers", "with x as (table ?) table x"]],
    ["shop.canary_seq", "shop.canary_sex", ["select last_value from ?", "select '?'::regclass"]],
    [
      "canary_column",
      "canary_columx",
      [
        "select ? from orders",
        "select o.? from orders o",
        "select 1 from orders where ? = 'x'",
        "select shop.orders.? from shop.orders",
      ],
    ],
    ["shop.canary_table", "shop.canary_tablx", ["select null::?", "select '{}'::?[]"]],
    ["canary_table", "canary_tablx", ["select null::?", "select ?(1)", "select 1::int4.?"]],
    ["shop.known", "shop.knowx", ["select 'x'::?", "select ?('x')"]],
    ["known", "knowx", ["select 'x'::?", "select cast('x' as ?)"]],
    ["reads", "readx", ["select ?(1)", "select shop.?(1)", "select ('x'::text).?", "select c.? from customers c"]],
    [
      "canary_hidden.vault",
      "canary_hiddex.vault",
      ["select to_tsvector('?', 'x')", "select 1 operator(canary_hidden.?) 2"],
    ],
    ["canary_label", "canary_labex", ["select id from orders where status = '?'"]],
  ])("%s, %s", async (denied, missing, statements) => {
    for (const statement of statements) {
      const [one, other] = await Promise.all(
        [denied, missing].map((name) => asMember(statement.replaceAll("?", name))),
      );
      const plain = ({ status, body }: typeof one & object) =>
        `${status} ${body.replace(/"durationMs":\d+|\["date"[^\]]*\]/g, "")}`
          .replaceAll(denied, "?")
          .replaceAll(missing, "?");
      expect(plain(one!), statement).toBe(plain(other!));
    }
  });
});
