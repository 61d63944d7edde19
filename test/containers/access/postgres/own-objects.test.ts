// Objects of a database by which a statement that names only PostgreSQL's own would run the database's code: casts
// between its types, orders of them, functions and operators that somebody put beside its own. A statement that could
// run one is refused, and no other is.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HIDDEN_TEXT, leaksIn } from "../../../support/node/access/canaries.ts";
import { aGrant } from "../../../support/node/access/a-grant.ts";
import { BoundPostgres } from "../../../support/node/access/bound-postgres.ts";
import { tellingCast, tells } from "../../../support/node/access/telling-objects.ts";

let bound: BoundPostgres;
beforeAll(async () => {
  bound = await BoundPostgres.open();
  await bound.admin.query(`
    CREATE TABLE shop.flags (id int, big bigint, code uuid, price money, note text, active boolean, payload jsonb, plain json);
    INSERT INTO shop.flags VALUES
      (1, 5000000000, '00000000-0000-0000-0000-0000000000aa', 1, '1', true, '{"a": 1}', '{"b": 2}')`);
});
afterAll(() => bound.close());

type Objects = {
  name: string;
  objects: [create: string, drop: string];
  /** Each tells what is hidden, where it is not refused. */
  refused: string[];
  runs: [sql: string, row: Record<string, unknown>][];
};

const ORDER = `
  ${tells("shop.lt", "json, json", "boolean")} ${tells("shop.cmp", "json, json", "int")}
  CREATE OPERATOR shop.<~ (LEFTARG = json, RIGHTARG = json, FUNCTION = shop.lt);
  CREATE OPERATOR shop.=~ (LEFTARG = json, RIGHTARG = json, FUNCTION = shop.lt);
  CREATE OPERATOR CLASS shop.by_text DEFAULT FOR TYPE json USING btree AS
    OPERATOR 1 shop.<~, OPERATOR 3 shop.=~, FUNCTION 1 shop.cmp(json, json);`;

