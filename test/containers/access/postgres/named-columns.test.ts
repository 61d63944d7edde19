// A database's own cast takes from bound callers only statements that may read a column of its first type: a column
// counts where a statement names it, and every column does where the statement may read one without naming it.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aGrant } from "../../../support/node/access/a-grant.ts";
import { BoundPostgres } from "../../../support/node/access/bound-postgres.ts";
import { HIDDEN_TEXT, leaksIn } from "../../../support/node/access/canaries.ts";
import { tellingCast } from "../../../support/node/access/telling-objects.ts";

let bound: BoundPostgres;
beforeAll(async () => {
  bound = await BoundPostgres.open();
  await bound.admin.query(`
    CREATE TABLE shop.items (id int, note text, price money, name text, big bigint);
    INSERT INTO shop.items VALUES (1, 'rope', 1, 'Rope', 5000000000);
    CREATE TABLE shop.prices (price money);
    INSERT INTO shop.prices VALUES (2);
    CREATE TABLE shop.notes (note text, level int);
    INSERT INTO shop.notes VALUES ('rope', 3)`);
});
afterAll(() => bound.close());

const roles = [[aGrant("items"), aGrant("prices"), aGrant("notes")]];

async function withObjects([create, drop]: [string, string], run: () => Promise<void>): Promise<void> {
  await bound.admin.query(create);
  try {
    await run();
  } finally {
    await bound.admin.query(drop);
  }
}

async function expectRefused(sql: string, refusedRoles = roles): Promise<void> {
  const { status, body } = await bound.ask(sql, refusedRoles);
  expect([status, leaksIn(body, sql)], `${sql}: ${body}`).toEqual([400, []]);
  expect(body, sql).toMatch(/is not allowed to callers who are bound/);
  // Whoever is bound by no role runs it.
  const open = await bound.ask(`/* */ ${sql}`);
  expect(open.body, sql).toContain(HIDDEN_TEXT);
}

const PRICE = tellingCast("money", "integer", "AS IMPLICIT");

/** Each runs the cast of PRICE, where it is not refused. */
const HOSTILE: Record<string, string[]> = {
  "names the column": [
    "select chr(price) from items",
    "select chr(PRICE) from items",
    'select chr(U&"pr\\0069ce") from items',
    "select chr(items.price) from items",
    "select chr(shop.items.price) from shop.items",
    "select chr((i).price) from items i",
    "select chr((select i).price) from items i",
    "select chr((q.r).price) from (select i as r from items i) q",
    "select chr(((array_agg(i))[1]).price) from items i",
    "select (i.price).chr from items i",
    "select chr(x) from items i, lateral (select i.price) q(x)",
    "select chr(a) from (select price, id from items) q(a)",
    "with q(a) as (select price from items) select chr(a) from q",
    "with recursive q(a) as (select price from items union all select a from q where a is null) select chr(a) from q",
    "select chr((select price)) from items",
    "select (select chr(price) from notes limit 1) from items",
    "select 1 from notes where exists (select from items where chr(price) = 'x')",
    "select sum(length(chr(price))) over () from items",
    "select 1 from items order by chr(price)",
    "select 1 from items group by chr(price)",
    "select count(*) filter (where chr(price) = 'x') from items",
    "select chr((array_agg(x))[1]) from (select price as x from items) q",
    "select 1 from items join (select 1 as price) q using (price)",
    "select chr(j.price) from (items join notes using (note)) as j",
    "select chr(a) from (select price as a from items where id = 1) q group by a order by 1",
    "select chr(min(price)) from items",
    "(select price from items) union all (select id from items)",
    "select price from items except select level from notes",
    "select price, chr(price) from items",
    "select price, (select chr(i.price)) from items i",
  ],
  "renames it in FROM": [
    "select chr(c) from items as x(a, b, c)",
    "select chr(x.c) from items as x(a, b, c)",
    "select chr(x.c) from only items x(a, b, c)",
    "select chr(c) from (items join notes n on true) as j(a, b, c)",
    "select chr(c) from (items cross join notes) as j(a, b, c)",
    "select chr(q.y) from (select x.c as y from items as x(a, b, c)) q",
  ],
  "takes every column by a star": [
    "select chr(c) from (select * from items) q(a, b, c)",
    "select chr(c) from (select i.* from items i) q(a, b, c)",
    "select chr(c) from (table items) q(a, b, c)",
    "select chr(c) from ((table items)) q(a, b, c)",
    "with q(a, b, c) as (select * from items) select chr(c) from q",
    "with q(a, b, c) as (table items) select chr(c) from q",
    "with q as (table prices), r(x) as (table q) select chr(x) from r",
    "select chr(x) from (values ((table prices))) q(x)",
    "select chr((table prices))",
    "select chr((select * from prices))",
    "table prices union all select 1",
    "select 1 where 1 in (table prices)",
    "select 1 where 1 = any (select * from prices)",
    "select row(p.*) = row(1) from prices p",
    "select coalesce((table prices), 1)",
    "select array[(table prices), 1]",
    "select 1 from prices p where row(p.*) in (values (1), (2))",
    "select chr(c) from (select (i).* from items i) q(a, b, c)",
    "select chr(c) from (select (array_agg(i))[1] as r from items i) q, lateral (select (q.r).*) s(a, b, c)",
    "select chr(x) from lateral (select * from prices) q(x)",
  ],
  "joins by it without naming it": ["select 1 from items natural join (select 1 as price) q"],
  "takes the whole row": [
    "select chr(u.c) from (select array_agg(i) as a from items i) q, unnest(q.a) as u(a, b, c)",
    "select chr(u.c) from (select array_agg(items) as a from items) q, unnest(q.a) as u(a, b, c)",
    "select chr(u.c) from items i, unnest(array[i]) as u(a, b, c)",
    "select chr(u.c) from (select i.array_agg as a from items i) q, unnest(q.a) as u(a, b, c)",
    "select chr(u.c) from (select (i).array_agg as a from items i) q, unnest(q.a) as u(a, b, c)",
  ],
};