const OBJECTS: Objects[] = [
  {
    name: "an explicit cast",
    objects: tellingCast("integer", "json"),
    refused: [
      "select 1::json",
      "select cast(1 as json)",
      "select cast(count(*)::int as json) from flags",
      "select x::int4::json from (values (7)) v(x)",
      "select (select id from flags)::json",
      "select array[1]::json[]",
      "select '{1}'::int[]::json[]",
      "select (array_agg(id))::json[] from flags",
      "select id::json from flags",
      "select 1 from flags where (id::json ->> 0) is null",
      "with x as (select id as y from flags) select y::pg_catalog.json from x",
      "select x::json from generate_series(1, 2) x",
      "select (case when active then id end)::json from flags",
      "select nullif(id, 2)::json from flags",
      "select lower(int4range(id, 5))::json from flags",
      "select k.v::json from json_to_recordset('[{\"v\": 1}]') as k(v int)",
      "select (payload -> 'a')::int::json from flags",
      "select grouping(id)::json from flags group by id",
    ],
    runs: [
      ["select id, big from flags where id = 1 and big > 2", { id: 1, big: 5_000_000_000 }],
      [
        "select '1'::json::text as j, json '2' as k, null::json as n, cast('3' as json) as c",
        { j: "1", k: 2, n: null, c: 3 },
      ],
      ["select id::text::json as j, payload::text::json ->> 'a' as a from flags", { j: 1, a: "1" }],
      ["select plain ->> 'b' as b, count(*) as n from flags group by 1", { b: "2", n: 1 }],
    ],
  },
  {
    name: "an explicit cast of what a column is of",
    objects: tellingCast("bigint", "boolean"),
    refused: [
      "select big::bool from flags",
      "select 1 from flags where cast(big as boolean)",
      "select count(*)::bool from flags",
    ],
    runs: [
      [
        "select id, big, active from flags where big = 5000000000 and active",
        { id: 1, big: 5_000_000_000, active: true },
      ],
      ["select sum(big)::int8 as s, count(*) as n from flags where active and not id = 2", { s: 5_000_000_000, n: 1 }],
      ["select id::int4::bool as b, 'true'::bool as t from flags limit 1", { b: true, t: true }],
    ],
  },
  {
    name: "an assignment cast, which conditions and limits use",
    objects: tellingCast("bigint", "boolean", "AS ASSIGNMENT"),
    refused: [
      "select 1 from flags where big",
      "select 1 where 5000000000",
      "select not big from flags",
      "select big and active from flags",
      "select case when big then 1 end from flags",
      "select count(*) filter (where big) from flags",
      "select 1 from flags a join flags b on a.big",
      "select 1 from flags having count(*)",
      "select big is true from flags",
      "select 1 from flags where (select big from flags)",
      "select 1 from flags where coalesce(big, big)",
      "select big::bool from flags",
    ],
    runs: [
      ["select id, count(*) as n from flags where big = 5000000000 group by id having count(*) > 0", { id: 1, n: 1 }],
      [
        "select big, active from flags where big in (5000000000) and note like '1%' or exists (select 1)",
        { big: 5_000_000_000, active: true },
      ],
    ],
  },
  {
    name: "an assignment cast to a number",
    objects: tellingCast("uuid", "bigint", "AS ASSIGNMENT"),
    refused: [
      "select 1 limit (select code from flags)",
      "select 1 offset (select code from flags)",
      "select sum(id) over (order by id rows (select code from flags) preceding) from flags",
    ],
    runs: [["select code, id from flags order by id limit 1", { id: 1, code: "00000000-0000-0000-0000-0000000000aa" }]],
  },
  {
    name: "an implicit cast",
    objects: tellingCast("money", "integer", "AS IMPLICIT"),
    refused: [
      "select abs(price) from flags",
      "select 1 from flags where price = id",
      "select price + 1 from flags",
      "select price from flags union all select id from flags",
      "select case when active then price else id end from flags",
      "select coalesce(price, id) from flags",
      "select array[price, id] from flags",
      "select greatest(id, price) from flags",
      "values ((select price from flags)), (1)",
      "select 1 from flags where id in (select price from flags)",
      "select 1 from flags where id in (price, 2)",
      "select 1 from flags where id between price and price",
      "select 1 from flags a join (select price as id from flags) b using (id)",
      "select 1 from flags a natural join (select price as id from flags) b",
      "select case id when price then 1 end from flags",
      "select (array[1, 2])[price] from flags",
      "select array_append(array[id], price) from flags",
      "select chr(price) from flags",
      "select f.chr from (select price from flags) f(chr), lateral chr(f.chr) x",
      "select (price).abs from flags",
    ],
    runs: [["select id, price from flags limit 1", { id: 1, price: "$1.00" }]],
  },
  {
    name: "a cast to text, which functions of PostgreSQL's own make by themselves",
    objects: tellingCast("integer", "text"),
    refused: [
      "select quote_literal(5)",
      "select quote_nullable(id) from flags",
      "select 'a' || id from flags",
      "select id::text from flags",
    ],
    runs: [
      ["select concat('a', id) as c, format('%s', id) as f, to_json(id) as j from flags", { c: "a1", f: "1", j: 1 }],
      [
        "select code::uuid::text as c, id::varchar as v from flags",
        { c: "00000000-0000-0000-0000-0000000000aa", v: "1" },
      ],
    ],
  },
  {
    name: "an order of a type that has none",
    objects: [
      ORDER,
      "DROP OPERATOR FAMILY shop.by_text USING btree; DROP OPERATOR shop.<~ (json, json); DROP OPERATOR shop.=~ (json, json); DROP FUNCTION shop.lt, shop.cmp",
    ],
    refused: [
      "select distinct x from (values ('1'::json), ('2')) v(x)",
      "select x from (values ('1'::json), ('2')) v(x) order by x",
      "select greatest('1'::json, '2'::json)",
      "select array['1'::json] = array['2'::json]",
      "select v < v from (values ('1'::json)) v(x)",
      "select max(array[x]) from (values ('1'::json), ('2')) v(x)",
      "select array_position(array['1'::json], '1'::json)",
      "select count(distinct x) from (values ('1'::json), ('2')) v(x)",
      "select mode() within group (order by x) from (values ('1'::json), ('2')) v(x)",
      "select rank() over (order by x) from (values ('1'::json), ('2')) v(x)",
      "select 1 from (values ('1'::json), ('2')) v(x) group by x",
      "values ('1'::json) union values ('2'::json)",
      "select distinct plain from flags, (values (1), (2)) v(x)",
      "select distinct * from (values (1), (1)) v(x), flags",
      "select plain as p from flags, (values (1), (2)) v(x) order by p",
      "select f.plain from flags f, (values (1), (2)) v(x) group by 1",
      "select f.* from flags f, (values (1), (2)) v(x) order by 8",
    ],
    runs: [
      ["select plain ->> 'b' as b, id from flags", { b: "2", id: 1 }],
      ["select code, note, count(*) as n from shop.codes group by 1, 2 order by 1", { code: 7, note: "x", n: 1 }],
    ],
  },
  {
    name: "a part of a type's own order",
    objects: [
      `${tells("shop.within", "int4, int4, text, boolean, boolean", "boolean")}
        ALTER OPERATOR FAMILY integer_ops USING btree ADD FUNCTION 3 (int4, text) shop.within(int4, int4, text, boolean, boolean)`,
      "ALTER OPERATOR FAMILY integer_ops USING btree DROP FUNCTION 3 (int4, text); DROP FUNCTION shop.within",
    ],
    refused: ["select sum(id) over (order by id range between '1'::text preceding and current row) from flags"],
    runs: [["select note, payload from flags where active", { note: "1", payload: { a: 1 } }]],
  },
  {
    name: "a function beside PostgreSQL's own",
    objects: [tells("pg_catalog.lower", "int", "text"), "DROP FUNCTION pg_catalog.lower(int)"],
    refused: ["select lower(5)", "select (id).lower from flags", "select id from lower(7) f, flags"],
    runs: [["select upper(note) as u from shop.flags", { u: "1" }]],
  },
  {
    name: "an operator beside PostgreSQL's own",
    objects: [
      `${tells("shop.equal", "int, text", "boolean")} CREATE OPERATOR pg_catalog.= (LEFTARG = int, RIGHTARG = text, FUNCTION = shop.equal)`,
      "DROP OPERATOR pg_catalog.= (int, text); DROP FUNCTION shop.equal",
    ],
    refused: [
      "select 5 = lower('x')",
      "select 1 from flags where id in (note, note || 'x')",
      "select nullif(id, note) from flags",
      "select case id when note then 1 end from flags",
      "select id = any (select note from flags) from flags",
    ],
    runs: [["select upper('a') || 'b' as u", { u: "Ab" }]],
  },
];

describe("a statement that could run code of the database's own is refused, and no other", () => {
  const roles = [[aGrant("flags"), aGrant("codes"), aGrant("customers")]];

  it("judges what stands in a table's place by the types of its own", async () => {
    const filters = [
      { member: "note", operator: "contains" as const, values: ["1"] },
      { member: "big", operator: "in" as const, values: ["5000000000", "7"] },
    ];
    const masked = [[aGrant("flags", { filters, excludes: ["code"], masks: { price: 0, active: "hidden" } })]];
    const runs = [
      "select note from flags",
      "select 1 from flags",
      "select note, big from flags",
      "select * from flags",
    ];
    const casting = ["select lower(big) from flags", "select big || 'a' from flags", "select big::text from flags"];
    const order = OBJECTS.find(({ name }) => name.startsWith("an order"))!;
    const cases = [
      { objects: tellingCast("bigint", "text", "AS IMPLICIT"), refused: casting },
      { objects: order.objects, refused: ["select plain from flags order by plain"] },
    ] as const;
    for (const {
      objects: [make, unmake],
      refused,
    } of cases) {
      await bound.admin.query(make);
      try {
        for (const sql of runs) {
          const { status, body, rows } = await bound.ask(sql, masked);
          expect([status, rows.length], `${sql}: ${body}`).toEqual([200, 1]);
        }
        for (const sql of refused) {
          const { status, body } = await bound.ask(sql, masked);
          expect([status, leaksIn(body, sql)], `${sql}: ${body}`).toEqual([400, []]);
          expect(body, sql).toMatch(/is not allowed to callers who are bound/);
        }
      } finally {
        await bound.admin.query(unmake);
      }
    }
  });

  it("shows NULL and a number as masks of one column, of which no role shows a value", async () => {
    const filters = [{ member: "id", operator: "equals" as const, values: ["1"] }];
    const roles = [
      [aGrant("flags", { filters, masks: { code: 0, note: 0 } })],
      [aGrant("flags", { masks: { code: null } })],
    ];
    const { status, body, rows } = await bound.ask("select code, note from flags", roles);
    expect([status, rows], body).toEqual([200, [{ code: 0, note: "1" }]]);
    const masked = await bound.ask("select note from flags", [[aGrant("flags", { masks: { note: 0 } })]]);
    expect(masked.rows, masked.body).toEqual([{ note: "0" }]);
  });

  it.each(OBJECTS)("$name", async ({ objects: [create, drop], refused, runs }) => {
    await bound.admin.query("CREATE TABLE IF NOT EXISTS shop.codes AS SELECT 7 AS code, 'x'::text AS note");
    await bound.admin.query(create);
    try {
      for (const sql of refused) {
        const { status, body } = await bound.ask(sql, roles);
        expect([status, leaksIn(body, sql)], `${sql}: ${body}`).toEqual([400, []]);
        expect(body, sql).toMatch(/statement_refused|query_failed/);
        expect(body, sql).toMatch(/is not allowed to callers who are bound/);
        // Whoever is bound by no role runs it.
        const open = await bound.ask(`/* */ ${sql}`);
        expect(open.body, sql).toContain(HIDDEN_TEXT);
      }
      for (const [sql, row] of runs) {
        const { status, body, rows } = await bound.ask(sql, roles);
        expect([status, rows[0]], `${sql}: ${body}`).toEqual([200, row]);
      }
    } finally {
      await bound.admin.query(drop);
    }
  });
});