describe("a statement that may read a column of a type with a cast of the database's own is refused", () => {
  it.each(Object.entries(HOSTILE))("which %s", async (_, statements) => {
    await withObjects(PRICE, async () => {
      for (const sql of statements) await expectRefused(sql);
    });
  });
});

const PLACE = tellingCast("tid", "text", "AS IMPLICIT");
const TRANSACTION = tellingCast("xid", "text", "AS IMPLICIT");

it("judges the columns that every table has by their names", async () => {
  await withObjects(PLACE, async () => {
    await expectRefused("select lower(ctid) from items");
    await expectRefused("select lower(x) from (select i.ctid as x from items i) q");
  });
  await withObjects(TRANSACTION, async () => {
    await expectRefused("select lower(xmin) from items");
    await expectRefused("select 1 from items a join notes b on a.xmax = b.note");
  });
});

describe("a name after a dot", () => {
  const both = [[aGrant("items"), aGrant("notes")]];
  const runs = "select i.name from items i where i.name = 'Rope' and i.id = abs(1)";

  it("is a column where the table before the dot shows one of this name", async () => {
    const joined = "select i.name from items i join notes n on i.note = n.note where i.id = abs(1)";
    await withObjects(PRICE, async () => {
      for (const sql of [runs, joined]) {
        const { status, body, rows } = await bound.ask(sql, both);
        expect([status, rows], `${sql}: ${body}`).toEqual([200, [{ name: "Rope" }]]);
      }
    });
  });

  it("may be a function of the row where a table, or the caller's roles, show none", async () => {
    const masked = [[aGrant("items", { excludes: ["name"] })]];
    await withObjects(PRICE, async () => {
      for (const [sql, access] of [
        [runs, masked],
        ["select n.name from notes n, items i where n.name = 'x' and i.id = abs(1)", both],
        ["select i.name from (items i join notes n on true) as i where abs(1) = 1", both],
        [
          "select 1 from items i where exists (select i.name from (items cross join notes) as i where abs(1) = 1)",
          both,
        ],
        ["select å.name from items å, notes n where abs(1) = 1", both],
      ] as const) {
        const { status, body } = await bound.ask(sql, access);
        expect([status, body], sql).toEqual([400, expect.stringMatching(/is not allowed to callers who are bound/)]);
      }
    });
  });
});

it("leaves out columns that the caller's roles do not show", async () => {
  const hidden = [[aGrant("items", { excludes: ["price"] })]];
  await withObjects(PRICE, async () => {
    const { status, body, rows } = await bound.ask("select *, chr(id) as c from items", hidden);
    expect([status, rows], body).toEqual([
      200,
      [{ id: 1, note: "rope", name: "Rope", big: 5_000_000_000, c: "\u0001" }],
    ]);
  });
});

describe("a statement that can't read one runs", () => {
  it.each([
    {
      objects: PRICE,
      runs: [
        "select chr(id) from items",
        "select note from items where length(note) = 4 and id in (1, 2)",
        "select i.name, i.id from items i where i.name = 'Rope' and abs(i.id) = 1",
        "select case when i.id = 1 then 1 else n.level end as n from items i join notes n using (note)",
        "select q.a from (select id as a from items) q(a) where a = 1 union all select level from notes order by 1",
        "with q(a) as (select id from items) select coalesce(a, 1) as n from q",
        "select n from items, generate_series(1, id) as g(n)",
        "select count(*) as n from items where greatest(id, 2) = 2",
      ],
    },
    {
      objects: tellingCast("bigint", "text", "AS IMPLICIT"),
      runs: [
        "select note from items where note = 'rope'",
        "select id, big, i.big as b from items i where note = 'rope' order by 2",
        "select * from items where note = 'rope'",
        "select distinct i.*, n.level from items i join notes n on i.note = n.note order by 1",
        "select i.name, lower(i.note) as l from items i where i.name like 'R%' or note || 'x' = 'y'",
        "select name from items union select note from notes order by name limit 1",
      ],
    },
  ])("$objects.0", async ({ objects, runs }) => {
    await withObjects(objects, async () => {
      for (const sql of runs) {
        const { status, body, rows } = await bound.ask(sql, roles);
        expect([status, rows.length > 0], `${sql}: ${body}`).toEqual([200, true]);
      }
    });
  });
});