it("names to an admin what hinders, and not what an extension compiled or PostgreSQL's own functions do", async () => {
  const hindrances = async () => {
    const response = await bound.engine.call("POST", "/connections/test", { source: bound.source, deadlineMs: 30_000 });
    const report = (await response.json()) as { hindrances: { kind: string; name: string; effect: string }[] };
    return report.hindrances.map(({ kind, name, effect }) => `${kind} ${name}: ${effect}`);
  };
  const before = await hindrances();
  expect(before).toContain("cast handle AS text: Columns of the type handle are not there.");
  const objects = [
    "explicit cast",
    "an implicit cast",
    "assignment cast, which",
    "order of a type",
    "function beside",
    "operator beside",
  ].map((name) => OBJECTS.find((each) => each.name.includes(name))!.objects);
  await bound.admin.query("CREATE CAST (uuid AS int) WITH INOUT; CREATE CAST (oid AS date) WITHOUT FUNCTION");
  for (const [create] of objects) await bound.admin.query(create);
  try {
    expect((await hindrances()).filter((each) => !before.includes(each)).toSorted()).toEqual([
      "cast bigint AS boolean: Statements that cast bigint to boolean are refused, also where a condition or a limit would.",
      "cast integer AS json: Statements that cast integer to json are refused.",
      "cast money AS integer: Statements that cast money to integer are refused, also those that may read a column " +
        "of the type money, or compute a value of it, and use a function or an operator that takes integer, on " +
        "whatever values, or bring values to one type.",
      "function lower: Statements that use lower are refused.",
      "operator =: Statements that use = are refused.",
      "order json: Statements that sort, group or compare values are refused where values of the type json are in play.",
    ]);
  } finally {
    for (const [, drop] of objects) await bound.admin.query(drop);
  }
});
